//! Damage to a whole small shelf: every byte, every length, blocks and files that changed places.
//! A check of the shelf finds all of it, and who asks for a value gets the right one or an error
//! that names the file.

use assert_cmd::Command;
use merels::probe::Prober;
use merels::rules::{Position, variants};
use merels::solve::{Limits, Plan, Wanted, generate};
use merels::space::Space;
use merels::table::{ErrorKind, Memory, Settings, Shelf, State, Stored};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

const INVENTORY: &str = "inventory.merels";

/// A shelf as bytes, and the truth about every entry.
struct Whole {
    variant: &'static str,
    files: BTreeMap<String, Vec<u8>>,
    truth: Vec<(Position, Stored)>,
}

impl Whole {
    /// Solved, in blocks so small that there are many.
    fn solved(variant: &'static str) -> Whole {
        let memory = Memory::new();
        let settings = Settings { block_entries: 48, ..Settings::default() };
        let shelf = Shelf::on(Arc::new(memory.clone()), rules(variant)).with(settings);
        let plan = Plan::new(&shelf, &Wanted { subspaces: Vec::new(), max_stones: None });
        let space = Space::new(rules(variant).clone());
        generate(&space, &shelf, &plan, Limits { memory: u64::MAX, save_every: None }, &())
            .unwrap();
        let names = memory.names().into_iter();
        let files = names.map(|name| (name.clone(), memory.get(&name).unwrap())).collect();
        let prober = Prober::new(shelf, 1 << 20);
        let mut truth = Vec::new();
        for subspace in merels::space::subspaces(rules(variant)) {
            let index = space.index(subspace);
            for entry in 0..index.entries() {
                // None: a duplicate by symmetry of a lower entry.
                let Some(position) = index.position(entry) else { continue };
                truth.push((position, prober.stored(&position).unwrap()));
            }
        }
        Whole { variant, files, truth }
    }

    /// The shelf with other bytes in one file.
    fn with(&self, name: &str, bytes: &[u8]) -> Damaged<'_> {
        let memory = Memory::new();
        for (held, whole) in &self.files {
            memory.put(held, if held == name { bytes.to_vec() } else { whole.clone() });
        }
        Damaged { whole: self, memory, file: name.to_owned() }
    }
}

/// A shelf one of whose files was damaged.
struct Damaged<'a> {
    whole: &'a Whole,
    memory: Memory,
    file: String,
}

impl Damaged<'_> {
    fn shelf(&self) -> Shelf {
        Shelf::on(Arc::new(self.memory.clone()), rules(self.whole.variant))
    }

    /// The damage is found and named; nothing else is said to be damaged.
    #[track_caller]
    fn is_found(&self, told: &str) {
        let shelf = self.shelf();
        let listing = shelf.list().unwrap();
        if self.file == INVENTORY {
            let all = listing.tables.iter().all(|listed| matches!(listed.state, State::Whole(_)));
            assert!(all && listing.notes.iter().any(|note| note.contains(INVENTORY)), "{told}");
            return;
        }
        let mut found = 0;
        for listed in listing.tables {
            let name = Shelf::file_name(listed.subspace, listed.metric);
            let checked = match listed.state {
                State::Whole(_) => shelf.table(listed.subspace, listed.metric).unwrap().check(),
                State::Unusable(error) => Err(error),
                State::Missing(_) => panic!("{name} is missing, {told}"),
            };
            if let Err(error) = checked {
                assert_eq!(error.kind(), ErrorKind::Refused, "{error}, {told}");
                assert_eq!(name, self.file, "{error}, {told}");
                assert!(error.to_string().contains(&name), "{error}, {told}");
                found += 1;
            }
        }
        assert_eq!(found, 1, "{told}");
        self.answers_rightly(told);
    }

    /// Every value is the right one, with or without its depth, or is refused with the file.
    #[track_caller]
    fn answers_rightly(&self, told: &str) {
        let prober = Prober::new(self.shelf(), 1 << 20);
        for (position, truth) in &self.whole.truth {
            match prober.stored(position) {
                Ok(stored) => {
                    assert_eq!(stored.value, truth.value, "{told}");
                    assert!(stored.outcome.is_none() || stored.outcome == truth.outcome, "{told}");
                }
                Err(error) => assert!(error.to_string().contains(&self.file), "{error}, {told}"),
            }
        }
    }
}

fn rules(variant: &str) -> &'static merels::rules::Rules {
    &variants::named(variant).unwrap().rules
}

#[test]
fn every_changed_byte_of_a_shelf_is_found() {
    let whole = Whole::solved("three");
    assert_eq!(whole.files.len(), 15);
    for (name, bytes) in &whole.files {
        (0..bytes.len()).into_par_iter().for_each(|place| {
            for change in [1, 0x80, 0xFF] {
                let mut changed = bytes.clone();
                changed[place] ^= change;
                whole.with(name, &changed).is_found(&format!("{name}, byte {place} ^ {change:#x}"));
            }
        });
    }
}

