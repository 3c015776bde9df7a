//! One subspace while it is solved: its two layouts, and the steps of one pass over its rows.

use super::forward::{Forward, Scratch, is_over, manner};
use super::layers::{Marks, Seen, TooDeep, Undo, WorkingRow, mark_row};
use super::row::Row;
use super::saved::{Progress, Slice};
use super::tasks::{FinishRow, FinishWholeRow, ScanRow, UndoRow};
use super::transpose::Transpose;
use super::unit::{Observer, SolveError, Ways, can_be_had};
use super::width::Width;
use crate::board::PointSet;
use crate::rules::Rules;
use crate::space::bits::Bits;
use crate::space::{Classes, Columns, Index, Space, Subspace, quiet_turns};
use crate::value::Outcome;
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// One subspace in its working layout, later also in the finished one.
pub(super) struct Part<C> {
    pub subspace: Subspace,
    /// The rows: classes of the opponent's stones.
    classes: Arc<Classes>,
    /// The columns: the mover's stones.
    columns: Arc<Columns>,
    pub best: Vec<C>,
    pub open: Vec<u8>,
    marks: Vec<Marks>,
    /// The marks of all rows.
    pub seen: Seen,
    /// Working rows that have been scanned.
    scanned: Vec<AtomicBool>,
    pub index: Index,
    pub finished: Vec<C>,
    /// Finished rows that were written to, and from which nothing has been undone yet.
    pub touched: Vec<AtomicBool>,
}

/// Larger than anything that the usual allocator of Linux keeps for itself once it is freed.
const OWN_PAGES: usize = 33 << 20;

/// Zeros. What is freed goes back to the system: middling arrays are parts of such as would be kept
/// otherwise, which the forecast of memory knows nothing of. Pages beyond the entries are never
/// touched, so they are none.
fn zeros<C: Width>(entries: usize) -> Vec<C> {
    let bytes = entries * size_of::<C>();
    let middling = (1 << 20..OWN_PAGES).contains(&bytes);
    // Where addresses are short, they are kept.
    let room = match middling && can_be_had(2 * OWN_PAGES) {
        true => OWN_PAGES / size_of::<C>(),
        false => entries,
    };
    let mut codes = vec![C::default(); room];
    codes.truncate(entries);
    codes
}

fn unset(rows: usize) -> Vec<AtomicBool> {
    (0..rows).map(|_| AtomicBool::new(false)).collect()
}

impl<C: Width> Part<C> {
    pub fn new(space: &Space, subspace: Subspace) -> Part<C> {
        let points = space.rules().board.points();
        let (mover, opponent) = (usize::from(subspace.mover), usize::from(subspace.opponent));
        let classes = space.classes(opponent, space.by_mills(subspace));
        let columns = space.columns(points.len() - opponent, mover);
        let entries = classes.len() * columns.count();
        let index = space.index(subspace);
        Part {
            subspace,
            best: zeros(entries),
            open: zeros(entries),
            marks: vec![Marks::default(); classes.len()],
            seen: Seen::default(),
            scanned: unset(classes.len()),
            finished: Vec::new(),
            touched: unset(index.classes().len()),
            index,
            classes,
            columns,
        }
    }

    /// Whether all rows have been scanned.
    pub fn is_scanned(&self) -> bool {
        self.scanned.iter().all(|row| row.load(Relaxed))
    }

    /// Entries of the rows that have been scanned.
    pub fn scanned_entries(&self) -> u64 {
        let rows = self.scanned.iter().filter(|row| row.load(Relaxed)).count();
        (rows * self.columns.count()) as u64
    }

    /// What is to be saved of the rows: which are scanned, later which are touched.
    pub fn rows(&self, at: Progress) -> Vec<u8> {
        let rows = match at {
            Progress::Scan => &self.scanned,
            Progress::Undo { .. } => &self.touched,
        };
        rows.iter().map(|row| row.load(Relaxed).into()).collect()
    }

    /// Sets what follows from the working layout and the rows that were saved.
    pub fn restore(&mut self, at: Progress, rows: &[u8]) -> Result<(), String> {
        let into = match at {
            Progress::Scan => &mut self.scanned,
            Progress::Undo { .. } => {
                self.scanned.iter_mut().for_each(|row| *row = AtomicBool::new(true));
                &mut self.touched
            }
        };
        for (into, row) in into.iter_mut().zip(rows) {
            *into = AtomicBool::new(*row != 0);
        }
        let width = self.columns.count();
        let working = self.best.par_chunks(width).zip(self.open.par_chunks(width));
        let rows = working.zip(self.marks.par_iter_mut()).zip(&self.scanned);
        let (seen, is_scanned) = (&self.seen, |row: &AtomicBool| row.load(Relaxed));
        let marked = rows.filter(|(_, row)| is_scanned(row)).try_for_each(|(row, _)| {
            let ((best, open), marks) = row;
            mark_row(best, open, marks)?;
            seen.add(marks);
            Ok(())
        });
        marked.map_err(|TooDeep| "a depth is beyond its width".to_owned())
    }

