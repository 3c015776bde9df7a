//! What is wrong with a table, as a word for programs.

use crate::table::TableError;
use std::io;

/// The word for a fault of a table; a contract.
pub fn table_code(error: &TableError) -> &'static str {
    match error {
        TableError::Io { doing: "open", source, .. } if is_no_file(source) => "not-a-file",
        TableError::Missing { .. } => "missing-table",
        TableError::Damaged { .. } => "damaged-table",
        TableError::Misnamed { .. } => "misnamed-table",
        TableError::OtherRules { .. } => "table-of-other-rules",
        TableError::Unknown { .. } => "unknown-format",
        TableError::Locked { .. } => "locked",
        TableError::Io { .. } => "io",
        TableError::Unsolved { .. } | TableError::Length { .. } => "unsolved",
    }
}

/// Whether a table cannot be opened for what stands in its place: no regular file, or links that
/// lead nowhere.
fn is_no_file(source: &io::Error) -> bool {
    // Too many links; the standard library has no stable word for it.
    let links = if cfg!(target_os = "linux") { 40 } else { 62 };
    source.kind() == io::ErrorKind::InvalidInput
        || (cfg!(unix) && source.raw_os_error() == Some(links))
}
