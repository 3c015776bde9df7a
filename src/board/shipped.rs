//! The boards that ship, as data. Points in the order of the board's text (inner ring first, each
//! ring clockwise from its top midpoint; grids in rows from the top).

use super::{Board, Description};
use std::sync::{Arc, LazyLock};

struct Source {
    name: &'static str,
    points: &'static str,
    lines: &'static [&'static str],
    /// Mills are those lines that have three points; spokes of two are only roads.
    runs: &'static [usize],
}

const GRID_POINTS: &str = "a3 b3 c3 a2 b2 c2 a1 b1 c1";
const RINGS3_POINTS: &str = "d5 e5 e4 e3 d3 c3 c4 c5 \
                             d6 f6 f4 f2 d2 b2 b4 b6 \
                             d7 g7 g4 g1 d1 a1 a4 a7";

const SOURCES: [Source; 5] = [
    Source {
        name: "grid3",
        points: GRID_POINTS,
        lines: &["a3 b3 c3", "a2 b2 c2", "a1 b1 c1", "a3 a2 a1", "b3 b2 b1", "c3 c2 c1"],
        runs: &[3, 3, 3],
    },
    Source {
        name: "grid3-diagonal",
        points: GRID_POINTS,
        lines: &[
            "a3 b3 c3", "a2 b2 c2", "a1 b1 c1", "a3 a2 a1", "b3 b2 b1", "c3 c2 c1", "a3 b2 c1",
            "c3 b2 a1",
        ],
        runs: &[3, 3, 3],
    },
    Source {
        name: "rings2",
        points: "c4 d4 d3 d2 c2 b2 b3 b4 c5 e5 e3 e1 c1 a1 a3 a5",
        lines: &[
            "b4 c4 d4", "d4 d3 d2", "d2 c2 b2", "b2 b3 b4", "a5 c5 e5", "e5 e3 e1", "e1 c1 a1",
            "a1 a3 a5", "c5 c4", "e3 d3", "c1 c2", "a3 b3",
        ],
        runs: &[8, 8],
    },
    Source {
        name: "rings3",
        points: RINGS3_POINTS,
        lines: &[
            "c5 d5 e5", "e5 e4 e3", "e3 d3 c3", "c3 c4 c5", "b6 d6 f6", "f6 f4 f2", "f2 d2 b2",
            "b2 b4 b6", "a7 d7 g7", "g7 g4 g1", "g1 d1 a1", "a1 a4 a7", "d7 d6 d5", "g4 f4 e4",
            "d1 d2 d3", "a4 b4 c4",
        ],
        runs: &[8, 8, 8],
    },
    Source {
        name: "rings3-diagonal",
        points: RINGS3_POINTS,
        lines: &[
            "c5 d5 e5", "e5 e4 e3", "e3 d3 c3", "c3 c4 c5", "b6 d6 f6", "f6 f4 f2", "f2 d2 b2",
            "b2 b4 b6", "a7 d7 g7", "g7 g4 g1", "g1 d1 a1", "a1 a4 a7", "d7 d6 d5", "g4 f4 e4",
            "d1 d2 d3", "a4 b4 c4", "a7 b6 c5", "g7 f6 e5", "g1 f2 e3", "a1 b2 c3",
        ],
        runs: &[8, 8, 8],
    },
];

static BOARDS: LazyLock<Vec<Arc<Board>>> = LazyLock::new(|| SOURCES.iter().map(build).collect());

fn build(source: &Source) -> Arc<Board> {
    let words =
        |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
    let lines: Vec<Vec<String>> = source.lines.iter().map(|line| words(line)).collect();
    let mills = lines.iter().filter(|line| line.len() == 3).cloned().collect();
    let description = Description {
        name: source.name.to_owned(),
        points: words(source.points),
        lines,
        mills,
        runs: source.runs.to_vec(),
    };
    Arc::new(Board::new(&description).expect("a shipped board is well formed"))
}

/// The shipped boards, in the order of the rules page.
pub fn all() -> &'static [Arc<Board>] {
    &BOARDS
}

/// The shipped board of this name.
pub fn named(name: &str) -> Option<Arc<Board>> {
    BOARDS.iter().find(|board| board.name() == name).cloned()
}

/// The names of the shipped boards.
pub fn names() -> impl Iterator<Item = &'static str> {
    SOURCES.iter().map(|source| source.name)
}
