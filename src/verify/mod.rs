//! Proof: every stored value and depth is held against one forward step from the stored values of
//! the positions it leads to.
//!
//! If all agree and depths are exact, then by induction on the depth every decided value is right;
//! draws are what is left where no depth can be assigned. The turns come from [`crate::rules`], one
//! position at a time; with the solver this shares rules and index and nothing else. Where only
//! values are at hand the step is still checked, but it is no proof, and the report says so.

mod compare;
mod entries;
mod ground;
mod landing;
mod planes;
mod rows;
mod vector;

use crate::rules::Position;
#[cfg(target_arch = "x86_64")]
use crate::space::bits::Bmi2;
use crate::space::bits::{Bits, Portable, Task};
use crate::space::{Space, Subspace, dependencies, quiet_turns};
use crate::table::{Block, Codes, Metric, Shelf, Stored, Table, TableError, census};
use crate::value::{Code, Outcome};
use entries::by_entries;
use planes::Decoded;
use rayon::prelude::*;
use rows::{OneRow, Room, RowCheck, WrongEntry};
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use thiserror::Error;
use vector::Way;

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

/// How all entries are checked. The answers are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Row by row with what the processor has, where depths of 8 bits are at hand; else one by one.
    Fastest,
    /// The same without the instructions that only some processors have.
    Portable,
    /// One by one.
    Plain,
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
    verify_at(Pace::Fastest, space, shelf, subspace, scope, memory, watch)
}

/// As [`verify`], in a way that is asked for.
pub fn verify_at(
    pace: Pace,
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
    let by_row = scope == Scope::All && pace != Pace::Plain;
    let checked = if by_row && tables.iter().all(planes::is_narrow) {
        by_rows(pace, space, subspace, &tables, values, &faults, watch)?
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
    pace: Pace,
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
    let way = if pace == Pace::Portable { Way::Portable } else { Way::best() };
    let check = RowCheck::new(space, subspace, &decoded, way);
    let own = &decoded[&subspace];
    let entries = own.index.entries();
    let rows = check.rows();
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
    type Work = (Room, Vec<WrongEntry>);
    (0..rows).into_par_iter().try_for_each_init(Work::default, |(room, wrong), class| {
        if watch.interrupted() {
            return Err(VerifyError::Interrupted);
        }
        wrong.clear();
        let row = OneRow { check: &check, class, room, wrong };
        match pace {
            Pace::Portable => Portable.run(row),
            _ => best_way(row),
        }
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
        if matches!(&block, Block::Values(held) if **held == *Codes::Narrow(codes).values()) {
            return Ok(());
        }
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
