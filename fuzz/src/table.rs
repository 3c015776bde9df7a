//! The bytes of a table file. First byte: bit 0 makes the checksums fit, bit 1 names the file that of
//! values; then comes the file.

use super::{chosen, is_one_line, rules_of, seal};
use merels::space::Subspace;
use merels::table::{
    Block, BlockCache, ErrorKind, Header, Memory, Metric, Shelf, State, Stored, Table, TableError,
};
use std::sync::{Arc, LazyLock};

/// The subspace whose file it is, of three men's morris.
pub const SUBSPACE: &str = "2-2+1-1";

static RULES: LazyLock<merels::rules::Rules> = LazyLock::new(|| rules_of("three"));

/// The shipped tables, of depths and of values.
static WHOLE: LazyLock<[Whole; 2]> = LazyLock::new(|| {
    let shelf = Shelf::open(&super::tables(), &RULES).expect("the shipped tables");
    Metric::ALL.map(|metric| Whole::of(&shelf, subspace(), metric))
});

thread_local! {
    /// A shelf for each kind of table.
    static SHELVES: [(Memory, Shelf); 2] = std::array::from_fn(|_| {
        let memory = Memory::new();
        let shelf = Shelf::on(Arc::new(memory.clone()), &RULES);
        (memory, shelf)
    });
}

fn subspace() -> Subspace {
    SUBSPACE.parse().expect("a subspace")
}

/// A table is refused with a reason, or all its entries are read, and each has a value that a table
/// of its kind can hold: that of the whole table, where the checksums are those of the whole table.
pub fn run(data: &[u8]) {
    let Some((choice, bytes)) = chosen(data) else { return };
    let mut bytes = bytes.to_vec();
    if choice & 1 != 0 {
        seal::table(&mut bytes);
    }
    let metric = if choice & 2 != 0 { Metric::Wdl } else { Metric::Dtw };
    SHELVES.with(|shelves| {
        let (memory, shelf) = &shelves[metric as usize];
        memory.put(&Shelf::file_name(subspace(), metric), bytes);
        WHOLE[metric as usize].hold(shelf);
        let listing = shelf.list().expect("memory is listed");
        for listed in listing.tables {
            if let State::Unusable(error) = listed.state {
                refused(&error);
            }
        }
    });
}

/// What a table is when nothing has been done to it.
pub struct Whole {
    subspace: Subspace,
    header: Header,
    values: Vec<Stored>,
}

impl Whole {
    /// The table of a shelf that nothing has been done to.
    pub fn of(shelf: &Shelf, subspace: Subspace, metric: Metric) -> Whole {
        let table = shelf.table(subspace, metric).expect("a whole table");
        table.check().expect("a whole table");
        let block = |number| table.block(number).expect("a whole table");
        let values = (0..table.blocks()).map(block).flat_map(|block| stored(&block));
        Whole { subspace, header: table.header().clone(), values: values.collect() }
    }

    /// Whatever has been done to the table of a shelf, it is refused with a reason or read.
    pub fn hold(&self, shelf: &Shelf) {
        match shelf.table(self.subspace, self.header.metric) {
            Ok(table) => self.read(shelf, &table),
            Err(error) => refused(&error),
        }
    }

    /// The same, of one strip of a packed table and of the last: reading all of them takes long.
    pub fn hold_strips(&self, shelf: &Shelf, strip: usize) {
        let table = match shelf.table(self.subspace, self.header.metric) {
            Ok(table) => table,
            Err(error) => return refused(&error),
        };
        let last = table.blocks() - 1;
        for number in [strip % table.blocks(), last] {
            match table.block(number) {
                Ok(block) => {
                    let first = number as u64 * table.block_entries();
                    let there = table.block_entries().min(table.entries() - first);
                    assert_eq!(stored(&block).len() as u64, there);
                }
                Err(error) => refused(&error),
            }
        }
    }

    fn read(&self, shelf: &Shelf, table: &Table) {
        let entries = table.entries();
        assert_eq!(entries, shelf.entries(self.subspace));
        assert_eq!(
            (table.header().subspace, table.header().metric),
            (self.subspace, self.header.metric)
        );
        // The parameters of a packed table are vouched for by its digest alone.
        let same = *table.header() == self.header && !table.is_packed();
        let cache = BlockCache::new(1 << 16);
        let mut read = Vec::new();
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
            let stored = stored(&block);
            assert!(!same || stored == self.values[first as usize..][..stored.len()], "{number}");
            for (entry, stored) in (first..).zip(&stored) {
                assert_eq!(stored.outcome.is_some(), table.header().metric == Metric::Dtw);
                assert!(stored.outcome.is_none_or(|outcome| outcome.value() == stored.value));
                if entry == first {
                    let told = table.outcome(&cache, entry).expect("the block was read");
                    assert_eq!(*stored, told);
                }
            }
            read.extend(stored);
        }
        let checked = table.check();
        if let Err(error) = &checked {
            refused(error);
        }
        let passed = checked.is_ok();
        assert!(!passed || whole, "a check passed over a damaged block");
        let vouched = passed && table.header().digest == self.header.digest;
        assert!(!vouched || read == self.values, "other values under the same digest");
    }
}

fn stored(block: &Block) -> Vec<Stored> {
    (0..block.len()).map(|place| block.stored(place)).collect()
}

fn refused(error: &TableError) {
    is_one_line(&error.to_string());
    assert_eq!(error.kind(), ErrorKind::Refused, "{error}");
}
