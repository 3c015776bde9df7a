//! The solver against the brute-force oracle: every arrangement of whole small games.

mod brute;
mod common;

use brute::BruteRules;
use common::{Held, agree, made_up, solve_all};
use merels::rules::variants;
use merels::solve::{CodeVec, Finished, RowBuffer, Rows, SolveError, solve, solve_portably};
use merels::space::{Subspace, units};
use merels::value::Code;

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
    common::props::runner(120)
        .run(&made_up::games(5..=8, 3..=4), |made_up| {
            // A board with more symmetries than the index carries is refused; nothing to compare.
            if let Some(rules) = made_up.rules() {
                agree(&rules, made_up.brute());
            }
            Ok(())
        })
        .unwrap();
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
