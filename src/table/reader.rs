//! One table, open for look-up.
//!
//! Opening is cheap and reads the header and the end mark; a block is checked when it is decoded,
//! and the block index when the first block is. [`Table::check`] reads everything: together the
//! checksums of header, index and blocks and the required values in between cover every byte.

use super::codec::{self, BlockKind};
use super::digest::{CHUNK, Chunk, Digest};
use super::format::{END_LENGTH, HEADER_LENGTH, MOST_HEADER, PLACE_LENGTH, PREDICTED, RawPlace};
use super::header::{self, Expected};
use super::packed::{self, Predictor, STRIP, Shared};
use super::storage::Bytes;
use super::{Block, BlockCache, Header, Stored, TableError};
use rayon::prelude::*;
use std::borrow::Cow;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use xxhash_rust::xxh3::xxh3_64;

/// A whole table, as far as its header and end mark tell.
pub struct Table {
    id: u64,
    file: String,
    header: Header,
    bytes: Box<dyn Bytes>,
    places: OnceLock<Box<[Place]>>,
    shared: Arc<Shared>,
    /// What a packed table needs besides its blocks.
    predictor: OnceLock<Predictor>,
}

/// Where a block lies.
#[derive(Clone, Copy, Debug)]
struct Place {
    offset: u64,
    length: u32,
    kind: BlockKind,
    checksum: u64,
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table").field("file", &self.file).field("header", &self.header).finish()
    }
}

impl Table {
    /// Checks header and end mark against what is expected; touches nothing else.
    pub(super) fn open(
        bytes: Box<dyn Bytes>,
        expected: &Expected<'_>,
        shared: Arc<Shared>,
    ) -> Result<Table, TableError> {
        static OPENED: AtomicU64 = AtomicU64::new(0);
        let length = bytes.length();
        let (head, tail) = (length.min(MOST_HEADER), length.min(END_LENGTH));
        let read = |offset, length| {
            let read = bytes.read(offset, length as usize);
            read.map_err(|source| TableError::io(expected.file, "read", source))
        };
        let (head, tail) = (read(0, head)?, read(length - tail, tail)?);
        let header = header::check(&head, &tail, length, expected)?;
        Ok(Table {
            id: OPENED.fetch_add(1, Ordering::Relaxed),
            file: expected.file.to_owned(),
            header,
            bytes,
            places: OnceLock::new(),
            shared,
            predictor: OnceLock::new(),
        })
    }

    /// A number that no other open table of this process has.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The file, as messages name it.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// What the file says about itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// How many entries there are.
    pub fn entries(&self) -> u64 {
        self.header.entries
    }

    /// How many blocks there are: so many entries as are decoded at once, be it a block of the file
    /// or, in a packed table, a strip of one.
    pub fn blocks(&self) -> usize {
        self.entries().div_ceil(self.block_entries()) as usize
    }

    /// Entries of each block but the last, which may have fewer.
    pub fn block_entries(&self) -> u64 {
        match self.is_packed() {
            true => STRIP as u64,
            false => u64::from(self.header.block_entries),
        }
    }

    /// Whether values are predicted from their neighbours.
    pub fn is_packed(&self) -> bool {
        self.header.codec == PREDICTED
    }

    /// Decodes a block, `number` below [`blocks`](Self::blocks). Checks the checksum of the block
    /// (and once that of the index) and every decoded entry.
    pub fn block(&self, number: usize) -> Result<Block, TableError> {
        let strips = (u64::from(self.header.block_entries) / self.block_entries()) as usize;
        let (block, strip) = (number / strips, number % strips);
        let place = self.places()?[block];
        let at = |what| self.damaged(format!("block {block} at byte {}: {what}", place.offset));
        let bytes = self.read(place.offset, u64::from(place.length))?;
        let found = xxh3_64(&bytes);
        if found != place.checksum {
            let expected = place.checksum;
            return Err(at(format!("its checksum is {found:016x}, expected {expected:016x}")));
        }
        if place.kind != BlockKind::Strips {
            let entries = self.entries_of(number);
            return codec::decode(&self.header, entries, place.kind, &bytes).map_err(at);
        }
        let there = self.header.entries_of(block as u64).div_ceil(STRIP);
        let strip = packed::strip_of(&bytes, there, strip).map_err(at)?;
        let first = (number * STRIP) as u64;
        packed::decode_strip(self.predictor()?, first, self.entries_of(number), strip)
            .map(Block::Values)
            .map_err(|what| at(format!("strip {}: {what}", number % strips)))
    }

    /// How many entries block `number` has.
    fn entries_of(&self, number: usize) -> usize {
        let size = self.block_entries();
        (self.entries() - number as u64 * size).min(size) as usize
    }

    /// The predictor of a packed table, checked when it is first asked for.
    fn predictor(&self) -> Result<&Predictor, TableError> {
        match self.predictor.get() {
            Some(predictor) => Ok(predictor),
            None => {
                let first = self.places()?.first().map_or(HEADER_LENGTH, |place| place.offset);
                let bytes = self.read(HEADER_LENGTH, first - HEADER_LENGTH)?;
                let parameters = packed::parameters_of(&bytes)
                    .map_err(|what| self.damaged(format!("its parameters: {what}")))?;
                let scene = self.shared.scene(self.header.subspace);
                Ok(self.predictor.get_or_init(|| Predictor::new(scene, parameters)))
            }
        }
    }

