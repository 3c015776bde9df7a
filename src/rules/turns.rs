//! Turns: one placement or one move, with the removal that it owes. Written for obviousness: the
//! verifier, the look-up and the text floors use it, the solver has its own way of doing this for
//! whole rows at once.

use super::{Blocked, FullBoard, MillEffect, Pending, Placing, Position, Protection, Rules};
use crate::board::{Point, PointSet};
use crate::value::Outcome;

/// One turn: a placement (`from` is `None`) or a move, and the stone it removes if it closes a
/// mill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    /// Where the stone comes from; `None`: from the hand.
    pub from: Option<Point>,
    /// Where it goes.
    pub to: Point,
    /// The opposing stone that is removed.
    pub removal: Option<Point>,
}

/// How a game has ended, for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// He has fewer than three stones on the board and in hand.
    TooFewStones,
    /// The opponent has a mill, and mills win.
    Mill,
    /// No point is empty.
    FullBoard(FullBoard),
    /// Points are empty and he has no legal turn.
    Blocked(Blocked),
}

impl Ending {
    /// What the ending is worth to the player to move.
    pub const fn outcome(self) -> Outcome {
        match self {
            Ending::FullBoard(FullBoard::Draw) | Ending::Blocked(Blocked::Draw) => Outcome::Draw,
            _ => Outcome::LOST,
        }
    }

    /// The ending in words, as said of the player to move.
    pub const fn words(self) -> &'static str {
        match self {
            Ending::TooFewStones => "has fewer than three stones",
            Ending::Mill => "faces a mill",
            Ending::FullBoard(_) => "finds no empty point",
            Ending::Blocked(_) => "has no legal turn",
        }
    }
}

impl Rules {
    /// Whether the game is over, and how.
    pub fn ending(&self, position: &Position) -> Option<Ending> {
        if self.too_few(position.mover_total()) {
            return Some(Ending::TooFewStones);
        }
        if self.mill == MillEffect::Wins && !self.board.in_mills(position.opponent).is_empty() {
            return Some(Ending::Mill);
        }
        if position.occupied() == self.board.points() {
            return Some(Ending::FullBoard(self.full_board));
        }
        let blocked = !self.may_place(position) && self.moves(position).next().is_none();
        blocked.then_some(Ending::Blocked(self.blocked))
    }

    /// Collects every legal turn into `turns`, which is cleared first; none where the game is over.
    pub fn turns_into(&self, position: &Position, turns: &mut Vec<Turn>) {
        turns.clear();
        if self.ending(position).is_some() {
            return;
        }
        if self.may_place(position) {
            for to in self.board.points() - position.occupied() {
                self.complete(position, None, to, turns);
            }
        }
        for (from, to) in self.moves(position) {
            self.complete(position, Some(from), to, turns);
        }
    }

    /// Every legal turn; none where the game is over.
    pub fn turns(&self, position: &Position) -> Vec<Turn> {
        let mut turns = Vec::new();
        self.turns_into(position, &mut turns);
        turns
    }

    /// The position after a legal turn, the other player to move.
    pub fn play(&self, position: &Position, turn: &Turn) -> Position {
        let half = half_turn(position, turn.from, turn.to);
        let taken = turn.removal.map_or(PointSet::EMPTY, |p| PointSet::EMPTY.with(p));
        Position { opponent: half.opponent - taken, ..half }.swapped()
    }

    /// The half turn after a stone was placed or moved, where it owes a removal.
    pub fn owes(&self, position: &Position, from: Option<Point>, to: Point) -> Option<Pending> {
        let half = half_turn(position, from, to);
        let owed = self.mill == MillEffect::Remove
            && !half.opponent.is_empty()
            && self.board.closes(half.mover, to);
        owed.then_some(Pending { position: half })
    }

    /// The opposing stones that the player who owes a removal may take.
    pub fn removable(&self, opponent: PointSet) -> PointSet {
        match self.protection {
            Protection::Never => opponent,
            Protection::UnlessAll => match opponent - self.board.in_mills(opponent) {
                PointSet::EMPTY => opponent,
                outside => outside,
            },
        }
    }

    /// The removals that complete half a turn.
    pub fn removals(&self, pending: &Pending) -> PointSet {
        self.removable(pending.position.opponent)
    }

    /// The position after the owed removal, the other player to move.
    pub fn remove(&self, pending: &Pending, taken: Point) -> Position {
        Position { opponent: pending.position.opponent.without(taken), ..pending.position }
            .swapped()
    }

    fn may_place(&self, position: &Position) -> bool {
        position.mover_hand > 0
    }

    /// Moves without their removals; none while stones in hand must be placed.
    fn moves<'a>(&'a self, position: &Position) -> impl Iterator<Item = (Point, Point)> + 'a {
        let empty = self.board.points() - position.occupied();
        let may = position.mover_hand == 0 || self.placing == Placing::Free;
        let stones = if may { position.mover } else { PointSet::EMPTY };
        let flies = self.flies(position.mover_total());
        stones.iter().flat_map(move |from| {
            let reach = if flies { empty } else { self.board.neighbours(from) & empty };
            reach.iter().map(move |to| (from, to))
        })
    }

    fn complete(&self, position: &Position, from: Option<Point>, to: Point, turns: &mut Vec<Turn>) {
        match self.owes(position, from, to) {
            None => turns.push(Turn { from, to, removal: None }),
            Some(pending) => turns.extend(self.removals(&pending).iter().map(|taken| Turn {
                from,
                to,
                removal: Some(taken),
            })),
        }
    }
}

/// The stones after placing or moving, the same player still to move.
fn half_turn(position: &Position, from: Option<Point>, to: Point) -> Position {
    match from {
        Some(from) => Position { mover: position.mover.without(from).with(to), ..*position },
        None => Position {
            mover: position.mover.with(to),
            mover_hand: position.mover_hand - 1,
            ..*position
        },
    }
}

/// How many different games of `depth` whole turns begin at `position`.
pub fn perft(rules: &Rules, position: &Position, depth: u32) -> u64 {
    let turns = rules.turns(position);
    match depth {
        0 => 1,
        1 => turns.len() as u64,
        _ => turns.iter().map(|turn| perft(rules, &rules.play(position, turn), depth - 1)).sum(),
    }
}

/// The same, a removal counted as a step of its own.
pub fn perft_steps(rules: &Rules, position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut turns = rules.turns(position);
    turns.dedup_by_key(|turn| (turn.from, turn.to));
    let one = |turn: &Turn| match rules.owes(position, turn.from, turn.to) {
        None => perft_steps(rules, &rules.play(position, turn), depth - 1),
        Some(_) if depth == 1 => 1,
        Some(pending) => {
            let removals = rules.removals(&pending).iter();
            removals
                .map(|taken| perft_steps(rules, &rules.remove(&pending, taken), depth - 2))
                .sum()
        }
    };
    turns.iter().map(one).sum()
}
