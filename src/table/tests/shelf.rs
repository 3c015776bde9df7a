//! Shelves: names, listings, inventories, locks, and real files.

use super::*;
use std::fs::{self, OpenOptions};
#[cfg(target_os = "linux")]
use std::{os::unix::fs::FileExt, thread};

fn fill(shelf: &Shelf, names: &[&str]) {
    let _lock = shelf.lock().unwrap();
    for name in names.iter().map(|name| subspace(name)) {
        let codes: Vec<u8> = codes(shelf.entries(name));
        shelf.write(name, Codes::Narrow(&codes), &census()).unwrap();
    }
}

/// Name and state of everything in a listing.
fn states(listing: &Listing) -> Vec<String> {
    let word = |listed: &Listed| {
        let state = match listed.state {
            State::Whole(_) => "whole",
            State::Unusable(_) => "unusable",
            State::Missing(_) => "missing",
        };
        format!("{}.{} {state}", listed.subspace, listed.metric)
    };
    listing.tables.iter().map(word).collect()
}

#[test]
fn directories_are_named_after_the_rules() {
    for variant in variants::all() {
        assert_eq!(Shelf::directory_name(&variant.rules), variant.id);
    }
    let other = Rules { men: [5, 6], ..rules("six") };
    let name = Shelf::directory_name(&other);
    assert!(format!("{:032x}", other.fingerprint()).starts_with(&name["rules-".len()..]));
    assert_eq!(name.len(), "rules-".len() + 16);
}

#[test]
fn a_listing_tells_whole_damaged_and_missing() {
    let (memory, shelf) = shelf("three", 64);
    assert!(states(&shelf.list().unwrap()).is_empty());
    fill(&shelf, &["2-3+1-0", "3-3", "3-2+0-1"]);
    let mut bytes = memory.get("3-2+0-1.dtw").unwrap();
    bytes.pop();
    memory.put("3-2+0-1.dtw", bytes);
    memory.remove("3-3.wdl").unwrap();
    memory.put("4-4.dtw.partial", vec![1, 2, 3]);
    let others = ["README.md", "03-3.wdl", "3-3.wdl.old", "lock", "99-99+99-99.wdl"];
    let partial = ["thesis.partial", "thesis.7.partial", "4-4.7.partial", "4-4.dtw.x.partial"];
    for other in others.into_iter().chain(partial) {
        memory.put(other, Vec::new());
    }
    let listing = shelf.list().unwrap();
    let expected = [
        "3-3.wdl missing",
        "3-3.dtw whole",
        "3-2+0-1.wdl whole",
        "3-2+0-1.dtw unusable",
        "2-3+1-0.wdl whole",
        "2-3+1-0.dtw whole",
    ];
    assert_eq!(states(&listing), expected);
    assert_eq!(listing.notes, ["4-4.dtw.partial was left by a run that was stopped"]);
    assert_eq!(shelf.tidy(&shelf.lock().unwrap()).unwrap(), ["4-4.dtw.partial"]);
    let listing = shelf.list().unwrap();
    assert_eq!((states(&listing).len(), listing.notes.len()), (6, 0));
}

#[test]
fn a_lost_or_damaged_inventory_is_no_obstacle() {
    let (memory, shelf) = shelf("three", 64);
    fill(&shelf, &["3-3"]);
    let inventory = memory.get(INVENTORY).unwrap();
    memory.remove(INVENTORY).unwrap();
    let listing = shelf.list().unwrap();
    assert_eq!(states(&listing), ["3-3.wdl whole", "3-3.dtw whole"]);
    assert!(listing.notes.is_empty());
    for place in 0..inventory.len() {
        let mut changed = inventory.clone();
        changed[place] ^= 0x10;
        memory.put(INVENTORY, changed);
        let listing = shelf.list().unwrap();
        assert_eq!(states(&listing), ["3-3.wdl whole", "3-3.dtw whole"]);
        assert!(listing.notes[0].contains(INVENTORY), "byte {place}: {:?}", listing.notes);
        memory.put(INVENTORY, inventory[..place].to_vec());
        assert_eq!(shelf.list().unwrap().notes.len(), 1, "{place} bytes");
    }
    fill(&shelf, &["2-3+1-0"]);
    let listing = shelf.list().unwrap();
    assert_eq!((listing.tables.len(), listing.notes.len()), (4, 0));
}

