//! A brute-force oracle: the rules of RULES.md and nothing clever.
//!
//! Why: the crate's tables rest on symmetry, ranking and predecessor
//! generation, and a mistake in any of them can be consistent with itself.
//! This module was written from the text of RULES.md alone and shares no line
//! with the crate, so an error would have to be made twice to go unnoticed.
//! Beware: never make it use the crate, not even for a list of mills, and
//! never copy a fix from one to the other without reading the rules again.
//! It counts every arrangement and so is slow without optimisation.

#![allow(dead_code, unused_imports)] // each integration test uses its own part

pub mod board;
pub mod rules;
pub mod solve;

pub use board::BruteBoard;
pub use rules::{
    BlockedRule, BrutePos, BruteRules, Flying, FullBoard, MillEffect, Placing, Protection, Terminal,
};
pub use solve::{Counts, Oracle, Sub, twin};
