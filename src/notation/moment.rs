//! Where a game stands: between two turns, or in the middle of one.

use crate::board::Point;
use crate::rules::{Pending, Position, Setup, Side};

/// Where a game stands, with the colour of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Between two turns.
    Between {
        /// The position, seen by the side to move.
        position: Position,
        /// Whose turn it is.
        to_move: Side,
    },
    /// A mill is closed and the stone not yet taken.
    Owing {
        /// The half turn.
        pending: Pending,
        /// Who owes the removal.
        to_move: Side,
        /// The half turn's first part, where a move list told it; `None` where the text showed the
        /// stones only.
        last: Option<HalfTurn>,
    },
}

/// A placement or a move that closed a mill, with the position it was made in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalfTurn {
    /// The position before it, seen by the player who made it.
    pub before: Position,
    /// Where the stone came from; `None`: from the hand.
    pub from: Option<Point>,
    /// Where it went.
    pub to: Point,
}

impl Moment {
    /// The side to move, or to remove.
    pub const fn to_move(&self) -> Side {
        match self {
            Moment::Between { to_move, .. } | Moment::Owing { to_move, .. } => *to_move,
        }
    }

    /// The stones as they stand, seen by the side to move. Where a removal is owed this is no
    /// position that a table could be asked about.
    pub const fn stones(&self) -> Position {
        match self {
            Moment::Between { position, .. } => *position,
            Moment::Owing { pending, .. } => pending.position(),
        }
    }

    /// The stones as they stand, in colours.
    pub fn setup(&self) -> Setup {
        self.stones().setup(self.to_move())
    }

    /// The owed removal, if one is.
    pub const fn pending(&self) -> Option<&Pending> {
        match self {
            Moment::Between { .. } => None,
            Moment::Owing { pending, .. } => Some(pending),
        }
    }
}
