//! Packed tables, which `table` does not come to: its files are too small to be packed. First byte,
//! bits 0 and 1: 0 changes bytes of a whole file, 1 the same and makes the checksums fit, 2 changes
//! bytes of the parameters as they are when unpacked, 3 puts the rest of the input in place of the
//! last block. A change is four bytes, a place and what is put there. The bits above them choose
//! the strip that is read besides the last; all of them set: the whole table is read, which takes
//! long.

use super::table::Whole;
use super::{chosen, rules_of, seal};
use merels::space::Subspace;
use merels::table::{Memory, Metric, Shelf};
use std::sync::{Arc, LazyLock};
use xxhash_rust::xxh3::xxh3_64;

/// The rules and the subspace of the file: the smallest that holds several strips.
pub const GAME: (&str, &str) = ("nine", "3-3");
/// `cargo run --example seeds` made it.
const FILE: &[u8] = include_bytes!("../whole/packed.wdl");
/// Bytes of the parameters, unpacked: `docs/FORMAT.md`.
const PARAMETERS: usize = 72_756;

static RULES: LazyLock<merels::rules::Rules> = LazyLock::new(|| rules_of(GAME.0));
static WHOLE: LazyLock<Whole> = LazyLock::new(|| {
    let Room(memory, shelf) = Room::new();
    memory.put(&name(), FILE.to_vec());
    Whole::of(&shelf, subspace(), Metric::Wdl)
});

/// The file in its parts, the parameters unpacked.
#[derive(Clone)]
struct Parts {
    head: Vec<u8>,
    parameters: Vec<u8>,
    /// Each with its record in the index.
    blocks: Vec<(Vec<u8>, Vec<u8>)>,
    end: Vec<u8>,
}

static PARTS: LazyLock<Parts> = LazyLock::new(|| {
    let section = seal::HEADER + 4 + seal::frame_length(FILE);
    let parameters = zstd::bulk::decompress(&FILE[seal::HEADER + 4..section], PARAMETERS);
    let (end, index) = (FILE.len() - seal::END, seal::number(FILE, seal::INDEX_OFFSET) as usize);
    let block = |record: &[u8]| {
        let (from, length) = (seal::number(record, 0) as usize, seal::number(record, 8) as u32);
        (FILE[from..from + length as usize].to_vec(), record.to_vec())
    };
    Parts {
        head: FILE[..seal::HEADER].to_vec(),
        parameters: parameters.expect("a frame"),
        blocks: FILE[index..end].chunks(seal::PLACE).map(block).collect(),
        end: FILE[end..].to_vec(),
    }
});

struct Room(Memory, Shelf);

impl Room {
    fn new() -> Room {
        let memory = Memory::new();
        let shelf = Shelf::on(Arc::new(memory.clone()), &RULES);
        Room(memory, shelf)
    }
}

thread_local! {
    static ROOM: Room = Room::new();
}

fn subspace() -> Subspace {
    GAME.1.parse().expect("a subspace")
}

fn name() -> String {
    Shelf::file_name(subspace(), Metric::Wdl)
}

/// The same as of any table: it is refused with a reason, or its entries are read, and under the
/// digest of the whole table they are those of the whole table.
pub fn run(data: &[u8]) {
    let Some((choice, rest)) = chosen(data) else { return };
    let file = match choice & 3 {
        2 => {
            let mut parts = PARTS.clone();
            change(&mut parts.parameters, rest);
            parts.file()
        }
        3 => {
            let mut parts = PARTS.clone();
            parts.blocks.last_mut().expect("two blocks").0 = rest.to_vec();
            parts.file()
        }
        kind => {
            let mut file = FILE.to_vec();
            change(&mut file, rest);
            if kind == 1 {
                seal::parameters(&mut file);
                seal::table(&mut file);
            }
            file
        }
    };
    ROOM.with(|Room(memory, shelf)| {
        memory.put(&name(), file);
        match choice >> 2 {
            0x3F => WHOLE.hold(shelf),
            strip => WHOLE.hold_strips(shelf, usize::from(strip)),
        }
    });
}

fn change(bytes: &mut [u8], changes: &[u8]) {
    for change in changes.chunks_exact(4) {
        let place = u32::from_le_bytes([change[0], change[1], change[2], 0]) as usize;
        let length = bytes.len();
        bytes[place % length] = change[3];
    }
}

impl Parts {
    /// The parts as a file, with checksums that fit.
    fn file(&self) -> Vec<u8> {
        let frame = frame(&self.parameters);
        let mut file = self.head.clone();
        file.extend((frame.len() as u32).to_le_bytes());
        file.extend(frame);
        file.extend(xxh3_64(&file[seal::HEADER..]).to_le_bytes());
        let mut index = Vec::new();
        for (block, record) in &self.blocks {
            index.extend((file.len() as u64).to_le_bytes());
            index.extend((block.len() as u32).to_le_bytes());
            index.extend(&record[12..]);
            file.extend(block);
        }
        let offset = file.len() as u64;
        file.extend(index);
        file.extend(&self.end);
        file[seal::INDEX_OFFSET..][..8].copy_from_slice(&offset.to_le_bytes());
        seal::table(&mut file);
        file
    }
}

/// A zstd frame of one block that is not compressed.
fn frame(bytes: &[u8]) -> Vec<u8> {
    // One segment; the size of the content in four bytes.
    let mut frame = vec![0x28, 0xB5, 0x2F, 0xFD, 0xA0];
    frame.extend((bytes.len() as u32).to_le_bytes());
    // The last block, raw.
    let head = 1 | (bytes.len() as u32) << 3;
    frame.extend(&head.to_le_bytes()[..3]);
    frame.extend(bytes);
    frame
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_put_together_again_is_whole() {
        let Room(memory, shelf) = Room::new();
        memory.put(&name(), PARTS.file());
        let table = shelf.table(subspace(), Metric::Wdl).unwrap();
        assert!(table.is_packed());
        table.check().unwrap();
        WHOLE.hold(&shelf);
    }
}
