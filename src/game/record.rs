//! The record of a game: where it began, every half turn since, and what was taken back.
//!
//! A turn that removes a stone is kept as two halves, `d6-d5` and `xc3`, however it was written.
//! What is taken back or played again is a whole turn.

use crate::notation::{Moment, Notation, TextError};
use crate::rules::{Ending, Side};

/// A game in progress.
#[derive(Clone, Debug)]
pub struct Game {
    notation: Notation,
    start: Moment,
    halves: Vec<Half>,
    /// What was taken back, the last of it first to come again.
    undone: Vec<Half>,
}

/// A placement or a move without its removal, or a removal.
#[derive(Clone, Debug)]
struct Half {
    token: String,
    after: Moment,
}

/// A turn of the record, or as much of it as was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedTurn {
    /// Who made it.
    pub side: Side,
    /// The turn, its removal joined: `d6-d5xc3`.
    pub text: String,
    /// Where the game stood before it.
    pub before: Moment,
    /// Where the game stood after it.
    pub after: Moment,
}

impl Game {
    /// A game of which nothing has been played yet.
    pub fn new(notation: &Notation) -> Game {
        let start = notation.rules().start();
        let start = notation.between(&start).expect("a rule set has its own start");
        Game { notation: notation.clone(), start, halves: Vec::new(), undone: Vec::new() }
    }

    /// Reads a position, with or without moves, as [`Notation::read`] does; the moves are part of
    /// the record.
    pub fn read(notation: &Notation, text: &str) -> Result<Game, TextError> {
        // The whole text first: its errors count the moves.
        let end = notation.read(text)?;
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let moves = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
        let start = notation.read(&words[..moves].join(" "))?;
        let undone = Vec::new();
        let mut game = Game { notation: notation.clone(), start, halves: Vec::new(), undone };
        for token in words.iter().skip(moves + 1) {
            game.play(token)?;
        }
        debug_assert_eq!(*game.at(), end);
        Ok(game)
    }

    /// How its texts are read and written.
    pub const fn notation(&self) -> &Notation {
        &self.notation
    }

    /// Where the game stands.
    pub fn at(&self) -> &Moment {
        self.halves.last().map_or(&self.start, |half| &half.after)
    }

