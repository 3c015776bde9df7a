//! Tests of the table floor, named after what they forbid or hold.

mod damage;
mod document;
mod failure;
mod forgery;
mod packed;
mod round_trip;
mod shelf;

use super::*;
use crate::rules::{Rules, variants};
use crate::space::Subspace;
use crate::value::Code;
use std::sync::Arc;

/// A row of pseudo-random numbers, the same each time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

fn rules(id: &str) -> Rules {
    variants::named(id).unwrap().rules.clone()
}

fn subspace(name: &str) -> Subspace {
    name.parse().unwrap()
}

/// A shelf in memory with blocks of `block_entries` entries.
fn shelf(id: &str, block_entries: u32) -> (Memory, Shelf) {
    let memory = Memory::new();
    let shelf = Shelf::on(Arc::new(memory.clone()), &rules(id));
    (memory, shelf.with(Settings { block_entries, ..Settings::default() }))
}

/// Codes that make every kind of block: a constant stretch, one of long runs, one of noise.
fn codes<C: Code>(entries: u64) -> Vec<C> {
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    let span = (entries / 3).max(1);
    let code = |entry: u64| {
        let number = match entry / span {
            0 => 7,
            1 => 1 + entry / 16 % 3 * 127,
            _ => 1 + numbers.below(255),
        };
        let depth = u8::from_number(number as u16).decode().unwrap();
        C::encode(depth).unwrap()
    };
    (0..entries).map(code).collect()
}

fn census() -> Census {
    Census {
        positions: Tally { wins: 100, draws: 20, losses: 3 },
        boards: Tally { wins: 800, draws: 160, losses: 17 },
        deepest_win: Some(253),
        deepest_loss: None,
    }
}

/// Every decoded entry of a table, or the first error.
fn decode_all(table: &Table) -> Result<Vec<Stored>, TableError> {
    let mut all = Vec::new();
    for number in 0..table.blocks() {
        let block = table.block(number)?;
        all.extend((0..block.len()).map(|place| block.stored(place)));
    }
    Ok(all)
}