#[test]
fn a_missing_table_is_named_and_values_stand_in_for_depths() {
    let (memory, shelf) = shelf("three", 64);
    let name = subspace("3-3");
    let error = shelf.find(name).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Missing);
    assert!(error.to_string().starts_with("no table of 3-3 in memory"), "{error}");
    assert!(!shelf.is_finished(name).unwrap());
    fill(&shelf, &["3-3"]);
    assert!(shelf.is_finished(name).unwrap());
    assert_eq!(shelf.find(name).unwrap().header().metric, Metric::Dtw);
    memory.remove("3-3.dtw").unwrap();
    assert_eq!(shelf.find(name).unwrap().header().metric, Metric::Wdl);
    assert!(!shelf.is_finished(name).unwrap());
    memory.put("3-3.dtw", vec![1]);
    assert_eq!(shelf.find(name).unwrap_err().kind(), ErrorKind::Refused);
    assert!(shelf.is_finished(name).is_err());
}

#[test]
fn tables_of_several_rule_sets_lie_side_by_side() {
    let root = tempfile::tempdir().unwrap();
    let other = Rules { blocked: crate::rules::Blocked::Draw, ..rules("three") };
    for rules in [&rules("three"), &other] {
        fill(&Shelf::open(root.path(), rules).unwrap(), &["3-3"]);
    }
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 2);
    for rules in [&rules("three"), &other] {
        let shelf = Shelf::open(root.path(), rules).unwrap();
        let table = shelf.find(subspace("3-3")).unwrap();
        table.check().unwrap();
        assert_eq!(states(&shelf.list().unwrap()).len(), 2);
        let names = fs::read_dir(root.path().join(Shelf::directory_name(rules))).unwrap();
        assert_eq!(names.count(), 4, "two tables, the inventory, the lock and nothing else");
    }
}

#[test]
fn opening_makes_nothing() {
    let root = tempfile::tempdir().unwrap();
    let shelf = Shelf::open(&root.path().join("tables"), &rules("three")).unwrap();
    assert_eq!(shelf.find(subspace("3-3")).unwrap_err().kind(), ErrorKind::Missing);
    assert!(shelf.list().unwrap().tables.is_empty());
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
}

#[test]
fn a_file_where_a_directory_should_be_is_an_error_of_the_world() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("three"), "").unwrap();
    let error = Shelf::open(root.path(), &rules("three")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::World);
    assert!(error.to_string().contains("a file stands where a directory is needed"), "{error}");
    let error = Shelf::open(&root.path().join("three"), &rules("six")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::World);
}

#[test]
fn a_directory_where_a_table_should_be_is_an_error_of_the_world() {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir_all(root.path().join("three/3-3.dtw")).unwrap();
    let shelf = Shelf::open(root.path(), &rules("three")).unwrap();
    assert_eq!(shelf.find(subspace("3-3")).unwrap_err().kind(), ErrorKind::World);
    let codes: Vec<u8> = codes(shelf.entries(subspace("3-3")));
    let error = shelf.write(subspace("3-3"), Codes::Narrow(&codes), &census()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::World);
    assert!(error.to_string().contains("3-3.dtw."), "{error}");
}

#[test]
fn a_second_generator_is_refused_and_told_of_the_first() {
    let root = tempfile::tempdir().unwrap();
    let open = || Shelf::open(root.path(), &rules("three")).unwrap();
    let (first, second) = (open(), open());
    let lock = first.lock().unwrap();
    let error = second.lock().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::World);
    let holder = format!("process {}", std::process::id());
    assert!(error.to_string().contains(&holder), "{error}");
    drop(lock);
    second.lock().unwrap();
    let (_, memory) = shelf("three", 64);
    let lock = memory.lock().unwrap();
    assert!(matches!(memory.lock().unwrap_err(), TableError::Locked { .. }));
    drop(lock);
    memory.lock().unwrap();
}

