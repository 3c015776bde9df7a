//! Tables on their way to the shelf.
//!
//! Every file is written under a temporary name, made safe, and only then renamed: a file with its
//! final name is finished. Blocks are compressed on all threads, a batch at a time, while the batch
//! before is being written; memory is bounded by the batches.
//!
//! Beware: the header comes first in the file and is known last. Until it is put there the file
//! begins with zeros, which no reader takes for a table.

use super::codec::{self, Codes, Encoded};
use super::digest::{CHUNK, Chunk, Digest};
use super::format::{END_LENGTH, HEADER_LENGTH, RawPlace};
use super::storage::{Sink, Storage};
use super::{Header, Metric, TableError};
use rayon::prelude::*;
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// What follows the name of a file that is not finished.
pub const PARTIAL: &str = ".partial";

/// The name of a file while it is written: another one in each process, so that two that write to
/// one directory, which a lost lock may let happen, never write one file.
pub fn partial_name(name: &str) -> String {
    format!("{name}.{}{PARTIAL}", std::process::id())
}

/// Entries in a batch for each thread.
const BATCH_ENTRIES: usize = 1 << 20;

/// How tables are written. Readers take any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The level of zstd: higher is smaller and slower.
    pub level: i32,
    /// Entries of a block, `1..=MAX_BLOCK_ENTRIES`: more compress better and take longer to look
    /// something up.
    pub block_entries: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { level: 3, block_entries: 65536 }
    }
}

/// One plane, under its temporary name until [`publish`](Plane::publish); dropped before that, it
/// removes the file.
pub(super) struct Plane<'a> {
    storage: &'a dyn Storage,
    name: String,
    partial: String,
    sink: Option<Box<dyn Sink>>,
    header: Header,
    index: Vec<u8>,
    offset: u64,
    published: bool,
}

/// The content digests of both planes.
pub(super) struct Digests {
    pub wdl: u128,
    pub dtw: u128,
}

/// Hashes the codes; the error is the first entry without an outcome.
pub(super) fn digests(codes: Codes<'_>) -> Result<Digests, u64> {
    let hash = |number: usize| {
        let start = number * CHUNK;
        let part = codes.part(start, start + CHUNK);
        if let Some(place) = part.unsolved() {
            return Err((start + place) as u64);
        }
        let (mut values, mut depths) = (Chunk::default(), Chunk::default());
        values.values(&part.values());
        depths.codes(part);
        Ok((values.finish(), depths.finish()))
    };
    let chunks = codes.len().div_ceil(CHUNK);
    let hashes: Vec<Result<_, u64>> = (0..chunks).into_par_iter().map(hash).collect();
    let (mut wdl, mut dtw) = (Digest::default(), Digest::default());
    for hashed in hashes {
        let (values, depths) = hashed?;
        wdl.push(values);
        dtw.push(depths);
    }
    Ok(Digests { wdl: wdl.finish(), dtw: dtw.finish() })
}

