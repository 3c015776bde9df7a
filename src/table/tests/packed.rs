//! Packed tables say what they said before, and notice whatever is done to them.

use super::*;
use crate::table::format::{HEADER_LENGTH, PLACE_LENGTH};
use crate::table::packed::{self, STRIP};
use crate::table::tests::forgery::{offset, seal};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use xxhash_rust::xxh3::xxh3_64;

/// A subspace whose table of values is large enough to be packed, and not much larger.
const NAME: &str = "4-3";
const FILE: &str = "4-3.wdl";

/// Nine with a table of it that has much sense and some noise.
fn filled() -> (Memory, Shelf) {
    static FILES: OnceLock<Memory> = OnceLock::new();
    let files = FILES.get_or_init(|| {
        let (memory, shelf) = shelf("nine", 65536);
        let index = shelf.space().index(subspace(NAME));
        let mut numbers = Numbers(31);
        let code = |entry: u64| {
            let position = index.arrangement(entry);
            let near = (position.opponent.bits() & 0x3_4d61).count_ones();
            match numbers.below(40) {
                0 => [3, 128, 251][numbers.below(3) as usize],
                _ => [128, 3, 251, 251][near as usize % 4],
            }
        };
        let codes: Vec<u8> = (0..shelf.entries(subspace(NAME))).map(code).collect();
        shelf.write(subspace(NAME), Codes::Narrow(&codes), &census()).unwrap();
        memory
    });
    let memory = Memory::new();
    files.names().iter().for_each(|name| memory.put(name, files.get(name).unwrap()));
    let shelf = Shelf::on(Arc::new(memory.clone()), &rules("nine"));
    (memory, shelf)
}

fn pack(shelf: &Shelf) -> Result<Option<Packing>, TableError> {
    shelf.pack(subspace(NAME), &shelf.lock()?, &|_| true)
}

fn values(shelf: &Shelf) -> Result<Vec<Stored>, TableError> {
    decode_all(&shelf.table(subspace(NAME), Metric::Wdl)?)
}

/// A packed table, its shelf, its bytes and what it says.
fn sample() -> (Memory, Shelf, Vec<u8>, Vec<Stored>) {
    let (memory, shelf) = filled();
    assert!(matches!(pack(&shelf), Ok(Some(Packing::Packed { .. }))));
    let bytes = memory.get(FILE).unwrap();
    let values = values(&shelf).unwrap();
    (memory, shelf, bytes, values)
}

#[test]
fn packing_changes_no_value() {
    let (memory, shelf) = filled();
    let (before, header) = (values(&shelf).unwrap(), header(&shelf));
    let length = memory.get(FILE).unwrap().len() as u64;
    let Ok(Some(Packing::Packed { before: old, after })) = pack(&shelf) else { panic!("packed") };
    assert_eq!((old, after), (length, memory.get(FILE).unwrap().len() as u64));
    assert!(after < old, "{after} of {old}");
    assert!(values(&shelf).unwrap() == before);
    let table = shelf.table(subspace(NAME), Metric::Wdl).unwrap();
    assert!(table.is_packed());
    table.check().unwrap();
    assert_eq!(table.header().digest, header.digest);
    assert_eq!(table.header().census, header.census);
    let cache = BlockCache::new(1 << 16);
    for (entry, value) in before.iter().enumerate().step_by(701) {
        assert_eq!(table.outcome(&cache, entry as u64).unwrap(), *value);
    }
    let listing = shelf.list().unwrap();
    assert!(
        listing.notes.is_empty()
            && listing.tables.iter().all(|table| { matches!(table.state, State::Whole(_)) })
    );
    assert_eq!(pack(&shelf).unwrap(), Some(Packing::Already(after)));
}

fn header(shelf: &Shelf) -> Header {
    shelf.table(subspace(NAME), Metric::Wdl).unwrap().header().clone()
}

/// Whatever the rules, the board and the values: what goes in comes out.
#[test]
fn any_values_of_any_game_come_back() {
    let mut numbers = Numbers(0x1234_5678_9ABC_DEF1);
    let games = [
        ("three", "3-3"),
        ("three", "0-0+3-3"),
        ("achi", "4-4"),
        ("six", "5-4"),
        ("six", "0-6+3-0"),
        ("nine", "3-4+2-1"),
        ("twelve", "3-3"),
        ("lasker", "3-2+4-5"),
    ];
    for (id, name) in games {
        let (_, shelf) = shelf(id, 65536);
        let (name, entries) = (subspace(name), shelf.entries(subspace(name)));
        let strips = entries.div_ceil(STRIP as u64);
        for noise in [0, 10, 100] {
            let value = |entry: u64, numbers: &mut Numbers| match numbers.below(100) < noise {
                true => numbers.below(3) as u8,
                false => (entry / 97 % 5 / 2) as u8,
            };
            let strip = |number: u64, numbers: &mut Numbers| {
                let first = number * STRIP as u64;
                let end = entries.min(first + STRIP as u64);
                (first, (first..end).map(|entry| value(entry, numbers)).collect::<Vec<u8>>())
            };
            let chosen: Vec<_> =
                packed::chosen(strips, 12).map(|n| strip(n, &mut numbers)).collect();
            let predictor = packed::train(shelf.shared.scene(name), &chosen);
            let section = packed::parameters_section(predictor.parameters()).unwrap();
            let parameters = packed::parameters_of(&section).unwrap();
            let reader = packed::Predictor::new(shelf.shared.scene(name), parameters);
            for (first, values) in chosen {
                let block = packed::encode_block(&predictor, first, &values);
                let strip = packed::strip_of(&block, 1, 0).unwrap();
                let decoded = packed::decode_strip(&reader, first, values.len(), strip);
                assert_eq!(decoded.as_deref(), Ok(&*values), "{id} {name} {first}");
            }
        }
    }
}

