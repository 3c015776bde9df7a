//! A rule set as a handful of parameters, and the turns that it allows.
//!
//! [`Rules`] is the one value that says which game is played: a board and seven parameters, each
//! an enum or a small number. The name of a variant is only a way to write the parameters down;
//! two rule sets with equal parameters are the same game and share tables.

pub mod file;
mod position;
mod turns;
pub mod variants;

pub use position::{Pending, Position, Setup, SetupError, Side};
pub use turns::{Ending, Turn, perft, perft_steps};

use crate::board::Board;
use std::sync::Arc;
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_128;

/// The most men that a player may have.
pub const MAX_MEN: u8 = 12;

/// Declares an enum parameter with the words that name its values.
macro_rules! parameter {
    ($(#[$doc:meta])* $name:ident { $($(#[$value_doc:meta])* $value:ident = $word:literal),+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$value_doc])* $value),+ }

        impl $name {
            /// All values, in the order of their numbers in a table header.
            pub const ALL: &'static [$name] = &[$($name::$value),+];

            /// The word that names the value on the command line and in rule files.
            pub const fn word(self) -> &'static str {
                match self { $($name::$value => $word),+ }
            }

            /// The value that a word names.
            pub fn from_word(word: &str) -> Option<$name> {
                Self::ALL.iter().copied().find(|value| value.word() == word)
            }
        }
    };
}

parameter! {
    /// When a player may move a stone to any empty point instead of an adjacent one.
    Flying {
        /// Never.
        Never = "never",
        /// While the mover's stones on the board and in hand are three.
        AtThree = "at-three",
        /// Always.
        Always = "always"
    }
}
parameter! {
    /// What closing a mill does.
    MillEffect {
        /// It removes one opposing stone.
        Remove = "remove",
        /// It wins on the spot.
        Wins = "wins"
    }
}
parameter! {
    /// Whether a player with stones in hand may move instead of placing one.
    Placing {
        /// He must place.
        PlaceFirst = "place-first",
        /// He may place or move (Lasker).
        Free = "free"
    }
}
parameter! {
    /// The result for the player to move when no point is empty.
    FullBoard {
        /// A draw.
        Draw = "draw",
        /// He loses.
        Loss = "loss"
    }
}
parameter! {
    /// The result for the player to move when points are empty and he has no legal turn.
    Blocked {
        /// He loses.
        Loss = "loss",
        /// A draw.
        Draw = "draw"
    }
}
parameter! {
    /// Which stones are safe from removal.
    Protection {
        /// Stones in a mill, while another is outside every mill.
        UnlessAll = "unless-all",
        /// None.
        Never = "never"
    }
}

/// A rule set: a board and the parameters of `docs/RULES.md`.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The board.
    pub board: Arc<Board>,
    /// Stones that white and black have to place, each `1..=MAX_MEN`.
    pub men: [u8; 2],
    /// When stones fly.
    pub flying: Flying,
    /// What a mill does.
    pub mill: MillEffect,
    /// Whether stones in hand come first.
    pub placing: Placing,
    /// A full board.
    pub full_board: FullBoard,
    /// A player without a turn.
    pub blocked: Blocked,
    /// Stones safe from removal.
    pub protection: Protection,
}

/// Parameters that do not make a game.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum RulesError {
    /// A number of men out of range.
    #[error("men must be 1 to {MAX_MEN} for each player, found {0}")]
    Men(u8),
    /// Fewer men than a player needs to be alive.
    #[error(
        "with mill effect 'remove' a player with fewer than three stones has lost: men must be at least 3 each, found {0}"
    )]
    TooFewMen(u8),
}

impl Rules {
    /// The defaults of `docs/RULES.md` on `board`: place-first, remove, never flying, blocked and
    /// full board lose, mills protect.
    pub fn on(board: Arc<Board>, men: [u8; 2]) -> Rules {
        Rules {
            board,
            men,
            flying: Flying::Never,
            mill: MillEffect::Remove,
            placing: Placing::PlaceFirst,
            full_board: FullBoard::Loss,
            blocked: Blocked::Loss,
            protection: Protection::UnlessAll,
        }
    }

    /// Checks what the types cannot: the numbers of men.
    pub fn check(&self) -> Result<(), RulesError> {
        for men in self.men {
            if !(1..=MAX_MEN).contains(&men) {
                return Err(RulesError::Men(men));
            }
            if men < 3 && self.mill == MillEffect::Remove {
                return Err(RulesError::TooFewMen(men));
            }
        }
        Ok(())
    }

    /// The parameters by name and word, in the order of `docs/RULES.md`; what tables are compared
    /// by and people are shown.
    pub fn parameters(&self) -> [(&'static str, String); 8] {
        let men = match self.men {
            [white, black] if white == black => white.to_string(),
            [white, black] => format!("{white},{black}"),
        };
        [
            ("board", self.board.name().to_owned()),
            ("men", men),
            ("flying", self.flying.word().to_owned()),
            ("mill", self.mill.word().to_owned()),
            ("placing", self.placing.word().to_owned()),
            ("full-board", self.full_board.word().to_owned()),
            ("blocked", self.blocked.word().to_owned()),
            ("protection", self.protection.word().to_owned()),
        ]
    }

    /// The parameters other than the board as the eight bytes of a table header: white's men,
    /// black's men, then the numbers of flying, mill effect, placing, full board, blocked and
    /// protection.
    pub fn parameter_bytes(&self) -> [u8; 8] {
        [
            self.men[0],
            self.men[1],
            self.flying as u8,
            self.mill as u8,
            self.placing as u8,
            self.full_board as u8,
            self.blocked as u8,
            self.protection as u8,
        ]
    }

    /// A hash of all parameters, the board included. Equal for equal games, whatever their names.
    pub fn fingerprint(&self) -> u128 {
        let mut bytes = self.board.fingerprint().to_le_bytes().to_vec();
        bytes.extend_from_slice(&self.parameter_bytes());
        xxh3_128(&bytes)
    }

    /// The first parameter in which two rule sets differ: name, value here, value there.
    pub fn difference(&self, other: &Rules) -> Option<(&'static str, String, String)> {
        if self.board.fingerprint() != other.board.fingerprint() {
            let describe =
                |board: &Board| format!("{} ({:032x})", board.name(), board.fingerprint());
            return Some(("board", describe(&self.board), describe(&other.board)));
        }
        let pairs = self.parameters().into_iter().zip(other.parameters());
        let mut differing = pairs.skip(1).filter(|((_, here), (_, there))| here != there);
        differing.next().map(|((name, here), (_, there))| (name, here, there))
    }

    /// Whether a player with `stones` on the board and in hand together may fly.
    pub fn flies(&self, stones: u8) -> bool {
        match self.flying {
            Flying::Never => false,
            Flying::AtThree => stones == 3,
            Flying::Always => true,
        }
    }

    /// Whether a player with `hand` stones in hand may move a stone instead of placing one.
    pub fn may_move(&self, hand: u8) -> bool {
        hand == 0 || self.placing == Placing::Free
    }

    /// Whether a player with `stones` on the board and in hand together has lost for want of them.
    pub fn too_few(&self, stones: u8) -> bool {
        self.mill == MillEffect::Remove && stones < 3
    }
}

impl PartialEq for Rules {
    fn eq(&self, other: &Rules) -> bool {
        self.board.fingerprint() == other.board.fingerprint()
            && self.parameter_bytes() == other.parameter_bytes()
    }
}

impl Eq for Rules {}
