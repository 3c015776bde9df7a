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
//! Only `men` and `board` must be there; the rest has the defaults of `docs/RULES.md`. What is wrong
//! is said with its key, and no error quotes more than a few words of the file.

use super::{Blocked, Flying, FullBoard, MAX_MEN, MillEffect, Placing, Protection};
use super::{Rules, RulesError, variants};
use crate::board::{Board, BoardError, Description, shipped};
use std::sync::Arc;
use thiserror::Error;
use toml::{Table, Value};

/// The largest rule file that is read, in bytes.
pub const MAX_FILE_BYTES: usize = 1 << 20;

/// The longest name of a rule set, in bytes.
pub const MAX_NAME: usize = 40;

/// The longest name of a board, in bytes: what a table header holds.
pub const MAX_BOARD_NAME: usize = 24;

/// Letters of a text that an error quotes.
const QUOTED: usize = 40;

/// Letters of a message of the TOML reader that are passed on.
const MESSAGE: usize = 200;

/// The keys of a rule file, and of its board.
const KEYS: [&str; 9] =
    ["name", "men", "board", "flying", "mill", "placing", "full-board", "blocked", "protection"];
const BOARD_KEYS: [&str; 4] = ["name", "points", "lines", "mills"];

const MEN: &str = "a number from 1 to 12, or two of them: [white, black]";
const BOARD: &str = "the name of a shipped board, or a table [board] with points, lines and mills";
const POINTS: &str = "a list of names of points";
const LISTS: &str = "a list of lists of points";

/// Why a text is not a rule set.
#[derive(Debug, Error)]
pub enum FileError {
    /// Not TOML.
    #[error("line {line}, column {column}: {what}")]
    Toml {
        /// The line, from 1.
        line: usize,
        /// The letter in the line, from 1.
        column: usize,
        /// What was expected.
        what: String,
    },
    /// Larger than any rule set needs.
    #[error("the file has {0} bytes; a rule file has at most {MAX_FILE_BYTES}")]
    TooLong(u64),
    /// A key that must be there is not.
    #[error("{key} is missing: expected {expected}")]
    Missing {
        /// The key.
        key: &'static str,
        /// What should stand there.
        expected: &'static str,
    },
    /// A key that a rule file does not have.
    #[error("unknown key {found:?}: a rule file has {}", KEYS.join(", "))]
    Key {
        /// The key.
        found: String,
    },
    /// A key that a board does not have.
    #[error(
        "unknown key {found:?} in [board]: a board has {}; the keys of the rule set stand above it",
        BOARD_KEYS.join(", ")
    )]
    BoardKey {
        /// The key.
        found: String,
    },
    /// A key has a value of another kind, or one out of range.
    #[error("{key} = {found}: expected {expected}")]
    Value {
        /// The key.
        key: String,
        /// What was found, in short.
        found: String,
        /// What should stand there.
        expected: &'static str,
    },
    /// A name is not a plain word.
    #[error(
        "{key} = {found:?}: a {what} is named by 1 to {most} lower-case letters, digits and hyphens, beginning with a letter"
    )]
    Name {
        /// The key.
        key: &'static str,
        /// What is named.
        what: &'static str,
        /// The longest name.
        most: usize,
        /// The name found.
        found: String,
    },
    /// The name of a variant that ships, with other parameters.
    #[error(
        "name = {name:?}: {parameter} is {found} here and {expected} in the variant {name} that ships; choose another name"
    )]
    Taken {
        /// The name.
        name: String,
        /// The first parameter that differs.
        parameter: &'static str,
        /// Its value in the file.
        found: String,
        /// Its value in the variant.
        expected: String,
    },
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
                found: cut(word),
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

/// Reads a rule set from the text of a TOML file.
pub fn parse(text: &str) -> Result<Named, FileError> {
    if text.len() > MAX_FILE_BYTES {
        return Err(FileError::TooLong(text.len() as u64));
    }
    let mut file: Table = toml::from_str(text).map_err(|error| not_toml(text, &error))?;
    if let Some(found) = file.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(FileError::Key { found: cut(found) });
    }
    let name = take_word(&mut file, "name")?.unwrap_or_else(|| "custom".to_owned());
    check_name("name", "rule set", MAX_NAME, &name)?;
    let men = file.remove("men").ok_or(FileError::Missing { key: "men", expected: MEN })?;
    let men = read_men(&men)?;
    let board = file.remove("board").ok_or(FileError::Missing { key: "board", expected: BOARD })?;
    let board = match board {
        Value::String(shipped) => shipped_board(&shipped)?,
        Value::Table(table) => Arc::new(read_board(table, &name)?),
        other => return Err(unexpected("board", &other, BOARD)),
    };
    let words = Overrides {
        flying: take_word(&mut file, "flying")?,
        mill: take_word(&mut file, "mill")?,
        placing: take_word(&mut file, "placing")?,
        full_board: take_word(&mut file, "full-board")?,
        blocked: take_word(&mut file, "blocked")?,
        protection: take_word(&mut file, "protection")?,
        ..Overrides::default()
    };
    let rules = words.apply(&Rules::on(board, men))?;
    if let Some(variant) = variants::named(&name)
        && let Some((parameter, found, expected)) = rules.difference(&variant.rules)
    {
        return Err(FileError::Taken { name, parameter, found, expected });
    }
    Ok(Named { name, rules })
}

