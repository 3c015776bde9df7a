//! Where the neighbours of a column lie.
//!
//! Neighbour `i` of the first eight is the column with the `i`-th stone (from below) on the next
//! lower point that is free; the others are the lowest stones on the one after that. All of these
//! come before the column in rank, so a decoder knows them.

use super::{NEIGHBOURS, STRIP};
use crate::space::Columns;

/// Stones that are moved to the next lower free point; the rest are moved to the second.
const NEAR: usize = 8;

/// How far before each column its neighbours lie; [`STRIP`] where there is none, or too far.
#[derive(Debug)]
pub(super) struct Neighbours(Vec<[u16; NEIGHBOURS]>);

impl Neighbours {
    /// The distances for all columns.
    pub fn new(columns: &Columns) -> Neighbours {
        let of = |(column, set): (usize, &u32)| {
            let mut distances = [STRIP as u16; NEIGHBOURS];
            let far = |set: Option<u32>| match set {
                Some(set) => (column - columns.rank(set)).min(STRIP) as u16,
                None => STRIP as u16,
            };
            let (mut rest, mut stone) = (*set, 0);
            while rest != 0 && stone < NEAR {
                let from = rest & rest.wrapping_neg();
                rest ^= from;
                let free = !set & (from - 1);
                let next = highest(free);
                let moved = |to: u32| (to != 0).then_some(set ^ from | to);
                distances[stone] = far(moved(next));
                if stone < NEIGHBOURS - NEAR {
                    distances[NEAR + stone] = far(moved(highest(free ^ next)));
                }
                stone += 1;
            }
            distances
        };
        Neighbours(columns.sets().iter().enumerate().map(of).collect())
    }

    /// How many columns there are.
    pub fn columns(&self) -> usize {
        self.0.len()
    }

    /// The distances of consecutive columns.
    #[inline(always)]
    pub fn of(&self, columns: std::ops::Range<usize>) -> &[[u16; NEIGHBOURS]] {
        &self.0[columns]
    }
}

/// The highest bit of a mask, alone.
fn highest(mask: u32) -> u32 {
    mask.checked_ilog2().map_or(0, |bit| 1 << bit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_have_one_stone_elsewhere() {
        let columns = Columns::new(11, 4);
        let neighbours = Neighbours::new(&columns);
        for (column, distances) in neighbours.of(0..columns.count()).iter().enumerate() {
            for (number, distance) in distances.iter().enumerate() {
                if usize::from(*distance) == STRIP {
                    continue;
                }
                let (set, other) =
                    (columns.sets()[column], columns.sets()[column - usize::from(*distance)]);
                assert_eq!((set ^ other).count_ones(), 2);
                let left = (set & !other).trailing_zeros();
                assert_eq!((set & ((1 << left) - 1)).count_ones() as usize, number % NEAR);
            }
        }
    }

    #[test]
    fn ranks_do_not_depend_on_the_free_points() {
        let (few, many) = (Columns::new(9, 3), Columns::new(12, 3));
        let (few, many) = (Neighbours::new(&few), Neighbours::new(&many));
        assert_eq!(few.of(0..few.columns()), many.of(0..few.columns()));
    }
}
