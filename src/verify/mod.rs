//! Proof: every stored value and depth is held against one forward step from the stored values of
//! the positions it leads to.
//!
//! If all agree and depths are exact, then by induction on the depth every decided value is right;
//! draws are what is left where no depth can be assigned. The turns come from [`crate::rules`], one
//! position at a time; with the solver this shares rules and index and nothing else. Where only
//! values are at hand the step is still checked, but it is no proof, and the report says so.

mod planes;

use crate::rules::{Position, Turn};
use crate::space::{Space, Subspace, dependencies, quiet_turns};
use crate::table::{Metric, Shelf, Stored, TableError};
use crate::value::{Outcome, Value};
use planes::Plane;
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use thiserror::Error;

/// Entries that a thread checks between two looks at the clock.
const CHUNK: u64 = 4096;

/// Which entries are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All of them.
    All,
    /// So many, drawn at random from a seed.
    Sample {
        /// How many.
        entries: u64,
        /// Equal seeds draw equal entries.
        seed: u64,
    },
}

/// Is told how a check goes, and may stop it. Called from several threads.
pub trait Watch: Sync {
    /// So many more entries have been checked.
    fn checked(&self, entries: u64) {
        let _ = entries;
    }

    /// Whether to stop.
    fn interrupted(&self) -> bool {
        false
    }
}

/// Nobody watches.
impl Watch for () {}

/// An entry whose stored value is not what follows from its turns.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    /// The number of the entry.
    pub entry: u64,
    /// Its position.
    pub position: Position,
    /// The plane that is wrong.
    pub metric: Metric,
    /// What it stores.
    pub stored: Stored,
    /// What follows from the turns (or, of the plane of values, from that of depths).
    pub derived: Stored,
}

/// What a check of one subspace found.
#[derive(Clone, Debug)]
pub struct Report {
    /// The subspace.
    pub subspace: Subspace,
    /// Entries that were checked.
    pub checked: u64,
    /// Entries found wrong.
    pub wrong: u64,
    /// The first of them, by entry number.
    pub faults: Vec<Fault>,
    /// Whether depths were at hand, so that the check proves the values.
    pub proves: bool,
}

/// Why a check could not be made.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// The watcher asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// The tables do not fit in the memory allowed.
    #[error(
        "checking {subspace} takes {needed} MiB of memory, allowed are {allowed} MiB; \
         give it more with --memory, or check a --sample"
    )]
    Memory {
        /// The subspace.
        subspace: Subspace,
        /// Its need, in MiB.
        needed: u64,
        /// The limit, in MiB.
        allowed: u64,
    },
    /// A table is missing or cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// How many faults a report lists.
const LISTED: usize = 10;

/// Checks one subspace on a shelf. `memory`: the most bytes that decoded tables may take.
pub fn verify(
    space: &Space,
    shelf: &Shelf,
    subspace: Subspace,
    scope: Scope,
    memory: u64,
    watch: &dyn Watch,
) -> Result<Report, VerifyError> {
    let planes = open(space, shelf, subspace, scope, memory)?;
    let values = match shelf.table(subspace, Metric::Wdl) {
        Ok(table) if planes[&subspace].has_depths() => {
            Some(Plane::open(space, table, scope == Scope::All)?)
        }
        Ok(_) | Err(TableError::Missing { .. }) => None,
        Err(error) => return Err(error.into()),
    };
    let check = Check { space, subspace, planes: &planes, values };
    let entries = space.index(subspace).entries();
    let amount = match scope {
        Scope::All => entries,
        Scope::Sample { entries: wanted, .. } => wanted,
    };
    let wrong = AtomicU64::new(0);
    let faults = Mutex::new(Vec::new());
    let chunks = (0..amount.div_ceil(CHUNK)).into_par_iter();
    chunks.try_for_each_init(Vec::new, |turns, chunk| {
        if watch.interrupted() {
            return Err(VerifyError::Interrupted);
        }
        let part = chunk * CHUNK..amount.min((chunk + 1) * CHUNK);
        watch.checked(part.end - part.start);
        for number in part {
            let entry = match scope {
                Scope::All => number,
                Scope::Sample { seed, .. } => draw(seed, number, entries),
            };
            if let Some(fault) = check.entry(entry, turns)? {
                wrong.fetch_add(1, Relaxed);
                note(&mut faults.lock().expect("no thread panics while it notes a fault"), fault);
            }
        }
        Ok(())
    })?;
    Ok(Report {
        subspace,
        checked: amount,
        wrong: wrong.into_inner(),
        faults: faults.into_inner().expect("all threads are done"),
        proves: planes.values().all(Plane::has_depths),
    })
}

