//! Bytes that are not those that were written are noticed, each of them.

use super::*;

/// A small table file of every kind of block, its name, and what it holds.
fn sample(metric: Metric) -> (Memory, Shelf, String, Vec<u8>, Vec<Stored>) {
    let (memory, shelf) = shelf("three", 64);
    let subspace = subspace("3-3");
    let codes: Vec<u8> = codes(shelf.entries(subspace));
    shelf.write(subspace, Codes::Narrow(&codes), &census()).unwrap();
    let name = Shelf::file_name(subspace, metric);
    let bytes = memory.get(&name).unwrap();
    let stored = decode_all(&shelf.table(subspace, metric).unwrap()).unwrap();
    (memory, shelf, name, bytes, stored)
}

fn check(shelf: &Shelf, metric: Metric) -> Result<(), TableError> {
    shelf.table(subspace("3-3"), metric)?.check()
}

#[test]
fn no_changed_byte_goes_unnoticed() {
    for metric in Metric::ALL {
        let (memory, shelf, name, bytes, stored) = sample(metric);
        for place in 0..bytes.len() {
            for change in (0..8).map(|bit| 1 << bit).chain([0xFF]) {
                let mut changed = bytes.clone();
                changed[place] ^= change;
                memory.put(&name, changed);
                let error = check(&shelf, metric).expect_err("a changed byte");
                assert_eq!(error.kind(), ErrorKind::Refused, "{error}");
                assert!(error.to_string().contains(&name), "{error}");
                let answers = shelf.table(subspace("3-3"), metric).map(|table| decode_all(&table));
                if let Ok(Ok(answers)) = answers {
                    assert_eq!(answers, stored, "byte {place}");
                }
            }
        }
    }
}

#[test]
fn no_cut_or_lengthened_file_is_opened() {
    for metric in Metric::ALL {
        let (memory, shelf, name, bytes, _) = sample(metric);
        for length in 0..bytes.len() {
            memory.put(&name, bytes[..length].to_vec());
            let error = shelf.table(subspace("3-3"), metric).expect_err("a short file");
            assert!(matches!(error, TableError::Damaged { .. }), "{length}: {error}");
        }
        for more in [1, 7, 24, 256, 100_000] {
            let mut longer = bytes.clone();
            longer.resize(bytes.len() + more, 0);
            memory.put(&name, longer);
            let error = shelf.table(subspace("3-3"), metric).expect_err("a long file");
            assert!(error.to_string().contains("bytes were added"), "{error}");
        }
        let twice = [bytes.clone(), bytes.clone()].concat();
        memory.put(&name, twice);
        assert!(shelf.table(subspace("3-3"), metric).is_err());
    }
}

#[test]
fn damage_names_file_and_block() {
    let (memory, shelf, name, mut bytes, _) = sample(Metric::Dtw);
    let header = shelf.table(subspace("3-3"), Metric::Dtw).unwrap().header().clone();
    bytes[header.index_offset as usize - 1] ^= 1;
    memory.put(&name, bytes);
    let error = check(&shelf, Metric::Dtw).unwrap_err().to_string();
    let last = header.blocks - 1;
    assert!(error.starts_with(&format!("3-3.dtw is damaged: block {last} at byte ")), "{error}");
}

#[test]
fn swapped_blocks_are_noticed() {
    let (memory, shelf) = shelf("six", 1024);
    let subspace = subspace("3-3");
    let codes: Vec<u8> = codes(shelf.entries(subspace));
    shelf.write(subspace, Codes::Narrow(&codes), &census()).unwrap();
    let mut bytes = memory.get("3-3.dtw").unwrap();
    let header = shelf.table(subspace, Metric::Dtw).unwrap().header().clone();
    // The last stretch is noise, so these two are raw blocks of 1024 bytes.
    let end = header.index_offset as usize - header.entries_of(header.blocks - 1);
    let (one, two) = bytes[end - 2048..end].split_at_mut(1024);
    assert_ne!(one, two);
    one.swap_with_slice(two);
    memory.put("3-3.dtw", bytes);
    let table = shelf.table(subspace, Metric::Dtw).unwrap();
    let blocks = table.blocks();
    assert!(table.block(blocks - 2).is_err() && table.block(blocks - 3).is_err());
    assert!(table.block(blocks - 4).is_ok(), "other blocks still answer");
    assert!(table.check().is_err());
}

#[test]
fn files_swapped_between_subspaces_are_named() {
    let (memory, shelf) = shelf("three", 64);
    for name in ["2-3+1-0", "3-3"].map(subspace) {
        let codes: Vec<u8> = codes(shelf.entries(name));
        shelf.write(name, Codes::Narrow(&codes), &census()).unwrap();
    }
    memory.put("2-3+1-0.wdl", memory.get("3-3.wdl").unwrap());
    let error = shelf.table(subspace("2-3+1-0"), Metric::Wdl).unwrap_err();
    assert!(matches!(error, TableError::Misnamed { .. }));
    let text = error.to_string();
    assert!(text.contains("2-3+1-0.wdl holds 3-3.wdl where"), "{text}");
    memory.put("3-3.wdl", memory.get("3-3.dtw").unwrap());
    let error = shelf.table(subspace("3-3"), Metric::Wdl).unwrap_err();
    assert!(matches!(error, TableError::Misnamed { .. }), "{error}");
}

#[test]
fn tables_of_other_rules_are_refused_by_the_parameter_that_differs() {
    let found = |made: &Rules, asked: &Rules| {
        let memory = Memory::new();
        let shelf = Shelf::on(Arc::new(memory.clone()), made);
        let name = subspace("3-3");
        let codes: Vec<u8> = codes(shelf.entries(name));
        shelf.write(name, Codes::Narrow(&codes), &census()).unwrap();
        match Shelf::on(Arc::new(memory), asked).find(name).unwrap_err() {
            TableError::OtherRules { parameter, expected, found, .. } => {
                (parameter, expected, found)
            }
            error => panic!("{error}"),
        }
    };
    let six = rules("six");
    let named = |name: &str, here: &str, there: &str| (name.into(), here.into(), there.into());
    let men = Rules { men: [5, 6], ..six.clone() };
    assert_eq!(found(&men, &six), named("men", "6", "5,6"));
    let flying = Rules { flying: crate::rules::Flying::AtThree, ..six.clone() };
    assert_eq!(found(&flying, &six), named("flying", "never", "at-three"));
    let full = Rules { full_board: crate::rules::FullBoard::Draw, ..six.clone() };
    assert_eq!(found(&six, &full), named("full-board", "draw", "loss"));
    let (parameter, here, there) = found(&rules("nine"), &six);
    assert_eq!(parameter, "board");
    assert!(here.starts_with("rings2 (") && there.starts_with("rings3 ("), "{here} {there}");
}

#[test]
fn foreign_files_are_refused() {
    let (memory, shelf, name, bytes, _) = sample(Metric::Dtw);
    let text_mode: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != b'\r').collect();
    let zeros = vec![0; 4096];
    for foreign in [b"board,value\n".to_vec(), zeros, text_mode, b"\x89MER\r\n\x1a\n".to_vec()] {
        memory.put(&name, foreign);
        let error = shelf.find(subspace("3-3")).unwrap_err();
        assert!(matches!(error, TableError::Damaged { .. }), "{error}");
    }
}
