//! Placements, for a whole row: every set of the mover's stones with one stone more hands its code
//! to the sets that lack one of its stones.
//!
//! The codes come from the finished row of the same stones of the opponent, or from the captures
//! where the stone that was placed closes a mill.

use super::forward::{Forward, Placements, Scratch};
use super::row::Row;
use super::unit::SolveError;
use super::vector::{Avx512, Placed};
use super::width::Width;
use crate::board::PointSet;
use crate::space::Columns;

impl Forward<'_> {
    #[inline(always)]
    pub(super) fn place<C: Width>(
        &self,
        placements: &Placements<'_>,
        class: usize,
        stones: PointSet,
        scratch: &mut Scratch<C>,
        best: &mut [C],
    ) -> Result<(), SolveError> {
        let placed = &placements.columns;
        let mut quiet = std::mem::take(&mut scratch.quiet);
        let mut captures = std::mem::take(&mut scratch.place_captures);
        quiet.resize(placed.count(), C::default());
        // The placing player's opponent moves next, so his stones make the finished row as they
        // make the working one: same class, same columns.
        placements.quiet.read(class as u64 * placed.count() as u64, C::buffer(&mut quiet))?;
        let captures_made = match &placements.capture {
            None => &quiet,
            Some(capture) => {
                self.best_captures(capture, placed, stones, scratch, &mut captures)?;
                &captures
            }
        };
        let bytes = (C::as_bytes(&quiet), C::as_bytes(captures_made), C::as_bytes_mut(best));
        match (self.vector, bytes) {
            (Some(vector), (Some(quiet), Some(captures), Some(best))) => {
                self.hand_down_bytes(vector, placed, quiet, captures, scratch, best);
            }
            _ => self.hand_down(placed, &scratch.row, &quiet, captures_made, best),
        }
        (scratch.quiet, scratch.place_captures) = (quiet, captures);
        Ok(())
    }

    /// Gives the codes of the sets with a stone more to those without it, set by set.
    #[inline(always)]
    fn hand_down<C: Width>(
        &self,
        placed: &Columns,
        row: &Row,
        quiet: &[C],
        captures: &[C],
        best: &mut [C],
    ) {
        for (column, set) in placed.sets().iter().enumerate() {
            let closing = if self.manner.mills_count { row.in_mills(*set) } else { 0 };
            hand_down(&self.columns, *set, *set & !closing, quiet[column], best);
            hand_down(&self.columns, *set, closing, captures[column], best);
        }
    }

    /// The same, point by point, 64 sets at a time.
    #[inline(always)]
    fn hand_down_bytes<C: Width>(
        &self,
        vector: Avx512,
        placed: &Columns,
        quiet: &[u8],
        captures: &[u8],
        scratch: &mut Scratch<C>,
        best: &mut [u8],
    ) {
        let Scratch { row, closing, packed, .. } = scratch;
        let plane = |columns: &'_ Columns, point: usize| {
            let words = columns.words();
            point * words..(point + 1) * words
        };
        let planes = placed.planes();
        for point in 0..row.free {
            closing.clear();
            closing.resize(placed.words(), 0);
            let partners: &[u32] = if self.manner.mills_count { &row.partners[point] } else { &[] };
            for two in partners {
                let one = &planes[plane(placed, two.trailing_zeros() as usize)];
                let other = &planes[plane(placed, 31 - two.leading_zeros() as usize)];
                for (closing, (one, other)) in closing.iter_mut().zip(one.iter().zip(other)) {
                    *closing |= one & other;
                }
            }
            let holding = &planes[plane(placed, point)];
            let taken = &self.columns.planes()[plane(&self.columns, point)];
            let placed = Placed { quiet, captures, holding, closing, taken };
            vector.hand_down(&placed, best, packed);
        }
    }
}

/// Gives the code of a set with a stone more to the sets that lack one of the stones `placed`.
#[inline(always)]
fn hand_down<C: Width>(columns: &Columns, set: u32, mut placed: u32, code: C, best: &mut [C]) {
    while placed != 0 {
        let stone = placed & placed.wrapping_neg();
        placed ^= stone;
        let place = &mut best[columns.rank(set ^ stone)];
        *place = (*place).max(code);
    }
}
