//! stub
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    pub positions: Tally,
    pub boards: Tally,
    pub deepest_win: Option<u16>,
    pub deepest_loss: Option<u16>,
}
