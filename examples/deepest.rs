//! The deepest win of each subspace named, as a position to be asked for.
//!
//! usage: cargo run --release --example deepest -- VARIANT TABLES SUBSPACE...

use merels::notation::Notation;
use merels::rules::{Side, variants};
use merels::table::{Block, Metric, Shelf};
use merels::value::{Code, Outcome};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let usage = "usage: deepest VARIANT TABLES SUBSPACE...";
    let rules = &variants::named(&words.next().ok_or(usage)?).ok_or("no such variant")?.rules;
    let shelf = Shelf::open(Path::new(&words.next().ok_or(usage)?), rules)?;
    for word in words {
        let table = shelf.table(word.parse()?, Metric::Dtw)?;
        let Some(depth) = table.header().census.deepest_win else {
            println!("{word}: no win");
            continue;
        };
        let code = u8::encode(Outcome::Decided(depth)).ok_or("depths of 16 bits")?;
        for number in 0..table.blocks() {
            let Block::Narrow(codes) = table.block(number)? else { break };
            if let Some(place) = codes.iter().position(|found| *found == code) {
                let entry = number as u64 * table.block_entries() + place as u64;
                let position = shelf.space().index(table.header().subspace).arrangement(entry);
                let text = Notation::new(rules).short(&position, Side::White);
                println!("{word}: {depth} plies: {text}");
                break;
            }
        }
    }
    Ok(())
}
