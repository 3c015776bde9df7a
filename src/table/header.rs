//! The header of a table file, checked.
//!
//! What is read from a file is first a [`RawHeader`], numbers that nobody has looked at. Only
//! [`check`] makes a [`Header`] of it, in an order that lets each step rest on the ones before:
//! the mark, the checksum of the header, the version, every number on its own, the lengths
//! against the true length of the file (before any arithmetic or allocation uses them), and last
//! what the caller asked for.

use super::format::{
    CODEC, END_LENGTH, END_MAGIC, HEADER_LENGTH, LEAST_HEADER, LENGTH_OFFSET, MAGIC,
    MAX_BLOCK_ENTRIES, NO_DEPTH, PLACE_LENGTH, PREDICTED, RawEnd, RawHeader, VERSION, name_bytes,
    name_text,
};
use super::packed::STRIP;
use super::{Census, Metric, TableError, Tally, rules_stamp};
use crate::board::MAX_POINTS;
use crate::rules::Rules;
use crate::space::{SCHEME, Subspace};
use xxhash_rust::xxh3::xxh3_64;

/// What a file says about itself, every number checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The subspace.
    pub subspace: Subspace,
    /// What is stored of each entry.
    pub metric: Metric,
    /// Bits of a stored code: 8 or 16 for depths, 8 for packed values.
    pub width: u8,
    /// How blocks are packed: 1 as they were generated, 2 predicted from neighbours.
    pub codec: u8,
    /// The number of the index scheme.
    pub scheme: u16,
    /// How many entries there are.
    pub entries: u64,
    /// Entries of each block but the last, which may have fewer.
    pub block_entries: u32,
    /// How many blocks there are.
    pub blocks: u64,
    /// What was counted while the subspace was solved.
    pub census: Census,
    /// The digest over decoded values, see `docs/FORMAT.md`.
    pub digest: u128,
    /// Where the block index begins.
    pub index_offset: u64,
    /// The checksum of the block index.
    pub index_checksum: u64,
    /// Bytes of the file.
    pub file_length: u64,
    /// The fingerprint of the board.
    pub board_fingerprint: u128,
    /// The rule parameters other than the board.
    pub parameters: [u8; 8],
    /// What the board is called; for people only.
    pub board_name: String,
}

/// What a file must be to be the table asked for.
pub(super) struct Expected<'a> {
    pub file: &'a str,
    pub rules: &'a Rules,
    pub subspace: Subspace,
    pub metric: Metric,
    pub entries: u64,
}

impl Header {
    /// The bytes of the header and of the end mark that belongs to it.
    pub(super) fn encode(&self) -> (Vec<u8>, Vec<u8>) {
        let depth = |depth: Option<u16>| depth.unwrap_or(NO_DEPTH);
        let Census { positions, boards, deepest_win, deepest_loss } = self.census;
        let s = self.subspace;
        let raw = RawHeader {
            magic: MAGIC,
            version: VERSION,
            header_length: RawHeader::LENGTH as u16,
            scheme: self.scheme,
            metric: self.metric as u8,
            width: self.width,
            codec: self.codec,
            reserved_1: [0; 3],
            subspace: [s.mover, s.opponent, s.mover_hand, s.opponent_hand],
            board_fingerprint: self.board_fingerprint,
            parameters: self.parameters,
            board_name: name_bytes(&self.board_name),
            entries: self.entries,
            block_entries: self.block_entries,
            reserved_2: [0; 4],
            blocks: self.blocks,
            positions_won: positions.wins,
            positions_drawn: positions.draws,
            positions_lost: positions.losses,
            boards_won: boards.wins,
            boards_drawn: boards.draws,
            boards_lost: boards.losses,
            deepest_win: depth(deepest_win),
            deepest_loss: depth(deepest_loss),
            reserved_3: [0; 4],
            content_digest: self.digest,
            index_offset: self.index_offset,
            index_checksum: self.index_checksum,
            file_length: self.file_length,
            reserved_4: [0; 56],
            header_checksum: 0,
        };
        let mut bytes = raw.encode();
        let body = bytes.len() - 8;
        let header_checksum = xxh3_64(&bytes[..body]);
        bytes[body..].copy_from_slice(&header_checksum.to_le_bytes());
        let end = RawEnd { magic: END_MAGIC, file_length: self.file_length, header_checksum };
        (bytes, end.encode())
    }

