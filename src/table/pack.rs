//! Packing: the plane of values of a subspace is written anew with predicted values, and takes the
//! place of the old one where that makes it smaller.
//!
//! Nothing is believed of the old file that its checksums do not vouch for, every strip is decoded
//! again as soon as it is encoded, and the new file says in its header the digest that its own
//! entries were found to have. A reader that has the old file open keeps it.

use super::codec::{BlockKind, Encoded, constant};
use super::digest::{CHUNK, Chunk, Digest};
use super::format::PREDICTED;
use super::packed::{self, Example, Predictor, STRIP};
use super::writer::Plane;
use super::{Block, Header, Metric, Shelf, ShelfLock, Table, TableError, Written};
use crate::space::Subspace;
use rayon::prelude::*;
use std::ops::Range;

/// Entries of a block of a packed table.
const BLOCK_ENTRIES: u32 = 65536;
/// The most strips from which the predictor of a table learns.
const EXAMPLES: u64 = 3072;
/// Blocks that each thread encodes between two writes.
const BATCH: usize = 8;
/// A table of fewer bytes would hardly pay for its own parameters.
const LEAST_BYTES: u64 = 4096;

/// What became of a table that was to be packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// It is packed now, and had so many bytes before.
    Packed {
        /// Bytes of the file before.
        before: u64,
        /// Bytes of the file now.
        after: u64,
    },
    /// It was packed already.
    Already(u64),
    /// It stays as it is, since packed it would be no smaller.
    Kept(u64),
}

impl Shelf {
    /// Packs the plane of values of a subspace. Takes the lock of the shelf, since the file is
    /// replaced. `progress` is told of entries that are done, and says whether to go on; `Ok(None)`:
    /// it did not. Uses the threads of the current pool.
    pub fn pack(
        &self,
        subspace: Subspace,
        _: &ShelfLock,
        progress: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<Option<Packing>, TableError> {
        let table = self.table(subspace, Metric::Wdl)?;
        let before = table.header().file_length;
        if table.is_packed() || before < LEAST_BYTES {
            progress(table.entries());
            let packed = table.is_packed();
            return Ok(Some(if packed { Packing::Already(before) } else { Packing::Kept(before) }));
        }
        let predictor = packed::train(self.shared.scene(subspace), &examples(&table)?);
        let Some(section) = packed::parameters_section(predictor.parameters()) else {
            return Ok(Some(Packing::Kept(before)));
        };
        let mut plane = Plane::create(&*self.storage, header(table.header()))?;
        plane.prelude(&section)?;
        let Some(digest) = write(&table, &predictor, &mut plane, progress)? else {
            return Ok(None);
        };
        if digest != table.header().digest {
            let what = format!(
                "the digest of its entries is {digest:032x}, expected {:032x}",
                table.header().digest
            );
            return Err(TableError::Damaged { file: table.file().to_owned(), what });
        }
        plane.finish()?;
        let after = plane.header().file_length;
        if after >= before {
            return Ok(Some(Packing::Kept(before)));
        }
        plane.publish()?;
        let saved = self.storage.sync();
        saved.map_err(|error| TableError::io(self.place(), "save", error))?;
        let files = vec![(plane.name().to_owned(), plane.header().clone())];
        self.record(&Written { files })?;
        Ok(Some(Packing::Packed { before, after }))
    }
}

/// The header of the packed table, but for offsets, lengths and checksums.
fn header(of: &Header) -> Header {
    Header {
        codec: PREDICTED,
        block_entries: BLOCK_ENTRIES,
        blocks: of.entries.div_ceil(BLOCK_ENTRIES.into()),
        ..of.clone()
    }
}

/// Strips from all over the table.
fn examples(table: &Table) -> Result<Vec<Example>, TableError> {
    let strips = table.entries().div_ceil(STRIP as u64);
    let chosen: Vec<u64> = packed::chosen(strips, EXAMPLES).collect();
    // Strips of one block of the file are taken by one thread, which decodes it once.
    let example = |held: &mut Option<(usize, Block)>, strip: u64| {
        let first = strip * STRIP as u64;
        let end = table.entries().min(first + STRIP as u64);
        Ok((first, values(table, first..end, held)?))
    };
    chosen.into_par_iter().with_min_len(16).map_init(|| None, example).collect()
}

/// The values of some entries; `held` is the block that was decoded last.
fn values(
    table: &Table,
    entries: Range<u64>,
    held: &mut Option<(usize, Block)>,
) -> Result<Vec<u8>, TableError> {
    let size = table.block_entries();
    let mut values = Vec::with_capacity((entries.end - entries.start) as usize);
    let mut next = entries.start;
    while next < entries.end {
        let number = (next / size) as usize;
        let block = match held.take() {
            Some((found, block)) if found == number => block,
            _ => table.block(number)?,
        };
        let Block::Values(all) = &block else { unreachable!("a plane of values holds values") };
        let start = (next % size) as usize;
        let end = all.len().min(start + (entries.end - next) as usize);
        values.extend_from_slice(&all[start..end]);
        next += (end - start) as u64;
        *held = Some((number, block));
    }
    Ok(values)
}

/// Encodes and writes all blocks; the digest of the values, or `None` where it is to stop.
fn write(
    table: &Table,
    predictor: &Predictor,
    plane: &mut Plane<'_>,
    progress: &(dyn Fn(u64) -> bool + Sync),
) -> Result<Option<u128>, TableError> {
    const _: () = assert!(BLOCK_ENTRIES as usize == CHUNK);
    let size = u64::from(BLOCK_ENTRIES);
    let blocks = table.entries().div_ceil(size);
    let encode = |held: &mut Option<(usize, Block)>, number: u64| {
        let first = number * size;
        let values = values(table, first..table.entries().min(first + size), held)?;
        let mut chunk = Chunk::default();
        chunk.values(&values);
        let encoded = match constant(&values) {
            Some(value) => Encoded { kind: BlockKind::Constant, bytes: vec![value] },
            None => {
                let bytes = packed::encode_block(predictor, first, &values);
                Encoded { kind: BlockKind::Strips, bytes }
            }
        };
        Ok((encoded, chunk.finish(), values.len() as u64))
    };
    let mut digest = Digest::default();
    let batch = (BATCH * rayon::current_num_threads()) as u64;
    for first in (0..blocks).step_by(batch as usize) {
        let numbers = first..blocks.min(first + batch);
        let encoded: Result<Vec<_>, TableError> =
            numbers.into_par_iter().map_init(|| None, encode).collect();
        let encoded = encoded?;
        plane.append(encoded.iter().map(|(block, _, _)| block))?;
        encoded.iter().for_each(|(_, hash, _)| digest.push(*hash));
        if !progress(encoded.iter().map(|(_, _, entries)| entries).sum()) {
            return Ok(None);
        }
    }
    Ok(Some(digest.finish()))
}
