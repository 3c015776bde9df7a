//! What was typed, checked: from words to rules, subspaces and amounts. The commands never see a
//! word again.

mod amount;
mod game;

pub use amount::{amount, available, memory_limit};
pub use game::{Asked, Game, bare};

use super::failure::Failure;
use super::grammar;
use crate::solve;
use crate::space;

/// What `plan` and `generate` are to solve: the subspaces in `names`, and all that have few stones.
pub fn wanted(
    words: &grammar::Wanted,
    game: &Game,
    names: &[String],
) -> Result<solve::Wanted, Failure> {
    let subspaces = game.subspaces(names)?;
    if let Some(most) = words.max_stones {
        let fewest = space::subspaces(&game.rules).iter().map(|s| s.total()).min().unwrap_or(0);
        if most < fewest {
            return Err(Failure::usage(format!(
                "--max-stones {most}: no subspace of {} has so few stones, the fewest are {fewest}",
                game.name
            )));
        }
    }
    Ok(solve::Wanted { subspaces, max_stones: words.max_stones })
}
