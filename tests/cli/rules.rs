//! `rules` and `plan`, overrides and rule files.

use crate::desk::{Desk, keys};

/// A ring of eight points and a centre: a board of nobody else's.
pub const WHEEL: &str = r#"
name = "wheel"
men = 3
mill = "wins"
flying = "never"

[board]
points = ["n", "ne", "e", "se", "s", "sw", "w", "nw", "c"]
lines = [
    ["n", "c", "s"], ["ne", "c", "sw"], ["e", "c", "w"], ["se", "c", "nw"],
    ["n", "ne", "e"], ["e", "se", "s"], ["s", "sw", "w"], ["w", "nw", "n"],
]
mills = [["n", "c", "s"], ["ne", "c", "sw"], ["e", "c", "w"], ["se", "c", "nw"]]
"#;

#[test]
fn the_twelve_variants_are_listed_with_their_parameters() {
    let said = Desk::empty().merels("rules").exits(0);
    assert_eq!(said.out.lines().count(), 13);
    said.says("morabaraba").says("rings3-diagonal").says("at-three");
    let rows = Desk::empty().merels("rules --json").exits(0).json();
    assert_eq!(rows.as_array().unwrap().len(), 12);
    assert_eq!(rows[6]["variant"], "nine");
    assert_eq!(rows[6]["parameters"]["flying"], "at-three");
}

#[test]
fn one_variant_is_shown_with_its_board() {
    let said = Desk::empty().merels("rules nine").exits(0);
    said.says("a7----------d7----------g7").says("merels, mills, Muehle").says("498");
    let one = Desk::empty().merels("rules nine --json").exits(0).json();
    assert_eq!(one["variant"], "nine");
    assert_eq!(one["parameters"]["men"], serde_json::json!([9, 9]));
    assert_eq!(one["symmetries"], 16);
    assert_eq!(one["subspaces"], 498);
    assert_eq!(one["mills"], 16);
}

#[test]
fn an_override_makes_another_rule_set_and_says_so() {
    let desk = Desk::empty();
    let one = desk.merels("rules six --flying at-three --men 6,5 --json").exits(0).json();
    assert_eq!(one["variant"], "six+men=6,5+flying=at-three");
    assert_eq!(one["parameters"]["flying"], "at-three");
}

#[test]
fn overrides_that_come_to_a_shipped_variant_are_that_variant() {
    let desk = Desk::empty();
    let one = desk.merels("rules nine --flying never --json").exits(0).json();
    assert_eq!(one["variant"], "nine-noflying");
    assert_eq!(one["directory"], "tables/nine-noflying");
}

#[test]
fn a_rule_file_is_shown_and_named() {
    let desk = Desk::empty();
    desk.write("wheel.toml", WHEEL);
    let one = desk.merels("rules --rules wheel.toml --json").exits(0).json();
    assert_eq!(one["variant"], "wheel");
    assert_eq!(one["points"].as_array().unwrap().len(), 9);
    desk.merels("rules --rules wheel.toml").exits(0).says("wheel");
    // The name may stand where a variant would.
    desk.merels("rules wheel --rules wheel.toml").exits(0);
    desk.merels("rules --rules wheel.toml --men 4").exits(0).says("wheel+men=4");
}

#[test]
fn a_game_of_ones_own_is_solved_proved_and_answered() {
    let desk = Desk::empty();
    desk.write("wheel.toml", WHEEL);
    desk.merels("generate --rules wheel.toml").exits(0);
    desk.merels("verify --rules wheel.toml").exits(0).says("no fault");
    desk.merels("verify wheel 3-3 --rules wheel.toml").exits(0).says("proved");
    let answer = desk.merels("query --rules wheel.toml startpos --json").exits(0).json();
    assert_eq!(answer["variant"], "wheel");
    assert_eq!(answer["value"], "draw");
    assert_eq!(answer["turns"].as_array().unwrap().len(), 9);
    desk.merels("stats --rules wheel.toml 3-3 --csv").exits(0).says("\n3-3,");
    desk.merels("list --rules wheel.toml").exits(0).says("whole");
}