#[test]
fn no_changed_byte_of_a_packed_table_goes_unnoticed() {
    let (memory, shelf, bytes, values) = sample();
    let header = header(&shelf);
    let (index, mut numbers) = (header.index_offset as usize, Numbers(99));
    let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    let starts = (0..header.blocks as usize).map(|block| number(index + 24 * block));
    let starts: Vec<usize> = starts.collect();
    let strips = header.block_entries as usize / STRIP;
    for place in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[place] ^= 1 << numbers.below(8);
        memory.put(FILE, changed);
        let table = shelf.table(subspace(NAME), Metric::Wdl);
        let block = starts.iter().filter(|start| **start <= place).count();
        let noticed = table.and_then(|table| match block {
            1.. if place < index => table.block((block - 1) * strips).map(|_| ()),
            _ => table.check(),
        });
        let error = noticed.expect_err("a changed byte");
        assert_eq!(error.kind(), ErrorKind::Refused, "{error}");
        assert!(error.to_string().contains(FILE), "{error}");
        let Ok(table) = shelf.table(subspace(NAME), Metric::Wdl) else { continue };
        let number = numbers.below(table.blocks() as u64) as usize;
        if let Ok(block) = table.block(number) {
            let right = &values[number * STRIP..][..block.len()];
            assert!((0..block.len()).all(|at| block.stored(at) == right[at]), "byte {place}");
        }
    }
    for length in (0..bytes.len()).step_by(7) {
        memory.put(FILE, bytes[..length].to_vec());
        assert!(shelf.table(subspace(NAME), Metric::Wdl).is_err());
    }
}

/// Bytes that somebody made up, under checksums that fit: an error or values, nothing worse.
#[test]
fn made_up_strips_end_in_an_error_or_in_values() {
    let (memory, shelf, bytes, _) = sample();
    let header = header(&shelf);
    let index = header.index_offset as usize;
    let mut numbers = Numbers(4242);
    let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    let mut refused = 0;
    for round in 0..120 {
        let mut forged = bytes.clone();
        let block = numbers.below(header.blocks) as usize;
        let record = index + block * PLACE_LENGTH as usize;
        let (start, length) = (number(record), number(record + 8) & 0xFFFF_FFFF);
        let changes = if round % 4 == 0 { length } else { 1 + numbers.below(4) as usize };
        for _ in 0..changes {
            // The directory is the more delicate part.
            let within = if round % 2 == 0 { length } else { length.min(32) };
            forged[start + numbers.below(within as u64) as usize] ^= 1 + numbers.below(255) as u8;
        }
        let sum = xxh3_64(&forged[start..start + length]).to_le_bytes();
        forged[record + 16..record + 24].copy_from_slice(&sum);
        seal(&mut forged);
        memory.put(FILE, forged);
        let table = shelf.table(subspace(NAME), Metric::Wdl).unwrap();
        match catch_unwind(AssertUnwindSafe(|| decode_all(&table))).expect("no panic") {
            Ok(values) => assert!(values.len() as u64 == table.entries()),
            Err(error) => {
                refused += 1;
                assert!(error.to_string().contains(&format!("block {block} at byte ")), "{error}");
            }
        }
        assert!(table.check().is_err(), "the digest is not that of these values");
    }
    assert!(refused > 90, "{refused}");
}

