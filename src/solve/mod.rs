//! Retrograde analysis of one unit: a subspace, or a pair of colour-swapped twins.
//!
//! # How a unit is solved
//!
//! Each subspace is held in two layouts. In the **working** layout the *opponent's* stones make the
//! row and the mover's the column, so a turn never leaves its row; nothing in the loops over turns
//! knows of symmetry. In the **finished** layout (that of the tables) the *mover's* stones make the
//! row. A position after a turn of the column's player is, seen by the other player, in a finished
//! row of the same stones: so rows of the two layouts with the same stones belong together.
//!
//! 1. `forward`: for each working row, look up what placements and removals lead to (finished
//!    subspaces, read a row at a time) and count the quiet moves.
//! 2. `layers`: for each depth in turn, entries decided at that depth are *transposed* from the
//!    working to the finished layout (the only place where symmetry is met); then each finished row
//!    with news un-moves the player who has just moved, in the working row of the same stones of
//!    the twin: a loss makes its predecessors wins, a win takes one from their open turns.
//! 3. What was never decided is a draw.
//!
//! A working entry holds the best code among the turns known so far (0: none) and the number of
//! quiet moves still open. It is a win when the best is above a draw, a loss when the best is below
//! and nothing is open.
//!
//! # Contract
//!
//! The quiet moves counted by `forward` and undone by `layers` are the same edges of the same graph
//! within a row, symmetric duplicates included, so multiplicities agree by construction. `tests/`
//! holds the whole against a solver that shares none of this.

mod forecast;
mod forward;
mod layers;
mod part;
mod pending;
mod place;
mod plan;
mod planes;
mod row;
mod run;
mod saved;
mod shelved;
mod tasks;
#[cfg(test)]
mod tests;
mod transpose;
mod unit;
mod vector;
mod width;
mod work;

pub use plan::{Plan, Planned, Wanted, peak_disk};
pub use run::{Generated, Limits, RunError, RunObserver, generate};
pub use shelved::Shelved;
pub use unit::{Finished, Observer, Rows, Solution, SolveError, Solved, solve, solve_portably};
pub use width::{CodeVec, RowBuffer};