    /// The forward scan of the rows that have not been scanned.
    pub fn scan(
        &mut self,
        forward: &Forward<'_>,
        bits: impl Bits,
        observer: &dyn Observer,
        slice: &Slice,
    ) -> Result<(), SolveError> {
        let width = self.columns.count();
        let subspace = self.subspace;
        let (classes, seen) = (&self.classes, &self.seen);
        let rows = self
            .best
            .par_chunks_mut(width)
            .zip(self.open.par_chunks_mut(width))
            .zip(self.marks.par_iter_mut())
            .zip(self.scanned.par_iter())
            .enumerate();
        rows.try_for_each_init(Scratch::new, |scratch, (class, work)| {
            let (((best, open), marks), scanned) = work;
            if scanned.load(Relaxed) || slice.is_over() {
                return Ok(());
            }
            if observer.interrupted() {
                return Err(SolveError::Interrupted);
            }
            let stones = classes.representative(class);
            let working = WorkingRow { best, open, marks: &mut *marks };
            bits.run(ScanRow { forward, class, stones, scratch, working, subspace })?;
            seen.add(marks);
            scanned.store(true, Relaxed);
            observer.scanned(width as u64);
            slice.look_at_the_clock();
            Ok(())
        })
    }

    /// Makes the finished layout, all draws.
    pub fn begin_finished(&mut self) {
        // Zeroed memory comes untouched from the system; all threads fill it.
        self.finished = zeros(self.index.entries() as usize);
        self.finished.par_chunks_mut(1 << 20).for_each(|codes| codes.fill(C::DRAW));
    }

    /// Writes everything that is decided up to `depth` to the finished layout, as no news.
    pub fn finish_until(&mut self, depth: usize, points: PointSet, bits: impl Bits) {
        let codes = C::share(&mut self.finished);
        let columns = self.columns.clone();
        let width = columns.count();
        let transpose = Transpose::<C>::new(&self.index, columns, points, codes, &self.touched);
        let transpose = &transpose;
        let rows = self.best.par_chunks(width).zip(self.open.par_chunks(width)).enumerate();
        rows.for_each_init(Vec::new, |images, (class, (best, open))| {
            let stones = self.classes.representative(class);
            bits.run(FinishWholeRow { transpose, until: depth, stones, best, open, images });
        });
    }

    /// Writes what is decided at `depth` to the finished layout.
    pub fn finish_depth(&mut self, depth: usize, points: PointSet, ways: Ways<impl Bits>) {
        let Ways { bits, vector } = ways;
        let codes = C::share(&mut self.finished);
        let columns = self.columns.clone();
        let width = columns.count();
        let transpose = Transpose::<C>::new(&self.index, columns, points, codes, &self.touched);
        let code = C::encode(Outcome::Decided(depth as u16)).expect("marks are checked to fit");
        let rows = self.best.par_chunks(width).zip(self.open.par_chunks(width));
        let rows = rows.zip(self.marks.par_iter()).enumerate();
        rows.for_each_init(
            || (Vec::new(), Vec::new()),
            |(decided, images), (class, ((best, open), marks))| {
                if !marks.has(depth) {
                    return;
                }
                let stones = self.classes.representative(class);
                let transpose = &transpose;
                bits.run(FinishRow {
                    transpose,
                    vector,
                    depth,
                    stones,
                    best,
                    open,
                    code,
                    decided,
                    images,
                });
            },
        );
    }

    /// Undoes, in the working layout, the turns that lead to the touched rows of the twin's
    /// finished layout, `codes`, as far as their entries were decided at `depth`.
    pub fn undo(
        &mut self,
        rules: &Rules,
        depth: usize,
        codes: &[C],
        touched: &[AtomicBool],
        ways: Ways<impl Bits>,
        slice: &Slice,
    ) -> Result<(), SolveError> {
        let subspace = self.subspace;
        if !quiet_turns(rules, subspace) {
            return Ok(());
        }
        let Ways { bits, vector } = ways;
        let width = self.columns.count();
        let manner = manner(rules, subspace);
        let undo = Undo { rules, manner, columns: &self.columns, vector };
        let (classes, seen) = (&self.classes, &self.seen);
        let rows = self
            .best
            .par_chunks_mut(width)
            .zip(self.open.par_chunks_mut(width))
            .zip(self.marks.par_iter_mut())
            .zip(codes.par_chunks(width))
            .zip(touched.par_iter())
            .enumerate();
        let room = || (Row::default(), Vec::new());
        let result = rows.try_for_each_init(room, |(row, columns), (class, work)| {
            let ((((best, open), marks), news), touched) = work;
            if !touched.load(Relaxed) || slice.is_over() {
                return Ok(());
            }
            touched.store(false, Relaxed);
            let stones = classes.representative(class);
            if is_over(rules, stones) {
                return Ok(());
            }
            let working = WorkingRow { best, open, marks: &mut *marks };
            bits.run(UndoRow { undo: &undo, depth, stones, news, row, columns, working })?;
            seen.add(marks);
            slice.look_at_the_clock();
            Ok(())
        });
        result.map_err(|TooDeep| SolveError::TooDeep(subspace))
    }
}
