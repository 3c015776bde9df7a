//! The fixed parts of a table file, byte for byte: header, record of the block index, end mark.
//! `docs/FORMAT.md` is the specification; a test compares its field tables with the records here.
//!
//! A record is nothing but integers of fixed width and byte arrays, so its bytes are its packed
//! fields, little-endian, and need no knowledge of the crate that packs them. What is decoded here
//! is numbers that nobody has looked at; the room `header` does that.
//!
//! Beware: a field is never moved or given another meaning. What changes is the version.

use bincode::{Decode, Encode};

/// The first bytes of a table file. The high bit, both line ends and the end-of-file character make
/// a transfer in text mode show.
pub const MAGIC: [u8; 8] = *b"\x89MER\r\n\x1a\n";
/// The first bytes of the end mark.
pub const END_MAGIC: [u8; 8] = *b"MERELEND";
/// The version of the container that is written, and the only one that is read.
pub const VERSION: u16 = 1;
/// The codec of tables as they are generated: packed entries, as they are or as zstd frames.
pub const CODEC: u8 = 1;
/// The codec of values that are predicted from their neighbours, see `packed`.
pub const PREDICTED: u8 = 2;
/// The most entries that a block may have.
pub const MAX_BLOCK_ENTRIES: u32 = 1 << 24;

/// Bytes of a record with these fields.
pub(super) const fn total(fields: &[(&str, usize)]) -> usize {
    let (mut total, mut field) = (0, 0);
    while field < fields.len() {
        total += fields[field].1;
        field += 1;
    }
    total
}

/// Declares a record of fixed-width integers and byte arrays, and lists its fields.
macro_rules! record {
    ($(#[$doc:meta])* $name:ident { $($field:ident: $kind:ty),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
        pub(super) struct $name { $(pub $field: $kind),+ }

        impl $name {
            /// Names and sizes of the fields, in order, without gaps.
            pub const FIELDS: &'static [(&'static str, usize)] =
                &[$((stringify!($field), size_of::<$kind>())),+];
            /// Bytes of the record.
            pub const LENGTH: usize = crate::table::format::total(Self::FIELDS);

            /// The record as bytes.
            pub fn encode(&self) -> Vec<u8> {
                crate::table::format::encode(self, Self::LENGTH)
            }

            /// The record at the start of `bytes`; `None` where they are too few.
            pub fn decode(bytes: &[u8]) -> Option<$name> {
                crate::table::format::decode(bytes, Self::LENGTH)
            }
        }
    };
}
pub(super) use record;

record! {
    /// The header as it lies in the file, unchecked.
    RawHeader {
        magic: [u8; 8],
        version: u16,
        header_length: u16,
        scheme: u16,
        metric: u8,
        width: u8,
        codec: u8,
        reserved_1: [u8; 3],
        subspace: [u8; 4],
        board_fingerprint: u128,
        parameters: [u8; 8],
        board_name: [u8; 24],
        entries: u64,
        block_entries: u32,
        reserved_2: [u8; 4],
        blocks: u64,
        positions_won: u64,
        positions_drawn: u64,
        positions_lost: u64,
        boards_won: u64,
        boards_drawn: u64,
        boards_lost: u64,
        deepest_win: u16,
        deepest_loss: u16,
        reserved_3: [u8; 4],
        content_digest: u128,
        index_offset: u64,
        index_checksum: u64,
        file_length: u64,
        reserved_4: [u8; 56],
        header_checksum: u64,
    }
}

record! {
    /// Where a block lies, as it stands in the block index.
    RawPlace {
        offset: u64,
        length: u32,
        kind: u8,
        reserved: [u8; 3],
        checksum: u64,
    }
}

record! {
    /// The last bytes of a file.
    RawEnd {
        magic: [u8; 8],
        file_length: u64,
        header_checksum: u64,
    }
}

/// Where the blocks begin.
pub const HEADER_LENGTH: u64 = RawHeader::LENGTH as u64;
/// Bytes of one record of the block index.
pub const PLACE_LENGTH: u64 = RawPlace::LENGTH as u64;
/// Bytes of the end mark.
pub const END_LENGTH: u64 = RawEnd::LENGTH as u64;
/// What no depth is written as.
pub(super) const NO_DEPTH: u16 = 0xFFFF;
/// Where every version of the container says how long its header is.
pub(super) const LENGTH_OFFSET: usize = 10;
/// Mark, version, length and checksum: what the header of any version has at least.
pub(super) const LEAST_HEADER: usize = 20;
/// The most bytes that the header of any version can have.
pub(super) const MOST_HEADER: u64 = u16::MAX as u64;

const fn encoding() -> impl bincode::config::Config {
    bincode::config::standard().with_little_endian().with_fixed_int_encoding().with_limit::<4096>()
}

pub(super) fn encode<T: Encode>(record: &T, length: usize) -> Vec<u8> {
    let bytes = bincode::encode_to_vec(record, encoding());
    let bytes = bytes.expect("a record of fixed size is encoded in memory");
    debug_assert_eq!(bytes.len(), length);
    bytes
}

pub(super) fn decode<T: Decode<()>>(bytes: &[u8], length: usize) -> Option<T> {
    let bytes = bytes.get(..length)?;
    match bincode::decode_from_slice(bytes, encoding()) {
        Ok((record, used)) if used == length => Some(record),
        _ => None,
    }
}

/// A text of at most 24 bytes, filled with zeros; for people only.
pub(super) fn name_bytes(name: &str) -> [u8; 24] {
    let mut bytes = [0; 24];
    let fits = (0..=name.len().min(24)).rev().find(|end| name.is_char_boundary(*end));
    let name = &name.as_bytes()[..fits.unwrap_or(0)];
    bytes[..name.len()].copy_from_slice(name);
    bytes
}

/// The text of [`name_bytes`], whatever the bytes are.
pub(super) fn name_text(bytes: &[u8; 24]) -> String {
    let end = bytes.iter().rposition(|b| *b != 0).map_or(0, |last| last + 1);
    let text = String::from_utf8_lossy(&bytes[..end]);
    text.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}
