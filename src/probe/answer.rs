//! The full answer: every legal turn with its value, best first.

use super::{ProbeError, Prober};
use crate::notation::{Moment, Step};
use crate::rules::{Ending, Position, Side};
use crate::space::Subspace;
use crate::table::Stored;
use crate::value::{Outcome, Value};
use std::cmp::Reverse;

/// What the tables know of where a game stands.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What was asked.
    pub moment: Moment,
    /// Its value, and its depth where a table of depths is at hand.
    pub stored: Stored,
    /// How the game has ended, if it has.
    pub ending: Option<Ending>,
    /// Every legal turn (or removal, where one is owed), best first; none where the game is over.
    pub turns: Vec<TurnAnswer>,
}

/// What one turn is worth.
#[derive(Clone, Copy, Debug)]
pub struct TurnAnswer {
    /// The turn, or the removal that completes it.
    pub step: Step,
    /// Value and depth for the player who makes it, the turn included.
    pub stored: Stored,
    /// The position after it.
    pub position: Position,
    /// Who is to move then.
    pub to_move: Side,
}

impl Prober {
    /// Answers where a game stands: value, depth and every turn.
    pub fn answer(&self, moment: &Moment) -> Result<Answer, ProbeError> {
        match moment {
            Moment::Between { position, .. } => self.answer_position(moment, position),
            Moment::Owing { pending, .. } => {
                let removals = self.rules().removals(pending).iter();
                let after =
                    removals.map(|p| (Step::Removal(p), self.rules().remove(pending, p))).collect();
                let turns = self.worth(moment, after)?;
                let best = turns.first().expect("a removal is owed only where one can be made");
                Ok(Answer { moment: *moment, stored: best.stored, ending: None, turns })
            }
        }
    }

    fn answer_position(&self, moment: &Moment, position: &Position) -> Result<Answer, ProbeError> {
        let ending = self.rules().ending(position);
        // A game that is over is answered by the rules; no table is needed for it. Otherwise its
        // own table comes first: where that is missing, it is the one to be named.
        let stored = match ending {
            Some(ending) => ending.outcome().into(),
            None => self.stored(position)?,
        };
        let turns = self.worth(moment, self.after_turns(position))?;
        self.agree(position, &stored, &turns)?;
        Ok(Answer { moment: *moment, stored, ending, turns })
    }

    /// What each turn is worth, best first.
    fn worth(
        &self,
        moment: &Moment,
        after: Vec<(Step, Position)>,
    ) -> Result<Vec<TurnAnswer>, ProbeError> {
        let to_move = moment.to_move().other();
        let worth = |(step, position): (Step, Position)| {
            let stored = before(self.stored(&position)?);
            Ok(TurnAnswer { step, stored, position, to_move })
        };
        let turns: Result<Vec<TurnAnswer>, ProbeError> = after.into_iter().map(worth).collect();
        let mut turns = turns?;
        turns.sort_by_key(|turn| Reverse(preference(&turn.stored)));
        Ok(turns)
    }

    fn after_turns(&self, position: &Position) -> Vec<(Step, Position)> {
        let turns = self.rules().turns(position).into_iter();
        turns.map(|turn| (Step::Turn(turn), self.rules().play(position, &turn))).collect()
    }

    /// A position is worth what its best turn is worth.
    fn agree(
        &self,
        position: &Position,
        stored: &Stored,
        turns: &[TurnAnswer],
    ) -> Result<(), ProbeError> {
        let Some(best) = turns.first() else { return Ok(()) };
        let depths_known = turns.iter().all(|turn| turn.stored.outcome.is_some());
        let depths_agree = match (stored.outcome, best.stored.outcome) {
            (Some(stored), Some(best)) if depths_known => stored == best,
            _ => true,
        };
        if stored.value == best.stored.value && depths_agree {
            return Ok(());
        }
        let say = |stored: &Stored| match stored.outcome.and_then(Outcome::depth) {
            Some(depth) => format!("{} in {depth} plies", stored.value),
            None => stored.value.to_string(),
        };
        Err(ProbeError::Contradiction {
            subspace: Subspace::of(position),
            stored: say(stored),
            derived: say(&best.stored),
        })
    }
}

/// What a turn is worth to the player who makes it, from what the position after it is worth.
fn before(stored: Stored) -> Stored {
    Stored { value: stored.value.opposite(), outcome: stored.outcome.map(Outcome::before) }
}

/// Best first: by value, then a winner hurries and a loser delays. Turns of unknown depth come
/// after those of the same value whose depth is known.
fn preference(stored: &Stored) -> (Value, bool, i32) {
    let known = stored.outcome.map(Outcome::preference);
    (stored.value, known.is_some(), known.unwrap_or(0))
}
