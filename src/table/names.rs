//! The names of files in the directory of a rule set, and the order in which tables are solved.
//!
//! Beware: what bears no name of ours is somebody else's, and is neither read nor removed.

use super::inventory::INVENTORY;
use super::scratch::SCRATCH;
use super::writer::PARTIAL;
use super::{Metric, Shelf};
use crate::board::MAX_POINTS;
use crate::space::Subspace;
use std::cmp::Reverse;

/// The table that a file name stands for.
pub(super) fn parse(name: &str) -> Option<(Subspace, Metric)> {
    let (stem, extension) = name.rsplit_once('.')?;
    let (subspace, metric): (Subspace, _) =
        (stem.parse().ok()?, Metric::from_extension(extension)?);
    let Subspace { mover, opponent, mover_hand, opponent_hand } = subspace;
    let fits = [mover, opponent, mover_hand, opponent_hand].iter().all(|n| *n <= MAX_POINTS as u8);
    (fits && Shelf::file_name(subspace, metric) == name).then_some((subspace, metric))
}

/// The subspace whose saved state a file name stands for.
pub(super) fn parse_state(name: &str) -> Option<Subspace> {
    name.strip_suffix(SCRATCH)?.parse().ok()
}

/// Whether this is the name of a file of ours that was not finished, and of none of somebody else's.
pub(super) fn is_partial(name: &str) -> bool {
    let Some(name) = name.strip_suffix(PARTIAL) else { return false };
    let numbered = name.rsplit_once('.').filter(|(_, number)| is_number(number));
    let name = numbered.map_or(name, |(name, _)| name);
    name == INVENTORY || parse(name).is_some() || parse_state(name).is_some()
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Sorts as [`crate::space::subspaces`] does.
pub(super) fn solving_order((s, metric): &(Subspace, Metric)) -> impl Ord + use<> {
    (s.total(), s.hands(), (*s).max(s.twin()), Reverse(*s), *metric)
}
