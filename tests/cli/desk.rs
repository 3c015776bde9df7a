//! A directory to work in, and what the program says there.

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::Output;
use tempfile::TempDir;

/// A working directory of its own, with its tables in `tables`.
pub struct Desk {
    room: TempDir,
}

/// What the program said.
pub struct Said {
    line: String,
    status: i32,
    pub out: String,
    pub err: String,
}

impl Desk {
    pub fn empty() -> Desk {
        Desk { room: TempDir::new().unwrap() }
    }

    /// With the tables of a small variant.
    pub fn with(variant: &str) -> Desk {
        let desk = Desk::empty();
        desk.merels(&format!("generate {variant}")).exits(0);
        desk
    }

    /// Runs a command line, its words parted by spaces.
    pub fn merels(&self, line: &str) -> Said {
        self.words(&line.split_whitespace().collect::<Vec<_>>(), "")
    }

    /// The same with something on standard input.
    pub fn fed(&self, line: &str, input: impl Into<Vec<u8>>) -> Said {
        self.words(&line.split_whitespace().collect::<Vec<_>>(), input)
    }

    /// Runs a command with these words.
    pub fn words(&self, words: &[&str], input: impl Into<Vec<u8>>) -> Said {
        let output = self.command(words).write_stdin(input).output().unwrap();
        Said::new(words.join(" "), output)
    }

    /// Runs a command line whose output nobody reads.
    #[cfg(unix)]
    pub fn unheard(&self, line: &str) -> Said {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_merels"));
        command.current_dir(self.room.path()).env_remove("MERELS_TABLES");
        command.args(line.split_whitespace()).stdout(writer).stderr(std::process::Stdio::piped());
        Said::new(line.to_owned(), command.spawn().unwrap().wait_with_output().unwrap())
    }

    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_merels"));
        command.current_dir(self.room.path()).env_remove("MERELS_TABLES").args(words);
        command
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.room.path().join(name)
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path(name), text).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub fn remove(&self, name: &str) {
        fs::remove_file(self.path(name)).unwrap();
    }

    /// Changes one byte of a file, counted from its start.
    pub fn flip(&self, name: &str, place: usize) {
        let mut bytes = self.read(name);
        bytes[place] ^= 0x10;
        self.write(name, bytes);
    }

    /// Makes a named pipe.
    #[cfg(unix)]
    pub fn pipe(&self, name: &str) {
        let made = std::process::Command::new("mkfifo").arg(self.path(name)).status().unwrap();
        assert!(made.success());
    }

    /// The names in a directory, sorted.
    pub fn names(&self, directory: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(directory)).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Said {
    fn new(line: String, output: Output) -> Said {
        Said {
            line,
            status: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    #[track_caller]
    pub fn exits(self, status: i32) -> Said {
        assert_eq!(self.status, status, "{}", self.all());
        assert!(!self.err.contains("panicked"), "{}", self.all());
        self
    }

    /// On stdout.
    #[track_caller]
    pub fn says(self, text: &str) -> Said {
        assert!(self.out.contains(text), "stdout lacks {text:?}\n{}", self.all());
        self
    }

    /// On stderr.
    #[track_caller]
    pub fn complains(self, text: &str) -> Said {
        assert!(self.err.contains(text), "stderr lacks {text:?}\n{}", self.all());
        self
    }

    #[track_caller]
    pub fn says_nothing_on_stdout(self) -> Said {
        assert_eq!(self.out, "", "{}", self.all());
        self
    }

    #[track_caller]
    pub fn complains_of_nothing(self) -> Said {
        assert_eq!(self.err, "", "{}", self.all());
        self
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}\n{}", self.all()))
    }

    /// A JSON value for each line.
    #[track_caller]
    pub fn json_lines(&self) -> Vec<Value> {
        let parse = |line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        self.out.lines().map(parse).collect()
    }

    fn all(&self) -> String {
        let Said { line, status, out, err } = self;
        format!("merels {line}\nstatus {status}\nstdout:\n{out}\nstderr:\n{err}")
    }
}

/// The keys of an object, sorted.
#[track_caller]
pub fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}
