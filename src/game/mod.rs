//! A game in progress, and who chooses its turns: what an engine for mill programs and a game in
//! the terminal have in common.
//!
//! [`Game`] is the record of a game: where it began, what was played, what was taken back. A
//! [`Player`] chooses among the best turns that the tables know. [`protocol`] reads the lines of
//! the engine protocol.
//!
//! Beware: the tables know no history, a game does. It is used only to choose among turns that
//! the tables hold to be worth the same.

pub mod protocol;

mod choose;
mod dice;
mod record;

pub use choose::{Choice, Player};
pub use dice::Dice;
pub use record::{Game, PlayedTurn};
