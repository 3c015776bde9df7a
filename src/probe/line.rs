//! The best line: perfect turns of both sides, to the end of the game.

use super::{ProbeError, Prober};
use crate::notation::{Moment, Step};
use crate::rules::Ending;
use crate::table::Stored;

/// One turn of a line.
#[derive(Clone, Copy, Debug)]
pub struct LineStep {
    /// The turn, or the removal that completes one.
    pub step: Step,
    /// Where the game stands after it.
    pub after: Moment,
    /// The value then, for the player who moves then.
    pub stored: Stored,
}

/// A line of best turns.
#[derive(Clone, Debug)]
pub struct Line {
    /// The turns.
    pub steps: Vec<LineStep>,
    /// How the game ends; `None` where the line stops before: the game is a draw that neither side
    /// can end, depths are not known, or the limit was reached.
    pub ending: Option<Ending>,
}

impl Prober {
    /// The line of best turns from `moment`, at most `limit` of them. Of turns that are worth the
    /// same the first is taken. A drawn game is not followed: no turn leads anywhere.
    pub fn line(&self, moment: &Moment, limit: usize) -> Result<Line, ProbeError> {
        let mut line = Line { steps: Vec::new(), ending: None };
        let mut at = *moment;
        loop {
            let answer = self.answer(&at)?;
            line.ending = answer.ending;
            let decided = answer.stored.outcome.is_some_and(|outcome| outcome.depth().is_some());
            let Some(best) = answer.turns.first() else { return Ok(line) };
            if !decided || line.steps.len() == limit {
                return Ok(line);
            }
            at = Moment::Between { position: best.position, to_move: best.to_move };
            let stored = self.stored(&best.position)?;
            line.steps.push(LineStep { step: best.step, after: at, stored });
        }
    }
}
