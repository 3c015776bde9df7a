//! Depth by depth: entries decided at a depth are written to the finished layout, then the turns
//! that lead to them are undone.
//!
//! Rows are never scanned in vain: each working row keeps a mark for every depth at which one of
//! its entries may be decided, each finished row whether it was written to at the present depth.
//! A mark may be stale (the entry was decided earlier), never missing.

use super::row::{Manner, Row};
use super::vector::Avx512;
use super::width::Width;
use crate::board::PointSet;
use crate::rules::Rules;
use crate::space::Columns;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The depths at which entries of a row may be decided.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    words: Vec<u64>,
}

impl Marks {
    #[inline(always)]
    pub fn set(&mut self, depth: usize) {
        let word = depth / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (depth % 64);
    }

    #[inline(always)]
    pub fn has(&self, depth: usize) -> bool {
        self.words.get(depth / 64).is_some_and(|word| word >> (depth % 64) & 1 != 0)
    }
}

/// The marks of all rows together, for the question which depth comes next. Set by many threads.
#[derive(Debug)]
pub(super) struct Seen {
    words: Vec<AtomicU64>,
}

impl Default for Seen {
    /// No mark; room for every depth that 16 bits hold.
    fn default() -> Seen {
        Seen { words: (0..=usize::from(u16::MAX) / 64).map(|_| AtomicU64::new(0)).collect() }
    }
}

impl Seen {
    /// Adds the marks of a row.
    #[inline(always)]
    pub fn add(&self, marks: &Marks) {
        for (seen, word) in self.words.iter().zip(&marks.words) {
            // Mostly there is nothing new, and reading leaves the word where all threads have it.
            if word & !seen.load(Relaxed) != 0 {
                seen.fetch_or(*word, Relaxed);
            }
        }
    }

    /// The first marked depth from `depth` on.
    pub fn next(&self, depth: usize) -> Option<usize> {
        let mut word = depth / 64;
        let mut bits = self.words.get(word)?.load(Relaxed) & (!0 << (depth % 64));
        while bits == 0 {
            word += 1;
            bits = self.words.get(word)?.load(Relaxed);
        }
        Some(word * 64 + bits.trailing_zeros() as usize)
    }
}

/// A depth that the width cannot hold.
#[derive(Debug)]
pub(super) struct TooDeep;

/// The depth at which an entry is decided as things stand; `None`: it may be a draw.
#[inline(always)]
pub(super) fn decided_at<C: Width>(best: C, open: u8) -> Option<usize> {
    if best > C::DRAW {
        Some(2 * usize::from(C::LOST.number() - best.number()) + 1)
    } else if best < C::DRAW && open == 0 {
        Some(2 * usize::from(best.number()))
    } else {
        None
    }
}

/// Marks the depths of a row that was just scanned.
#[inline(always)]
pub(super) fn mark_row<C: Width>(
    best: &[C],
    open: &[u8],
    marks: &mut Marks,
) -> Result<(), TooDeep> {
    for (best, open) in best.iter().zip(open) {
        if let Some(depth) = decided_at(*best, *open) {
            check_depth::<C>(depth)?;
            marks.set(depth);
        }
    }
    Ok(())
}

#[inline(always)]
fn check_depth<C: Width>(depth: usize) -> Result<(), TooDeep> {
    let deepest = if depth % 2 == 1 { C::DEEPEST_WIN } else { C::DEEPEST_LOSS };
    if depth <= usize::from(deepest) { Ok(()) } else { Err(TooDeep) }
}

/// Collects the columns of a working row that are decided at `depth`.
#[inline(always)]
pub(super) fn decided_columns<C: Width>(
    vector: Option<Avx512>,
    depth: usize,
    best: &[C],
    open: &[u8],
    columns: &mut Vec<u32>,
) {
    columns.clear();
    if depth % 2 == 1 {
        find(vector, C::from_number(C::LOST.number() - (depth / 2) as u16), best, None, columns);
    } else {
        find(vector, C::from_number((depth / 2) as u16), best, Some(open), columns);
    }
}

/// Adds to `columns` the places of `code`; where `open` is given, only those that are zero there.
#[inline(always)]
fn find<C: Width>(
    vector: Option<Avx512>,
    code: C,
    codes: &[C],
    open: Option<&[u8]>,
    columns: &mut Vec<u32>,
) {
    if let (Some(vector), Some(bytes)) = (vector, C::as_bytes(codes)) {
        vector.find(code.number() as u8, bytes, open, columns);
        return;
    }
    C::each(code, codes, |column| {
        if open.is_none_or(|open| open[column] == 0) {
            columns.push(column as u32);
        }
    });
}

/// A row of the working layout.
pub(super) struct WorkingRow<'a, C> {
    /// For each column the best code among the turns known so far.
    pub best: &'a mut [C],
    /// For each column the number of open quiet moves.
    pub open: &'a mut [u8],
    /// The depths at which columns may be decided.
    pub marks: &'a mut Marks,
}

/// Undoes the quiet moves that lead to the entries of a finished row that were decided at `depth`,
/// in the working row of the same stones, where the player who moved is to move again.
pub(super) struct Undo<'a> {
    pub rules: &'a Rules,
    /// How the player who moved moves.
    pub manner: Manner,
    /// His stones: the columns of both rows.
    pub columns: &'a Columns,
    pub vector: Option<Avx512>,
}

impl Undo<'_> {
    /// Undoes one row: `news` are the finished codes, the rest is the working row.
    #[inline(always)]
    pub fn row<C: Width>(
        &self,
        depth: usize,
        stones: PointSet,
        news: &[C],
        row: &mut Row,
        columns: &mut Vec<u32>,
        working: WorkingRow<'_, C>,
    ) -> Result<(), TooDeep> {
        let WorkingRow { best, open, marks } = working;
        row.lay_out(self.rules, stones, self.manner);
        let code = C::encode(crate::value::Outcome::Decided(depth as u16)).ok_or(TooDeep)?;
        let wins = depth % 2 == 1;
        let sets = self.columns.sets();
        let all = ((1u64 << row.free) - 1) as u32;
        columns.clear();
        find(self.vector, code, news, None, columns);
        let mut fits = Ok(());
        for column in columns.iter() {
            let set = sets[*column as usize];
            // A stone in a mill cannot have come by a quiet move.
            let mut movable = match self.manner.mills_count {
                true => set & !row.in_mills(set),
                false => set,
            };
            while movable != 0 {
                let to = movable.trailing_zeros() as usize;
                movable &= movable - 1;
                let mut origins = row.reach[to] & all & !set;
                let left = set & !(1 << to);
                while origins != 0 {
                    let from = origins & origins.wrapping_neg();
                    origins ^= from;
                    let place = self.columns.rank(left | from);
                    if !wins {
                        if best[place] < code {
                            best[place] = code;
                            marks.set(depth + 1);
                        }
                        continue;
                    }
                    // Depths only rise, so the last open move that closes has the best code of all
                    // quiet ones: no need to look at it before.
                    open[place] -= 1;
                    if open[place] == 0 && best[place] < C::DRAW {
                        best[place] = best[place].max(code);
                        let lost_at = 2 * usize::from(best[place].number());
                        if check_depth::<C>(lost_at).is_err() {
                            fits = Err(TooDeep);
                        }
                        marks.set(lost_at);
                    }
                }
            }
        }
        fits
    }
}
