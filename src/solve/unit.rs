//! What goes into solving a unit and what comes out: the seams to finished subspaces and to whoever
//! watches, and the choice of width and processor. The work itself is in `work`.

use super::saved::{Saved, Saver};
use super::vector::Avx512;
use super::width::{CodeVec, RowBuffer, Width};
use super::work::Work;
#[cfg(target_arch = "x86_64")]
use crate::space::bits::Bmi2;
use crate::space::bits::{Bits, Portable};
use crate::space::{Space, Subspace, Unit};
use crate::table::{Census, TableError};
use std::hint::black_box;
use thiserror::Error;

/// Why a unit was not solved.
#[derive(Debug, Error)]
pub enum SolveError {
    /// The observer asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// A finished subspace that is looked up holds depths beyond 8 bits; solved again with 16.
    #[error("a subspace that is looked up has depths beyond 8 bits")]
    Wide,
    /// A depth beyond 16 bits.
    #[error("{0} has depths beyond {max} plies, more than a table can hold", max = u16::MAX)]
    TooDeep(Subspace),
    /// The machine does not give the memory that the unit takes.
    #[error(
        "{subspace} takes {mebibytes} MiB of memory in one piece, which the system refuses; \
         close other programs, lift the limit that is set (ulimit -v), or leave it out"
    )]
    Memory {
        /// The subspace.
        subspace: Subspace,
        /// What was asked for, in MiB.
        mebibytes: u64,
    },
    /// A finished subspace could not be read, or a solved one not written.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// Where the solver finds the subspaces that are solved already.
pub trait Finished: Sync {
    /// Opens a subspace; an error where it is not at hand.
    fn rows(&self, subspace: Subspace) -> Result<Box<dyn Rows + '_>, SolveError>;

    /// Is told when nothing more will be looked up for the unit, before its memory grows.
    fn release(&self) {}
}

/// The finished codes of one subspace.
pub trait Rows: Sync {
    /// Copies the codes from entry `first` on into `codes`, changed to its width;
    /// [`SolveError::Wide`] where a code does not fit.
    fn read(&self, first: u64, codes: RowBuffer<'_>) -> Result<(), SolveError>;
}

/// Is told how the work goes, and may stop it. Called from several threads.
pub trait Observer: Sync {
    /// So many more entries have been scanned.
    fn scanned(&self, entries: u64) {
        let _ = entries;
    }

    /// All entries decided at `depth` plies are known.
    fn layer(&self, depth: usize) {
        let _ = depth;
    }

    /// The unit begins anew with 16 bits a depth: entries scanned so far count for nothing.
    fn widened(&self) {}

    /// Whether to stop.
    fn interrupted(&self) -> bool {
        false
    }
}

/// Nobody watches.
impl Observer for () {}

/// A solved subspace.
#[derive(Debug)]
pub struct Solved {
    /// Which it is.
    pub subspace: Subspace,
    /// Its codes, in entry order.
    pub codes: CodeVec,
    /// Its counts.
    pub census: Census,
}

/// The solved subspaces of a unit.
pub type Solution = Vec<Solved>;

/// Solves a unit whose dependencies are `finished`: with 8 bits a depth, and again with 16 where
/// they do not do.
pub fn solve(
    space: &Space,
    unit: Unit,
    finished: &dyn Finished,
    observer: &dyn Observer,
) -> Result<Solution, SolveError> {
    solve_saving(space, unit, finished, observer, None)
}

/// As [`solve`]; what is done so far is saved from time to time, and taken up where it was saved.
pub(super) fn solve_saving(
    space: &Space,
    unit: Unit,
    finished: &dyn Finished,
    observer: &dyn Observer,
    saver: Option<&Saver<'_>>,
) -> Result<Solution, SolveError> {
    let task = Task { space, unit, finished, observer, saver };
    #[cfg(target_arch = "x86_64")]
    if let Some(bits) = Bmi2::detect() {
        return task.solve(Ways { bits, vector: Avx512::detect() });
    }
    task.solve(Ways { bits: Portable, vector: None })
}

/// As [`solve`], without asking what the processor can do: the way of plain processors, to be
/// compared with.
pub fn solve_portably(
    space: &Space,
    unit: Unit,
    finished: &dyn Finished,
    observer: &dyn Observer,
) -> Result<Solution, SolveError> {
    let task = Task { space, unit, finished, observer, saver: None };
    task.solve(Ways { bits: Portable, vector: None })
}

/// What the processor has.
#[derive(Clone, Copy)]
pub(super) struct Ways<B> {
    pub bits: B,
    pub vector: Option<Avx512>,
}

/// A unit to be solved, and everybody who has to do with that.
#[derive(Clone, Copy)]
pub(super) struct Task<'a> {
    pub space: &'a Space,
    pub unit: Unit,
    pub finished: &'a dyn Finished,
    pub observer: &'a dyn Observer,
    pub saver: Option<&'a Saver<'a>>,
}

impl Task<'_> {
    fn solve(self, ways: Ways<impl Bits>) -> Result<Solution, SolveError> {
        let saved = self.saver.and_then(Saver::load);
        if saved.as_ref().is_none_or(|saved| saved.width() == 8) {
            match self.solve_as::<u8>(ways, saved) {
                Err(SolveError::Wide | SolveError::TooDeep(_)) => {}
                result => return result,
            }
            self.observer.widened();
            return self.solve_as::<u16>(ways, None);
        }
        self.observer.widened();
        self.solve_as::<u16>(ways, saved)
    }

    fn solve_as<C: Width>(
        self,
        ways: Ways<impl Bits>,
        saved: Option<Saved>,
    ) -> Result<Solution, SolveError> {
        let entries = |s: Subspace| self.space.index(s).entries();
        reserve::<C>(self.unit.subspace, self.unit.subspaces().map(entries).sum())?;
        if let (Some(saved), Some(saver)) = (saved, self.saver) {
            let mut work = Work::<C, _>::new(self, ways);
            let restored = work.restore(&saved);
            // The file is mapped into memory, of which the unit is about to need more.
            drop(saved);
            match restored {
                Ok(from) => {
                    saver.accept(from);
                    return work.run(Some(from));
                }
                Err(what) => saver.refuse(&what),
            }
        }
        Work::<C, _>::new(self, ways).run(None)
    }
}

/// Whether the system gives so many bytes in one piece.
pub(super) fn can_be_had(bytes: usize) -> bool {
    let mut piece = Vec::<u8>::new();
    let given = piece.try_reserve_exact(bytes).is_ok();
    // A piece that nobody uses would not be asked for.
    black_box(&piece);
    given
}

/// A margin for what a unit takes in small pieces, which end the process where they are not given.
const BESIDES: u64 = 32 << 20;

/// Refuses where the system does not give the memory of a subspace, rather than being ended by it.
/// (Filling a vector that was reserved would touch every page from one thread.)
fn reserve<C>(subspace: Subspace, entries: u64) -> Result<(), SolveError> {
    let bytes = entries.saturating_mul(2 * size_of::<C>() as u64 + 1).saturating_add(BESIDES);
    let refused = SolveError::Memory { subspace, mebibytes: bytes.div_ceil(1 << 20) };
    let wanted = usize::try_from(bytes).unwrap_or(usize::MAX);
    if can_be_had(wanted) { Ok(()) } else { Err(refused) }
}
