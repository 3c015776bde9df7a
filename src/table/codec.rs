//! Codec 1: how the entries of one block become bytes, and back.
//!
//! A block is first packed, a code as one or two bytes, values five a byte; the packed bytes are
//! stored as they are, or as one zstd frame where that is shorter, or, where all entries are equal,
//! as that entry alone. Each block stands on its own, so one look-up decodes one block.
//!
//! Beware: [`decode`] is handed whatever a file holds. It allocates what the checked header says
//! that the block has, never what the bytes say, and what it returns has been looked at byte by
//! byte: there is no code 0 and no value beyond a win in a decoded block.

use super::{Header, Metric, Stored};
use crate::value::{Code, Value};
use std::cell::RefCell;
use zstd::bulk::{Compressor, Decompressor};

/// How many values share a byte in a win/draw/loss plane.
pub const VALUES_A_BYTE: usize = 5;
/// The number of different bytes that five values make.
const PACKED_VALUES: usize = 243;

/// Decoded codes of consecutive entries, in the width that the subspace needs.
#[derive(Clone, Copy, Debug)]
pub enum Codes<'a> {
    /// Codes of 8 bits.
    Narrow(&'a [u8]),
    /// Codes of 16 bits.
    Wide(&'a [u16]),
}

impl<'a> From<&'a [u8]> for Codes<'a> {
    fn from(codes: &'a [u8]) -> Codes<'a> {
        Codes::Narrow(codes)
    }
}

impl<'a> From<&'a [u16]> for Codes<'a> {
    fn from(codes: &'a [u16]) -> Codes<'a> {
        Codes::Wide(codes)
    }
}

impl<'a> Codes<'a> {
    /// How many entries there are.
    pub fn len(&self) -> usize {
        match self {
            Codes::Narrow(codes) => codes.len(),
            Codes::Wide(codes) => codes.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bits of a code.
    pub fn width(&self) -> u8 {
        match self {
            Codes::Narrow(_) => 8,
            Codes::Wide(_) => 16,
        }
    }

    /// The entries `start..end`, less what lies beyond the last.
    pub fn part(&self, start: usize, end: usize) -> Codes<'a> {
        let end = end.min(self.len());
        match self {
            Codes::Narrow(codes) => Codes::Narrow(&codes[start..end]),
            Codes::Wide(codes) => Codes::Wide(&codes[start..end]),
        }
    }

    /// The first entry without an outcome.
    pub fn unsolved(&self) -> Option<usize> {
        match self {
            Codes::Narrow(codes) => first_zero(codes),
            Codes::Wide(codes) => first_zero(codes),
        }
    }

    /// The value of each entry: 0 loss, 1 draw, 2 win.
    pub fn values(&self) -> Vec<u8> {
        match self {
            Codes::Narrow(codes) => values(codes),
            Codes::Wide(codes) => values(codes),
        }
    }
}

fn first_zero<C: Code>(codes: &[C]) -> Option<usize> {
    // The sum of comparisons is quicker than a search that may end anywhere.
    let zeros = codes.iter().filter(|code| **code == C::default()).count();
    (zeros > 0).then(|| codes.iter().position(|code| *code == C::default())).flatten()
}

fn values<C: Code>(codes: &[C]) -> Vec<u8> {
    codes.iter().map(|code| 2 - u8::from(*code >= C::DRAW) - u8::from(*code > C::DRAW)).collect()
}

/// The decoded entries of one block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// Codes of 8 bits ([`Code`]), none of them 0.
    Narrow(Box<[u8]>),
    /// Codes of 16 bits ([`Code`]), none of them 0.
    Wide(Box<[u16]>),
    /// Values: 0 loss, 1 draw, 2 win.
    Values(Box<[u8]>),
}

impl Block {
    /// How many entries there are.
    pub fn len(&self) -> usize {
        match self {
            Block::Narrow(entries) | Block::Values(entries) => entries.len(),
            Block::Wide(entries) => entries.len(),
        }
    }

    /// Whether there are none: never in a block of a table.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes that the entries take in memory.
    pub fn bytes(&self) -> usize {
        match self {
            Block::Narrow(entries) | Block::Values(entries) => entries.len(),
            Block::Wide(entries) => 2 * entries.len(),
        }
    }

    /// The entry at `place`, counted from the start of the block.
    #[inline]
    pub fn stored(&self, place: usize) -> Stored {
        const CHECKED: &str = "a decoded block holds no code 0";
        match self {
            Block::Narrow(codes) => codes[place].decode().expect(CHECKED).into(),
            Block::Wide(codes) => codes[place].decode().expect(CHECKED).into(),
            Block::Values(values) => match values[place] {
                0 => Value::Loss.into(),
                1 => Value::Draw.into(),
                _ => Value::Win.into(),
            },
        }
    }
}

/// How the bytes of a block are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum BlockKind {
    /// All entries are equal; the one code or value is stored.
    Constant = 0,
    /// The packed entries.
    Raw = 1,
    /// The packed entries as one zstd frame.
    Zstd = 2,
}

