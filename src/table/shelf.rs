//! The tables of one rule set under a table directory.
//!
//! A shelf is a directory whose name says the rules for people; what counts are the rules in the
//! files. A file that is not what its name says is refused, whatever else is asked.

use super::count::Counter;
use super::format::{CODEC, MAX_BLOCK_ENTRIES};
use super::header::Expected;
use super::inventory::{INVENTORY, Inventory, MOST_INVENTORY};
use super::listing::{Listed, Listing, State};
use super::names::{is_partial, parse, solving_order};
use super::packed::Shared;
use super::scratch::SCRATCH;
use super::storage::{Guard, LockError};
use super::writer::{self, Plane};
use super::{Census, Codes, Directory, Header, Metric, Settings, Storage, Table, TableError};
use crate::rules::{Rules, variants};
use crate::space::{SCHEME, Space, Subspace};
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// The file that a generating process holds.
const LOCK: &str = "lock";

/// The tables of one rule set.
#[derive(Debug)]
pub struct Shelf {
    pub(super) storage: Arc<dyn Storage>,
    rules: Rules,
    counter: Counter,
    settings: Settings,
    /// What the predictors of packed tables share.
    pub(super) shared: Arc<Shared>,
    /// One at a time may change the inventory.
    inventory: Mutex<()>,
}

/// A solved subspace, to be written.
#[derive(Clone, Copy, Debug)]
pub struct Solved<'a> {
    /// The subspace.
    pub subspace: Subspace,
    /// The code of each entry.
    pub codes: Codes<'a>,
    /// What was counted.
    pub census: &'a Census,
}

/// What was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The files, each with what its header says.
    pub files: Vec<(String, Header)>,
}

impl Written {
    /// Bytes of all files.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|(_, header)| header.file_length).sum()
    }
}

/// Keeps other processes from writing to the shelf until it is dropped.
pub struct ShelfLock(#[expect(dead_code, reason = "held for its drop")] Box<dyn Guard>);

impl fmt::Debug for ShelfLock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ShelfLock")
    }
}

impl Shelf {
    /// The shelf of `rules` under the table directory `root`. Makes nothing: a directory that is
    /// not there is an empty shelf.
    pub fn open(root: &Path, rules: &Rules) -> Result<Shelf, TableError> {
        let path = root.join(Shelf::directory_name(rules));
        for place in [root, &path] {
            match std::fs::metadata(place) {
                Ok(found) if found.is_dir() => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                found => {
                    let error = found.err().unwrap_or(io::ErrorKind::NotADirectory.into());
                    return Err(TableError::io(place.display().to_string(), "open", error));
                }
            }
        }
        Ok(Shelf::on(Arc::new(Directory::new(path)), rules))
    }

    /// The shelf of `rules` on any storage.
    pub fn on(storage: Arc<dyn Storage>, rules: &Rules) -> Shelf {
        Shelf {
            storage,
            rules: rules.clone(),
            counter: Counter::new(rules),
            settings: Settings::default(),
            shared: Arc::new(Shared::new(rules)),
            inventory: Mutex::new(()),
        }
    }

    /// The same shelf, writing with other settings.
    ///
    /// # Panics
    ///
    /// If blocks are to have no entries or more than [`MAX_BLOCK_ENTRIES`].
    pub fn with(self, settings: Settings) -> Shelf {
        assert!((1..=MAX_BLOCK_ENTRIES).contains(&settings.block_entries));
        Shelf { settings, ..self }
    }

