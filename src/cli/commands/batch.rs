//! `query --batch`: a position a line, a line of JSON each, in the order of the input.
//!
//! What has arrived is answered at once on all threads, a roomful at a time, so a pipe from a
//! program that waits for each answer does not stall and memory does not grow with the input.

use super::query::Desk;
use crate::cli::failure::{Failure, Status};
use crate::cli::options;
use crate::cli::show;
use rayon::prelude::*;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

/// Bytes that are read at a time; a line, its end included, has to fit.
const ROOM: usize = 1 << 18;

/// Bytes of decoded blocks that are kept: half of the memory there is.
pub fn cache_bytes() -> u64 {
    options::available().unwrap_or(2 << 30) / 2
}

/// Answers every line of a file, or of standard input for `-`.
pub fn run(desk: &Desk<'_>, file: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::io("read the positions", file, &error);
    let input: Box<dyn Read> = match file.as_os_str() == "-" {
        true => Box::new(io::stdin().lock()),
        false => Box::new(File::open(file).map_err(failed)?),
    };
    let mut lines = Lines::new(input);
    let mut first = 1;
    let mut bad = Bad::default();
    while let Some(batch) = lines.next_batch().map_err(failed)? {
        let numbered: Vec<(u64, Line<'_>)> = (first..).zip(batch).collect();
        let answers: Result<Vec<Answered>, Failure> =
            numbered.par_iter().map(|(number, line)| answer(desk, *number, line)).collect();
        for ((number, _), answered) in numbered.iter().zip(answers?) {
            out.write_all(&answered.json)?;
            bad.count += u64::from(answered.bad);
            bad.first = bad.first.or(answered.bad.then_some(*number));
        }
        first += numbered.len() as u64;
        out.flush()?;
    }
    match bad.first {
        None => Ok(()),
        Some(number) => {
            let (count, all) = (show::number(bad.count), show::count(first - 1, "line"));
            let message = format!("{count} of {all} not answered, the first is line {number}");
            Err(Failure::new(Status::No, "bad-lines", message))
        }
    }
}

#[derive(Default)]
struct Bad {
    count: u64,
    first: Option<u64>,
}

struct Answered {
    json: Vec<u8>,
    bad: bool,
}

/// The line of JSON for a line of text. A failure of the world ends the batch.
fn answer(desk: &Desk<'_>, number: u64, line: &Line<'_>) -> Result<Answered, Failure> {
    let bad = |message: String| Failure::new(Status::Usage, "bad-position", message);
    let record = match line {
        Line::TooLong => {
            Err(bad(format!("the line has {ROOM} bytes or more, longer than any position")))
        }
        Line::Whole(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => desk.read_and_record(text),
            Err(error) => Err(bad(format!("the line is not UTF-8: {error}"))),
        },
    };
    let mut json = Vec::new();
    let bad = record.is_err();
    match record {
        Ok(record) => serde_json::to_writer(&mut json, &record)?,
        Err(failure) if failure.status == Status::World => return Err(failure),
        Err(failure) => serde_json::to_writer(&mut json, &failure.envelope(Some(number)))?,
    }
    json.push(b'\n');
    Ok(Answered { json, bad })
}

#[derive(Debug, PartialEq, Eq)]
enum Line<'a> {
    Whole(&'a [u8]),
    /// Longer than what is read.
    TooLong,
}

/// Takes an input apart into lines, as many at a time as have arrived.
struct Lines<R> {
    input: R,
    room: Vec<u8>,
    /// Bytes of `room` that hold something, and those that have been handed out.
    filled: usize,
    taken: usize,
    /// The rest of a line that is too long is being passed over.
    passing: bool,
    ended: bool,
}

impl<R: Read> Lines<R> {
    fn new(input: R) -> Lines<R> {
        Lines { input, room: vec![0; ROOM], filled: 0, taken: 0, passing: false, ended: false }
    }

    /// The next lines without their ends, at least one; `None` at the end of the input.
    fn next_batch(&mut self) -> io::Result<Option<Vec<Line<'_>>>> {
        self.room.copy_within(self.taken..self.filled, 0);
        self.filled -= self.taken;
        self.taken = 0;
        let mut searched = 0;
        loop {
            if let Some(last) = memchr::memrchr(b'\n', &self.room[searched..self.filled]) {
                let end = searched + last + 1;
                self.taken = end;
                let passed = std::mem::take(&mut self.passing);
                return Ok(Some(split(&self.room[..end - 1], passed)));
            }
            if self.ended {
                let rest = self.filled;
                let passed = std::mem::take(&mut self.passing);
                self.taken = rest;
                let some = rest > 0 || passed;
                return Ok(some.then(|| split(&self.room[..rest], passed)));
            }
            if self.filled == self.room.len() {
                self.passing = true;
                self.filled = 0;
            }
            searched = self.filled;
            match self.input.read(&mut self.room[self.filled..]) {
                Ok(0) => self.ended = true,
                Ok(more) => self.filled += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// Lines of a text; `passed`: the first of them is the end of one that was too long.
fn split(text: &[u8], passed: bool) -> Vec<Line<'_>> {
    let mut lines: Vec<Line<'_>> =
        text.split(|byte| *byte == b'\n').map(|line| Line::Whole(without_return(line))).collect();
    if passed && let Some(first) = lines.first_mut() {
        *first = Line::TooLong;
    }
    lines
}

fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(input: &[u8]) -> Vec<String> {
        let mut lines = Lines::new(input);
        let mut all = Vec::new();
        while let Some(batch) = lines.next_batch().unwrap() {
            assert!(!batch.is_empty());
            all.extend(batch.into_iter().map(|line| match line {
                Line::Whole(bytes) => String::from_utf8_lossy(bytes).into_owned(),
                Line::TooLong => "too long".to_owned(),
            }));
        }
        all
    }

    #[test]
    fn lines_are_parted_whatever_their_ends() {
        assert_eq!(all(b""), [""; 0]);
        assert_eq!(all(b"\n"), [""]);
        assert_eq!(all(b"a"), ["a"]);
        assert_eq!(all(b"a\r\nb\n\nc"), ["a", "b", "", "c"]);
    }

    #[test]
    fn a_line_without_end_takes_no_more_than_its_room() {
        let mut input = b"a\n".to_vec();
        input.extend(vec![b'O'; 3 * ROOM]);
        assert_eq!(all(&input), ["a", "too long"]);
        input.extend(b"\nb\n");
        assert_eq!(all(&input), ["a", "too long", "b"]);
        let exact = [vec![b'O'; ROOM], b"\nb".to_vec()].concat();
        assert_eq!(all(&exact), ["too long", "b"]);
    }
}
