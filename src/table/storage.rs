//! The seam to the world: where the files of one rule set lie.
//!
//! Readers and writers know names, bytes and this trait. [`Directory`] is the file system, with
//! files mapped into memory; [`Memory`](super::Memory) stands in for it in tests and fuzzers, and
//! can be made to fail at any step.

use super::mapped::Mapped;
use std::borrow::Cow;
use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The bytes of one file, for many threads.
pub trait Bytes: Send + Sync {
    /// How many bytes there are.
    fn length(&self) -> u64;

    /// The bytes from `offset` on, `length` of them; an error where there are fewer.
    fn read(&self, offset: u64, length: usize) -> io::Result<Cow<'_, [u8]>>;
}

/// A file that is being written.
pub trait Sink: Send {
    /// Adds bytes at the end.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Replaces bytes at the start.
    fn rewrite_start(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Returns when the bytes are safe.
    fn sync(&mut self) -> io::Result<()>;
}

/// Holds a lock until it is dropped.
pub trait Guard: Send {}

/// Why a lock cannot be had.
#[derive(Debug)]
pub enum LockError {
    /// Another holds it; who, as far as it is known.
    Held(String),
    /// The file system refused.
    Io(io::Error),
}

impl From<io::Error> for LockError {
    fn from(error: io::Error) -> LockError {
        LockError::Io(error)
    }
}

/// The files of one rule set, by name.
pub trait Storage: Send + Sync + fmt::Debug {
    /// What a message calls this place, or a file in it.
    fn describe(&self, name: Option<&str>) -> String;

    /// All files with their lengths, in any order; none where the place is not there.
    fn list(&self) -> io::Result<Vec<(String, u64)>>;

    /// The bytes of a file.
    fn open(&self, name: &str) -> io::Result<Box<dyn Bytes>>;

    /// A new file, or an empty one in place of an old one.
    fn create(&self, name: &str) -> io::Result<Box<dyn Sink>>;

    /// Gives a file another name, in place of a file that has it.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;

    /// Returns when the names are safe.
    fn sync(&self) -> io::Result<()>;

    /// Removes a file.
    fn remove(&self, name: &str) -> io::Result<()>;

    /// Takes the lock of that name for this process, and makes the place if it is not there.
    fn lock(&self, name: &str) -> Result<Box<dyn Guard>, LockError>;
}

/// A directory of the file system.
#[derive(Clone, Debug)]
pub struct Directory(PathBuf);

impl Directory {
    /// The directory at `path`, which need not be there.
    pub fn new(path: impl Into<PathBuf>) -> Directory {
        Directory(path.into())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Makes the directory, if it is not there.
    fn prepare(&self) -> io::Result<()> {
        let new: Vec<&Path> = self.0.ancestors().take_while(|path| !path.exists()).collect();
        fs::create_dir_all(&self.0)?;
        // A directory is safe once the one that holds its name is.
        let mut holders = new.iter().filter_map(|path| path.parent());
        holders.try_for_each(sync_names)
    }
}

impl Storage for Directory {
    fn describe(&self, name: Option<&str>) -> String {
        match name {
            Some(name) => self.0.join(name).display().to_string(),
            None => self.0.display().to_string(),
        }
    }

    fn list(&self) -> io::Result<Vec<(String, u64)>> {
        let entries = match fs::read_dir(&self.0) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut files = Vec::new();
        for entry in entries {
            let entry = entry?;
            // A file that goes while it is looked at, or a name that is no text, is none of ours.
            if let (Ok(name), Ok(file)) =
                (entry.file_name().into_string(), fs::metadata(entry.path()))
                && file.is_file()
            {
                files.push((name, file.len()));
            }
        }
        Ok(files)
    }

    fn open(&self, name: &str) -> io::Result<Box<dyn Bytes>> {
        Ok(Box::new(Mapped::open(self.0.join(name))?))
    }

    fn create(&self, name: &str) -> io::Result<Box<dyn Sink>> {
        Ok(Box::new(Written(File::create(self.0.join(name))?)))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.0.join(from), self.0.join(to))
    }

    fn sync(&self) -> io::Result<()> {
        sync_names(&self.0)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        fs::remove_file(self.0.join(name))
    }

    fn lock(&self, name: &str) -> Result<Box<dyn Guard>, LockError> {
        self.prepare()?;
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(self.0.join(name))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::Error(error)) => return Err(error.into()),
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                let told = file.take(SIGN).read_to_string(&mut holder).is_ok();
                let holder = holder.trim();
                let unnamed = !told || holder.is_empty();
                let holder = if unnamed { "another process" } else { holder };
                return Err(LockError::Held(holder.to_owned()));
            }
        }
        let mut left = String::new();
        let told = (&file).take(SIGN + 1).read_to_string(&mut left);
        if told.is_err() || !is_sign(&left) {
            // Somebody else's file, perhaps behind a link: it is not ours to empty.
            let what = "what stands there is not a lock of this program";
            return Err(io::Error::new(io::ErrorKind::InvalidData, what).into());
        }
        let sign = format!("process {}\n", std::process::id());
        file.set_len(0)?;
        file.rewind()?;
        file.write_all(sign.as_bytes())?;
        Ok(Box::new(LockFile(file)))
    }
}

/// The most bytes of what the holder of a lock writes into it.
const SIGN: u64 = 64;

/// Whether this is what the holder of a lock writes, or what one leaves who was killed meanwhile.
fn is_sign(text: &str) -> bool {
    let number = text.trim_end_matches('\n').strip_prefix("process ");
    let numbered = number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
    numbered || "process ".starts_with(text)
}

/// Returns when the names in a directory are safe.
fn sync_names(directory: &Path) -> io::Result<()> {
    // The parent of a relative name of one part is the empty path.
    let directory = if directory == Path::new("") { Path::new(".") } else { directory };
    // Elsewhere a directory cannot be opened as a file, and names are safe after a rename.
    if cfg!(unix) { File::open(directory)?.sync_all() } else { Ok(()) }
}

/// A locked file; the lock goes with it.
struct LockFile(File);

impl Guard for LockFile {}

impl Drop for LockFile {
    fn drop(&mut self) {
        // The file stays: removing it would let two processes lock two files of one name.
        let _ = self.0.set_len(0);
    }
}

/// Part of some bytes, or an error that says how many there are.
pub(super) fn slice(bytes: &[u8], offset: u64, length: usize) -> io::Result<&[u8]> {
    let start = usize::try_from(offset).ok();
    let range = start.and_then(|start| Some(start..start.checked_add(length)?));
    range.and_then(|range| bytes.get(range)).ok_or_else(|| {
        let what = format!("{length} bytes at {offset} lie beyond its {} bytes", bytes.len());
        io::Error::new(io::ErrorKind::UnexpectedEof, what)
    })
}

/// A file that is being written. Writers hand over large pieces, so there is no buffer.
struct Written(File);

impl Sink for Written {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }

    fn rewrite_start(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.seek(SeekFrom::Start(0))?;
        self.0.write_all(bytes)?;
        self.0.seek(SeekFrom::End(0))?;
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.0.sync_all()
    }
}
