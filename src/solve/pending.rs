//! Solved units on their way to the shelf: written by a thread of their own while the next unit is
//! being solved.
//!
//! The work of packing is done by the same pool as the solving, so what is gained is waiting:
//! syncs and renames of hundreds of small files, and the stretches of either side that keep one
//! thread busy. Whatever waits when the writer comes back goes to the shelf in one go.
//!
//! Beware: a unit that waits is memory. It may wait only where it fits, together with the need of
//! the next unit, into what the largest unit of the plan takes anyway (and into the limit): so the
//! forecast of the plan stays what it is, and a smaller limit only makes the solver wait.

use super::plan::Planned;
use super::run::RunObserver;
use super::unit::{Solution, Solved};
use super::width::CodeVec;
use crate::space::Subspace;
use crate::table::{self, Codes, Header, Shelf, TableError};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

/// Solved units that are not on the shelf yet.
pub(super) struct Pending<'a> {
    shelf: &'a Shelf,
    observer: &'a dyn RunObserver,
    /// The most bytes that waiting units and the one that is solved may take together.
    allowed: u64,
    state: Mutex<State<'a>>,
    changed: Condvar,
}

#[derive(Default)]
struct State<'a> {
    /// In the order in which they were solved; they stay here while they are written.
    held: Vec<Held<'a>>,
    written: Vec<(String, Header)>,
    failed: Option<TableError>,
    /// Nothing more will come.
    closed: bool,
    /// Nothing more will be written.
    ended: bool,
}

#[derive(Clone)]
struct Held<'a> {
    planned: &'a Planned,
    solution: Arc<Solution>,
}

impl Held<'_> {
    fn bytes(&self) -> u64 {
        let bytes = |solved: &Solved| match &solved.codes {
            CodeVec::Narrow(codes) => codes.len() as u64,
            CodeVec::Wide(codes) => 2 * codes.len() as u64,
        };
        self.solution.iter().map(bytes).sum()
    }
}

impl<'a> Pending<'a> {
    pub fn new(shelf: &'a Shelf, observer: &'a dyn RunObserver, allowed: u64) -> Pending<'a> {
        let (state, changed) = (Mutex::default(), Condvar::new());
        Pending { shelf, observer, allowed, state, changed }
    }

    fn state(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().expect("no thread panics while it holds the waiting units")
    }

    /// The solution that a subspace is part of, if it waits. What does not is on the shelf.
    pub fn find(&self, subspace: Subspace) -> Option<Arc<Solution>> {
        let state = self.state();
        let of = |held: &&Held<'_>| held.planned.unit.subspaces().any(|s| s == subspace);
        state.held.iter().find(of).map(|held| held.solution.clone())
    }

    /// Whether writing has failed.
    pub fn failed(&self) -> bool {
        self.state().failed.is_some()
    }

    /// Returns when a unit that needs so many bytes may be solved besides what waits.
    pub fn wait_for_room(&self, need: u64) {
        let full = |state: &mut State<'_>| {
            let held: u64 = state.held.iter().map(Held::bytes).sum();
            !state.ended && held > 0 && held.saturating_add(need) > self.allowed
        };
        let state = self.changed.wait_while(self.state(), full);
        drop(state.expect("no thread panics while it holds the waiting units"));
    }

    /// Hands over a solved unit.
    pub fn put(&self, planned: &'a Planned, solution: Solution) {
        self.state().held.push(Held { planned, solution: Arc::new(solution) });
        self.changed.notify_all();
    }

    /// Writes what is handed over until nothing more will come, or writing fails.
    pub fn write_all(&self) {
        let _end = AtEnd(|| {
            self.state().ended = true;
            self.changed.notify_all();
        });
        loop {
            let idle = |state: &mut State<'_>| state.held.is_empty() && !state.closed;
            let state = self.changed.wait_while(self.state(), idle);
            let state = state.expect("no thread panics while it holds the waiting units");
            if state.held.is_empty() {
                return;
            }
            drop(state);
            if !self.write_waiting() {
                return;
            }
        }
    }

    /// Writes what waits now; says whether that went well.
    pub fn write_waiting(&self) -> bool {
        let group: Vec<Held<'a>> = self.state().held.clone();
        let solved = group.iter().flat_map(|held| held.solution.iter());
        let solved: Vec<_> = solved.map(to_store).collect();
        let result = self.shelf.write_all(&solved);
        let mut files = match result {
            Ok(written) => written.files,
            Err(error) => {
                let mut state = self.state();
                state.failed = Some(error);
                state.held.clear();
                return false;
            }
        };
        for held in &group {
            let unit = held.planned.unit;
            let is_part = |header: &Header| unit.subspaces().any(|s| s == header.subspace);
            let mine: Vec<_> =
                files.iter().filter(|(_, header)| is_part(header)).cloned().collect();
            self.shelf.remove_scratch(unit.subspace);
            self.observer.unit_ends(held.planned, &mine);
        }
        let mut state = self.state();
        state.held.drain(..group.len());
        state.written.append(&mut files);
        self.changed.notify_all();
        true
    }

    /// Says that nothing more will come, when the value that is returned is dropped.
    pub fn closing(&self) -> impl Drop + use<'_, 'a> {
        AtEnd(|| {
            self.state().closed = true;
            self.changed.notify_all();
        })
    }

    /// What was written, or why not all was.
    pub fn written(&self) -> Result<Vec<(String, Header)>, TableError> {
        let state = std::mem::take(&mut *self.state());
        state.failed.map_or(Ok(state.written), Err)
    }
}

fn to_store(solved: &Solved) -> table::Solved<'_> {
    let codes = match &solved.codes {
        CodeVec::Narrow(codes) => Codes::Narrow(codes),
        CodeVec::Wide(codes) => Codes::Wide(codes),
    };
    table::Solved { subspace: solved.subspace, codes, census: &solved.census }
}

/// Does something when it is dropped, a panic included: the other side must not wait for ever.
struct AtEnd<F: FnMut()>(F);

impl<F: FnMut()> Drop for AtEnd<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}
