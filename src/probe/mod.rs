//! Answers: the value of any position, what every turn is worth, the best line to the end.
//!
//! A [`Prober`] stands over a shelf and is shared by as many threads as like to ask. It opens
//! tables when they are first needed and keeps decoded blocks in a cache of bounded size.
//!
//! Nothing is ever made up: where a table is missing, damaged or of other rules, the answer is an
//! error that names it. A full answer holds the value of the position against its turns' values,
//! and refuses where they contradict each other. [`claims`] holds what somebody else says against
//! the tables.

mod answer;
pub mod claims;
mod line;

pub use answer::{Answer, TurnAnswer};
pub use line::{Line, LineStep};

use crate::notation::Moment;
use crate::rules::{Position, Rules};
use crate::space::{Index, Space, Subspace};
use crate::table::{BlockCache, Shelf, Stored, Table, TableError};
use crate::value::Outcome;
use std::collections::HashMap;
use std::sync::{Arc, RwLock};
use thiserror::Error;

/// Bytes of decoded blocks that a prober keeps where nothing else is asked for.
pub const CACHE_BYTES: u64 = 256 << 20;

/// Why a position was not answered.
#[derive(Debug, Error)]
pub enum ProbeError {
    /// A table is missing or cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// What is stored of a position is not what follows from its turns.
    #[error(
        "the tables contradict each other: {subspace} stores {stored} where the turns give {derived}; \
         run verify on it, then generate what it names again"
    )]
    Contradiction {
        /// The subspace of the position.
        subspace: Subspace,
        /// What its table says.
        stored: String,
        /// What the tables of the turns say.
        derived: String,
    },
}

#[derive(Debug)]
struct Open {
    table: Table,
    index: Index,
}

/// Answers positions of one rule set from a shelf.
#[derive(Debug)]
pub struct Prober {
    space: Arc<Space>,
    shelf: Shelf,
    cache: Arc<BlockCache>,
    open: RwLock<HashMap<Subspace, Arc<Open>>>,
}

impl Prober {
    /// A prober over `shelf` that keeps at most `cache_bytes` bytes of decoded blocks.
    pub fn new(shelf: Shelf, cache_bytes: u64) -> Prober {
        Prober::sharing(shelf, Arc::new(BlockCache::new(cache_bytes)))
    }

    /// A prober over `shelf` that keeps its blocks in a cache which others use too, so that one
    /// bound holds for all of them.
    pub fn sharing(shelf: Shelf, cache: Arc<BlockCache>) -> Prober {
        Prober { space: shelf.space().clone(), shelf, cache, open: RwLock::default() }
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        self.shelf.rules()
    }

    /// The shelf.
    pub fn shelf(&self) -> &Shelf {
        &self.shelf
    }

    /// The value of a position and, where a table of depths is at hand, its depth.
    pub fn stored(&self, position: &Position) -> Result<Stored, ProbeError> {
        if self.rules().too_few(position.mover_total()) {
            return Ok(Outcome::LOST.into());
        }
        let open = self.open(Subspace::of(position))?;
        Ok(open.table.outcome(&self.cache, open.index.entry(position))?)
    }

    /// The value of where a game stands; where a removal is owed, for the player who owes it.
    pub fn value(&self, moment: &Moment) -> Result<Stored, ProbeError> {
        match moment {
            Moment::Between { position, .. } => self.stored(position),
            Moment::Owing { .. } => {
                let answer = self.answer(moment)?;
                Ok(answer.stored)
            }
        }
    }

    fn open(&self, subspace: Subspace) -> Result<Arc<Open>, ProbeError> {
        const POISON: &str = "no thread panics while it holds the open tables";
        if let Some(open) = self.open.read().expect(POISON).get(&subspace) {
            return Ok(open.clone());
        }
        // Two threads may open the same table; the first one in stays.
        let table = self.shelf.find(subspace)?;
        let opened = Arc::new(Open { table, index: self.space.index(subspace) });
        Ok(self.open.write().expect(POISON).entry(subspace).or_insert(opened).clone())
    }
}
