//! `uci`: the engine protocol, line by line through the program.

use crate::desk::{Desk, Said};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

fn shipped() -> &'static str {
    crate::shipped::shipped().to_str().unwrap()
}

/// A session with the tables that ship.
fn said(variant: &str, input: impl Into<Vec<u8>>) -> Said {
    let words = ["uci", variant, "--seed", "1", "--tables", shipped()];
    Desk::empty().words(&words, input).exits(0).complains_of_nothing()
}

fn lines(said: &Said) -> Vec<&str> {
    said.out.lines().collect()
}

#[test]
fn the_engine_introduces_itself_and_is_ready() {
    let said = said("three", "uci\nisready\nquit\nisready\n");
    let lines = lines(&said);
    assert!(lines[0].starts_with("id name merels "));
    for option in ["Variant type combo default three ", "Tables type string", "Strength type spin"]
    {
        assert!(lines.iter().any(|l| l.starts_with(&format!("option name {option}"))), "{option}");
    }
    assert_eq!(&lines[lines.len() - 2..], ["uciok", "readyok"]);
}

#[test]
fn a_win_is_told_with_value_plies_and_main_line() {
    let said = said("three", "position startpos\ngo\n");
    let lines = lines(&said);
    assert_eq!(lines[0], "info string white: win in 5 (9 plies)");
    assert!(lines[1].starts_with("info depth 9 score mate 5 "), "{}", lines[1]);
    let (_, line) = lines[1].split_once(" pv ").unwrap();
    assert_eq!(line.split(' ').count(), 9);
    assert!(line.starts_with("b2 "));
    assert_eq!(&lines[2..], ["bestmove b2"]);
}

#[test]
fn a_loss_is_negative_and_a_draw_is_nought() {
    let lost = said("three", "position startpos moves b2\ngo\n");
    assert!(lines(&lost)[1].starts_with("info depth 8 score mate -4 "), "{}", lost.out);
    let drawn = said("three-orthogonal", "go movetime 5\n");
    assert!(lines(&drawn)[1].starts_with("info depth 1 score cp 0 "), "{}", drawn.out);
}

#[test]
fn the_depth_that_is_asked_for_bounds_the_main_line() {
    for (go, turns) in [("go depth 1", 1), ("go depth 0", 1), ("go depth 4", 4), ("go nodes 1", 9)]
    {
        let said = said("three", format!("{go}\n"));
        let line = lines(&said)[1].split_once(" pv ").unwrap().1.to_owned();
        assert_eq!(line.split(' ').count(), turns, "{go}");
        said.says("bestmove b2\n");
    }
}

#[test]
fn infinite_is_answered_at_stop_and_a_stray_stop_is_passed_over() {
    let said = said("three", "stop\ngo infinite\nisready\nposition startpos\nstop\nstop\ngo\n");
    let lines = lines(&said);
    let ready = lines.iter().position(|line| *line == "readyok").unwrap();
    assert!(lines[..ready].iter().all(|line| line.starts_with("info ")));
    assert!(lines[ready + 1].contains("send stop first"));
    assert_eq!(lines[ready + 2], "bestmove b2");
    // The position that came too early is not answered by the one before it.
    assert_eq!(lines.last(), Some(&"bestmove (none)"));
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove")).count(), 2);
}

#[test]
fn a_game_that_is_over_has_no_best_move() {
    let said = said("three", "position startpos moves b2 a3 c2 b3 a2\ngo\n");
    let expected = [
        "info string over: black faces a mill: lost",
        "info depth 0 score mate 0",
        "bestmove (none)",
    ];
    assert_eq!(lines(&said), expected);
}

#[test]
fn what_cannot_be_answered_says_why_and_gives_no_move() {
    let rows = [
        ("position startpos moves b2 b2", "b2 is not empty"),
        ("position startpos moves z9", "no point of the board"),
        ("position fen ***/***/*** w 9,9", "more than the 3 men"),
        ("position", "expected startpos"),
        ("position \u{1b}[2J", "expected O, @ or *"),
        ("position fen ********/********/******** w p p 0 9 0 9 0 0 1", "24 points"),
    ];
    for (line, why) in rows {
        let said = said("three", format!("position startpos\n{line}\ngo\n"));
        let lines = lines(&said);
        assert!(lines[0].starts_with("info string ") && lines[0].contains(why), "{}", said.out);
        assert!(lines[1].starts_with("info string no position to answer"), "{}", said.out);
        assert_eq!(&lines[2..], ["bestmove (none)"]);
        assert!(!said.out.contains('\u{1b}'));
    }
}

#[test]
fn hostile_lines_are_answered_and_lived_through() {
    let rows: [(&[u8], &str); 8] = [
        (b"frobnicate", "unknown command"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"go sideways", "expected depth, movetime, nodes or infinite"),
        (b"go depth many", "expected a number after depth"),
        (b"setoption name Hash value 16", "there is no option"),
        (b"setoption name Strength value 0", "expected 1 to"),
        (b"setoption name Variant value nin", "did you mean nine?"),
        (b"GO", "unknown command"),
    ];
    for (line, why) in rows {
        let input = [line, b"\r\n\r\n  \nposition startpos\r\ngo\r\n"].concat();
        let said = said("three", input);
        assert!(lines(&said)[0].starts_with("info string "), "{}", said.out);
        let last = lines(&said).last().map(|line| (*line).to_owned());
        assert_eq!(last.as_deref(), Some("bestmove b2"));
        let moves = lines(&said).iter().filter(|line| line.starts_with("bestmove")).count();
        assert_eq!(moves, if line.starts_with(b"go") { 2 } else { 1 });
        said.says(why);
    }
}

