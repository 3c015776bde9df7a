//! Depth codes of 8 or 16 bits as the solver works on them, one set of kernels for both.
//!
//! The finished codes of a subspace are written by many threads at once, each entry by whoever
//! decides it. Different threads may write the same entry (symmetric duplicates), but always the
//! same code, and through atomics.

use crate::table::Codes;
use crate::value::Code;
use std::sync::atomic::{AtomicU8, AtomicU16, Ordering::Relaxed};

/// A row of codes to be filled, of either width.
#[derive(Debug)]
pub enum RowBuffer<'a> {
    /// Codes of 8 bits.
    Narrow(&'a mut [u8]),
    /// Codes of 16 bits.
    Wide(&'a mut [u16]),
}

/// The finished codes of a subspace, of either width, in entry order.
#[derive(Debug, PartialEq, Eq)]
pub enum CodeVec {
    /// Codes of 8 bits.
    Narrow(Vec<u8>),
    /// Codes of 16 bits.
    Wide(Vec<u16>),
}

/// A code width that the solver can work in.
pub trait Width: Code {
    /// The code that several threads may write.
    type Shared: Sync;

    /// A buffer of this width.
    fn buffer(codes: &mut [Self]) -> RowBuffer<'_>;

    /// The codes, to be saved.
    fn codes(codes: &[Self]) -> Codes<'_>;

    /// Finished codes of this width.
    fn finished(codes: Vec<Self>) -> CodeVec;

    /// The codes, open to writers on several threads.
    fn share(codes: &mut [Self]) -> &[Self::Shared];

    /// Writes a shared code.
    fn store(place: &Self::Shared, code: Self);

    /// The codes as bytes, where they are bytes.
    fn as_bytes(codes: &[Self]) -> Option<&[u8]>;

    /// As [`as_bytes`](Self::as_bytes), to be changed.
    fn as_bytes_mut(codes: &mut [Self]) -> Option<&mut [u8]>;

    /// Calls `found` with every place in `codes` that holds `code`, rising.
    fn each(code: Self, codes: &[Self], found: impl FnMut(usize));
}

impl Width for u8 {
    type Shared = AtomicU8;

    fn buffer(codes: &mut [u8]) -> RowBuffer<'_> {
        RowBuffer::Narrow(codes)
    }

    fn codes(codes: &[u8]) -> Codes<'_> {
        Codes::Narrow(codes)
    }

    fn finished(codes: Vec<u8>) -> CodeVec {
        CodeVec::Narrow(codes)
    }

    fn share(codes: &mut [u8]) -> &[AtomicU8] {
        // SAFETY: an atomic has the size and layout of its integer, its alignment is that of u8,
        // and the exclusive borrow lasts as long as the shared one.
        unsafe { &*(codes as *mut [u8] as *const [AtomicU8]) }
    }

    fn as_bytes(codes: &[u8]) -> Option<&[u8]> {
        Some(codes)
    }

    fn as_bytes_mut(codes: &mut [u8]) -> Option<&mut [u8]> {
        Some(codes)
    }

    #[inline(always)]
    fn store(place: &AtomicU8, code: u8) {
        place.store(code, Relaxed);
    }

    #[inline(always)]
    fn each(code: u8, codes: &[u8], found: impl FnMut(usize)) {
        memchr::memchr_iter(code, codes).for_each(found);
    }
}

impl Width for u16 {
    type Shared = AtomicU16;

    fn buffer(codes: &mut [u16]) -> RowBuffer<'_> {
        RowBuffer::Wide(codes)
    }

    fn codes(codes: &[u16]) -> Codes<'_> {
        Codes::Wide(codes)
    }

    fn finished(codes: Vec<u16>) -> CodeVec {
        CodeVec::Wide(codes)
    }

    fn share(codes: &mut [u16]) -> &[AtomicU16] {
        const { assert!(align_of::<AtomicU16>() == align_of::<u16>()) };
        // SAFETY: as for u8; the alignments are equal.
        unsafe { &*(codes as *mut [u16] as *const [AtomicU16]) }
    }

    fn as_bytes(_: &[u16]) -> Option<&[u8]> {
        None
    }

    fn as_bytes_mut(_: &mut [u16]) -> Option<&mut [u8]> {
        None
    }

    #[inline(always)]
    fn store(place: &AtomicU16, code: u16) {
        place.store(code, Relaxed);
    }

    #[inline(always)]
    fn each(code: u16, codes: &[u16], found: impl FnMut(usize)) {
        let places = codes.iter().enumerate().filter(|(_, held)| **held == code);
        places.map(|(place, _)| place).for_each(found);
    }
}
