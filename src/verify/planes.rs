//! Tables as the verifier reads them: decoded whole, or block by block for a sample.

use crate::board::PointSet;
use crate::space::{Index, Space};
use crate::table::{Block, BlockCache, Metric, Stored, Table, TableError};
use rayon::prelude::*;

/// Bytes of decoded blocks that are kept of each table while a sample is checked.
const SAMPLE_CACHE_BYTES: u64 = 32 << 20;

/// One table, open to be asked entry by entry.
pub(super) struct Plane {
    table: Table,
    index: Index,
    held: Held,
}

enum Held {
    Whole(Vec<Block>),
    Cached(BlockCache),
}

impl Plane {
    /// Opens `table`, decoding all of it where `whole`.
    pub fn open(space: &Space, table: Table, whole: bool) -> Result<Plane, TableError> {
        let index = space.index(table.header().subspace);
        let held = match whole {
            true => {
                let blocks = (0..table.blocks()).into_par_iter().map(|n| table.block(n));
                Held::Whole(blocks.collect::<Result<_, _>>()?)
            }
            false => Held::Cached(BlockCache::new(SAMPLE_CACHE_BYTES)),
        };
        Ok(Plane { table, index, held })
    }

    /// The index of the subspace.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Whether depths are stored, not only values.
    pub fn has_depths(&self) -> bool {
        self.table.header().metric == Metric::Dtw
    }

    /// What is stored of an entry.
    #[inline]
    pub fn stored(&self, entry: u64) -> Result<Stored, TableError> {
        match &self.held {
            Held::Whole(blocks) => {
                let size = self.table.block_entries();
                Ok(blocks[(entry / size) as usize].stored((entry % size) as usize))
            }
            Held::Cached(cache) => self.table.outcome(cache, entry),
        }
    }
}

/// Decoded codes of a subspace and the index that they are ordered by.
pub(super) struct Decoded {
    pub index: Index,
    /// All points of the board.
    pub points: PointSet,
    pub codes: Vec<u8>,
}

/// Whether a table holds depths of 8 bits.
pub(super) fn is_narrow(table: &Table) -> bool {
    table.header().metric == Metric::Dtw && table.header().width == 8
}

/// Decodes a table of depths of 8 bits.
pub(super) fn decode(space: &Space, table: &Table) -> Result<Decoded, TableError> {
    let mut codes = vec![0; table.entries() as usize];
    let blocks = codes.par_chunks_mut(table.block_entries() as usize).enumerate();
    blocks.try_for_each(|(number, codes)| match table.block(number)? {
        Block::Narrow(held) => {
            codes.copy_from_slice(&held);
            Ok(())
        }
        _ => unreachable!("the header says 8 bits"),
    })?;
    Ok(Decoded {
        index: space.index(table.header().subspace),
        points: space.rules().board.points(),
        codes,
    })
}