#[test]
fn a_line_without_bounds_is_none() {
    let long = format!("position startpos moves {}\ngo\n", "b2 ".repeat(700_000));
    let said = said("three", format!("{long}position startpos\ngo\n"));
    assert!(said.out.len() < 2000);
    let moves: Vec<&str> =
        lines(&said).into_iter().filter(|line| line.starts_with("bestmove")).collect();
    assert_eq!(moves, ["bestmove (none)", "bestmove b2"]);
    said.says("the line is too long");
}

#[test]
fn a_missing_table_names_the_command_that_makes_it() {
    let desk = Desk::empty();
    let said = desk.fed("uci five", "go\n").exits(0);
    assert!(said.out.contains("make it with: merels generate five 0-0+5-5"), "{}", said.out);
    assert!(said.out.ends_with("bestmove (none)\n"));
    let said = desk.fed("uci", "go\n").exits(0);
    said.says("merels generate nine 0-0+9-9").says("bestmove (none)");
}

#[test]
fn a_damaged_table_is_named_and_not_believed() {
    let desk = Desk::with("three");
    desk.flip("tables/three/0-0+3-3.dtw", 256);
    let said = desk.fed("uci three", "go\n").exits(0);
    said.says("0-0+3-3.dtw is damaged").says("bestmove (none)\n");
    // A position that does not need it is answered.
    desk.fed("uci three", "position startpos moves b2\ngo\n").exits(0).says("score mate -4");
}

#[test]
fn without_depths_a_win_is_kept_and_that_is_said() {
    let desk = Desk::with("three");
    for name in desk.names("tables/three").iter().filter(|name| name.ends_with(".dtw")) {
        desk.remove(&format!("tables/three/{name}"));
    }
    let said = desk.fed("uci three", "go\n").exits(0).says("score cp 10000");
    said.says("for depths: merels generate three 0-0+3-3").says("bestmove b2\n");
}

#[test]
fn options_are_set_while_it_runs() {
    let tables = shipped();
    let script = format!(
        "setoption name Tables value {tables}\nsetoption name Variant value achi\ngo\n\
         setoption name Variant value three\nposition startpos moves b2\ngo\n"
    );
    let said = Desk::empty().fed("uci nine", script).exits(0);
    said.says("win in 6 (11 plies)").says("loss in 4 (8 plies)");
}

#[test]
fn strength_allows_the_best_few_turns_and_seeds_repeat() {
    let script = "setoption name Seed value 7\nsetoption name Strength value 5\n".to_owned()
        + &"position startpos\ngo depth 1\n".repeat(40);
    let first = said("three", script.clone());
    let turns: Vec<&str> =
        first.out.lines().filter_map(|line| line.strip_prefix("bestmove ")).collect();
    assert!(turns.iter().all(|turn| ["b2", "a1", "a3", "c1", "c3"].contains(turn)), "{turns:?}");
    assert!(turns.contains(&"b2") && turns.iter().any(|turn| *turn != "b2"));
    assert!(first.out.contains("info string chosen at strength 5: draw"));
    assert_eq!(said("three", script).out, first.out);
}

#[test]
fn json_and_stray_words_are_bad_usage() {
    Desk::empty().merels("uci three --json").exits(2).complains("leave out --json");
    Desk::empty().merels("uci nin").exits(2).complains("did you mean nine?");
    Desk::empty().merels("uci three --strength 0").exits(2);
}

/// An engine that is talked to.
struct Engine {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Engine {
    fn start(variant: &str, tables: &str, seed: u64) -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_merels"))
            .args(["uci", variant, "--tables", tables, "--seed", &seed.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let to = child.stdin.take().unwrap();
        let from = BufReader::new(child.stdout.take().unwrap());
        Engine { child, to, from }
    }

    /// The depth (`None`: a draw) and the token for a position.
    fn go(&mut self, position: &str) -> (Option<u32>, String) {
        writeln!(self.to, "position {position}\ngo depth 1").unwrap();
        let mut depth = None;
        loop {
            let mut line = String::new();
            assert_ne!(self.from.read_line(&mut line).unwrap(), 0, "{position}");
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["info", "depth", plies, "score", "mate", ..] => depth = plies.parse().ok(),
                ["bestmove", token] => return (depth, token.to_owned()),
                _ => {}
            }
        }
    }

