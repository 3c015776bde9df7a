//! Move tokens: every spelling, and every reason against one.

use super::*;
use crate::rules::variants;

fn notation(variant: &str) -> Notation {
    Notation::new(&variants::named(variant).unwrap().rules)
}

fn fails(variant: &str, text: &str, code: &str, message: &str) {
    let error = notation(variant).read(text).unwrap_err();
    assert_eq!(error.code(), code, "{text}: {error}");
    assert!(error.to_string().contains(message), "{text}: {error}");
}

#[test]
fn every_way_to_write_a_turn() {
    let nine = notation("nine");
    let at = |text: &str| nine.moment(&nine.read(text).unwrap());
    let joined = at("startpos moves d6 f4 d7 b4 d5xb4");
    assert_eq!(joined, "O*******/O*@*****/O******* b 6,7");
    assert_eq!(at("startpos moves d6 f4 d7 b4 d5 xb4"), joined);
    assert_eq!(at("  position\tstartpos\n moves d6 f4  d7 b4 d5 xb4\r\n"), joined);
    let moved = at("OO******/@@@@****/*******O w 0,0 moves a7-c5xd6 f6-d6");
    assert_eq!(moved, "OO*****O/@*@@****/******** w 0,0");
    assert_eq!(at("OO******/@@@@****/*******O w 0,0 moves a7-c5 xd6 f6-d6"), moved);
    let owed = "OO*****O/@@@@****/******** w m r 3 0 4 0 1 0 1";
    assert_eq!(at(&format!("{owed} moves xd6 f6-d6")), moved);
}

#[test]
fn what_is_no_move_is_called_so() {
    let bad = |token: &str| {
        fails(
            "nine",
            &format!("startpos moves d6 {token}"),
            "bad-move",
            "(number 2 of the list): expected a move such as d5, d5-e5, d5-e5xe4 or xe4",
        )
    };
    for token in ["-", "d6-", "-d6", "x", "d6x", "d6-x", "-x", "d6-xd5", "-xd5"] {
        bad(token);
    }
    let unknown = |token: &str, name: &str| {
        fails("nine", &format!("startpos moves {token}"), "unknown-point", name)
    };
    unknown(
        "d4",
        "d4 (number 1 of the list): \"d4\" is no point of the board; its points are d5 e5",
    );
    unknown("D6", "\"D6\" is no point");
    unknown("d6-d9", "\"d9\"");
    unknown("d6xa2", "\"a2\"");
    unknown("xxd6", "\"xd6\"");
    unknown("d6-d5-d7", "\"d5-d7\"");
    unknown("moves", "\"moves\"");
    unknown("\u{1b}[31m", "\"\\u{1b}[31m\"");
    unknown(&"d".repeat(1000), "\"dddddddddddddddddddddddddddddddddddddddd\"...");
}

#[test]
fn each_illegal_move_says_why() {
    let illegal = |text: &str, message: &str| fails("nine", text, "illegal-move", message);
    illegal("startpos moves d6 d6", "illegal move d6 (number 2 of the list): d6 is not empty");
    illegal("startpos moves d6 f4 d6-d5", "white has 8 stones in hand and must place one first");
    illegal("startpos moves d6xf4", "d6xf4 (number 1 of the list): it closes no mill");
    illegal("startpos moves xd6", "no removal is owed, white has yet to place or move");
    illegal(
        "startpos moves d6 f4 d7 b4 d5 f6",
        "f6 (number 6 of the list): white owes a removal first, such as xf4, as d5 closed a mill",
    );
    illegal("startpos moves d6 f4 d7 b4 d5xa1", "there is no stone on a1 to remove");
    illegal("startpos moves d6 f4 d7 b4 d5 xd6", "the stone on d6 is white's own");

    let four = "OOO*O***/@@@**@**/******** w 0,0 moves";
    illegal(&format!("{four} d7"), "white has no stone in hand to place");
    illegal(&format!("{four} a1-a4"), "there is no stone on a1");
    illegal(&format!("{four} d6-d7"), "the stone on d6 is not white's");
    illegal(&format!("{four} d5-e5"), "e5 is not empty");
    illegal(&format!("{four} d5-d5"), "d5 is not empty");
    illegal(
        &format!("{four} d5-d7"),
        "d5 and d7 are not adjacent, and white, with 4 stones, may not fly",
    );
    illegal(
        "OO******/@@*****@/**O****@ w 0,0 moves g4-c5xd6",
        "the stone on d6 stands in a mill and is protected",
    );
    illegal(
        "OO******/@@@*****/******** w 0,0 moves d5-d7",
        "the game is over, as white, to move, has fewer than three stones",
    );
    illegal("OO******/@@@*****/******** w 0,0 moves xd6", "the game is over");
    illegal(
        "OO*****O/@@@*****/******** w m r 3 0 3 0 1 0 1 moves d5-c5",
        "white owes a removal first, such as xd6",
    );
    let three = "startpos moves a1 b1 a2 b2";
    fails(
        "three",
        &format!("{three} a3xb1"),
        "illegal-move",
        "a mill wins at once and removes nothing",
    );
    fails(
        "three",
        &format!("{three} a3 xb1"),
        "illegal-move",
        "the game is over, as black, to move, faces a mill",
    );
}

#[test]
fn a_step_completes_the_moment() {
    let nine = notation("nine");
    let read = |text: &str| nine.read(text).unwrap();
    let before = read("startpos moves d6 f4 d7 b4");
    let step = nine.parse_step(&before, "d5xf4").unwrap();
    assert_eq!(nine.step(&step), "d5xf4");
    let turn = nine.parse_turn(&before, "d5xf4").unwrap();
    assert_eq!(step, Step::Turn(turn));
    let error = nine.parse_step(&before, "d5").unwrap_err();
    assert_eq!(
        error.to_string(),
        "illegal move d5: it closes a mill: the stone to remove is missing, as in d5xf4"
    );

    let owing = nine.play(&before, "d5").unwrap();
    let step = nine.parse_step(&owing, "xf4").unwrap();
    assert_eq!(nine.step(&step), "xf4");
    assert_eq!(nine.parse_turn(&owing, "xf4").unwrap(), turn);
    let shown = nine.read(&nine.fen(&owing).unwrap()).unwrap();
    assert_eq!(nine.parse_step(&shown, "xf4").unwrap(), step);
    assert_eq!(nine.parse_turn(&shown, "xf4").unwrap_err().code(), "illegal-move");
}

#[test]
fn half_a_turn_on_a_small_board_is_written_as_a_move() {
    let six = notation("six");
    let text = "startpos moves c4 c5 d4 e5 b4";
    let moment = six.read(text).unwrap();
    let written = six.moment(&moment);
    assert_eq!(written, "OO******/@@****** w 4,4 moves b4");
    assert_eq!(six.read(&written).unwrap(), moment);
    let shown = six.owing(&moment.setup()).unwrap();
    assert_eq!(six.read(&six.moment(&shown)).unwrap().setup(), moment.setup());
}
