//! What was finished on a shelf: a list beside the tables, so that one that has gone is missed.
//!
//! The truth is always the file of the table itself. An inventory that is absent or damaged is made
//! anew from the headers of the files and never stands in the way of an answer.

use super::format::{name_bytes, record};
use super::{Header, Metric, TableError, rules_stamp};
use crate::board::MAX_POINTS;
use crate::rules::Rules;
use crate::space::Subspace;
use bincode::{Decode, Encode};
use std::collections::BTreeMap;
use xxhash_rust::xxh3::xxh3_64;

/// The name of the file, in the directory of the rule set.
pub const INVENTORY: &str = "inventory.merels";
/// Its first bytes.
pub const INVENTORY_MAGIC: [u8; 8] = *b"\x89MEI\r\n\x1a\n";
/// The most bytes of the file: room for more tables than any rule set has.
pub(super) const MOST_INVENTORY: u64 = 64 << 20;
/// Its version.
pub const INVENTORY_VERSION: u16 = 1;

record! {
    /// What stands before the records.
    RawInventory {
        magic: [u8; 8],
        version: u16,
        record_length: u16,
        reserved: [u8; 4],
        board_fingerprint: u128,
        parameters: [u8; 8],
        board_name: [u8; 24],
        records: u64,
    }
}

record! {
    /// One finished table.
    RawRecord {
        subspace: [u8; 4],
        metric: u8,
        reserved: [u8; 3],
        entries: u64,
        file_length: u64,
        content_digest: u128,
    }
}

/// One finished table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// How many entries it has.
    pub entries: u64,
    /// Bytes of its file.
    pub file_length: u64,
    /// The digest of its entries.
    pub digest: u128,
}

impl From<&Header> for Record {
    fn from(header: &Header) -> Record {
        Record { entries: header.entries, file_length: header.file_length, digest: header.digest }
    }
}

/// The finished tables of one rule set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inventory(pub BTreeMap<(Subspace, Metric), Record>);

impl Inventory {
    /// The bytes of the file.
    pub(super) fn encode(&self, rules: &Rules) -> Vec<u8> {
        let head = RawInventory {
            magic: INVENTORY_MAGIC,
            version: INVENTORY_VERSION,
            record_length: RawRecord::LENGTH as u16,
            reserved: [0; 4],
            board_fingerprint: rules.board.fingerprint(),
            parameters: rules.parameter_bytes(),
            board_name: name_bytes(rules.board.name()),
            records: self.0.len() as u64,
        };
        let mut bytes = head.encode();
        for ((s, metric), record) in &self.0 {
            let raw = RawRecord {
                subspace: [s.mover, s.opponent, s.mover_hand, s.opponent_hand],
                metric: *metric as u8,
                reserved: [0; 3],
                entries: record.entries,
                file_length: record.file_length,
                content_digest: record.digest,
            };
            bytes.extend_from_slice(&raw.encode());
        }
        bytes.extend_from_slice(&xxh3_64(&bytes).to_le_bytes());
        bytes
    }

    /// Reads the bytes of a file, which must be of these rules.
    pub(super) fn decode(bytes: &[u8], rules: &Rules, file: &str) -> Result<Self, TableError> {
        let damaged = |what: &str| TableError::damaged(file, what);
        let unknown = |what, found, known| {
            Err(TableError::Unknown { file: file.to_owned(), what, found, known })
        };
        if !bytes.starts_with(&INVENTORY_MAGIC) {
            return Err(damaged("it does not begin with the mark of an inventory"));
        }
        let Some((body, sum)) = bytes.split_last_chunk::<8>() else {
            return Err(damaged("it is cut short"));
        };
        if xxh3_64(body).to_le_bytes() != *sum {
            return Err(damaged("its checksum is wrong"));
        }
        let head = RawInventory::decode(body).ok_or_else(|| damaged("it is cut short"))?;
        if head.version != INVENTORY_VERSION {
            return unknown("inventory version", head.version.into(), "1");
        }
        rules_stamp::compare(
            file,
            rules,
            head.board_fingerprint,
            &head.board_name,
            &head.parameters,
        )?;
        let records = &body[RawInventory::LENGTH..];
        let length = head.records.checked_mul(RawRecord::LENGTH as u64);
        let plain = usize::from(head.record_length) == RawRecord::LENGTH && head.reserved == [0; 4];
        if !plain || length != Some(records.len() as u64) {
            return Err(damaged("its length is not that of its records"));
        }
        let mut inventory = Inventory::default();
        for raw in records.chunks_exact(RawRecord::LENGTH).filter_map(RawRecord::decode) {
            let Some(metric) = Metric::from_number(raw.metric) else {
                return unknown("metric", raw.metric.into(), "0 and 1");
            };
            if raw.reserved != [0; 3] || raw.subspace.iter().any(|n| usize::from(*n) > MAX_POINTS) {
                return Err(damaged("a record is not one of a subspace"));
            }
            let [mover, opponent, mover_hand, opponent_hand] = raw.subspace;
            let record = Record {
                entries: raw.entries,
                file_length: raw.file_length,
                digest: raw.content_digest,
            };
            let subspace = Subspace { mover, opponent, mover_hand, opponent_hand };
            inventory.0.insert((subspace, metric), record);
        }
        Ok(inventory)
    }
}
