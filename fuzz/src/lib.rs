//! What is held of any bytes, a room for each kind of input: the fuzz targets call these, and so
//! do the ordinary tests, with the inputs of `corpus/`.
//!
//! A body returns where all is well and panics where something does not hold. The first byte of an
//! input often chooses among variants; what it chooses may not change without a new corpus.

pub mod engine;
pub mod header;
pub mod http;
pub mod moves;
pub mod packed;
pub mod positions;
pub mod rules;
pub mod seal;
pub mod table;

use merels::board::{Board, Description};
use merels::notation::Notation;
use merels::rules::{Rules, variants};
use std::path::PathBuf;
use std::sync::LazyLock;

/// The notations that texts are read in: all shipped variants, unequal men, a board without
/// coordinates.
pub static NOTATIONS: LazyLock<Vec<Notation>> = LazyLock::new(|| {
    let mut all: Vec<_> = variants::all().iter().map(|v| Notation::new(&v.rules)).collect();
    all.push(Notation::new(&Rules { men: [6, 4], ..rules_of("nine") }));
    all.push(Notation::new(&Rules::on(wheel().into(), [4, 4])));
    all
});

/// The rules of a shipped variant.
pub fn rules_of(variant: &str) -> Rules {
    variants::named(variant).expect("a shipped variant").rules.clone()
}

fn wheel() -> Board {
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let lines = ["n hub s", "w hub e", "nw n ne", "sw s se", "nw w sw", "ne e se"];
    let description = Description {
        name: "wheel".to_owned(),
        points: words("hub n ne e se s sw w nw"),
        lines: lines.iter().map(|line| words(line)).collect(),
        mills: lines.iter().map(|line| words(line)).collect(),
        runs: Vec::new(),
    };
    Board::new(&description).expect("a board")
}

/// The tables that ship.
pub fn tables() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let tables = [here.join("tables"), here.join("../tables")];
    tables.into_iter().find(|tables| tables.join("three").exists()).expect("the shipped tables")
}

/// Parts an input into the byte that chooses and the rest.
pub fn chosen(data: &[u8]) -> Option<(u8, &[u8])> {
    data.split_first().map(|(choice, rest)| (*choice, rest))
}

/// An error is one line that says something, and quotes no more than a part of what was read.
#[track_caller]
pub fn is_one_line(text: &str) {
    assert!(!text.trim().is_empty(), "an error says nothing");
    assert!(!text.contains(['\n', '\r']), "more than one line: {text:?}");
    assert!(text.len() < 4096, "{} bytes: {text:.200}", text.len());
}
