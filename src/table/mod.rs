//! Solved subspaces as files: written once, mapped into memory, decoded block by block.
//!
//! A [`Shelf`] holds the tables of one rule set; a [`Table`] is one plane of one subspace, open for
//! look-up; a [`BlockCache`] keeps decoded blocks. `docs/FORMAT.md` is the specification of every
//! byte. What a file says is believed only after a checksum or a required value has vouched for
//! it, and a file that is not exactly what was asked for is refused with a [`TableError`] that says
//! why.
//!
//! Beware: opening a table is cheap because it does not read the blocks. Damage there is found when
//! a block is decoded, or by [`Table::check`].

mod cache;
mod census;
mod codec;
mod count;
mod counting;
mod digest;
mod error;
mod format;
mod header;
mod inventory;
mod listing;
mod mapped;
mod memory;
mod metric;
mod names;
mod pack;
mod packed;
mod reader;
mod rules_stamp;
mod scratch;
mod shelf;
mod storage;
mod writer;

pub use cache::BlockCache;
pub use census::{Census, Tally};
pub use codec::{Block, Codes};
pub use counting::census;
pub use error::{ErrorKind, TableError};
pub use format::{MAX_BLOCK_ENTRIES, VERSION};
pub use header::Header;
pub use inventory::{INVENTORY, Inventory, Record};
pub use listing::{Listed, Listing, State};
pub use memory::{Breakage, Memory, Unsynced};
pub use metric::{Metric, Stored};
pub use pack::Packing;
pub use reader::Table;
pub use scratch::{Filled, SCRATCH_HEAD, Scratch};
pub use shelf::{Shelf, ShelfLock, Solved, Written};
pub use storage::{Bytes, Directory, Guard, LockError, Sink, Storage};
pub use writer::Settings;

#[cfg(test)]
mod tests;
