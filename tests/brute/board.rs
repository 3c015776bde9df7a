//! The boards of RULES.md, typed in by the names of their points.
//!
//! Why names: RULES.md gives lines and mills by name, and a table of names can
//! be compared with the page by eye, which a table of numbers cannot. Numbers
//! are the places of the names in the board text (inner ring first, each ring
//! clockwise from its top midpoint; grid3 in rows from the top).
//! Beware: the sides of a square run corner, midpoint, corner, whereas the
//! board text starts a ring at a midpoint.

/// Points in board text order, lines (neighbours are adjacent) and mills.
#[derive(Clone, Debug)]
pub struct BruteBoard {
    pub names: Vec<&'static str>,
    pub lines: Vec<Vec<usize>>,
    pub mills: Vec<[usize; 3]>,
}

const GRID3_POINTS: &str = "a3 b3 c3  a2 b2 c2  a1 b1 c1";
const GRID3_LINES: &[&str] = &[
    "a3 b3 c3", "a2 b2 c2", "a1 b1 c1", // rows
    "a1 a2 a3", "b1 b2 b3", "c1 c2 c3", // columns
];
const GRID3_DIAGONALS: &[&str] = &["a1 b2 c3", "a3 b2 c1"];

const RINGS2_POINTS: &str = "c4 d4 d3 d2 c2 b2 b3 b4  c5 e5 e3 e1 c1 a1 a3 a5";
const RINGS2_SIDES: &[&str] = &[
    "b4 c4 d4", "d4 d3 d2", "d2 c2 b2", "b2 b3 b4", // inner
    "a5 c5 e5", "e5 e3 e1", "e1 c1 a1", "a1 a3 a5", // outer
];
// Two points make no mill, so these stay apart from the sides.
const RINGS2_JOINTS: &[&str] = &["c5 c4", "e3 d3", "c1 c2", "a3 b3"];

const RINGS3_POINTS: &str =
    "d5 e5 e4 e3 d3 c3 c4 c5  d6 f6 f4 f2 d2 b2 b4 b6  d7 g7 g4 g1 d1 a1 a4 a7";
const RINGS3_LINES: &[&str] = &[
    "c5 d5 e5", "e5 e4 e3", "e3 d3 c3", "c3 c4 c5", // inner
    "b6 d6 f6", "f6 f4 f2", "f2 d2 b2", "b2 b4 b6", // middle
    "a7 d7 g7", "g7 g4 g1", "g1 d1 a1", "a1 a4 a7", // outer
    "d7 d6 d5", "g4 f4 e4", "d1 d2 d3", "a4 b4 c4", // midpoint spokes
];
const RINGS3_CORNERS: &[&str] = &["a7 b6 c5", "g7 f6 e5", "g1 f2 e3", "a1 b2 c3"];

impl BruteBoard {
    /// One of the five boards of RULES.md.
    pub fn named(id: &str) -> BruteBoard {
        match id {
            "grid3" => build(GRID3_POINTS, &[GRID3_LINES], &[]),
            "grid3-diagonal" => build(GRID3_POINTS, &[GRID3_LINES, GRID3_DIAGONALS], &[]),
            "rings2" => build(RINGS2_POINTS, &[RINGS2_SIDES], RINGS2_JOINTS),
            "rings3" => build(RINGS3_POINTS, &[RINGS3_LINES], &[]),
            "rings3-diagonal" => build(RINGS3_POINTS, &[RINGS3_LINES, RINGS3_CORNERS], &[]),
            _ => panic!("RULES.md has no board {id}"),
        }
    }
}

/// `milled` lines are mills too; `joints` are adjacency alone.
fn build(points: &'static str, milled: &[&[&str]], joints: &[&str]) -> BruteBoard {
    let names: Vec<&'static str> = points.split_whitespace().collect();
    let number = |name: &str| {
        let found = names.iter().position(|n| *n == name);
        found.unwrap_or_else(|| panic!("no point {name}"))
    };
    let line = |text: &str| -> Vec<usize> { text.split_whitespace().map(number).collect() };
    let mut lines = Vec::new();
    let mut mills = Vec::new();
    for text in milled.iter().flat_map(|group| group.iter()) {
        let l = line(text);
        mills.push([l[0], l[1], l[2]]);
        lines.push(l);
    }
    lines.extend(joints.iter().map(|text| line(text)));
    BruteBoard { names, lines, mills }
}
