//! What goes to stdout.

use super::failure::Failure;
use std::io::{self, BufWriter, Write};

/// Buffered output that knows whether anything has been said.
pub struct Output<W: Write> {
    inner: BufWriter<W>,
    spoken: bool,
}

impl<W: Write> Output<W> {
    /// Nothing is said yet.
    pub fn new(inner: W) -> Output<W> {
        Output { inner: BufWriter::new(inner), spoken: false }
    }

    /// Tells programs of a failure, unless an answer has been given: a report says itself what is
    /// wrong, and a second object after it would be no JSON. People are told on stderr in any case,
    /// so that it is no matter where this cannot be written.
    pub fn tell(&mut self, failure: &Failure) {
        if self.spoken || failure.silent {
            return;
        }
        let _ = serde_json::to_writer(&mut *self, &failure.envelope(None));
        let _ = writeln!(self).and_then(|()| self.flush());
    }
}

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.spoken = true;
        self.inner.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
