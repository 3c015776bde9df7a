//! The state of a unit in progress, kept beside the tables so that a run that is killed loses
//! minutes and not hours. A scratch file is no table and nothing to pass on: it is read by the
//! build that wrote it, or not at all. `docs/FORMAT.md` says how it is made up.
//!
//! Its content is some streams of codes, whose meaning is the solver's, and a few bytes of the
//! solver's own. Streams are cut into blocks, which are packed lightly and each under a checksum.
//!
//! Beware: what cannot be used is no error of the run, only a reason to begin anew; so reasons here
//! are texts, to be told and forgotten.

use super::codec::{self, BlockKind, Codes, Encoded};
use super::format::CODEC;
use super::names::{is_partial, parse_state};
use super::storage::Bytes;
use super::writer::partial_name;
use super::{Shelf, TableError};
use crate::space::{Subspace, quiet_turns};
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

/// What follows the name of the subspace.
pub(super) const SCRATCH: &str = ".working";
/// Bytes that are the solver's own.
pub const SCRATCH_HEAD: usize = 8;

const MAGIC: [u8; 8] = *b"\x89MEW\r\n\x1a\n";
const VERSION: u16 = 1;
/// The build: a working layout means nothing to another one.
const BUILD: &[u8] = env!("CARGO_PKG_VERSION").as_bytes();
const HEADER: usize = 112;
/// Entries of a block.
const BLOCK: usize = 1 << 20;
/// Bytes of a block in the index.
const PLACE: usize = 21;
/// Bytes of a stream in the index.
const STREAM: usize = 9;
/// Fast, and still a quarter of the bytes or less.
const LEVEL: i32 = 1;

