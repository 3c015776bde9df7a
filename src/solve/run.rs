//! Carries out a plan on this machine: unit after unit, each written to the shelf while the next is
//! being solved.

use super::pending::Pending;
use super::plan::{Plan, Planned, cache_bytes, prepare, wide_memory};
use super::saved::Saver;
use super::shelved::Shelved;
use super::unit::{Finished, Observer, Solution, SolveError, solve_saving};
use crate::space::{Space, Subspace};
use crate::table::{Header, Shelf, TableError};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;
use thiserror::Error;

/// What a run may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most bytes of memory; `u64::MAX`: no limit.
    pub memory: u64,
    /// How often the state of a unit in progress is saved on the shelf; `None`: never.
    pub save_every: Option<Duration>,
}

impl Limits {
    /// How often a unit in progress is saved unless something else is asked for.
    pub const SAVE_EVERY: Duration = Duration::from_secs(180);
}

impl Default for Limits {
    /// As much memory as there is; saved as often as is usual.
    fn default() -> Limits {
        Limits { memory: u64::MAX, save_every: Some(Limits::SAVE_EVERY) }
    }
}

/// Is told how a run goes, unit by unit. A unit is written while the next one is solved, so what
/// is told of two units may mix.
pub trait RunObserver: Observer {
    /// The plan has been held against the shelf; these units remain.
    fn begins(&self, remaining: &[&Planned]) {
        let _ = remaining;
    }

    /// A unit is begun.
    fn unit_begins(&self, planned: &Planned) {
        let _ = planned;
    }

    /// It is solved, and is written or waits for that.
    fn unit_writes(&self, planned: &Planned) {
        let _ = planned;
    }

    /// Its tables are on the shelf.
    fn unit_ends(&self, planned: &Planned, tables: &[(String, Header)]) {
        let _ = (planned, tables);
    }

    /// Something that somebody should know: a saved state that cannot be used, or not be written.
    fn note(&self, what: &str) {
        let _ = what;
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
        // Left by a run that was killed after its last table. It may stay where it cannot be removed.
        if shelf.is_untidy()
            && let Ok(lock) = shelf.lock()
        {
            let _ = shelf.tidy(&lock);
        }
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
    let most = remaining.iter().map(|planned| planned.memory).max().unwrap_or(0);
    let pending = Pending::new(shelf, observer, most.min(limits.memory));
    let run = Run { space, shelf, limits, observer, pending: &pending };
    let one_after_the_other = || {
        run.solve_all(&remaining, || {
            pending.write_waiting();
        })
    };
    let solved = match rayon::current_thread_index() {
        // A thread beside a pool could not use it.
        Some(_) => one_after_the_other(),
        None => thread::scope(|scope| {
            match thread::Builder::new().spawn_scoped(scope, || pending.write_all()) {
                Ok(_) => {
                    let _closing = pending.closing();
                    run.solve_all(&remaining, || ())
                }
                // The system has no more threads to give.
                Err(_) => one_after_the_other(),
            }
        }),
    };
    // Where writing failed, solving was stopped for that.
    done.written = pending.written()?;
    solved?;
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

/// What the units of a run have in common.
struct Run<'r, 'a> {
    space: &'r Space,
    shelf: &'r Shelf,
    limits: Limits,
    observer: &'r dyn RunObserver,
    pending: &'r Pending<'a>,
}

impl<'a> Run<'_, 'a> {
    fn solve_all(&self, remaining: &[&'a Planned], handed_over: impl Fn()) -> Result<(), RunError> {
        for planned in remaining {
            self.pending.wait_for_room(planned.memory);
            if self.pending.failed() || self.observer.interrupted() {
                return Err(RunError::Interrupted);
            }
            self.observer.unit_begins(planned);
            let solution = self.solve_unit(planned)?;
            if self.observer.interrupted() {
                return Err(RunError::Interrupted);
            }
            self.observer.unit_writes(planned);
            self.pending.put(planned, solution);
            handed_over();
        }
        Ok(())
    }

    fn solve_unit(&self, planned: &Planned) -> Result<Solution, RunError> {
        prepare(self.space, planned.unit);
        let waiting = |subspace| self.pending.find(subspace);
        let finished = Shelved::new(self.shelf, cache_bytes(planned)).before(&waiting);
        let watch = Watch { run: self, planned, refused: AtomicBool::new(false) };
        let note = |what: &str| self.observer.note(what);
        let saver = |every| Saver::new(self.shelf, planned.unit, every, &note);
        let saver = self.limits.save_every.map(saver);
        let finished: &dyn Finished = &finished;
        let solution = solve_saving(self.space, planned.unit, finished, &watch, saver.as_ref());
        if watch.refused.load(Relaxed) {
            allow(planned, wide_memory(planned), self.limits, " with 16 bits a depth")?;
        }
        Ok(solution?)
    }
}

/// Stops a unit where the tables before it cannot be written, and one that turns out to need
/// 16 bits a depth where memory does not allow it.
struct Watch<'r, 'a> {
    run: &'r Run<'r, 'a>,
    planned: &'r Planned,
    refused: AtomicBool,
}

impl Observer for Watch<'_, '_> {
    fn scanned(&self, entries: u64) {
        self.run.observer.scanned(entries);
    }

    fn layer(&self, depth: usize) {
        self.run.observer.layer(depth);
    }

    fn widened(&self) {
        let needed = wide_memory(self.planned);
        self.refused.store(needed > self.run.limits.memory, Relaxed);
        self.run.observer.widened();
        self.run.pending.wait_for_room(needed);
    }

    fn interrupted(&self) -> bool {
        self.refused.load(Relaxed) || self.run.pending.failed() || self.run.observer.interrupted()
    }
}
