//! Mill FEN: its three forms, and every way to contradict oneself in it.

use super::*;
use crate::rules::variants;

const BOARD: &str = "OOO*****/@@@*****/********";
const SEVENTEEN: &str = "0 0 -1 -1 -1 -1 0 0 1";

fn notation(variant: &str) -> Notation {
    Notation::new(&variants::named(variant).unwrap().rules)
}

fn reads(text: &str, short: &str) {
    let nine = notation("nine");
    let moment = nine.read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(nine.write_short(&moment.setup()), short, "{text}");
    assert!(moment.pending().is_none());
}

fn fails(text: &str, code: &str, message: &str) {
    let error = notation("nine").read(text).unwrap_err();
    assert_eq!(error.code(), code, "{text}: {error}");
    assert!(error.to_string().contains(message), "{text}: {error}");
}

#[test]
fn all_three_forms_with_and_without_extensions() {
    let short = format!("{BOARD} b 0,0");
    for numbers in [SEVENTEEN, "0 0 0 0 7 99 18446744073709551615 12 40", "0 0 0 1", "0 0 1"] {
        for tail in ["", " ids:nodes", " ids:nodes c:1 7 x", " moves"] {
            reads(&format!("{BOARD} b m s 3 0 3 0 {numbers}{tail}"), &short);
        }
    }
    reads(&format!("fen {BOARD} b m s 3 0 3 0 0 0 1"), &short);
    reads(&format!("position fen {BOARD} b m s 3 0 3 0 0 0 1"), &short);
    let moved = "*OO****O/@@@*****/******** b 0,0";
    reads(&format!("{BOARD} w m s 3 0 3 0 {SEVENTEEN} ids:nodes moves d5-c5"), moved);
    let start = "********/********/******** w p p 0 9 0 9 0 0 1";
    reads(start, "********/********/******** w 9,9");
}

#[test]
fn the_hands_decide_the_phase() {
    let moving = format!("{BOARD} w 0,0");
    for (phase, action) in [("m", "p"), ("p", "p"), ("r", "?"), ("n", "s"), ("o", "?")] {
        reads(&format!("{BOARD} w {phase} {action} 3 0 3 0 0 0 1"), &moving);
    }
    let text = format!("{BOARD} w m s 3 1 3 0 0 0 1");
    fails(&text, "bad-fen", "field 3 says m (moving), but white, to move, has 1 stones in hand");
    let lasker = notation("lasker");
    assert!(lasker.read(&text).is_ok());
    // Of the other player's hand the phase says nothing.
    assert!(lasker.read(&format!("{BOARD} b m s 3 1 3 0 0 0 1")).is_ok());
}

#[test]
fn a_removal_is_owed_by_the_side_to_move() {
    let nine = notation("nine");
    for numbers in ["1 0 -1 -1 -1 -1 0 0 1 ids:nodes", "1 0 0 1", "1 0 1"] {
        let text = format!("OO*****O/@@@*****/******** w m r 3 0 3 0 {numbers}");
        let moment = nine.read(&text).unwrap();
        assert!(moment.pending().is_some());
    }
}

#[test]
fn each_wrong_field_is_named() {
    let rest = |rest: &str, message: &str| fails(&format!("{BOARD} {rest}"), "bad-fen", message);
    rest("x m s 3 0 3 0 0 0 1", "field 2, the side to move: expected w or b, found \"x\"");
    rest(
        "w q s 3 0 3 0 0 0 1",
        "field 3, the phase: expected p, r or n (placing), m (moving) or o (over), found \"q\"",
    );
    rest("w m", "expected 17, 12 or 11 fields, found 3");
    rest("w m s", "expected 17, 12 or 11 fields, found 4");
    rest("w m s 3 0 3 0 0 0", "expected 17, 12 or 11 fields, found 10");
    rest("w m s 3 0 3 0 0 0 moves d5-c5", "expected 17, 12 or 11 fields, found 10");
    rest("w m s 3 0 3 0 0 0 0 0 1", "expected 17, 12 or 11 fields, found 13");
    rest("w m s 3 zero 3 0 0 0 1", "field 6: expected a number, found \"zero\"");
    rest(
        "w m s 300 0 3 0 0 0 1",
        "field 5 (white on the board): expected a number of stones, found \"300\"",
    );
    rest(
        "w m s 4 0 3 0 0 0 1",
        "field 5 says that 4 stones of white are on the board, the board text shows 3",
    );
    rest(
        "b m s 3 0 2 0 0 0 1",
        "field 7 says that 2 stones of black are on the board, the board text shows 3",
    );
    rest(
        "w m r 3 0 3 0 0 0 0 1",
        "field 4 is r, so white, to move, owes 1 removal, but the numbers of removals are 0 by white and 0 by black",
    );
    rest("w m r 3 0 3 0 0 1 0 1", "but the numbers of removals are 0 by white and 1 by black");
    rest(
        "w m s 3 0 3 0 1 0 0 1",
        "field 4 is \"s\", not r, so no removal is owed, but the numbers of removals are 1 by white",
    );
    rest("b m s 3 0 3 0 1 0 1", "are 0 by white and 1 by black");
}

