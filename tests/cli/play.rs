//! `play`: games scripted through standard input.

use crate::desk::{Desk, Said};

fn shipped() -> &'static str {
    crate::shipped::shipped().to_str().unwrap()
}

/// A session with the tables that ship.
fn session(desk: &Desk, words: &str, script: &str) -> Said {
    let tables = shipped();
    let mut all: Vec<&str> = words.split_whitespace().collect();
    all.extend(["--seed", "1", "--tables", tables]);
    desk.words(&all, script).exits(0).complains_of_nothing()
}

#[test]
fn a_game_is_won_by_its_hints() {
    let desk = Desk::empty();
    // What hint says is played, line after line, as a person would.
    let mut script = String::new();
    for _ in 0..5 {
        let said = session(&desk, "play three", &format!("{script}hint\n"));
        let hint = said.out.lines().rfind(|line| line.contains(": win in ")).unwrap().to_owned();
        script += hint.split_once(':').unwrap().0.trim_start_matches("white> ");
        script.push('\n');
    }
    let said = session(&desk, "play three", &script);
    said.says("black plays ").says("over: black faces a mill, white has won");
}

#[test]
fn perfect_play_beats_a_person_who_is_white_no_more() {
    let desk = Desk::empty();
    let said = session(&desk, "play three --side black", "");
    assert!(said.out.contains("white plays b2"), "{}", said.out);
    assert!(said.out.ends_with("black> \n"));
}

#[test]
fn a_verdict_is_given_on_request() {
    let said = session(&Desk::empty(), "play three", "verdict\nverdict a3\na3\nverdict\nturns\n");
    let said = said.says("white to move: win in 5 (9 plies)").says("a3: draw");
    said.says("white's last turn, a3: draw; better was b2: win in 5 (9 plies)").says("turn  value");
}

#[test]
fn turns_are_taken_back_and_played_again() {
    let desk = Desk::empty();
    let said = session(&desk, "play three", "undo\nredo\nb2\nmoves\nundo\nmoves\nredo\nmoves\n");
    let records: Vec<&str> = said.out.lines().filter(|line| line.starts_with("startpos")).collect();
    assert_eq!(records.len(), 3);
    assert!(records[0].starts_with("startpos moves b2 "));
    assert_eq!(records[1], "startpos");
    assert_eq!(records[2], records[0]);
    said.says("no turn of yours to take back").says("nothing was taken back");
}

#[test]
fn a_saved_game_is_read_back() {
    let desk = Desk::empty();
    let script = "c4\nc5\nd4\ne5\nb4\nxc5\nsave game.txt\nsave game.txt\nb3\nsave! game.txt\n";
    let said = session(&desk, "play five --side both", script);
    said.says("saved to game.txt").says("game.txt is there already").says("white takes> ");
    let text = String::from_utf8(desk.read("game.txt")).unwrap();
    assert_eq!(text, "startpos moves c4 c5 d4 e5 b4 xc5 b3\n");
    desk.merels("generate five").exits(0);
    desk.words(&["query", "five", text.trim()], "").exits(0).says("white to move: win");
    desk.merels("query five --batch game.txt").exits(0);
    let said = desk.words(&["play", "five", text.trim(), "--side", "both"], "moves\n").exits(0);
    said.says(text.trim());
}

#[test]
fn a_game_begins_from_any_position_and_either_side() {
    let desk = Desk::empty();
    let said = session(&desk, "play three ***/*O*/*** b 2,3 --side black", "a3\nmoves\n");
    said.says("you play black").says("white plays ").says("***/*O*/*** b 2,3 moves a3 ");
    let script = "position ***/*O*/*** b 2,3\nside black\nstrength 3\nnew\nmoves\n";
    let said = session(&desk, "play three", script);
    said.says("black plays ").says("one of the 3 best turns").says("white plays ");
}

#[test]
fn what_is_not_legal_gets_its_reason_and_changes_nothing() {
    let script = "b2\nb2\nz9\nb2-c3\nb3 b3\nsave\nside green\nfly away\nmoves\n";
    let said = session(&Desk::empty(), "play three --side both", script);
    let said = said.says("b2 is not empty").says("\"z9\" is no point").says("b3 is not empty");
    let said = said.says("must place one first").says("expected the name of a file");
    said.says("expected white, black or both").says("help tells").says("\nstartpos moves b2\n");
}

#[test]
fn resigning_ends_a_game_and_can_be_taken_back() {
    let said = session(&Desk::empty(), "play three", "resign\nb2\nresign\nundo\nb2\nquit\nhint\n");
    let said = said.says("over: white resigns, black has won").says("the game is over");
    assert!(said.out.contains("black plays"));
    assert!(said.out.trim_end().ends_with("white> quit"));
}

#[test]
fn a_missing_table_is_explained_and_never_a_draw() {
    let desk = Desk::empty();
    let said = desk.fed("play nine", "d6\nverdict\nhint\nf4\nundo\nundo\n").exits(0);
    assert!(!said.out.contains("draw"), "{}", said.out);
    let said = said.says("merels generate nine 0-0+9-9").says("merels generate nine 0-1+9-8");
    said.says("play the turn for it, or undo").says("black> f4");
    // Two persons need no tables.
    let said = desk.fed("play nine --side both", "d6\nf4\n").exits(0);
    assert!(!said.out.contains("do not answer"), "{}", said.out);
}

#[test]
fn colours_are_for_terminals_and_hostile_lines_are_lived_through() {
    let input = [b"\xff\n\x1b[2J\n".as_slice(), &[b'a'; 2 << 20], b"\r\nb2\r\n"].concat();
    let tables = shipped();
    let words = ["play", "three", "--side", "both", "--tables", tables];
    let said = Desk::empty().words(&words, input).exits(0);
    assert!(!said.out.contains('\u{1b}') && said.out.len() < 10_000);
    said.says("not UTF-8").says("too long").says("in hand: white 2, black 3");
}

#[test]
fn json_and_bad_positions_are_bad_usage() {
    let desk = Desk::empty();
    desk.merels("play three --json").exits(2).complains("leave out --json");
    desk.merels("play").exits(2).complains("no variant is named");
    desk.words(&["play", "three", "rubbish"], "").exits(2);
    desk.merels("play three --side red").exits(2);
}
