//! Why a text says nothing to the rule set it was read under.

use super::Subspace;
use crate::rules::SetupError;
use std::fmt;
use thiserror::Error;

/// A text that is no position, move list, move or subspace of the rule set.
///
/// [`code`](TextError::code) is a stable word for programs, the message is for people: what was
/// expected, what was found, where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TextError {
    /// The fields of a position are not what they should be.
    #[error("{0}")]
    Position(String),
    /// A character of the board text is not what should stand there.
    #[error("character {place} of the board text: expected {expected}, {}", found_words(*.found))]
    Board {
        /// Which character, from 1.
        place: usize,
        /// What may stand there.
        expected: String,
        /// What stands there; `None`: the text has ended.
        found: Option<char>,
    },
    /// The text can be read, but no such position can arise: too many men, a player without enough
    /// stones who is not to move, a removal owed without a mill.
    #[error("no position of this rule set: {0}")]
    Impossible(String),
    /// Numbers of stones that the rule set never comes to.
    #[error("{subspace} is not a subspace of this rule set: {why}")]
    Outside {
        /// The subspace found.
        subspace: Subspace,
        /// What is possible.
        why: String,
    },
    /// Mill FEN with wrong fields, or fields that contradict each other.
    #[error("mill FEN: {0}")]
    Fen(String),
    /// Mill FEN that speaks of something that these rules do not have.
    #[error("mill FEN: {0} belongs to other rules")]
    OtherRules(String),
    /// Mill FEN on a board that it cannot express.
    #[error(
        "mill FEN is for boards of 24 points, this one has {points}: use the short form, board text, side and hands, such as {example}"
    )]
    NoFen {
        /// Points of the board.
        points: usize,
        /// A position of the rule set in the short form.
        example: String,
    },
    /// A token that is not written like a move.
    #[error("{at}: expected a move such as {example}")]
    Move {
        /// The token.
        at: At,
        /// How moves are written.
        example: String,
    },
    /// A move names a point that the board does not have.
    #[error("{at}: {name} is no point of the board; its points are {points}")]
    UnknownPoint {
        /// The token.
        at: At,
        /// The name found, quoted.
        name: String,
        /// The names of the board's points.
        points: String,
    },
    /// A move that the rules do not allow.
    #[error("illegal move {at}: {why}")]
    Illegal {
        /// The token.
        at: At,
        /// What forbids it.
        why: String,
    },
    /// A text that is no subspace name.
    #[error(
        "{0} is not a subspace: expected stones of the mover and the opponent as in 5-4, with stones in hand 5-4+2-1"
    )]
    Subspace(String),
}

impl TextError {
    /// A word for the kind of error that later versions keep.
    ///
    /// | code | kind |
    /// |---|---|
    /// | `bad-position` | the text of a position is malformed |
    /// | `impossible-position` | well written, but it cannot arise: too many men and the like |
    /// | `outside-variant` | its subspace is none of the rule set's |
    /// | `bad-fen` | mill FEN with wrong or contradictory fields |
    /// | `other-rules` | mill FEN with marks or removals that these rules do not have |
    /// | `no-fen` | mill FEN on a board that has not 24 points |
    /// | `bad-move` | a token that is not written like a move |
    /// | `unknown-point` | a move names a point that the board does not have |
    /// | `illegal-move` | a move that the rules forbid |
    /// | `bad-subspace` | not written like a subspace |
    pub const fn code(&self) -> &'static str {
        match self {
            TextError::Position(_) | TextError::Board { .. } => "bad-position",
            TextError::Impossible(_) => "impossible-position",
            TextError::Outside { .. } => "outside-variant",
            TextError::Fen(_) => "bad-fen",
            TextError::OtherRules(_) => "other-rules",
            TextError::NoFen { .. } => "no-fen",
            TextError::Move { .. } => "bad-move",
            TextError::UnknownPoint { .. } => "unknown-point",
            TextError::Illegal { .. } => "illegal-move",
            TextError::Subspace(_) => "bad-subspace",
        }
    }
}

impl From<SetupError> for TextError {
    fn from(error: SetupError) -> TextError {
        TextError::Impossible(error.to_string())
    }
}

/// A token of a move list, or a move that stands alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At {
    /// The token, quoted where it is not a plain word.
    pub token: String,
    /// Its place in the list, from 1; `None` where it stands alone.
    pub number: Option<usize>,
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.token)?;
        match self.number {
            Some(number) => write!(f, " (number {number} of the list)"),
            None => Ok(()),
        }
    }
}

/// Foreign text for a message: short, and with nothing that disturbs a terminal.
pub(super) fn quoted(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}...", &text[..end]),
    }
}

/// The same, without quotation marks where the text is a plain word.
pub(super) fn plain(text: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
    match text.len() <= 20 && !text.is_empty() && text.bytes().all(plain) {
        true => text.to_owned(),
        false => quoted(text),
    }
}

fn found_words(found: Option<char>) -> String {
    found.map_or("but the text ends".to_owned(), |found| format!("found {found:?}"))
}
