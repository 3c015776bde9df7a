//! What a table says of each entry.

use crate::value::{Outcome, Value};
use std::fmt;

/// A plane: what is stored of each entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Metric {
    /// Win, draw or loss.
    Wdl = 0,
    /// The depth to win, in plies, of what is no draw.
    Dtw = 1,
}

impl Metric {
    /// All metrics, in the order of their numbers in a header.
    pub const ALL: [Metric; 2] = [Metric::Wdl, Metric::Dtw];

    /// The end of the file name.
    pub const fn extension(self) -> &'static str {
        match self {
            Metric::Wdl => "wdl",
            Metric::Dtw => "dtw",
        }
    }

    /// The metric with this number in a header.
    pub fn from_number(number: u8) -> Option<Metric> {
        Metric::ALL.into_iter().find(|metric| *metric as u8 == number)
    }

    /// The metric with this end of the file name.
    pub fn from_extension(extension: &str) -> Option<Metric> {
        Metric::ALL.into_iter().find(|metric| metric.extension() == extension)
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.extension())
    }
}

/// What a table knows of one entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Who wins.
    pub value: Value,
    /// The value with its depth; `None` where the table holds values alone.
    pub outcome: Option<Outcome>,
}

impl From<Outcome> for Stored {
    fn from(outcome: Outcome) -> Stored {
        Stored { value: outcome.value(), outcome: Some(outcome) }
    }
}

impl From<Value> for Stored {
    fn from(value: Value) -> Stored {
        Stored { value, outcome: None }
    }
}
