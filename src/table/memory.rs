//! A shelf in memory, for tests and fuzzers: files can be changed behind the back of readers, every
//! step of a writer can be made to fail, and the power can be cut.
//!
//! For the power each file knows which of its bytes are safe, and the directory which of its names:
//! what was written since the last sync of that file, and what was created, renamed or removed
//! since the last sync of the directory, may be there or not when the power is back.

use super::storage::{Bytes, Guard, LockError, Sink, Storage, slice};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};

/// Files in memory.
#[derive(Clone, Debug, Default)]
pub struct Memory(Arc<Mutex<State>>);

/// The names of a directory, and which file each of them is.
type Names = BTreeMap<String, usize>;

#[derive(Debug, Default)]
struct State {
    files: Vec<File>,
    names: Names,
    /// The names that are safe.
    safe: Names,
    /// What has been done to the names since then.
    changes: Vec<Change>,
    locked: bool,
    /// Steps that changed something or tried to: writes, syncs, renames, removals.
    steps: u64,
    breakage: Option<(u64, Breakage)>,
}

#[derive(Debug, Default)]
struct File {
    bytes: Arc<Vec<u8>>,
    /// The bytes that are safe.
    safe: Arc<Vec<u8>>,
}

/// One step of a directory, which happens whole or not at all.
#[derive(Clone, Debug)]
enum Change {
    Create(String, usize),
    Rename(String, String, usize),
    Remove(String),
}

impl Change {
    fn apply(self, names: &mut Names) {
        match self {
            Change::Create(name, file) => drop(names.insert(name, file)),
            Change::Rename(from, to, file) => {
                // The old name may be another file's, where the steps between were lost.
                if names.get(&from) == Some(&file) {
                    names.remove(&from);
                }
                names.insert(to, file);
            }
            Change::Remove(name) => drop(names.remove(&name)),
        }
    }
}

/// What happens at a chosen step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breakage {
    /// That step fails for want of space, later ones do not.
    Once,
    /// That step and all later ones fail, as if the process had been stopped there.
    Stop,
}

/// What a file holds after the power was cut, of the bytes that had been written and not synced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsynced {
    /// None of them: it is as it was when it was synced, or empty.
    Lost,
    /// Its length, and zeros where they were to be: file systems write lengths before bytes.
    Zeros,
    /// All of them.
    Kept,
}

impl Memory {
    /// No files.
    pub fn new() -> Memory {
        Memory::default()
    }

    /// The bytes of a file.
    pub fn get(&self, name: &str) -> Option<Vec<u8>> {
        let state = self.state();
        state.names.get(name).map(|&file| state.files[file].bytes.to_vec())
    }

    /// Puts a file there, safely.
    pub fn put(&self, name: &str, bytes: Vec<u8>) {
        let mut state = self.state();
        let bytes = Arc::new(bytes);
        let new = File { bytes: bytes.clone(), safe: bytes };
        let file = match state.named(name) {
            Ok(file) => {
                state.files[file] = new;
                file
            }
            Err(_) => state.add(new),
        };
        state.names.insert(name.to_owned(), file);
        state.safe.insert(name.to_owned(), file);
    }

    /// The names of all files.
    pub fn names(&self) -> Vec<String> {
        self.state().names.keys().cloned().collect()
    }

    /// How many writes, syncs, renames and removals there were so far.
    pub fn steps(&self) -> u64 {
        self.state().steps
    }

    /// Lets the step after `steps` more ones fail; `None` mends everything.
    pub fn break_after(&self, steps: u64, breakage: Option<Breakage>) {
        let mut state = self.state();
        let at = state.steps + steps;
        state.breakage = breakage.map(|breakage| (at, breakage));
    }

    /// How many changes of names there were since the directory was last synced.
    pub fn unsynced_names(&self) -> usize {
        self.state().changes.len()
    }

    /// These files as they might be found after the power was cut now: of the changes of names that
    /// were not synced those are there whose number `kept` says yes to, in the order in which they
    /// were made.
    pub fn after_power_cut(&self, kept: impl Fn(usize) -> bool, unsynced: Unsynced) -> Memory {
        let state = self.state();
        let mut names = state.safe.clone();
        for (number, change) in state.changes.iter().enumerate() {
            if kept(number) {
                change.clone().apply(&mut names);
            }
        }
        let found = Memory::new();
        for (name, file) in names {
            found.put(&name, state.files[file].after_power_cut(unsynced));
        }
        found
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("no thread panics while it holds the files")
    }

