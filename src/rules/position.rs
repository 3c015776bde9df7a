//! Positions: from anything that somebody may set up to what the rules can speak about.
//!
//! [`Setup`] is what a text says, colours and all. [`Position`] is a legal position seen by the
//! player to move, without colours; only [`Rules::position`] (which reports every objection at
//! once) and the turns themselves make one. [`Pending`] is half a turn: a mill is closed and the
//! removal is owed, so that nobody asks a table about it by mistake.

use super::Rules;
use crate::board::PointSet;
use std::fmt;
use thiserror::Error;

/// The colour of a player; white begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Written first, begins.
    White,
    /// The other.
    Black,
}

impl Side {
    /// The other side.
    pub const fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// 0 for white, 1 for black.
    pub const fn number(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::White => "white",
            Side::Black => "black",
        })
    }
}

/// Stones, hands and the side to move, checked for nothing yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// Stones on the board, white then black.
    pub stones: [PointSet; 2],
    /// Stones in hand, white then black.
    pub hands: [u8; 2],
    /// The side to move.
    pub to_move: Side,
}

/// A legal position between two turns, seen by the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub(crate) mover: PointSet,
    pub(crate) opponent: PointSet,
    pub(crate) mover_hand: u8,
    pub(crate) opponent_hand: u8,
}

/// Half a turn: the mover has closed a mill and owes the removal of one opposing stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pending {
    /// Stones with the one just placed or moved in place; the mover still is the player who owes.
    pub(crate) position: Position,
}

/// Every reason why a setup is not a position of the rule set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError {
    reasons: Vec<String>,
}

impl SetupError {
    /// The reasons, each a phrase with what was expected and what was found.
    pub fn reasons(&self) -> &[String] {
        &self.reasons
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reasons.join("; "))
    }
}

impl std::error::Error for SetupError {}

/// A removal is claimed to be owed where none can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PendingError {
    /// The player who should owe a removal has no mill.
    #[error(
        "a removal is owed only after a mill was closed, but the side to move has no mill standing"
    )]
    NoMill,
    /// A mill wins the game or there is nothing to take.
    #[error("no removal can be owed: under these rules a mill wins at once")]
    MillWins,
    /// There is no stone to take.
    #[error("no removal can be owed: the opponent has no stone on the board")]
    NothingToTake,
}

impl Position {
    /// Stones of the player to move.
    pub const fn mover(&self) -> PointSet {
        self.mover
    }

    /// Stones of the other player.
    pub const fn opponent(&self) -> PointSet {
        self.opponent
    }

    /// Stones that the player to move has in hand.
    pub const fn mover_hand(&self) -> u8 {
        self.mover_hand
    }

    /// Stones that the other player has in hand.
    pub const fn opponent_hand(&self) -> u8 {
        self.opponent_hand
    }

    /// Stones on the board.
    pub fn occupied(&self) -> PointSet {
        self.mover | self.opponent
    }

    /// The player to move's stones on the board and in hand.
    pub const fn mover_total(&self) -> u8 {
        self.mover.len() as u8 + self.mover_hand
    }

    /// The other player's stones on the board and in hand.
    pub const fn opponent_total(&self) -> u8 {
        self.opponent.len() as u8 + self.opponent_hand
    }

    /// The same stones with the other player to move.
    pub const fn swapped(&self) -> Position {
        Position {
            mover: self.opponent,
            opponent: self.mover,
            mover_hand: self.opponent_hand,
            opponent_hand: self.mover_hand,
        }
    }

    /// The position in colours, `to_move` being the mover's.
    pub fn setup(&self, to_move: Side) -> Setup {
        let (stones, hands) = match to_move {
            Side::White => ([self.mover, self.opponent], [self.mover_hand, self.opponent_hand]),
            Side::Black => ([self.opponent, self.mover], [self.opponent_hand, self.mover_hand]),
        };
        Setup { stones, hands, to_move }
    }
}

impl Pending {
    /// The stones, the mover being the player who owes the removal.
    pub const fn position(&self) -> Position {
        self.position
    }
}

impl Rules {
    /// The position before the first turn, white to move.
    pub fn start(&self) -> Setup {
        Setup { stones: [PointSet::EMPTY; 2], hands: self.men, to_move: Side::White }
    }

    /// Checks that `setup` is a position of this rule set; otherwise says everything that speaks
    /// against it.
    pub fn position(&self, setup: &Setup) -> Result<Position, SetupError> {
        let mut reasons = self.objections(setup);
        let [white, black] = setup.stones;
        let mover_first = setup.to_move == Side::White;
        let (mover, opponent) = if mover_first { (white, black) } else { (black, white) };
        let [white_hand, black_hand] = setup.hands;
        let (mover_hand, opponent_hand) =
            if mover_first { (white_hand, black_hand) } else { (black_hand, white_hand) };
        let position = Position { mover, opponent, mover_hand, opponent_hand };
        if self.too_few(position.opponent_total()) {
            reasons.push(format!(
                "{} is not to move and has {} stones on the board and in hand; with fewer than three he has lost before, so the position cannot arise",
                setup.to_move.other(),
                position.opponent_total()
            ));
        }
        if reasons.is_empty() { Ok(position) } else { Err(SetupError { reasons }) }
    }

    fn objections(&self, setup: &Setup) -> Vec<String> {
        let mut reasons = Vec::new();
        let [white, black] = setup.stones;
        let outside = (white | black) - self.board.points();
        if !outside.is_empty() {
            reasons
                .push(format!("stones stand outside the {} points of the board", self.board.len()));
        }
        let both = white & black;
        if !both.is_empty() {
            let names: Vec<_> = (both & self.board.points())
                .iter()
                .map(|p| self.board.point_name(p).to_owned())
                .collect();
            reasons.push(format!("white and black both stand on {}", names.join(", ")));
        }
        for side in [Side::White, Side::Black] {
            let on_board = setup.stones[side.number()].len();
            let hand = usize::from(setup.hands[side.number()]);
            let men = usize::from(self.men[0].max(self.men[1]));
            if on_board + hand > men {
                reasons.push(format!(
                    "{side} has {on_board} stones on the board and {hand} in hand, more than the {men} men of the variant"
                ));
            }
        }
        reasons
    }

    /// The half turn at which the mover of `position` owes a removal for a mill that stands.
    pub fn pending(&self, position: Position) -> Result<Pending, PendingError> {
        if self.mill == super::MillEffect::Wins {
            return Err(PendingError::MillWins);
        }
        if self.board.in_mills(position.mover).is_empty() {
            return Err(PendingError::NoMill);
        }
        if position.opponent.is_empty() {
            return Err(PendingError::NothingToTake);
        }
        Ok(Pending { position })
    }
}
