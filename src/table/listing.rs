//! What a shelf says of itself when it is listed.

use super::inventory::Record;
use super::{Header, Metric, TableError};
use crate::space::Subspace;

/// The state of a table, as far as its header and end mark tell.
#[derive(Debug)]
pub enum State {
    /// Finished and whole.
    Whole(Header),
    /// There, and not to be used: damaged, of other rules, unknown, unreadable.
    Unusable(TableError),
    /// Finished once, according to the inventory, and gone.
    Missing(Record),
}

/// One table of a listing.
#[derive(Debug)]
pub struct Listed {
    /// The subspace.
    pub subspace: Subspace,
    /// The metric.
    pub metric: Metric,
    /// Its state.
    pub state: State,
}

/// Everything on a shelf.
#[derive(Debug, Default)]
pub struct Listing {
    /// The tables, in the order in which they are solved.
    pub tables: Vec<Listed>,
    /// What else somebody should know: a damaged inventory, files left by a run that was stopped.
    pub notes: Vec<String>,
}