#[test]
fn other_rules_are_called_so() {
    let rest = |rest: &str, message: &str| {
        fails(&format!("{BOARD} {rest}"), "other-rules", message);
        fails(&format!("{BOARD} {rest}"), "other-rules", "belongs to other rules");
    };
    rest("w m r 3 0 3 0 2 0 0 1", "field 9 is \"2\": more than one removal owed");
    rest("b m r 3 0 3 0 0 12 0 1", "field 10 is \"12\": more than one removal owed");
    rest("w m r 3 0 3 0 1 1 0 1", "fields 9 and 10 are both 1");
    rest("w m r 3 0 3 0 -1 0 0 1", "field 9 is \"-1\": a negative number");
    rest("w m s 3 -1 3 0 0 0 1", "field 6 is \"-1\"");
    rest("w m s 3 0 3 0 0 -5 1", "field 10 is \"-5\"");
    let marked = "OOO**X**/@@@*****/******** w m s 3 0 3 0 0 0 1";
    fails(
        marked,
        "other-rules",
        "character 6 of the board text is 'X' (expected O, @ or * for c3)",
    );
    fails("OOO**/@@@*****/******** w m s 3 0 3 0 0 0 1", "bad-position", "character 6");
}

#[test]
fn what_the_rules_forbid_is_refused() {
    let fen = |rest: &str, message: &str| fails(rest, "impossible-position", message);
    fen(
        &format!("{BOARD} w p p 3 7 3 7 0 0 1"),
        "white has 3 stones on the board and 7 in hand, more than the 9 men",
    );
    fen("OO*O****/@@@*****/******** w m r 3 0 3 0 1 0 1", "no mill standing");
    fen("OO******/@@@*****/******** b m r 2 0 3 0 1 0 1", "fewer than three");
    fen(
        "OO*****O/@@@*****/******** w p r 3 6 3 9 1 0 1",
        "black has 3 stones on the board and 9 in hand",
    );
    fen(
        "OO*****O/@@@*****/******** w p r 3 6 3 0 1 0 1",
        "no turn of this rule set leads to 3-3+6-0 with a removal still owed",
    );
    fen("OO*****O/********/******** w p r 3 6 0 7 1 0 1", "the opponent has no stone on the board");
    fails(&format!("{BOARD} w p p 3 2 3 0 0 0 1"), "outside-variant", "3-3+2-0");
    let error = notation("six").read("********/******** w p p 0 6 0 6 0 0 1").unwrap_err();
    assert_eq!(error.code(), "no-fen");
    assert!(error.to_string().contains("this one has 16: use the short form"), "{error}");
    assert!(error.to_string().contains("********/******** w 6,6"), "{error}");
}

#[test]
fn written_with_seventeen_fields() {
    let writes = |variant: &str, text: &str, fen: &str| {
        let notation = notation(variant);
        let moment = notation.read(text).unwrap();
        assert_eq!(notation.fen(&moment).unwrap(), fen);
        assert_eq!(notation.read(fen).unwrap().setup(), moment.setup());
    };
    let start = "********/********/********";
    let tail = "-1 -1 -1 -1 0 0 1 ids:nodes";
    writes("nine", "startpos", &format!("{start} w p p 0 9 0 9 0 0 {tail}"));
    writes("lasker", "startpos", &format!("{start} w p p 0 10 0 10 0 0 {tail}"));
    let (first, second) = ("O*******/********/********", "O@******/********/********");
    writes("lasker", "startpos moves d5", &format!("{first} b p p 1 9 0 10 0 0 {tail}"));
    writes("lasker", "startpos moves d5 e5", &format!("{second} w p s 1 9 1 9 0 0 {tail}"));
    writes("nine", &format!("{BOARD} b 0,0"), &format!("{BOARD} b m s 3 0 3 0 0 0 {tail}"));
    writes("nine", &format!("{BOARD} w 1,0"), &format!("{BOARD} w p p 3 1 3 0 0 0 {tail}"));
    writes("lasker", &format!("{BOARD} b 1,0"), &format!("{BOARD} b p s 3 1 3 0 0 0 {tail}"));
    let lost = "OO******/@@@*****/********";
    writes("nine", &format!("{lost} w 0,0"), &format!("{lost} w o s 2 0 3 0 0 0 {tail}"));
    let owed = "OO*****O/@@@*****/********";
    writes(
        "nine",
        "OO******/@@@*****/*******O w 0,0 moves a7-c5",
        &format!("{owed} w m r 3 0 3 0 1 0 {tail}"),
    );
    assert_eq!(
        notation("six").fen(&notation("six").read("startpos").unwrap()).unwrap_err().code(),
        "no-fen"
    );
}
