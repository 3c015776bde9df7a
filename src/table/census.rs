//! What is counted in a subspace while it is solved.

/// Numbers of positions by value, for the player to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Positions that the player to move wins.
    pub wins: u64,
    /// Positions that nobody can win by force.
    pub draws: u64,
    /// Positions that the player to move loses.
    pub losses: u64,
}

impl Tally {
    /// All positions.
    pub const fn total(&self) -> u64 {
        self.wins.saturating_add(self.draws).saturating_add(self.losses)
    }
}

/// Counts and records of one subspace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Positions up to the symmetries of the board (those that keep adjacency and mills, also where
    /// the index uses a larger group).
    pub positions: Tally,
    /// Every arrangement counted once.
    pub boards: Tally,
    /// Plies of the deepest win, if there is a win.
    pub deepest_win: Option<u16>,
    /// Plies of the deepest loss, if there is a loss.
    pub deepest_loss: Option<u16>,
}