impl BlockKind {
    pub fn from_number(number: u8) -> Option<BlockKind> {
        let all = [BlockKind::Constant, BlockKind::Raw, BlockKind::Zstd];
        all.into_iter().find(|kind| *kind as u8 == number)
    }
}

/// A block as it goes into the file.
pub(super) struct Encoded {
    pub kind: BlockKind,
    pub bytes: Vec<u8>,
}

thread_local! {
    /// Contexts are worth more than the blocks that they compress.
    static COMPRESSOR: RefCell<Option<(i32, Compressor<'static>)>> = const { RefCell::new(None) };
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// A block of codes, for a plane of depths.
pub(super) fn encode_codes(codes: Codes<'_>, level: i32) -> Encoded {
    match codes {
        Codes::Narrow(codes) => encode(constant(codes).map(|c| vec![c]), || codes.to_vec(), level),
        Codes::Wide(codes) => {
            let bytes = || codes.iter().flat_map(|code| code.to_le_bytes()).collect();
            encode(constant(codes).map(|c| c.to_le_bytes().to_vec()), bytes, level)
        }
    }
}

/// A block of values, for a plane of win, draw and loss alone.
pub(super) fn encode_values(values: &[u8], level: i32) -> Encoded {
    encode(constant(values).map(|value| vec![value]), || pack(values), level)
}

fn constant<T: Copy + PartialEq>(entries: &[T]) -> Option<T> {
    let (first, rest) = entries.split_first()?;
    rest.iter().all(|entry| entry == first).then_some(*first)
}

fn encode(constant: Option<Vec<u8>>, pack: impl FnOnce() -> Vec<u8>, level: i32) -> Encoded {
    if let Some(bytes) = constant {
        return Encoded { kind: BlockKind::Constant, bytes };
    }
    let packed = pack();
    match compress(&packed, level) {
        Some(bytes) if bytes.len() < packed.len() => Encoded { kind: BlockKind::Zstd, bytes },
        _ => Encoded { kind: BlockKind::Raw, bytes: packed },
    }
}

/// One zstd frame; `None` where the compressor refuses, and the block is stored as it is.
fn compress(packed: &[u8], level: i32) -> Option<Vec<u8>> {
    COMPRESSOR.with_borrow_mut(|held| {
        if !matches!(held, Some((at, _)) if *at == level) {
            *held = Some((level, Compressor::new(level).ok()?));
        }
        held.as_mut()?.1.compress(packed).ok()
    })
}

/// The entries of block `number`. The error says what is wrong with the bytes.
pub(super) fn decode(
    header: &Header,
    number: u64,
    kind: BlockKind,
    bytes: &[u8],
) -> Result<Block, String> {
    let (entries, length) = (header.entries_of(number), header.packed_length(number));
    if kind == BlockKind::Constant {
        return repeat(header, bytes, entries);
    }
    let packed = match kind {
        BlockKind::Zstd => decompress(bytes, length)?,
        _ if bytes.len() == length => bytes.to_vec(),
        _ => return Err(format!("it has {} bytes, expected {length}", bytes.len())),
    };
    match (header.metric, header.width) {
        (Metric::Wdl, _) => unpack(&packed, entries).map(Block::Values),
        (Metric::Dtw, 8) => solved(packed).map(Block::Narrow),
        (Metric::Dtw, _) => {
            let pairs = packed.chunks_exact(2);
            solved(pairs.map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect())
                .map(Block::Wide)
        }
    }
}

fn repeat(header: &Header, bytes: &[u8], entries: usize) -> Result<Block, String> {
    match (header.metric, header.width, bytes) {
        (Metric::Wdl, _, [value @ 0..=2]) => Ok(Block::Values(vec![*value; entries].into())),
        (Metric::Dtw, 8, [code]) if *code != 0 => Ok(Block::Narrow(vec![*code; entries].into())),
        (Metric::Dtw, 16, [low, high]) if (*low, *high) != (0, 0) => {
            Ok(Block::Wide(vec![u16::from_le_bytes([*low, *high]); entries].into()))
        }
        _ => Err(format!("{bytes:02x?} is no single entry")),
    }
}

fn solved<C: Code>(codes: Vec<C>) -> Result<Box<[C]>, String> {
    match first_zero(&codes) {
        None => Ok(codes.into()),
        Some(place) => Err(format!("entry {place} of the block has code 0, which stands for none")),
    }
}

/// Exactly `length` bytes out of a zstd frame.
pub(super) fn decompress(bytes: &[u8], length: usize) -> Result<Vec<u8>, String> {
    let mut packed = Vec::with_capacity(length);
    DECOMPRESSOR.with_borrow_mut(|held| {
        let decompressor = match held {
            Some(decompressor) => decompressor,
            None => held.insert(Decompressor::new().map_err(|error| error.to_string())?),
        };
        // The vector is never grown: more than `length` bytes is an error of the decompressor.
        let used = decompressor.decompress_to_buffer(bytes, &mut packed);
        used.map_err(|error| format!("zstd cannot decode it: {error}"))
    })?;
    match packed.len() {
        found if found == length => Ok(packed),
        found => Err(format!("it decodes to {found} bytes, expected {length}")),
    }
}

/// Five values a byte, the first of them the least significant digit in base 3; digits that are
/// left over in the last byte are 0.
pub(super) fn pack(values: &[u8]) -> Vec<u8> {
    let byte = |five: &[u8]| five.iter().rev().fold(0, |all, value| 3 * all + value);
    values.chunks(VALUES_A_BYTE).map(byte).collect()
}

/// The five values of each byte.
static UNPACKED: [[u8; VALUES_A_BYTE]; PACKED_VALUES] = {
    let mut table = [[0; VALUES_A_BYTE]; PACKED_VALUES];
    let mut byte = 0;
    while byte < PACKED_VALUES {
        let (mut rest, mut place) = (byte, 0);
        while place < VALUES_A_BYTE {
            table[byte][place] = (rest % 3) as u8;
            rest /= 3;
            place += 1;
        }
        byte += 1;
    }
    table
};

fn unpack(packed: &[u8], entries: usize) -> Result<Box<[u8]>, String> {
    if let Some(place) = packed.iter().position(|byte| usize::from(*byte) >= PACKED_VALUES) {
        return Err(format!("byte {place} is {}, expected at most 242", packed[place]));
    }
    let mut values = vec![0; packed.len() * VALUES_A_BYTE];
    for (five, byte) in values.chunks_exact_mut(VALUES_A_BYTE).zip(packed) {
        five.copy_from_slice(&UNPACKED[usize::from(*byte)]);
    }
    if values[entries..].iter().any(|value| *value != 0) {
        return Err("its last byte has values beyond the last entry".into());
    }
    values.truncate(entries);
    Ok(values.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_values_share_a_byte() {
        assert_eq!(pack(&[2, 0, 1, 0, 0, 1, 2]), [11, 7]);
        for length in 0..=23 {
            let values: Vec<u8> = (0..length).map(|i| (i * i % 3) as u8).collect();
            assert_eq!(&*unpack(&pack(&values), length).unwrap(), values);
        }
    }

    #[test]
    fn impossible_bytes_are_refused() {
        assert!(unpack(&[243], 5).is_err());
        assert!(unpack(&[9], 2).is_err());
        assert!(unpack(&[8], 2).is_ok());
    }

    #[test]
    fn values_follow_codes() {
        let codes = [1u8, 127, 128, 129, 255];
        assert_eq!(Codes::Narrow(&codes).values(), [2, 2, 1, 0, 0]);
        for code in 1..=255u8 {
            let value = code.decode().unwrap().value();
            assert_eq!(Codes::Narrow(&[code]).values()[0], value as u8);
        }
        let wide = [1u16, 32767, 32768, 32769, 65535];
        assert_eq!(Codes::Wide(&wide).values(), [2, 2, 1, 0, 0]);
    }

    #[test]
    fn the_first_unsolved_entry_is_found() {
        assert_eq!(Codes::Narrow(&[1, 2, 0, 0]).unsolved(), Some(2));
        assert_eq!(Codes::Wide(&[1, 256]).unsolved(), None);
    }

    #[test]
    fn decompression_stops_at_the_expected_length() {
        let frame = compress(&[7; 5000], 3).unwrap();
        assert!(decompress(&frame, 4999).is_err());
        assert!(decompress(&frame, 5001).is_err());
        assert_eq!(decompress(&frame, 5000).unwrap(), [7; 5000]);
    }
}
