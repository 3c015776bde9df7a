//! The kernel against a naive fixed point, on random graphs: any board, any rules, and for the
//! subspaces that are looked up any values and depths at all, of 8 or of 16 bits.

mod brute;
mod common;

use common::made_up::games;
use common::props::runner;
use merels::rules::{Position, Rules};
use merels::solve::{CodeVec, Finished, RowBuffer, Rows, SolveError, solve};
use merels::space::{Space, Subspace, Unit, dependencies, units};
use merels::value::{Code, Outcome};
use proptest::prelude::*;
use std::collections::HashMap;

/// Made-up outcomes of finished subspaces, the same for duplicates by symmetry; where the game is
/// over, what that is worth.
struct Anything {
    held: HashMap<Subspace, Vec<Outcome>>,
}

impl Anything {
    fn new(space: &Space, unit: Unit, mut seed: u64, deepest: u16) -> Anything {
        let mut held = HashMap::new();
        for subspace in unit.subspaces().flat_map(|part| dependencies(space.rules(), part)) {
            let index = space.index(subspace);
            let mut outcomes: Vec<Outcome> = Vec::new();
            for entry in 0..index.entries() {
                let at = index.arrangement(entry);
                let home = index.home(&at);
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let number = (seed >> 40) as u16;
                let outcome = match (space.rules().ending(&at), number % 4) {
                    (Some(ending), _) => ending.outcome(),
                    (None, 0) => Outcome::Draw,
                    (None, _) => Outcome::Decided(number / 4 % deepest),
                };
                let first = outcomes.get(home as usize).copied();
                outcomes.push(if home == entry { outcome } else { first.unwrap() });
            }
            held.insert(subspace, outcomes);
        }
        Anything { held }
    }
}

impl Finished for Anything {
    fn rows(&self, subspace: Subspace) -> Result<Box<dyn Rows + '_>, SolveError> {
        Ok(Box::new(Outcomes(&self.held[&subspace])))
    }
}

struct Outcomes<'a>(&'a [Outcome]);

impl Rows for Outcomes<'_> {
    fn read(&self, first: u64, codes: RowBuffer<'_>) -> Result<(), SolveError> {
        fn fill<C: Code>(codes: &mut [C], outcomes: &[Outcome]) -> Option<()> {
            for (code, outcome) in codes.iter_mut().zip(outcomes) {
                *code = C::encode(*outcome)?;
            }
            Some(())
        }
        let from = &self.0[first as usize..];
        let filled = match codes {
            RowBuffer::Narrow(codes) => fill(codes, from),
            RowBuffer::Wide(codes) => fill(codes, from),
        };
        filled.ok_or(SolveError::Wide)
    }
}

/// The values of a unit by the rules alone: what is decided at 0, 1, 2 plies, and so on, until
/// nothing that is known or looked up is deeper.
fn naive(space: &Space, unit: Unit, anything: &Anything) -> HashMap<Position, Outcome> {
    let rules = space.rules();
    let mut known = HashMap::new();
    let mut children = Vec::new();
    for subspace in unit.subspaces() {
        let index = space.index(subspace);
        for entry in 0..index.entries() {
            let position = index.arrangement(entry);
            match rules.ending(&position) {
                Some(ending) => drop(known.insert(position, ending.outcome())),
                None => {
                    let after = rules.turns(&position).into_iter();
                    let mut after: Vec<_> =
                        after.map(|turn| rules.play(&position, &turn)).collect();
                    after.dedup();
                    children.push((position, after));
                }
            }
        }
    }
    // Of duplicates by symmetry the one is asked that the solver holds.
    let place = |at: &Position| {
        let index = space.index(Subspace::of(at));
        index.arrangement(index.entry(at))
    };
    let mut deepest = 0;
    let mut told: Vec<(Position, Vec<Result<Outcome, Position>>)> = Vec::new();
    for (position, after) in children {
        let tell = |at: Position| {
            if let Some(ending) = rules.ending(&at) {
                return Ok(ending.outcome());
            }
            let subspace = Subspace::of(&at);
            match anything.held.get(&subspace) {
                Some(held) => Ok(held[space.index(subspace).entry(&at) as usize]),
                None => Err(place(&at)),
            }
        };
        let after: Vec<_> = after.into_iter().map(tell).collect();
        for outcome in after.iter().flatten() {
            if let Outcome::Decided(depth) = outcome {
                deepest = deepest.max(*depth);
            }
        }
        told.push((position, after));
    }
    let mut depth = 0;
    while depth <= deepest + 1 {
        let mut news = Vec::new();
        told.retain(|(position, after)| {
            let outcome = |child: &Result<Outcome, Position>| match child {
                Ok(outcome) => Some(*outcome),
                Err(at) => known.get(at).copied(),
            };
            let decided = if depth % 2 == 1 {
                after.iter().any(|child| outcome(child) == Some(Outcome::Decided(depth - 1)))
            } else {
                // Every turn leads to a win of the other, the slowest of them just before.
                after.iter().all(|child| {
                    matches!(outcome(child), Some(Outcome::Decided(n)) if n % 2 == 1 && n < depth)
                })
            };
            if decided {
                news.push(*position);
            }
            !decided
        });
        if !news.is_empty() {
            deepest = deepest.max(depth);
        }
        known.extend(news.into_iter().map(|position| (position, Outcome::Decided(depth))));
        depth += 1;
    }
    known.extend(told.into_iter().map(|(position, _)| (position, Outcome::Draw)));
    known
}

/// Every entry of a unit, whatever the subspaces below it hold.
fn agrees(rules: &Rules, which: usize, seed: u64, deepest: u16) {
    let space = Space::new(rules.clone());
    let units = units(rules);
    let unit = units[which % units.len()];
    let anything = Anything::new(&space, unit, seed, deepest);
    let expected = naive(&space, unit, &anything);
    for solved in solve(&space, unit, &anything, &()).unwrap() {
        let index = space.index(solved.subspace);
        for entry in 0..index.entries() {
            let outcome = match &solved.codes {
                CodeVec::Narrow(codes) => codes[entry as usize].decode(),
                CodeVec::Wide(codes) => codes[entry as usize].decode(),
            };
            let at = index.arrangement(entry);
            assert_eq!(outcome, Some(expected[&at]), "{} {entry} {at:?}", solved.subspace);
        }
    }
}

#[test]
fn any_graph_is_solved_as_a_naive_fixed_point_does() {
    let games = (games(4..=7, 3..=4), any::<usize>(), any::<u64>(), 1..=250u16);
    runner(500)
        .run(&games, |(made_up, which, seed, deepest)| {
            if let Some(rules) = made_up.rules() {
                agrees(&rules, which, seed, deepest);
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn depths_beyond_8_bits_are_solved_as_well() {
    let games = (games(4..=6, 3..=3), any::<usize>(), any::<u64>(), 251..=700u16);
    runner(120)
        .run(&games, |(made_up, which, seed, deepest)| {
            if let Some(rules) = made_up.rules() {
                agrees(&rules, which, seed, deepest);
            }
            Ok(())
        })
        .unwrap();
}