    /// How many entries block `number` has.
    pub fn entries_of(&self, number: u64) -> usize {
        let size = u64::from(self.block_entries);
        self.entries.saturating_sub(number.saturating_mul(size)).min(size) as usize
    }

    /// The bytes of so many entries packed but not compressed.
    pub(super) fn packed_length(&self, entries: usize) -> usize {
        match self.metric {
            Metric::Wdl => entries.div_ceil(super::codec::VALUES_A_BYTE),
            Metric::Dtw => entries * usize::from(self.width / 8),
        }
    }
}

/// Checks the first and last bytes of a file: `head` are up to [`MOST_HEADER`](super::format::MOST_HEADER) bytes from its
/// start, `tail` up to [`END_LENGTH`] from its end, `length` is its true length.
pub(super) fn check(
    head: &[u8],
    tail: &[u8],
    length: u64,
    expected: &Expected<'_>,
) -> Result<Header, TableError> {
    let damaged = |what: String| TableError::damaged(expected.file, what);
    let raw = check_mark(head, length, expected.file)?;
    check_numbers(&raw, expected.file)?;
    if raw.file_length != length {
        let what = if length < raw.file_length { "it is cut short" } else { "bytes were added" };
        return Err(damaged(format!(
            "{what}: it should have {} bytes and has {length}",
            raw.file_length
        )));
    }
    check_extent(&raw, length).map_err(damaged)?;
    let end =
        RawEnd { magic: END_MAGIC, file_length: length, header_checksum: raw.header_checksum };
    if tail.len() != RawEnd::LENGTH || RawEnd::decode(tail) != Some(end) {
        return Err(damaged("the end mark is not the one that belongs to the header".into()));
    }
    rules_stamp::compare(
        expected.file,
        expected.rules,
        raw.board_fingerprint,
        &raw.board_name,
        &raw.parameters,
    )?;
    let header = raw.into_header();
    if (header.subspace, header.metric) != (expected.subspace, expected.metric) {
        return Err(TableError::Misnamed {
            file: expected.file.to_owned(),
            expected: format!("{}.{}", expected.subspace, expected.metric),
            found: format!("{}.{}", header.subspace, header.metric),
        });
    }
    if header.entries != expected.entries {
        return Err(damaged(format!(
            "it has {} entries, {} has {}",
            header.entries, header.subspace, expected.entries
        )));
    }
    Ok(header)
}

/// The mark, the checksum and the version: after this the bytes are those that were written.
fn check_mark(head: &[u8], length: u64, file: &str) -> Result<RawHeader, TableError> {
    let damaged = |what: String| TableError::damaged(file, what);
    if !head.starts_with(&MAGIC) {
        return Err(damaged(match length {
            0 => "it is empty".into(),
            _ => "it does not begin with the mark of a table file".into(),
        }));
    }
    let said = match head.get(LENGTH_OFFSET..LENGTH_OFFSET + 2) {
        Some(bytes) => usize::from(u16::from_le_bytes([bytes[0], bytes[1]])),
        None => return Err(damaged(format!("its {length} bytes are too few for a header"))),
    };
    if said > head.len() || said < LEAST_HEADER {
        let what = format!("its header should have {said} bytes, the file has {length}");
        return Err(damaged(what));
    }
    let (body, sum) = head[..said].split_at(said - 8);
    if xxh3_64(body).to_le_bytes() != sum {
        return Err(damaged(format!("the checksum of its header ({said} bytes) is wrong")));
    }
    let version = u16::from_le_bytes([head[8], head[9]]);
    if version != VERSION {
        return Err(unknown(file, "format version", version.into(), "1"));
    }
    match RawHeader::decode(head) {
        Some(raw) if said == RawHeader::LENGTH => Ok(raw),
        _ => Err(damaged(format!("its header has {said} bytes, expected {HEADER_LENGTH}"))),
    }
}

