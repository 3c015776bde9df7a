//! What is to be solved, in which order, and what it will take. Says nothing of who carries it out.
//!
//! What a unit will take is in `forecast`.

use super::forecast::{self, bytes_per_entry};
use super::run::Limits;
use crate::rules::Rules;
use crate::space::{Space, Subspace, Unit, dependencies, quiet_turns, units};
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
    /// Bytes of its saved states while it is solved, where that takes so long that it is saved.
    pub states: u64,
    /// Seconds of one core.
    pub core_seconds: f64,
}

/// Units in an order in which they can be solved.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The units.
    pub units: Vec<Planned>,
}

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

    /// The most bytes that files take at a time: tables, and states of the unit in progress.
    pub fn disk(&self) -> u64 {
        peak_disk(&self.units)
    }

    /// Seconds of one core for all units.
    pub fn core_seconds(&self) -> f64 {
        self.units.iter().map(|planned| planned.core_seconds).sum()
    }
}

/// The most bytes that the files of `units`, solved one after the other, take at a time.
pub fn peak_disk<'p>(units: impl IntoIterator<Item = &'p Planned>) -> u64 {
    let (mut tables, mut peak) = (0, 0);
    for planned in units {
        let before = tables;
        tables += planned.disk;
        // Two states while one replaces the other, one until the tables are finished.
        peak = peak.max(before + planned.states).max(tables + planned.states / 2);
    }
    peak
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
    let parts: Vec<_> = unit.subspaces().map(|s| (s, shelf.entries(s))).collect();
    let entries = parts.iter().map(|(_, entries)| entries).sum();
    let core_seconds = parts.iter().map(|(s, n)| forecast::core_seconds(rules, *s, *n)).sum();
    Planned {
        unit,
        entries,
        memory: forecast::memory(rules, unit, entries),
        disk: parts.iter().map(|(s, n)| forecast::table_bytes(rules, *s, *n)).sum(),
        states: forecast::state_bytes(entries, core_seconds, Limits::SAVE_EVERY),
        core_seconds,
    }
}

/// Memory of a unit beyond what the plan says, where it needs 16 bits a depth.
pub(super) fn wide_memory(planned: &Planned) -> u64 {
    planned.memory + planned.entries * (bytes_per_entry(2) - bytes_per_entry(1))
}

/// Bytes that decoded blocks of finished subspaces may take while a unit is scanned.
pub(super) fn cache_bytes(planned: &Planned) -> u64 {
    forecast::cache_bytes(planned.entries)
}

/// Builds the index tables of a unit ahead of the work.
pub(super) fn prepare(space: &Space, unit: Unit) {
    unit.subspaces().for_each(|s| drop(space.index(s)));
}
