//! What a unit will take, from numbers that were measured.
//!
//! Memory follows from the numbers of entries. Disk does not: how well a table packs depends on how
//! many of its positions are decided and how deep, which is what solving finds out. But it changes
//! little from one subspace to the next with as many stones, so bits an entry are listed by the
//! stones of both players, on the board and in hand.
//!
//! Beware: the lists are of whole games up to 10 or 11 stones, and of all of `nine`
//! (`docs/PERFORMANCE.md`). Beyond that, for other rules, they are carried on by eye.

use crate::rules::{Flying, Placing, Rules};
use crate::space::{Subspace, Unit, binomial, quiet_turns};
use std::time::Duration;

/// Bytes for each entry of a unit while it is solved: working codes, open moves, finished codes.
pub(super) const fn bytes_per_entry(code_bytes: u64) -> u64 {
    2 * code_bytes + 1
}

/// The program itself.
const PROGRAM_BYTES: u64 = 8 << 20;
/// Rooms of a thread, blocks on their way to the disk: as much as the unit has entries, and at
/// most so much.
const THREAD_BYTES: u64 = 12 << 20;

/// Nanoseconds of one core for each entry, with up to 8 stones on the board, 9, and so on; the last
/// number goes for all that follow. From a run of the whole of `nine` (`docs/PERFORMANCE.md`): the
/// more of the positions are decided and the deeper they are, the longer it takes.
type Nanoseconds = &'static [f64];
/// Nobody may move.
const PLACE: Nanoseconds = &[40.0, 54.0, 54.0, 61.0, 75.0];
/// Stones slide.
const SLIDE: Nanoseconds = &[18.0, 18.0, 54.0, 117.0, 150.0];
/// One side flies.
const FLY: Nanoseconds = &[34.0, 51.0, 138.0, 190.0];

/// Bytes of a file besides its blocks, and of its line in the inventory.
const FILE_BYTES: u64 = 256 + 24 + 24 + 40;
/// Bits of an entry in a saved state of a unit, at most.
const STATE_BITS: u64 = 4;

/// Bits an entry, both planes, with 6 stones of both players, 7, 8, and so on; the last number goes
/// for all that follow.
type Bits = &'static [f64];
/// Flying with three, three rings: `nine`, to the end.
const FLYING: Bits = &[2.69, 0.73, 0.16, 0.23, 1.31, 2.10, 2.71, 3.13, 3.45, 3.8];
/// The same with free placing: `lasker`, to 10 stones.
const FREE: Bits = &[2.60, 0.80, 0.22, 0.44, 1.50, 2.3, 2.8, 3.2, 3.5, 3.8];
/// Flying with three, more mills than three rings have: `twelve`, to 11 stones.
const DIAGONAL: Bits = &[2.23, 1.28, 0.85, 1.45, 2.27, 2.54, 2.8, 3.1, 3.4, 3.6];
/// Without flying: `nine-noflying` to 11 stones, `twelve-noflying` to 10.
const SLIDING: Bits = &[3.5, 2.6, 2.2, 1.93, 1.88, 1.97, 2.3, 2.7, 3.1, 3.6];
/// Boards on which stones are always near each other: `five`, `six`.
const SMALL: Bits = &[3.68, 2.96, 2.47, 2.9, 3.1, 4.25, 4.63];

/// Bits an entry of a subspace.
fn bits(rules: &Rules, subspace: Subspace) -> f64 {
    let (points, mills) = (rules.board.len(), rules.board.mills().len());
    let list = match (rules.flying, rules.placing) {
        _ if points <= 16 => SMALL,
        (Flying::Never, _) => SLIDING,
        // Three rings have two points of mills for each point of the board.
        _ if 3 * mills > 2 * points => DIAGONAL,
        (_, Placing::Free) => FREE,
        _ => FLYING,
    };
    let place = usize::from(subspace.total()).saturating_sub(6);
    list[place.min(list.len() - 1)]
}

/// Bytes of both tables of a subspace with so many entries.
pub(super) fn table_bytes(rules: &Rules, subspace: Subspace, entries: u64) -> u64 {
    (entries as f64 * bits(rules, subspace) / 8.0) as u64 + 2 * FILE_BYTES
}

/// How much slower than the rates a machine may be.
const SLOWER: f64 = 3.0;

/// Bytes of the saved states of a unit that may take so long that it is saved: the last one, and the
/// one that takes its place.
pub(super) fn state_bytes(entries: u64, core_seconds: f64, every: Duration) -> u64 {
    match SLOWER * core_seconds < every.as_secs_f64() {
        true => 0,
        false => 2 * entries * STATE_BITS / 8,
    }
}

/// Seconds of one core for a subspace with so many entries.
pub(super) fn core_seconds(rules: &Rules, subspace: Subspace, entries: u64) -> f64 {
    let list = match quiet_turns(rules, subspace) {
        false => PLACE,
        true if rules.flies(subspace.mover_total()) || rules.flies(subspace.opponent_total()) => {
            FLY
        }
        true => SLIDE,
    };
    let place = usize::from(subspace.mover + subspace.opponent).saturating_sub(8);
    let nanoseconds = list[place.min(list.len() - 1)];
    entries as f64 * nanoseconds * 1e-9
}

/// Bytes of memory for a unit with so many entries, with 8 bits a depth.
pub(super) fn memory(rules: &Rules, unit: Unit, entries: u64) -> u64 {
    let rooms = entries.min(THREAD_BYTES * rayon::current_num_threads() as u64);
    entries * bytes_per_entry(1) + index_bytes(rules, unit) + rooms + PROGRAM_BYTES
}

/// Bytes of the tables of classes and columns that a unit and its look-ups need, from above.
fn index_bytes(rules: &Rules, unit: Unit) -> u64 {
    let points = rules.board.len();
    let most = |pick: fn(&Subspace) -> u8| unit.subspaces().map(|s| pick(&s)).max().unwrap_or(0);
    let largest = usize::from(most(|s| s.mover)).max(usize::from(most(|s| s.opponent))) + 1;
    let sets: u64 = (0..=largest.min(points)).map(|k| binomial(points, k)).sum();
    let columns = |s: Subspace| {
        let free = points - usize::from(s.opponent);
        (0..2).map(|more| binomial(free, usize::from(s.mover) + more)).sum::<u64>()
    };
    // A set takes 4 bytes in its table and an eighth of 12 as a representative; a column 4 bytes
    // and a bit for every point.
    6 * sets + 8 * 2 * unit.subspaces().map(columns).sum::<u64>()
}

/// Bytes that decoded blocks of finished subspaces may take while a unit with so many entries is
/// scanned. An eighth of the entries is enough: the rows that neighbouring rows look up lie close
/// together (measured: a quarter of what is looked up costs 5 % of the scan, a tenth 30 %). They are
/// given back before the finished layout is made, so they never are what the peak is made of; small
/// units, which may look up larger ones, get what the forecast has room for.
pub(super) fn cache_bytes(entries: u64) -> u64 {
    (entries / 8).max((entries + (4 << 20)).min(32 << 20))
}