#[test]
fn every_other_length_of_a_file_is_found() {
    let whole = Whole::solved("three");
    for (name, bytes) in &whole.files {
        (0..bytes.len()).into_par_iter().for_each(|length| {
            whole.with(name, &bytes[..length]).is_found(&format!("{name}, {length} bytes"));
        });
        for more in [1, 8, 24, 4096] {
            let zeros = [&bytes[..], &vec![0; more]].concat();
            whole.with(name, &zeros).is_found(&format!("{name}, {more} zeros more"));
            let again = [&bytes[..], &bytes[bytes.len().saturating_sub(more)..]].concat();
            whole.with(name, &again).is_found(&format!("{name}, {more} bytes again"));
        }
    }
}

#[test]
fn blocks_that_changed_places_are_found() {
    let whole = Whole::solved("three");
    let mut tried = 0;
    for (name, bytes) in whole.files.iter().filter(|(name, _)| *name != INVENTORY) {
        // The block index as docs/FORMAT.md has it.
        let number = |at: usize, size| {
            bytes[at..at + size].iter().rev().fold(0, |n, byte| n << 8 | usize::from(*byte))
        };
        let (blocks, index) = (number(88, 8), number(168, 8));
        let place = |block: usize| {
            let start = number(index + block * 24, 8);
            start..start + number(index + block * 24 + 8, 4)
        };
        for a in 0..blocks {
            for b in a + 1..blocks {
                let (first, second) = (&bytes[place(a)], &bytes[place(b)]);
                if first == second {
                    continue;
                }
                let between = &bytes[place(a).end..place(b).start];
                let swapped = [&bytes[..place(a).start], second, between, first].concat();
                let swapped = [&swapped, &bytes[place(b).end..]].concat();
                whole.with(name, &swapped).is_found(&format!("{name}, blocks {a} and {b}"));
                let mut pointed = bytes.clone();
                let (at, to) = (index + a * 24, index + b * 24);
                (0..24).for_each(|byte| pointed.swap(at + byte, to + byte));
                whole.with(name, &pointed).is_found(&format!("{name}, index of {a} and {b}"));
                tried += 1;
            }
        }
    }
    assert!(tried > 20, "{tried} pairs");
}

#[test]
fn files_that_changed_places_are_found() {
    let whole = Whole::solved("three");
    let tables = || whole.files.iter().filter(|(name, _)| *name != INVENTORY);
    for (name, _) in tables() {
        for (other, bytes) in tables().filter(|(other, _)| *other != name) {
            whole.with(name, bytes).is_found(&format!("{other} as {name}"));
        }
    }
    for variant in ["three-orthogonal", "nine-holes", "achi"] {
        let foreign = Whole::solved(variant);
        for (name, _) in tables() {
            for (other, bytes) in &foreign.files {
                whole.with(name, bytes).is_found(&format!("{other} of {variant} as {name}"));
            }
        }
        let inventory = &foreign.files[INVENTORY];
        whole.with(INVENTORY, inventory).is_found(&format!("inventory of {variant}"));
    }
}

/// The same through the program, here and there.
#[test]
fn the_program_finds_damage_anywhere() {
    let room = tempfile::tempdir().unwrap();
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables/three");
    let copy = room.path().join("three");
    std::fs::create_dir(&copy).unwrap();
    let verify = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_merels"));
        command.args(["verify", "three", "--checksums", "--tables"]).arg(room.path());
        command.output().unwrap()
    };
    let names = std::fs::read_dir(shipped).unwrap().map(|entry| entry.unwrap().path());
    let names: Vec<_> = names.filter(|path| !path.ends_with(INVENTORY)).collect();
    for path in &names {
        std::fs::copy(path, copy.join(path.file_name().unwrap())).unwrap();
    }
    assert!(verify().status.success());
    for (number, path) in names.iter().enumerate() {
        let name = path.file_name().unwrap().to_str().unwrap();
        let bytes = std::fs::read(path).unwrap();
        for place in (number..bytes.len()).step_by(41) {
            let mut changed = bytes.clone();
            changed[place] ^= 0x20;
            std::fs::write(copy.join(name), &changed).unwrap();
            let output = verify();
            assert_eq!(output.status.code(), Some(1), "{name}, byte {place}");
            let said = [&output.stdout[..], &output.stderr].concat();
            assert!(String::from_utf8(said).unwrap().contains(name), "{name}, byte {place}");
        }
        std::fs::write(copy.join(name), &bytes).unwrap();
    }
}
