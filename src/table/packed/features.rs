//! What an entry looks like: how many mills each side threatens to close (none, one, more) and
//! whether the opponent has a mill, as one number, the *signature*.
//!
//! A row has one set of stones of the mover, so which points close his mills is known once a row;
//! what depends on the opponent's stones is worked out for 64 columns at a time, from the planes
//! of the columns.
//!
//! Beware: signatures only sort entries. They follow the rules loosely (a stone in hand reaches
//! everywhere, so does one that flies) and must stay as `docs/FORMAT.md` has them, or files that
//! were packed before decode to something else.

use super::STRIP;
use crate::board::{Board, Point, PointSet};
use crate::rules::Rules;
use crate::space::Index;
use std::ops::Range;
use std::sync::Arc;

/// Words that hold the columns of a strip, wherever it begins.
const WORDS: usize = STRIP / 64 + 1;

/// One bit for each column.
type Plane = [u64; WORDS];

/// The eight bits of a byte, a byte each.
static SPREAD: [u64; 256] = {
    let mut spread = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            spread[byte] |= ((byte >> bit & 1) as u64) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    spread
};

/// Sorts the entries of one subspace.
pub(super) struct Features {
    board: Arc<Board>,
    index: Index,
    /// Whether the stones of the mover and of the opponent reach every point.
    everywhere: [bool; 2],
}

/// The planes of part of a row.
struct Part<'a> {
    planes: &'a [u64],
    /// Words of a plane of the whole row.
    stride: usize,
    first: usize,
    words: usize,
    free: PointSet,
}

impl Part<'_> {
    /// Where the opponent has a stone on a free point.
    fn stones(&self, point: Point) -> &[u64] {
        let below = (1u32 << point.number()) - 1;
        let number = (self.free.bits() & below).count_ones() as usize;
        &self.planes[number * self.stride + self.first..][..self.words]
    }

    /// Where the opponent has all of `points`, which must be free ones.
    fn all(&self, points: PointSet) -> Plane {
        let mut all = [u64::MAX; WORDS];
        for point in points {
            all.iter_mut().zip(self.stones(point)).for_each(|(all, stones)| *all &= stones);
        }
        all
    }

    /// Where the opponent has one of `points`, which must be free ones.
    fn some(&self, points: PointSet) -> Plane {
        let mut some = [0; WORDS];
        for point in points {
            some.iter_mut().zip(self.stones(point)).for_each(|(some, stones)| *some |= stones);
        }
        some
    }
}

/// Counts to two.
struct Count {
    one: Plane,
    two: Plane,
}

impl Count {
    fn new() -> Count {
        Count { one: [0; WORDS], two: [0; WORDS] }
    }

    /// Counts columns with a bit in `plane` and no stone in `stones`.
    fn add(&mut self, plane: &Plane, stones: &[u64]) {
        let planes = self.one.iter_mut().zip(&mut self.two).zip(plane).zip(stones);
        for (((one, two), plane), stones) in planes {
            let counted = plane & !stones;
            *two |= *one & counted;
            *one |= counted;
        }
    }
}

impl Features {
    pub fn new(rules: &Rules, index: Index) -> Features {
        let s = index.subspace();
        let everywhere = |hand: u8, total: u8| hand > 0 || rules.flies(total);
        Features {
            board: rules.board.clone(),
            everywhere: [
                everywhere(s.mover_hand, s.mover_total()),
                everywhere(s.opponent_hand, s.opponent_total()),
            ],
            index,
        }
    }

    /// The columns of a row.
    pub fn columns(&self) -> usize {
        self.index.columns().count()
    }

    /// Row, columns, and where they stand in the strip, for each row that a strip from entry
    /// `first` on has part of.
    pub fn parts(
        &self,
        first: u64,
        entries: usize,
    ) -> impl Iterator<Item = (usize, Range<usize>, usize)> + use<> {
        let columns = self.columns();
        let mut place = 0;
        std::iter::from_fn(move || {
            let entry = first as usize + place;
            let (row, column) = (entry / columns, entry % columns);
            let count = (columns - column).min(entries - place);
            let at = place;
            place += count;
            (count > 0).then_some((row, column..column + count, at))
        })
    }

    /// The signatures of the entries of a strip that begins with entry `first`.
    pub fn signatures(&self, first: u64, signatures: &mut [u8]) {
        for (row, columns, place) in self.parts(first, signatures.len()) {
            let count = columns.len();
            self.row(row, columns, &mut signatures[place..place + count]);
        }
    }

    fn row(&self, row: usize, columns: Range<usize>, signatures: &mut [u8]) {
        let board = &*self.board;
        let mover = self.index.classes().representative(row);
        let free = board.points() - mover;
        let all = self.index.columns();
        let first = columns.start / 64;
        let words = columns.end.div_ceil(64) - first;
        let part = Part { planes: all.planes(), stride: all.words(), first, words, free };
        let (mut threats, mut threatened) = (Count::new(), Count::new());
        for point in free {
            let near = board.neighbours(point);
            let reaches = |mill: PointSet| {
                let from = if self.everywhere[0] { mover } else { near & mover };
                self.index.subspace().mover_hand > 0 || !(from - mill).is_empty()
            };
            let closes = |mill: &PointSet| (*mill - mover).is_empty() && reaches(*mill);
            if board.partners(point).iter().any(closes) {
                threats.add(&[u64::MAX; WORDS], part.stones(point));
            }
            let mut closed = [0; WORDS];
            for mill in board.partners(point).iter().filter(|mill| (**mill & mover).is_empty()) {
                let mut there = part.all(*mill);
                if !self.everywhere[1] {
                    let from = part.some((near - mover) - *mill);
                    there.iter_mut().zip(from).for_each(|(there, from)| *there &= from);
                }
                closed.iter_mut().zip(there).for_each(|(closed, there)| *closed |= there);
            }
            threatened.add(&closed, part.stones(point));
        }
        let mut mills = [0; WORDS];
        for mill in board.mills().iter().filter(|mill| (**mill & mover).is_empty()) {
            mills.iter_mut().zip(part.all(*mill)).for_each(|(mills, all)| *mills |= all);
        }
        let mut bytes = [0u8; 64 * WORDS];
        for (number, eight) in bytes.chunks_exact_mut(8).take(8 * words).enumerate() {
            let spread =
                |plane: &Plane| SPREAD[(plane[number / 8] >> (number % 8 * 8) & 255) as usize];
            let signature = 6 * (spread(&threats.one) + spread(&threats.two))
                + 2 * (spread(&threatened.one) + spread(&threatened.two))
                + spread(&mills);
            eight.copy_from_slice(&signature.to_le_bytes());
        }
        signatures.copy_from_slice(&bytes[columns.start - 64 * first..][..signatures.len()]);
    }
}