    /// Counts a step, and refuses it if it is the one.
    fn step(&self) -> io::Result<MutexGuard<'_, State>> {
        let mut state = self.state();
        let now = state.steps;
        state.steps += 1;
        match state.breakage {
            Some((at, Breakage::Once)) if now == at => Err(io::ErrorKind::StorageFull.into()),
            Some((at, Breakage::Stop)) if now >= at => Err(io::ErrorKind::BrokenPipe.into()),
            _ => Ok(state),
        }
    }
}

impl File {
    fn after_power_cut(&self, unsynced: Unsynced) -> Vec<u8> {
        match unsynced {
            Unsynced::Lost => self.safe.to_vec(),
            Unsynced::Kept => self.bytes.to_vec(),
            Unsynced::Zeros => {
                let mut bytes = self.safe.to_vec();
                bytes.resize(self.bytes.len(), 0);
                bytes
            }
        }
    }
}

impl State {
    fn add(&mut self, file: File) -> usize {
        self.files.push(file);
        self.files.len() - 1
    }

    fn named(&self, name: &str) -> io::Result<usize> {
        self.names.get(name).copied().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn change(&mut self, change: Change) {
        change.clone().apply(&mut self.names);
        self.changes.push(change);
    }
}

impl Storage for Memory {
    fn describe(&self, name: Option<&str>) -> String {
        name.unwrap_or("memory").to_owned()
    }

    fn list(&self) -> io::Result<Vec<(String, u64)>> {
        let state = self.state();
        let length = |file: usize| state.files[file].bytes.len() as u64;
        Ok(state.names.iter().map(|(name, &file)| (name.clone(), length(file))).collect())
    }

    fn open(&self, name: &str) -> io::Result<Box<dyn Bytes>> {
        let state = self.state();
        let file = state.named(name)?;
        Ok(Box::new(Held(state.files[file].bytes.clone())))
    }

    fn create(&self, name: &str) -> io::Result<Box<dyn Sink>> {
        let mut state = self.step()?;
        let file = match state.named(name) {
            // Emptied, as a file system does it; what was safe of it may go at any time.
            Ok(file) => {
                state.files[file] = File::default();
                file
            }
            Err(_) => {
                let file = state.add(File::default());
                state.change(Change::Create(name.to_owned(), file));
                file
            }
        };
        Ok(Box::new(Growing { memory: self.clone(), file }))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let mut state = self.step()?;
        let file = state.named(from)?;
        state.change(Change::Rename(from.to_owned(), to.to_owned(), file));
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        let mut state = self.step()?;
        state.safe = state.names.clone();
        state.changes.clear();
        Ok(())
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        let mut state = self.step()?;
        state.named(name)?;
        state.change(Change::Remove(name.to_owned()));
        Ok(())
    }

    fn lock(&self, _: &str) -> Result<Box<dyn Guard>, LockError> {
        let mut state = self.state();
        if state.locked {
            return Err(LockError::Held("another thread".to_owned()));
        }
        state.locked = true;
        Ok(Box::new(Locked(self.clone())))
    }
}

struct Locked(Memory);

impl Guard for Locked {}

impl Drop for Locked {
    fn drop(&mut self) {
        self.0.state().locked = false;
    }
}

/// A file as it was when it was opened.
struct Held(Arc<Vec<u8>>);

impl Bytes for Held {
    fn length(&self) -> u64 {
        self.0.len() as u64
    }

    fn read(&self, offset: u64, length: usize) -> io::Result<Cow<'_, [u8]>> {
        slice(&self.0, offset, length).map(Cow::Borrowed)
    }
}

struct Growing {
    memory: Memory,
    file: usize,
}

impl Growing {
    fn change(&self, change: impl FnOnce(&mut File)) -> io::Result<()> {
        change(&mut self.memory.step()?.files[self.file]);
        Ok(())
    }
}

impl Sink for Growing {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.change(|file| Arc::make_mut(&mut file.bytes).extend_from_slice(bytes))
    }

    fn rewrite_start(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.change(|file| Arc::make_mut(&mut file.bytes)[..bytes.len()].copy_from_slice(bytes))
    }

    fn sync(&mut self) -> io::Result<()> {
        self.change(|file| file.safe = file.bytes.clone())
    }
}
