//! The order of the floors: every `use` points down, and the crates and words that belong to one
//! room stay in it. `docs/DESIGN.md` says why.

use std::fs;
use std::path::{Path, PathBuf};

const FLOORS: [&[&str]; 9] = [
    &["board", "value"],
    &["rules"],
    &["space", "notation"],
    &["table"],
    &["solve", "verify", "probe"],
    &["game"],
    &["report"],
    &["serve"],
    &["cli", "main"],
];

fn files(place: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(place).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// Every source file with the name of its module under `src` and its text.
fn rooms() -> Vec<(String, String, String)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    files(&src, &mut found);
    let room = |path: PathBuf| {
        let inside = path.strip_prefix(&src).unwrap().to_str().unwrap().replace('\\', "/");
        let module = inside.split('/').next().unwrap().trim_end_matches(".rs").to_owned();
        (module, inside, fs::read_to_string(path).unwrap())
    };
    found.into_iter().map(room).collect()
}

fn floor(module: &str) -> Option<usize> {
    FLOORS.iter().position(|floor| floor.contains(&module))
}

/// Code without its comment lines.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim_start().starts_with("//"))
}

#[test]
fn every_use_points_down() {
    for (module, file, text) in rooms() {
        if module == "lib" {
            continue;
        }
        let here = floor(&module).unwrap_or_else(|| panic!("{file} stands on no floor"));
        for line in code(&text) {
            for part in line.split("crate::").skip(1) {
                let used: String =
                    part.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
                let Some(there) = floor(&used) else { continue };
                assert!(there <= here, "{file} uses {used}, a floor above");
                let engines = here == 4 && there == 4;
                assert!(!engines || used == module, "{file} uses {used}: engines stay apart");
            }
        }
    }
}

/// Whether a line takes something from a crate; `unix::` is nothing of `nix`.
fn names_crate(line: &str, name: &str) -> bool {
    let path = format!("{name}::");
    let mut found = line.match_indices(&path).map(|(at, _)| &line[..at]);
    let word = |before: &str| before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    found.any(|before| !word(before)) || line.contains(&format!("use {name};"))
}

#[test]
fn crates_stay_in_their_rooms() {
    let homes: [(&str, &[&str]); 15] = [
        ("clap", &["cli/"]),
        ("indicatif", &["cli/"]),
        ("plotters", &["cli/"]),
        ("ctrlc", &["cli/"]),
        ("axum", &["serve/"]),
        ("tokio", &["serve/"]),
        ("tower", &["serve/"]),
        ("tower_http", &["serve/"]),
        ("hyper", &["serve/"]),
        ("hyper_util", &["serve/"]),
        ("include_dir", &["serve/"]),
        ("bincode", &["table/format.rs", "table/inventory.rs"]),
        ("memmap2", &["table/mapped.rs"]),
        ("nix", &["table/mapped.rs"]),
        ("zstd", &["table/codec.rs"]),
    ];
    for (_, file, text) in rooms() {
        for (name, rooms) in homes {
            let home = rooms.iter().any(|room| file.starts_with(room));
            let used = code(&text).any(|line| names_crate(line, name));
            assert!(home || !used, "{file} uses the crate {name}");
        }
    }
}

#[test]
fn unsafe_stays_in_its_rooms() {
    let rooms_with = [
        "space/bits.rs",
        "solve/vector.rs",
        "solve/width.rs",
        "table/mapped.rs",
        // Squeezing rows of bytes together and apart is to be had as instructions only, and the
        // verifier may not borrow the solver's.
        "verify/vector.rs",
    ];
    for (_, file, text) in rooms() {
        let found = code(&text).any(|line| line.contains("unsafe "));
        assert!(!found || rooms_with.contains(&file.as_str()), "{file} holds unsafe code");
    }
}

/// Who asks for the time of day is wrong when the clock is; here files are told apart by it.
#[test]
fn the_time_of_day_is_asked_for_in_one_room() {
    for (_, file, text) in rooms() {
        let found = code(&text).any(|line| line.contains("SystemTime"));
        assert!(!found || file == "serve/house.rs", "{file} asks for the time of day");
    }
}

#[test]
fn rooms_can_be_read_in_a_sitting() {
    for (_, file, text) in rooms() {
        let lines = text.lines().count();
        assert!(lines <= 420, "{file} has {lines} lines");
        assert!(text.is_ascii(), "{file} holds characters beyond ASCII");
        let tests = file.contains("tests/") || file.ends_with("tests.rs");
        assert!(tests || text.starts_with("//!"), "{file} has no words at its door");
    }
}
