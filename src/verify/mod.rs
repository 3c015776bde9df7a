//! Proof: every stored value and depth is held against one forward step from the stored values of
//! the positions it leads to.
//!
//! If all agree and depths are exact, then by induction on the depth every decided value is right;
//! draws are what is left where no depth can be assigned. The turns come from [`crate::rules`], one
//! position at a time; with the solver this shares rules and index and nothing else. Where only
//! values are at hand the step is still checked, but it is no proof, and the report says so.

mod planes;
mod rows;

use crate::rules::{Position, Turn};
#[cfg(target_arch = "x86_64")]
use crate::space::bits::Bmi2;
use crate::space::bits::{Bits, Portable, Task};
use crate::space::{Space, Subspace, dependencies, quiet_turns};
use crate::table::{Metric, Shelf, Stored, Table, TableError, census};
use crate::value::{Code, Outcome, Value};
use planes::Plane;
use rayon::prelude::*;
use rows::{Decoded, OneRow, RowCheck, WrongEntry};
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
    let needed = needed(space, subspace);
    let tables: Result<Vec<Table>, TableError> = needed.iter().map(|s| shelf.find(*s)).collect();
    let tables = tables?;
    let values = match shelf.table(subspace, Metric::Wdl) {
        Ok(table) if tables[0].header().metric == Metric::Dtw => Some(table),
        Ok(_) | Err(TableError::Missing { .. }) => None,
        Err(error) => return Err(error.into()),
    };
    let proves = tables.iter().all(|table| table.header().metric == Metric::Dtw);
    let faults = Faults::default();
    if scope == Scope::All {
        allow(subspace, &tables, memory)?;
    }
    let checked = if scope == Scope::All && tables.iter().all(planes::is_narrow) {
        by_rows(space, subspace, &tables, values, &faults, watch)?
    } else {
        by_entries(space, subspace, tables, values, scope, &faults, watch)?
    };
    Ok(Report {
        subspace,
        checked,
        wrong: faults.wrong.into_inner(),
        faults: faults.first.into_inner().expect("all threads are done"),
        proves,
    })
}

/// Everything in one go, where depths of 8 bits are at hand: see [`rows`].
fn by_rows(
    space: &Space,
    subspace: Subspace,
    tables: &[Table],
    values: Option<Table>,
    faults: &Faults,
    watch: &dyn Watch,
) -> Result<u64, VerifyError> {
    let mut decoded = HashMap::new();
    for table in tables {
        decoded.insert(table.header().subspace, planes::decode(space, table)?);
    }
    let check = RowCheck::new(space, subspace, &decoded);
    let own = &decoded[&subspace];
    let entries = own.index.entries();
    let (rows, _) = check.size();
    let report = |wrong: &[WrongEntry]| {
        for (entry, stored, derived) in wrong {
            let outcome = |code: &u16| code.decode().unwrap_or(Outcome::Draw).into();
            faults.note(Fault {
                entry: *entry,
                position: own.index.arrangement(*entry),
                metric: Metric::Dtw,
                stored: outcome(stored),
                derived: outcome(derived),
            });
        }
    };
    // The rows hold the entries between them, in another order: what is told of the progress is
    // their share.
    let share = |row: usize| (row as u64 * entries) / rows as u64;
    (0..rows).into_par_iter().try_for_each_init(Vec::new, |wrong, class| {
        if watch.interrupted() {
            return Err(VerifyError::Interrupted);
        }
        wrong.clear();
        best_way(OneRow { check: &check, class, wrong });
        report(wrong);
        watch.checked(share(class + 1) - share(class));
        Ok(())
    })?;
    if let Some(table) = &values {
        compare_values(table, own, faults)?;
    }
    if faults.wrong.load(Relaxed) == 0 {
        recount(space, own, std::iter::once(&tables[0]).chain(&values))?;
    }
    Ok(entries)
}

