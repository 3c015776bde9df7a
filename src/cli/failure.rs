//! Why a command did not do what was asked: an exit status, a word for programs, a message for
//! people, and what to try next.

use crate::notation::TextError;
use crate::probe::ProbeError;
use crate::probe::claims::ClaimsError;
use crate::report::table_code;
use crate::rules::file::FileError;
use crate::solve::{RunError, SolveError};
use crate::table::{ErrorKind, TableError};
use crate::verify::VerifyError;
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

/// The exit statuses; a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// The answer is no.
    No = 1,
    /// Bad usage or text.
    Usage = 2,
    /// The world failed.
    World = 3,
    /// Somebody stopped it.
    Interrupted = 130,
}

/// What ends a command early.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The exit status.
    pub status: Status,
    /// A stable word, for programs.
    pub code: &'static str,
    /// What was expected, what was found, where.
    pub message: String,
    /// What to try, if there is something.
    pub hint: Option<String>,
    /// Nothing is said: whoever read the output has gone away.
    pub silent: bool,
}

/// A failure as programs are told of it.
#[derive(Debug, Serialize)]
pub struct Told<'a> {
    code: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
}

/// The object that holds it.
#[derive(Debug, Serialize)]
pub struct Envelope<'a> {
    error: Told<'a>,
}

impl Failure {
    /// A failure with a message.
    pub fn new(status: Status, code: &'static str, message: impl Into<String>) -> Failure {
        Failure { status, code, message: message.into(), hint: None, silent: false }
    }

    /// Bad usage that the grammar lets through.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure::new(Status::Usage, "usage", message)
    }

    /// A file that could not be read or written.
    pub fn io(doing: &str, file: &Path, error: &io::Error) -> Failure {
        Failure::new(Status::World, "io", format!("cannot {doing} {}: {error}", file.display()))
    }

    /// What was to be printed could not be.
    pub fn output(error: &io::Error) -> Failure {
        let silent = error.kind() == io::ErrorKind::BrokenPipe;
        Failure {
            silent,
            ..Failure::new(Status::World, "io", format!("cannot write the output: {error}"))
        }
    }

    /// Somebody stopped it.
    pub fn interrupted(message: &str) -> Failure {
        Failure::new(Status::Interrupted, "interrupted", message)
    }

    /// The same with something to try.
    pub fn hint(self, hint: impl Into<String>) -> Failure {
        Failure { hint: Some(hint.into()), ..self }
    }

    /// Whether a table that is not there is the reason.
    pub fn is_missing(&self) -> bool {
        self.code == "missing-table"
    }

    /// As programs are told of it, with the line of a batch.
    pub fn envelope(&self, line: Option<u64>) -> Envelope<'_> {
        Envelope { error: Told { line, ..self.told() } }
    }

    /// As an object without the line.
    pub fn told(&self) -> Told<'_> {
        let remedy = self.hint.as_deref();
        Told { code: self.code, message: &self.message, remedy, line: None }
    }

    /// Says it on stderr.
    pub fn say(&self) {
        if self.silent {
            return;
        }
        talk(&format!("error: {}", self.message));
        if let Some(hint) = &self.hint {
            talk(&format!("hint: {hint}"));
        }
    }
}

/// A line on stderr; where nobody can hear it, it is dropped.
pub fn talk(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

impl From<io::Error> for Failure {
    /// Only what is printed meets this; files are wrapped where their names are known.
    fn from(error: io::Error) -> Failure {
        Failure::output(&error)
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Failure {
        Failure::output(&error.into())
    }
}

impl From<TextError> for Failure {
    fn from(error: TextError) -> Failure {
        Failure::new(Status::Usage, error.code(), error.to_string())
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Failure {
        Failure::new(Status::Usage, "bad-rules", error.to_string())
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        let code = table_code(&error);
        if code == "not-a-file" {
            let failure = Failure::new(Status::No, code, error.to_string());
            return failure.hint("move it away and generate the table again");
        }
        let status = match error.kind() {
            ErrorKind::Missing | ErrorKind::Refused => Status::No,
            ErrorKind::World | ErrorKind::Misuse => Status::World,
        };
        Failure::new(status, code, error.to_string())
    }
}

impl From<ProbeError> for Failure {
    fn from(error: ProbeError) -> Failure {
        match error {
            ProbeError::Table(error) => error.into(),
            ProbeError::Contradiction { .. } => {
                Failure::new(Status::No, "contradiction", error.to_string())
            }
        }
    }
}

impl From<VerifyError> for Failure {
    fn from(error: VerifyError) -> Failure {
        match error {
            VerifyError::Interrupted => Failure::interrupted("interrupted"),
            VerifyError::Memory { .. } => Failure::new(Status::World, "memory", error.to_string()),
            VerifyError::Table(error) => error.into(),
        }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Failure {
        match error {
            RunError::Interrupted => Failure::interrupted(&error.to_string()),
            RunError::Memory { .. } => Failure::new(Status::World, "memory", error.to_string()),
            RunError::Solve(SolveError::Interrupted) => Failure::interrupted("interrupted"),
            RunError::Solve(SolveError::Table(error)) | RunError::Table(error) => error.into(),
            RunError::Solve(error @ SolveError::Memory { .. }) => {
                Failure::new(Status::World, "memory", error.to_string())
            }
            RunError::Solve(error) => Failure::new(Status::World, "too-deep", error.to_string()),
        }
    }
}

impl From<ClaimsError> for Failure {
    fn from(error: ClaimsError) -> Failure {
        match error {
            ClaimsError::Probe(error) => error.into(),
            ClaimsError::Csv(ref inner) if inner.is_io_error() => {
                Failure::new(Status::World, "io", error.to_string())
            }
            ClaimsError::Csv(_) | ClaimsError::Column(_) | ClaimsError::Doubled(_) => {
                Failure::new(Status::Usage, "bad-claims", error.to_string())
            }
        }
    }
}
