//! The solver against the brute-force oracle: every arrangement of whole small games.

mod brute;

use brute::{BruteRules, Oracle};
use merels::rules::{
    Flying, FullBoard, MillEffect, Placing, Position, Protection, Rules, variants,
};
use merels::solve::{CodeVec, Finished, RowBuffer, Rows, SolveError, solve};
use merels::space::{Space, Subspace, units};
use merels::value::{Code, Outcome};
use std::collections::HashMap;

#[derive(Default)]
struct Held(HashMap<Subspace, CodeVec>);

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

fn solve_all(rules: &Rules) -> (Space, Held) {
    let space = Space::new(rules.clone());
    let mut held = Held::default();
    for unit in units(rules) {
        for solved in solve(&space, unit, &held, &()).unwrap() {
            held.0.insert(solved.subspace, solved.codes);
        }
    }
    (space, held)
}

fn agree(rules: &Rules, brute: BruteRules) {
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

fn position(rules: &Rules, at: brute::BrutePos) -> Position {
    use merels::board::PointSet;
    let setup = merels::rules::Setup {
        stones: [PointSet::from_bits(at.mover), PointSet::from_bits(at.opponent)],
        hands: [at.mover_hand, at.opponent_hand],
        to_move: merels::rules::Side::White,
    };
    rules.position(&setup).unwrap()
}

#[test]
fn small_games_agree_everywhere() {
    for id in ["three", "three-orthogonal", "nine-holes", "achi"] {
        agree(&variants::named(id).unwrap().rules, BruteRules::variant(id));
    }
}

#[test]
fn five_agrees_everywhere() {
    agree(&variants::named("five").unwrap().rules, BruteRules::variant("five"));
}
