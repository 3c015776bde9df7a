//! The short form: board text, side to move, stones in hand.

use super::error::quoted;
use super::{Moment, Notation, TextError};
use crate::board::{Point, PointSet};
use crate::rules::{Setup, Side};
use std::fmt::Write;
use std::iter::Peekable;

impl Notation {
    /// Reads the fields of a position, `board` being the first: the third one tells the short form
    /// from mill FEN.
    pub(super) fn read_fields<'a>(
        &self,
        board: &str,
        words: &mut Peekable<impl Iterator<Item = &'a str>>,
    ) -> Result<Moment, TextError> {
        let mut field = || words.next_if(|word| *word != "moves");
        let (side, third) = (field(), field());
        match (side, third) {
            (Some(side), Some(phase)) if is_letter(phase) => {
                self.read_fen(board, side, phase, words)
            }
            _ => self.read_short(board, side, third),
        }
    }

    fn read_short(
        &self,
        board: &str,
        side: Option<&str>,
        hands: Option<&str>,
    ) -> Result<Moment, TextError> {
        let stones = self.read_board(board)?;
        let missing = |what: &str| {
            TextError::Position(format!(
                "{what} missing: expected board text, side and hands, such as {}",
                self.example()
            ))
        };
        let side = side.ok_or_else(|| missing("the side to move is"))?;
        let to_move = read_side(side).ok_or_else(|| {
            TextError::Position(format!("side to move: expected w or b, found {}", quoted(side)))
        })?;
        let hands = hands.ok_or_else(|| missing("the stones in hand are"))?;
        let hands = read_hands(hands).ok_or_else(|| {
            TextError::Position(format!(
                "stones in hand: expected two numbers, white,black, such as {},{}, found {}",
                self.rules().men[0],
                self.rules().men[1],
                quoted(hands)
            ))
        })?;
        self.between(&Setup { stones, hands, to_move })
    }

    /// Reads board text: white's stones and black's.
    pub(super) fn read_board(&self, text: &str) -> Result<[PointSet; 2], TextError> {
        let bytes = text.as_bytes();
        let (mut white, mut black) = (0u32, 0u32);
        let (mut place, mut number) = (0, 0);
        for (i, run) in self.board().runs().iter().enumerate() {
            if i > 0 {
                if bytes.get(place) != Some(&b'/') {
                    return Err(self.bad_mark(text, place, None));
                }
                place += 1;
            }
            for _ in 0..*run {
                match bytes.get(place) {
                    Some(b'*') => {}
                    Some(b'O') => white |= 1 << number,
                    Some(b'@') => black |= 1 << number,
                    _ => return Err(self.bad_mark(text, place, Some(Point::new(number)))),
                }
                place += 1;
                number += 1;
            }
        }
        match place == bytes.len() {
            true => Ok([PointSet::from_bits(white), PointSet::from_bits(black)]),
            false => Err(self.bad_mark(text, place, None)),
        }
    }

    /// What is wrong at byte `place`, where the mark of `point` should stand, or, for `None`, a
    /// `/` or nothing more. All before is ASCII.
    fn bad_mark(&self, text: &str, place: usize, point: Option<Point>) -> TextError {
        let board = self.board();
        let full = board.len() + board.runs().len() - 1;
        let expected = match point {
            Some(point) => format!("O, @ or * for {}", board.point_name(point)),
            None if place < full => {
                format!("/ between the runs of {}", join(board.runs()))
            }
            None => format!("the end after {} points", board.len()),
        };
        TextError::Board { place: place + 1, expected, found: text[place..].chars().next() }
    }

    pub(super) fn write_short(&self, setup: &Setup) -> String {
        let mut text = String::with_capacity(self.board().len() + 16);
        self.write_board(setup, &mut text);
        let [white, black] = setup.hands;
        write!(text, " {} {white},{black}", side_letter(setup.to_move))
            .expect("a string takes all that is written");
        text
    }

    pub(super) fn write_board(&self, setup: &Setup, text: &mut String) {
        let [white, black] = setup.stones;
        let mut number = 0;
        for (i, run) in self.board().runs().iter().enumerate() {
            if i > 0 {
                text.push('/');
            }
            for point in (number..number + run).map(Point::new) {
                text.push(match (white.contains(point), black.contains(point)) {
                    (true, _) => 'O',
                    (_, true) => '@',
                    _ => '*',
                });
            }
            number += run;
        }
    }
}

/// `w` or `b`.
pub(super) const fn side_letter(side: Side) -> char {
    match side {
        Side::White => 'w',
        Side::Black => 'b',
    }
}

pub(super) fn read_side(text: &str) -> Option<Side> {
    [Side::White, Side::Black].into_iter().find(|side| text.bytes().eq([side_letter(*side) as u8]))
}

fn is_letter(text: &str) -> bool {
    matches!(text.as_bytes(), [letter] if letter.is_ascii_alphabetic())
}

fn read_hands(text: &str) -> Option<[u8; 2]> {
    let (white, black) = text.split_once(',')?;
    Some([read_count(white)?, read_count(black)?])
}

/// A number of stones: one or two digits.
pub(super) fn read_count(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [ones @ b'0'..=b'9'] => Some(ones - b'0'),
        [tens @ b'0'..=b'9', ones @ b'0'..=b'9'] => Some((tens - b'0') * 10 + ones - b'0'),
        _ => None,
    }
}

