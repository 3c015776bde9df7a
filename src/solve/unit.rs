//! Carries the steps out for one unit, on all threads of the current rayon pool.

use super::forward::{Forward, Scratch, is_over, manner};
use super::layers::{Marks, TooDeep, Undo, WorkingRow};
use super::row::Row;
use super::tasks::{FinishRow, FinishWholeRow, ScanRow, UndoRow};
use super::transpose::Transpose;
use super::vector::Avx512;
use super::width::{CodeVec, RowBuffer, Width};
use crate::board::PointSet;
#[cfg(target_arch = "x86_64")]
use crate::space::bits::Bmi2;
use crate::space::bits::{Bits, Portable};
use crate::space::{Classes, Columns, Index, Space, Subspace, Unit, quiet_turns};
use crate::table::{Census, TableError, census};
use crate::value::Outcome;
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use thiserror::Error;

/// Why a unit was not solved.
#[derive(Debug, Error)]
pub enum SolveError {
    /// The observer asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// A finished subspace that is looked up holds depths beyond 8 bits; solved again with 16.
    #[error("a subspace that is looked up has depths beyond 8 bits")]
    Wide,
    /// A depth beyond 16 bits.
    #[error("{0} has depths beyond {max} plies, more than a table can hold", max = u16::MAX)]
    TooDeep(Subspace),
    /// The machine does not give the memory that the unit takes.
    #[error(
        "{subspace} takes {mebibytes} MiB of memory in one piece, which the system refuses; \
         close other programs, lift the limit that is set (ulimit -v), or leave it out"
    )]
    Memory {
        /// The subspace.
        subspace: Subspace,
        /// What was asked for, in MiB.
        mebibytes: u64,
    },
    /// A finished subspace could not be read, or a solved one not written.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// Where the solver finds the subspaces that are solved already.
pub trait Finished: Sync {
    /// Opens a subspace; an error where it is not at hand.
    fn rows(&self, subspace: Subspace) -> Result<Box<dyn Rows + '_>, SolveError>;

    /// Is told when nothing more will be looked up for the unit, before its memory grows.
    fn release(&self) {}
}

/// The finished codes of one subspace.
pub trait Rows: Sync {
    /// Copies the codes from entry `first` on into `codes`, changed to its width;
    /// [`SolveError::Wide`] where a code does not fit.
    fn read(&self, first: u64, codes: RowBuffer<'_>) -> Result<(), SolveError>;
}

/// Is told how the work goes, and may stop it. Called from several threads.
pub trait Observer: Sync {
    /// So many more entries have been scanned.
    fn scanned(&self, entries: u64) {
        let _ = entries;
    }

    /// All entries decided at `depth` plies are known.
    fn layer(&self, depth: usize) {
        let _ = depth;
    }

    /// The unit begins anew with 16 bits a depth: entries scanned so far count for nothing.
    fn widened(&self) {}

