//! The lines of the engine protocol, as mill programs speak it: from bytes to a [`Command`].
//!
//! Nothing is known here of boards or tables, so that any line can be read without one. What
//! cannot be read is refused with a reason, and with what it would have been: whoever cannot read a
//! `position` must not go on from the one before.

use std::path::PathBuf;

/// What a line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`: who the engine is and what can be set.
    Uci,
    /// `isready`: a sign of life.
    IsReady,
    /// `ucinewgame`: what follows belongs to another game.
    NewGame,
    /// `position`, with the words after it.
    Position(String),
    /// `go`.
    Go(Go),
    /// `stop`, or `ponderhit`: what was searched for is wanted now.
    Stop,
    /// `quit`.
    Quit,
    /// `setoption`.
    Set(Setting),
    /// `debug`, `register`: of no effect here.
    Nothing,
}

/// How far to look. The answer is known at once; the limits matter little.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// `depth`: turns of the main line.
    pub depth: Option<u64>,
    /// `infinite` or `ponder`: the turn is told at `stop`.
    pub wait: bool,
}

/// An option and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// `Tables`: the table directory.
    Tables(PathBuf),
    /// `Variant`: a shipped variant.
    Variant(String),
    /// `Strength`: how many of the best turns there are to choose among.
    Strength(usize),
    /// `Seed`: what chance begins with; `None`: any.
    Seed(Option<u64>),
}

/// The largest strength: more turns than any position has.
pub const MOST_STRENGTH: u16 = 10_000;

/// Why a line was not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What the line would have been.
    pub kind: Kind,
    /// What was expected, what was found. One line.
    pub why: String,
}

/// What a line that was not understood would have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A `position`: the one before does not hold any more.
    Position,
    /// A `go`: an answer is waited for.
    Go,
    /// A `setoption`.
    Set,
    /// Anything else.
    Other,
}

/// Commands, as a refusal lists them.
const COMMANDS: &str = "uci, isready, ucinewgame, position, go, stop, setoption, quit";

/// Limits of `go` that are followed by a number.
const NUMBERED: [&str; 9] =
    ["depth", "movetime", "nodes", "mate", "wtime", "btime", "winc", "binc", "movestogo"];

impl Command {
    /// Reads a line without its end; `None` where there is nothing on it.
    pub fn read(line: &[u8]) -> Result<Option<Command>, Refusal> {
        match std::str::from_utf8(line) {
            Ok(text) => Command::parse(text),
            Err(error) => Err(unreadable(line, &format!("the line is not UTF-8: {error}"))),
        }
    }

    /// The refusal of a line that is longer than a reader keeps; `start` is what it kept.
    pub fn too_long(start: &[u8]) -> Refusal {
        let why = format!("the line is too long: more than {} bytes", start.len());
        unreadable(start, &why)
    }

    fn parse(text: &str) -> Result<Option<Command>, Refusal> {
        let text = text.trim_matches(blank);
        let (word, rest) = text.split_once(blank).unwrap_or((text, ""));
        let rest = rest.trim_start_matches(blank);
        let command = match word {
            "" => return Ok(None),
            "uci" => Command::Uci,
            "isready" => Command::IsReady,
            "ucinewgame" => Command::NewGame,
            "position" => Command::Position(position(rest)?),
            "go" => Command::Go(go(rest)?),
            "stop" | "ponderhit" => Command::Stop,
            "quit" => Command::Quit,
            "setoption" => Command::Set(setting(rest)?),
            "debug" | "register" => Command::Nothing,
            other => {
                let why = format!("unknown command {}: expected one of {COMMANDS}", quoted(other));
                return Err(Refusal { kind: Kind::Other, why });
            }
        };
        Ok(Some(command))
    }
}

fn blank(letter: char) -> bool {
    letter.is_ascii_whitespace()
}

