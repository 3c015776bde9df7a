//! Mill FEN, as mill programs exchange it, for boards of 24 points.
//!
//! Read are the forms of 17, 12 and 11 fields, written is the one of 17. The fields tell some
//! things twice; where they contradict each other the text is refused with both readings.

use super::error::quoted;
use super::short::{read_count, read_side, side_letter};
use super::{Moment, Notation, TextError};
use crate::rules::{Setup, Side};
use std::iter::Peekable;

/// Points of a board that mill FEN can express.
const POINTS: usize = 24;

/// Fields before the numbers: board, side, phase, action.
const WORDS: usize = 4;

/// Numbers of the longest form, fields 5 to 17.
const NUMBERS: usize = 13;

/// What fields 5 to 8 count.
const COUNTS: [&str; 4] =
    ["white on the board", "white in hand", "black on the board", "black in hand"];

impl Notation {
    /// Reads mill FEN from its second field on; stops before `moves`.
    pub(super) fn read_fen<'a>(
        &self,
        board: &str,
        side: &str,
        phase: &str,
        words: &mut Peekable<impl Iterator<Item = &'a str>>,
    ) -> Result<Moment, TextError> {
        if self.board().len() != POINTS {
            return Err(self.no_fen());
        }
        let stones = self.read_board(board).map_err(foreign_mark)?;
        let to_move = read_side(side).ok_or_else(|| {
            let found = quoted(side);
            TextError::Fen(format!("field 2, the side to move: expected w or b, found {found}"))
        })?;
        if !["p", "r", "n", "m", "o"].contains(&phase) {
            let expected = "expected p, r or n (placing), m (moving) or o (over)";
            return Err(TextError::Fen(format!("field 3, the phase: {expected}, found {phase:?}")));
        }
        let action = words.next_if(|word| *word != "moves").ok_or_else(|| fields_found(3))?;
        let numbers = read_numbers(words)?;
        while words.next_if(|word| *word != "moves").is_some() {}

        let [white, white_hand, black, black_hand] = read_counts(&numbers)?;
        let setup = Setup { stones, hands: [white_hand, black_hand], to_move };
        agree(&setup, [white, black])?;
        self.agree_on_phase(phase, &setup)?;
        let owed = read_owed(&numbers, to_move)?;
        match settle_removal(action, owed, to_move)? {
            true => self.owing(&setup),
            false => self.between(&setup),
        }
    }

    /// The hands decide the phase; what is refused is a claim that the mover may not place.
    fn agree_on_phase(&self, phase: &str, setup: &Setup) -> Result<(), TextError> {
        let (side, hand) = (setup.to_move, setup.hands[setup.to_move.number()]);
        if phase != "m" || self.rules().may_move(hand) {
            return Ok(());
        }
        Err(TextError::Fen(format!(
            "field 3 says m (moving), but {side}, to move, has {hand} stones in hand and must place them first"
        )))
    }

    /// A moment as mill FEN of 17 fields; an error on boards that have not 24 points.
    pub fn fen(&self, moment: &Moment) -> Result<String, TextError> {
        if self.board().len() != POINTS {
            return Err(self.no_fen());
        }
        let setup = moment.setup();
        let side = setup.to_move;
        let mut text = String::with_capacity(80);
        self.write_board(&setup, &mut text);
        let mut owed = [0, 0];
        let action = match moment {
            Moment::Owing { .. } => {
                owed[side.number()] = 1;
                'r'
            }
            Moment::Between { .. } if self.must_place(moment) => 'p',
            Moment::Between { .. } => 's',
        };
        let over = match moment {
            Moment::Between { position, .. } => self.rules().ending(position).is_some(),
            Moment::Owing { .. } => false,
        };
        let phase = match setup.hands {
            _ if over => 'o',
            [0, 0] => 'm',
            _ => 'p',
        };
        let [white, black] = setup.stones.map(|stones| stones.len());
        let [white_hand, black_hand] = setup.hands;
        let [white_owes, black_owes] = owed;
        text += &format!(
            " {} {phase} {action} {white} {white_hand} {black} {black_hand} {white_owes} {black_owes} -1 -1 -1 -1 0 0 1 ids:nodes",
            side_letter(side)
        );
        Ok(text)
    }

    /// Whether the side to move has stones in hand and nothing to do but place one.
    fn must_place(&self, moment: &Moment) -> bool {
        let position = moment.stones();
        let hand = position.mover_hand();
        let moves = || self.rules().turns(&position).iter().any(|turn| turn.from.is_some());
        hand > 0 && (!self.rules().may_move(hand) || !moves())
    }

    fn no_fen(&self) -> TextError {
        TextError::NoFen { points: self.board().len(), example: self.example() }
    }
}