#[test]
fn a_rule_file_that_makes_no_sense_is_bad_text() {
    let desk = Desk::empty();
    let rows = [
        ("men = ", "expected"),
        ("men = 3\nboard = \"cube\"", "grid3"),
        ("men = 3\nboard = \"grid3\"\nflying = \"often\"", "never, at-three, always"),
        ("men = 30\nboard = \"grid3\"", "1 to 12"),
        ("men = 3\nboard = \"grid3\"\ncolour = \"red\"", "colour"),
        ("men = 3\n[board]\npoints = [\"a\", \"a\", \"b\"]\nlines = []\nmills = []", "two points"),
    ];
    for (text, expected) in rows {
        desk.write("bad.toml", text);
        let said = desk.merels("rules --rules bad.toml").exits(2);
        said.complains("bad.toml").complains(expected);
    }
    desk.write("bad.toml", b"name = \"\xff\"");
    desk.merels("rules --rules bad.toml").exits(2).complains("bad.toml");
}

#[test]
fn a_rule_file_that_cannot_be_read_is_a_failure_of_the_world() {
    Desk::empty().merels("rules --rules nowhere.toml").exits(3).complains("nowhere.toml");
}

#[test]
fn a_variant_and_a_rule_file_together_are_bad_usage() {
    let desk = Desk::empty();
    desk.write("wheel.toml", WHEEL);
    desk.merels("stats six --rules wheel.toml").exits(2).complains("leave one out");
}

#[test]
fn a_plan_forecasts_and_does_nothing() {
    let desk = Desk::empty();
    let said = desk.merels("plan three").exits(0).says("0-0+3-3").says("886 entries");
    assert!(said.out.find("3-3 ") < said.out.find("0-0+3-3"));
    assert!(!desk.path("tables").exists());
}

#[test]
fn a_plan_has_numbers_for_programs() {
    let desk = Desk::with("three");
    desk.remove("tables/three/0-0+3-3.dtw");
    let plan = desk.merels("plan three --json").exits(0).json();
    assert_eq!(keys(&plan), ["remaining", "threads", "total", "units", "variant"]);
    let sum = ["disk_bytes", "entries", "memory_bytes", "seconds", "subspaces", "units"];
    assert_eq!(keys(&plan["total"]), sum);
    assert_eq!(plan["total"]["subspaces"], 7);
    assert_eq!(plan["total"]["entries"], 886);
    assert_eq!(plan["remaining"]["subspaces"], 1);
    assert_eq!(plan["units"][0]["subspaces"][0]["subspace"], "3-3");
    assert_eq!(plan["units"][0]["state"], "shelved");
    assert_eq!(plan["units"][6]["state"], "open");
}

#[test]
fn a_plan_of_the_standard_game_counts_what_is_published() {
    let plan = Desk::empty().merels("plan nine --json").exits(0).json();
    assert_eq!(plan["total"]["subspaces"], 498);
    // The page of rules counts 27,860,688,626 under 16 symmetries; with three men each, both
    // fly, and the 48 of the mills leave fewer.
    assert_eq!(plan["total"]["entries"], 27_860_532_058_u64);
}