    /// What is stored of an entry, which must be below [`entries`](Self::entries).
    #[inline]
    pub fn outcome(&self, cache: &BlockCache, entry: u64) -> Result<Stored, TableError> {
        let size = self.block_entries();
        let (number, place) = (entry / size, entry % size);
        Ok(cache.block(self, number as usize)?.stored(place as usize))
    }

    /// Reads everything: every checksum, every entry, and the content digest. Uses the threads of
    /// the current pool.
    pub fn check(&self) -> Result<(), TableError> {
        self.places()?;
        if self.is_packed() {
            self.predictor()?;
        }
        let found = self.digest()?;
        if found != self.header.digest {
            return Err(self.damaged(format!(
                "the digest of its entries is {found:032x}, expected {:032x}",
                self.header.digest
            )));
        }
        Ok(())
    }

    /// The digest of the entries, computed anew.
    fn digest(&self) -> Result<u128, TableError> {
        // A span is so many chunks that a block is seldom decoded for two of them.
        let span = CHUNK as u64 * self.block_entries().div_ceil(CHUNK as u64);
        let spans = self.entries().div_ceil(span);
        let batch = 16 * rayon::current_num_threads() as u64;
        let mut digest = Digest::default();
        for first in (0..spans).step_by(batch as usize) {
            let batch = first..spans.min(first + batch);
            let hashes: Result<Vec<Vec<u128>>, TableError> =
                batch.into_par_iter().map(|number| self.hashes(number * span, span)).collect();
            hashes?.into_iter().flatten().for_each(|hash| digest.push(hash));
        }
        Ok(digest.finish())
    }

    /// The hashes of the chunks among `span` entries from `start` on.
    fn hashes(&self, start: u64, span: u64) -> Result<Vec<u128>, TableError> {
        let (end, size) = (self.entries().min(start + span), self.block_entries());
        let mut hashes = Vec::new();
        let mut chunk = Chunk::default();
        let mut entry = start;
        while entry < end {
            let number = entry / size;
            let block = self.block(number as usize)?;
            let block_end = end.min((number + 1) * size);
            while entry < block_end {
                let chunk_end = (entry / CHUNK as u64 + 1) * CHUNK as u64;
                let stop = block_end.min(chunk_end);
                let place = |entry| (entry - number * size) as usize;
                chunk.block(&block, place(entry), place(stop));
                entry = stop;
                if entry == chunk_end || entry == end {
                    hashes.push(std::mem::take(&mut chunk).finish());
                }
            }
        }
        Ok(hashes)
    }

    /// The block index, checked when it is first asked for.
    fn places(&self) -> Result<&[Place], TableError> {
        match self.places.get() {
            Some(places) => Ok(places),
            None => {
                let places = self.read_places()?;
                Ok(self.places.get_or_init(|| places))
            }
        }
    }

    fn read_places(&self) -> Result<Box<[Place]>, TableError> {
        // The header has been checked: as many records as this do lie in the file.
        let bytes = self.read(self.header.index_offset, self.header.blocks * PLACE_LENGTH)?;
        let found = xxh3_64(&bytes);
        if found != self.header.index_checksum {
            return Err(self.damaged(format!(
                "the checksum of its block index is {found:016x}, expected {:016x}",
                self.header.index_checksum
            )));
        }
        // What comes before the first block of a packed table has a checksum of its own.
        let mut next = match self.is_packed() {
            true => packed::parameters_end(&self.read(HEADER_LENGTH, 4)?),
            false => HEADER_LENGTH,
        };
        let records = bytes.chunks_exact(PLACE_LENGTH as usize).enumerate();
        let place = |(number, record)| {
            let at = |what| self.damaged(format!("record {number} of its block index {what}"));
            let raw = RawPlace::decode(record).ok_or_else(|| at("is cut short".to_owned()))?;
            if raw.reserved != [0; 3] {
                return Err(at("has reserved bytes that are not zero".to_owned()));
            }
            if raw.offset != next {
                return Err(at(format!("points at byte {}, expected {next}", raw.offset)));
            }
            let unknown = || TableError::Unknown {
                file: self.file.clone(),
                what: "block kind",
                found: raw.kind.into(),
                known: if self.is_packed() { "0 and 3" } else { "0 to 2" },
            };
            let kind = BlockKind::from_number(self.header.codec, raw.kind).ok_or_else(unknown)?;
            next += u64::from(raw.length);
            Ok(Place { offset: raw.offset, length: raw.length, kind, checksum: raw.checksum })
        };
        let places: Box<[Place]> = records.map(place).collect::<Result<_, _>>()?;
        if next != self.header.index_offset {
            return Err(self.damaged(format!(
                "its blocks end at byte {next}, its block index begins at {}",
                self.header.index_offset
            )));
        }
        Ok(places)
    }

    fn read(&self, offset: u64, length: u64) -> Result<Cow<'_, [u8]>, TableError> {
        let read = self.bytes.read(offset, length as usize);
        read.map_err(|source| TableError::io(&self.file, "read", source))
    }

    fn damaged(&self, what: String) -> TableError {
        TableError::damaged(&self.file, what)
    }
}