    /// Whether to stop.
    fn interrupted(&self) -> bool {
        false
    }
}

/// Nobody watches.
impl Observer for () {}

/// A solved subspace.
#[derive(Debug)]
pub struct Solved {
    /// Which it is.
    pub subspace: Subspace,
    /// Its codes, in entry order.
    pub codes: CodeVec,
    /// Its counts.
    pub census: Census,
}

/// The solved subspaces of a unit.
pub type Solution = Vec<Solved>;

/// Solves a unit whose dependencies are `finished`: with 8 bits a depth, and again with 16 where
/// they do not do.
pub fn solve(
    space: &Space,
    unit: Unit,
    finished: &dyn Finished,
    observer: &dyn Observer,
) -> Result<Solution, SolveError> {
    #[cfg(target_arch = "x86_64")]
    if let Some(bmi2) = Bmi2::detect() {
        return solve_in(
            space,
            unit,
            finished,
            observer,
            Ways { bits: bmi2, vector: Avx512::detect() },
        );
    }
    solve_portably(space, unit, finished, observer)
}

/// As [`solve`], without asking what the processor can do: the way of plain processors, to be
/// compared with.
pub fn solve_portably(
    space: &Space,
    unit: Unit,
    finished: &dyn Finished,
    observer: &dyn Observer,
) -> Result<Solution, SolveError> {
    solve_in(space, unit, finished, observer, Ways { bits: Portable, vector: None })
}

/// What the processor has.
#[derive(Clone, Copy)]
struct Ways<B> {
    bits: B,
    vector: Option<Avx512>,
}

fn solve_in(
    space: &Space,
    unit: Unit,
    finished: &dyn Finished,
    observer: &dyn Observer,
    ways: Ways<impl Bits>,
) -> Result<Solution, SolveError> {
    match solve_as::<u8>(space, unit, finished, observer, ways) {
        Err(SolveError::Wide | SolveError::TooDeep(_)) => {
            observer.widened();
            solve_as::<u16>(space, unit, finished, observer, ways)
        }
        result => result,
    }
}

fn solve_as<C: Width>(
    space: &Space,
    unit: Unit,
    finished: &dyn Finished,
    observer: &dyn Observer,
    ways: Ways<impl Bits>,
) -> Result<Solution, SolveError> {
    let entries = |s: Subspace| space.index(s).entries();
    reserve::<C>(unit.subspace, unit.subspaces().map(entries).sum())?;
    Work::<C, _>::new(space, unit, ways).run(finished, observer)
}

/// Refuses where the system does not give the memory of a subspace, rather than being ended by it.
/// (Filling a vector that was reserved would touch every page from one thread.)
fn reserve<C>(subspace: Subspace, entries: u64) -> Result<(), SolveError> {
    let bytes = entries.saturating_mul(2 * size_of::<C>() as u64 + 1);
    let refused = SolveError::Memory { subspace, mebibytes: bytes.div_ceil(1 << 20) };
    let wanted = usize::try_from(bytes).unwrap_or(usize::MAX);
    Vec::<u8>::new().try_reserve_exact(wanted).map_err(|_| refused)
}

/// One subspace in its working layout.
struct Part<C> {
    subspace: Subspace,
    /// The rows: classes of the opponent's stones.
    classes: Arc<Classes>,
    /// The columns: the mover's stones.
    columns: Arc<Columns>,
    best: Vec<C>,
    open: Vec<u8>,
    marks: Vec<Marks>,
    index: Index,
    finished: Vec<C>,
    touched: Vec<AtomicBool>,
}

struct Work<'a, C: Width, B: Bits> {
    space: &'a Space,
    points: PointSet,
    parts: Vec<Part<C>>,
    ways: Ways<B>,
}

impl<'a, C: Width, B: Bits> Work<'a, C, B> {
    fn new(space: &'a Space, unit: Unit, ways: Ways<B>) -> Self {
        let points = space.rules().board.points();
        let part = |subspace: Subspace| {
            let (mover, opponent) = (usize::from(subspace.mover), usize::from(subspace.opponent));
            let classes = space.classes(opponent, space.by_mills(subspace));
            let columns = space.columns(points.len() - opponent, mover);
            let entries = classes.len() * columns.count();
            Part {
                subspace,
                best: vec![C::default(); entries],
                open: vec![0; entries],
                marks: vec![Marks::default(); classes.len()],
                index: space.index(subspace),
                finished: Vec::new(),
                touched: Vec::new(),
                classes,
                columns,
            }
        };
        Work { space, points, parts: unit.subspaces().map(part).collect(), ways }
    }

    fn run(
        mut self,
        finished: &dyn Finished,
        observer: &dyn Observer,
    ) -> Result<Solution, SolveError> {
        for part in &mut self.parts {
            let forward = Forward::new(self.space, part.subspace, finished, self.ways.vector)?;
            part.scan(&forward, self.ways.bits, observer)?;
        }
        // What was looked up is no longer needed; only now is the finished layout.
        finished.release();
        for part in &mut self.parts {
            // Zeroed memory comes untouched from the system; all threads fill it.
            part.finished = vec![C::default(); part.index.entries() as usize];
            part.finished.par_chunks_mut(1 << 20).for_each(|codes| codes.fill(C::DRAW));
            part.touched = part.index.classes().range().map(|_| AtomicBool::new(false)).collect();
        }
        let quiet = |part: &Part<C>| quiet_turns(self.space.rules(), part.subspace);
        if !self.parts.iter().any(quiet) {
            // No turn stays among these subspaces, so everything is decided already.
            for part in &mut self.parts {
                part.finish_all(self.points, self.ways.bits);
            }
            return Ok(self.solution());
        }
        let mut depth = 0;
        while let Some(next) = self.next_depth(depth) {
            depth = next;
            if observer.interrupted() {
                return Err(SolveError::Interrupted);
            }
            for part in &mut self.parts {
                part.finish_depth(depth, self.points, self.ways);
            }
            for mover in 0..self.parts.len() {
                self.undo(mover, depth)?;
            }
            observer.layer(depth);
            depth += 1;
        }
        Ok(self.solution())
    }

