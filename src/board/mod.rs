//! Boards as data: named points, the lines that join them, the triples that count as mills.
//!
//! A board is either one of the shipped ones ([`shipped`]) or read from a rule file; both go
//! through [`Board::new`], which checks the description, so the floors above never meet a board
//! that makes no sense. The points are numbered in the order of the board's text, and everything
//! else (neighbours, mills through a point, symmetries) is computed from the description.
//!
//! Beware: the numbering of the points is part of the table format. A shipped board whose points
//! are reordered is another board.

mod point;
mod set;
pub mod shipped;
pub mod symmetry;

pub use point::Point;
pub use set::{PointSet, Points};
pub use symmetry::Group;

use symmetry::NoGroup;

use std::collections::HashSet;
use std::sync::OnceLock;
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_128;

/// The largest board that tables are made for.
pub const MAX_POINTS: usize = 24;

/// The most mills that a board may have.
pub const MAX_MILLS: usize = 128;

/// A board: named points, lines along which stones slide, and mills.
#[derive(Debug)]
pub struct Board {
    name: String,
    names: Vec<String>,
    /// Sizes of the runs of points that a `/` parts in the board's text.
    runs: Vec<usize>,
    lines: Vec<Vec<Point>>,
    neighbours: Vec<PointSet>,
    mills: Vec<PointSet>,
    /// For each point, every mill through it less the point itself.
    partners: Vec<Vec<PointSet>>,
    fingerprint: u128,
    group: Group,
    mills_group: OnceLock<Group>,
}

/// Why a description is not a board.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum BoardError {
    /// Too few or too many points.
    #[error("a board has 3 to {MAX_POINTS} points, this one has {0}")]
    Size(usize),
    /// A name that could not be told from other words in a position or a turn.
    #[error(
        "point {number} is named {name:?}; a name is 1 to 4 lower-case letters and digits, begins with a letter and has no x"
    )]
    Name {
        /// The place of the point in the list, from 1.
        number: usize,
        /// The name found.
        name: String,
    },
    /// Two points of the same name.
    #[error("two points are named {0}")]
    Twice(String),
    /// A line or mill names a point that the board does not have.
    #[error("{what} {number} names {name:?}, which is no point of the board")]
    Unknown {
        /// `line` or `mill`.
        what: &'static str,
        /// Its place in the list, from 1.
        number: usize,
        /// The name found.
        name: String,
    },
    /// A line with fewer than two points, or with a point twice.
    #[error("line {0} must name at least two points, each once")]
    Line(usize),
    /// Two points are joined by more than one line.
    #[error("line {number} joins {from} and {to}, which are joined already")]
    Joined {
        /// Place of the line in the list, from 1.
        number: usize,
        /// One end of the repeated edge.
        from: String,
        /// The other end.
        to: String,
    },
    /// A mill that is not a triple of different points.
    #[error("mill {0} must name three different points")]
    Mill(usize),
    /// A mill that is listed twice.
    #[error("mill {0} is listed already")]
    MillTwice(usize),
    /// More mills than the solver keeps track of.
    #[error("a board has at most {MAX_MILLS} mills, this one has {0}")]
    Mills(usize),
    /// The `/`-parted runs do not add up to the points.
    #[error("the runs of the board's text hold {found} points, the board has {points}")]
    Runs {
        /// Points in the runs.
        found: usize,
        /// Points of the board.
        points: usize,
    },
    /// The board has more symmetries than the index can carry.
    #[error(
        "the board has more than {max} symmetries (points without lines, for instance); join or drop some points",
        max = symmetry::MAX_ORDER
    )]
    TooSymmetric,
    /// Finding the symmetries of the board takes too long.
    #[error(
        "the symmetries of the board could not be found in reasonable time: its points are joined too much alike; add or drop a line"
    )]
    SymmetryUnknown,
}

/// A board as it is written down, to be checked by [`Board::new`].
#[derive(Clone, Debug, Default)]
pub struct Description {
    /// What the board is called.
    pub name: String,
    /// The points, in the order of the board's text.
    pub points: Vec<String>,
    /// Lines; consecutive points of a line are adjacent.
    pub lines: Vec<Vec<String>>,
    /// The triples that count as mills.
    pub mills: Vec<Vec<String>>,
    /// Sizes of the runs that `/` parts in the text; empty: one run.
    pub runs: Vec<usize>,
}

