//! What codecs and block sizes make of real tables: bits an entry, for subspaces on a shelf of
//! `nine`. `docs/PERFORMANCE.md` has the table that it prints.
//!
//! usage: cargo run --release --example sizes -- TABLES SUBSPACE...

use merels::rules::variants;
use merels::space::Subspace;
use merels::table::{Block, Codes, Memory, Metric, Packing, Settings, Shelf, TableError};
use std::path::Path;
use std::sync::Arc;

/// Levels of zstd and entries of a block.
const WAYS: [(i32, u32); 7] =
    [(1, 65536), (3, 4096), (3, 16384), (3, 65536), (3, 1 << 20), (19, 65536), (19, 1 << 20)];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let tables = words.next().ok_or("usage: sizes TABLES SUBSPACE...")?;
    let rules = variants::named("nine").ok_or("nine ships")?.rules.clone();
    let shelf = Shelf::open(Path::new(&tables), &rules)?;
    println!(
        "| subspace | plane | {} | packed |",
        WAYS.map(|(l, b)| format!("{l}/{b}")).join(" | ")
    );
    for word in words {
        let subspace: Subspace = word.parse()?;
        let codes = codes(&shelf, subspace)?;
        let mut bits = [Vec::new(), Vec::new()];
        let mut packed = 0;
        for (level, block_entries) in WAYS {
            let memory = Memory::new();
            let other = Shelf::on(Arc::new(memory), &rules).with(Settings { level, block_entries });
            let census = shelf.find(subspace)?.header().census;
            let written = other.write(subspace, Codes::Narrow(&codes), &census)?;
            for (bits, (_, header)) in bits.iter_mut().zip(&written.files) {
                bits.push(header.file_length);
            }
            if packed == 0 {
                let done = other.pack(subspace, &other.lock()?, &|_| true)?;
                packed = match done.ok_or("nobody stopped it")? {
                    Packing::Packed { after, .. } => after,
                    Packing::Already(bytes) | Packing::Kept(bytes) => bytes,
                };
            }
        }
        let rate = |bytes: u64| format!("{:.3}", 8.0 * bytes as f64 / codes.len() as f64);
        for (metric, bytes) in Metric::ALL.into_iter().zip(bits) {
            let packed = if metric == Metric::Wdl { rate(packed) } else { String::new() };
            let rates: Vec<String> = bytes.into_iter().map(rate).collect();
            println!("| {subspace} | {metric} | {} | {packed} |", rates.join(" | "));
        }
    }
    Ok(())
}

/// All codes of a table of depths that has 8 bits.
fn codes(shelf: &Shelf, subspace: Subspace) -> Result<Vec<u8>, TableError> {
    let table = shelf.table(subspace, Metric::Dtw)?;
    let mut codes = Vec::new();
    for number in 0..table.blocks() {
        match table.block(number)? {
            Block::Narrow(block) => codes.extend(block),
            _ => panic!("nine has depths of 8 bits"),
        }
    }
    Ok(codes)
}
