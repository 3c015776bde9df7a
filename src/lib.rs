//! Solves nine men's morris and its relatives by retrograde analysis, keeps the solution in
//! compact memory-mapped tables, and answers any position from them.
//!
//! The crate is a house of floors; each uses only those below it.
//!
//! | floor | module | speaks of |
//! |---|---|---|
//! | 0 | [`board`], [`value`] | points, lines, symmetries; win, draw, loss and plies |
//! | 1 | [`rules`] | one position, one turn |
//! | 2 | [`space`], [`notation`] | subspaces and entry numbers; text |
//! | 3 | [`table`] | bytes and files |
//! | 4 | [`solve`], [`verify`], [`probe`] | work, proofs, answers |
//! | 5 | [`game`] | a game in progress, and who chooses its turns |
//! | 6 | [`report`] | what programs are told |
//! | 7 | [`serve`] | HTTP |
//! | 8 | [`cli`] | people and programs |

pub mod board;
pub mod cli;
pub mod game;
pub mod notation;
pub mod probe;
pub mod report;
pub mod rules;
pub mod serve;
pub mod solve;
pub mod space;
pub mod table;
pub mod value;
pub mod verify;

/// The example of the README, compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
