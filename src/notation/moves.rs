//! Turns as text: `d6`, `d6-d5`, `d6-d5xc3`, and a removal that stands alone, `xc3`.

use super::error::{plain, quoted};
use super::{At, HalfTurn, Moment, Notation, TextError};
use crate::board::Point;
use crate::rules::{MillEffect, Pending, Position, Side, Turn};

/// What one token of a move list says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    /// A placement or a move, with or without the removal.
    Turn(Turn),
    /// `xc3`.
    Removal(Point),
}

/// What completes a moment: a whole turn, or the removal that is owed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A whole turn, the removal included.
    Turn(Turn),
    /// The removal that was owed.
    Removal(Point),
}

/// A token under examination: what it says is given up only once a rule forbids it.
#[derive(Clone, Copy)]
struct Read<'a> {
    text: &'a str,
    number: Option<usize>,
}

impl Read<'_> {
    fn at(&self) -> At {
        At { token: plain(self.text), number: self.number }
    }

    fn illegal<T>(&self, why: String) -> Result<T, TextError> {
        Err(TextError::Illegal { at: self.at(), why })
    }
}

impl Notation {
    /// A turn: `d6`, `d6-d5`, `d6-d5xc3`.
    pub fn turn(&self, turn: &Turn) -> String {
        let mut text = self.half_turn(turn.from, turn.to);
        if let Some(taken) = turn.removal {
            text += &self.removal(taken);
        }
        text
    }

    /// A removal that stands alone: `xc3`.
    pub fn removal(&self, taken: Point) -> String {
        format!("x{}", self.board().point_name(taken))
    }

    /// What completes a moment, as [`parse_step`](Notation::parse_step) reads it.
    pub fn step(&self, step: &Step) -> String {
        match step {
            Step::Turn(turn) => self.turn(turn),
            Step::Removal(taken) => self.removal(*taken),
        }
    }

    /// Reads one legal token that completes the moment: a whole turn, or the owed removal.
    pub fn parse_step(&self, moment: &Moment, token: &str) -> Result<Step, TextError> {
        let read = Read { text: token, number: None };
        let said = self.token(read)?;
        match (self.apply(moment, said, read)?, said) {
            (Moment::Owing { pending, .. }, _) => read.illegal(format!(
                "it closes a mill: the stone to remove is missing, as in {}{}",
                read.at().token,
                self.some_removal(&pending)
            )),
            (_, Token::Turn(turn)) => Ok(Step::Turn(turn)),
            (_, Token::Removal(taken)) => Ok(Step::Removal(taken)),
        }
    }

    /// Reads one legal turn, the removal included. Where a removal is owed, the turn that a move
    /// list began can be completed; otherwise use [`parse_step`](Notation::parse_step).
    pub fn parse_turn(&self, moment: &Moment, token: &str) -> Result<Turn, TextError> {
        match (self.parse_step(moment, token)?, moment) {
            (Step::Turn(turn), _) => Ok(turn),
            (Step::Removal(taken), Moment::Owing { last: Some(HalfTurn { from, to, .. }), .. }) => {
                Ok(Turn { from: *from, to: *to, removal: Some(taken) })
            }
            (Step::Removal(_), _) => Read { text: token, number: None }
                .illegal("it completes a turn whose first half is not known".into()),
        }
    }

    /// The moment after one token of a move list.
    pub fn play(&self, moment: &Moment, token: &str) -> Result<Moment, TextError> {
        let read = Read { text: token, number: None };
        self.apply(moment, self.token(read)?, read)
    }

