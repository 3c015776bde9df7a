//! Carries out a plan on this machine: unit after unit, each written to the shelf before the next.

use super::plan::{Plan, Planned, cache_bytes, prepare, wide_memory};
use super::shelved::Shelved;
use super::unit::{Finished, Observer, SolveError, solve};
use super::width::CodeVec;
use crate::space::{Space, Subspace};
use crate::table::{Codes, Header, Shelf, Solved, TableError};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use thiserror::Error;

/// What a run may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most bytes of memory; `u64::MAX`: no limit.
    pub memory: u64,
}

/// Is told how a run goes, unit by unit.
pub trait RunObserver: Observer {
    /// The plan has been held against the shelf; these units remain.
    fn begins(&self, remaining: &[&Planned]) {
        let _ = remaining;
    }

    /// A unit is begun.
    fn unit_begins(&self, planned: &Planned) {
        let _ = planned;
    }

    /// Its solution is being written.
    fn unit_writes(&self, planned: &Planned) {
        let _ = planned;
    }

    /// Its tables are on the shelf.
    fn unit_ends(&self, planned: &Planned, tables: &[(String, Header)]) {
        let _ = (planned, tables);
    }
}

impl RunObserver for () {}

/// Why a run ended early. What was finished before is on the shelf.
#[derive(Debug, Error)]
pub enum RunError {
    /// The observer asked to stop.
    #[error("interrupted; the same command goes on from the last finished table")]
    Interrupted,
    /// A unit needs more memory than is allowed.
    #[error(
        "{subspace} needs {needed} MiB of memory{width}, allowed are {allowed} MiB; \
         give it more with --memory, or leave it out"
    )]
    Memory {
        /// The unit.
        subspace: Subspace,
        /// Its need, in MiB.
        needed: u64,
        /// The limit, in MiB.
        allowed: u64,
        /// Says so where 8 bits a depth did not do.
        width: &'static str,
    },
    /// The unit could not be solved.
    #[error(transparent)]
    Solve(SolveError),
    /// A table could not be read or written.
    #[error(transparent)]
    Table(#[from] TableError),
}

impl From<SolveError> for RunError {
    fn from(error: SolveError) -> RunError {
        match error {
            SolveError::Interrupted => RunError::Interrupted,
            SolveError::Table(error) => RunError::Table(error),
            error => RunError::Solve(error),
        }
    }
}

/// What a run did.
#[derive(Clone, Debug, Default)]
pub struct Generated {
    /// The files that were written, with what their headers say.
    pub written: Vec<(String, Header)>,
    /// Subspaces that were on the shelf already.
    pub held: usize,
}

/// Solves the units of a plan that are not on the shelf yet.
pub fn generate(
    space: &Space,
    shelf: &Shelf,
    plan: &Plan,
    limits: Limits,
    observer: &dyn RunObserver,
) -> Result<Generated, RunError> {
    let mut done = Generated::default();
    let parts = |planned: &[&Planned]| -> usize {
        planned.iter().map(|planned| planned.unit.subspaces().count()).sum()
    };
    let all: Vec<&Planned> = plan.units.iter().collect();
    // A shelf that has everything need not be one that can be written to.
    if remaining(shelf, plan)?.is_empty() {
        done.held = parts(&all);
        return Ok(done);
    }
    let lock = shelf.lock()?;
    shelf.tidy(&lock)?;
    let remaining = remaining(shelf, plan)?;
    done.held = parts(&all) - parts(&remaining);
    for planned in &remaining {
        allow(planned, planned.memory, limits, "")?;
    }
    observer.begins(&remaining);
    for planned in remaining {
        observer.unit_begins(planned);
        let solution = solve_unit(space, shelf, planned, limits, observer)?;
        if observer.interrupted() {
            return Err(RunError::Interrupted);
        }
        observer.unit_writes(planned);
        let solved: Vec<_> = solution.iter().map(to_store).collect();
        let written = shelf.write_all(&solved)?.files;
        observer.unit_ends(planned, &written);
        done.written.extend(written);
    }
    Ok(done)
}

/// The units of which a table is not on the shelf yet.
fn remaining<'p>(shelf: &Shelf, plan: &'p Plan) -> Result<Vec<&'p Planned>, TableError> {
    let mut remaining = Vec::new();
    for planned in &plan.units {
        let mut finished = true;
        for subspace in planned.unit.subspaces() {
            finished &= shelf.is_finished(subspace)?;
        }
        if !finished {
            remaining.push(planned);
        }
    }
    Ok(remaining)
}

fn to_store(solved: &super::unit::Solved) -> Solved<'_> {
    let codes = match &solved.codes {
        CodeVec::Narrow(codes) => Codes::Narrow(codes),
        CodeVec::Wide(codes) => Codes::Wide(codes),
    };
    Solved { subspace: solved.subspace, codes, census: &solved.census }
}

fn allow(
    planned: &Planned,
    needed: u64,
    limits: Limits,
    width: &'static str,
) -> Result<(), RunError> {
    if needed <= limits.memory {
        return Ok(());
    }
    Err(RunError::Memory {
        subspace: planned.unit.subspace,
        needed: needed.div_ceil(1 << 20),
        allowed: limits.memory >> 20,
        width,
    })
}

fn solve_unit(
    space: &Space,
    shelf: &Shelf,
    planned: &Planned,
    limits: Limits,
    observer: &dyn RunObserver,
) -> Result<super::unit::Solution, RunError> {
    prepare(space, planned.unit);
    let finished = Shelved::new(shelf, cache_bytes(planned));
    let watch = Widening { observer, planned, limits, refused: AtomicBool::new(false) };
    let solution = solve(space, planned.unit, &finished as &dyn Finished, &watch);
    if watch.refused.load(Relaxed) {
        allow(planned, wide_memory(planned), limits, " with 16 bits a depth")?;
    }
    Ok(solution?)
}

/// Stops a unit that turns out to need 16 bits a depth where memory does not allow it.
struct Widening<'a> {
    observer: &'a dyn RunObserver,
    planned: &'a Planned,
    limits: Limits,
    refused: AtomicBool,
}

impl Observer for Widening<'_> {
    fn scanned(&self, entries: u64) {
        self.observer.scanned(entries);
    }

    fn layer(&self, depth: usize) {
        self.observer.layer(depth);
    }

    fn widened(&self) {
        self.refused.store(wide_memory(self.planned) > self.limits.memory, Relaxed);
        self.observer.widened();
    }

    fn interrupted(&self) -> bool {
        self.refused.load(Relaxed) || self.observer.interrupted()
    }
}