impl Board {
    /// Checks a description and computes what follows from it.
    pub fn new(description: &Description) -> Result<Board, BoardError> {
        let names = description.points.clone();
        check_names(&names)?;
        let lines = resolve("line", &description.lines, &names)?;
        let mill_points = resolve("mill", &description.mills, &names)?;
        let neighbours = join(&lines, &names)?;
        let mills = collect_mills(&mill_points)?;
        let partners = (0..names.len())
            .map(Point::new)
            .map(|p| {
                let through = mills.iter().filter(|mill| mill.contains(p));
                through.map(|mill| mill.without(p)).collect()
            })
            .collect();
        let runs = match description.runs.as_slice() {
            [] => vec![names.len()],
            runs => runs.to_vec(),
        };
        if runs.iter().sum::<usize>() != names.len() {
            return Err(BoardError::Runs { found: runs.iter().sum(), points: names.len() });
        }
        let fingerprint = fingerprint(&names, &neighbours, &mills);
        let group = symmetry::search(&neighbours, &mills).map_err(|error| match error {
            NoGroup::TooMany => BoardError::TooSymmetric,
            NoGroup::TooLong => BoardError::SymmetryUnknown,
        })?;
        Ok(Board {
            name: description.name.clone(),
            names,
            runs,
            lines,
            neighbours,
            mills,
            partners,
            fingerprint,
            group,
            mills_group: OnceLock::new(),
        })
    }

    /// What the board is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of points.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Never: a board has at least three points.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// All points, in the order of the board's text.
    pub fn points(&self) -> PointSet {
        PointSet::first(self.len())
    }

    /// The point of this name.
    pub fn point(&self, name: &str) -> Option<Point> {
        self.names.iter().position(|n| n == name).map(Point::new)
    }

    /// The name of a point.
    pub fn point_name(&self, point: Point) -> &str {
        &self.names[point.number()]
    }

    /// Sizes of the runs of points that a `/` parts in the board's text.
    pub fn runs(&self) -> &[usize] {
        &self.runs
    }

    /// The lines, as written down.
    pub fn lines(&self) -> &[Vec<Point>] {
        &self.lines
    }

    /// The points one slide away from `point`.
    pub fn neighbours(&self, point: Point) -> PointSet {
        self.neighbours[point.number()]
    }

    /// The mills, each a set of three points, as written down.
    pub fn mills(&self) -> &[PointSet] {
        &self.mills
    }

    /// The other two points of every mill through `point`.
    pub fn partners(&self, point: Point) -> &[PointSet] {
        &self.partners[point.number()]
    }

    /// The stones of `stones` that stand in a mill.
    pub fn in_mills(&self, stones: PointSet) -> PointSet {
        let standing = self.mills.iter().filter(|mill| stones.contains_all(**mill));
        standing.fold(PointSet::EMPTY, |all, mill| all | *mill)
    }

    /// Whether a stone on `point` stands in a mill with stones of `stones`.
    pub fn closes(&self, stones: PointSet, point: Point) -> bool {
        let partners = self.partners(point).iter();
        partners.into_iter().any(|two| stones.contains_all(*two))
    }

    /// The symmetries that keep adjacency and mills.
    pub fn group(&self) -> &Group {
        &self.group
    }

    /// The symmetries that keep the mills, whatever they do to adjacency; [`Board::group`] where
    /// there are more of them than an index can carry.
    pub fn mills_group(&self) -> &Group {
        self.mills_group.get_or_init(|| {
            let unjoined = vec![PointSet::EMPTY; self.len()];
            symmetry::search(&unjoined, &self.mills).unwrap_or_else(|_| self.group.clone())
        })
    }

    /// A hash of the names, adjacencies and mills: equal for equal boards, whatever they are
    /// called. `docs/FORMAT.md` says how it is computed.
    pub fn fingerprint(&self) -> u128 {
        self.fingerprint
    }

