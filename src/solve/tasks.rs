//! What is done with one row, compiled once for each kind of processor.

use super::forward::{Forward, Scratch};
use super::layers::{TooDeep, Undo, WorkingRow, decided_at, decided_columns, mark_row};
use super::row::Row;
use super::transpose::Transpose;
use super::unit::SolveError;
use super::vector::Avx512;
use super::width::Width;
use crate::board::PointSet;
use crate::space::Subspace;
use crate::space::bits::{Bits, Task};
use crate::value::Outcome;

/// The forward scan of one row.
pub(super) struct ScanRow<'r, 'a, C> {
    pub forward: &'r Forward<'a>,
    pub class: usize,
    pub stones: PointSet,
    pub scratch: &'r mut Scratch<C>,
    pub working: WorkingRow<'r, C>,
    pub subspace: Subspace,
}

impl<C: Width> Task for ScanRow<'_, '_, C> {
    type Output = Result<(), SolveError>;

    #[inline(always)]
    fn run(self, _: impl Bits) -> Self::Output {
        let WorkingRow { best, open, marks } = self.working;
        self.forward.row(self.class, self.stones, self.scratch, best, open)?;
        mark_row(best, open, marks).map_err(|TooDeep| SolveError::TooDeep(self.subspace))
    }
}

/// Writes what is decided in one working row to the finished layout.
pub(super) struct FinishRow<'r, 'a, C: Width> {
    pub transpose: &'r Transpose<'a, C>,
    pub vector: Option<Avx512>,
    pub depth: usize,
    pub stones: PointSet,
    pub best: &'r [C],
    pub open: &'r [u8],
    pub code: C,
    pub decided: &'r mut Vec<u32>,
    pub images: &'r mut Vec<PointSet>,
}

impl<C: Width> Task for FinishRow<'_, '_, C> {
    type Output = ();

    #[inline(always)]
    fn run(self, bits: impl Bits) {
        decided_columns(self.vector, self.depth, self.best, self.open, self.decided);
        if !self.decided.is_empty() {
            self.transpose.row(bits, self.stones, self.decided, self.code, self.images);
        }
    }
}

/// Undoes the turns that lead to one finished row.
pub(super) struct UndoRow<'r, 'a, C> {
    pub undo: &'r Undo<'a>,
    pub depth: usize,
    pub stones: PointSet,
    pub news: &'r [C],
    pub row: &'r mut Row,
    pub columns: &'r mut Vec<u32>,
    pub working: WorkingRow<'r, C>,
}

impl<C: Width> Task for UndoRow<'_, '_, C> {
    type Output = Result<(), TooDeep>;

    #[inline(always)]
    fn run(self, _: impl Bits) -> Self::Output {
        let UndoRow { undo, depth, stones, news, row, columns, working } = self;
        undo.row(depth, stones, news, row, columns, working)
    }
}

/// Writes all that is decided in one working row, up to a depth, to the finished layout.
pub(super) struct FinishWholeRow<'r, 'a, C: Width> {
    pub transpose: &'r Transpose<'a, C>,
    pub until: usize,
    pub stones: PointSet,
    pub best: &'r [C],
    pub open: &'r [u8],
    pub images: &'r mut Vec<PointSet>,
}

impl<C: Width> Task for FinishWholeRow<'_, '_, C> {
    type Output = ();

    #[inline(always)]
    fn run(self, bits: impl Bits) {
        self.transpose.images(self.stones, self.images);
        for (column, (best, open)) in self.best.iter().zip(self.open).enumerate() {
            if let Some(depth) = decided_at(*best, *open)
                && depth <= self.until
            {
                let code = C::encode(Outcome::Decided(depth as u16)).expect("the marks fit");
                self.transpose.entry(bits, self.stones, column, code, self.images);
            }
        }
    }
}
