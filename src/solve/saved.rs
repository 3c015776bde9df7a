//! What a unit in progress is saved as, and when.
//!
//! Saving costs seconds and saves minutes, so it is done by the clock: a unit that is solved faster
//! than the interval writes nothing. What has been saved is of use to the same build alone; what
//! cannot be used is told, and the unit is begun anew.

use super::width::RowBuffer;
use crate::space::Unit;
use crate::table::{Codes, Filled, SCRATCH_HEAD, Scratch, Shelf};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The longest that a pass over the rows goes on without a pause.
const SLICE: Duration = Duration::from_secs(1);
/// The shortest: a slice gets something done however often is to be saved.
const LEAST_SLICE: Duration = Duration::from_millis(5);

/// How far a unit has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// Some rows are scanned.
    Scan,
    /// All that is decided up to `depth` is finished. What leads to entries of that depth is undone
    /// for the parts before `news`, and for those rows of `news` that are no longer touched.
    Undo { depth: usize, news: usize },
}

/// Says when a pass over the rows is to stop for a pause.
pub(super) struct Slice {
    end: Option<Instant>,
    over: AtomicBool,
}

impl Slice {
    /// One that goes on to the last row.
    pub fn endless() -> Slice {
        Slice { end: None, over: AtomicBool::new(false) }
    }

    /// Whether rows are to be left for the next slice.
    #[inline(always)]
    pub fn is_over(&self) -> bool {
        self.over.load(Relaxed)
    }

    /// To be called after each row.
    #[inline(always)]
    pub fn look_at_the_clock(&self) {
        if self.end.is_some_and(|end| Instant::now() >= end) {
            self.over.store(true, Relaxed);
        }
    }
}

/// Saves one unit on the shelf.
pub(super) struct Saver<'a> {
    shelf: &'a Shelf,
    unit: Unit,
    interval: Duration,
    /// When it was saved, or begun.
    last: Cell<Instant>,
    note: &'a dyn Fn(&str),
}

impl<'a> Saver<'a> {
    /// Saves `unit` every `interval`; what somebody should know goes to `note`.
    pub fn new(
        shelf: &'a Shelf,
        unit: Unit,
        interval: Duration,
        note: &'a dyn Fn(&str),
    ) -> Saver<'a> {
        Saver { shelf, unit, interval, last: Cell::new(Instant::now()), note }
    }

    /// What has been saved of the unit.
    pub fn load(&self) -> Option<Saved> {
        let found = self.shelf.scratch(self.unit.subspace).and_then(|scratch| {
            let read = |scratch: Scratch| {
                let name = scratch.file().to_owned();
                Saved::new(scratch).ok_or_else(|| format!("{name} has an unknown head"))
            };
            scratch.map(read).transpose()
        });
        found.unwrap_or_else(|what| {
            self.refuse(&what);
            None
        })
    }

    /// Tells that what was saved is used.
    pub fn accept(&self, from: Progress) {
        let unit = self.unit.subspace;
        let place = match from {
            Progress::Scan => "in its forward scan".to_owned(),
            Progress::Undo { depth, .. } => format!("at depth {depth}"),
        };
        (self.note)(&format!("{unit} goes on from where it was saved, {place}"));
    }

    /// Tells why what was saved cannot be used.
    pub fn refuse(&self, what: &str) {
        let unit = self.unit.subspace;
        (self.note)(&format!("{what}; {unit} is solved from its beginning"));
    }

    /// Whether it is time to save.
    pub fn is_due(&self) -> bool {
        self.last.get().elapsed() >= self.interval
    }

    /// A slice that ends when it is time for a pause.
    pub fn slice(&self) -> Slice {
        let now = Instant::now();
        let end = (self.last.get() + self.interval).clamp(now + LEAST_SLICE, now + SLICE);
        Slice { end: Some(end), over: AtomicBool::new(false) }
    }

    /// Saves. Where that fails the work goes on: it is the tables that matter, and the disk may
    /// have room for them.
    pub fn save(&self, width: u32, at: Progress, streams: &[Codes<'_>]) {
        let mut head = [0; SCRATCH_HEAD];
        head[0] = width as u8;
        if let Progress::Undo { depth, news } = at {
            head[1] = 1;
            head[2] = news as u8;
            head[4..6].copy_from_slice(&(depth as u16).to_le_bytes());
        }
        if let Err(error) = self.shelf.save_scratch(self.unit.subspace, head, streams) {
            (self.note)(&format!("{error}; the run goes on without saving its state"));
        }
        self.last.set(Instant::now());
    }
}

/// A unit in progress, as it was saved.
pub(super) struct Saved {
    scratch: Scratch,
    width: u8,
    at: Progress,
}

impl Saved {
    fn new(scratch: Scratch) -> Option<Saved> {
        let head = scratch.head();
        let depth = usize::from(u16::from_le_bytes([head[4], head[5]]));
        let at = match head[1] {
            0 => Progress::Scan,
            1 => Progress::Undo { depth, news: usize::from(head[2]) },
            _ => return None,
        };
        matches!(head[0], 8 | 16).then_some(Saved { scratch, width: head[0], at })
    }

    /// Bits of a code.
    pub fn width(&self) -> u8 {
        self.width
    }

    /// How far the unit has come.
    pub fn at(&self) -> Progress {
        self.at
    }

    /// Fills the streams that were saved.
    pub fn read(&self, streams: Vec<RowBuffer<'_>>) -> Result<(), String> {
        let filled = |stream| match stream {
            RowBuffer::Narrow(codes) => Filled::Narrow(codes),
            RowBuffer::Wide(codes) => Filled::Wide(codes),
        };
        let mut streams: Vec<_> = streams.into_iter().map(filled).collect();
        let read = self.scratch.read(&mut streams);
        read.map_err(|what| format!("{} {what}", self.scratch.file()))
    }
}
