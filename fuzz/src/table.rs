//! The bytes of a table file. First byte: bit 0 makes the checksums fit, bit 1 names the file that of
//! values; then comes the file.

use super::{chosen, is_one_line, rules_of, seal};
use merels::space::Subspace;
use merels::table::{BlockCache, ErrorKind, Memory, Metric, Shelf, State, Table, TableError};
use std::sync::{Arc, LazyLock};

/// The subspace whose file it is, of three men's morris.
pub const SUBSPACE: &str = "2-2+1-1";

static RULES: LazyLock<merels::rules::Rules> = LazyLock::new(|| rules_of("three"));

thread_local! {
    /// A shelf for each kind of table.
    static SHELVES: [(Memory, Shelf); 2] = std::array::from_fn(|_| {
        let memory = Memory::new();
        let shelf = Shelf::on(Arc::new(memory.clone()), &RULES);
        (memory, shelf)
    });
}

/// A table is refused with a reason, or all its entries are read, and each has a value that a table
/// of its kind can hold.
pub fn run(data: &[u8]) {
    let Some((choice, bytes)) = chosen(data) else { return };
    let mut bytes = bytes.to_vec();
    if choice & 1 != 0 {
        seal::table(&mut bytes);
    }
    let metric = if choice & 2 != 0 { Metric::Wdl } else { Metric::Dtw };
    let subspace: Subspace = SUBSPACE.parse().expect("a subspace");
    SHELVES.with(|shelves| {
        let (memory, shelf) = &shelves[metric as usize];
        memory.put(&Shelf::file_name(subspace, metric), bytes);
        match shelf.table(subspace, metric) {
            Ok(table) => read(shelf, &table),
            Err(error) => refused(&error),
        }
        let listing = shelf.list().expect("memory is listed");
        for listed in listing.tables {
            if let State::Unusable(error) = listed.state {
                refused(&error);
            }
        }
    });
}

fn refused(error: &TableError) {
    is_one_line(&error.to_string());
    assert_eq!(error.kind(), ErrorKind::Refused, "{error}");
}

fn read(shelf: &Shelf, table: &Table) {
    let entries = table.entries();
    let subspace = table.header().subspace;
    assert_eq!(entries, shelf.entries(subspace));
    let cache = BlockCache::new(1 << 16);
    let mut read = 0;
    let mut whole = true;
    for number in 0..table.blocks() {
        let block = match table.block(number) {
            Ok(block) => block,
            Err(error) => {
                refused(&error);
                whole = false;
                continue;
            }
        };
        let first = number as u64 * table.block_entries();
        assert_eq!(block.len() as u64, table.block_entries().min(entries - first));
        read += block.len() as u64;
        for place in 0..block.len() {
            let stored = block.stored(place);
            let told = table.outcome(&cache, first + place as u64).expect("the block was read");
            assert_eq!(stored, told);
            assert_eq!(stored.outcome.is_some(), table.header().metric == Metric::Dtw);
            assert!(stored.outcome.is_none_or(|outcome| outcome.value() == stored.value));
        }
    }
    let checked = table.check();
    if let Err(error) = &checked {
        refused(error);
    }
    assert!(checked.is_err() || (whole && read == entries), "a check passed over a damaged block");
}
