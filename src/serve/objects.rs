//! What the server tells besides the objects of [`report`](crate::report): variants with what is on
//! their shelves, boards to be drawn, games. The keys are a contract.

use super::house::{Files, Room};
use super::refusal::Refusal;
use crate::board::Board;
use crate::game::Game;
use crate::notation::Moment;
use crate::probe::{ProbeError, Prober};
use crate::report::{Parameters, PositionReport, StatisticsRow, depth};
use crate::table::{Metric, Stored, TableError};
use serde::Serialize;

/// Turns that a game may have.
pub const MOST_TURNS: usize = 1000;

/// All variants.
#[derive(Serialize)]
pub struct Variants<'a> {
    pub variants: Vec<VariantRow<'a>>,
}

#[derive(Serialize)]
pub struct VariantRow<'a> {
    variant: &'a str,
    also_called: &'a [&'a str],
    board: &'a str,
    men: [u8; 2],
    points: usize,
    subspaces: usize,
    tables: usize,
    solved: bool,
}

impl<'a> VariantRow<'a> {
    pub fn new(room: &'a Room, files: &Files) -> VariantRow<'a> {
        let Numbers { subspaces, tables } = Numbers::of(room, files);
        VariantRow {
            variant: &room.offer.name,
            also_called: &room.also_called,
            board: room.offer.rules.board.name(),
            men: room.offer.rules.men,
            points: room.offer.rules.board.len(),
            subspaces,
            tables,
            solved: tables == subspaces,
        }
    }
}

struct Numbers {
    subspaces: usize,
    tables: usize,
}

impl Numbers {
    fn of(room: &Room, files: &Files) -> Numbers {
        let all = room.subspaces();
        let tables = all.iter().filter(|subspace| files.tells(**subspace)).count();
        Numbers { subspaces: all.len(), tables }
    }
}

/// One variant, its board and what is on its shelf.
#[derive(Serialize)]
pub struct VariantReport<'a> {
    variant: &'a str,
    also_called: &'a [&'a str],
    men: [u8; 2],
    points: usize,
    subspaces: usize,
    tables: usize,
    solved: bool,
    parameters: Parameters<'a>,
    board: BoardReport<'a>,
    start: String,
    coverage: Vec<Coverage>,
    missing: usize,
}

#[derive(Serialize)]
struct BoardReport<'a> {
    name: &'a str,
    points: Vec<PointReport<'a>>,
    edges: Vec<[&'a str; 2]>,
    mills: Vec<Vec<&'a str>>,
}

#[derive(Serialize)]
struct PointReport<'a> {
    name: &'a str,
    x: f64,
    y: f64,
}

#[derive(Serialize)]
struct Coverage {
    subspace: String,
    values: bool,
    depths: bool,
}

