//! Classes of sets under a group of symmetries: the rows of a subspace.
//!
//! The representative of a class is its numerically smallest mask; classes are numbered by rising
//! representative. For every set a table tells its class and one symmetry that takes it to the
//! representative.

use super::Ranker;
use super::rank::all_sets;
use crate::board::{Group, PointSet, symmetry::MAX_ORDER};
use std::ops::Range;

/// Bits of a table word that hold the symmetry; the rest is the class.
const ELEMENT_BITS: u32 = MAX_ORDER.trailing_zeros();

/// Marks a representative that a symmetry besides the identity keeps; no point has this bit.
const SYMMETRIC: u32 = 1 << 31;

/// Where a set belongs: its class, and a symmetry that takes the set to the representative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Home {
    /// The class.
    pub class: usize,
    /// The element of the group.
    pub element: usize,
}

/// The classes of all sets of one size.
#[derive(Debug)]
pub struct Classes {
    group: Group,
    ranker: Ranker,
    /// The representative of each class, and [`SYMMETRIC`] where it has symmetries of its own.
    representatives: Vec<u32>,
    /// For each set by rank: class << ELEMENT_BITS | element.
    homes: Vec<u32>,
    /// For each class, where its symmetries lie in `stabilisers`; most have only the identity.
    ranges: Vec<(u32, u16)>,
    stabilisers: Vec<u16>,
}

impl Classes {
    /// Finds the classes of the sets of `size` out of `points` points. Takes time and memory in
    /// proportion to the number of sets times the order of the group.
    pub fn new(group: &Group, points: usize, size: usize) -> Classes {
        const UNSEEN: u32 = u32::MAX;
        let ranker = Ranker::new(points, size);
        let mut homes = vec![UNSEEN; ranker.count()];
        let mut representatives = Vec::new();
        let mut ranges = Vec::new();
        let mut stabilisers = vec![0];
        for set in all_sets(points, size).into_iter().map(PointSet::from_bits) {
            if homes[ranker.rank(set.bits())] != UNSEEN {
                continue;
            }
            // Sets come in numeric order, so the first of a class is its representative.
            let class = representatives.len() as u32;
            representatives.push(set.bits());
            let start = stabilisers.len();
            for element in 0..group.order() {
                let image = group.apply(element, set);
                let home = &mut homes[ranker.rank(image.bits())];
                if *home == UNSEEN {
                    *home = class << ELEMENT_BITS | group.inverse(element) as u32;
                }
                if image == set {
                    stabilisers.push(element as u16);
                }
            }
            match stabilisers.len() - start {
                1 => {
                    stabilisers.truncate(start);
                    ranges.push((0, 1));
                }
                several => {
                    ranges.push((start as u32, several as u16));
                    representatives[class as usize] |= SYMMETRIC;
                }
            }
        }
        Classes { group: group.clone(), ranker, representatives, homes, ranges, stabilisers }
    }

    /// How many classes there are.
    pub fn len(&self) -> usize {
        self.representatives.len()
    }

    /// Whether there is no class: never, since even the empty set is one.
    pub fn is_empty(&self) -> bool {
        self.representatives.is_empty()
    }

    /// All class numbers.
    pub fn range(&self) -> Range<usize> {
        0..self.len()
    }

    /// The group whose classes these are.
    pub fn group(&self) -> &Group {
        &self.group
    }

    /// The representative of a class.
    #[inline(always)]
    pub fn representative(&self, class: usize) -> PointSet {
        PointSet::from_bits(self.representatives[class] & !SYMMETRIC)
    }

    /// Whether some symmetry besides the identity keeps the representative of a class.
    #[inline(always)]
    pub fn is_symmetric(&self, class: usize) -> bool {
        self.representatives[class] & SYMMETRIC != 0
    }

    /// The class of a set of the right size, and a symmetry that takes it to the representative.
    #[inline(always)]
    pub fn home(&self, set: PointSet) -> Home {
        let word = self.homes[self.ranker.rank(set.bits())];
        Home {
            class: (word >> ELEMENT_BITS) as usize,
            element: (word & (MAX_ORDER as u32 - 1)) as usize,
        }
    }

    /// The symmetries that keep the representative of a class, the identity among them.
    pub fn stabiliser(&self, class: usize) -> &[u16] {
        let (start, len) = self.ranges[class];
        &self.stabilisers[start as usize..start as usize + len as usize]
    }

    /// How many sets the class has.
    pub fn orbit(&self, class: usize) -> usize {
        self.group.order() / self.stabiliser(class).len()
    }

    /// Bytes that the tables take.
    pub fn bytes(&self) -> usize {
        4 * self.homes.len() + 12 * self.len() + 2 * self.stabilisers.len()
    }
}