/// A stream to be filled.
#[derive(Debug)]
pub enum Filled<'a> {
    /// Of 8 bits.
    Narrow(&'a mut [u8]),
    /// Of 16 bits.
    Wide(&'a mut [u16]),
}

/// A scratch file whose header and index are whole and of these rules.
pub struct Scratch {
    file: String,
    bytes: Box<dyn Bytes>,
    head: [u8; SCRATCH_HEAD],
    /// Bits and entries of each stream.
    streams: Vec<(u8, u64)>,
    places: Vec<Place>,
}

#[derive(Clone, Copy)]
struct Place {
    offset: u64,
    length: u32,
    kind: u8,
    checksum: u64,
}

impl Shelf {
    fn scratch_name(subspace: Subspace) -> String {
        format!("{subspace}{SCRATCH}")
    }

    /// What must stand at the start of a scratch file of this subspace here.
    fn scratch_stamp(&self, subspace: Subspace) -> Vec<u8> {
        let mut stamp = MAGIC.to_vec();
        stamp.extend(VERSION.to_le_bytes());
        let mut build = BUILD[..BUILD.len().min(16)].to_vec();
        build.resize(16, 0);
        stamp.extend(build);
        stamp.extend(self.rules().board.fingerprint().to_le_bytes());
        stamp.extend(self.rules().parameter_bytes());
        let s = subspace;
        stamp.extend([s.mover, s.opponent, s.mover_hand, s.opponent_hand]);
        stamp
    }

    /// Saves the state of the unit of `subspace`, in place of an earlier one, which stays until the
    /// new one is safe. Returns the bytes that it takes.
    pub fn save_scratch(
        &self,
        subspace: Subspace,
        head: [u8; SCRATCH_HEAD],
        streams: &[Codes<'_>],
    ) -> Result<u64, TableError> {
        let storage = self.storage();
        let name = Shelf::scratch_name(subspace);
        let partial = partial_name(&name);
        let mut index = Vec::new();
        for stream in streams {
            index.push(stream.width());
            index.extend((stream.len() as u64).to_le_bytes());
        }
        let mut stamp = self.scratch_stamp(subspace);
        let mut write = || {
            let mut sink = storage.create(&partial)?;
            sink.append(&[0; HEADER])?;
            let mut offset = HEADER as u64;
            let mut blocks = 0u32;
            for stream in streams {
                let (size, all) = (rayon::current_num_threads() * 2, stream.len().div_ceil(BLOCK));
                for start in (0..all).step_by(size) {
                    let numbers = (start..all.min(start + size)).into_par_iter();
                    let packed = numbers.map(|i| {
                        let part = stream.part(i * BLOCK, (i + 1) * BLOCK);
                        let packed = codec::encode_codes(part, LEVEL);
                        (xxh3_64(&packed.bytes), packed)
                    });
                    for (checksum, Encoded { kind, bytes }) in packed.collect::<Vec<_>>() {
                        index.extend(offset.to_le_bytes());
                        index.extend((bytes.len() as u32).to_le_bytes());
                        index.push(kind as u8);
                        index.extend(checksum.to_le_bytes());
                        offset += bytes.len() as u64;
                        blocks += 1;
                        sink.append(&bytes)?;
                    }
                }
            }
            sink.append(&index)?;
            stamp.extend(head);
            stamp.extend((streams.len() as u32).to_le_bytes());
            stamp.extend(blocks.to_le_bytes());
            stamp.extend(offset.to_le_bytes());
            stamp.extend(xxh3_64(&index).to_le_bytes());
            stamp.resize(HEADER - 8, 0);
            stamp.extend(xxh3_64(&stamp).to_le_bytes());
            sink.rewrite_start(&stamp)?;
            sink.sync()?;
            drop(sink);
            storage.rename(&partial, &name)?;
            storage.sync()?;
            Ok(offset + index.len() as u64)
        };
        write().map_err(|error| {
            let _ = storage.remove(&partial);
            TableError::io(storage.describe(Some(&name)), "save", error)
        })
    }

    /// The saved state of the unit of `subspace`, if there is one; the error says why it cannot be
    /// used.
    pub fn scratch(&self, subspace: Subspace) -> Result<Option<Scratch>, String> {
        let name = Shelf::scratch_name(subspace);
        let file = self.storage().describe(Some(&name));
        let bytes = match self.storage().open(&name) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            bytes => bytes.map_err(|error| format!("{file} cannot be opened: {error}"))?,
        };
        let opened = Scratch::open(file.clone(), bytes, &self.scratch_stamp(subspace));
        opened.map(Some).map_err(|what| format!("{file} {what}"))
    }

    /// Removes the saved state of the unit of `subspace`, if there is one.
    pub fn remove_scratch(&self, subspace: Subspace) {
        // What stays is removed when the shelf is tidied.
        let _ = self.storage().remove(&Shelf::scratch_name(subspace));
    }

    /// Whether a run that was stopped has left files that are of no more use, or has not recorded all
    /// that it finished.
    pub fn is_untidy(&self) -> bool {
        let files = self.storage().list().unwrap_or_default();
        files.iter().any(|(name, _)| is_partial(name) || self.is_spent(name))
            || self.is_unrecorded()
    }

    /// Whether `name` is that of a saved state that is of no more use, since its unit is finished.
    pub(super) fn is_spent(&self, name: &str) -> bool {
        let Some(subspace) = parse_state(name) else { return false };
        let finished = |subspace| self.is_finished(subspace).unwrap_or(false);
        let twin = quiet_turns(self.rules(), subspace);
        finished(subspace) && (!twin || finished(subspace.twin()))
    }
}

/// The `N` bytes from `at` on.
fn field<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes[at..at + N].try_into().expect("as many bytes as asked for")
}