    /// How the game has ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        match self.at() {
            Moment::Between { position, .. } => self.notation.rules().ending(position),
            Moment::Owing { .. } => None,
        }
    }

    /// Plays a token: a turn with or without its removal, or a removal that is owed. What was
    /// taken back cannot come again after it. An illegal token changes nothing.
    pub fn play(&mut self, token: &str) -> Result<(), TextError> {
        let after = self.notation.play(self.at(), token)?;
        match token.split_once('x') {
            Some((half, taken)) if !half.is_empty() => {
                let owing = self.notation.play(self.at(), half)?;
                self.halves.push(Half { token: half.to_owned(), after: owing });
                self.halves.push(Half { token: format!("x{taken}"), after });
            }
            _ => self.halves.push(Half { token: token.to_owned(), after }),
        }
        self.undone.clear();
        Ok(())
    }

    /// Every legal token, removals as tokens of their own; none where the game is over.
    pub fn legal(&self) -> Vec<String> {
        let rules = self.notation.rules();
        match self.at() {
            Moment::Owing { pending, .. } => {
                rules.removals(pending).iter().map(|taken| self.notation.removal(taken)).collect()
            }
            Moment::Between { position, .. } => {
                let mut turns = rules.turns(position);
                turns.dedup_by_key(|turn| (turn.from, turn.to));
                turns.iter_mut().for_each(|turn| turn.removal = None);
                turns.iter().map(|turn| self.notation.turn(turn)).collect()
            }
        }
    }

    /// Takes the last turn back, or the half of one; false where there is none.
    pub fn undo(&mut self) -> bool {
        let Some(half) = self.halves.pop() else { return false };
        self.undone.push(half);
        while self.at().pending().is_some()
            && let Some(half) = self.halves.pop()
        {
            self.undone.push(half);
        }
        true
    }

    /// Plays the turn again that was taken back last; false where there is none.
    pub fn redo(&mut self) -> bool {
        let Some(half) = self.undone.pop() else { return false };
        self.halves.push(half);
        while self.at().pending().is_some()
            && let Some(half) = self.undone.pop()
        {
            self.halves.push(half);
        }
        true
    }

    /// Whether something was taken back that can come again.
    pub const fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// How often the game has stood so, now included.
    pub fn times(&self, moment: &Moment) -> usize {
        let after = self.halves.iter().map(|half| &half.after);
        std::iter::once(&self.start).chain(after).filter(|at| *at == moment).count()
    }

    /// The turns of the record, in order.
    pub fn turns(&self) -> Vec<PlayedTurn> {
        let mut turns: Vec<PlayedTurn> = Vec::new();
        let mut before = self.start;
        for Half { token, after } in &self.halves {
            match turns.last_mut() {
                Some(turn) if turn.after.pending().is_some() => {
                    turn.text += token;
                    turn.after = *after;
                }
                _ => turns.push(PlayedTurn {
                    side: before.to_move(),
                    text: token.clone(),
                    before,
                    after: *after,
                }),
            }
            before = *after;
        }
        turns
    }

    /// The tokens of the record, removals as tokens of their own.
    pub fn tokens(&self) -> impl Iterator<Item = &str> {
        self.halves.iter().map(|half| half.token.as_str())
    }

    /// The record as a text that [`Game::read`] and [`Notation::read`] take: `startpos moves d6
    /// f4`, or another beginning in its own form.
    pub fn text(&self) -> String {
        let begins = self.notation.rules().start();
        let mut text = match self.start {
            Moment::Between { .. } if self.start.setup() == begins => "startpos".to_owned(),
            _ => self.notation.moment(&self.start),
        };
        if !self.halves.is_empty() && !text.contains(" moves ") {
            text += " moves";
        }
        for token in self.tokens() {
            text.push(' ');
            text += token;
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::variants;

    fn game(variant: &str, text: &str) -> Game {
        let notation = Notation::new(&variants::named(variant).unwrap().rules);
        Game::read(&notation, text).unwrap()
    }

    const MILL: &str = "startpos moves d6 f4 d7 b4 d5xb4 a1";

    #[test]
    fn a_removal_is_a_token_of_its_own_however_it_was_written() {
        let joined = game("nine", MILL);
        let apart = game("nine", "position startpos moves d6 f4 d7 b4 d5 xb4 a1");
        assert_eq!(joined.text(), "startpos moves d6 f4 d7 b4 d5 xb4 a1");
        assert_eq!(apart.text(), joined.text());
        assert_eq!(joined.turns()[4].text, "d5xb4");
        assert_eq!(joined.turns()[4].side, Side::White);
        assert_eq!(joined.turns().len(), 6);
    }

    #[test]
    fn the_text_of_a_record_is_read_back() {
        for (variant, text) in [
            ("nine", "startpos"),
            ("nine", MILL),
            ("nine", "O*@*****/O*@*****/*@*****O w 0,0 moves a7-a4"),
            ("nine", "********/********/*OOO@@@* w m r 3 0 3 0 1 0 -1 -1 -1 -1 0 0 1"),
            ("five", "startpos moves c4 c5 d4 e5 b4"),
            ("five", "OO******/@@****** w 3,3 moves b4 xc5"),
            ("lasker", "startpos moves d6 f4"),
        ] {
            let first = game(variant, text);
            let again = game(variant, &first.text());
            assert_eq!(again.at(), first.at(), "{text}");
            assert_eq!(again.text(), first.text());
        }
    }

    #[test]
    fn whole_turns_are_taken_back_and_come_again() {
        let mut game = game("nine", MILL);
        let whole = game.text();
        assert!(!game.redo());
        assert!(game.undo() && game.undo());
        assert_eq!(game.text(), "startpos moves d6 f4 d7 b4");
        assert!(game.redo());
        assert_eq!(game.text(), "startpos moves d6 f4 d7 b4 d5 xb4");
        assert!(game.redo());
        assert_eq!(game.text(), whole);
        while game.undo() {}
        assert_eq!(game.text(), "startpos");
        assert!(game.can_redo());
        game.play("d7").unwrap();
        assert!(!game.can_redo());
    }

    #[test]
    fn half_a_turn_is_taken_back_alone() {
        let mut game = game("nine", "startpos moves d6 f4 d7 b4 d5");
        assert_eq!(game.legal(), ["xf4", "xb4"]);
        assert!(game.undo());
        assert_eq!(game.text(), "startpos moves d6 f4 d7 b4");
        assert!(game.redo());
        assert_eq!(game.turns().last().unwrap().text, "d5");
    }

    #[test]
    fn an_illegal_token_changes_nothing() {
        let mut game = game("nine", MILL);
        let before = game.text();
        game.undo();
        let undone = game.text();
        for token in ["d6", "xd6", "z9", "", "d5xa1", "f6xf4"] {
            assert!(game.play(token).is_err(), "{token}");
        }
        assert_eq!(game.text(), undone);
        game.redo();
        assert_eq!(game.text(), before);
    }

    #[test]
    fn every_legal_token_can_be_played() {
        for (variant, text) in
            [("nine", MILL), ("lasker", MILL), ("five", "startpos moves c4 c5 d4 e5 b4")]
        {
            let game = game(variant, text);
            assert!(!game.legal().is_empty());
            for token in game.legal() {
                game.clone().play(&token).unwrap();
            }
        }
    }

    #[test]
    fn an_end_is_known_and_positions_are_counted() {
        let over = game("three", "startpos moves b2 a3 c2 b3 a2");
        assert_eq!(over.ending(), Some(Ending::Mill));
        assert!(over.legal().is_empty());
        let text = "O*@*****/O*@*****/*@*****O w 0,0 moves a7-a4 f4-f2 a4-a7 f2-f4";
        let back = game("nine", text);
        assert_eq!(back.times(back.at()), 2);
        assert_eq!(back.ending(), None);
    }
}
