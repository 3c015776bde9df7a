//! Finished subspaces read from a shelf, block by block through a bounded cache, or from memory
//! where they have not been written yet.

use super::unit::{Finished, Rows, Solution, SolveError};
use super::width::{CodeVec, RowBuffer};
use crate::space::Subspace;
use crate::table::{Block, BlockCache, Metric, Shelf, Table};
use crate::value::Code;
use std::sync::Arc;

/// Finds a solution that is not on the shelf yet.
type Waiting<'a> = &'a (dyn Fn(Subspace) -> Option<Arc<Solution>> + Sync);

/// The tables of depths on a shelf, as the solver looks them up.
pub struct Shelved<'a> {
    shelf: &'a Shelf,
    cache: BlockCache,
    waiting: Option<Waiting<'a>>,
}

impl<'a> Shelved<'a> {
    /// Reads from `shelf`, holding at most `bytes` bytes of decoded blocks.
    pub fn new(shelf: &'a Shelf, bytes: u64) -> Self {
        Shelved { shelf, cache: BlockCache::new(bytes), waiting: None }
    }

    /// The same, with solutions that wait to be written.
    pub(super) fn before(self, waiting: Waiting<'a>) -> Self {
        Shelved { waiting: Some(waiting), ..self }
    }
}

impl Finished for Shelved<'_> {
    fn rows(&self, subspace: Subspace) -> Result<Box<dyn Rows + '_>, SolveError> {
        // Asked before the shelf: what does not wait is there, and stays there.
        if let Some(solution) = self.waiting.and_then(|find| find(subspace)) {
            return Ok(Box::new(WaitingRows { solution, subspace }));
        }
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
            RowBuffer::Narrow(codes) => self.copy(first, codes, narrowed, Ok),
            RowBuffer::Wide(codes) => self.copy(first, codes, Ok, widened),
        }
    }
}

struct WaitingRows {
    solution: Arc<Solution>,
    subspace: Subspace,
}

impl Rows for WaitingRows {
    fn read(&self, first: u64, codes: RowBuffer<'_>) -> Result<(), SolveError> {
        let mut parts = self.solution.iter();
        let part = parts.find(|solved| solved.subspace == self.subspace);
        let held = &part.expect("it was found by this subspace").codes;
        let first = first as usize;
        match (held, codes) {
            (CodeVec::Narrow(held), RowBuffer::Narrow(codes)) => {
                codes.copy_from_slice(&held[first..first + codes.len()]);
                Ok(())
            }
            (CodeVec::Wide(held), RowBuffer::Wide(codes)) => {
                codes.copy_from_slice(&held[first..first + codes.len()]);
                Ok(())
            }
            (CodeVec::Wide(held), RowBuffer::Narrow(codes)) => {
                convert(&held[first..first + codes.len()], codes, &narrowed)
            }
            (CodeVec::Narrow(held), RowBuffer::Wide(codes)) => {
                convert(&held[first..first + codes.len()], codes, &widened)
            }
        }
    }
}

const SOLVED: &str = "what is finished holds no code 0";

#[inline(always)]
fn narrowed(wide: u16) -> Result<u8, SolveError> {
    u8::encode(wide.decode().expect(SOLVED)).ok_or(SolveError::Wide)
}

#[inline(always)]
fn widened(narrow: u8) -> Result<u16, SolveError> {
    Ok(u16::encode(narrow.decode().expect(SOLVED)).expect("16 bits hold what 8 do"))
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
