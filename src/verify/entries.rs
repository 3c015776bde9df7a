//! The check of one position after the other: whatever is at hand, as many as are asked for.
//!
//! The turns come from [`crate::rules`], one position at a time. Slow, and the plainest words there
//! are for the step: samples, tables of 16 bits and of values alone are checked like this, and the
//! quick way by rows is held against it.

use super::planes::Plane;
use super::{Fault, Faults, Scope, VerifyError, Watch};
use crate::rules::{Position, Turn};
use crate::space::{Space, Subspace};
use crate::table::{Metric, Stored, Table, TableError};
use crate::value::{Outcome, Value};
use rayon::prelude::*;
use std::collections::HashMap;

/// Entries that a thread checks between two looks at the clock.
const CHUNK: u64 = 4096;

/// Entry by entry, whatever is at hand.
pub(super) fn by_entries(
    space: &Space,
    subspace: Subspace,
    tables: Vec<Table>,
    values: Option<Table>,
    scope: Scope,
    faults: &Faults,
    watch: &dyn Watch,
) -> Result<u64, VerifyError> {
    let whole = scope == Scope::All;
    let entries = tables[0].entries();
    let mut planes = HashMap::new();
    for table in tables {
        planes.insert(table.header().subspace, Plane::open(space, table, whole)?);
    }
    let values = values.map(|table| Plane::open(space, table, whole)).transpose()?;
    let check = Check { space, subspace, planes: &planes, values };
    let amount = match scope {
        Scope::All => entries,
        Scope::Sample { entries: wanted, .. } => wanted,
    };
    let chunks = (0..amount.div_ceil(CHUNK)).into_par_iter();
    chunks.try_for_each_init(Vec::new, |turns, chunk| {
        if watch.interrupted() {
            return Err(VerifyError::Interrupted);
        }
        let part = chunk * CHUNK..amount.min((chunk + 1) * CHUNK);
        watch.checked(part.end - part.start);
        for number in part {
            let entry = match scope {
                Scope::All => number,
                Scope::Sample { seed, .. } => draw(seed, number, entries),
            };
            if let Some(fault) = check.entry(entry, turns)? {
                faults.note(fault);
            }
        }
        Ok(())
    })?;
    Ok(amount)
}

/// The `number`-th entry that a seed draws (splitmix64, scaled to the range).
fn draw(seed: u64, number: u64, entries: u64) -> u64 {
    let mut z = seed.wrapping_add((number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^= z >> 31;
    ((u128::from(z) * u128::from(entries)) >> 64) as u64
}

struct Check<'a> {
    space: &'a Space,
    subspace: Subspace,
    planes: &'a HashMap<Subspace, Plane>,
    /// The plane of values, where the one of depths is what is checked first.
    values: Option<Plane>,
}

impl Check<'_> {
    fn entry(&self, entry: u64, turns: &mut Vec<Turn>) -> Result<Option<Fault>, TableError> {
        let plane = &self.planes[&self.subspace];
        let stored = plane.stored(entry)?;
        let position = plane.index().arrangement(entry);
        let derived = self.derive(&position, turns)?;
        let agree = match (stored.outcome, derived.outcome) {
            (Some(stored), Some(derived)) => stored == derived,
            _ => stored.value == derived.value,
        };
        if !agree {
            let metric = if plane.has_depths() { Metric::Dtw } else { Metric::Wdl };
            return Ok(Some(Fault { entry, position, metric, stored, derived }));
        }
        let Some(values) = &self.values else { return Ok(None) };
        let value = values.stored(entry)?;
        let fault = Fault { entry, position, metric: Metric::Wdl, stored: value, derived: stored };
        Ok((value.value != stored.value).then_some(fault))
    }

    /// One forward step: the best of the turns, from the stored values of what they lead to.
    fn derive(&self, position: &Position, turns: &mut Vec<Turn>) -> Result<Stored, TableError> {
        let rules = self.space.rules();
        if let Some(ending) = rules.ending(position) {
            return Ok(ending.outcome().into());
        }
        rules.turns_into(position, turns);
        let mut value = Value::Loss;
        let mut outcome: Option<Outcome> = None;
        let mut depths_known = true;
        for turn in turns.iter() {
            let stored = self.after(&rules.play(position, turn))?;
            value = value.max(stored.value.opposite());
            match stored.outcome.map(Outcome::before) {
                None => depths_known = false,
                Some(this) => {
                    let better = outcome.is_none_or(|best| this.preference() > best.preference());
                    outcome = if better { Some(this) } else { outcome };
                }
            }
        }
        Ok(Stored { value, outcome: outcome.filter(|_| depths_known) })
    }

    fn after(&self, position: &Position) -> Result<Stored, TableError> {
        if self.space.rules().too_few(position.mover_total()) {
            return Ok(Outcome::LOST.into());
        }
        let plane = &self.planes[&Subspace::of(position)];
        plane.stored(plane.index().entry(position))
    }
}
