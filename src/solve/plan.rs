//! What is to be solved, in which order, and what it will take. Says nothing of who carries it out.
//!
//! The forecasts are for this kind of solver: memory follows from the numbers of entries, time and
//! disk from rates that were measured on the standard game (`docs/PERFORMANCE.md`).

use crate::rules::Rules;
use crate::space::{Space, Subspace, Unit, binomial, dependencies, quiet_turns, units};
use crate::table::Shelf;
use std::collections::BTreeSet;

/// What somebody wants to have solved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Single subspaces, each with everything it needs.
    pub subspaces: Vec<Subspace>,
    /// Every subspace whose stones on the board and in hand, of both players, are at most so many.
    pub max_stones: Option<u8>,
}

/// A unit to be solved, and what it will take.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The unit.
    pub unit: Unit,
    /// Entries of its one or two subspaces.
    pub entries: u64,
    /// Bytes of memory while it is solved with 8 bits a depth, index tables included.
    pub memory: u64,
    /// Bytes of its table files.
    pub disk: u64,
    /// Seconds of one core.
    pub core_seconds: f64,
}

/// Units in an order in which they can be solved.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The units.
    pub units: Vec<Planned>,
}

/// Bytes for each entry of a unit while it is solved: working codes, open moves, finished codes.
pub(super) const fn bytes_per_entry(code_bytes: u64) -> u64 {
    2 * code_bytes + 1
}

/// Memory that does not grow with the unit: the program, buffers of the writer, rooms of threads.
pub(super) const FIXED_BYTES: u64 = 64 << 20;

/// Nanoseconds of one core for each entry, by what the mover does. Measured; see
/// `docs/PERFORMANCE.md`.
const PLACE_NANOSECONDS: f64 = 40.0;
const SLIDE_NANOSECONDS: f64 = 75.0;
const FLY_NANOSECONDS: f64 = 90.0;

/// Bits on disk for each entry, both planes.
const BITS_PER_ENTRY: f64 = 3.6;
/// Bytes of a file besides its blocks.
const FILE_BYTES: u64 = 512;

impl Plan {
    /// The plan for `wanted`; everything the rule set has where nothing is named.
    pub fn new(shelf: &Shelf, wanted: &Wanted) -> Plan {
        let rules = shelf.rules();
        let needed = needed(rules, wanted);
        let all = units(rules).into_iter();
        let held = |unit: &Unit| unit.subspaces().any(|s| needed.contains(&s));
        Plan { units: all.filter(held).map(|unit| planned(shelf, unit)).collect() }
    }

    /// Entries of all units.
    pub fn entries(&self) -> u64 {
        self.units.iter().map(|planned| planned.entries).sum()
    }

    /// Bytes of memory that the largest unit takes.
    pub fn memory(&self) -> u64 {
        self.units.iter().map(|planned| planned.memory).max().unwrap_or(0)
    }

    /// Bytes of all table files.
    pub fn disk(&self) -> u64 {
        self.units.iter().map(|planned| planned.disk).sum()
    }

    /// Seconds of one core for all units.
    pub fn core_seconds(&self) -> f64 {
        self.units.iter().map(|planned| planned.core_seconds).sum()
    }
}

/// The wanted subspaces and all that they lead to.
fn needed(rules: &Rules, wanted: &Wanted) -> BTreeSet<Subspace> {
    let all = crate::space::subspaces(rules);
    let named = !wanted.subspaces.is_empty() || wanted.max_stones.is_some();
    let picked = |s: &Subspace| {
        !named
            || wanted.subspaces.contains(s)
            || wanted.max_stones.is_some_and(|most| s.total() <= most)
    };
    let mut open: Vec<Subspace> = all.into_iter().filter(picked).collect();
    let mut needed: BTreeSet<Subspace> = open.iter().copied().collect();
    while let Some(subspace) = open.pop() {
        let mut next = dependencies(rules, subspace);
        if quiet_turns(rules, subspace) {
            next.push(subspace.twin());
        }
        open.extend(next.into_iter().filter(|s| needed.insert(*s)));
    }
    needed
}

fn planned(shelf: &Shelf, unit: Unit) -> Planned {
    let rules = shelf.rules();
    let each = |s: Subspace| {
        let entries = shelf.entries(s);
        let nanoseconds = match quiet_turns(rules, s) {
            false => PLACE_NANOSECONDS,
            true if rules.flies(s.mover_total()) => FLY_NANOSECONDS,
            true => SLIDE_NANOSECONDS,
        };
        (entries, entries as f64 * nanoseconds * 1e-9)
    };
    let parts: Vec<_> = unit.subspaces().map(each).collect();
    let entries = parts.iter().map(|(entries, _)| entries).sum();
    Planned {
        unit,
        entries,
        memory: entries * bytes_per_entry(1) + index_bytes(rules, unit) + FIXED_BYTES,
        disk: (entries as f64 * BITS_PER_ENTRY / 8.0) as u64 + parts.len() as u64 * 2 * FILE_BYTES,
        core_seconds: parts.iter().map(|(_, seconds)| seconds).sum(),
    }
}

/// Bytes of the tables of classes and columns that a unit and its look-ups need, from above.
fn index_bytes(rules: &Rules, unit: Unit) -> u64 {
    let points = rules.board.len();
    let most = |pick: fn(&Subspace) -> u8| unit.subspaces().map(|s| pick(&s)).max().unwrap_or(0);
    let largest = usize::from(most(|s| s.mover)).max(usize::from(most(|s| s.opponent))) + 1;
    let sets: u64 = (0..=largest.min(points)).map(|k| binomial(points, k)).sum();
    let columns = |s: Subspace| {
        let free = points - usize::from(s.opponent);
        (0..2).map(|more| binomial(free, usize::from(s.mover) + more)).sum::<u64>()
    };
    // A set takes 4 bytes in its table and an eighth of 12 as a representative; a column 4 bytes
    // and a bit for every point.
    6 * sets + 8 * 2 * unit.subspaces().map(columns).sum::<u64>()
}

/// Memory of a unit beyond what the plan says, where it needs 16 bits a depth.
pub(super) fn wide_memory(planned: &Planned) -> u64 {
    planned.memory + planned.entries * (bytes_per_entry(2) - bytes_per_entry(1))
}

/// Bytes that decoded blocks of finished subspaces may take while a unit is scanned. An eighth of
/// the entries is enough: the rows that neighbouring rows look up lie close together (measured: a
/// quarter of what is looked up costs 5 % of the scan, a tenth 30 %). They are given back before
/// the finished layout is made, so they never are what the peak is made of.
pub(super) fn cache_bytes(planned: &Planned) -> u64 {
    (planned.entries / 8).max(FIXED_BYTES / 2)
}

/// Builds the index tables of a unit ahead of the work.
pub(super) fn prepare(space: &Space, unit: Unit) {
    unit.subspaces().for_each(|s| drop(space.index(s)));
}
