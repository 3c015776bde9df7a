//! The columns of a row: all sets of so many stones among so many free points.

use super::Ranker;
use super::rank::all_sets;
use std::sync::OnceLock;

/// All sets of `stones` out of `free` points, by rank, and what loops over them need.
#[derive(Debug)]
pub struct Columns {
    free: usize,
    stones: usize,
    ranker: Ranker,
    sets: Vec<u32>,
    planes: OnceLock<Vec<u64>>,
}

impl Columns {
    /// The columns for `stones` out of `free` points.
    pub fn new(free: usize, stones: usize) -> Columns {
        Columns {
            free,
            stones,
            ranker: Ranker::new(free, stones),
            sets: all_sets(free, stones),
            planes: OnceLock::new(),
        }
    }

    /// How many columns there are.
    pub fn count(&self) -> usize {
        self.sets.len()
    }

    /// How many free points the sets are taken from.
    pub fn free(&self) -> usize {
        self.free
    }

    /// How many stones each set has.
    pub fn stones(&self) -> usize {
        self.stones
    }

    /// The sets, by rank; bit `i` is the `i`-th free point.
    pub fn sets(&self) -> &[u32] {
        &self.sets
    }

    /// The rank of a set; see [`Ranker::rank`].
    #[inline(always)]
    pub fn rank(&self, set: u32) -> usize {
        self.ranker.rank(set)
    }

    /// The ranker.
    pub fn ranker(&self) -> &Ranker {
        &self.ranker
    }

    /// Words of 64 columns that cover the row, rounded up to a multiple of eight for the loops over
    /// whole lanes.
    pub fn words(&self) -> usize {
        self.count().div_ceil(64).next_multiple_of(8)
    }

    /// For each free point a plane of [`words`](Self::words) words, one after the other: bit `c` of
    /// the plane says that column `c` has a stone there. Bits beyond the last column are zero.
    pub fn planes(&self) -> &[u64] {
        self.planes.get_or_init(|| {
            let words = self.words();
            let mut planes = vec![0u64; self.free * words];
            for (column, set) in self.sets.iter().enumerate() {
                let mut rest = *set;
                while rest != 0 {
                    let point = rest.trailing_zeros() as usize;
                    planes[point * words + column / 64] |= 1 << (column % 64);
                    rest &= rest - 1;
                }
            }
            planes
        })
    }
}
