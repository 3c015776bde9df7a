//! Decoded blocks, kept for the next look-up, within a bound of memory, for many threads.

use super::{Block, Table, TableError};
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};
use std::fmt;
use std::sync::Arc;

/// What an entry of the cache takes besides the decoded entries, in bytes: key, pointers, places in
/// the tables of the cache.
const OVERHEAD: u64 = 128;
/// Bytes that a block has where nothing else is known.
const USUAL_BLOCK: u64 = 65536;
/// A part of the cache holds at least so many usual blocks, so that few parts are made of few bytes.
const LEAST_BLOCKS: u64 = 16;

/// Blocks by table and number.
pub struct BlockCache(Cache<(u64, u64), Arc<Block>, Bytes, DefaultHashBuilder, Lifecycle>);

type Lifecycle = DefaultLifecycle<(u64, u64), Arc<Block>>;

#[derive(Clone)]
struct Bytes;

impl Weighter<(u64, u64), Arc<Block>> for Bytes {
    fn weight(&self, _: &(u64, u64), block: &Arc<Block>) -> u64 {
        block.bytes() as u64 + OVERHEAD
    }
}

impl BlockCache {
    /// A cache of at most `bytes` bytes. A block larger than its share of that is decoded each time.
    pub fn new(bytes: u64) -> BlockCache {
        let parts = (bytes / (LEAST_BLOCKS * USUAL_BLOCK)).clamp(1, 64) as usize;
        let options = OptionsBuilder::new()
            .shards(parts)
            .estimated_items_capacity((bytes / USUAL_BLOCK).clamp(1, 1 << 20) as usize)
            .weight_capacity(bytes)
            .build()
            .expect("capacity and size are given");
        BlockCache(Cache::with_options(
            options,
            Bytes,
            DefaultHashBuilder::default(),
            Lifecycle::default(),
        ))
    }

    /// A block, decoded now or before. Threads that ask for the same one wait for the first.
    #[inline]
    pub fn block(&self, table: &Table, number: usize) -> Result<Arc<Block>, TableError> {
        let key = (table.id(), number as u64);
        if let Some(block) = self.0.get(&key) {
            return Ok(block);
        }
        self.0.get_or_insert_with(&key, || table.block(number).map(Arc::new))
    }

    /// Lets go of every block.
    pub fn clear(&self) {
        self.0.clear();
    }

    /// Bytes held now.
    pub fn bytes(&self) -> u64 {
        self.0.weight()
    }

    /// The most bytes that are held.
    pub fn capacity(&self) -> u64 {
        self.0.capacity()
    }
}

impl fmt::Debug for BlockCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BlockCache({} of {} bytes)", self.bytes(), self.capacity())
    }
}
