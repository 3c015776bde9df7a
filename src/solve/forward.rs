//! The forward scan: for every entry of a working row, the best that placements and removals lead
//! to, and how many quiet moves are still open.
//!
//! The pieces, each for a whole row:
//!
//! * *captures*: for every set of stones that holds a mill, the best over the stones that may be
//!   removed. Which those are depends on the row alone; each leads to one row of a finished
//!   subspace, met through one symmetry.
//! * *placements*: every set with one stone more hands its code to the sets without that stone; see
//!   [`place`](super::place).
//! * *moves*: for each road, 64 columns at a time, the columns whose move along it closes a mill and
//!   those whose move is quiet. The first look up the captures, the second are counted.

use super::planes::{Counter, LANES, Lane, each_column};
use super::row::{Carry, Manner, Row, mills_count};
use super::unit::{Finished, Rows, SolveError};
use super::vector::Avx512;
use super::width::Width;
use crate::board::PointSet;
use crate::rules::{Blocked, FullBoard, MillEffect, Rules};
use crate::space::{Columns, Index, Space, Subspace, quiet_turns};
use std::sync::Arc;

/// What a removal leads to.
pub(super) enum Capture<'a> {
    /// The opponent is left with too few stones: he has lost.
    Fatal,
    /// A finished subspace.
    Table { index: Index, rows: Box<dyn Rows + 'a> },
}

/// What placements lead to.
pub(super) struct Placements<'a> {
    /// Sets of the mover's stones with the placed one among them.
    pub columns: Arc<Columns>,
    pub quiet: Box<dyn Rows + 'a>,
    pub capture: Option<Capture<'a>>,
}

struct Moves<'a> {
    capture: Option<Capture<'a>>,
}

/// Scans the working rows of one subspace.
pub(super) struct Forward<'a> {
    rules: &'a Rules,
    pub(super) columns: Arc<Columns>,
    pub(super) manner: Manner,
    full_board: bool,
    placements: Option<Placements<'a>>,
    moves: Option<Moves<'a>>,
    pub(super) vector: Option<Avx512>,
}

/// Room that a thread uses again for row after row.
pub(super) struct Scratch<C> {
    pub(super) row: Row,
    carry: Box<Carry>,
    pub(super) quiet: Vec<C>,
    pub(super) place_captures: Vec<C>,
    move_captures: Vec<C>,
    child_row: Vec<C>,
    with_mill: Vec<u32>,
    pub(super) closing: Vec<u64>,
    pub(super) packed: Vec<u8>,
}

impl<C: Width> Scratch<C> {
    pub fn new() -> Scratch<C> {
        Scratch {
            row: Row::default(),
            carry: Box::new(Carry::new()),
            quiet: Vec::new(),
            place_captures: Vec::new(),
            move_captures: Vec::new(),
            child_row: Vec::new(),
            with_mill: Vec::new(),
            closing: Vec::new(),
            packed: Vec::new(),
        }
    }
}