    fn solution(self) -> Solution {
        let space = self.space;
        let solved = |part: Part<C>| {
            let Part { subspace, index, finished, .. } = part;
            let census = census(space, &index, &finished);
            Solved { subspace, codes: C::finished(finished), census }
        };
        self.parts.into_iter().map(solved).collect()
    }

    /// The first depth from `depth` on at which some entry may be decided.
    fn next_depth(&self, depth: usize) -> Option<usize> {
        let marks = self.parts.iter().flat_map(|part| &part.marks);
        marks.filter_map(|marks| marks.next(depth)).min()
    }

    /// Undoes the turns that lead to entries of part `news` decided at `depth`.
    fn undo(&mut self, news: usize, depth: usize) -> Result<(), SolveError> {
        let last = self.parts.len() - 1;
        let twin = last - news;
        let rules = self.space.rules();
        let subspace = self.parts[twin].subspace;
        if !quiet_turns(rules, subspace) {
            return Ok(());
        }
        let touched = std::mem::take(&mut self.parts[news].touched);
        let codes = std::mem::take(&mut self.parts[news].finished);
        let part = &mut self.parts[twin];
        let width = part.columns.count();
        let (manner, vector) = (manner(rules, subspace), self.ways.vector);
        let undo = Undo { rules, manner, columns: &part.columns, vector };
        let classes = &part.classes;
        let bits = self.ways.bits;
        let rows = part
            .best
            .par_chunks_mut(width)
            .zip(part.open.par_chunks_mut(width))
            .zip(part.marks.par_iter_mut())
            .zip(codes.par_chunks(width))
            .zip(touched.par_iter())
            .enumerate();
        let room = || (Row::default(), Vec::new());
        let result = rows.try_for_each_init(room, |(row, columns), (class, work)| {
            let ((((best, open), marks), news), touched) = work;
            let stones = classes.representative(class);
            if !touched.swap(false, Relaxed) || is_over(rules, stones) {
                return Ok(());
            }
            let working = WorkingRow { best, open, marks };
            bits.run(UndoRow { undo: &undo, depth, stones, news, row, columns, working })
        });
        self.parts[news].touched = touched;
        self.parts[news].finished = codes;
        result.map_err(|TooDeep| SolveError::TooDeep(subspace))
    }
}

impl<C: Width> Part<C> {
    /// The forward scan of all rows.
    fn scan(
        &mut self,
        forward: &Forward<'_>,
        bits: impl Bits,
        observer: &dyn Observer,
    ) -> Result<(), SolveError> {
        let width = self.columns.count();
        let subspace = self.subspace;
        let classes = &self.classes;
        let rows = self
            .best
            .par_chunks_mut(width)
            .zip(self.open.par_chunks_mut(width))
            .zip(self.marks.par_iter_mut())
            .enumerate();
        rows.try_for_each_init(Scratch::new, |scratch, (class, ((best, open), marks))| {
            if observer.interrupted() {
                return Err(SolveError::Interrupted);
            }
            let stones = classes.representative(class);
            let working = WorkingRow { best, open, marks };
            bits.run(ScanRow { forward, class, stones, scratch, working, subspace })?;
            observer.scanned(width as u64);
            Ok(())
        })
    }

    /// Writes everything that the scan decided to the finished layout.
    fn finish_all(&mut self, points: PointSet, bits: impl Bits) {
        let codes = C::share(&mut self.finished);
        let columns = self.columns.clone();
        let width = columns.count();
        let transpose = Transpose::<C>::new(&self.index, columns, points, codes, &self.touched);
        let rows = self.best.par_chunks(width).zip(self.open.par_chunks(width)).enumerate();
        rows.for_each_init(Vec::new, |images, (class, (best, open))| {
            let stones = self.classes.representative(class);
            bits.run(FinishWholeRow { transpose: &transpose, stones, best, open, images });
        });
    }

    /// Writes what is decided at `depth` to the finished layout.
    fn finish_depth(&mut self, depth: usize, points: PointSet, ways: Ways<impl Bits>) {
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
}