/// Holds the counts in the headers against entries that were found right.
fn recount<'t>(
    space: &Space,
    own: &Decoded,
    tables: impl Iterator<Item = &'t Table>,
) -> Result<(), TableError> {
    let counted = census(space, &own.index, &own.codes);
    for table in tables {
        let stored = table.header().census;
        if stored != counted {
            let what = format!("its header counts {stored:?}, its entries give {counted:?}");
            return Err(TableError::Damaged { file: table.file().to_owned(), what });
        }
    }
    Ok(())
}

/// Runs a task the fastest way that the processor has.
fn best_way<T: Task>(task: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(bmi2) = Bmi2::detect() {
        return bmi2.run(task);
    }
    Portable.run(task)
}

/// Holds the plane of values against that of depths.
fn compare_values(table: &Table, own: &Decoded, faults: &Faults) -> Result<(), TableError> {
    let size = table.block_entries() as usize;
    let blocks = own.codes.par_chunks(size).enumerate();
    blocks.try_for_each(|(number, codes)| {
        let block = table.block(number)?;
        for (place, code) in codes.iter().enumerate() {
            let derived = code.decode().expect("a decoded block holds no code 0").into();
            let stored = block.stored(place);
            let Stored { value, .. } = derived;
            if stored.value != value {
                let entry = (number * size + place) as u64;
                let position = own.index.arrangement(entry);
                faults.note(Fault { entry, position, metric: Metric::Wdl, stored, derived });
            }
        }
        Ok(())
    })
}

/// Entry by entry, whatever is at hand.
fn by_entries(
    space: &Space,
    subspace: Subspace,
    tables: Vec<Table>,
    values: Option<Table>,
    scope: Scope,
    faults: &Faults,
    watch: &dyn Watch,
) -> Result<u64, VerifyError> {
    let whole = scope == Scope::All;
    let entries = tables[0].entries();
    let mut planes = HashMap::new();
    for table in tables {
        planes.insert(table.header().subspace, Plane::open(space, table, whole)?);
    }
    let values = values.map(|table| Plane::open(space, table, whole)).transpose()?;
    let check = Check { space, subspace, planes: &planes, values };
    let amount = match scope {
        Scope::All => entries,
        Scope::Sample { entries: wanted, .. } => wanted,
    };
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
                faults.note(fault);
            }
        }
        Ok(())
    })?;
    Ok(amount)
}

/// The faults found so far: how many, and the first by entry number, whatever order threads find
/// them in.
#[derive(Default)]
struct Faults {
    wrong: AtomicU64,
    first: Mutex<Vec<Fault>>,
}

impl Faults {
    fn note(&self, fault: Fault) {
        self.wrong.fetch_add(1, Relaxed);
        let mut first = self.first.lock().expect("no thread panics while it notes a fault");
        let place = first.partition_point(|other| other.entry <= fault.entry);
        first.insert(place, fault);
        first.truncate(LISTED);
    }
}

/// The `number`-th entry that a seed draws (splitmix64, scaled to the range).
fn draw(seed: u64, number: u64, entries: u64) -> u64 {
    let mut z = seed.wrapping_add((number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^= z >> 31;
    ((u128::from(z) * u128::from(entries)) >> 64) as u64
}

/// The subspace and all that its turns lead to.
fn needed(space: &Space, subspace: Subspace) -> Vec<Subspace> {
    let mut needed = vec![subspace];
    needed.extend(dependencies(space.rules(), subspace));
    if quiet_turns(space.rules(), subspace) && subspace.twin() != subspace {
        needed.push(subspace.twin());
    }
    needed
}

/// Whether the decoded tables fit into `memory` bytes.
fn allow(subspace: Subspace, tables: &[Table], memory: u64) -> Result<(), VerifyError> {
    let bytes = |table: &Table| table.entries() * u64::from(table.header().width).div_ceil(8);
    let needed = tables.iter().map(bytes).sum::<u64>() + tables[0].entries();
    if needed <= memory {
        return Ok(());
    }
    let (needed, allowed) = (needed.div_ceil(1 << 20), memory >> 20);
    Err(VerifyError::Memory { subspace, needed, allowed })
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
