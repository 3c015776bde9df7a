//! The contract between the two halves of the kernel: quiet moves are undone exactly as often as
//! they are made, by any rules on any board.

use super::forward::{Forward, Scratch, is_over, manner};
use super::layers::{Marks, Undo, WorkingRow};
use super::row::Row;
use super::unit::{Finished, Rows, SolveError};
use super::vector::Avx512;
use super::width::{RowBuffer, Width};
use crate::board::{Board, Description, PointSet};
use crate::rules::{Blocked, Flying, MillEffect, Placing, Rules, Setup, Side};
use crate::space::bits::expand;
use crate::space::{Space, Subspace, quiet_turns, subspaces};
use crate::value::Outcome;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

/// Whatever is looked up is a draw.
struct Draws;

impl Finished for Draws {
    fn rows(&self, _: Subspace) -> Result<Box<dyn Rows + '_>, SolveError> {
        Ok(Box::new(Draws))
    }
}

impl Rows for Draws {
    fn read(&self, _: u64, codes: RowBuffer<'_>) -> Result<(), SolveError> {
        match codes {
            RowBuffer::Narrow(codes) => codes.fill(crate::value::Code::DRAW),
            RowBuffer::Wide(codes) => codes.fill(crate::value::Code::DRAW),
        }
        Ok(())
    }
}

/// Rules on a board of 4 to 9 points.
fn rules() -> impl Strategy<Value = Rules> {
    let board = (4..=9usize).prop_flat_map(|points| {
        let pairs: Vec<_> =
            (0..points).flat_map(|a| (a + 1..points).map(move |b| vec![a, b])).collect();
        let all = 0..points;
        let triples = all.clone().flat_map(move |a| {
            (a + 1..points).flat_map(move |b| (b + 1..points).map(move |c| vec![a, b, c]))
        });
        let triples: Vec<_> = triples.collect();
        let (edges, mills) = (pairs.len(), triples.len().min(8));
        (Just(points), subsequence(pairs, points - 1..=edges), subsequence(triples, 1..=mills))
    });
    let manners = (select(Flying::ALL), select(MillEffect::ALL), select(Placing::ALL));
    (board, 3..=4u8, 3..=4u8, manners, select(Blocked::ALL)).prop_filter_map(
        "too many symmetries",
        |((points, lines, mills), white, black, (flying, mill, placing), blocked)| {
            let named = |lists: Vec<Vec<usize>>| -> Vec<Vec<String>> {
                lists.iter().map(|list| list.iter().map(|p| format!("p{p}")).collect()).collect()
            };
            let description = Description {
                name: "made-up".to_owned(),
                points: (0..points).map(|p| format!("p{p}")).collect(),
                lines: named(lines),
                mills: named(mills),
                runs: Vec::new(),
            };
            let board = Board::new(&description).ok()?;
            let on = Rules::on(board.into(), [white, black]);
            Some(Rules { flying, mill, placing, blocked, ..on })
        },
    )
}

/// Scans a row, compares its open moves with the quiet turns of the rules, and undoes them all.
fn made_and_undone<C: Width>(space: &Space, subspace: Subspace, vector: Option<Avx512>) {
    let rules = space.rules();
    let forward = Forward::new(space, subspace, &Draws, vector).unwrap();
    let classes = space.classes(usize::from(subspace.opponent), false);
    let columns =
        space.columns(rules.board.len() - usize::from(subspace.opponent), subspace.mover.into());
    let count = columns.count();
    for class in 0..classes.len() {
        let stones = classes.representative(class);
        if is_over(rules, stones) {
            continue;
        }
        // What the vector kernels write is in whole lanes.
        let (mut best, mut open) = (vec![C::default(); count], vec![0; count]);
        forward.row(class, stones, &mut Scratch::new(), &mut best, &mut open).unwrap();
        let free = (rules.board.points() - stones).bits();
        for (column, set) in columns.sets().iter().enumerate() {
            let mover = PointSet::from_bits(expand(*set, free));
            let hands = [subspace.mover_hand, subspace.opponent_hand];
            let setup = Setup { stones: [mover, stones], hands, to_move: Side::White };
            let position = rules.position(&setup).unwrap();
            let quiet = rules.turns(&position).into_iter().filter(|turn| {
                let closes = turn.from.is_some_and(|from| {
                    rules.board.closes(mover.without(from).with(turn.to), turn.to)
                });
                let counts = rules.mill == MillEffect::Wins || subspace.opponent > 0;
                turn.from.is_some() && !(closes && counts)
            });
            assert_eq!(usize::from(open[column]), quiet.count(), "{subspace} {position:?}");
        }
        let undo = Undo { rules, manner: manner(rules, subspace), columns: &columns, vector };
        let news = vec![C::encode(Outcome::Decided(1)).unwrap(); count];
        let mut marks = Marks::default();
        let working = WorkingRow { best: &mut best, open: &mut open, marks: &mut marks };
        undo.row(1, stones, &news, &mut Row::default(), &mut Vec::new(), working).unwrap();
        assert!(open.iter().all(|open| *open == 0), "{subspace}, stones {stones:?}: {open:?}");
    }
}

/// Fewer cases than usual: each is a whole game.
fn config() -> ProptestConfig {
    let usual = ProptestConfig::default();
    ProptestConfig { cases: (usual.cases / 6).max(1), failure_persistence: None, ..usual }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn quiet_moves_are_undone_as_often_as_they_are_made(rules in rules()) {
        let space = Space::new(rules);
        for subspace in subspaces(space.rules()) {
            if quiet_turns(space.rules(), subspace) {
                made_and_undone::<u8>(&space, subspace, None);
                made_and_undone::<u8>(&space, subspace, Avx512::detect());
                made_and_undone::<u16>(&space, subspace, None);
            }
        }
    }
}
