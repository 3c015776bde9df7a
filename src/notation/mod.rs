//! Positions, turns and subspaces as text, in every dialect of `docs/RULES.md`: the short form,
//! mill FEN, and lists of moves.
//!
//! [`Notation`] belongs to one rule set. It reads a text into a [`Moment`], in colours and checked
//! for everything that the rules know, and writes it back. Colours end here: below this floor
//! there are only the mover and the opponent.
//!
//! Beware: a moment may be half a turn. The short form cannot say so; [`Notation::moment`] picks
//! a form that can.

mod draw;
mod error;
mod fen;
mod limits;
mod moment;
mod moves;
mod short;

pub use draw::draw;
pub use error::{At, TextError};
pub use moment::{HalfTurn, Moment};
pub use moves::Step;

use crate::board::Board;
use crate::rules::{Pending, Position, Rules, Setup, Side};
use crate::space::Subspace;
use error::quoted;
use limits::Limits;
use std::sync::Arc;

/// Reads and writes the texts of one rule set. Cheap to clone, and threads may share it.
#[derive(Clone, Debug)]
pub struct Notation {
    held: Arc<Held>,
}

#[derive(Debug)]
struct Held {
    rules: Rules,
    limits: Limits,
}

impl Notation {
    /// The notation of a rule set.
    pub fn new(rules: &Rules) -> Notation {
        let limits = Limits::new(rules);
        Notation { held: Arc::new(Held { rules: rules.clone(), limits }) }
    }

    /// The rule set.
    pub fn rules(&self) -> &Rules {
        &self.held.rules
    }

    /// The subspaces of the rule set, in the order of [`subspaces`](crate::space::subspaces).
    pub fn subspaces(&self) -> &[Subspace] {
        &self.held.limits.subspaces
    }

    /// Whether the rule set has this subspace.
    pub fn holds(&self, subspace: Subspace) -> bool {
        self.held.limits.holds(subspace)
    }

    /// Reads the name of a subspace and checks that the rule set has it.
    pub fn subspace(&self, text: &str) -> Result<Subspace, TextError> {
        let subspace: Subspace = text.parse().map_err(|_| TextError::Subspace(quoted(text)))?;
        if self.holds(subspace) { Ok(subspace) } else { Err(self.outside(subspace)) }
    }

    /// Reads a position or half a turn: `startpos`, the short form or mill FEN, each with or
    /// without `moves` and a list of them; a leading `position` or `fen` is skipped.
    ///
    /// Accepted is every arrangement whose subspace the rule set has, whoever is to move, and every
    /// position in which the mover has lost for want of stones.
    pub fn read(&self, text: &str) -> Result<Moment, TextError> {
        let mut words = text.split_ascii_whitespace().peekable();
        for skipped in ["position", "fen"] {
            words.next_if_eq(&skipped);
        }
        let first = words.next().ok_or_else(|| {
            let expected = format!("startpos, mill FEN or the short form {}", self.example());
            TextError::Position(format!("no position is given: expected {expected}"))
        })?;
        let moment = match first {
            "startpos" => self.between(&self.rules().start())?,
            board => self.read_fields(board, &mut words)?,
        };
        match words.next() {
            None => Ok(moment),
            Some("moves") => self.follow(moment, words),
            Some(other) => Err(TextError::Position(format!(
                "expected the end or the word moves after the position, found {}",
                quoted(other)
            ))),
        }
    }

    /// Checks a setup that stands between two turns.
    pub fn between(&self, setup: &Setup) -> Result<Moment, TextError> {
        let position = self.checked(setup)?;
        let subspace = Subspace::of(&position);
        if !self.holds(subspace) && !self.held.limits.lost(self.rules(), subspace) {
            return Err(self.outside(subspace));
        }
        Ok(Moment::Between { position, to_move: setup.to_move })
    }

    /// Checks a setup in which the side to move owes a removal.
    pub fn owing(&self, setup: &Setup) -> Result<Moment, TextError> {
        let position = self.checked(setup)?;
        let pending = self
            .rules()
            .pending(position)
            .map_err(|error| TextError::Impossible(error.to_string()))?;
        let subspace = Subspace::of(&position);
        if !self.held.limits.steps_to(self.rules(), subspace) {
            return Err(TextError::Impossible(format!(
                "no turn of this rule set leads to {subspace} with a removal still owed"
            )));
        }
        Ok(Moment::Owing { pending, to_move: setup.to_move, last: None })
    }

    /// The short form of a position: `O*@*****/O*@*****/*@*****O w 0,0`.
    pub fn short(&self, position: &Position, to_move: Side) -> String {
        self.write_short(&position.setup(to_move))
    }

    /// Any moment as a text that [`read`](Notation::read) takes: the short form where it will do;
    /// for an owed removal mill FEN on boards of 24 points, and on others the short form of the
    /// position before, with the half turn as a move.
    ///
    /// An owed removal on such a board that no turn can have led to has no text; then this is the
    /// short form of the stones as they stand.
    pub fn moment(&self, moment: &Moment) -> String {
        match moment {
            Moment::Between { position, to_move } => self.short(position, *to_move),
            Moment::Owing { pending, to_move, last } => self.fen(moment).unwrap_or_else(|_| {
                let last = last.or_else(|| self.half_turn_before(pending));
                match last {
                    None => self.short(&pending.position(), *to_move),
                    Some(HalfTurn { before, from, to }) => format!(
                        "{} moves {}",
                        self.short(&before, *to_move),
                        self.half_turn(from, to)
                    ),
                }
            }),
        }
    }

    fn checked(&self, setup: &Setup) -> Result<Position, TextError> {
        const MOST: u8 = 99;
        match setup.hands.iter().find(|hand| **hand > MOST) {
            Some(hand) => Err(TextError::Position(format!(
                "{hand} stones in hand: expected at most {}",
                self.rules().men[0].max(self.rules().men[1])
            ))),
            None => Ok(self.rules().position(setup)?),
        }
    }

    fn outside(&self, subspace: Subspace) -> TextError {
        TextError::Outside { subspace, why: self.held.limits.why_outside(self.rules(), subspace) }
    }

    /// A half turn that may have led to an owed removal.
    fn half_turn_before(&self, pending: &Pending) -> Option<HalfTurn> {
        let rules = self.rules();
        let after = pending.position();
        let empty = rules.board.points() - after.occupied();
        let legal = |half: &HalfTurn| {
            self.holds(Subspace::of(&half.before))
                && self.may_step(&half.before, half.from, half.to)
                && rules.owes(&half.before, half.from, half.to) == Some(*pending)
        };
        let stones = rules.board.in_mills(after.mover).iter();
        let mut halves = stones.flat_map(|to| {
            let mover = after.mover.without(to);
            let placed = Position { mover, mover_hand: after.mover_hand + 1, ..after };
            let moved = empty.iter().map(move |from| {
                let before = Position { mover: mover.with(from), ..after };
                HalfTurn { before, from: Some(from), to }
            });
            std::iter::once(HalfTurn { before: placed, from: None, to }).chain(moved)
        });
        halves.find(legal)
    }

    fn board(&self) -> &Board {
        &self.rules().board
    }

    /// The start in the short form, to show how a position is written.
    fn example(&self) -> String {
        self.write_short(&self.rules().start())
    }
}
