//! How quick a shelf is to ask: the time to open all of its tables, and the times of random
//! look-ups whose block is not decoded yet, one by one.
//!
//! A file may not be in memory at the first look-up in it, so each place is asked for twice, and the
//! second time counts.
//!
//! usage: cargo run --release --example lookups -- VARIANT TABLES [SUBSPACE...]
//!        (default: the ten largest subspaces)

use merels::rules::variants;
use merels::space::{Subspace, units};
use merels::table::{BlockCache, Metric, Shelf, Table, TableError};
use std::cmp::Reverse;
use std::path::Path;
use std::time::{Duration, Instant};

/// Look-ups timed in each table.
const LOOK_UPS: u64 = 400;

/// Places all over a table.
fn places(table: &Table) -> impl Iterator<Item = u64> {
    let entries = table.entries();
    (0..LOOK_UPS).map(move |n| {
        let mixed = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((u128::from(mixed) * u128::from(entries)) >> 64) as u64
    })
}

/// The times of look-ups that decode their block each time, the shortest first.
fn times(table: &Table) -> Result<Vec<Duration>, TableError> {
    let undecoded = BlockCache::new(0);
    let mut times = Vec::new();
    for entry in places(table) {
        table.outcome(&undecoded, entry)?;
        let begun = Instant::now();
        table.outcome(&undecoded, entry)?;
        times.push(begun.elapsed());
    }
    times.sort_unstable();
    Ok(times)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let usage = "usage: lookups VARIANT TABLES [SUBSPACE...]";
    let rules = &variants::named(&words.next().ok_or(usage)?).ok_or("no such variant")?.rules;
    let root = words.next().ok_or(usage)?;

    let begun = Instant::now();
    let shelf = Shelf::open(Path::new(&root), rules)?;
    let mut tables = Vec::new();
    for subspace in units(rules).iter().flat_map(|unit| unit.subspaces()) {
        for metric in [Metric::Wdl, Metric::Dtw] {
            tables.extend(shelf.table(subspace, metric).ok());
        }
    }
    println!("{} tables opened in {:.1} ms", tables.len(), begun.elapsed().as_secs_f64() * 1e3);

    let wanted = words.map(|word| word.parse()).collect::<Result<Vec<Subspace>, _>>()?;
    if wanted.is_empty() {
        tables.sort_by_key(|table| Reverse(table.entries()));
        tables.truncate(20);
    } else {
        tables.retain(|table| wanted.contains(&table.header().subspace));
    }
    for table in &tables {
        let times = times(table)?;
        println!(
            "{:12} {:?} {:>11} entries: undecoded, median {:?}, 99 in 100 within {:?}",
            table.header().subspace.to_string(),
            table.header().metric,
            table.entries(),
            times[times.len() / 2],
            times[times.len() * 99 / 100],
        );
    }
    Ok(())
}