fn unreadable(line: &[u8], why: &str) -> Refusal {
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let kind = match words.next() {
        Some(b"position") => Kind::Position,
        Some(b"go") => Kind::Go,
        Some(b"setoption") => Kind::Set,
        _ => Kind::Other,
    };
    Refusal { kind, why: why.to_owned() }
}

fn position(rest: &str) -> Result<String, Refusal> {
    match rest {
        "" => Err(Refusal {
            kind: Kind::Position,
            why:
                "position: expected startpos or fen and a position, then moves where there are any"
                    .to_owned(),
        }),
        rest => Ok(rest.to_owned()),
    }
}

fn go(rest: &str) -> Result<Go, Refusal> {
    let refuse = |why: String| Refusal { kind: Kind::Go, why: format!("go: {why}") };
    let mut go = Go::default();
    let mut words = rest.split_ascii_whitespace();
    while let Some(word) = words.next() {
        match word {
            "infinite" | "ponder" => go.wait = true,
            limit if NUMBERED.contains(&limit) => {
                let found = words.next().unwrap_or("");
                let number = found.parse::<i64>().map_err(|_| {
                    refuse(format!("expected a number after {limit}, found {}", quoted(found)))
                })?;
                if limit == "depth" {
                    go.depth = Some(number.max(0).unsigned_abs());
                }
            }
            other => {
                return Err(refuse(format!(
                    "expected depth, movetime, nodes or infinite, found {}",
                    quoted(other)
                )));
            }
        }
    }
    Ok(go)
}

fn setting(rest: &str) -> Result<Setting, Refusal> {
    let refuse = |why: String| Refusal { kind: Kind::Set, why: format!("setoption: {why}") };
    let (name, value) = rest
        .strip_prefix("name")
        .filter(|after| after.starts_with(blank))
        .map(|after| split_word(after, "value"))
        .ok_or_else(|| refuse("expected name, the name, value and the value".to_owned()))?;
    let number = |least: u64, most: u64| {
        value.parse::<u64>().ok().filter(|number| (least..=most).contains(number)).ok_or_else(
            || refuse(format!("{name}: expected {least} to {most}, found {}", quoted(value))),
        )
    };
    match name.to_ascii_lowercase().as_str() {
        "tables" if value.is_empty() => Err(refuse("Tables: expected a directory".to_owned())),
        "tables" => Ok(Setting::Tables(value.into())),
        "variant" => Ok(Setting::Variant(value.to_owned())),
        "strength" => Ok(Setting::Strength(number(1, MOST_STRENGTH.into())? as usize)),
        "seed" if value.is_empty() || value == "<empty>" => Ok(Setting::Seed(None)),
        "seed" => Ok(Setting::Seed(Some(number(0, u64::MAX)?))),
        _ => Err(refuse(format!(
            "there is no option {}: expected Tables, Variant, Strength or Seed",
            quoted(name)
        ))),
    }
}

/// What stands before the word and after it, trimmed.
fn split_word<'a>(text: &'a str, word: &str) -> (&'a str, &'a str) {
    let found = text.match_indices(word).map(|(at, _)| at).find(|at| {
        let (before, after) = (&text[..*at], &text[at + word.len()..]);
        before.ends_with(blank) && (after.is_empty() || after.starts_with(blank))
    });
    match found {
        Some(at) => (text[..at].trim_matches(blank), text[at + word.len()..].trim_matches(blank)),
        None => (text.trim_matches(blank), ""),
    }
}