impl<'a> VariantReport<'a> {
    pub fn new(room: &'a Room, files: &Files) -> VariantReport<'a> {
        let rules = &room.offer.rules;
        let Numbers { subspaces, tables } = Numbers::of(room, files);
        let coverage = room.subspaces().iter().map(|subspace| Coverage {
            subspace: subspace.to_string(),
            values: files.tells(*subspace),
            depths: files.holds(*subspace, Metric::Dtw),
        });
        let start = room.notation.between(&rules.start());
        VariantReport {
            variant: &room.offer.name,
            also_called: &room.also_called,
            men: rules.men,
            points: rules.board.len(),
            subspaces,
            tables,
            solved: tables == subspaces,
            parameters: Parameters::new(rules),
            board: BoardReport::new(&rules.board),
            start: start.map_or(String::new(), |start| room.notation.moment(&start)),
            coverage: coverage.collect(),
            missing: subspaces - tables,
        }
    }
}

impl<'a> BoardReport<'a> {
    fn new(board: &'a Board) -> BoardReport<'a> {
        let name = |point| board.point_name(point);
        let places = places(board);
        let points = board.points().iter().zip(places);
        let points = points.map(|(point, (x, y))| PointReport { name: name(point), x, y });
        let edges = board.points().iter().flat_map(|from| {
            let after = board.neighbours(from).iter().filter(move |to| *to > from);
            after.map(move |to| [board.point_name(from), board.point_name(to)])
        });
        BoardReport {
            name: board.name(),
            points: points.collect(),
            edges: edges.collect(),
            mills: board.mills().iter().map(|mill| mill.iter().map(name).collect()).collect(),
        }
    }
}

/// Where the points are drawn: by their names where these are columns and rows, else in a circle.
fn places(board: &Board) -> Vec<(f64, f64)> {
    if let Some(places) = board.coordinates() {
        return places.into_iter().map(|(x, y)| (x as f64, y as f64)).collect();
    }
    let count = board.len() as f64;
    let radius = count / 4.0;
    let angle = |i: usize| std::f64::consts::TAU * i as f64 / count;
    // Hundredths are enough to draw by, and the same on every machine.
    let round = |x: f64| (x * 100.0).round() / 100.0;
    let place =
        |i| (round(radius + radius * angle(i).sin()), round(radius + radius * angle(i).cos()));
    (0..board.len()).map(place).collect()
}

/// A game with the value after each turn.
#[derive(Serialize)]
pub struct GameReport<'a> {
    variant: &'a str,
    start: String,
    plies: Vec<Ply>,
}

#[derive(Serialize)]
struct Ply {
    turn: Option<String>,
    position: String,
    removal_owed: bool,
    value: Option<&'static str>,
    depth: Option<u16>,
    depth_known: bool,
}

impl<'a> GameReport<'a> {
    pub fn new(room: &'a Room, prober: &Prober, text: &str) -> Result<GameReport<'a>, Refusal> {
        let game = Game::read(&room.notation, text).map_err(|error| Refusal::text(&error))?;
        let turns = game.turns();
        if turns.len() > MOST_TURNS {
            let message = format!("the game has {} turns", turns.len());
            let remedy = format!("ask for at most {MOST_TURNS} at a time");
            return Err(Refusal::request(message, remedy));
        }
        let start = turns.first().map_or(*game.at(), |turn| turn.before);
        let mut plies = vec![Ply::new(room, prober, None, &start)?];
        for turn in turns {
            plies.push(Ply::new(room, prober, Some(turn.text), &turn.after)?);
        }
        Ok(GameReport { variant: &room.offer.name, start: room.notation.moment(&start), plies })
    }
}

impl Ply {
    fn new(
        room: &Room,
        prober: &Prober,
        turn: Option<String>,
        at: &Moment,
    ) -> Result<Ply, Refusal> {
        let stored = known(prober, at).map_err(|error| Refusal::probe(room, &error))?;
        Ok(Ply {
            turn,
            position: room.notation.moment(at),
            removal_owed: at.pending().is_some(),
            value: stored.map(|stored| stored.value.word()),
            depth: stored.as_ref().and_then(depth),
            depth_known: stored.is_some_and(|stored| stored.outcome.is_some()),
        })
    }
}

/// The value where the game stands; `None` where its table is missing.
fn known(prober: &Prober, at: &Moment) -> Result<Option<Stored>, ProbeError> {
    if let Moment::Between { position, .. } = at
        && let Some(ending) = prober.rules().ending(position)
    {
        return Ok(Some(ending.outcome().into()));
    }
    match prober.value(at) {
        Ok(stored) => Ok(Some(stored)),
        Err(ProbeError::Table(TableError::Missing { .. })) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Counts of what is on the shelf.
#[derive(Serialize)]
pub struct StatisticsReport<'a> {
    variant: &'a str,
    subspaces: Vec<StatisticsRow>,
}

impl<'a> StatisticsReport<'a> {
    pub fn new(
        room: &'a Room,
        prober: &Prober,
        files: &Files,
    ) -> Result<StatisticsReport<'a>, Refusal> {
        let held = files.subspaces();
        let held = room.subspaces().iter().filter(|subspace| held.contains(subspace));
        let row = |subspace| match prober.shelf().find(subspace) {
            Ok(table) => Some(Ok(StatisticsRow::new(subspace, &table.header().census))),
            // It has gone in this moment.
            Err(TableError::Missing { .. }) => None,
            Err(error) => Some(Err(Refusal::table(room, &error))),
        };
        let rows: Result<Vec<StatisticsRow>, Refusal> = held.copied().filter_map(row).collect();
        Ok(StatisticsReport { variant: &room.offer.name, subspaces: rows? })
    }
}

/// The answer to a position.
pub fn position<'a>(
    room: &'a Room,
    prober: &Prober,
    text: &str,
    line: bool,
) -> Result<PositionReport<'a>, Refusal> {
    let moment = room.notation.read(text).map_err(|error| Refusal::text(&error))?;
    PositionReport::new(&room.offer.name, &room.notation, prober, &moment, line)
        .map_err(|error| Refusal::probe(room, &error))
}
