//! Solving whole games in memory, and holding them against the brute-force oracle.
//!
//! For tests that declare `mod brute` beside this. What is finished is kept as it comes from the
//! solver: no table, no file.

#![allow(dead_code)] // each integration test uses its own part

pub mod made_up;
pub mod props;

use crate::brute::{BrutePos, BruteRules, Oracle};
use merels::board::PointSet;
use merels::rules::{Position, Rules, Setup, Side};
use merels::solve::{CodeVec, Finished, RowBuffer, Rows, SolveError, solve};
use merels::space::{Space, Subspace, units};
use merels::value::{Code, Outcome};
use std::collections::HashMap;

/// Finished subspaces.
#[derive(Default)]
pub struct Held(pub HashMap<Subspace, CodeVec>);

impl Finished for Held {
    fn rows(&self, subspace: Subspace) -> Result<Box<dyn Rows + '_>, SolveError> {
        Ok(Box::new(HeldRows(&self.0[&subspace])))
    }
}

struct HeldRows<'a>(&'a CodeVec);

impl Rows for HeldRows<'_> {
    fn read(&self, first: u64, codes: RowBuffer<'_>) -> Result<(), SolveError> {
        let first = first as usize;
        match (self.0, codes) {
            (CodeVec::Narrow(held), RowBuffer::Narrow(codes)) => {
                codes.copy_from_slice(&held[first..first + codes.len()]);
            }
            _ => return Err(SolveError::Wide),
        }
        Ok(())
    }
}

/// Solves every subspace of a rule set.
pub fn solve_all(rules: &Rules) -> (Space, Held) {
    let space = Space::new(rules.clone());
    let mut held = Held::default();
    for unit in units(rules) {
        for solved in solve(&space, unit, &held, &()).unwrap() {
            held.0.insert(solved.subspace, solved.codes);
        }
    }
    (space, held)
}

/// Solver and oracle give the same outcome to every arrangement of a rule set.
pub fn agree(rules: &Rules, brute: BruteRules) {
    let (space, held) = solve_all(rules);
    let mut oracle = Oracle::new(brute);
    let mut subs = oracle.subspaces();
    assert_eq!(subs.len(), held.0.len());
    subs.sort();
    for sub in subs {
        oracle.solve(sub);
        let [mover, opponent, mover_hand, opponent_hand] = sub;
        let subspace = Subspace::new(mover, opponent, mover_hand, opponent_hand);
        let index = space.index(subspace);
        let CodeVec::Narrow(codes) = &held.0[&subspace] else { panic!("8 bits do") };
        for (at, value) in oracle.iter(sub) {
            let position = position(rules, at);
            let stored = codes[index.entry(&position) as usize].decode().unwrap();
            let expected = value.map_or(Outcome::Draw, Outcome::Decided);
            assert_eq!(stored, expected, "{subspace} {at:?}");
        }
    }
}

fn position(rules: &Rules, at: BrutePos) -> Position {
    let setup = Setup {
        stones: [PointSet::from_bits(at.mover), PointSet::from_bits(at.opponent)],
        hands: [at.mover_hand, at.opponent_hand],
        to_move: Side::White,
    };
    rules.position(&setup).unwrap()
}
