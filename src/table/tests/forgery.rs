//! Files whose checksums hold and whose numbers do not: what a newer version might write, and what
//! somebody might make up. None may panic, wait, or make a reader allocate what a number says.

use super::*;
use crate::table::format::{END_LENGTH, HEADER_LENGTH, PLACE_LENGTH, RawHeader};
use xxhash_rust::xxh3::xxh3_64;

const NAME: &str = "3-3.dtw";

fn sample() -> (Memory, Shelf, Vec<u8>) {
    let (memory, shelf) = shelf("three", 64);
    let codes: Vec<u8> = codes(shelf.entries(subspace("3-3")));
    shelf.write(subspace("3-3"), Codes::Narrow(&codes), &census()).unwrap();
    let bytes = memory.get(NAME).unwrap();
    (memory, shelf, bytes)
}

/// Where a field of the header lies.
pub(super) fn offset(field: &str) -> usize {
    let before = RawHeader::FIELDS.iter().take_while(|(name, _)| *name != field);
    before.map(|(_, size)| size).sum()
}

/// Makes the checksums of index and header, and the end mark, agree with the rest.
pub(super) fn seal(bytes: &mut [u8]) {
    let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    let (index, length) = (number(offset("index_offset")), number(offset("blocks")) as usize);
    let index = bytes.get(index as usize..).unwrap_or_default();
    if let Some(index) = index.get(..length.saturating_mul(PLACE_LENGTH as usize)) {
        let sum = xxh3_64(index).to_le_bytes();
        bytes[offset("index_checksum")..][..8].copy_from_slice(&sum);
    }
    let body = HEADER_LENGTH as usize - 8;
    let sum = xxh3_64(&bytes[..body]).to_le_bytes();
    bytes[body..body + 8].copy_from_slice(&sum);
    let end = bytes.len() - END_LENGTH as usize;
    let length = bytes[offset("file_length")..][..8].to_vec();
    bytes[end + 8..end + 16].copy_from_slice(&length);
    bytes[end + 16..].copy_from_slice(&sum);
}

/// What opening says when a field of the header is another number.
fn with_field(field: &str, number: u64) -> TableError {
    let (memory, shelf, mut bytes) = sample();
    let size = RawHeader::FIELDS.iter().find(|(name, _)| *name == field).unwrap().1;
    let size = size.min(8);
    bytes[offset(field)..][..size].copy_from_slice(&number.to_le_bytes()[..size]);
    seal(&mut bytes);
    memory.put(NAME, bytes);
    shelf.table(subspace("3-3"), Metric::Dtw).expect_err(field)
}

#[test]
fn what_is_not_known_is_refused_by_name() {
    let fields = [
        ("version", "format version"),
        ("scheme", "index scheme"),
        ("metric", "metric"),
        ("width", "width"),
        ("codec", "codec"),
        ("reserved_1", "a reserved byte"),
        ("reserved_2", "a reserved byte"),
        ("reserved_3", "a reserved byte"),
        ("reserved_4", "a reserved byte"),
    ];
    for (field, word) in fields {
        match with_field(field, 9) {
            TableError::Unknown { what, found: 9, .. } => assert_eq!(what, word),
            error => panic!("{field}: {error}"),
        }
    }
}

#[test]
fn impossible_numbers_are_refused_before_they_are_used() {
    for field in ["entries", "block_entries", "blocks", "index_offset", "file_length"] {
        for number in [0, 1, 2, 1 << 31, u64::from(u32::MAX), 1 << 60, 1 << 63, u64::MAX] {
            let error = with_field(field, number);
            assert_eq!(error.kind(), ErrorKind::Refused, "{field} {number}: {error}");
        }
    }
    for number in [0, 9, 19, 255, 257, 65535] {
        let error = with_field("header_length", number);
        assert!(matches!(error, TableError::Damaged { .. }), "{number}: {error}");
    }
    let error = with_field("subspace", 0xFFFF_FFFF);
    assert!(matches!(error, TableError::Damaged { .. }), "{error}");
    assert!(matches!(with_field("parameters", 0xFFFF), TableError::OtherRules { .. }));
}

