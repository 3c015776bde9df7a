//! Sessions of the engine protocol, over the tables that ship.

use super::is_one_line;
use merels::game::protocol::{Command, Kind};
use std::path::Path;

/// A session comes to its end: each `isready` is answered, each `go` by at most one `bestmove`,
/// and what is said is lines of the protocol.
pub fn run(data: &[u8]) {
    // The tables of somebody else's disk are none of ours.
    let asks_for_files = data.windows(6).any(|word| word.eq_ignore_ascii_case(b"tables"));
    if asks_for_files {
        return;
    }
    let tables = super::tables();
    let tables = Path::new(&tables).to_str().expect("a path of ours");
    let mut said = Vec::new();
    let words = ["three", "--tables", tables];
    merels::cli::uci(&words, &mut &data[..], &mut said).expect("a session in memory");
    let said = String::from_utf8(said).expect("the engine says UTF-8");
    let (mut ready, mut best) = (0, 0);
    for line in said.lines() {
        let word = line.split(' ').next().unwrap_or_default();
        let known = ["id", "option", "uciok", "readyok", "info", "bestmove"];
        assert!(known.contains(&word), "{line:?}");
        assert!(!line.contains(|letter: char| letter.is_control()), "{line:?}");
        ready += usize::from(word == "readyok");
        best += usize::from(word == "bestmove");
    }
    let asked = Asked::in_session(data);
    assert_eq!(ready, asked.ready, "answers to isready");
    assert!(best <= asked.turns, "{best} best moves where {} were asked for", asked.turns);
}

/// What a session asks for.
#[derive(Default)]
struct Asked {
    /// Lines that are `isready`.
    ready: usize,
    /// Lines that are `go`, or would be.
    turns: usize,
}

impl Asked {
    fn in_session(data: &[u8]) -> Asked {
        let mut asked = Asked::default();
        for line in data.split(|byte| *byte == b'\n') {
            match Command::read(line) {
                Ok(Some(Command::Quit)) => break,
                Ok(Some(Command::IsReady)) => asked.ready += 1,
                Ok(Some(Command::Go(_))) => asked.turns += 1,
                Err(refusal) => {
                    is_one_line(&refusal.why);
                    asked.turns += usize::from(refusal.kind == Kind::Go);
                }
                Ok(_) => {}
            }
        }
        asked
    }
}