impl Scratch {
    fn open(file: String, bytes: Box<dyn Bytes>, stamp: &[u8]) -> Result<Scratch, String> {
        let read = |offset: u64, length: usize| {
            let read = bytes.read(offset, length);
            read.map(|bytes| bytes.to_vec()).map_err(|error| format!("is cut short: {error}"))
        };
        let header = read(0, HEADER)?;
        if xxh3_64(&header[..HEADER - 8]).to_le_bytes() != field(&header, HEADER - 8) {
            return Err("is damaged: the checksum of its header is wrong".into());
        }
        if !header.starts_with(stamp) {
            return Err("was left by another build, or under other rules".into());
        }
        let at = stamp.len();
        let head = field(&header, at);
        let streams = u32::from_le_bytes(field(&header, at + 8)) as usize;
        let blocks = u32::from_le_bytes(field(&header, at + 12)) as usize;
        let offset = u64::from_le_bytes(field(&header, at + 16));
        let index = read(offset, streams * STREAM + blocks * PLACE)?;
        if xxh3_64(&index).to_le_bytes() != field(&header, at + 24) {
            return Err("is damaged: the checksum of its index is wrong".into());
        }
        let (streams, places) = index.split_at(streams * STREAM);
        let stream = |bytes: &[u8]| (bytes[0], u64::from_le_bytes(field(bytes, 1)));
        let place = |bytes: &[u8]| Place {
            offset: u64::from_le_bytes(field(bytes, 0)),
            length: u32::from_le_bytes(field(bytes, 8)),
            kind: bytes[12],
            checksum: u64::from_le_bytes(field(bytes, 13)),
        };
        let streams = streams.chunks_exact(STREAM).map(stream).collect();
        let places = places.chunks_exact(PLACE).map(place).collect();
        Ok(Scratch { file, bytes, head, streams, places })
    }

    /// Where it is, as messages name it.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The bytes that are the solver's own.
    pub fn head(&self) -> [u8; SCRATCH_HEAD] {
        self.head
    }

    /// Fills the streams; the error says why they cannot be had, and then what they hold is nothing.
    pub fn read(&self, streams: &mut [Filled<'_>]) -> Result<(), String> {
        let shape = |stream: &Filled<'_>| match stream {
            Filled::Narrow(codes) => (8, codes.len() as u64),
            Filled::Wide(codes) => (16, codes.len() as u64),
        };
        if !streams.iter().map(shape).eq(self.streams.iter().copied()) {
            return Err("holds other streams than this unit has".into());
        }
        let mut places = &self.places[..];
        for stream in streams {
            let blocks = (shape(stream).1 as usize).div_ceil(BLOCK);
            let (mine, rest) = places.split_at_checked(blocks).ok_or("holds too few blocks")?;
            places = rest;
            match stream {
                Filled::Narrow(codes) => self.fill(mine, codes, |bytes| bytes[0])?,
                Filled::Wide(codes) => {
                    self.fill(mine, codes, |bytes| u16::from_le_bytes([bytes[0], bytes[1]]))?;
                }
            }
        }
        Ok(())
    }

    fn fill<C: Copy + Send>(
        &self,
        places: &[Place],
        codes: &mut [C],
        code: impl Fn(&[u8]) -> C + Sync,
    ) -> Result<(), String> {
        let blocks = places.par_iter().zip(codes.par_chunks_mut(BLOCK));
        blocks.try_for_each(|(place, codes)| {
            let at = place.offset;
            let bytes = self.bytes.read(at, place.length as usize);
            let bytes = bytes.map_err(|error| format!("is cut short: {error}"))?;
            if xxh3_64(&bytes) != place.checksum {
                return Err(format!("is damaged: the checksum of the block at byte {at} is wrong"));
            }
            let length = size_of_val(codes);
            let odd = |found: usize| {
                format!("is damaged: the block at byte {at} has {found} bytes, expected {length}")
            };
            let packed = match BlockKind::from_number(CODEC, place.kind) {
                Some(BlockKind::Constant) if bytes.len() == size_of::<C>() => {
                    codes.fill(code(&bytes));
                    return Ok(());
                }
                Some(BlockKind::Raw) => bytes.to_vec(),
                Some(BlockKind::Zstd) => codec::decompress(&bytes, length)
                    .map_err(|what| format!("is damaged: the block at byte {at}: {what}"))?,
                _ => return Err(format!("is damaged: the block at byte {at} is of no known kind")),
            };
            if packed.len() != length {
                return Err(odd(packed.len()));
            }
            for (into, bytes) in codes.iter_mut().zip(packed.chunks_exact(size_of::<C>())) {
                *into = code(bytes);
            }
            Ok(())
        })
    }
}