/// Fields 5 and on, as many as are numbers, and checked to be as many as one of the forms has.
fn read_numbers<'a>(
    words: &mut Peekable<impl Iterator<Item = &'a str>>,
) -> Result<Vec<&'a str>, TextError> {
    let mut numbers = Vec::with_capacity(NUMBERS);
    while let Some(number) = words.next_if(|word| numbers.len() < NUMBERS && is_number(word)) {
        numbers.push(number);
    }
    match numbers.len() {
        7 | 8 | NUMBERS => Ok(numbers),
        found => Err(match words.peek() {
            Some(word) if *word != "moves" => TextError::Fen(format!(
                "field {}: expected a number, found {} (17, 12 or 11 fields come before extensions)",
                WORDS + found + 1,
                quoted(word)
            )),
            _ => fields_found(WORDS + found),
        }),
    }
}

fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

fn fields_found(found: usize) -> TextError {
    TextError::Fen(format!("expected 17, 12 or 11 fields, found {found}"))
}

/// Fields 5 to 8, and a look at the clocks at the end, which may not be negative either.
fn read_counts(numbers: &[&str]) -> Result<[u8; 4], TextError> {
    for clock in [numbers.len() - 2, numbers.len() - 1] {
        not_negative(clock, numbers[clock])?;
    }
    let mut counts = [0; 4];
    for (i, count) in counts.iter_mut().enumerate() {
        not_negative(i, numbers[i])?;
        *count = read_count(numbers[i]).ok_or_else(|| {
            TextError::Fen(format!(
                "field {} ({}): expected a number of stones, found {}",
                WORDS + i + 1,
                COUNTS[i],
                quoted(numbers[i])
            ))
        })?;
    }
    Ok(counts)
}

fn not_negative(place: usize, number: &str) -> Result<(), TextError> {
    match number.starts_with('-') {
        false => Ok(()),
        true => Err(TextError::OtherRules(format!(
            "field {} is {}: a negative number there",
            WORDS + place + 1,
            quoted(number)
        ))),
    }
}

/// The numbers on the board, as counted and as said.
fn agree(setup: &Setup, said: [u8; 2]) -> Result<(), TextError> {
    for side in [Side::White, Side::Black] {
        let (said, shown) = (said[side.number()], setup.stones[side.number()].len());
        if usize::from(said) != shown {
            return Err(TextError::Fen(format!(
                "field {} says that {said} stones of {side} are on the board, the board text shows {shown}",
                WORDS + 1 + 2 * side.number()
            )));
        }
    }
    Ok(())
}

/// Removals that white and black still have to make, by fields 9 and 10, each 0 or 1.
fn read_owed(numbers: &[&str], to_move: Side) -> Result<[u8; 2], TextError> {
    let shortest = numbers.len() == 7;
    let fields = if shortest { &numbers[4..5] } else { &numbers[4..6] };
    let mut owed = [0, 0];
    for (i, number) in fields.iter().enumerate() {
        not_negative(4 + i, number)?;
        let side = if shortest { to_move.number() } else { i };
        owed[side] = read_count(number).filter(|owed| *owed <= 1).ok_or_else(|| {
            let field = WORDS + 4 + i + 1;
            TextError::OtherRules(format!(
                "field {field} is {}: more than one removal owed",
                quoted(number)
            ))
        })?;
    }
    match owed {
        [1, 1] => Err(TextError::OtherRules(
            "fields 9 and 10 are both 1: a removal owed by both sides".to_owned(),
        )),
        owed => Ok(owed),
    }
}

/// Whether the side to move owes a removal; the action and the numbers must say the same.
fn settle_removal(action: &str, owed: [u8; 2], to_move: Side) -> Result<bool, TextError> {
    let [white, black] = owed;
    let numbers = format_args!("the numbers of removals are {white} by white and {black} by black");
    let mine = owed[to_move.number()];
    match (action == "r", mine, white + black) {
        (true, 1, _) => Ok(true),
        (false, _, 0) => Ok(false),
        (true, ..) => Err(TextError::Fen(format!(
            "field 4 is r, so {to_move}, to move, owes 1 removal, but {numbers}"
        ))),
        (false, ..) => Err(TextError::Fen(format!(
            "field 4 is {}, not r, so no removal is owed, but {numbers}",
            quoted(action)
        ))),
    }
}

/// A mark on a point that is no stone of ours is a piece of other rules.
fn foreign_mark(error: TextError) -> TextError {
    match error {
        TextError::Board { place, expected, found: Some(mark) }
            if expected.starts_with('O') && mark != '/' =>
        {
            TextError::OtherRules(format!(
                "character {place} of the board text is {mark:?} (expected {expected}): a mark of that kind"
            ))
        }
        other => other,
    }
}

#[cfg(test)]
mod tests;
