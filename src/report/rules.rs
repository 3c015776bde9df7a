//! A rule set: its names, its parameters, its numbers.

use crate::board::Board;
use crate::rules::{Rules, variants};
use crate::space::subspaces;
use serde::Serialize;

/// A rule set in a list.
#[derive(Debug, Serialize)]
pub struct RulesRow<'a> {
    variant: &'a str,
    also_called: Vec<&'a str>,
    parameters: Parameters<'a>,
}

/// The board by name, and the seven parameters.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Parameters<'a> {
    board: &'a str,
    men: [u8; 2],
    flying: &'a str,
    mill: &'a str,
    placing: &'a str,
    full_board: &'a str,
    blocked: &'a str,
    protection: &'a str,
}

/// One rule set, with the numbers of its board and its subspaces.
#[derive(Debug, Serialize)]
pub struct RulesReport<'a> {
    #[serde(flatten)]
    row: RulesRow<'a>,
    points: Vec<&'a str>,
    edges: usize,
    mills: usize,
    symmetries: usize,
    symmetries_of_mills: usize,
    subspaces: usize,
    moving: usize,
    placing: usize,
    directory: String,
}

impl<'a> RulesRow<'a> {
    /// The row of a rule set that is called `name`.
    pub fn new(name: &'a str, rules: &'a Rules) -> RulesRow<'a> {
        RulesRow {
            variant: name,
            also_called: also_called(rules),
            parameters: Parameters::new(rules),
        }
    }
}

impl<'a> Parameters<'a> {
    /// The parameters of a rule set, as words.
    pub fn new(rules: &'a Rules) -> Parameters<'a> {
        Parameters {
            board: rules.board.name(),
            men: rules.men,
            flying: rules.flying.word(),
            mill: rules.mill.word(),
            placing: rules.placing.word(),
            full_board: rules.full_board.word(),
            blocked: rules.blocked.word(),
            protection: rules.protection.word(),
        }
    }
}

impl<'a> RulesReport<'a> {
    /// All about a rule set that is called `name` and has its tables in `directory`.
    pub fn new(name: &'a str, rules: &'a Rules, directory: String) -> RulesReport<'a> {
        let board = &rules.board;
        let all = subspaces(rules);
        let moving = all.iter().filter(|subspace| subspace.is_moving()).count();
        RulesReport {
            row: RulesRow::new(name, rules),
            points: board.points().iter().map(|point| board.point_name(point)).collect(),
            edges: edges(board),
            mills: board.mills().len(),
            symmetries: board.group().order(),
            symmetries_of_mills: board.mills_group().order(),
            subspaces: all.len(),
            moving,
            placing: all.len() - moving,
            directory,
        }
    }
}

/// The other names of a game that ships.
pub fn also_called(rules: &Rules) -> Vec<&'static str> {
    let also = variants::of(rules).map_or("", |variant| variant.also);
    also.split(", ").filter(|name| !name.is_empty()).collect()
}

/// How many pairs of points are adjacent.
pub fn edges(board: &Board) -> usize {
    board.points().iter().map(|point| board.neighbours(point).len()).sum::<usize>() / 2
}