#[test]
fn a_plan_holds_what_is_named_and_what_it_needs() {
    let plan = Desk::empty().merels("plan nine 4-3 --json").exits(0).json();
    let units = plan["units"].as_array().unwrap();
    let names: Vec<&str> = units
        .iter()
        .flat_map(|unit| unit["subspaces"].as_array().unwrap())
        .map(|part| part["subspace"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["3-3", "4-3", "3-4"]);
    let few = Desk::empty().merels("plan nine --max-stones 7 --json").exits(0).json();
    assert!(few["total"]["subspaces"].as_u64() > Some(3));
}

/// A rule file with this head and a small board, whose keys are `board`.
fn with_board(head: &str, board: &str) -> String {
    format!("{head}\nmen = 3\nmill = \"wins\"\n[board]\n{board}")
}

const ROW: &str = "points = [\"a\", \"b\", \"c\"]\nlines = [[\"a\", \"b\", \"c\"]]\n\
    mills = [[\"a\", \"b\", \"c\"]]\n";

#[test]
fn an_error_in_a_rule_file_names_the_key() {
    let desk = Desk::empty();
    let long = "y".repeat(100_000);
    let rows = [
        ("board = \"grid3\"".to_owned(), "men is missing"),
        ("men = 3".to_owned(), "board is missing"),
        ("men = 300\nboard = \"grid3\"".to_owned(), "men = 300: expected a number from 1 to 12"),
        ("men = -3\nboard = \"grid3\"".to_owned(), "men = -3: expected a number from 1 to 12"),
        ("men = [3, 99]\nboard = \"grid3\"".to_owned(), "men = [3, 99]: expected"),
        ("men = [3, 3, 3]\nboard = \"grid3\"".to_owned(), "men = a list of 3: expected"),
        ("men = \"3\"\nboard = \"grid3\"".to_owned(), "men = \"3\": expected"),
        ("men = 3\nboard = 3".to_owned(), "board = 3: expected"),
        ("men = 3\nboard = \"grid3\"\nmill = 1".to_owned(), "mill = 1: expected a word"),
        (with_board("", &ROW.replace("lines", "line")), "unknown key \"line\" in [board]"),
        (with_board("", &ROW.replace("points", "#")), "board.points is missing"),
        (with_board("", &ROW.replace("lines", "#")), "board.lines is missing"),
        (with_board("", &ROW.replace("mills", "#")), "board.mills is missing"),
        (with_board("", &format!("{ROW}flying = \"never\"")), "the rule set stand above it"),
        (with_board("", &ROW.replace("\"b\", \"c\"]]", "2]]")), "board.lines, item 1, item 2 = 2"),
        (with_board("", &format!("{ROW}name = \"Two words\"")), "board.name = \"Two words\""),
        (with_board("", &format!("{ROW}name = \"{}\"", "b".repeat(25))), "1 to 24"),
        (with_board("", &format!("{ROW}name = \"\\u001b[2J\"")), "\\u{1b}[2J"),
        (with_board("name = \"\"", ROW), "name = \"\""),
        (format!("name = \"{long}\"\nmen = 3\nboard = \"grid3\""), "1 to 40"),
        (format!("{long} = 3\nmen = 3\nboard = \"grid3\""), "unknown key"),
        (format!("men = 3\nboard = \"{long}\""), "grid3"),
        (format!("men = {long}\nboard = \"grid3\""), "line 1, column 7"),
        (with_board("", &ROW.replace("[\"a\"", &format!("[\"{long}\""))), "point 1"),
        ("# \u{1b}[2J\nmen = \u{7}3".to_owned(), "line 1"),
    ];
    for (text, expected) in rows {
        desk.write("bad.toml", &text);
        let said = desk.merels("rules --rules bad.toml").exits(2).complains(expected);
        assert!(said.err.len() < 500, "{} bytes for {expected}", said.err.len());
        assert!(!said.err.contains(['\u{1b}', '\u{7}']), "{expected}");
    }
}

#[test]
fn a_rule_file_that_is_too_long_is_refused_by_its_length() {
    let desk = Desk::empty();
    desk.write("long.toml", "# one more line of nothing\n".repeat(200_000));
    let said = desk.merels("rules --rules long.toml").exits(2);
    said.complains("long.toml: the file has 5400000 bytes; a rule file has at most 1048576");
}

#[test]
fn a_long_name_of_a_rule_set_is_cut_for_its_board() {
    let desk = Desk::empty();
    desk.write("own.toml", with_board(&format!("name = \"{}\"", "a".repeat(40)), ROW));
    let one = desk.merels("rules --rules own.toml --json").exits(0).json();
    assert_eq!(one["parameters"]["board"], "a".repeat(24));
}

#[test]
fn the_name_of_a_variant_is_kept_for_its_parameters() {
    let desk = Desk::empty();
    desk.write("own.toml", "name = \"six\"\nmen = 5\nboard = \"rings2\"");
    let said = desk.merels("rules --rules own.toml").exits(2).complains("choose another name");
    said.complains("men is 5 here and 6 in the variant six");
    desk.write("own.toml", with_board("name = \"six\"", ROW));
    desk.merels("rules --rules own.toml").exits(2).complains("board is");
    desk.write("own.toml", "name = \"six\"\nmen = 6\nboard = \"rings2\"");
    desk.merels("rules --rules own.toml").exits(0).says("six");
    desk.merels("rules --rules own.toml --men 5").exits(0).says("five");
}

#[cfg(unix)]
#[test]
fn a_rule_file_that_is_no_regular_file_is_refused_at_once() {
    let desk = Desk::empty();
    desk.pipe("pipe");
    std::fs::create_dir(desk.path("room")).unwrap();
    desk.merels("rules --rules pipe").exits(3).complains("pipe: it is a named pipe");
    desk.merels("rules --rules room").exits(3).complains("room: it is a directory");
    desk.merels("rules --rules -").exits(3).complains("standard input is not read");
}