    /// The directory of a rule set: the id of the shipped variant with these parameters, else
    /// `rules-` and the first 16 hexadecimal digits of the fingerprint.
    pub fn directory_name(rules: &Rules) -> String {
        match variants::of(rules) {
            Some(variant) => variant.id.to_owned(),
            None => format!("rules-{:016x}", rules.fingerprint() >> 64),
        }
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The index tables of the rules, so that those who look up and packed tables have the same.
    pub fn space(&self) -> &Arc<Space> {
        self.shared.space()
    }

    pub(super) fn storage(&self) -> &dyn Storage {
        &*self.storage
    }

    /// Where it is, as messages name it.
    pub fn place(&self) -> String {
        self.storage.describe(None)
    }

    /// The name of the file of a table.
    pub fn file_name(subspace: Subspace, metric: Metric) -> String {
        format!("{subspace}.{metric}")
    }

    /// How many entries a subspace has; quick, builds no index.
    pub fn entries(&self, subspace: Subspace) -> u64 {
        self.counter.entries(subspace)
    }

    /// Opens a table. Reads and checks its header and end mark, nothing else: blocks are checked
    /// when they are decoded, everything at once by [`Table::check`].
    pub fn table(&self, subspace: Subspace, metric: Metric) -> Result<Table, TableError> {
        let name = Shelf::file_name(subspace, metric);
        let file = self.storage.describe(Some(&name));
        let bytes = match self.storage.open(&name) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(self.missing(subspace, Some(metric)));
            }
            Err(error) => return Err(TableError::io(file, "open", error)),
        };
        let entries = self.counter.entries(subspace);
        let rules = &self.rules;
        let expected = Expected { file: &file, rules, subspace, metric, entries };
        Table::open(bytes, &expected, self.shared.clone())
    }

    /// Opens the table of depths if it is there, else that of values.
    pub fn find(&self, subspace: Subspace) -> Result<Table, TableError> {
        for metric in [Metric::Dtw, Metric::Wdl] {
            match self.table(subspace, metric) {
                Err(TableError::Missing { .. }) => {}
                found => return found,
            }
        }
        Err(self.missing(subspace, None))
    }

    /// Whether all planes of a subspace are there and whole, as far as headers tell. One that is
    /// there and cannot be used is an error.
    pub fn is_finished(&self, subspace: Subspace) -> Result<bool, TableError> {
        for metric in Metric::ALL {
            match self.table(subspace, metric) {
                Err(TableError::Missing { .. }) => return Ok(false),
                found => found?,
            };
        }
        Ok(true)
    }

    fn missing(&self, subspace: Subspace, metric: Option<Metric>) -> TableError {
        TableError::Missing { subspace, metric, place: self.place() }
    }

    /// The tables that are there by name, in the order in which they are solved; none is opened.
    pub fn present(&self) -> Result<Vec<(Subspace, Metric)>, TableError> {
        let mut present: Vec<_> = self.files()?.iter().filter_map(|name| parse(name)).collect();
        present.sort_by_key(solving_order);
        Ok(present)
    }

    fn files(&self) -> Result<Vec<String>, TableError> {
        let files = self.storage.list();
        let files = files.map_err(|error| TableError::io(self.place(), "list", error))?;
        Ok(files.into_iter().map(|(name, _)| name).collect())
    }

    /// Every table on the shelf with its state, and what the inventory says is missing.
    pub fn list(&self) -> Result<Listing, TableError> {
        let mut listing = Listing::default();
        let (inventory, note) = self.read_inventory()?;
        listing.notes.extend(note);
        let files = self.files()?;
        for name in files.iter().filter(|name| is_partial(name)) {
            let file = self.storage.describe(Some(name));
            listing.notes.push(format!("{file} was left by a run that was stopped"));
        }
        for name in files.iter().filter(|name| name.ends_with(SCRATCH)) {
            let file = self.storage.describe(Some(name));
            listing
                .notes
                .push(format!("{file} is a unit in progress; the next run goes on from it"));
        }
        let mut keys: Vec<_> = files.iter().filter_map(|name| parse(name)).collect();
        keys.extend(inventory.0.keys());
        keys.sort_by_key(solving_order);
        keys.dedup();
        for (subspace, metric) in keys {
            let state = match (self.table(subspace, metric), inventory.0.get(&(subspace, metric))) {
                (Ok(table), _) => State::Whole(table.header().clone()),
                (Err(TableError::Missing { .. }), Some(record)) => State::Missing(*record),
                (Err(TableError::Missing { .. }), None) => continue,
                (Err(error), _) => State::Unusable(error),
            };
            listing.tables.push(Listed { subspace, metric, state });
        }
        Ok(listing)
    }

    /// Keeps other processes from generating into the directory, which is made if need be. Readers
    /// are not kept away.
    pub fn lock(&self) -> Result<ShelfLock, TableError> {
        match self.storage.lock(LOCK) {
            Ok(guard) => Ok(ShelfLock(guard)),
            Err(LockError::Held(holder)) => Err(TableError::Locked { place: self.place(), holder }),
            Err(LockError::Io(error)) => {
                Err(TableError::io(self.storage.describe(Some(LOCK)), "lock", error))
            }
        }
    }

    /// Sets right what a run that was stopped has left: removes files under temporary names and
    /// states of units that are finished, whose names it tells, and records finished tables that
    /// the inventory does not know yet. Asks for the lock, since another process may be writing.
    pub fn tidy(&self, _: &ShelfLock) -> Result<Vec<String>, TableError> {
        let mut files = self.files()?;
        files.retain(|name| is_partial(name) || self.is_spent(name));
        for name in &files {
            self.storage.remove(name).map_err(|error| {
                TableError::io(self.storage.describe(Some(name)), "remove", error)
            })?;
        }
        let _turn = self.inventory.lock().expect("no thread panics while it has its turn");
        let (recorded, inventory) = self.inventories()?;
        if inventory != recorded {
            writer::replace(&*self.storage, INVENTORY, &inventory.encode(&self.rules))?;
        }
        Ok(files)
    }

    /// Writes both planes of a subspace; see [`write_all`](Self::write_all).
    pub fn write(
        &self,
        subspace: Subspace,
        codes: Codes<'_>,
        census: &Census,
    ) -> Result<Written, TableError> {
        self.write_all(&[Solved { subspace, codes, census }])
    }

    /// Writes both planes of subspaces that were solved together. All files are safe under
    /// temporary names before the first gets its final one; then the inventory is brought up to
    /// date. The directory must be there: [`lock`](Self::lock) makes it, and one that goes while a run
    /// writes to it is not made anew. After an error, tables that were there are there still, and each new one is whole or
    /// absent. Uses the threads of the current pool.
    pub fn write_all(&self, solved: &[Solved<'_>]) -> Result<Written, TableError> {
        let storage = &*self.storage;
        let mut planes = Vec::new();
        for solved in solved {
            let [wdl, dtw] = self.headers(solved)?;
            let mut two = vec![Plane::create(storage, wdl)?, Plane::create(storage, dtw)?];
            // As one task of the pool: where it is busy, each batch would have to wait its turn.
            rayon::scope(|_| writer::write_blocks(&mut two, solved.codes, self.settings))?;
            two.iter_mut().try_for_each(Plane::finish)?;
            planes.extend(two);
        }
        planes.iter_mut().try_for_each(Plane::publish)?;
        storage.sync().map_err(|error| TableError::io(self.place(), "save", error))?;
        let files = planes.iter().map(|plane| (plane.name().to_owned(), plane.header().clone()));
        let written = Written { files: files.collect() };
        self.record(&written)?;
        Ok(written)
    }

    /// The headers of the planes of values and of depths, but for offsets and lengths.
    fn headers(&self, solved: &Solved<'_>) -> Result<[Header; 2], TableError> {
        let Solved { subspace, codes, census } = *solved;
        let (expected, found) = (self.entries(subspace), codes.len() as u64);
        if expected != found {
            return Err(TableError::Length { subspace, expected, found });
        }
        let digests = writer::digests(codes);
        let digests = digests.map_err(|entry| TableError::Unsolved { subspace, entry })?;
        let header = |metric, width, digest| Header {
            subspace,
            metric,
            width,
            codec: CODEC,
            scheme: SCHEME,
            entries: found,
            block_entries: self.settings.block_entries,
            blocks: found.div_ceil(u64::from(self.settings.block_entries)),
            census: *census,
            digest,
            index_offset: 0,
            index_checksum: 0,
            file_length: 0,
            board_fingerprint: self.rules.board.fingerprint(),
            parameters: self.rules.parameter_bytes(),
            board_name: self.rules.board.name().to_owned(),
        };
        Ok([header(Metric::Wdl, 8, digests.wdl), header(Metric::Dtw, codes.width(), digests.dtw)])
    }

    pub(super) fn record(&self, written: &Written) -> Result<(), TableError> {
        let _turn = self.inventory.lock().expect("no thread panics while it has its turn");
        let (mut inventory, _) = self.read_inventory()?;
        for (_, header) in &written.files {
            inventory.0.insert((header.subspace, header.metric), header.into());
        }
        writer::replace(&*self.storage, INVENTORY, &inventory.encode(&self.rules))
    }

    /// The inventory, or one made from the headers of the files, with a note if that was not to be
    /// expected.
    fn read_inventory(&self) -> Result<(Inventory, Option<String>), TableError> {
        let file = self.storage.describe(Some(INVENTORY));
        let read = |bytes: Box<dyn super::Bytes>| -> Result<Inventory, TableError> {
            if bytes.length() > MOST_INVENTORY {
                let what = format!("it has more than {MOST_INVENTORY} bytes");
                return Err(TableError::damaged(&file, what));
            }
            let bytes = bytes.read(0, bytes.length() as usize);
            let bytes = bytes.map_err(|error| TableError::io(&file, "read", error))?;
            Inventory::decode(&bytes, &self.rules, &file)
        };
        let note = match self.storage.open(INVENTORY).map(read) {
            Ok(Ok(inventory)) => return Ok((inventory, None)),
            Ok(Err(error)) => Some(error.to_string()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => Some(TableError::io(&file, "open", error).to_string()),
        };
        let told = "; the list of finished tables is taken from the files instead";
        Ok((self.rebuild_inventory()?, note.map(|what| what + told)))
    }

    /// Whether the inventory lacks a table that is there.
    pub(super) fn is_unrecorded(&self) -> bool {
        self.inventories().is_ok_and(|(recorded, inventory)| inventory != recorded)
    }

    /// The inventory as it is, and as it should be.
    fn inventories(&self) -> Result<(Inventory, Inventory), TableError> {
        let (recorded, _) = self.read_inventory()?;
        let mut inventory = recorded.clone();
        inventory.0.extend(self.rebuild_inventory()?.0);
        Ok((recorded, inventory))
    }

    fn rebuild_inventory(&self) -> Result<Inventory, TableError> {
        let mut inventory = Inventory::default();
        for (subspace, metric) in self.present()? {
            if let Ok(table) = self.table(subspace, metric) {
                inventory.0.insert((subspace, metric), table.header().into());
            }
        }
        Ok(inventory)
    }
}
