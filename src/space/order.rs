//! Which subspaces a rule set has, what each needs, and the order in which they can be solved.
//!
//! Everything here counts stones and never looks at a board: a subspace belongs to the rule set if
//! turns reach it *by counting alone*, whether or not a mill is possible with so few stones.

use super::Subspace;
use crate::rules::{MillEffect, Rules};
use std::collections::BTreeSet;

/// What is solved in one go: a subspace, and its colour-swapped twin where quiet moves lead from
/// one to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unit {
    /// The subspace, the larger of the two by name.
    pub subspace: Subspace,
    /// The other one of a pair; `None` where the twin is the subspace itself or not needed.
    pub twin: Option<Subspace>,
}

impl Unit {
    /// The one or two subspaces of the unit.
    pub fn subspaces(&self) -> impl Iterator<Item = Subspace> + use<> {
        std::iter::once(self.subspace).chain(self.twin)
    }
}

/// Whether the mover of `subspace` may move a stone without placing one, so that quiet turns lead
/// to the twin: he has a stone to move and a point is empty.
pub fn quiet_turns(rules: &Rules, subspace: Subspace) -> bool {
    let stones = usize::from(subspace.mover + subspace.opponent);
    rules.may_move(subspace.mover_hand) && subspace.mover > 0 && stones < rules.board.len()
}

/// The subspaces that turns lead to, by counting: first those with fewer stones or emptier hands,
/// then, where quiet moves are possible, the twin.
fn successors(rules: &Rules, from: Subspace) -> Vec<Subspace> {
    let mut next = Vec::with_capacity(4);
    let removes = rules.mill == MillEffect::Remove
        && from.opponent > 0
        && !rules.too_few(from.opponent_total() - 1);
    let mut after = |mover: u8, mover_hand: u8| {
        if removes {
            next.push(Subspace::new(from.opponent - 1, mover, from.opponent_hand, mover_hand));
        }
        next.push(Subspace::new(from.opponent, mover, from.opponent_hand, mover_hand));
    };
    // Where there are more men than points, stones can be left in hand over a full board.
    let room = usize::from(from.mover + from.opponent) < rules.board.len();
    if from.mover_hand > 0 && room {
        after(from.mover + 1, from.mover_hand - 1);
    }
    if quiet_turns(rules, from) {
        after(from.mover, from.mover_hand);
    }
    next
}

/// The finished subspaces that solving `subspace` looks up: all that its turns lead to except its
/// twin.
pub fn dependencies(rules: &Rules, subspace: Subspace) -> Vec<Subspace> {
    let mut needed = successors(rules, subspace);
    needed.retain(|to| *to != subspace.twin());
    needed
}

/// All subspaces of the rule set, in an order in which each comes after everything it needs
/// (fewest stones first, then emptiest hands), twins side by side.
pub fn subspaces(rules: &Rules) -> Vec<Subspace> {
    let [white, black] = rules.men;
    let start = Subspace::new(0, 0, white, black);
    let mut seen = BTreeSet::from([start]);
    let mut open = vec![start];
    while let Some(from) = open.pop() {
        open.extend(successors(rules, from).into_iter().filter(|to| seen.insert(*to)));
    }
    let mut all: Vec<_> = seen.into_iter().collect();
    all.sort_by_key(|s| (s.total(), s.hands(), (*s).max(s.twin()), std::cmp::Reverse(*s)));
    all
}

/// The units that cover the subspaces of the rule set, in an order in which they can be solved.
pub fn units(rules: &Rules) -> Vec<Unit> {
    let all = subspaces(rules);
    let held: BTreeSet<_> = all.iter().copied().collect();
    let paired = |s: Subspace| {
        s != s.twin()
            && held.contains(&s.twin())
            && (quiet_turns(rules, s) || quiet_turns(rules, s.twin()))
    };
    let to_unit = |s: Subspace| match paired(s) {
        false => Some(Unit { subspace: s, twin: None }),
        true if s > s.twin() => Some(Unit { subspace: s, twin: Some(s.twin()) }),
        true => None,
    };
    all.into_iter().filter_map(to_unit).collect()
}
