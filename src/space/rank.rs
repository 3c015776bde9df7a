//! Ranks of sets: the place of a set of `size` points among all sets of that size, in numeric
//! order of the masks (colexicographic order).
//!
//! A rank is two table look-ups: the mask is cut in two halves, the high half says how many sets
//! come before all those with the same high half, the low half its place among low halves with as
//! many points. Both tables are small enough for the first-level cache.

/// The number of `k`-subsets of `n` things; 0 where `k > n`.
pub const fn binomial(n: usize, k: usize) -> u64 {
    if k > n {
        return 0;
    }
    let mut result: u64 = 1;
    let mut i = 0;
    while i < k {
        result = result * (n - i) as u64 / (i + 1) as u64;
        i += 1;
    }
    result
}

/// Ranks the sets of `size` points out of `points`.
#[derive(Clone, Debug)]
pub struct Ranker {
    split: u32,
    low_mask: u32,
    low: Box<[u32]>,
    high: Box<[u32]>,
    count: u32,
}

impl Ranker {
    /// Tables for the sets of `size` points out of `points` (at most 24).
    pub fn new(points: usize, size: usize) -> Ranker {
        let split = points / 2;
        let mut seen = [0u32; 32];
        let place = |half: usize| {
            let ones = half.count_ones() as usize;
            seen[ones] += 1;
            seen[ones] - 1
        };
        let low = (0..1usize << split).map(place).collect();
        let mut before = 0;
        let start = |half: usize| {
            let ones = half.count_ones() as usize;
            let here = before;
            if ones <= size {
                before += binomial(split, size - ones) as u32;
            }
            here
        };
        let high = (0..1usize << (points - split)).map(start).collect();
        Ranker {
            split: split as u32,
            low_mask: (1 << split) - 1,
            low,
            high,
            count: binomial(points, size) as u32,
        }
    }

    /// How many sets there are.
    pub fn count(&self) -> usize {
        self.count as usize
    }

    /// The rank of a set. The mask must have exactly `size` ones, all below `points`; anything else
    /// gives a meaningless number or a panic.
    #[inline(always)]
    pub fn rank(&self, set: u32) -> usize {
        (self.high[(set >> self.split) as usize] + self.low[(set & self.low_mask) as usize])
            as usize
    }
}

/// All sets of `size` points out of `points`, in numeric order.
pub(super) fn all_sets(points: usize, size: usize) -> Vec<u32> {
    let count = binomial(points, size) as usize;
    let mut sets = Vec::with_capacity(count);
    let mut set: u32 = ((1u64 << size) - 1) as u32;
    for _ in 0..count {
        sets.push(set);
        if set != 0 {
            let carry = set + (set & set.wrapping_neg());
            set = carry | (((set ^ carry) >> 2) / (set & set.wrapping_neg()));
        }
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_up_in_numeric_order() {
        for points in 0..=12 {
            for size in 0..=points {
                let ranker = Ranker::new(points, size);
                let sets = all_sets(points, size);
                assert_eq!(sets.len(), ranker.count());
                assert!(sets.is_sorted());
                for (rank, set) in sets.iter().enumerate() {
                    assert_eq!(set.count_ones() as usize, size);
                    assert_eq!(ranker.rank(*set), rank);
                }
            }
        }
    }

    #[test]
    fn ranks_on_the_largest_board() {
        let ranker = Ranker::new(24, 12);
        for (rank, set) in all_sets(24, 12).into_iter().enumerate() {
            assert_eq!(ranker.rank(set), rank);
        }
    }
}
