//! What programs are told: the objects that the command line prints with `--json` and the server
//! sends, so that both say the same of the same thing. Their keys are contracts.
//!
//! Nothing here asks for a table that was not asked for, and nothing writes: the faces above
//! serialize what they get.

mod position;
mod rules;
mod statistics;
mod trouble;

pub use position::PositionReport;
pub use rules::{Parameters, RulesReport, RulesRow, also_called, edges};
pub use statistics::{Boards, StatisticsRow};
pub use trouble::table_code;

use crate::table::Stored;
use crate::value::Outcome;

/// Plies to the end of the game, where they are known and there is an end.
pub fn depth(stored: &Stored) -> Option<u16> {
    stored.outcome.and_then(Outcome::depth)
}

/// Turns of the winner until he has won.
pub fn winner_turns(outcome: Outcome) -> Option<u16> {
    outcome.depth().map(|depth| depth.div_ceil(2))
}