/// Numbers that must be known, and bytes that must be zero.
fn check_numbers(raw: &RawHeader, file: &str) -> Result<(), TableError> {
    if raw.scheme != SCHEME {
        return Err(unknown(file, "index scheme", raw.scheme.into(), "1"));
    }
    let Some(metric) = Metric::from_number(raw.metric) else {
        return Err(unknown(file, "metric", raw.metric.into(), "0 and 1"));
    };
    match (metric, raw.width) {
        (Metric::Wdl, 8) | (Metric::Dtw, 8 | 16) => {}
        (Metric::Wdl, width) => return Err(unknown(file, "width", width.into(), "8")),
        (Metric::Dtw, width) => return Err(unknown(file, "width", width.into(), "8 and 16")),
    }
    match (raw.codec, metric) {
        (CODEC, _) | (PREDICTED, Metric::Wdl) => {}
        (codec, Metric::Wdl) => return Err(unknown(file, "codec", codec.into(), "1 and 2")),
        (codec, Metric::Dtw) => return Err(unknown(file, "codec", codec.into(), "1")),
    }
    if raw.subspace.iter().any(|stones| usize::from(*stones) > MAX_POINTS) {
        let what = format!("its subspace has stones {:?}", raw.subspace);
        return Err(TableError::damaged(file, what));
    }
    let reserved = [&raw.reserved_1[..], &raw.reserved_2, &raw.reserved_3, &raw.reserved_4];
    match reserved.into_iter().flatten().find(|byte| **byte != 0) {
        Some(byte) => Err(unknown(file, "a reserved byte", (*byte).into(), "0")),
        None => Ok(()),
    }
}

/// Whether header, blocks, index and end mark fill the file exactly.
fn check_extent(raw: &RawHeader, length: u64) -> Result<(), String> {
    if raw.entries == 0 {
        return Err("it has no entries".into());
    }
    if !(1..=MAX_BLOCK_ENTRIES).contains(&raw.block_entries) {
        return Err(format!(
            "its blocks have {} entries, expected 1 to {MAX_BLOCK_ENTRIES}",
            raw.block_entries
        ));
    }
    if raw.codec == PREDICTED && !(raw.block_entries as usize).is_multiple_of(STRIP) {
        let found = raw.block_entries;
        return Err(format!("its blocks have {found} entries, expected a multiple of {STRIP}"));
    }
    let blocks = raw.entries.div_ceil(raw.block_entries.into());
    if raw.blocks != blocks {
        return Err(format!("it has {} blocks, its entries make {blocks}", raw.blocks));
    }
    let end = (raw.blocks.checked_mul(PLACE_LENGTH))
        .and_then(|bytes| bytes.checked_add(raw.index_offset))
        .and_then(|bytes| bytes.checked_add(END_LENGTH));
    if raw.index_offset < HEADER_LENGTH || end != Some(length) {
        return Err(format!(
            "a block index of {} records at {} does not end where the end mark of {length} bytes begins",
            raw.blocks, raw.index_offset
        ));
    }
    Ok(())
}

fn unknown(file: &str, what: &'static str, found: u64, known: &'static str) -> TableError {
    TableError::Unknown { file: file.to_owned(), what, found, known }
}

impl RawHeader {
    /// The header of numbers that have been checked.
    fn into_header(self) -> Header {
        let [mover, opponent, mover_hand, opponent_hand] = self.subspace;
        let depth = |depth: u16| (depth != NO_DEPTH).then_some(depth);
        Header {
            subspace: Subspace { mover, opponent, mover_hand, opponent_hand },
            metric: Metric::from_number(self.metric).expect("checked before"),
            width: self.width,
            codec: self.codec,
            scheme: self.scheme,
            entries: self.entries,
            block_entries: self.block_entries,
            blocks: self.blocks,
            census: Census {
                positions: Tally {
                    wins: self.positions_won,
                    draws: self.positions_drawn,
                    losses: self.positions_lost,
                },
                boards: Tally {
                    wins: self.boards_won,
                    draws: self.boards_drawn,
                    losses: self.boards_lost,
                },
                deepest_win: depth(self.deepest_win),
                deepest_loss: depth(self.deepest_loss),
            },
            digest: self.content_digest,
            index_offset: self.index_offset,
            index_checksum: self.index_checksum,
            file_length: self.file_length,
            board_fingerprint: self.board_fingerprint,
            parameters: self.parameters,
            board_name: name_text(&self.board_name),
        }
    }
}
