//! Carries the steps out for one unit, on all threads of the current rayon pool.
//!
//! The work is cut into slices of about a second, between which it can be stopped and saved: a
//! slice that is over leaves the rows that it has not come to as they are. What is saved is the
//! working layout and which rows are still to be looked at; everything else follows from it.

use super::forward::Forward;
use super::part::Part;
use super::saved::{Progress, Saved, Slice};
use super::unit::{Solution, SolveError, Solved, Task, Ways};
use super::width::{RowBuffer, Width};
use crate::board::PointSet;
use crate::space::bits::Bits;
use crate::space::quiet_turns;
use crate::table::census;

/// A unit being solved.
pub(super) struct Work<'a, C: Width, B: Bits> {
    task: Task<'a>,
    points: PointSet,
    parts: Vec<Part<C>>,
    ways: Ways<B>,
}

impl<'a, C: Width, B: Bits> Work<'a, C, B> {
    pub fn new(task: Task<'a>, ways: Ways<B>) -> Self {
        let points = task.space.rules().board.points();
        let parts = task.unit.subspaces().map(|s| Part::new(task.space, s)).collect();
        Work { task, points, parts, ways }
    }

    /// Takes up what was saved. After an error nothing here is to be used.
    pub fn restore(&mut self, saved: &Saved) -> Result<Progress, String> {
        let mut rows: Vec<Vec<u8>> = self.parts.iter().map(|part| part.rows(saved.at())).collect();
        let parts = self.parts.iter_mut().zip(&mut rows);
        let streams = parts.flat_map(|(part, rows)| {
            let Part { best, open, .. } = part;
            [C::buffer(best), RowBuffer::Narrow(open), RowBuffer::Narrow(rows)]
        });
        saved.read(streams.collect())?;
        for (part, rows) in self.parts.iter_mut().zip(&rows) {
            part.restore(saved.at(), rows)?;
            if let Progress::Scan = saved.at() {
                self.task.observer.scanned(part.scanned_entries());
            }
        }
        Ok(saved.at())
    }

    fn save(&self, at: Progress) {
        let Some(saver) = self.task.saver else { return };
        let rows: Vec<Vec<u8>> = self.parts.iter().map(|part| part.rows(at)).collect();
        let parts = self.parts.iter().zip(&rows);
        let streams = parts.flat_map(|(part, rows)| {
            [C::codes(&part.best), part.open.as_slice().into(), rows.as_slice().into()]
        });
        saver.save(C::BITS, at, &streams.collect::<Vec<_>>());
    }

    /// What is done between two slices.
    fn pause(&self, at: Progress) -> Result<(), SolveError> {
        if self.task.saver.is_some_and(|saver| saver.is_due()) {
            self.save(at);
        }
        match self.task.observer.interrupted() {
            true => Err(SolveError::Interrupted),
            false => Ok(()),
        }
    }

    fn slice(&self) -> Slice {
        self.task.saver.map_or(Slice::endless(), |saver| saver.slice())
    }

    pub fn run(mut self, from: Option<Progress>) -> Result<Solution, SolveError> {
        let Task { space, finished, observer, .. } = self.task;
        for number in 0..self.parts.len() {
            if self.parts[number].is_scanned() {
                continue;
            }
            let subspace = self.parts[number].subspace;
            let forward = Forward::new(space, subspace, finished, self.ways.vector)?;
            loop {
                let slice = self.slice();
                self.parts[number].scan(&forward, self.ways.bits, observer, &slice)?;
                if !slice.is_over() || self.parts[number].is_scanned() {
                    break;
                }
                self.pause(Progress::Scan)?;
            }
        }
        // What was looked up is no longer needed; only now is the finished layout.
        finished.release();
        self.parts.iter_mut().for_each(Part::begin_finished);
        let quiet = |part: &Part<C>| quiet_turns(space.rules(), part.subspace);
        if !self.parts.iter().any(quiet) {
            // No turn stays among these subspaces, so everything is decided already.
            for part in &mut self.parts {
                part.finish_until(usize::MAX, self.points, self.ways.bits);
            }
            return Ok(self.solution());
        }
        let mut depth = 0;
        if let Some(Progress::Undo { depth: saved, news }) = from {
            for part in &mut self.parts {
                part.finish_until(saved, self.points, self.ways.bits);
            }
            self.undo_from(news, saved)?;
            depth = saved + 1;
        }
        while let Some(next) = self.next_depth(depth) {
            depth = next;
            if observer.interrupted() {
                return Err(SolveError::Interrupted);
            }
            for part in &mut self.parts {
                part.finish_depth(depth, self.points, self.ways);
            }
            self.undo_from(0, depth)?;
            depth += 1;
        }
        Ok(self.solution())
    }

    fn solution(self) -> Solution {
        let space = self.task.space;
        let solved = |part: Part<C>| {
            let Part { subspace, index, finished, .. } = part;
            let census = census(space, &index, &finished);
            Solved { subspace, codes: C::finished(finished), census }
        };
        self.parts.into_iter().map(solved).collect()
    }

    /// The first depth from `depth` on at which some entry may be decided.
    fn next_depth(&self, depth: usize) -> Option<usize> {
        self.parts.iter().filter_map(|part| part.seen.next(depth)).min()
    }

    /// Undoes the turns that lead to entries decided at `depth`, of part `news` and those after it.
    fn undo_from(&mut self, news: usize, depth: usize) -> Result<(), SolveError> {
        for news in news..self.parts.len() {
            loop {
                let slice = self.slice();
                self.undo(news, depth, &slice)?;
                if !slice.is_over() {
                    break;
                }
                self.pause(Progress::Undo { depth, news })?;
            }
        }
        self.task.observer.layer(depth);
        self.pause(Progress::Undo { depth, news: self.parts.len() - 1 })
    }

    fn undo(&mut self, news: usize, depth: usize, slice: &Slice) -> Result<(), SolveError> {
        let twin = self.parts.len() - 1 - news;
        let rules = self.task.space.rules();
        let touched = std::mem::take(&mut self.parts[news].touched);
        let codes = std::mem::take(&mut self.parts[news].finished);
        let result = self.parts[twin].undo(rules, depth, &codes, &touched, self.ways, slice);
        self.parts[news].touched = touched;
        self.parts[news].finished = codes;
        result
    }
}
