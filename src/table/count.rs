//! How many entries a subspace has, without building its index: a header is checked against this,
//! and a shelf of hundreds of tables must open in no time.
//!
//! Classes are counted by Burnside's lemma: their number is the average, over the symmetries, of
//! the sets that a symmetry keeps, and a set is kept where it is a union of cycles.

use crate::board::{Group, MAX_POINTS, Point};
use crate::rules::Rules;
use crate::space::{Space, Subspace, binomial};
use std::sync::OnceLock;

/// Classes by size of the set.
type Counts = [u64; MAX_POINTS + 1];

/// Counts the entries of the subspaces of one rule set.
#[derive(Debug)]
pub(super) struct Counter {
    space: Space,
    /// Under the group of the board, and under that of the mills.
    counts: [OnceLock<Counts>; 2],
}

impl Counter {
    pub fn new(rules: &Rules) -> Counter {
        Counter { space: Space::new(rules.clone()), counts: Default::default() }
    }

    /// The entries of a subspace; 0 where its stones do not fit on the board.
    pub fn entries(&self, subspace: Subspace) -> u64 {
        let points = self.space.rules().board.len();
        let (mover, opponent) = (usize::from(subspace.mover), usize::from(subspace.opponent));
        if mover + opponent > points {
            return 0;
        }
        let counts = &self.counts[usize::from(self.space.by_mills(subspace))];
        let counts = counts.get_or_init(|| count(self.space.group(subspace), points));
        counts[mover] * binomial(points - mover, opponent)
    }
}

fn count(group: &Group, points: usize) -> Counts {
    let mut sums = [0; MAX_POINTS + 1];
    for element in 0..group.order() {
        for (sum, kept) in sums.iter_mut().zip(kept(group, element, points)) {
            *sum += kept;
        }
    }
    sums.map(|sum| sum / group.order() as u64)
}

/// How many sets of each size the element keeps.
fn kept(group: &Group, element: usize, points: usize) -> Counts {
    let mut kept = [0; MAX_POINTS + 1];
    kept[0] = 1;
    let mut seen = 0u32;
    for start in 0..points {
        let (mut point, mut length) = (start, 0);
        while seen >> point & 1 == 0 {
            seen |= 1 << point;
            length += 1;
            point = group.apply_point(element, Point::new(point)).number();
        }
        if length > 0 {
            // The cycle is in the set or not.
            for size in (length..=points).rev() {
                kept[size] += kept[size - length];
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::variants;
    use crate::space::subspaces;

    #[test]
    fn counts_are_those_of_the_index() {
        for id in ["three", "nine-holes", "achi", "five", "six"] {
            let rules = &variants::named(id).unwrap().rules;
            let (counter, space) = (Counter::new(rules), Space::new(rules.clone()));
            for subspace in subspaces(rules) {
                assert_eq!(counter.entries(subspace), space.index(subspace).entries());
            }
        }
    }

    #[test]
    fn counts_of_the_standard_game() {
        let rules = &variants::named("nine").unwrap().rules;
        let counter = Counter::new(rules);
        let space = Space::new(rules.clone());
        for subspace in ["3-3", "3-4", "5-4+1-0"].map(|name| name.parse().unwrap()) {
            assert_eq!(counter.entries(subspace), space.index(subspace).entries());
        }
        // Known is the sum under the 16 symmetries of the board; where both fly there are fewer.
        let points = rules.board.len();
        let classes = count(rules.board.group(), points);
        let plain = |s: Subspace| {
            let (mover, opponent) = (usize::from(s.mover), usize::from(s.opponent));
            classes[mover] * binomial(points - mover, opponent)
        };
        let all = subspaces(rules);
        assert_eq!(all.iter().map(|s| plain(*s)).sum::<u64>(), 27_860_688_626);
        for subspace in all {
            let fewer = counter.entries(subspace) < plain(subspace);
            assert!(!fewer || space.by_mills(subspace), "{subspace}");
        }
    }
}
