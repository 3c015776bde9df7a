//! Rule sets from TOML files, and single parameters overridden by their words.
//!
//! ```toml
//! name = "example"              # what the rule set is called; letters, digits and hyphens
//! men = 7                       # or [9, 8]: white, black
//! flying = "at-three"           # never, at-three, always
//! mill = "remove"               # remove, wins
//! placing = "place-first"       # place-first, free
//! full-board = "loss"           # draw, loss
//! blocked = "loss"              # loss, draw
//! protection = "unless-all"     # unless-all, never
//! board = "rings3"              # a shipped board, or a table:
//!
//! [board]
//! name = "example"
//! points = ["a1", "b1", "c1"]   # in the order of the position text
//! lines = [["a1", "b1", "c1"]]  # consecutive points are adjacent
//! mills = [["a1", "b1", "c1"]]
//! ```
//!
//! Only `men` and `board` must be there; the rest has the defaults of `docs/RULES.md`.

use super::{Blocked, Flying, FullBoard, MillEffect, Placing, Protection, Rules, RulesError};
use crate::board::{Board, BoardError, Description, shipped};
use serde::Deserialize;
use std::sync::Arc;
use thiserror::Error;

/// The largest rule file that is read, in bytes.
pub const MAX_FILE_BYTES: usize = 1 << 20;

/// Why a text is not a rule set.
#[derive(Debug, Error)]
pub enum FileError {
    /// Not TOML, or with keys and types that a rule file does not have.
    #[error("{0}")]
    Toml(Box<toml::de::Error>),
    /// Larger than any rule set needs.
    #[error("the file has {0} bytes; a rule file has at most {MAX_FILE_BYTES}")]
    TooLong(usize),
    /// The name is not a plain word.
    #[error(
        "name = {0:?}: a rule set is named by 1 to 40 lower-case letters, digits and hyphens, beginning with a letter"
    )]
    Name(String),
    /// A parameter has a value that it cannot have.
    #[error(transparent)]
    Word(#[from] WordError),
    /// The board does not make sense.
    #[error("board: {0}")]
    Board(#[from] BoardError),
    /// The parameters do not make a game.
    #[error(transparent)]
    Rules(#[from] RulesError),
}

/// A word that is no value of its parameter.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{parameter} = {found:?}: expected {expected}")]
pub struct WordError {
    /// The parameter.
    pub parameter: &'static str,
    /// What was found.
    pub found: String,
    /// The values that it can have.
    pub expected: String,
}

/// Parameters to be changed in a rule set, by their words; `None` leaves one as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// A shipped board.
    pub board: Option<String>,
    /// `9` or `9,8`.
    pub men: Option<String>,
    /// A word of [`Flying`].
    pub flying: Option<String>,
    /// A word of [`MillEffect`].
    pub mill: Option<String>,
    /// A word of [`Placing`].
    pub placing: Option<String>,
    /// A word of [`FullBoard`].
    pub full_board: Option<String>,
    /// A word of [`Blocked`].
    pub blocked: Option<String>,
    /// A word of [`Protection`].
    pub protection: Option<String>,
}

macro_rules! set_word {
    ($rules:ident . $field:ident, $type:ident, $parameter:literal, $word:expr) => {
        if let Some(word) = $word {
            $rules.$field = $type::from_word(word).ok_or_else(|| WordError {
                parameter: $parameter,
                found: word.to_owned(),
                expected: $type::ALL.iter().map(|v| v.word()).collect::<Vec<_>>().join(", "),
            })?;
        }
    };
}

impl Overrides {
    /// `rules` with the named parameters changed, checked.
    pub fn apply(&self, rules: &Rules) -> Result<Rules, FileError> {
        let mut rules = rules.clone();
        if let Some(name) = &self.board {
            rules.board = shipped_board(name)?;
        }
        if let Some(men) = &self.men {
            rules.men = parse_men(men)?;
        }
        set_word!(rules.flying, Flying, "flying", self.flying.as_deref());
        set_word!(rules.mill, MillEffect, "mill", self.mill.as_deref());
        set_word!(rules.placing, Placing, "placing", self.placing.as_deref());
        set_word!(rules.full_board, FullBoard, "full-board", self.full_board.as_deref());
        set_word!(rules.blocked, Blocked, "blocked", self.blocked.as_deref());
        set_word!(rules.protection, Protection, "protection", self.protection.as_deref());
        rules.check()?;
        Ok(rules)
    }
}

/// A rule set as it was read, with its name.
#[derive(Clone, Debug)]
pub struct Named {
    /// What the file calls it.
    pub name: String,
    /// The parameters.
    pub rules: Rules,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    name: Option<String>,
    men: Men,
    board: BoardSource,
    flying: Option<String>,
    mill: Option<String>,
    placing: Option<String>,
    full_board: Option<String>,
    blocked: Option<String>,
    protection: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "men = a number or [white, black]")]
enum Men {
    Both(u8),
    Each([u8; 2]),
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "board = the name of a shipped board, or a table with points, lines and mills"
)]
enum BoardSource {
    Shipped(String),
    Own(BoardTable),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BoardTable {
    name: Option<String>,
    points: Vec<String>,
    lines: Vec<Vec<String>>,
    mills: Vec<Vec<String>>,
}

/// Reads a rule set from the text of a TOML file.
pub fn parse(text: &str) -> Result<Named, FileError> {
    if text.len() > MAX_FILE_BYTES {
        return Err(FileError::TooLong(text.len()));
    }
    let file: File = toml::from_str(text).map_err(|error| FileError::Toml(Box::new(error)))?;
    let name = file.name.unwrap_or_else(|| "custom".to_owned());
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    let named = (1..=40).contains(&name.len())
        && name.bytes().all(plain)
        && name.as_bytes()[0].is_ascii_lowercase();
    if !named {
        return Err(FileError::Name(name));
    }
    let board = match file.board {
        BoardSource::Shipped(name) => shipped_board(&name)?,
        BoardSource::Own(table) => Arc::new(Board::new(&Description {
            name: table.name.unwrap_or_else(|| name.clone()),
            points: table.points,
            lines: table.lines,
            mills: table.mills,
            runs: Vec::new(),
        })?),
    };
    let men = match file.men {
        Men::Both(men) => [men, men],
        Men::Each(men) => men,
    };
    let words = Overrides {
        flying: file.flying,
        mill: file.mill,
        placing: file.placing,
        full_board: file.full_board,
        blocked: file.blocked,
        protection: file.protection,
        ..Overrides::default()
    };
    let rules = words.apply(&Rules::on(board, men))?;
    Ok(Named { name, rules })
}

fn shipped_board(name: &str) -> Result<Arc<Board>, WordError> {
    shipped::named(name).ok_or_else(|| WordError {
        parameter: "board",
        found: name.to_owned(),
        expected: shipped::names().collect::<Vec<_>>().join(", "),
    })
}

fn parse_men(text: &str) -> Result<[u8; 2], WordError> {
    let numbers: Option<Vec<u8>> = text.split(',').map(|word| word.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some([men]) => Ok([*men, *men]),
        Some([white, black]) => Ok([*white, *black]),
        _ => Err(WordError {
            parameter: "men",
            found: text.to_owned(),
            expected: "a number such as 9, or two such as 9,8 (white, black)".to_owned(),
        }),
    }
}