    /// The moment after a list of tokens.
    pub(super) fn follow<'a>(
        &self,
        start: Moment,
        tokens: impl Iterator<Item = &'a str>,
    ) -> Result<Moment, TextError> {
        tokens.enumerate().try_fold(start, |moment, (i, text)| {
            let read = Read { text, number: Some(i + 1) };
            self.apply(&moment, self.token(read)?, read)
        })
    }

    pub(super) fn half_turn(&self, from: Option<Point>, to: Point) -> String {
        let to = self.board().point_name(to);
        match from {
            Some(from) => format!("{}-{to}", self.board().point_name(from)),
            None => to.to_owned(),
        }
    }

    /// Whether a stone may be placed or moved so, whatever it closes.
    pub(super) fn may_step(&self, before: &Position, from: Option<Point>, to: Point) -> bool {
        self.rules().ending(before).is_none()
            && self.objection(before, Side::White, from, to).is_none()
    }

    /// Takes a token apart. Names have neither `x` nor `-` in them.
    fn token(&self, read: Read<'_>) -> Result<Token, TextError> {
        let point = |name: &str| self.board().point(name).ok_or_else(|| self.unknown(read, name));
        let (half, removal) = match read.text.split_once('x') {
            Some((half, taken)) => (half, Some(taken)),
            None => (read.text, None),
        };
        let (from, to) = match half.split_once('-') {
            Some((from, to)) => (Some(from), to),
            None => (None, half),
        };
        if half.is_empty() && removal.is_some_and(|taken| !taken.is_empty()) {
            return Ok(Token::Removal(point(removal.unwrap_or_default())?));
        }
        if to.is_empty() || from.is_some_and(str::is_empty) || removal.is_some_and(str::is_empty) {
            let name = |i: usize| self.board().point_name(Point::new(i));
            let [a, b, c] = [name(0), name(1), name(2)];
            let example = format!("{a}, {a}-{b}, {a}-{b}x{c} or x{c}");
            return Err(TextError::Move { at: read.at(), example });
        }
        let from = from.map(point).transpose()?;
        let to = point(to)?;
        Ok(Token::Turn(Turn { from, to, removal: removal.map(point).transpose()? }))
    }

    fn unknown(&self, read: Read<'_>, name: &str) -> TextError {
        let board = self.board();
        let points: Vec<_> = board.points().iter().map(|p| board.point_name(p)).collect();
        let points = points.join(" ");
        TextError::UnknownPoint { at: read.at(), name: quoted(name), points }
    }

    fn apply(&self, moment: &Moment, token: Token, read: Read<'_>) -> Result<Moment, TextError> {
        match (moment, token) {
            (Moment::Between { position, to_move }, Token::Turn(turn)) => {
                self.apply_turn(position, *to_move, turn, read)
            }
            (Moment::Between { position, to_move }, Token::Removal(_)) => {
                self.not_over(position, *to_move, read)?;
                read.illegal(format!("no removal is owed, {to_move} has yet to place or move"))
            }
            (Moment::Owing { pending, to_move, .. }, Token::Removal(taken)) => {
                self.take(pending, *to_move, taken, read)
            }
            (Moment::Owing { pending, to_move, last }, Token::Turn(_)) => {
                let closed = last.map_or(String::new(), |half| {
                    format!(", as {} closed a mill", self.half_turn(half.from, half.to))
                });
                let example = self.some_removal(pending);
                read.illegal(format!("{to_move} owes a removal first, such as {example}{closed}"))
            }
        }
    }

    fn some_removal(&self, pending: &Pending) -> String {
        let taken = self.rules().removals(pending).iter().next();
        taken.map_or(String::new(), |taken| self.removal(taken))
    }

    fn apply_turn(
        &self,
        position: &Position,
        side: Side,
        turn: Turn,
        read: Read<'_>,
    ) -> Result<Moment, TextError> {
        self.not_over(position, side, read)?;
        let Turn { from, to, removal } = turn;
        if let Some(why) = self.objection(position, side, from, to) {
            return read.illegal(why);
        }
        match (self.rules().owes(position, from, to), removal) {
            (None, None) => Ok(Moment::Between {
                position: self.rules().play(position, &turn),
                to_move: side.other(),
            }),
            (None, Some(_)) => read.illegal(self.why_nothing_taken(position, turn)),
            (Some(pending), None) => {
                let last = Some(HalfTurn { before: *position, from, to });
                Ok(Moment::Owing { pending, to_move: side, last })
            }
            (Some(pending), Some(taken)) => self.take(&pending, side, taken, read),
        }
    }

    fn not_over(&self, position: &Position, side: Side, read: Read<'_>) -> Result<(), TextError> {
        match self.rules().ending(position) {
            None => Ok(()),
            Some(ending) => {
                read.illegal(format!("the game is over, as {side}, to move, {}", ending.words()))
            }
        }
    }

    /// Why `side` may not place or move a stone so; the game not being over.
    fn objection(
        &self,
        position: &Position,
        side: Side,
        from: Option<Point>,
        to: Point,
    ) -> Option<String> {
        let rules = self.rules();
        let name = |point| self.board().point_name(point);
        let hand = position.mover_hand();
        match from {
            None if hand == 0 => {
                return Some(format!(
                    "{side} has no stone in hand to place; a move names the point it comes from, too"
                ));
            }
            Some(_) if !rules.may_move(hand) => {
                return Some(format!("{side} has {hand} stones in hand and must place one first"));
            }
            Some(from) if position.opponent().contains(from) => {
                return Some(format!("the stone on {} is not {side}'s", name(from)));
            }
            Some(from) if !position.mover().contains(from) => {
                return Some(format!("there is no stone on {}", name(from)));
            }
            _ => {}
        }
        if position.occupied().contains(to) {
            return Some(format!("{} is not empty", name(to)));
        }
        let from = from?;
        let (stones, slides) = (position.mover_total(), self.board().neighbours(from).contains(to));
        (!slides && !rules.flies(stones)).then(|| {
            format!(
                "{} and {} are not adjacent, and {side}, with {stones} stones, may not fly",
                name(from),
                name(to)
            )
        })
    }

    fn why_nothing_taken(&self, position: &Position, turn: Turn) -> String {
        let without = turn.from.map_or(position.mover(), |from| position.mover().without(from));
        if !self.board().closes(without, turn.to) {
            "it closes no mill, so no stone is removed".to_owned()
        } else if self.rules().mill == MillEffect::Wins {
            "under these rules a mill wins at once and removes nothing".to_owned()
        } else {
            "the opponent has no stone on the board to remove".to_owned()
        }
    }

    fn take(
        &self,
        pending: &Pending,
        side: Side,
        taken: Point,
        read: Read<'_>,
    ) -> Result<Moment, TextError> {
        let name = self.board().point_name(taken);
        let position = pending.position();
        if position.mover().contains(taken) {
            return read.illegal(format!("the stone on {name} is {side}'s own"));
        }
        if !position.opponent().contains(taken) {
            return read.illegal(format!("there is no stone on {name} to remove"));
        }
        if !self.rules().removals(pending).contains(taken) {
            return read.illegal(format!(
                "the stone on {name} stands in a mill and is protected while another is outside every mill"
            ));
        }
        let position = self.rules().remove(pending, taken);
        Ok(Moment::Between { position, to_move: side.other() })
    }
}

#[cfg(test)]
mod tests;