/// Compresses and writes the blocks of all planes, in one pass over the codes.
pub(super) fn write_blocks(
    planes: &mut [Plane<'_>],
    codes: Codes<'_>,
    settings: Settings,
) -> Result<(), TableError> {
    let size = settings.block_entries as usize;
    let blocks = codes.len().div_ceil(size);
    let batch = rayon::current_num_threads() * (BATCH_ENTRIES / size).max(1);
    let metrics: Vec<Metric> = planes.iter().map(|plane| plane.header.metric).collect();
    let encode = |numbers: Range<usize>| -> Vec<Vec<Encoded>> {
        let block = |number| {
            let part = codes.part(number * size, (number + 1) * size);
            metrics.iter().map(|metric| encode_block(*metric, part, settings.level)).collect()
        };
        numbers.into_par_iter().map(block).collect()
    };
    let mut ready = Vec::new();
    for start in (0..blocks).step_by(batch) {
        let numbers = start..blocks.min(start + batch);
        let (written, next) = rayon::join(|| append(planes, ready), || encode(numbers));
        written?;
        ready = next;
    }
    append(planes, ready)
}

fn encode_block(metric: Metric, codes: Codes<'_>, level: i32) -> Encoded {
    match metric {
        Metric::Wdl => codec::encode_values(&codes.values(), level),
        Metric::Dtw => codec::encode_codes(codes, level),
    }
}

/// Adds blocks, each a list of one encoding for each plane.
fn append(planes: &mut [Plane<'_>], blocks: Vec<Vec<Encoded>>) -> Result<(), TableError> {
    for (number, plane) in planes.iter_mut().enumerate() {
        plane.append(blocks.iter().map(|block| &block[number]))?;
    }
    Ok(())
}

impl<'a> Plane<'a> {
    /// Begins a file. Of the header, everything is known but offsets, lengths and checksums.
    pub fn create(storage: &'a dyn Storage, header: Header) -> Result<Plane<'a>, TableError> {
        let name = format!("{}.{}", header.subspace, header.metric);
        let partial = partial_name(&name);
        let sink = storage.create(&partial);
        let sink =
            sink.map_err(|e| TableError::io(storage.describe(Some(&partial)), "create", e))?;
        let mut plane = Plane {
            storage,
            name,
            partial,
            sink: Some(sink),
            header,
            index: Vec::new(),
            offset: HEADER_LENGTH,
            published: false,
        };
        plane.write("write", |sink| sink.append(&[0; HEADER_LENGTH as usize]))?;
        Ok(plane)
    }

    /// Puts bytes before the first block.
    pub fn prelude(&mut self, bytes: &[u8]) -> Result<(), TableError> {
        debug_assert!(self.index.is_empty());
        self.offset += bytes.len() as u64;
        self.write("write", |sink| sink.append(bytes))
    }

    /// Adds blocks.
    pub fn append<'b>(
        &mut self,
        blocks: impl Iterator<Item = &'b Encoded>,
    ) -> Result<(), TableError> {
        let mut bytes = Vec::new();
        for block in blocks {
            let place = RawPlace {
                offset: self.offset,
                length: block.bytes.len() as u32,
                kind: block.kind as u8,
                reserved: [0; 3],
                checksum: xxh3_64(&block.bytes),
            };
            self.index.extend_from_slice(&place.encode());
            self.offset += block.bytes.len() as u64;
            bytes.extend_from_slice(&block.bytes);
        }
        if bytes.is_empty() {
            return Ok(());
        }
        self.write("write", |sink| sink.append(&bytes))
    }

    /// Writes index, end mark and header, and makes the file safe, still under its temporary name.
    pub fn finish(&mut self) -> Result<(), TableError> {
        self.header.index_offset = self.offset;
        self.header.index_checksum = xxh3_64(&self.index);
        self.header.file_length = self.offset + self.index.len() as u64 + END_LENGTH;
        let (head, end) = self.header.encode();
        let mut tail = std::mem::take(&mut self.index);
        tail.extend_from_slice(&end);
        self.write("write", |sink| sink.append(&tail))?;
        self.write("write", |sink| sink.rewrite_start(&head))?;
        self.write("save", |sink| sink.sync())?;
        self.sink = None;
        Ok(())
    }

    /// Gives a finished file its final name.
    pub fn publish(&mut self) -> Result<(), TableError> {
        let renamed = self.storage.rename(&self.partial, &self.name);
        renamed.map_err(|error| {
            TableError::io(self.storage.describe(Some(&self.partial)), "rename", error)
        })?;
        self.published = true;
        Ok(())
    }

    /// What the file says about itself, once it is finished.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The final name.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn write(
        &mut self,
        doing: &'static str,
        step: impl FnOnce(&mut dyn Sink) -> std::io::Result<()>,
    ) -> Result<(), TableError> {
        let sink = self.sink.as_deref_mut().expect("a plane that is written is open");
        step(sink).map_err(|error| {
            TableError::io(self.storage.describe(Some(&self.partial)), doing, error)
        })
    }
}

impl Drop for Plane<'_> {
    fn drop(&mut self) {
        if !self.published {
            self.sink = None;
            // Nobody is served by an error about tidying up after an error.
            let _ = self.storage.remove(&self.partial);
        }
    }
}

/// Writes a small file under a temporary name and gives it its final one.
pub(super) fn replace(storage: &dyn Storage, name: &str, bytes: &[u8]) -> Result<(), TableError> {
    let partial = partial_name(name);
    let write = || {
        let mut sink = storage.create(&partial)?;
        sink.append(bytes)?;
        sink.sync()?;
        drop(sink);
        storage.rename(&partial, name)?;
        storage.sync()
    };
    write().map_err(|error| {
        let _ = storage.remove(&partial);
        TableError::io(storage.describe(Some(name)), "write", error)
    })
}
