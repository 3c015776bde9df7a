//! The content digest: a hash over what a table says, not over how it is stored.
//!
//! It is the same for any width, block size, compression and number of threads. Entries are hashed
//! in chunks of fixed size, independent of the blocks, so that many threads can share the work:
//! the digest of a table is the hash of the hashes of its chunks, in order.
//!
//! Beware: digests of two tables can be compared only within one index scheme and one metric.

use super::{Block, Codes};
use crate::value::Code;
use xxhash_rust::xxh3::Xxh3;

/// Entries of a chunk; the last has what is left.
pub const CHUNK: usize = 65536;

/// How a draw is hashed in a plane of depths.
const DRAW: u16 = 0xFFFF;

/// Collects the hashes of chunks.
#[derive(Default)]
pub(super) struct Digest(Xxh3);

impl Digest {
    /// Takes the hash of the next chunk.
    pub fn push(&mut self, chunk: u128) {
        self.0.update(&chunk.to_le_bytes());
    }

    /// The digest of all chunks so far.
    pub fn finish(&self) -> u128 {
        self.0.digest128()
    }
}

/// The hash of one chunk, whose entries may come in pieces.
#[derive(Default)]
pub(super) struct Chunk(Xxh3);

impl Chunk {
    /// Takes the next codes of a plane of depths.
    pub fn codes(&mut self, codes: Codes<'_>) {
        self.0.update(&match codes {
            Codes::Narrow(codes) => depths(codes),
            Codes::Wide(codes) => depths(codes),
        });
    }

    /// Takes the next values of a plane of values.
    pub fn values(&mut self, values: &[u8]) {
        self.0.update(values);
    }

    /// Takes the next entries, `start..end` of a block.
    pub fn block(&mut self, block: &Block, start: usize, end: usize) {
        match block {
            Block::Narrow(codes) => self.codes(Codes::Narrow(&codes[start..end])),
            Block::Wide(codes) => self.codes(Codes::Wide(&codes[start..end])),
            Block::Values(values) => self.values(&values[start..end]),
        }
    }

    /// The hash of what was taken.
    pub fn finish(&self) -> u128 {
        self.0.digest128()
    }
}

/// The depths of codes as bytes.
fn depths<C: Code>(codes: &[C]) -> Vec<u8> {
    let (half, last) = (C::DRAW.number(), C::LOST.number());
    // No branch and no table, so that the compiler can do many entries at a time.
    let depth = |code: C| {
        let code = code.number();
        let win = code.wrapping_mul(2).wrapping_sub(1);
        let loss = last.wrapping_sub(code).wrapping_mul(2);
        let decided = if code < half { win } else { loss };
        if code == half { DRAW } else { decided }
    };
    let mut bytes = vec![0; 2 * codes.len()];
    for (pair, code) in bytes.chunks_exact_mut(2).zip(codes) {
        pair.copy_from_slice(&depth(*code).to_le_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Outcome;
    use xxhash_rust::xxh3::xxh3_128;

    #[test]
    fn every_code_is_hashed_as_its_depth() {
        fn agree<C: Code>(codes: impl Iterator<Item = C>) {
            for code in codes {
                let depth = code.decode().unwrap().depth().unwrap_or(DRAW);
                assert_eq!(depths(&[code]), depth.to_le_bytes());
            }
        }
        agree(1..=u8::MAX);
        agree(1..=u16::MAX);
    }

    #[test]
    fn pieces_do_not_matter() {
        let outcomes = [Outcome::Decided(0), Outcome::Decided(203), Outcome::Draw];
        let narrow = outcomes.map(|outcome| u8::encode(outcome).unwrap());
        let wide = outcomes.map(|outcome| u16::encode(outcome).unwrap());
        let mut chunk = Chunk::default();
        chunk.codes(Codes::Narrow(&narrow[..1]));
        chunk.codes(Codes::Wide(&wide[1..]));
        assert_eq!(chunk.finish(), xxh3_128(&[0, 0, 203, 0, 0xFF, 0xFF]));
    }
}