#[test]
fn made_up_parameters_are_refused_or_give_values() {
    let (memory, shelf, bytes, right) = sample();
    let length = u32::from_le_bytes(bytes[256..260].try_into().unwrap()) as usize;
    let frame = HEADER_LENGTH as usize + 4;
    let put = |change: &dyn Fn(&mut Vec<u8>), reseal: bool| {
        let mut forged = bytes.clone();
        change(&mut forged);
        if reseal {
            let sum = xxh3_64(&forged[frame - 4..frame + length]).to_le_bytes();
            forged[frame + length..frame + length + 8].copy_from_slice(&sum);
        }
        seal(&mut forged);
        memory.put(FILE, forged);
        let table = shelf.table(subspace(NAME), Metric::Wdl)?;
        decode_all(&table)?;
        table.check()
    };
    put(&|_| (), true).unwrap();
    for length in [0, 1, 11, 1 << 16, u32::MAX - 300, u32::MAX] {
        let error = put(&|bytes| bytes[256..260].copy_from_slice(&length.to_le_bytes()), false);
        assert_eq!(error.unwrap_err().kind(), ErrorKind::Refused);
    }
    let mut numbers = Numbers(7);
    for _ in 0..60 {
        let (at, byte) = (frame + numbers.below(length as u64) as usize, numbers.next() as u8);
        // Where no entry asks for what was changed, the digest holds, and all values are right.
        match put(&|bytes| bytes[at] = byte, true) {
            Ok(()) => assert!(values(&shelf).unwrap() == right),
            Err(error) => assert_eq!(error.kind(), ErrorKind::Refused, "{error}"),
        }
    }
}

#[test]
fn only_tables_of_values_are_packed_and_in_whole_strips() {
    let (memory, shelf, bytes, _) = sample();
    let with = |file: &str, field: &str, number: u32| {
        let mut forged = memory.get(file).unwrap();
        let size = if field == "codec" { 1 } else { 4 };
        forged[offset(field)..][..size].copy_from_slice(&number.to_le_bytes()[..size]);
        seal(&mut forged);
        forged
    };
    memory.put("4-3.dtw", with("4-3.dtw", "codec", 2));
    let error = shelf.table(subspace(NAME), Metric::Dtw).unwrap_err();
    assert!(error.to_string().contains("codec 2"), "{error}");
    memory.put(FILE, with(FILE, "block_entries", 65535));
    let error = shelf.table(subspace(NAME), Metric::Wdl).unwrap_err();
    assert!(error.to_string().contains("a multiple of 4096"), "{error}");
    memory.put(FILE, bytes);
    memory.put(FILE, with(FILE, "codec", 1));
    assert!(values(&shelf).is_err());
}

#[test]
fn a_packing_that_stops_leaves_the_old_table() {
    let (memory, shelf) = filled();
    let old = memory.get(FILE).unwrap();
    let lock = shelf.lock().unwrap();
    assert_eq!(shelf.pack(subspace(NAME), &lock, &|_| false).unwrap(), None);
    drop(lock);
    assert_eq!(memory.get(FILE).unwrap(), old);
    assert!(!memory.names().iter().any(|name| name.ends_with(".partial")));
    let before = memory.steps();
    pack(&shelf).unwrap();
    let steps = memory.steps() - before;
    assert!(steps > 5);
    let packed = memory.get(FILE).unwrap();
    for breakage in [Breakage::Once, Breakage::Stop] {
        let stride = if breakage == Breakage::Once { 3 } else { 1 };
        for step in (0..steps).step_by(stride) {
            let (memory, shelf) = filled();
            memory.break_after(step, Some(breakage));
            let error = pack(&shelf).expect_err("a step that fails");
            assert_eq!(error.kind(), ErrorKind::World, "{error}");
            memory.break_after(0, None);
            let mut found = vec![memory.clone()];
            // And if the power was cut at the same moment.
            for kept in [false, true] {
                found.extend(
                    [Unsynced::Lost, Unsynced::Zeros].map(|u| memory.after_power_cut(|_| kept, u)),
                );
            }
            for memory in found {
                let now = memory.get(FILE).unwrap();
                assert!(now == old || now == packed, "step {step}");
            }
            shelf.table(subspace(NAME), Metric::Wdl).unwrap().check().unwrap();
            shelf.tidy(&shelf.lock().unwrap()).unwrap();
            pack(&shelf).unwrap();
            assert!(shelf.list().unwrap().notes.is_empty());
        }
    }
}

#[test]
fn a_damaged_table_is_never_packed() {
    let (memory, shelf) = filled();
    let mut bytes = memory.get(FILE).unwrap();
    bytes[700] ^= 4;
    memory.put(FILE, bytes.clone());
    let error = pack(&shelf).unwrap_err();
    assert!(matches!(error, TableError::Damaged { .. }), "{error}");
    assert_eq!(memory.get(FILE).unwrap(), bytes);
}

#[test]
fn parameters_count_even_where_no_entry_needs_them() {
    let (memory, shelf, bytes, _) = sample();
    let table = shelf.table(subspace(NAME), Metric::Wdl).unwrap();
    let length = u32::from_le_bytes(bytes[256..260].try_into().unwrap()) as u64;
    assert_eq!(packed::parameters_end(&bytes[256..260]), HEADER_LENGTH + 4 + length + 8);
    let mut changed = bytes.clone();
    changed[HEADER_LENGTH as usize + 4 + length as usize] ^= 1;
    memory.put(FILE, changed);
    let error = shelf.table(subspace(NAME), Metric::Wdl).unwrap().check().unwrap_err();
    assert!(error.to_string().contains("its parameters: their checksum is"), "{error}");
    drop(table);
}