fn read_board(mut table: Table, rule_set: &str) -> Result<Board, FileError> {
    if let Some(found) = table.keys().find(|key| !BOARD_KEYS.contains(&key.as_str())) {
        return Err(FileError::BoardKey { found: cut(found) });
    }
    let name = match table.remove("name") {
        Some(Value::String(name)) => name,
        Some(other) => return Err(unexpected("board.name", &other, "a word")),
        // A rule set may be called longer than its board; the name of a rule set is ASCII.
        None => rule_set[..rule_set.len().min(MAX_BOARD_NAME)].to_owned(),
    };
    check_name("board.name", "board", MAX_BOARD_NAME, &name)?;
    let mut take = |key: &str, whole: &'static str, expected| {
        table.remove(key).ok_or(FileError::Missing { key: whole, expected })
    };
    let points = take("points", "board.points", POINTS)?;
    let lines = take("lines", "board.lines", LISTS)?;
    let mills = take("mills", "board.mills", LISTS)?;
    let description = Description {
        name,
        points: words("board.points", points, POINTS)?,
        lines: lists("board.lines", lines)?,
        mills: lists("board.mills", mills)?,
        runs: Vec::new(),
    };
    Ok(Board::new(&description).map_err(brief)?)
}

fn read_men(value: &Value) -> Result<[u8; 2], FileError> {
    let number = |value: &Value| {
        let men = value.as_integer().and_then(|men| u8::try_from(men).ok());
        men.filter(|men| (1..=MAX_MEN).contains(men))
    };
    let both = match value.as_array().map(Vec::as_slice) {
        Some([white, black]) => number(white).zip(number(black)),
        _ => number(value).map(|men| (men, men)),
    };
    both.map(|(white, black)| [white, black]).ok_or_else(|| unexpected("men", value, MEN))
}

fn take_word(file: &mut Table, key: &'static str) -> Result<Option<String>, FileError> {
    match file.remove(key) {
        None => Ok(None),
        Some(Value::String(word)) => Ok(Some(word)),
        Some(other) => Err(unexpected(key, &other, "a word in quotes")),
    }
}

fn words(key: &str, value: Value, expected: &'static str) -> Result<Vec<String>, FileError> {
    let Value::Array(items) = value else { return Err(unexpected(key, &value, expected)) };
    let word = |(i, item)| match item {
        Value::String(word) => Ok(word),
        other => Err(unexpected(&numbered(key, i), &other, "the name of a point, in quotes")),
    };
    items.into_iter().enumerate().map(word).collect()
}

fn lists(key: &str, value: Value) -> Result<Vec<Vec<String>>, FileError> {
    let Value::Array(items) = value else { return Err(unexpected(key, &value, LISTS)) };
    let list = |(i, item)| words(&numbered(key, i), item, POINTS);
    items.into_iter().enumerate().map(list).collect()
}

fn numbered(key: &str, i: usize) -> String {
    format!("{key}, item {}", i + 1)
}

fn check_name(
    key: &'static str,
    what: &'static str,
    most: usize,
    name: &str,
) -> Result<(), FileError> {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    let named = (1..=most).contains(&name.len())
        && name.bytes().all(plain)
        && name.as_bytes()[0].is_ascii_lowercase();
    match named {
        true => Ok(()),
        false => Err(FileError::Name { key, what, most, found: cut(name) }),
    }
}

fn unexpected(key: &str, value: &Value, expected: &'static str) -> FileError {
    FileError::Value { key: key.to_owned(), found: show(value), expected }
}

/// A value as an error shows it: what is long only by its kind.
fn show(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{:?}", cut(text)),
        Value::Array(items) => match items.as_slice() {
            items @ ([_] | [_, _]) if items.iter().all(Value::is_integer) => {
                let shown: Vec<String> = items.iter().map(Value::to_string).collect();
                format!("[{}]", shown.join(", "))
            }
            items => format!("a list of {}", items.len()),
        },
        Value::Table(_) => "a table".to_owned(),
        short => short.to_string(),
    }
}

/// The beginning of a text that may be long.
fn cut(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// The same error, quoting less.
fn brief(error: BoardError) -> BoardError {
    match error {
        BoardError::Name { number, name } => BoardError::Name { number, name: cut(&name) },
        BoardError::Unknown { what, number, name } => {
            BoardError::Unknown { what, number, name: cut(&name) }
        }
        error => error,
    }
}

fn not_toml(text: &str, error: &toml::de::Error) -> FileError {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or("");
    let begun = before.rfind('\n').map_or(0, |end| end + 1);
    let mut what = String::new();
    for letter in error.message().chars().take(MESSAGE) {
        match letter {
            '"' | '\'' | '\\' => what.push(letter),
            _ => what.extend(letter.escape_debug()),
        }
    }
    FileError::Toml {
        line: before.matches('\n').count() + 1,
        column: before[begun..].chars().count() + 1,
        what,
    }
}

fn shipped_board(name: &str) -> Result<Arc<Board>, WordError> {
    shipped::named(name).ok_or_else(|| WordError {
        parameter: "board",
        found: cut(name),
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
            found: cut(text),
            expected: "numbers from 1 to 12: one such as 9, or two such as 9,8 (white, black)"
                .to_owned(),
        }),
    }
}