#[test]
fn a_file_of_somebody_else_is_not_taken_for_the_lock() {
    let root = tempfile::tempdir().unwrap();
    let shelf = Shelf::open(root.path(), &rules("three")).unwrap();
    let file = root.path().join("three/lock");
    drop(shelf.lock().unwrap());
    for left in ["", "proc", "process 4711\n"] {
        std::fs::write(&file, left).unwrap();
        shelf.lock().unwrap();
    }
    for other in ["precious", "process of manufacture", "process 1\nmore", "\u{e9}"] {
        std::fs::write(&file, other).unwrap();
        let error = shelf.lock().unwrap_err();
        assert!(error.to_string().contains("move what stands there away"), "{error}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), other);
    }
}

#[test]
fn an_inventory_that_is_far_too_long_is_not_read() {
    let root = tempfile::tempdir().unwrap();
    let shelf = Shelf::open(root.path(), &rules("three")).unwrap();
    fill(&shelf, &["3-3"]);
    let file = std::fs::File::options().write(true).open(root.path().join("three").join(INVENTORY));
    file.unwrap().set_len(20 << 30).unwrap();
    let listing = shelf.list().unwrap();
    assert_eq!(states(&listing), ["3-3.wdl whole", "3-3.dtw whole"]);
    assert!(listing.notes[0].contains("it has more than 67108864 bytes"), "{:?}", listing.notes);
}

#[test]
fn a_file_shortened_under_a_reader_ends_in_an_error() {
    let root = tempfile::tempdir().unwrap();
    let shelf = Shelf::open(root.path(), &rules("six")).unwrap();
    fill(&shelf, &["4-4"]);
    let table = shelf.find(subspace("4-4")).unwrap();
    let path = root.path().join("six/4-4.dtw");
    OpenOptions::new().write(true).open(&path).unwrap().set_len(300).unwrap();
    let error = table.block(1).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::World);
    assert!(error.to_string().contains("shortened"), "{error}");
}

/// The file shrinks between the look at its length and the touch: what the kernel does not report
/// ends the whole process.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_shrinks_within_a_read_ends_in_an_error() {
    let root = tempfile::tempdir().unwrap();
    let shelf = Shelf::open(root.path(), &rules("six")).unwrap();
    fill(&shelf, &["4-4"]);
    let table = shelf.find(subspace("4-4")).unwrap();
    let blocks: Vec<Block> = (0..table.blocks()).map(|n| table.block(n).unwrap()).collect();
    let path = root.path().join("six/4-4.dtw");
    let whole = fs::read(&path).unwrap();
    let (mut answers, mut refusals) = (0, 0);
    thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let file = OpenOptions::new().write(true).open(&path).unwrap();
            for _ in 0..20_000 {
                file.set_len(300).unwrap();
                file.write_all_at(&whole, 0).unwrap();
            }
        });
        while !writer.is_finished() {
            let number = (answers + refusals) % blocks.len();
            match table.block(number) {
                Ok(block) => {
                    assert!(block == blocks[number]);
                    answers += 1;
                }
                Err(error) => {
                    assert!(error.to_string().contains("4-4.dtw"), "{error}");
                    refusals += 1;
                }
            }
        }
    });
    assert!(answers > 0 && refusals > 0, "{answers} answers, {refusals} refusals");
}

#[test]
fn a_file_replaced_under_a_reader_leaves_the_reader_with_the_old_one() {
    let root = tempfile::tempdir().unwrap();
    let shelf = Shelf::open(root.path(), &rules("three")).unwrap();
    fill(&shelf, &["3-3"]);
    let table = shelf.find(subspace("3-3")).unwrap();
    let digest = table.header().digest;
    let constant = vec![128; shelf.entries(subspace("3-3")) as usize];
    shelf.write(subspace("3-3"), Codes::Narrow(&constant), &census()).unwrap();
    table.check().unwrap();
    let new = shelf.find(subspace("3-3")).unwrap();
    assert_ne!(new.header().digest, digest);
    fs::remove_dir_all(root.path().join("three")).unwrap();
    new.check().unwrap();
}
