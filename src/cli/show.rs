//! Numbers, amounts, values and columns as people read them.

use crate::report::winner_turns;
use crate::table::Stored;
use crate::value::Value;
use std::io::{self, Write};

/// A number with its thousands parted: `1,234,567`.
pub fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Bytes in the largest unit that leaves at least one of it: `3.2 MiB`.
pub fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];
    if bytes < 1 << 10 {
        return format!("{bytes} B");
    }
    let mut amount = bytes as f64 / 1024.0;
    let mut unit = 0;
    while amount >= 1023.95 && unit + 1 < UNITS.len() {
        amount /= 1024.0;
        unit += 1;
    }
    format!("{amount:.1} {}", UNITS[unit])
}

/// A span of time in seconds, for programs: to the millisecond.
pub fn in_seconds(time: std::time::Duration) -> f64 {
    time.as_millis() as f64 / 1000.0
}

/// A span of time: `0.3 s`, `48 s`, `12 min`, `3 h 20 min`.
pub fn seconds(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    match whole {
        _ if seconds < 9.95 => format!("{:.1} s", seconds.max(0.0)),
        0..120 => format!("{whole} s"),
        120..7200 => format!("{} min", (whole + 30) / 60),
        _ => format!("{} h {:02} min", whole / 3600, whole % 3600 / 60),
    }
}

/// A count with its noun: `1 table`, `2 tables`, `2 entries`.
pub fn count(amount: u64, noun: &str) -> String {
    let shown = number(amount);
    match (amount, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{shown} {stem}ies"),
        (_, None) if noun.ends_with('s') => format!("{shown} {noun}es"),
        (_, None) => format!("{shown} {noun}s"),
    }
}

/// A depth, or a dash.
pub fn depth(depth: Option<u16>) -> String {
    depth.map_or_else(|| "-".to_owned(), |depth| depth.to_string())
}

/// `win in 11 (21 plies)`, `draw`, `loss in 3 (6 plies)`, `lost`; turns are the winner's.
pub fn verdict(stored: &Stored) -> String {
    let Some(outcome) = stored.outcome else { return stored.value.to_string() };
    match (outcome.depth(), winner_turns(outcome)) {
        (Some(0), _) => "lost".to_owned(),
        (Some(1), Some(turns)) => format!("win in {turns} (1 ply)"),
        (Some(plies), Some(turns)) => format!("{} in {turns} ({plies} plies)", stored.value),
        _ => Value::Draw.to_string(),
    }
}

/// The same without plies, which have a column of their own: `win in 11`.
pub fn turns(stored: &Stored) -> String {
    let Some(outcome) = stored.outcome else { return stored.value.to_string() };
    match winner_turns(outcome) {
        Some(turns) => format!("{} in {turns}", stored.value),
        None => stored.value.to_string(),
    }
}

/// How the text of a column is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// Rows of text, written with their columns aligned.
#[derive(Debug)]
pub struct Columns {
    sides: Vec<Side>,
    rows: Vec<Vec<String>>,
}

impl Columns {
    /// Columns with these heads; a head that begins with `>` stands over numbers.
    pub fn new(heads: &[&str]) -> Columns {
        let side = |head: &&str| if head.starts_with('>') { Side::Right } else { Side::Left };
        let heads_shown = heads.iter().map(|head| head.trim_start_matches('>').to_owned());
        Columns { sides: heads.iter().map(side).collect(), rows: vec![heads_shown.collect()] }
    }

    /// Adds a row; it has as many cells as there are heads.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Writes all rows, `indent` spaces from the margin.
    pub fn write(&self, out: &mut dyn Write, indent: usize) -> io::Result<()> {
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.sides.len()).map(width).collect();
        for row in &self.rows {
            let mut line = " ".repeat(indent);
            for (column, cell) in row.iter().enumerate() {
                if column > 0 {
                    line.push_str("  ");
                }
                match self.sides[column] {
                    Side::Left => line += &format!("{cell:<width$}", width = widths[column]),
                    Side::Right => line += &format!("{cell:>width$}", width = widths[column]),
                }
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Outcome;

    #[test]
    fn amounts_are_easy_to_read() {
        assert_eq!(number(0), "0");
        assert_eq!(number(999), "999");
        assert_eq!(number(27_860_688_626), "27,860,688,626");
        assert_eq!(bytes(1023), "1023 B");
        assert_eq!(bytes(1 << 20), "1.0 MiB");
        assert_eq!(bytes((1 << 30) - 1), "1.0 GiB");
        assert_eq!(seconds(0.04), "0.0 s");
        assert_eq!(seconds(59.0), "59 s");
        assert_eq!(seconds(7260.0), "2 h 01 min");
    }

    #[test]
    fn a_verdict_counts_the_turns_of_the_winner() {
        let say = |depth| verdict(&Outcome::Decided(depth).into());
        assert_eq!(say(0), "lost");
        assert_eq!(say(1), "win in 1 (1 ply)");
        assert_eq!(say(2), "loss in 1 (2 plies)");
        assert_eq!(say(21), "win in 11 (21 plies)");
        assert_eq!(say(22), "loss in 11 (22 plies)");
        assert_eq!(verdict(&Outcome::Draw.into()), "draw");
        assert_eq!(verdict(&Value::Win.into()), "win");
    }
}
