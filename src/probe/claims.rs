//! What somebody else says of positions, held against the tables.
//!
//! Claims come as a CSV with a header line: the columns `position` and `value`, and where given
//! `depth` and `variant`, in capitals or not; others are passed over. An empty depth claims nothing.
//! Rows of other variants are counted and skipped.

use super::{ProbeError, Prober};
use crate::notation::Notation;
use crate::table::{ErrorKind, Stored};
use crate::value::{Outcome, Value};
use std::io::{self, Read};
use thiserror::Error;

/// A claim that the tables do not confirm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The line of the file, from 1.
    pub line: u64,
    /// The position as it was written.
    pub position: String,
    /// What is claimed.
    pub claimed: String,
    /// What the tables say.
    pub stored: String,
}

/// A row that could not be held against the tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unchecked {
    /// The line of the file, from 1.
    pub line: u64,
    /// Why not.
    pub reason: String,
}

/// What came of a file of claims.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClaimsReport {
    /// Claims that the tables confirm.
    pub agreements: u64,
    /// Claims that they contradict.
    pub disagreements: Vec<Disagreement>,
    /// Rows of other variants.
    pub other_variants: u64,
    /// Positions whose table is not at hand.
    pub outside: Vec<Unchecked>,
    /// Rows that make no sense.
    pub bad: Vec<Unchecked>,
}

impl ClaimsReport {
    /// Whether every claim was checked and confirmed.
    pub fn holds(&self) -> bool {
        self.disagreements.is_empty() && self.outside.is_empty() && self.bad.is_empty()
    }
}

/// Why a file of claims could not be read.
#[derive(Debug, Error)]
pub enum ClaimsError {
    /// A column that must be there is not.
    #[error(
        "the claims have no column {0:?}; expected a header line with position, value and, where given, depth and variant"
    )]
    Column(&'static str),
    /// A column is there more than once.
    #[error("the claims have more than one column {0:?}; leave the others out")]
    Doubled(&'static str),
    /// Not CSV, or the file could not be read.
    #[error("the claims cannot be read: {0}")]
    Csv(#[from] csv::Error),
    /// A table is damaged or of other rules.
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

struct Columns {
    position: usize,
    value: usize,
    depth: Option<usize>,
    variant: Option<usize>,
}

/// Bytes of a line; longer ones are no claims.
const LONGEST_LINE: usize = 1 << 20;

/// An input whose lines are bounded: a reader of CSV keeps a row, however long it is.
struct Bounded<R> {
    input: R,
    /// Bytes of the line so far.
    line: usize,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(bytes)?;
        for part in bytes[..read].split_inclusive(|byte| *byte == b'\n') {
            self.line += part.len();
            if self.line > LONGEST_LINE {
                let what = format!("a line has more than {LONGEST_LINE} bytes");
                return Err(io::Error::new(io::ErrorKind::InvalidData, what));
            }
            if part.ends_with(b"\n") {
                self.line = 0;
            }
        }
        Ok(read)
    }
}

/// Holds the claims in `input` against the tables of `prober`; `names` are what its rule set is
/// called in the column `variant`.
pub fn check(
    prober: &Prober,
    names: &[&str],
    input: impl Read,
) -> Result<ClaimsReport, ClaimsError> {
    let notation = Notation::new(prober.rules());
    let mut rows = csv::ReaderBuilder::new()
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(Bounded { input, line: 0 });
    let header = rows.headers()?;
    let find = |name: &'static str| {
        let mut columns = (0..).zip(header).filter(|(_, title)| title.eq_ignore_ascii_case(name));
        match (columns.next(), columns.next()) {
            (_, Some(_)) => Err(ClaimsError::Doubled(name)),
            (found, None) => Ok(found.map(|(column, _)| column)),
        }
    };
    let columns = Columns {
        position: find("position")?.ok_or(ClaimsError::Column("position"))?,
        value: find("value")?.ok_or(ClaimsError::Column("value"))?,
        depth: find("depth")?,
        variant: find("variant")?,
    };
    let mut report = ClaimsReport::default();
    for row in rows.byte_records() {
        let row = row?;
        let called = columns.variant.map(|column| row.get(column).unwrap_or_default());
        let unnamed = called == Some(b"");
        let ours = |called| names.iter().any(|name| name.as_bytes() == called);
        if !unnamed && !called.is_none_or(ours) {
            report.other_variants += 1;
            continue;
        }
        let line = row.position().map_or(0, csv::Position::line);
        let row = match csv::StringRecord::from_byte_record(row) {
            Ok(row) => row,
            Err(error) => {
                let reason = format!("not UTF-8: {}", error.utf8_error());
                report.bad.push(Unchecked { line, reason });
                continue;
            }
        };
        let field = |column: usize| row.get(column).unwrap_or("");
        let depth = columns.depth.map_or("", field);
        let claim = Claim::read(field(columns.value), depth);
        let read = claim.and_then(|claim| {
            if unnamed {
                return Err("variant: expected a name, found nothing".to_owned());
            }
            let moment = notation.read(field(columns.position)).map_err(|e| e.to_string())?;
            Ok((claim, moment))
        });
        let (claim, moment) = match read {
            Ok(read) => read,
            Err(reason) => {
                report.bad.push(Unchecked { line, reason });
                continue;
            }
        };
        match prober.value(&moment) {
            Ok(stored) => claim.compare(&stored, line, field(columns.position), &mut report),
            Err(ProbeError::Table(error)) if error.kind() == ErrorKind::Missing => {
                report.outside.push(Unchecked { line, reason: error.to_string() });
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(report)
}

struct Claim {
    value: Value,
    depth: Option<u16>,
}

impl Claim {
    fn read(value: &str, depth: &str) -> Result<Claim, String> {
        let value = Value::from_word(value)
            .ok_or_else(|| format!("value {value:?}: expected win, draw or loss"))?;
        let depth = match depth {
            "" => None,
            text => match text.parse() {
                Ok(depth) => Some(depth),
                Err(_) => return Err(format!("depth {text:?}: expected plies, or nothing")),
            },
        };
        Ok(Claim { value, depth })
    }

    fn compare(&self, stored: &Stored, line: u64, position: &str, report: &mut ClaimsReport) {
        let known = stored.outcome.map(Outcome::depth);
        if self.value == stored.value && self.depth.is_some() && known.is_none() {
            let reason = "only the value is at hand, the depth cannot be checked".to_owned();
            report.outside.push(Unchecked { line, reason });
        } else if self.value == stored.value
            && self.depth.is_none_or(|depth| known == Some(Some(depth)))
        {
            report.agreements += 1;
        } else {
            report.disagreements.push(Disagreement {
                line,
                position: position.to_owned(),
                claimed: say(self.value, self.depth),
                stored: say(stored.value, known.flatten()),
            });
        }
    }
}

fn say(value: Value, depth: Option<u16>) -> String {
    match depth {
        Some(depth) => format!("{value} in {depth} plies"),
        None => value.to_string(),
    }
}
