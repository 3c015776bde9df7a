//! What is on a shelf, and what is not: the same for every command that works on tables that are
//! there.

use super::failure::{Failure, talk};
use super::options::Game;
use super::show;
use crate::space::{Subspace, subspaces};
use crate::table::{Metric, Shelf, TableError};
use std::collections::{BTreeMap, BTreeSet};

/// Names that a message lists before it only counts.
const LISTED: usize = 8;

/// The subspaces that a command works on.
pub struct Chosen {
    /// In the order named, or in the order in which they are solved.
    pub subspaces: Vec<Subspace>,
    /// Whether somebody named them, so that a missing one is a fault.
    pub named: bool,
}

/// The subspaces that are named, all of which must be there; with none named, those on the shelf,
/// and what is not there is mentioned. An empty shelf is a failure.
pub fn choose(game: &Game, shelf: &Shelf, named: Vec<Subspace>) -> Result<Chosen, Failure> {
    let mut present = shelf.present()?;
    let obstacles = obstacles(shelf, &present);
    present.extend(obstacles.into_iter().map(|(subspace, metric, _)| (subspace, metric)));
    if present.is_empty() {
        return Err(game.empty(shelf));
    }
    if named.is_empty() {
        mention_absent(game, shelf, &present);
        let mut seen = BTreeSet::new();
        let all = present.into_iter().map(|(subspace, _)| subspace);
        let subspaces = all.filter(|subspace| seen.insert(*subspace)).collect();
        return Ok(Chosen { subspaces, named: false });
    }
    let held: BTreeSet<Subspace> = present.into_iter().map(|(subspace, _)| subspace).collect();
    let absent: Vec<Subspace> = named.iter().copied().filter(|s| !held.contains(s)).collect();
    match absent.is_empty() {
        true => Ok(Chosen { subspaces: named, named: true }),
        false => Err(missing(game, shelf, &absent)),
    }
}

/// What stands in the place of a table and is no file, so that the shelf does not count it among
/// the tables that are `there`.
pub fn obstacles(
    shelf: &Shelf,
    there: &[(Subspace, Metric)],
) -> Vec<(Subspace, Metric, TableError)> {
    let there: BTreeSet<&(Subspace, Metric)> = there.iter().collect();
    let all = subspaces(shelf.rules()).into_iter();
    let tables = all.flat_map(|subspace| Metric::ALL.map(|metric| (subspace, metric)));
    let others = tables.filter(|table| !there.contains(table));
    let obstacle = |(subspace, metric)| match shelf.table(subspace, metric) {
        Ok(_) | Err(TableError::Missing { .. }) => None,
        Err(error) => Some((subspace, metric, error)),
    };
    others.filter_map(obstacle).collect()
}

fn missing(game: &Game, shelf: &Shelf, absent: &[Subspace]) -> Failure {
    let what = names(absent);
    let message = format!("no table of {what} in {}: not generated, or gone", shelf.place());
    let failure = Failure::new(super::failure::Status::No, "missing-table", message);
    let all = absent.iter().map(Subspace::to_string).collect::<Vec<_>>().join(" ");
    failure.hint(game.how_to_make(&all))
}

/// Says on stderr which tables of the rule set are not there.
fn mention_absent(game: &Game, shelf: &Shelf, present: &[(Subspace, Metric)]) {
    let mut planes: BTreeMap<Subspace, Vec<Metric>> = BTreeMap::new();
    for (subspace, metric) in present {
        planes.entry(*subspace).or_default().push(*metric);
    }
    let all = subspaces(&game.rules);
    let total = all.len() as u64;
    let mut absent = all;
    absent.retain(|subspace| !planes.contains_key(subspace));
    if !absent.is_empty() {
        talk(&format!(
            "note: {} of {} of {} {} not on the shelf {}: {}",
            show::number(absent.len() as u64),
            show::count(total, "subspace"),
            game.name,
            if absent.len() == 1 { "is" } else { "are" },
            shelf.place(),
            names(&absent)
        ));
    }
    for (subspace, metrics) in planes.iter().filter(|(_, held)| held.len() < Metric::ALL.len()) {
        let gone = Metric::ALL.into_iter().filter(|metric| !metrics.contains(metric));
        for metric in gone {
            let file = Shelf::file_name(*subspace, metric);
            talk(&format!("note: {file} is not on the shelf {}", shelf.place()));
        }
    }
}

/// The first few by name, and how many more there are.
fn names(subspaces: &[Subspace]) -> String {
    let first: Vec<String> = subspaces.iter().take(LISTED).map(Subspace::to_string).collect();
    let mut text = first.join(", ");
    if subspaces.len() > LISTED {
        text += &format!(" and {} more", show::number((subspaces.len() - LISTED) as u64));
    }
    text
}