/// Keeps the first faults by entry number, whatever order threads find them in.
fn note(faults: &mut Vec<Fault>, fault: Fault) {
    let place = faults.partition_point(|other| other.entry <= fault.entry);
    faults.insert(place, fault);
    faults.truncate(LISTED);
}

/// The `number`-th entry that a seed draws (splitmix64, scaled to the range).
fn draw(seed: u64, number: u64, entries: u64) -> u64 {
    let mut z = seed.wrapping_add((number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^= z >> 31;
    ((u128::from(z) * u128::from(entries)) >> 64) as u64
}

/// Opens the subspace and all that its turns lead to, or names the first that is missing.
fn open(
    space: &Space,
    shelf: &Shelf,
    subspace: Subspace,
    scope: Scope,
    memory: u64,
) -> Result<HashMap<Subspace, Plane>, VerifyError> {
    let mut needed = vec![subspace];
    needed.extend(dependencies(space.rules(), subspace));
    if quiet_turns(space.rules(), subspace) && subspace.twin() != subspace {
        needed.push(subspace.twin());
    }
    let tables: Result<Vec<_>, TableError> = needed.iter().map(|s| shelf.find(*s)).collect();
    let tables = tables?;
    let whole = scope == Scope::All;
    if whole {
        let bytes = |table: &crate::table::Table| {
            table.entries() * u64::from(table.header().width).div_ceil(8)
        };
        let needed = tables.iter().map(bytes).sum::<u64>() + tables[0].entries();
        if needed > memory {
            let (needed, allowed) = (needed.div_ceil(1 << 20), memory >> 20);
            return Err(VerifyError::Memory { subspace, needed, allowed });
        }
    }
    let mut planes = HashMap::new();
    for (subspace, table) in needed.into_iter().zip(tables) {
        planes.insert(subspace, Plane::open(space, table, whole)?);
    }
    Ok(planes)
}

struct Check<'a> {
    space: &'a Space,
    subspace: Subspace,
    planes: &'a HashMap<Subspace, Plane>,
    /// The plane of values, where the one of depths is what is checked first.
    values: Option<Plane>,
}

impl Check<'_> {
    fn entry(&self, entry: u64, turns: &mut Vec<Turn>) -> Result<Option<Fault>, TableError> {
        let plane = &self.planes[&self.subspace];
        let stored = plane.stored(entry)?;
        let position = plane.index().arrangement(entry);
        let derived = self.derive(&position, turns)?;
        let agree = match (stored.outcome, derived.outcome) {
            (Some(stored), Some(derived)) => stored == derived,
            _ => stored.value == derived.value,
        };
        if !agree {
            let metric = if plane.has_depths() { Metric::Dtw } else { Metric::Wdl };
            return Ok(Some(Fault { entry, position, metric, stored, derived }));
        }
        let Some(values) = &self.values else { return Ok(None) };
        let value = values.stored(entry)?;
        let fault = Fault { entry, position, metric: Metric::Wdl, stored: value, derived: stored };
        Ok((value.value != stored.value).then_some(fault))
    }

    /// One forward step: the best of the turns, from the stored values of what they lead to.
    fn derive(&self, position: &Position, turns: &mut Vec<Turn>) -> Result<Stored, TableError> {
        let rules = self.space.rules();
        if let Some(ending) = rules.ending(position) {
            return Ok(ending.outcome().into());
        }
        rules.turns_into(position, turns);
        let mut value = Value::Loss;
        let mut outcome: Option<Outcome> = None;
        let mut depths_known = true;
        for turn in turns.iter() {
            let stored = self.after(&rules.play(position, turn))?;
            value = value.max(stored.value.opposite());
            match stored.outcome.map(Outcome::before) {
                None => depths_known = false,
                Some(this) => {
                    let better = outcome.is_none_or(|best| this.preference() > best.preference());
                    outcome = if better { Some(this) } else { outcome };
                }
            }
        }
        Ok(Stored { value, outcome: outcome.filter(|_| depths_known) })
    }

    fn after(&self, position: &Position) -> Result<Stored, TableError> {
        if self.space.rules().too_few(position.mover_total()) {
            return Ok(Outcome::LOST.into());
        }
        let plane = &self.planes[&Subspace::of(position)];
        plane.stored(plane.index().entry(position))
    }
}
