//! A shelf in memory, for tests and fuzzers: files can be changed behind the back of readers, and
//! every step of a writer can be made to fail.

use super::storage::{Bytes, Guard, LockError, Sink, Storage, slice};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};

/// Files in memory.
#[derive(Clone, Debug, Default)]
pub struct Memory(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    files: BTreeMap<String, Arc<Vec<u8>>>,
    locked: bool,
    /// Steps that changed something or tried to: writes, syncs, renames, removals.
    steps: u64,
    breakage: Option<(u64, Breakage)>,
}

/// What happens at a chosen step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breakage {
    /// That step fails for want of space, later ones do not.
    Once,
    /// That step and all later ones fail, as if the process had been stopped there.
    Stop,
}

impl Memory {
    /// No files.
    pub fn new() -> Memory {
        Memory::default()
    }

    /// The bytes of a file.
    pub fn get(&self, name: &str) -> Option<Vec<u8>> {
        self.state().files.get(name).map(|bytes| bytes.to_vec())
    }

    /// Puts a file there.
    pub fn put(&self, name: &str, bytes: Vec<u8>) {
        self.state().files.insert(name.to_owned(), Arc::new(bytes));
    }

    /// The names of all files.
    pub fn names(&self) -> Vec<String> {
        self.state().files.keys().cloned().collect()
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

fn absent<T>(found: Option<T>) -> io::Result<T> {
    found.ok_or_else(|| io::ErrorKind::NotFound.into())
}

impl Storage for Memory {
    fn describe(&self, name: Option<&str>) -> String {
        name.unwrap_or("memory").to_owned()
    }

    fn prepare(&self) -> io::Result<()> {
        self.step().map(|_| ())
    }

    fn list(&self) -> io::Result<Vec<(String, u64)>> {
        let state = self.state();
        Ok(state.files.iter().map(|(name, bytes)| (name.clone(), bytes.len() as u64)).collect())
    }

    fn open(&self, name: &str) -> io::Result<Box<dyn Bytes>> {
        Ok(Box::new(Held(absent(self.state().files.get(name).cloned())?)))
    }

    fn create(&self, name: &str) -> io::Result<Box<dyn Sink>> {
        self.step()?.files.insert(name.to_owned(), Arc::default());
        Ok(Box::new(Growing { memory: self.clone(), name: name.to_owned() }))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let mut state = self.step()?;
        let bytes = absent(state.files.remove(from))?;
        state.files.insert(to.to_owned(), bytes);
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        self.step().map(|_| ())
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        absent(self.step()?.files.remove(name)).map(|_| ())
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
    name: String,
}

impl Growing {
    fn change(&self, change: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
        let mut state = self.memory.step()?;
        change(Arc::make_mut(absent(state.files.get_mut(&self.name))?));
        Ok(())
    }
}

impl Sink for Growing {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.change(|file| file.extend_from_slice(bytes))
    }

    fn rewrite_start(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.change(|file| file[..bytes.len()].copy_from_slice(bytes))
    }

    fn sync(&mut self) -> io::Result<()> {
        self.change(|_| ())
    }
}
