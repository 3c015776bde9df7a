//! Choosing a turn: the best one, or one of the best few.
//!
//! Turns are ranked by what the tables say of them: a winner hurries, a loser delays. So the depth
//! falls with every turn of a winner, and a win is always brought home. Among turns that are worth
//! the same, chance decides; drawn turns are ranked first by how often the game has stood so
//! already, the seldomest first, and then by how many of the replies would be a mistake, the most
//! first, so that a drawn game does not go round in circles where it need not, and tries the other
//! side's attention.
//!
//! Beware: where tables of depths are not at hand, a win is kept, but nothing says that it comes
//! nearer.

use super::{Dice, Game};
use crate::notation::{HalfTurn, Moment, Step};
use crate::probe::{Answer, ProbeError, Prober, TurnAnswer};
use crate::rules::Turn;
use crate::value::{Outcome, Value};
use std::cmp::Reverse;

/// Drawn turns whose replies are looked at.
const LOOKED_AT: usize = 8;

/// Somebody who chooses turns from the tables.
#[derive(Clone, Debug)]
pub struct Player {
    /// How many of the best turns there are to choose among; 1: perfect play. 0 counts as 1.
    pub strength: usize,
    /// What decides among them.
    pub dice: Dice,
}

/// A turn that was chosen, and what it was chosen from.
#[derive(Clone, Debug)]
pub struct Choice {
    /// All that the tables know of where the game stands.
    pub answer: Answer,
    /// The turn, or the removal that was owed; `None` where the game is over.
    pub turn: Option<TurnAnswer>,
}

impl Choice {
    /// Where the game stands after the chosen turn.
    pub fn after(&self) -> Option<Moment> {
        self.turn.map(|TurnAnswer { position, to_move, .. }| Moment::Between { position, to_move })
    }
}

impl Player {
    /// Chooses a turn, or the removal that is owed, for the side to move.
    ///
    /// A turn is chosen as a whole. Where its first half was played and the removal is owed, the
    /// removal is one that completes a turn among the best few, or, where that half belongs to none
    /// of them, the best there is.
    pub fn choose(&mut self, prober: &Prober, game: &Game) -> Result<Choice, ProbeError> {
        let answer = prober.answer(game.at())?;
        let strength = self.strength.max(1);
        let mut few = self.best(prober, game, &answer.turns, strength);
        if strength > 1
            && let Moment::Owing { to_move, last: Some(half), .. } = game.at()
        {
            let before = Moment::Between { position: half.before, to_move: *to_move };
            let whole = prober.answer(&before).map(|answer| answer.turns).unwrap_or_default();
            let best = self.best(prober, game, &whole, strength);
            let completes = |turn: &TurnAnswer| best.iter().any(|b| completes(b, half, turn));
            let within: Vec<TurnAnswer> = answer.turns.iter().copied().filter(completes).collect();
            match within.is_empty() {
                true => few.truncate(1),
                false => few = within,
            }
        }
        let turn = (!few.is_empty()).then(|| few[self.dice.below(few.len())]);
        Ok(Choice { answer, turn })
    }

    /// The best `strength` of `turns`, which are sorted best first; equals in an order of their
    /// own.
    fn best(
        &mut self,
        prober: &Prober,
        game: &Game,
        turns: &[TurnAnswer],
        strength: usize,
    ) -> Vec<TurnAnswer> {
        let mut best: Vec<TurnAnswer> = Vec::new();
        for equals in turns.chunk_by(|a, b| a.stored == b.stored) {
            if best.len() >= strength {
                break;
            }
            let mut equals = equals.to_vec();
            self.dice.shuffle(&mut equals);
            if !matches!(equals[0].stored.outcome, Some(Outcome::Decided(_))) {
                rank(prober, game, &mut equals);
            }
            best.extend(equals);
        }
        best.truncate(strength);
        best
    }
}

/// Ranks turns that are worth the same and that no depth tells apart.
fn rank(prober: &Prober, game: &Game, turns: &mut [TurnAnswer]) {
    let after =
        |turn: &TurnAnswer| Moment::Between { position: turn.position, to_move: turn.to_move };
    turns.sort_by_cached_key(|turn| game.times(&after(turn)));
    if turns.len() > 1 && turns[0].stored.value == Value::Draw {
        let seldom = game.times(&after(&turns[0]));
        let first = turns.iter().take_while(|turn| game.times(&after(turn)) == seldom).count();
        let looked_at = &mut turns[..first.min(LOOKED_AT)];
        looked_at.sort_by_cached_key(|turn| Reverse(mistakes(prober, &after(turn))));
    }
}

/// How many in a thousand of the turns at `moment` lose. Where the tables do not say, none.
fn mistakes(prober: &Prober, moment: &Moment) -> usize {
    let turns = prober.answer(moment).map(|answer| answer.turns).unwrap_or_default();
    let losing = turns.iter().filter(|turn| turn.stored.value == Value::Loss).count();
    losing * 1000 / turns.len().max(1)
}

/// Whether a whole turn is the half that was played with this removal.
fn completes(whole: &TurnAnswer, half: &HalfTurn, removal: &TurnAnswer) -> bool {
    let Step::Removal(taken) = removal.step else { return false };
    whole.step == Step::Turn(Turn { from: half.from, to: half.to, removal: Some(taken) })
}

#[cfg(test)]
mod tests;
