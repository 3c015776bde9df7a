//! Subspaces, their order, and the index that turns a position into a number and back.
//!
//! A subspace holds every arrangement of given numbers of stones. Its entries are numbered by
//! **index scheme 1**: the *row* is the class of the mover's stones under the symmetries of the
//! board, the *column* the rank of the opponent's stones among the points that the class
//! representative leaves free; entry = row x columns + column. All entries of a row are one
//! contiguous run, and within a row no symmetry is left to think of.
//!
//! Where the representative is itself symmetric, several columns of its row are the same position.
//! They are all kept, with equal values, so that *any* symmetry that takes the mover's stones to
//! the representative leads to a right answer; one of them, the lowest, is the position's home.

pub mod bits;
mod classes;
mod columns;
mod index;
mod order;
mod rank;
mod subspace;

pub use classes::{Classes, Home};
pub use columns::Columns;
pub use index::{Index, SCHEME, Space};
pub use order::{Unit, dependencies, quiet_turns, subspaces, units};
pub use rank::{Ranker, binomial};
pub use subspace::{Subspace, SubspaceError};
