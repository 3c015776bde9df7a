//! What is written is read again.

use super::*;
use crate::table::codec::BlockKind;
use crate::table::format::RawPlace;
use std::collections::BTreeSet;

fn round_trip<C: Code>(id: &str, name: &str, block_entries: u32)
where
    for<'a> Codes<'a>: From<&'a [C]>,
{
    let (_, shelf) = shelf(id, block_entries);
    let subspace = subspace(name);
    let codes: Vec<C> = codes(shelf.entries(subspace));
    let written = shelf.write(subspace, codes.as_slice().into(), &census()).unwrap();
    assert_eq!(written.files.len(), 2);
    for (metric, (file, header)) in Metric::ALL.into_iter().zip(&written.files) {
        let table = shelf.table(subspace, metric).unwrap();
        assert_eq!((table.header(), table.file()), (header, file.as_str()));
        assert_eq!(header.census, census());
        assert_eq!(table.blocks() as u64, table.entries().div_ceil(block_entries.into()));
        table.check().unwrap();
        let stored = decode_all(&table).unwrap();
        assert_eq!(stored.len(), codes.len());
        for (code, stored) in codes.iter().zip(stored) {
            let outcome = code.decode().unwrap();
            let expected = match metric {
                Metric::Dtw => Stored::from(outcome),
                Metric::Wdl => Stored::from(outcome.value()),
            };
            assert_eq!(stored, expected);
        }
    }
}

#[test]
fn narrow_and_wide_codes_in_blocks_of_odd_sizes() {
    for block_entries in [1, 3, 5, 64, 333, 65536, MAX_BLOCK_ENTRIES] {
        round_trip::<u8>("three", "3-3", block_entries);
        round_trip::<u16>("three", "3-3", block_entries);
        round_trip::<u16>("three", "0-0+3-3", block_entries);
    }
    round_trip::<u8>("six", "4-4", 65536);
}

#[test]
fn every_kind_of_block_is_made() {
    let (memory, shelf) = shelf("six", 1024);
    let subspace = subspace("3-3");
    let codes: Vec<u8> = codes(shelf.entries(subspace));
    let written = shelf.write(subspace, Codes::Narrow(&codes), &census()).unwrap();
    for (name, header) in written.files {
        let bytes = memory.get(&name).unwrap();
        let places = bytes[header.index_offset as usize..].chunks(RawPlace::LENGTH);
        let kinds: BTreeSet<u8> = (places.take(header.blocks as usize))
            .map(|place| RawPlace::decode(place).unwrap().kind)
            .collect();
        let raw = BlockKind::Raw as u8;
        assert!(kinds.contains(&0) && kinds.contains(&2), "{kinds:?}");
        assert!(kinds.contains(&raw) || header.metric == Metric::Wdl, "{kinds:?}");
    }
}

#[test]
fn digests_depend_on_values_alone() {
    let name = subspace("4-4");
    let mut seen = BTreeSet::new();
    for (block_entries, threads) in [(7, 2), (65536, 1), (65536, 3), (65535, 2), (100_000, 2)] {
        let (_, shelf) = shelf("six", block_entries);
        let entries = shelf.entries(name);
        assert!(entries > 65536);
        let narrow: Vec<u8> = codes(entries);
        let wide: Vec<u16> = codes(entries);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for codes in [Codes::Narrow(&narrow), Codes::Wide(&wide)] {
            let written = pool.install(|| shelf.write(name, codes, &census())).unwrap();
            seen.insert([written.files[0].1.digest, written.files[1].1.digest]);
            pool.install(|| shelf.table(name, Metric::Dtw).unwrap().check()).unwrap();
            pool.install(|| shelf.table(name, Metric::Wdl).unwrap().check()).unwrap();
        }
    }
    assert_eq!(seen.len(), 1);
}

#[test]
fn digests_tell_neighbouring_depths_apart() {
    let (_, shelf) = shelf("three", 64);
    let name = subspace("3-3");
    let mut codes: Vec<u8> = codes(shelf.entries(name));
    let digests = |codes: &[u8]| {
        let written = shelf.write(name, Codes::Narrow(codes), &census()).unwrap();
        [written.files[0].1.digest, written.files[1].1.digest]
    };
    let before = digests(&codes);
    codes[0] += 1;
    let after = digests(&codes);
    assert_eq!(before[0], after[0], "the value is the same");
    assert_ne!(before[1], after[1]);
}

#[test]
fn the_same_codes_make_the_same_bytes() {
    let name = subspace("4-4");
    let bytes = |threads| {
        let (memory, shelf) = shelf("six", 1000);
        let codes: Vec<u8> = codes(shelf.entries(name));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| shelf.write(name, Codes::Narrow(&codes), &census())).unwrap();
        memory.names().into_iter().map(|name| memory.get(&name)).collect::<Vec<_>>()
    };
    assert_eq!(bytes(1), bytes(2));
}

#[test]
fn a_cache_answers_as_the_table_does_and_keeps_its_bound() {
    let (_, shelf) = shelf("six", 1024);
    let name = subspace("4-4");
    let codes: Vec<u8> = codes(shelf.entries(name));
    shelf.write(name, Codes::Narrow(&codes), &census()).unwrap();
    let cache = BlockCache::new(20_000);
    let mut numbers = Numbers(1);
    for metric in Metric::ALL {
        let table = shelf.table(name, metric).unwrap();
        for _ in 0..5000 {
            let entry = numbers.below(table.entries());
            let outcome = codes[entry as usize].decode().unwrap();
            let stored = table.outcome(&cache, entry).unwrap();
            assert_eq!(stored.value, outcome.value());
            assert_eq!(stored.outcome, (metric == Metric::Dtw).then_some(outcome));
            assert!(cache.bytes() <= 20_000);
        }
    }
    assert!(cache.bytes() > 0);
}

#[test]
fn a_cache_that_holds_nothing_still_answers() {
    let (_, shelf) = shelf("three", 64);
    let name = subspace("3-3");
    let codes: Vec<u8> = codes(shelf.entries(name));
    shelf.write(name, Codes::Narrow(&codes), &census()).unwrap();
    let (table, cache) = (shelf.find(name).unwrap(), BlockCache::new(0));
    for entry in 0..table.entries() {
        table.outcome(&cache, entry).unwrap();
    }
}