fn join(numbers: &[usize]) -> String {
    numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::variants;

    fn nine() -> Notation {
        Notation::new(&variants::named("nine").unwrap().rules)
    }

    fn fails(text: &str, code: &str, message: &str) {
        let error = nine().read(text).unwrap_err();
        assert_eq!(error.code(), code, "{text}: {error}");
        assert!(error.to_string().contains(message), "{text}: {error}");
    }

    #[test]
    fn stones_stand_where_the_text_puts_them() {
        let text = "O*@*****/O*@*****/*@*****O b 0,0";
        let moment = nine().read(text).unwrap();
        let rules = nine().rules().clone();
        let set = |names: &str| names.split(' ').map(|n| rules.board.point(n).unwrap()).collect();
        let setup = moment.setup();
        assert_eq!(setup.stones, [set("d5 d6 a7"), set("e4 f4 g7")]);
        assert_eq!((setup.hands, setup.to_move), ([0, 0], Side::Black));
        assert_eq!(nine().moment(&moment), text);
    }

    #[test]
    fn each_wrong_character_is_named() {
        let board = |board: &str, message: &str| {
            fails(&format!("{board} w 0,0"), "bad-position", message);
        };
        board(
            "O*@*****/O*@*****/*@*****X",
            "character 26 of the board text: expected O, @ or * for a7, found 'X'",
        );
        board(
            "O*@****/O*@*****/*@*****O",
            "character 8 of the board text: expected O, @ or * for c5, found '/'",
        );
        board(
            "O*@******O*@*****/*@*****O",
            "character 9 of the board text: expected / between the runs of 8, 8, 8, found '*'",
        );
        board(
            "O*@*****/O*@*****/*@*****",
            "character 26 of the board text: expected O, @ or * for a7, but the text ends",
        );
        board(
            "O*@*****/O*@*****",
            "character 18 of the board text: expected / between the runs of 8, 8, 8, but the text ends",
        );
        board(
            "O*@*****/O*@*****/*@*****O*",
            "character 27 of the board text: expected the end after 24 points, found '*'",
        );
        board("O*@*****/O*@*****/*@*****O/", "expected the end after 24 points, found '/'");
        board(
            "\u{e9}*@*****/O*@*****/*@*****O",
            "character 1 of the board text: expected O, @ or * for d5, found '\u{e9}'",
        );
        board("o*@*****/O*@*****/*@*****O", "found 'o'");
        board("OO", "character 3 of the board text");
    }

    #[test]
    fn each_wrong_field_is_named() {
        const BOARD: &str = "O*@*****/O*@*****/*@*****O";
        let rest = |rest: &str, message: &str| {
            fails(&format!("{BOARD}{rest}"), "bad-position", message);
        };
        rest("", "the side to move is missing");
        rest(" w", "the stones in hand are missing");
        rest(" moves d6", "the side to move is missing");
        rest(" w moves d6", "the stones in hand are missing");
        rest(" W 0,0", "side to move: expected w or b, found \"W\"");
        for hands in ["0", "0,", ",0", "0,0,0", "-1,0", "0,100", "0,+1", "0;0", "a,b"] {
            rest(&format!(" w {hands}"), "stones in hand: expected two numbers");
        }
        rest(" w 0,0 0", "expected the end or the word moves");
        rest(
            " w 0,0 move d6",
            "expected the end or the word moves after the position, found \"move\"",
        );
        fails("", "bad-position", "no position is given");
        fails("position fen", "bad-position", "no position is given");
        fails("startpos d6", "bad-position", "found \"d6\"");
        fails("nonsense", "bad-position", "character 1 of the board text");
    }

    #[test]
    fn wrong_numbers_are_named() {
        fails(
            "OOOOOOOO/OO*@@@**/******** w 0,0",
            "impossible-position",
            "white has 10 stones on the board and 0 in hand, more than the 9 men",
        );
        fails(
            "OOO*****/***@@@**/******** w 0,7",
            "impossible-position",
            "black has 3 stones on the board and 7 in hand",
        );
        fails(
            "OOO*****/***@@***/******** w 0,0",
            "impossible-position",
            "black is not to move and has 2 stones",
        );
        fails(
            "OOO*****/***@@@**/******** w 2,0",
            "outside-variant",
            "3-3+2-0 is not a subspace of this rule set: the nearest that it has are 3-3+1-0",
        );
        fails("******** w 0,0", "bad-position", "character 9");
    }

    #[test]
    fn a_player_with_too_few_stones_has_lost_and_is_answered() {
        for text in ["OO******/***@@@**/******** w 0,0", "O*******/***@@@**/******** w 0,0"] {
            let moment = nine().read(text).unwrap();
            assert!(nine().rules().ending(&moment.stones()).is_some());
            assert_eq!(nine().moment(&moment), text);
        }
        fails("OO******/***@@@**/******** w 0,3", "outside-variant", "2-3+0-3");
    }

    #[test]
    fn either_side_may_be_to_move_under_unequal_men() {
        let mut rules = nine().rules().clone();
        rules.men = [4, 3];
        let notation = Notation::new(&rules);
        for text in [
            "OOO@@@**/********/******** w 1,0",
            "OOO@@@**/********/******** b 0,1",
            "OOOO@@@*/********/******** w 0,0",
            "OOO@@@@*/********/******** w 0,0",
        ] {
            assert_eq!(notation.moment(&notation.read(text).unwrap()), text);
        }
        let start = notation.read("startpos").unwrap();
        assert_eq!(notation.moment(&start), "********/********/******** w 4,3");
    }

    #[test]
    fn the_words_in_front_are_skipped_once() {
        for text in ["startpos", "position startpos", "fen startpos", "position fen startpos moves"]
        {
            assert_eq!(nine().moment(&nine().read(text).unwrap()), nine().example());
        }
        fails("position position startpos", "bad-position", "character 1");
    }
}