impl<'a> Forward<'a> {
    /// Prepares the scan of `subspace`, opening the finished subspaces that it looks up.
    pub fn new(
        space: &'a Space,
        subspace: Subspace,
        finished: &'a dyn Finished,
        vector: Option<Avx512>,
    ) -> Result<Forward<'a>, SolveError> {
        let rules = space.rules();
        let points = rules.board.len();
        let s = subspace;
        let (mover, opponent) = (usize::from(s.mover), usize::from(s.opponent));
        let full_board = mover + opponent == points;
        let removes = rules.mill == MillEffect::Remove && s.opponent > 0;
        let capture = |mover: u8, hand: u8| -> Result<Option<Capture<'a>>, SolveError> {
            if !removes {
                return Ok(None);
            }
            if rules.too_few(s.opponent_total() - 1) {
                return Ok(Some(Capture::Fatal));
            }
            let child = Subspace::new(s.opponent - 1, mover, s.opponent_hand, hand);
            Ok(Some(Capture::Table { index: space.index(child), rows: finished.rows(child)? }))
        };
        let placements = match s.mover_hand > 0 && !full_board {
            false => None,
            true => {
                let (mover, hand) = (s.mover + 1, s.mover_hand - 1);
                let child = Subspace::new(s.opponent, mover, s.opponent_hand, hand);
                Some(Placements {
                    columns: space.columns(points - opponent, usize::from(mover)),
                    quiet: finished.rows(child)?,
                    capture: capture(mover, hand)?,
                })
            }
        };
        let moves = match quiet_turns(rules, s) && !full_board {
            false => None,
            true => Some(Moves { capture: capture(s.mover, s.mover_hand)? }),
        };
        Ok(Forward {
            rules,
            columns: space.columns(points - opponent, mover),
            manner: manner(rules, s),
            full_board,
            placements,
            moves,
            vector,
        })
    }

    /// Scans the row whose stones (the opponent's) are `stones` and whose class has the number
    /// `class`: fills the best codes and the numbers of open quiet moves, both zero before.
    #[inline(always)]
    pub fn row<C: Width>(
        &self,
        class: usize,
        stones: PointSet,
        scratch: &mut Scratch<C>,
        best: &mut [C],
        open: &mut [u8],
    ) -> Result<(), SolveError> {
        if is_over(self.rules, stones) {
            return Ok(());
        }
        if self.full_board {
            if self.rules.full_board == FullBoard::Draw {
                best.fill(C::DRAW);
            }
            return Ok(());
        }
        scratch.row.lay_out(self.rules, stones, self.manner);
        if let Some(placements) = &self.placements {
            self.place(placements, class, stones, scratch, best)?;
        }
        if let Some(moves) = &self.moves {
            let mut captures = std::mem::take(&mut scratch.move_captures);
            if let Some(capture) = &moves.capture {
                self.best_captures(capture, &self.columns, stones, scratch, &mut captures)?;
            }
            self.count_moves(&scratch.row, &captures, best, open);
            scratch.move_captures = captures;
        }
        if self.rules.blocked == Blocked::Draw {
            for (best, open) in best.iter_mut().zip(open.iter()) {
                if *best == C::default() && *open == 0 {
                    *best = C::DRAW;
                }
            }
        }
        Ok(())
    }

    /// The best over the removable stones, for each column that holds a mill.
    #[inline(always)]
    pub(super) fn best_captures<C: Width>(
        &self,
        capture: &Capture<'_>,
        columns: &Columns,
        stones: PointSet,
        scratch: &mut Scratch<C>,
        captures: &mut Vec<C>,
    ) -> Result<(), SolveError> {
        captures.clear();
        let (index, rows) = match capture {
            Capture::Fatal => {
                captures.resize(columns.count(), C::LOST);
                return Ok(());
            }
            Capture::Table { index, rows } => (index, rows),
        };
        captures.resize(columns.count(), C::default());
        columns_with_mill(&scratch.row, columns, &mut scratch.with_mill);
        if scratch.with_mill.is_empty() {
            return Ok(());
        }
        let (classes, child_columns) = (index.classes(), index.columns());
        scratch.child_row.resize(child_columns.count(), C::default());
        for taken in self.rules.removable(stones) {
            let home = classes.home(stones.without(taken));
            let first = home.class as u64 * child_columns.count() as u64;
            rows.read(first, C::buffer(&mut scratch.child_row))?;
            let row = &scratch.row;
            let child_free =
                (self.rules.board.points() - classes.representative(home.class)).bits();
            let mut points = row.free_points.iter();
            let mut targets = [0u32; 24];
            for target in &mut targets[..row.free] {
                let point = points.next().expect("as many points as are free");
                let image = classes.group().apply_point(home.element, point).number();
                *target = 1 << (child_free & ((1 << image) - 1)).count_ones();
            }
            scratch.carry.set(row.free, |i| targets[i]);
            let sets = columns.sets();
            for column in &scratch.with_mill {
                let column = *column as usize;
                let place = child_columns.rank(scratch.carry.apply(sets[column]));
                captures[column] = captures[column].max(scratch.child_row[place]);
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn count_moves<C: Width>(&self, row: &Row, captures: &[C], best: &mut [C], open: &mut [u8]) {
        let columns = &*self.columns;
        let words = columns.words();
        let planes: Vec<&[u64]> = columns.planes().chunks_exact(words).collect();
        for (number, counts) in open.chunks_mut(64 * LANES).enumerate() {
            let first = number * LANES;
            let lane = |point: usize| -> &Lane {
                planes[point][first..first + LANES].try_into().expect("planes are whole lanes")
            };
            let mut counter = Counter::new();
            for from in 0..row.free {
                let mut beyond = row.reach[from] >> from >> 1 << from << 1;
                while beyond != 0 {
                    let to = beyond.trailing_zeros() as usize;
                    beyond &= beyond - 1;
                    let there = self.split(row, from, to, &lane);
                    let back = self.split(row, to, from, &lane);
                    counter.add(&there.quiet, &back.quiet);
                    for split in [&there, &back] {
                        if split.closes {
                            let road = 1 << from | 1 << to;
                            each_column(&split.closing, first * 64, |column| {
                                let code = self.closing_code(columns, column, road, captures);
                                best[column] = best[column].max(code);
                            });
                        }
                    }
                }
            }
            counter.write(counts);
        }
    }

    #[inline(always)]
    fn closing_code<C: Width>(
        &self,
        columns: &Columns,
        column: usize,
        road: u32,
        captures: &[C],
    ) -> C {
        match self.rules.mill {
            MillEffect::Wins => C::LOST,
            MillEffect::Remove => captures[columns.rank(columns.sets()[column] ^ road)],
        }
    }

    /// The columns that can move from one free point to another, parted by what the move does.
    #[inline(always)]
    fn split<'l>(
        &self,
        row: &Row,
        from: usize,
        to: usize,
        lane: &impl Fn(usize) -> &'l Lane,
    ) -> Split {
        let (here, there) = (lane(from), lane(to));
        let mut quiet: Lane = std::array::from_fn(|i| here[i] & !there[i]);
        let mut closing = [0; LANES];
        let mut closes = false;
        if self.manner.mills_count {
            for two in row.partners[to].iter().filter(|two| **two >> from & 1 == 0) {
                let one = lane(two.trailing_zeros() as usize);
                let other = lane(31 - two.leading_zeros() as usize);
                for i in 0..LANES {
                    closing[i] |= one[i] & other[i];
                }
            }
            for i in 0..LANES {
                closing[i] &= quiet[i];
                quiet[i] &= !closing[i];
            }
            closes = closing != [0; LANES];
        }
        Split { quiet, closing, closes }
    }
}

struct Split {
    quiet: Lane,
    closing: Lane,
    closes: bool,
}

#[inline(always)]
fn columns_with_mill(row: &Row, columns: &Columns, found: &mut Vec<u32>) {
    found.clear();
    let (planes, words) = (columns.planes(), columns.words());
    for word in 0..words {
        let plane = |point: u32| planes[point as usize * words + word];
        let mut standing = 0;
        for mill in row.mills() {
            let rest = mill & (mill - 1);
            standing |= plane(mill.trailing_zeros())
                & plane(rest.trailing_zeros())
                & plane(31 - mill.leading_zeros());
        }
        while standing != 0 {
            found.push((word * 64) as u32 + standing.trailing_zeros());
            standing &= standing - 1;
        }
    }
}

/// How the mover of `subspace` moves.
pub(super) fn manner(rules: &Rules, subspace: Subspace) -> Manner {
    Manner {
        flies: rules.flies(subspace.mover_total()),
        mills_count: mills_count(rules, subspace.opponent),
    }
}

/// Whether every position with these stones of the opponent is over: he has a mill and mills win.
pub(super) fn is_over(rules: &Rules, opponent: PointSet) -> bool {
    rules.mill == MillEffect::Wins && !rules.board.in_mills(opponent).is_empty()
}