    /// Column and row of every point where all names are a letter and a number (`a1` is 0, 0), for
    /// drawing; `None` where a name says nothing of the kind or two points share a place.
    pub fn coordinates(&self) -> Option<Vec<(usize, usize)>> {
        let places: Option<Vec<_>> = self.names.iter().map(|name| place_of(name)).collect();
        let places = places?;
        let distinct: HashSet<_> = places.iter().collect();
        (distinct.len() == places.len()).then_some(places)
    }
}

fn place_of(name: &str) -> Option<(usize, usize)> {
    let (letter, digits) = name.split_at(1);
    let row: usize = digits.parse().ok()?;
    let column = letter.bytes().next()?.checked_sub(b'a')?;
    (1..=26).contains(&row).then(|| (column as usize, row - 1))
}

fn check_names(names: &[String]) -> Result<(), BoardError> {
    if !(3..=MAX_POINTS).contains(&names.len()) {
        return Err(BoardError::Size(names.len()));
    }
    let fits = |name: &str| {
        let plain = |b: u8| (b.is_ascii_lowercase() && b != b'x') || b.is_ascii_digit();
        (1..=4).contains(&name.len())
            && name.bytes().all(plain)
            && name.as_bytes()[0].is_ascii_lowercase()
    };
    for (i, name) in names.iter().enumerate() {
        if !fits(name) {
            return Err(BoardError::Name { number: i + 1, name: name.clone() });
        }
        if names[..i].contains(name) {
            return Err(BoardError::Twice(name.clone()));
        }
    }
    Ok(())
}

fn resolve(
    what: &'static str,
    lists: &[Vec<String>],
    names: &[String],
) -> Result<Vec<Vec<Point>>, BoardError> {
    let find = |i: usize, name: &String| {
        let place = names.iter().position(|n| n == name);
        place.map(Point::new).ok_or_else(|| BoardError::Unknown {
            what,
            number: i + 1,
            name: name.clone(),
        })
    };
    let one = |(i, list): (usize, &Vec<String>)| list.iter().map(|name| find(i, name)).collect();
    lists.iter().enumerate().map(one).collect()
}

fn join(lines: &[Vec<Point>], names: &[String]) -> Result<Vec<PointSet>, BoardError> {
    let mut neighbours = vec![PointSet::EMPTY; names.len()];
    for (i, line) in lines.iter().enumerate() {
        let distinct: PointSet = line.iter().copied().collect();
        if line.len() < 2 || distinct.len() != line.len() {
            return Err(BoardError::Line(i + 1));
        }
        for pair in line.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            if neighbours[from.number()].contains(to) {
                return Err(BoardError::Joined {
                    number: i + 1,
                    from: names[from.number()].clone(),
                    to: names[to.number()].clone(),
                });
            }
            neighbours[from.number()] = neighbours[from.number()].with(to);
            neighbours[to.number()] = neighbours[to.number()].with(from);
        }
    }
    Ok(neighbours)
}

fn collect_mills(triples: &[Vec<Point>]) -> Result<Vec<PointSet>, BoardError> {
    if triples.len() > MAX_MILLS {
        return Err(BoardError::Mills(triples.len()));
    }
    let mut mills: Vec<PointSet> = Vec::with_capacity(triples.len());
    for (i, triple) in triples.iter().enumerate() {
        let mill: PointSet = triple.iter().copied().collect();
        if triple.len() != 3 || mill.len() != 3 {
            return Err(BoardError::Mill(i + 1));
        }
        if mills.contains(&mill) {
            return Err(BoardError::MillTwice(i + 1));
        }
        mills.push(mill);
    }
    Ok(mills)
}

fn fingerprint(names: &[String], neighbours: &[PointSet], mills: &[PointSet]) -> u128 {
    let mut bytes = vec![names.len() as u8];
    for name in names {
        bytes.push(name.len() as u8);
        bytes.extend_from_slice(name.as_bytes());
    }
    for set in neighbours {
        bytes.extend_from_slice(&set.bits().to_le_bytes());
    }
    let mut mills: Vec<u32> = mills.iter().map(|mill| mill.bits()).collect();
    mills.sort_unstable();
    bytes.extend_from_slice(&(mills.len() as u32).to_le_bytes());
    for mill in mills {
        bytes.extend_from_slice(&mill.to_le_bytes());
    }
    xxh3_128(&bytes)
}
