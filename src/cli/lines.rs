//! Lines of an input that somebody writes while we answer: one at a time, none kept beyond a
//! bound.

use std::io::{self, BufRead};

/// Bytes of a line that are kept; a longer line is none.
pub const LONGEST: usize = 1 << 20;

/// A line without its end.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// All of it.
    Whole(Vec<u8>),
    /// The first [`LONGEST`] bytes; the rest has been passed over.
    TooLong(Vec<u8>),
}

/// Reads the next line; `None` at the end of the input.
pub fn next(input: &mut dyn BufRead) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    let (mut ended, mut some, mut long) = (false, false, false);
    while !ended {
        let room = match input.fill_buf() {
            Ok(room) => room,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if room.is_empty() {
            break;
        }
        some = true;
        let end = memchr::memchr(b'\n', room);
        ended = end.is_some();
        let text = &room[..end.unwrap_or(room.len())];
        let kept = text.len().min(LONGEST - line.len());
        long |= kept < text.len();
        line.extend_from_slice(&text[..kept]);
        let taken = text.len() + usize::from(ended);
        input.consume(taken);
    }
    if !long && line.last() == Some(&b'\r') {
        line.pop();
    }
    let line = if long { Line::TooLong(line) } else { Line::Whole(line) };
    Ok(some.then_some(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut input: &[u8]) -> Vec<Line> {
        std::iter::from_fn(|| next(&mut input).unwrap()).collect()
    }

    #[test]
    fn lines_are_parted_whatever_their_ends() {
        let whole = |text: &str| Line::Whole(text.into());
        assert_eq!(all(b""), []);
        assert_eq!(all(b"\n"), [whole("")]);
        assert_eq!(all(b"a\r\nb\n\nc"), [whole("a"), whole("b"), whole(""), whole("c")]);
    }

    #[test]
    fn no_more_of_a_line_is_kept_than_the_bound() {
        let exact = vec![b'O'; LONGEST];
        let longer = [&exact[..], b"O\nnext\n"].concat();
        assert_eq!(all(&longer), [Line::TooLong(exact.clone()), Line::Whole(b"next".to_vec())]);
        assert_eq!(all(&exact), [Line::Whole(exact.clone())]);
    }
}
