//! Counting a finished subspace: as boards, and as positions up to the symmetries of the board.
//!
//! Every entry of a row stands for as many boards as its class has sets. The number of positions
//! is the sum over boards of (symmetries that keep the board) / (symmetries there are), which is
//! kept as a sum of numerators. It counts under the group that keeps adjacency and mills, also
//! where the index uses the larger group of the mills.

use super::{Census, Tally};
use crate::board::Group;
use crate::space::{Index, Space};
use crate::value::{Code, Outcome, Value};
use rayon::prelude::*;

/// Wins, draws and losses, and the extreme codes among the decided.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    boards: [u64; 3],
    numerators: [u64; 3],
    deepest_win: u16,
    deepest_loss: u16,
}

impl Count {
    fn add(self, other: Count) -> Count {
        Count {
            boards: std::array::from_fn(|i| self.boards[i] + other.boards[i]),
            numerators: std::array::from_fn(|i| self.numerators[i] + other.numerators[i]),
            deepest_win: self.deepest_win.max(other.deepest_win),
            deepest_loss: self.deepest_loss.max(other.deepest_loss),
        }
    }
}

/// Counts the finished codes of a subspace.
pub fn census<C: Code>(space: &Space, index: &Index, codes: &[C]) -> Census {
    let columns = index.columns().count();
    let board_group = space.rules().board.group();
    let counted = codes.par_chunks(columns).enumerate();
    let total = counted
        .map(|(class, row)| count_row(board_group, index, class, row))
        .reduce(Count::default, Count::add);
    let order = board_group.order() as u64;
    let tally = |counts: [u64; 3], per: u64| Tally {
        losses: counts[0] / per,
        draws: counts[1] / per,
        wins: counts[2] / per,
    };
    assert!(total.numerators.iter().all(|n| n % order == 0), "orbits are whole");
    Census {
        positions: tally(total.numerators, order),
        boards: tally(total.boards, 1),
        deepest_win: (total.boards[2] > 0).then_some(total.deepest_win),
        deepest_loss: (total.boards[0] > 0).then_some(total.deepest_loss),
    }
}

fn count_row<C: Code>(board_group: &Group, index: &Index, class: usize, row: &[C]) -> Count {
    let classes = index.classes();
    let orbit = classes.orbit(class) as u64;
    let mut entries = [0u64; 3];
    let (mut shallow_code, mut deep_code) = (C::default(), C::LOST);
    for code in row {
        entries[0] += u64::from(*code > C::DRAW);
        entries[2] += u64::from(*code < C::DRAW);
        shallow_code = shallow_code.max(if *code < C::DRAW { *code } else { C::default() });
        deep_code = deep_code.min(if *code > C::DRAW { *code } else { C::LOST });
    }
    entries[1] = row.len() as u64 - entries[0] - entries[2];
    let depth = |code: C| code.decode().and_then(Outcome::depth).unwrap_or(0);
    let boards = entries.map(|n| n * orbit);
    let numerators = match classes.stabiliser(class).len() {
        1 => boards,
        _ => numerators_of_symmetric_row(board_group, index, class, row),
    };
    Count { boards, numerators, deepest_win: depth(shallow_code), deepest_loss: depth(deep_code) }
}

fn numerators_of_symmetric_row<C: Code>(
    board_group: &Group,
    index: &Index,
    class: usize,
    row: &[C],
) -> [u64; 3] {
    let classes = index.classes();
    let group = classes.group();
    let stabiliser = classes.stabiliser(class);
    let same_group = group.order() == board_group.order();
    let first = class as u64 * row.len() as u64;
    // Kept times the order of the stabiliser until the end: only then is every part whole.
    let mut numerators = [0; 3];
    for (column, code) in row.iter().enumerate() {
        let at = index.arrangement(first + column as u64);
        let keeps = |s: &&u16| group.apply(usize::from(**s), at.opponent) == at.opponent;
        let kept_by = stabiliser.iter().filter(keeps).count() as u64;
        let weight = match (kept_by, same_group) {
            (1, _) => group.order() as u64,
            (_, true) => kept_by * group.order() as u64,
            // Boards that the larger group takes for one differ in what the smaller makes of them.
            (_, false) => {
                let kept_by_board = |element: usize| {
                    let (mover, opponent) =
                        (group.apply(element, at.mover), group.apply(element, at.opponent));
                    (0..board_group.order())
                        .filter(|g| {
                            board_group.apply(*g, mover) == mover
                                && board_group.apply(*g, opponent) == opponent
                        })
                        .count() as u64
                };
                (0..group.order()).map(kept_by_board).sum::<u64>()
            }
        };
        let value = match code.decode().map(Outcome::value) {
            Some(Value::Loss) => 0,
            Some(Value::Win) => 2,
            _ => 1,
        };
        numerators[value] += weight;
    }
    numerators.map(|n| n / stabiliser.len() as u64)
}