/// Foreign text for a message: short, and with nothing that disturbs a terminal.
fn quoted(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}...", &text[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn read(line: &str) -> Command {
        Command::read(line.as_bytes()).unwrap().unwrap()
    }

    fn refused(line: &[u8]) -> Refusal {
        let refusal = Command::read(line).unwrap_err();
        assert!(!refusal.why.contains('\n') && refusal.why.len() < 300, "{}", refusal.why);
        refusal
    }

    #[test]
    fn every_command_is_read() {
        assert_eq!(read("uci"), Command::Uci);
        assert_eq!(read(" isready\r"), Command::IsReady);
        assert_eq!(read("ucinewgame"), Command::NewGame);
        assert_eq!(read("stop"), Command::Stop);
        assert_eq!(read("ponderhit"), Command::Stop);
        assert_eq!(read("quit"), Command::Quit);
        assert_eq!(read("debug on"), Command::Nothing);
        assert_eq!(
            read("position  startpos moves d6\tf4 "),
            Command::Position("startpos moves d6\tf4".to_owned())
        );
        for line in ["", " ", "\r", "\t \r"] {
            assert_eq!(Command::read(line.as_bytes()), Ok(None));
        }
    }

    #[test]
    fn limits_are_read() {
        assert_eq!(read("go"), Command::Go(Go::default()));
        assert_eq!(read("go infinite"), Command::Go(Go { depth: None, wait: true }));
        assert_eq!(read("go depth 5"), Command::Go(Go { depth: Some(5), wait: false }));
        assert_eq!(read("go depth -5"), Command::Go(Go { depth: Some(0), wait: false }));
        let clock = "go wtime 1000 btime -3 winc 0 binc 0 movestogo 40 movetime 5 nodes 7 mate 3";
        assert_eq!(read(clock), Command::Go(Go::default()));
        for line in ["go depth", "go depth x", "go movetime 1s", "go far", "go searchmoves d6"] {
            assert_eq!(refused(line.as_bytes()).kind, Kind::Go, "{line}");
        }
    }

    #[test]
    fn options_are_read() {
        let set = |line: &str| match read(line) {
            Command::Set(setting) => setting,
            other => panic!("{other:?}"),
        };
        assert_eq!(
            set("setoption name Tables value /a b/value/c"),
            Setting::Tables("/a b/value/c".into())
        );
        assert_eq!(set("setoption name variant value five"), Setting::Variant("five".to_owned()));
        assert_eq!(set("setoption name Strength value 3"), Setting::Strength(3));
        assert_eq!(set("setoption name Seed value 7"), Setting::Seed(Some(7)));
        assert_eq!(set("setoption name Seed value <empty>"), Setting::Seed(None));
        assert_eq!(set("setoption name Seed"), Setting::Seed(None));
        for line in [
            "setoption",
            "setoption Strength 3",
            "setoption nameStrength value 3",
            "setoption name Strength",
            "setoption name Strength value 0",
            "setoption name Strength value -1",
            "setoption name Strength value 99999999999999999999999",
            "setoption name Hash value 16",
            "setoption name Tables",
            "setoption name Tables value ",
        ] {
            assert_eq!(refused(line.as_bytes()).kind, Kind::Set, "{line}");
        }
    }

    #[test]
    fn what_cannot_be_read_says_what_it_would_have_been() {
        assert_eq!(refused(b"frobnicate").kind, Kind::Other);
        assert_eq!(refused(b"Go").kind, Kind::Other);
        assert_eq!(refused(b"\xff\xfe").kind, Kind::Other);
        assert_eq!(refused(b"position").kind, Kind::Position);
        assert_eq!(refused(b" position startpos moves d6 \xff").kind, Kind::Position);
        assert_eq!(refused(b"go \xff").kind, Kind::Go);
        assert_eq!(Command::too_long(b"position startpos").kind, Kind::Position);
        assert_eq!(refused(&[b'a'; 5000]).kind, Kind::Other);
        assert!(refused("\u{1b}[31m".as_bytes()).why.contains("\\u{1b}"));
        assert!(refused(b"go\0").why.contains("unknown command"));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused_in_one_line(
            word in "(position|go|setoption name|setoption|uci|)",
            bytes in vec(any::<u8>(), 0..200),
        ) {
            let line = [word.as_bytes(), b" ", &bytes].concat();
            if let Err(refusal) = Command::read(&line) {
                prop_assert!(refusal.why.len() < 1000);
                prop_assert!(!refusal.why.contains('\n'));
            }
        }
    }
}
