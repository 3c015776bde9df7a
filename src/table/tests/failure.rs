//! The world fails while a table is written.

use super::*;

const UNIT: [&str; 2] = ["2-3+1-0", "3-2+0-1"];

fn write(shelf: &Shelf) -> Result<Written, TableError> {
    let names = UNIT.map(subspace);
    let codes: [Vec<u8>; 2] = names.map(|name| codes(shelf.entries(name)));
    let census = census();
    let solved = |place: usize| Solved {
        subspace: names[place],
        codes: Codes::Narrow(&codes[place]),
        census: &census,
    };
    shelf.write_all(&[solved(0), solved(1)])
}

fn digests(written: &Written) -> Vec<u128> {
    written.files.iter().map(|(_, header)| header.digest).collect()
}

#[test]
fn no_step_that_fails_leaves_a_half_table() {
    let (memory, undisturbed) = shelf("three", 64);
    let expected = write(&undisturbed).unwrap();
    let steps = memory.steps();
    assert!(steps > 20);
    for breakage in [Breakage::Once, Breakage::Stop] {
        for step in 0..steps {
            let (memory, shelf) = shelf("three", 64);
            memory.break_after(step, Some(breakage));
            let error = write(&shelf).expect_err("a step that fails");
            assert_eq!(error.kind(), ErrorKind::World, "{error}");
            memory.break_after(0, None);
            for (name, metric) in shelf.present().unwrap() {
                shelf.table(name, metric).unwrap().check().unwrap();
            }
            let left = memory.names().iter().any(|name| name.ends_with(".partial"));
            assert!(!left || breakage == Breakage::Stop, "step {step}: {:?}", memory.names());
            assert_eq!(digests(&write(&shelf).unwrap()), digests(&expected));
            let listing = shelf.list().unwrap();
            assert_eq!(listing.tables.len(), 4);
            assert!(listing.notes.is_empty(), "{:?}", listing.notes);
        }
    }
}

#[test]
fn tables_that_were_there_survive_a_failure() {
    let (memory, shelf) = shelf("three", 64);
    write(&shelf).unwrap();
    let before = memory.steps();
    let files = memory.names();
    for step in 0..before {
        memory.break_after(step, Some(Breakage::Once));
        write(&shelf).unwrap_err();
        memory.break_after(0, None);
        assert_eq!(memory.names(), files);
        for (name, metric) in shelf.present().unwrap() {
            shelf.table(name, metric).unwrap().check().unwrap();
        }
    }
}

#[test]
fn what_is_written_survives_a_cut_of_the_power() {
    let (memory, written) = shelf("three", 64);
    let expected = digests(&write(&written).unwrap());
    let state = codes::<u8>(1000);
    written.save_scratch(subspace("3-3"), [7; SCRATCH_HEAD], &[Codes::Narrow(&state)]).unwrap();
    let found = memory.after_power_cut(|_| false, Unsynced::Lost);
    assert_eq!(found.names(), memory.names());
    let shelf = Shelf::on(Arc::new(found), &rules("three"));
    let listing = shelf.list().unwrap();
    let digest = |listed: &Listed| match &listed.state {
        State::Whole(header) => header.digest,
        _ => panic!("{listed:?}"),
    };
    let mut found: Vec<u128> = listing.tables.iter().map(digest).collect();
    found.sort_unstable();
    let mut expected = expected;
    expected.sort_unstable();
    assert_eq!(found, expected);
    let saved = shelf.scratch(subspace("3-3")).unwrap().unwrap();
    let mut read = vec![0; 1000];
    saved.read(&mut [Filled::Narrow(&mut read)]).unwrap();
    assert_eq!((saved.head(), read), ([7; SCRATCH_HEAD], state));
}

#[test]
fn a_full_disk_says_what_to_do() {
    let (memory, shelf) = shelf("three", 64);
    memory.break_after(4, Some(Breakage::Once));
    let text = write(&shelf).unwrap_err().to_string();
    assert!(text.starts_with("cannot ") && text.contains("2-3+1-0."), "{text}");
    assert!(text.contains("free some space and run the same command again"), "{text}");
}

#[test]
fn an_entry_without_an_outcome_is_never_stored() {
    let (memory, shelf) = shelf("three", 64);
    let name = subspace("3-3");
    let mut codes: Vec<u8> = codes(shelf.entries(name));
    codes[77] = 0;
    codes[200] = 0;
    let error = shelf.write(name, Codes::Narrow(&codes), &census()).unwrap_err();
    assert!(matches!(error, TableError::Unsolved { entry: 77, .. }), "{error}");
    let error = shelf.write(name, Codes::Narrow(&codes[1..]), &census()).unwrap_err();
    assert!(matches!(error, TableError::Length { .. }), "{error}");
    assert!(memory.names().is_empty());
}
