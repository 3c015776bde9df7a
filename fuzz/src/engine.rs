//! Sessions of the engine protocol, over the tables that ship.

use std::path::Path;

/// A session comes to its end: each `isready` is answered, each `go` with at most one `bestmove`,
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
    let mut best = 0;
    for line in said.lines() {
        let word = line.split(' ').next().unwrap_or_default();
        let known = ["id", "option", "uciok", "readyok", "info", "bestmove"];
        assert!(known.contains(&word), "{line:?}");
        best += usize::from(word == "bestmove");
    }
    let lines = data.split(|byte| *byte == b'\n').count();
    assert!(best <= lines, "{best} best moves after {lines} lines");
}