#[test]
fn a_longer_header_of_a_newer_version_is_told_from_damage() {
    let (memory, shelf, mut bytes) = sample();
    bytes.resize(4096, 7);
    bytes[8..10].copy_from_slice(&2u16.to_le_bytes());
    bytes[10..12].copy_from_slice(&1024u16.to_le_bytes());
    let sum = xxh3_64(&bytes[..1016]).to_le_bytes();
    bytes[1016..1024].copy_from_slice(&sum);
    memory.put(NAME, bytes.clone());
    let error = shelf.find(subspace("3-3")).unwrap_err();
    assert!(matches!(error, TableError::Unknown { found: 2, .. }), "{error}");
    bytes[500] ^= 1;
    memory.put(NAME, bytes);
    let error = shelf.find(subspace("3-3")).unwrap_err();
    assert!(matches!(error, TableError::Damaged { .. }), "{error}");
}

#[test]
fn an_index_that_does_not_tile_the_file_is_refused() {
    let (memory, shelf, bytes) = sample();
    let table = shelf.find(subspace("3-3")).unwrap();
    let index = table.header().index_offset as usize;
    for field in [0, 8, 12, 13, 15] {
        for change in [1, 4, 0x80] {
            let mut forged = bytes.clone();
            forged[index + PLACE_LENGTH as usize + field] ^= change;
            seal(&mut forged);
            memory.put(NAME, forged);
            let table = shelf.find(subspace("3-3")).unwrap();
            let error = decode_all(&table).expect_err("a forged index");
            assert_eq!(error.kind(), ErrorKind::Refused, "{error}");
        }
    }
}

#[test]
fn other_values_under_the_old_digest_are_refused() {
    let (memory, shelf, bytes) = sample();
    let table = shelf.find(subspace("3-3")).unwrap();
    let index = table.header().index_offset as usize;
    let (first, second) = (index, index + PLACE_LENGTH as usize);
    let mut forged = bytes.clone();
    // The first block is constant: another code, with a checksum that fits.
    let block = HEADER_LENGTH as usize;
    forged[block] += 1;
    let sum = xxh3_64(&forged[block..block + 1]).to_le_bytes();
    forged[second - 8..second].copy_from_slice(&sum);
    seal(&mut forged);
    assert_eq!(forged[first + 12], 0);
    memory.put(NAME, forged);
    let table = shelf.find(subspace("3-3")).unwrap();
    assert!(decode_all(&table).is_ok());
    let error = table.check().unwrap_err().to_string();
    assert!(error.contains("the digest of its entries"), "{error}");
}

#[test]
fn made_up_files_never_panic() {
    let (memory, shelf, bytes) = sample();
    let mut numbers = Numbers(42);
    let edges = [0, 1, 2, 127, 128, 254, 255];
    for round in 0..20_000 {
        let mut forged = bytes.clone();
        for _ in 0..=numbers.below(4) {
            let place = match numbers.below(3) {
                0 => numbers.below(HEADER_LENGTH) as usize,
                _ => numbers.below(bytes.len() as u64) as usize,
            };
            forged[place] = edges[numbers.below(7) as usize];
        }
        if round % 4 != 0 {
            seal(&mut forged);
        }
        memory.put(NAME, forged);
        if let Ok(table) = shelf.table(subspace("3-3"), Metric::Dtw) {
            let _ = decode_all(&table);
            let _ = table.check();
        }
    }
}

#[test]
fn made_up_inventories_never_panic_nor_hide_tables() {
    let (memory, shelf, _) = sample();
    let bytes = memory.get(INVENTORY).unwrap();
    let mut numbers = Numbers(43);
    for _ in 0..5_000 {
        let mut forged = bytes.clone();
        let body = forged.len() - 8;
        forged[numbers.below(body as u64) as usize] = numbers.below(256) as u8;
        let sum = xxh3_64(&forged[..body]).to_le_bytes();
        forged[body..].copy_from_slice(&sum);
        memory.put(INVENTORY, forged);
        let listing = shelf.list().unwrap();
        let whole = listing.tables.iter().filter(|t| matches!(t.state, State::Whole(_))).count();
        assert_eq!(whole, 2);
    }
}
