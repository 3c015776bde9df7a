//! Numbers that look like chance: equal seeds give equal ones (SplitMix64).

use std::hash::{BuildHasher, Hasher, RandomState};

/// A source of numbers.
#[derive(Clone, Debug)]
pub struct Dice {
    state: u64,
}

impl Dice {
    /// Numbers that follow from a seed.
    pub const fn new(seed: u64) -> Dice {
        Dice { state: seed }
    }

    /// A seed that nobody has chosen.
    pub fn any_seed() -> u64 {
        RandomState::new().build_hasher().finish()
    }

    /// The next number.
    pub fn roll(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is at least 1.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.roll()) * bound as u128) >> 64) as usize
    }

    /// Puts `things` in any order.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_give_equal_numbers() {
        let roll = |seed| {
            let mut dice = Dice::new(seed);
            [(); 4].map(|()| dice.below(1000))
        };
        assert_eq!(roll(7), roll(7));
        assert_ne!(roll(7), roll(8));
    }

    #[test]
    fn every_number_below_the_bound_comes() {
        let mut dice = Dice::new(1);
        let mut seen = [0; 5];
        (0..500).for_each(|_| seen[dice.below(5)] += 1);
        assert!(seen.iter().all(|count| *count > 50), "{seen:?}");
        assert_eq!(dice.below(1), 0);
    }

    #[test]
    fn shuffling_keeps_everything() {
        let mut things: Vec<u32> = (0..20).collect();
        Dice::new(3).shuffle(&mut things);
        assert!(!things.is_sorted());
        things.sort_unstable();
        assert!(things.into_iter().eq(0..20));
    }
}
