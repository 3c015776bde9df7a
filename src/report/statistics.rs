//! The counts of a subspace.

use crate::space::Subspace;
use crate::table::Census;
use serde::Serialize;

/// What `stats` tells of a subspace.
#[derive(Debug, Serialize)]
pub struct StatisticsRow {
    subspace: String,
    positions: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    deepest_win: Option<u16>,
    deepest_loss: Option<u16>,
    boards: Boards,
}

/// The same counts with symmetric arrangements counted each.
#[derive(Debug, Serialize)]
pub struct Boards {
    total: u64,
    wins: u64,
    draws: u64,
    losses: u64,
}

impl StatisticsRow {
    /// What the header of a table counts.
    pub fn new(subspace: Subspace, census: &Census) -> StatisticsRow {
        let Census { positions, boards, deepest_win, deepest_loss } = census;
        StatisticsRow {
            subspace: subspace.to_string(),
            positions: positions.total(),
            wins: positions.wins,
            draws: positions.draws,
            losses: positions.losses,
            deepest_win: *deepest_win,
            deepest_loss: *deepest_loss,
            boards: Boards {
                total: boards.total(),
                wins: boards.wins,
                draws: boards.draws,
                losses: boards.losses,
            },
        }
    }
}
