//! One room for each command: what it asks of the floors below and how it shows the answer.

pub mod generate;
pub mod list;
pub mod pack;
pub mod plan;
pub mod play;
pub mod query;
pub mod rules;
pub mod serve;
pub mod stats;
pub mod uci;
pub mod verify;

mod batch;
mod claims;
mod plot;
mod proof;
