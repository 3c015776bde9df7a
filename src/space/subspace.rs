//! A subspace by its four numbers, and its name.

use crate::board::MAX_POINTS;
use crate::rules::Position;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// All arrangements of given numbers of stones, seen by the player to move.
///
/// Written `5-4` (mover's stones on the board, opponent's) and with hands `5-4+2-1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subspace {
    /// The mover's stones on the board.
    pub mover: u8,
    /// The opponent's stones on the board.
    pub opponent: u8,
    /// The mover's stones in hand.
    pub mover_hand: u8,
    /// The opponent's stones in hand.
    pub opponent_hand: u8,
}

/// A text that is no subspace name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "{0:?} is not a subspace: expected stones of the mover and the opponent as in 5-4, with stones in hand 5-4+2-1"
)]
pub struct SubspaceError(String);

impl Subspace {
    /// The subspace with these stones on the board and in hand, mover first.
    pub const fn new(mover: u8, opponent: u8, mover_hand: u8, opponent_hand: u8) -> Subspace {
        Subspace { mover, opponent, mover_hand, opponent_hand }
    }

    /// The subspace that holds a position.
    pub const fn of(position: &Position) -> Subspace {
        Subspace {
            mover: position.mover().len() as u8,
            opponent: position.opponent().len() as u8,
            mover_hand: position.mover_hand(),
            opponent_hand: position.opponent_hand(),
        }
    }

    /// The same numbers with the players exchanged.
    pub const fn twin(self) -> Subspace {
        Subspace::new(self.opponent, self.mover, self.opponent_hand, self.mover_hand)
    }

    /// The mover's stones on the board and in hand.
    pub const fn mover_total(self) -> u8 {
        self.mover + self.mover_hand
    }

    /// The opponent's stones on the board and in hand.
    pub const fn opponent_total(self) -> u8 {
        self.opponent + self.opponent_hand
    }

    /// Stones on the board and in hand, of both players.
    pub const fn total(self) -> u8 {
        self.mover_total() + self.opponent_total()
    }

    /// Stones in hand, of both players.
    pub const fn hands(self) -> u8 {
        self.mover_hand + self.opponent_hand
    }

    /// Whether both hands are empty.
    pub const fn is_moving(self) -> bool {
        self.hands() == 0
    }
}

impl fmt::Display for Subspace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self.hands() {
            0 => format!("{}-{}", self.mover, self.opponent),
            _ => format!(
                "{}-{}+{}-{}",
                self.mover, self.opponent, self.mover_hand, self.opponent_hand
            ),
        };
        f.pad(&text)
    }
}

impl FromStr for Subspace {
    type Err = SubspaceError;

    fn from_str(text: &str) -> Result<Subspace, SubspaceError> {
        let pair = |part: &str| -> Option<(u8, u8)> {
            let (left, right) = part.split_once('-')?;
            let number = |word: &str| {
                let plain =
                    (1..=2).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_digit());
                let number = plain.then(|| word.parse::<u8>().ok()).flatten();
                number.filter(|n| usize::from(*n) <= MAX_POINTS)
            };
            Some((number(left)?, number(right)?))
        };
        let (board, hands) = text.split_once('+').unwrap_or((text, "0-0"));
        match (pair(board), pair(hands)) {
            (Some((mover, opponent)), Some((mover_hand, opponent_hand))) => {
                Ok(Subspace::new(mover, opponent, mover_hand, opponent_hand))
            }
            _ => Err(SubspaceError(text.to_owned())),
        }
    }
}
