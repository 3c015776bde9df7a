//! Makes the checksums of made-up files fit, so that what is behind them is reached. The places are
//! those of `docs/FORMAT.md`.

use xxhash_rust::xxh3::xxh3_64;

const BLOCKS: usize = 88;
pub const INDEX_OFFSET: usize = 168;
const INDEX_CHECKSUM: usize = 176;
const FILE_LENGTH: usize = 184;
pub const HEADER: usize = 256;
pub const PLACE: usize = 24;
pub const END: usize = 24;

/// Eight bytes as a number.
pub fn number(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

fn put(bytes: &mut [u8], at: usize, number: u64) {
    bytes[at..at + 8].copy_from_slice(&number.to_le_bytes());
}

/// A table: the checksums of its blocks, its index and its header, and the end mark.
pub fn table(bytes: &mut [u8]) {
    if bytes.len() < HEADER + END {
        return;
    }
    let length = bytes.len();
    put(bytes, FILE_LENGTH, length as u64);
    let index = usize::try_from(number(bytes, INDEX_OFFSET)).unwrap_or(usize::MAX);
    let places = usize::try_from(number(bytes, BLOCKS)).unwrap_or(usize::MAX);
    let end = places.checked_mul(PLACE).and_then(|size| index.checked_add(size));
    if let Some(end) = end.filter(|end| *end <= length) {
        for place in (index..end).step_by(PLACE) {
            let block = usize::try_from(number(bytes, place)).unwrap_or(usize::MAX);
            let size = number(bytes, place + 8) as u32 as usize;
            let sum = block.checked_add(size).and_then(|end| bytes.get(block..end)).map(xxh3_64);
            if let Some(sum) = sum {
                put(bytes, place + 16, sum);
            }
        }
        let sum = xxh3_64(&bytes[index..end]);
        put(bytes, INDEX_CHECKSUM, sum);
    }
    let sum = xxh3_64(&bytes[..HEADER - 8]);
    put(bytes, HEADER - 8, sum);
    put(bytes, length - 16, length as u64);
    put(bytes, length - 8, sum);
}

/// Bytes of the frame of parameters that a packed table says it has.
pub fn frame_length(bytes: &[u8]) -> usize {
    u32::from_le_bytes(bytes[HEADER..HEADER + 4].try_into().expect("four bytes")) as usize
}

/// The parameters of a packed table: the 8 bytes behind them.
pub fn parameters(bytes: &mut [u8]) {
    let end = HEADER + 4 + frame_length(bytes);
    if end + 8 <= bytes.len() {
        let sum = xxh3_64(&bytes[HEADER..end]);
        put(bytes, end, sum);
    }
}

/// An inventory: its last 8 bytes.
pub fn inventory(bytes: &mut [u8]) {
    if let Some(body) = bytes.len().checked_sub(8) {
        let sum = xxh3_64(&bytes[..body]);
        put(bytes, body, sum);
    }
}

/// A saved state: the checksums of its blocks, its index and its header of 112 bytes.
pub fn state(bytes: &mut [u8]) {
    const HEAD: usize = 112;
    // After magic, version, build, board, parameters and subspace, and the solver's own 8 bytes.
    let Some(at) = bytes.len().checked_sub(HEAD).map(|_| STATE_NUMBERS) else { return };
    let count = |at: usize, bytes: &[u8]| {
        u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")) as usize
    };
    let (streams, blocks) = (count(at, bytes), count(at + 4, bytes));
    let index = usize::try_from(number(bytes, at + 8)).unwrap_or(usize::MAX);
    let size = streams.checked_mul(9).and_then(|s| s.checked_add(blocks.checked_mul(21)?));
    let end = size.and_then(|size| index.checked_add(size)).filter(|end| *end <= bytes.len());
    if let Some(end) = end {
        for place in (index + streams * 9..end).step_by(21) {
            let block = usize::try_from(number(bytes, place)).unwrap_or(usize::MAX);
            let size = count(place + 8, bytes);
            let sum = block.checked_add(size).and_then(|end| bytes.get(block..end)).map(xxh3_64);
            if let Some(sum) = sum {
                put(bytes, place + 13, sum);
            }
        }
        let sum = xxh3_64(&bytes[index..end]);
        put(bytes, at + 16, sum);
    }
    let sum = xxh3_64(&bytes[..HEAD - 8]);
    put(bytes, HEAD - 8, sum);
}

/// Where the counts of a saved state stand.
const STATE_NUMBERS: usize = 62;
