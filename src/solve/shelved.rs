//! Finished subspaces read from a shelf, block by block through a bounded cache.

use super::unit::{Finished, Rows, SolveError};
use super::width::RowBuffer;
use crate::space::Subspace;
use crate::table::{Block, BlockCache, Metric, Shelf, Table};
use crate::value::Code;

/// The tables of depths on a shelf, as the solver looks them up.
pub struct Shelved<'a> {
    shelf: &'a Shelf,
    cache: BlockCache,
}

impl<'a> Shelved<'a> {
    /// Reads from `shelf`, holding at most `bytes` bytes of decoded blocks.
    pub fn new(shelf: &'a Shelf, bytes: u64) -> Self {
        Shelved { shelf, cache: BlockCache::new(bytes) }
    }
}

impl Finished for Shelved<'_> {
    fn rows(&self, subspace: Subspace) -> Result<Box<dyn Rows + '_>, SolveError> {
        let table = self.shelf.table(subspace, Metric::Dtw)?;
        Ok(Box::new(ShelvedRows { table, cache: &self.cache }))
    }

    fn release(&self) {
        self.cache.clear();
    }
}

struct ShelvedRows<'a> {
    table: Table,
    cache: &'a BlockCache,
}

impl Rows for ShelvedRows<'_> {
    fn read(&self, first: u64, codes: RowBuffer<'_>) -> Result<(), SolveError> {
        match codes {
            RowBuffer::Narrow(codes) => self.copy(
                first,
                codes,
                |wide| {
                    let outcome = wide.decode().expect("a decoded block holds no code 0");
                    u8::encode(outcome).ok_or(SolveError::Wide)
                },
                Ok,
            ),
            RowBuffer::Wide(codes) => self.copy(first, codes, Ok, |narrow| {
                let outcome = narrow.decode().expect("a decoded block holds no code 0");
                Ok(u16::encode(outcome).expect("16 bits hold what 8 do"))
            }),
        }
    }
}

impl ShelvedRows<'_> {
    fn copy<C: Code>(
        &self,
        first: u64,
        codes: &mut [C],
        from_wide: impl Fn(u16) -> Result<C, SolveError>,
        from_narrow: impl Fn(u8) -> Result<C, SolveError>,
    ) -> Result<(), SolveError> {
        let size = self.table.block_entries();
        let mut done = 0;
        while done < codes.len() {
            let entry = first + done as u64;
            let block = self.cache.block(&self.table, (entry / size) as usize)?;
            let start = (entry % size) as usize;
            let part = (block.len() - start).min(codes.len() - done);
            let into = &mut codes[done..done + part];
            match &*block {
                Block::Narrow(held) => convert(&held[start..start + part], into, &from_narrow)?,
                Block::Wide(held) => convert(&held[start..start + part], into, &from_wide)?,
                Block::Values(_) => unreachable!("a table of depths holds codes"),
            }
            done += part;
        }
        Ok(())
    }
}

#[inline(always)]
fn convert<A: Copy, C>(
    from: &[A],
    into: &mut [C],
    one: &impl Fn(A) -> Result<C, SolveError>,
) -> Result<(), SolveError> {
    for (from, into) in from.iter().zip(into) {
        *into = one(*from)?;
    }
    Ok(())
}
