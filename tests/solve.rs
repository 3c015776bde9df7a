//! The solver against the brute-force oracle: every arrangement of whole small games.

mod brute;
mod common;

use brute::BruteRules;
use common::{Held, agree, solve_all};
use merels::board::{Board, Description};
use merels::rules::{Blocked, Flying, FullBoard, MillEffect, Placing, Protection, Rules, variants};
use merels::solve::{CodeVec, Finished, RowBuffer, Rows, SolveError, solve, solve_portably};
use merels::space::{Subspace, units};
use merels::value::Code;
use std::sync::Arc;

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

/// Every value of every parameter, on boards that nobody plays.
#[test]
fn overridden_rules_agree_on_made_up_boards() {
    use proptest::prelude::*;
    use proptest::test_runner::{Config, TestRunner};
    let parameters = (0..3usize, 0..2usize, 0..2usize, 0..2usize, 0..2usize, 0..2usize);
    let board = (5..=8usize).prop_flat_map(|points| {
        let pairs = points * (points - 1) / 2;
        let triples = pairs * (points - 2) / 3;
        (
            Just(points),
            proptest::sample::subsequence((0..pairs).collect::<Vec<_>>(), points..=pairs.min(14)),
            proptest::sample::subsequence((0..triples).collect::<Vec<_>>(), 1..=6),
        )
    });
    let men = (3..=4u8, 3..=4u8);
    let config = Config { cases: 120, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(
        config,
        proptest::test_runner::TestRng::deterministic_rng(
            proptest::test_runner::RngAlgorithm::ChaCha,
        ),
    )
    .run(&(board, men, parameters), |((points, edges, triples), men, parameters)| {
        let (rules, brute) = made_up(points, &edges, &triples, [men.0, men.1], parameters);
        // A board with more symmetries than the index carries is refused; nothing to compare.
        if let Some(rules) = rules {
            agree(&rules, brute);
        }
        Ok(())
    })
    .unwrap();
}

fn made_up(
    points: usize,
    edges: &[usize],
    triples: &[usize],
    men: [u8; 2],
    parameters: (usize, usize, usize, usize, usize, usize),
) -> (Option<Rules>, BruteRules) {
    let mut all_edges = Vec::new();
    let mut all_triples = Vec::new();
    for a in 0..points {
        for b in a + 1..points {
            all_edges.push(vec![a, b]);
            all_triples.extend((b + 1..points).map(|c| [a, b, c]));
        }
    }
    let lines: Vec<Vec<usize>> = edges.iter().map(|i| all_edges[*i].clone()).collect();
    let mills: Vec<[usize; 3]> = triples.iter().map(|i| all_triples[*i]).collect();
    let (flying, mill, placing, full_board, blocked, protection) = parameters;
    let brute = BruteRules {
        points,
        lines: lines.clone(),
        mills: mills.clone(),
        men,
        flying: [brute::Flying::Never, brute::Flying::AtThree, brute::Flying::Always][flying],
        mill: [brute::MillEffect::Remove, brute::MillEffect::Wins][mill],
        placing: [brute::Placing::PlaceFirst, brute::Placing::Free][placing],
        full_board: [brute::FullBoard::Draw, brute::FullBoard::Loss][full_board],
        blocked: [brute::BlockedRule::Loss, brute::BlockedRule::Draw][blocked],
        protection: [brute::Protection::UnlessAll, brute::Protection::Never][protection],
    };
    let name = |p: &usize| format!("p{p}");
    let description = Description {
        name: "made-up".to_owned(),
        points: (0..points).map(|p| name(&p)).collect(),
        lines: lines.iter().map(|line| line.iter().map(name).collect()).collect(),
        mills: mills.iter().map(|mill| mill.iter().map(name).collect()).collect(),
        runs: Vec::new(),
    };
    let rules = Board::new(&description).ok().map(|board| Rules {
        board: Arc::new(board),
        men,
        flying: Flying::ALL[flying],
        mill: MillEffect::ALL[mill],
        placing: Placing::ALL[placing],
        full_board: FullBoard::ALL[full_board],
        blocked: Blocked::ALL[blocked],
        protection: Protection::ALL[protection],
    });
    (rules, brute)
}

/// The same unit with 16 bits a depth gives the same outcomes.
#[test]
fn wide_codes_agree_with_narrow_ones() {
    let rules = &variants::named("achi").unwrap().rules;
    let (space, held) = solve_all(rules);
    let wide = Widened(&held);
    for unit in units(rules) {
        for solved in solve(&space, unit, &wide, &()).unwrap() {
            let CodeVec::Narrow(narrow) = &held.0[&solved.subspace] else { panic!("8 bits do") };
            let outcomes: Vec<_> = match &solved.codes {
                CodeVec::Wide(codes) => codes.iter().map(|code| code.decode()).collect(),
                CodeVec::Narrow(codes) => codes.iter().map(|code| code.decode()).collect(),
            };
            let expected: Vec<_> = narrow.iter().map(|code| code.decode()).collect();
            assert_eq!(outcomes, expected, "{}", solved.subspace);
        }
    }
}

/// Finished subspaces that can only be read with 16 bits.
struct Widened<'a>(&'a Held);

impl Finished for Widened<'_> {
    fn rows(&self, subspace: Subspace) -> Result<Box<dyn Rows + '_>, SolveError> {
        Ok(Box::new(WidenedRows(&self.0.0[&subspace])))
    }
}

struct WidenedRows<'a>(&'a CodeVec);

impl Rows for WidenedRows<'_> {
    fn read(&self, first: u64, codes: RowBuffer<'_>) -> Result<(), SolveError> {
        match (self.0, codes) {
            (CodeVec::Narrow(held), RowBuffer::Wide(codes)) => {
                for (code, held) in codes.iter_mut().zip(&held[first as usize..]) {
                    *code = u16::encode(held.decode().unwrap()).unwrap();
                }
                Ok(())
            }
            _ => Err(SolveError::Wide),
        }
    }
}

/// What a plain processor computes is what this one does.
#[test]
fn the_portable_way_agrees() {
    for id in ["achi", "six"] {
        let rules = &variants::named(id).unwrap().rules;
        let (space, held) = solve_all(rules);
        for unit in units(rules) {
            for solved in solve_portably(&space, unit, &held, &()).unwrap() {
                assert_eq!(solved.codes, held.0[&solved.subspace], "{id} {}", solved.subspace);
            }
        }
    }
}
