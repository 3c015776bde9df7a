//! Files that people name, which may be anything.

use std::fs::{self, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Links that are followed one after the other.
const MOST_LINKS: usize = 40;

/// What a file is, in words.
pub fn kind(found: &Metadata) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = found.file_type();
        if kind.is_fifo() {
            return "a named pipe";
        } else if kind.is_socket() {
            return "a socket";
        } else if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
    }
    match found.is_dir() {
        true => "a directory",
        false => "something else",
    }
}

/// Writes a file, which is there whole or as it was before. Links are followed; what is there and
/// is no regular file is written to as it is.
pub fn write(file: &Path, bytes: &[u8]) -> io::Result<()> {
    match fs::metadata(file) {
        Ok(found) if found.is_file() => replace(&fs::canonicalize(file)?, bytes),
        Ok(_) => OpenOptions::new().write(true).open(file)?.write_all(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => replace(&target(file), bytes),
        Err(error) => Err(error),
    }
}

fn replace(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let partial = partial_name(file);
    let written = fs::write(&partial, bytes).and_then(|()| fs::rename(&partial, file));
    written.inspect_err(|_| {
        let _ = fs::remove_file(&partial);
    })
}

/// A name beside the file for what is not finished.
fn partial_name(file: &Path) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.partial", std::process::id()));
    file.with_file_name(name)
}

/// The file that is made where a link names one that is not there.
fn target(file: &Path) -> PathBuf {
    let mut file = file.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(next) = fs::read_link(&file) else { break };
        file = file.parent().unwrap_or(Path::new("")).join(next);
    }
    file
}
