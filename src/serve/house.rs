//! The rule sets that are served, each with its shelf.
//!
//! A shelf is opened when somebody first asks for it. At most once a second, and only when somebody
//! asks, the names, lengths and times of its files are looked over. A table that is new needs
//! nothing: the prober finds it. Where one that was there has changed or gone, or has got depths
//! besides its values, the shelf is opened anew.

use super::Settings;
use crate::notation::Notation;
use crate::probe::Prober;
use crate::report;
use crate::rules::Rules;
use crate::space::Subspace;
use crate::table::{BlockCache, Metric, Shelf, TableError};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};
use tokio::sync::Semaphore;

/// How old the view of a shelf may be.
const FRESH: Duration = Duration::from_secs(1);

/// How a command line makes tables of a rule set; it is given the subspaces by name.
type Command = Box<dyn Fn(&str) -> String + Send + Sync>;

/// A rule set that is to be served.
pub struct Offer {
    /// What it is called; the word in the address.
    pub name: String,
    /// The parameters.
    pub rules: Rules,
    /// The command that makes tables of it.
    pub generate: Command,
}

impl fmt::Debug for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Offer").field("name", &self.name).finish_non_exhaustive()
    }
}

/// All that is served.
#[derive(Debug)]
pub struct House {
    rooms: Vec<Room>,
    /// One for each look-up that runs.
    pub(super) desks: Arc<Semaphore>,
}

/// One rule set.
#[derive(Debug)]
pub(super) struct Room {
    pub offer: Offer,
    pub notation: Notation,
    pub also_called: Vec<&'static str>,
    tables: PathBuf,
    cache: Arc<BlockCache>,
    view: Mutex<Option<View>>,
}

/// A shelf as it was when it was last looked over.
#[derive(Clone, Debug)]
struct View {
    looked: Instant,
    prober: Arc<Prober>,
    files: Arc<Files>,
}

type Stamp = (u64, Option<SystemTime>);

/// The tables that are there, with what tells one file from the next of the same name.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Files(BTreeMap<(Subspace, Metric), Stamp>);

impl House {
    /// A room for each of the offers.
    pub fn new(settings: &Settings, offers: Vec<Offer>) -> House {
        let cache = Arc::new(BlockCache::new(settings.cache_bytes));
        let room = |offer: Offer| Room {
            notation: Notation::new(&offer.rules),
            also_called: report::also_called(&offer.rules),
            tables: settings.tables.clone(),
            cache: cache.clone(),
            view: Mutex::default(),
            offer,
        };
        House {
            rooms: offers.into_iter().map(room).collect(),
            desks: Arc::new(Semaphore::new(settings.threads.max(1))),
        }
    }

    pub(super) fn rooms(&self) -> &[Room] {
        &self.rooms
    }

    pub(super) fn room(&self, name: &str) -> Option<&Room> {
        self.rooms.iter().find(|room| room.offer.name == name)
    }
}

impl Room {
    /// The subspaces, in the order in which they are solved.
    pub fn subspaces(&self) -> &[Subspace] {
        self.notation.subspaces()
    }

    /// Who answers, and which tables there are: not older than a second.
    pub fn look(&self) -> Result<(Arc<Prober>, Arc<Files>), TableError> {
        // A view is replaced as a whole, so that a thread that panicked has left a sound one.
        let mut view = self.view.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(View { looked, prober, files }) = &*view
            && looked.elapsed() < FRESH
        {
            return Ok((prober.clone(), files.clone()));
        }
        let looked = Instant::now();
        let shelf = Shelf::open(&self.tables, &self.offer.rules)?;
        let files = Arc::new(self.files(&shelf)?);
        let prober = match view.take() {
            Some(before) if files.only_more(&before.files) => before.prober,
            _ => Arc::new(Prober::sharing(shelf, self.cache.clone())),
        };
        *view = Some(View { looked, prober: prober.clone(), files: files.clone() });
        Ok((prober, files))
    }

    fn files(&self, shelf: &Shelf) -> Result<Files, TableError> {
        let directory = self.tables.join(Shelf::directory_name(&self.offer.rules));
        let stamp = |(subspace, metric)| {
            let found = fs::metadata(directory.join(Shelf::file_name(subspace, metric)));
            // One that goes in this moment is found out when it is asked for.
            let stamp = found.map_or((0, None), |file| (file.len(), file.modified().ok()));
            ((subspace, metric), stamp)
        };
        Ok(Files(shelf.present()?.into_iter().map(stamp).collect()))
    }
}

impl Files {
    /// Whether there is a table of this kind.
    pub fn holds(&self, subspace: Subspace, metric: Metric) -> bool {
        self.0.contains_key(&(subspace, metric))
    }

    /// Whether values of the subspace can be told: both kinds of tables tell them.
    pub fn tells(&self, subspace: Subspace) -> bool {
        Metric::ALL.into_iter().any(|metric| self.holds(subspace, metric))
    }

    /// The subspaces of which there is any table.
    pub fn subspaces(&self) -> BTreeSet<Subspace> {
        self.0.keys().map(|(subspace, _)| *subspace).collect()
    }

    /// Whether all tables of `before` are still the same and no subspace of those has got another.
    fn only_more(&self, before: &Files) -> bool {
        let same = before.0.iter().all(|(table, stamp)| self.0.get(table) == Some(stamp));
        let mut new = self.0.keys().filter(|table| !before.0.contains_key(table));
        same && new.all(|(subspace, _)| !before.tells(*subspace))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shelf_is_opened_anew_only_where_something_changed() {
        let files = |names: &[(&str, Metric, u64)]| {
            let file = |(name, metric, length): &(&str, Metric, u64)| {
                ((name.parse().unwrap(), *metric), (*length, None))
            };
            Files(names.iter().map(file).collect())
        };
        let (wdl, dtw) = (Metric::Wdl, Metric::Dtw);
        let before = files(&[("3-3", wdl, 5)]);
        assert!(before.only_more(&before));
        assert!(files(&[("3-3", wdl, 5), ("4-3", dtw, 7)]).only_more(&before));
        assert!(!files(&[("3-3", wdl, 6)]).only_more(&before));
        assert!(!files(&[("3-3", wdl, 5), ("3-3", dtw, 7)]).only_more(&before));
        assert!(!files(&[]).only_more(&before));
    }
}
