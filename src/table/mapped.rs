//! A file mapped into memory: hundreds of tables are open at once, and hold no descriptor.
//!
//! Beware: who touches a part of a map whose file has become shorter, or whose disk fails, is killed
//! by the system. So each read first asks the file system for the length that the file has now, to
//! tell what happened, and then, on Linux, has the kernel copy the bytes: it reports a page that it
//! cannot have where the processor would end the process. Elsewhere, and where a sandbox forbids
//! that call, the map itself is read, and a file shortened within the microseconds of one read
//! does end the process.

use super::storage::{Bytes, slice};
use std::borrow::Cow;
use std::fs::{self, File};
use std::io;
use std::path::PathBuf;

/// A file mapped into memory.
pub(super) struct Mapped {
    path: PathBuf,
    length: u64,
    /// Which file it was, to tell a shortened file from another one under its name.
    identity: Option<(u64, u64)>,
    /// `None` for an empty file.
    map: Option<memmap2::Mmap>,
}

impl Mapped {
    pub(super) fn open(path: PathBuf) -> io::Result<Mapped> {
        // Looked at before it is opened: opening a pipe would wait for somebody to write to it.
        if !fs::metadata(&path)?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
        }
        let file = File::open(&path)?;
        let found = file.metadata()?;
        let map = match found.len() {
            0 => None,
            // SAFETY: the map is only read. Bytes that another process changes below us are caught
            // by checksums; for a file that has been shortened see the head of this module.
            _ => Some(unsafe { memmap2::Mmap::map(&file)? }),
        };
        let length = map.as_ref().map_or(0, |map| map.len() as u64);
        Ok(Mapped { path, length, identity: identity(&found), map })
    }

    /// An error where the mapped file has become shorter. A file that has been replaced or removed
    /// lives on in the map.
    fn still_there(&self) -> io::Result<()> {
        match fs::metadata(&self.path) {
            Ok(now) if identity(&now) == self.identity && now.len() < self.length => {
                let what = format!(
                    "it has been shortened from {} to {} bytes while in use",
                    self.length,
                    now.len()
                );
                Err(io::Error::new(io::ErrorKind::UnexpectedEof, what))
            }
            _ => Ok(()),
        }
    }
}

impl Bytes for Mapped {
    fn length(&self) -> u64 {
        self.length
    }

    fn read(&self, offset: u64, length: usize) -> io::Result<Cow<'_, [u8]>> {
        self.still_there()?;
        let bytes = slice(self.map.as_deref().unwrap_or_default(), offset, length)?;
        copy(bytes)
    }
}

/// Has the kernel copy bytes of a map.
#[cfg(target_os = "linux")]
fn copy(bytes: &[u8]) -> io::Result<Cow<'_, [u8]>> {
    use nix::errno::Errno;
    use nix::sys::uio::{RemoteIoVec, process_vm_readv};
    let mut copied = vec![0; bytes.len()];
    let from = RemoteIoVec { base: bytes.as_ptr() as usize, len: bytes.len() };
    let to = io::IoSliceMut::new(&mut copied);
    match process_vm_readv(nix::unistd::Pid::this(), &mut [to], &[from]) {
        Ok(length) if length == bytes.len() => Ok(Cow::Owned(copied)),
        Ok(_) | Err(Errno::EFAULT) => Err(io::Error::new(
            io::ErrorKind::UnexpectedEof,
            "it was shortened, or its disk failed, while it was read",
        )),
        Err(_) => Ok(Cow::Borrowed(bytes)),
    }
}

#[cfg(not(target_os = "linux"))]
fn copy(bytes: &[u8]) -> io::Result<Cow<'_, [u8]>> {
    Ok(Cow::Borrowed(bytes))
}

#[cfg(unix)]
fn identity(file: &fs::Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((file.dev(), file.ino()))
}

#[cfg(not(unix))]
fn identity(_: &fs::Metadata) -> Option<(u64, u64)> {
    None
}
