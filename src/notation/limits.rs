//! Which numbers of stones a rule set comes to, and in words what it does not.

use super::Subspace;
use crate::rules::{MAX_MEN, Rules};
use crate::space::subspaces;

/// Values that one number of a subspace can have.
const SIDE: usize = MAX_MEN as usize + 1;

/// The subspaces of a rule set, as a list and as a set that is quick to ask.
#[derive(Debug)]
pub(super) struct Limits {
    pub(super) subspaces: Vec<Subspace>,
    held: Box<[u64]>,
}

impl Limits {
    pub(super) fn new(rules: &Rules) -> Limits {
        let subspaces = subspaces(rules);
        let mut held = vec![0u64; SIDE.pow(4).div_ceil(64)].into_boxed_slice();
        for place in subspaces.iter().filter_map(|s| place(*s)) {
            held[place / 64] |= 1 << (place % 64);
        }
        Limits { subspaces, held }
    }

    /// Whether the rule set has this subspace.
    pub(super) fn holds(&self, subspace: Subspace) -> bool {
        place(subspace).is_some_and(|place| self.held[place / 64] >> (place % 64) & 1 != 0)
    }

    /// Whether a removal in a subspace of the rule set can have left the mover with too few stones.
    /// One who has fewer than two is treated as if several had been taken at once.
    pub(super) fn lost(&self, rules: &Rules, subspace: Subspace) -> bool {
        if !rules.too_few(subspace.mover_total()) {
            return false;
        }
        let Subspace { mover: _, opponent, mover_hand, opponent_hand } = subspace;
        let before = 3 - mover_hand;
        usize::from(opponent + before) <= rules.board.len()
            && self.steps_to(rules, Subspace::new(opponent, before, opponent_hand, mover_hand))
    }

    /// Whether a mover can have placed or moved a stone to come to these numbers, being still to
    /// move.
    pub(super) fn steps_to(&self, rules: &Rules, after: Subspace) -> bool {
        if after.mover == 0 {
            return false;
        }
        let moved = rules.may_move(after.mover_hand) && self.holds(after);
        let placed = || {
            let Subspace { mover, opponent, mover_hand, opponent_hand } = after;
            self.holds(Subspace::new(mover - 1, opponent, mover_hand + 1, opponent_hand))
        };
        moved || placed()
    }

    /// Why the rule set does not have `subspace`, and what it has instead.
    pub(super) fn why_outside(&self, rules: &Rules, subspace: Subspace) -> String {
        let [white, black] = rules.men;
        let most = white.max(black);
        let men = match white == black {
            true => format!("each player has at most {most} men"),
            false => format!("the players have {white} and {black} men"),
        };
        let keeps = match rules.too_few(2) {
            true => " and keeps at least 3",
            false => "",
        };
        let points = rules.board.len();
        let least = subspace.mover_total().min(subspace.opponent_total());
        if subspace.mover_total().max(subspace.opponent_total()) > most || rules.too_few(least) {
            format!("{men}{keeps}")
        } else if usize::from(subspace.mover) + usize::from(subspace.opponent) > points {
            format!("the board has {points} points")
        } else {
            format!("the nearest that it has are {}", self.nearest(subspace))
        }
    }

    fn nearest(&self, subspace: Subspace) -> String {
        const SHOWN: usize = 3;
        let off = |a: u8, b: u8| u32::from(a.abs_diff(b));
        let distance = |s: &Subspace| {
            let board = off(s.mover, subspace.mover) + off(s.opponent, subspace.opponent);
            let hands = off(s.mover_hand, subspace.mover_hand)
                + off(s.opponent_hand, subspace.opponent_hand);
            // The stones on the board are what people see; rather another hand than others there.
            2 * board + hands
        };
        let mut near = self.subspaces.clone();
        near.sort_by_key(distance);
        near.truncate(SHOWN);
        near.iter().map(Subspace::to_string).collect::<Vec<_>>().join(", ")
    }
}

fn place(subspace: Subspace) -> Option<usize> {
    let Subspace { mover, opponent, mover_hand, opponent_hand } = subspace;
    [mover, opponent, mover_hand, opponent_hand].into_iter().try_fold(0, |place, number| {
        (number <= MAX_MEN).then(|| place * SIDE + usize::from(number))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::variants;

    #[test]
    fn the_set_is_the_list() {
        for variant in variants::all() {
            let limits = Limits::new(&variant.rules);
            let held = (0..SIDE.pow(4)).filter(|p| limits.held[p / 64] >> (p % 64) & 1 != 0);
            assert_eq!(held.count(), limits.subspaces.len());
            assert!(limits.subspaces.iter().all(|s| limits.holds(*s)));
        }
    }

    #[test]
    fn a_lost_player_was_alive_a_removal_ago() {
        let rules = &variants::named("nine").unwrap().rules;
        let limits = Limits::new(rules);
        let lost = |name: &str| limits.lost(rules, name.parse().unwrap());
        for name in ["2-3", "2-9", "1-9", "0-9", "1-5+1-1", "1-6+1-0"] {
            assert!(lost(name), "{name}");
        }
        for name in ["2-2", "2-10", "3-5", "2-5+0-3", "1-5+1-3", "2-9+0-1"] {
            assert!(!lost(name), "{name}");
        }
        let three = &variants::named("three").unwrap().rules;
        assert!(!Limits::new(three).lost(three, Subspace::new(2, 3, 0, 0)));
    }
}