    fn quit(mut self) {
        writeln!(self.to, "quit").unwrap();
        assert!(self.child.wait().unwrap().success());
    }
}

/// Two engines play from each position to the end, or until a draw has gone on for a while; the
/// depth falls with every turn.
fn play(variant: &str, tables: &str, positions: impl Iterator<Item = String>) -> [usize; 2] {
    let mut engines = [1, 2].map(|seed| Engine::start(variant, tables, seed));
    let mut ends = [0, 0];
    for begin in positions {
        let mut moves: Vec<String> = Vec::new();
        let mut before: Option<Option<u32>> = None;
        let mut mover = 0;
        let ended = loop {
            let joined = if moves.is_empty() { String::new() } else { moves.join(" ") };
            let parted = if begin.contains(" moves ") { " " } else { " moves " };
            let position =
                format!("{begin}{}{joined}", if joined.is_empty() { "" } else { parted });
            let (depth, token) = engines[mover].go(&position);
            let removes = token.starts_with('x');
            if let Some(before) = before {
                let expected = if removes { before } else { before.map(|depth: u32| depth - 1) };
                assert_eq!(depth, expected, "{position}");
            }
            if token == "(none)" {
                break true;
            }
            if moves.len() > 60 && depth.is_none() {
                break false;
            }
            before = Some(depth);
            moves.push(token);
            // The same engine goes on where the token left a removal owed.
            let owes = engines[mover].owes(&begin, parted, &moves);
            mover = if owes { mover } else { 1 - mover };
        };
        ends[usize::from(ended)] += 1;
    }
    engines.into_iter().for_each(Engine::quit);
    ends
}

impl Engine {
    /// Whether the last token left a removal owed: then only a removal is an answer.
    fn owes(&mut self, begin: &str, parted: &str, moves: &[String]) -> bool {
        let position = format!("{begin}{parted}{}", moves.join(" "));
        self.go(&position).1.starts_with('x')
    }
}

#[test]
fn two_engines_play_achi_to_the_end_from_every_second_position() {
    let points = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"];
    let pairs = points.iter().flat_map(|a| {
        points.iter().filter(move |b| *b != a).map(move |b| format!("startpos moves {a} {b}"))
    });
    let [drawn, ended] = play("achi", shipped(), pairs);
    assert_eq!(drawn + ended, 72);
    assert!(ended > 0);
}

#[test]
fn two_engines_bring_endgames_of_nine_home() {
    let desk = Desk::empty();
    desk.merels("generate nine --max-stones 6").exits(0);
    let mut state = 12345u64;
    let mut below = |bound: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % bound
    };
    let positions = (0..24).map(|i| {
        let mut points: Vec<usize> = (0..24).collect();
        let mut board = [b'*'; 24];
        for man in 0..6 {
            let point = points.swap_remove(below(points.len() as u64) as usize);
            board[point] = if man < 3 { b'O' } else { b'@' };
        }
        let text = std::str::from_utf8(&board).unwrap();
        let side = if i % 2 == 0 { "w" } else { "b" };
        match i % 3 {
            0 => format!(
                "fen {}/{}/{} {side} m s 3 0 3 0 0 0 -1 -1 -1 -1 0 0 1 ids:nodes",
                &text[..8],
                &text[8..16],
                &text[16..]
            ),
            _ => format!("fen {}/{}/{} {side} 0,0", &text[..8], &text[8..16], &text[16..]),
        }
    });
    let [drawn, ended] = play("nine", desk.path("tables").to_str().unwrap(), positions);
    assert_eq!(drawn + ended, 24);
    assert!(ended > 12);
}

#[test]
fn two_engines_play_five_with_all_its_removals() {
    let desk = Desk::with("five");
    let replies = ["d3", "d2", "c2", "b2", "b3", "b4", "e5", "e3", "e1", "c1", "a1", "a3", "a5"];
    let positions = replies.iter().map(|reply| format!("startpos moves c4 c5 d4 {reply}"));
    let [drawn, ended] = play("five", desk.path("tables").to_str().unwrap(), positions);
    assert!(ended > 3, "{drawn} drawn, {ended} ended");
}

#[test]
fn a_removal_is_the_answer_to_the_next_go() {
    let desk = Desk::with("five");
    let begin = "position startpos moves c4 c5 d4 e5";
    let said = desk.fed("uci five --seed 3", format!("{begin}\ngo\n{begin} b4\ngo\n")).exits(0);
    let turns: Vec<&str> =
        said.out.lines().filter_map(|line| line.strip_prefix("bestmove ")).collect();
    assert_eq!(turns, ["b4", "xc5"]);
    let line = said.out.lines().find(|line| line.contains(" pv ")).unwrap();
    assert!(line.contains("mate 8 ") && line.contains(" pv b4 xc5 "), "{line}");
    let fen = "position fen OO******/@@****** w 3,3 moves b4";
    desk.fed("uci five", format!("{fen}\ngo\n")).exits(0).says("bestmove xc5\n");
    // Weaker play keeps to the best few whole turns.
    let script =
        format!("setoption name Strength value 2\n{}", format!("{begin} b4\ngo\n").repeat(20));
    let said = desk.fed("uci five --seed 3", script).exits(0);
    let taken = said.out.lines().filter_map(|line| line.strip_prefix("bestmove "));
    assert!(taken.clone().all(|turn| turn == "xc5" || turn == "xe5"));
}
