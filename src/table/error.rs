//! What can be wrong with a table or with the world around it.
//!
//! Every message names the file, what was expected and what was found, and says what to do. Which
//! command makes a missing table is not known here; the faces add it.

use super::Metric;
use crate::space::Subspace;
use std::io;
use thiserror::Error;

/// Why a table cannot be opened, read or written.
#[derive(Debug, Error)]
pub enum TableError {
    /// There is no such table on the shelf.
    #[error("no table of {subspace} in {place}: it has not been generated, or the file has gone")]
    Missing {
        /// The subspace asked for.
        subspace: Subspace,
        /// The metric asked for; `None`: any.
        metric: Option<Metric>,
        /// The directory of the rule set.
        place: String,
    },
    /// The bytes are not those that were written.
    #[error("{file} is damaged: {what}; delete the file and generate it again")]
    Damaged {
        /// The file.
        file: String,
        /// What is wrong, where, with what was expected and found.
        what: String,
    },
    /// A whole table of something else than its name says.
    #[error(
        "{file} holds {found} where its name says {expected}: it has been renamed or swapped; \
         put the right file there or generate it again"
    )]
    Misnamed {
        /// The file.
        file: String,
        /// Subspace and metric of the name.
        expected: String,
        /// Subspace and metric of the header.
        found: String,
    },
    /// A table of other rules than those asked for.
    #[error(
        "{file} was made for other rules: {parameter} is {found} there and {expected} here; \
         ask with the rules of the table, or move the file away and generate it again"
    )]
    OtherRules {
        /// The file.
        file: String,
        /// The first parameter that differs.
        parameter: String,
        /// Its value in the rules asked for.
        expected: String,
        /// Its value in the file.
        found: String,
    },
    /// A whole file that uses something this version does not know.
    #[error(
        "{file} has {what} {found}, which this version does not know (it knows {known}); \
         read it with a newer version, or generate it again"
    )]
    Unknown {
        /// The file.
        file: String,
        /// What is not known: `format version`, `metric`, `codec`...
        what: &'static str,
        /// The number found.
        found: u64,
        /// The numbers that are known.
        known: &'static str,
    },
    /// The file system refused.
    #[error("cannot {doing} {file}: {source}{}", advice(doing, source))]
    Io {
        /// The file or directory.
        file: String,
        /// What was tried: `write`, `rename`...
        doing: &'static str,
        /// What the system says.
        source: io::Error,
    },
    /// Another process generates into the same directory.
    #[error(
        "{place} is being written by {holder}; wait for it to end, or use another table directory"
    )]
    Locked {
        /// The directory of the rule set.
        place: String,
        /// The other process.
        holder: String,
    },
    /// An entry without an outcome was to be stored: a fault of the program that solved it.
    #[error("entry {entry} of {subspace} has no outcome (code 0), so the table is not written")]
    Unsolved {
        /// The subspace.
        subspace: Subspace,
        /// The first such entry.
        entry: u64,
    },
    /// A subspace was to be stored with a wrong number of entries: a fault of the program that
    /// solved it.
    #[error("{subspace} has {expected} entries, but {found} codes were to be stored")]
    Length {
        /// The subspace.
        subspace: Subspace,
        /// Entries of the subspace.
        expected: u64,
        /// Codes given.
        found: u64,
    },
}

/// What an error means to somebody who asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The table is not there.
    Missing,
    /// The table is there and cannot be trusted: damaged, misnamed, of other rules, unknown.
    Refused,
    /// The world failed: input or output, or another process in the way.
    World,
    /// The caller handed over something that is no solution.
    Misuse,
}

impl TableError {
    /// What the error means to somebody who asked.
    pub fn kind(&self) -> ErrorKind {
        match self {
            TableError::Missing { .. } => ErrorKind::Missing,
            TableError::Damaged { .. }
            | TableError::Misnamed { .. }
            | TableError::OtherRules { .. }
            | TableError::Unknown { .. } => ErrorKind::Refused,
            TableError::Io { .. } | TableError::Locked { .. } => ErrorKind::World,
            TableError::Unsolved { .. } | TableError::Length { .. } => ErrorKind::Misuse,
        }
    }

    /// Wraps a refusal of the file system.
    pub(super) fn io(file: impl Into<String>, doing: &'static str, source: io::Error) -> Self {
        TableError::Io { file: file.into(), doing, source }
    }

    pub(super) fn damaged(file: impl Into<String>, what: impl Into<String>) -> Self {
        TableError::Damaged { file: file.into(), what: what.into() }
    }
}

/// What can be done about a refusal of the file system, to follow its message.
fn advice(doing: &str, source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "; free some space and run the same command again, nothing finished is lost"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "; make the directory accessible or use another table directory"
        }
        io::ErrorKind::NotFound if matches!(doing, "lock" | "create") => {
            "; the directory cannot be made there, use another one with --tables"
        }
        io::ErrorKind::NotFound => "; has the directory been moved or deleted?",
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
            "; a file stands where a directory is needed"
        }
        _ if doing == "lock" => {
            "; a lock takes a plain file on a disk that knows locks: move what stands there away, or \
             use another directory with --tables"
        }
        _ => "",
    }
}
