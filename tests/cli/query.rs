//! `query`: one position.

use crate::desk::{Desk, keys};

#[test]
fn people_see_the_board_the_verdict_and_every_turn_best_first() {
    let said = Desk::with("three").merels("query three startpos").exits(0).complains_of_nothing();
    let said = said.says("white to move: win in 5 (9 plies)").says("3  *---*---*");
    let turns: Vec<&str> = said.out.lines().filter(|line| line.ends_with("b 2,3")).collect();
    assert_eq!(turns.len(), 9);
    assert!(turns[0].starts_with("b2 ") && turns[0].contains("win in 5"));
    assert!(turns[8].contains("loss in 4"));
}

#[test]
fn the_words_of_a_position_need_no_quotes() {
    let desk = Desk::with("three");
    let line = "query three ***/*O*/*** b 2,3";
    let bare = desk.merels(line).exits(0);
    let quoted = desk.words(&["query", "three", "***/*O*/*** b 2,3"], "").exits(0);
    assert_eq!(bare.out, quoted.out);
    desk.merels("query three --json startpos moves b2 a3").exits(0);
    desk.merels("query three position startpos moves b2 a3 --json").exits(0);
}

#[test]
fn an_answer_has_its_keys() {
    let answer = Desk::with("three").merels("query three startpos --json").exits(0).json();
    for key in ["variant", "position", "value", "depth", "depth_known", "over", "turns"] {
        assert!(keys(&answer).contains(&key), "{key}");
    }
    assert!(!keys(&answer).contains(&"line"));
    assert_eq!(answer["variant"], "three");
    assert_eq!(answer["position"], "***/***/*** w 3,3");
    assert_eq!(answer["value"], "win");
    assert_eq!(answer["depth"], 9);
    assert_eq!(answer["depth_known"], true);
    assert_eq!(answer["over"], false);
    assert_eq!(answer["win_in"], 5);
    let best = &answer["turns"][0];
    assert_eq!(keys(best), ["depth", "position", "turn", "value"]);
    assert_eq!(best["turn"], "b2");
    assert_eq!(best["value"], "win");
    assert_eq!(best["depth"], 9);
    assert_eq!(best["position"], "***/*O*/*** b 2,3");
    assert!(answer["turns"][1]["depth"].is_null());
}

#[test]
fn the_best_line_leads_to_the_end() {
    let desk = Desk::with("three");
    let answer = desk.merels("query three startpos --line --json").exits(0).json();
    let line = answer["line"].as_array().unwrap();
    assert_eq!(line.len(), 9);
    assert_eq!(keys(&line[0]), ["position", "turn"]);
    assert_eq!(line[0]["turn"], "b2");
    let last = line[8]["position"].as_str().unwrap();
    let end = desk.words(&["query", "three", last, "--json"], "").exits(0).json();
    assert_eq!(end["over"], true);
    assert_eq!(end["value"], "loss");
    assert_eq!(end["depth"], 0);
    assert_eq!(end["turns"].as_array().unwrap().len(), 0);
    desk.merels("query three startpos --line").exits(0).says("best line:").says("faces a mill");
}

#[test]
fn a_draw_has_no_line_and_says_so() {
    let desk = Desk::with("three-orthogonal");
    desk.merels("query three-orthogonal startpos --line").exits(0).says("no best line");
    let answer = desk.merels("query three-orthogonal startpos --line --json").exits(0).json();
    assert_eq!(answer["line"].as_array().unwrap().len(), 0);
    assert!(answer["depth"].is_null());
    assert_eq!(answer["depth_known"], true);
}

#[test]
fn an_owed_removal_is_answered() {
    let desk = Desk::empty();
    desk.merels("generate nine --max-stones 7").exits(0);
    let fen = "********/********/*OOO@@@* w m r 3 0 3 0 1 0 -1 -1 -1 -1 0 0 1";
    let answer = desk.merels(&format!("query nine {fen} --json")).exits(0).json();
    assert_eq!(answer["value"], "win");
    assert_eq!(answer["depth"], 1);
    assert_eq!(answer["removal_owed"], true);
    assert!(answer["turns"][0]["turn"].as_str().unwrap().starts_with('x'));
    desk.merels(&format!("query nine {fen}")).exits(0).says("white to remove a stone");
}

#[test]
fn a_position_without_its_table_is_a_no_with_the_command_that_makes_it() {
    let desk = Desk::empty();
    let said = desk.merels("query three startpos --tables far").exits(1);
    said.complains("0-0+3-3").complains("merels generate three 0-0+3-3 --tables far");
    let error = desk.merels("query three startpos --json").exits(1).json();
    assert_eq!(keys(&error), ["error"]);
    assert_eq!(keys(&error["error"]), ["code", "message", "remedy"]);
    assert_eq!(error["error"]["code"], "missing-table");
}

#[test]
fn the_command_in_a_hint_makes_what_is_missing() {
    let desk = Desk::empty();
    let said = desk.merels("query three --flying always startpos").exits(1);
    let (_, command) = said.err.split_once("make it with: merels ").unwrap();
    desk.merels(command.trim()).exits(0);
    desk.merels("query three --flying always startpos").exits(0);
}

#[test]
fn bad_text_is_told_from_a_missing_table() {
    let desk = Desk::with("three");
    let rows = [
        ("***/***/*** w 4,3", "more than the 3 men"),
        ("OOO/O**/*** w 0,3", "men"),
        ("***/***/** w 3,3", "c1"),
        ("***/*X*/*** w 3,3", "b2"),
        ("***/***/*** x 3,3", "w or b"),
        ("***/***/***", "side to move"),
        ("startpos moves b2 b2", "b2"),
        ("startpos moves z9", "z9"),
        ("startpos moves b2-c3", "b2-c3"),
        ("rubbish", "expected"),
    ];
    for (position, expected) in rows {
        let said = desk.words(&["query", "three", position], "").exits(2);
        said.complains(expected).says_nothing_on_stdout();
        let error = desk.words(&["query", "three", position, "--json"], "").exits(2).json();
        assert_eq!(keys(&error["error"]), ["code", "message"]);
    }
}

#[test]
fn where_only_values_are_at_hand_depths_are_null() {
    let desk = Desk::with("three");
    for name in desk.names("tables/three").iter().filter(|name| name.ends_with(".dtw")) {
        desk.remove(&format!("tables/three/{name}"));
    }
    let answer = desk.merels("query three startpos --json").exits(0).json();
    assert_eq!(answer["value"], "win");
    assert!(answer["depth"].is_null());
    assert_eq!(answer["depth_known"], false);
    assert_eq!(answer["turns"][0]["turn"], "b2");
    assert!(answer["turns"][0]["depth"].is_null());
    let said = desk.merels("query three startpos").exits(0).says("white to move: win\n");
    said.complains("depths are not known");
}
