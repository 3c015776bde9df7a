//! `rules`: the variants, or one rule set with its board drawn.

use crate::cli::failure::Failure;
use crate::cli::grammar::{self, Everywhere};
use crate::cli::options::{self, Asked, Game};
use crate::cli::show::{self, Columns};
use crate::notation::draw;
use crate::rules::{Rules, variants};
use crate::space::subspaces;
use serde::Serialize;
use std::io::Write;

#[derive(Serialize)]
struct Row<'a> {
    variant: &'a str,
    also_called: Vec<&'a str>,
    parameters: Parameters<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Parameters<'a> {
    board: &'a str,
    men: [u8; 2],
    flying: &'a str,
    mill: &'a str,
    placing: &'a str,
    full_board: &'a str,
    blocked: &'a str,
    protection: &'a str,
}

#[derive(Serialize)]
struct Whole<'a> {
    #[serde(flatten)]
    row: Row<'a>,
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

/// Runs the command.
pub fn run(
    words: &grammar::Rules,
    everywhere: &Everywhere,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if options::bare(&words.rules) {
        return match everywhere.json {
            true => list_json(out),
            false => list(out),
        };
    }
    let Asked { game, rest } = Asked::new(&words.rules, &[], everywhere)?;
    if let Some(word) = rest.first() {
        return Err(Failure::usage(format!("{word:?} is not expected after --rules FILE")));
    }
    match everywhere.json {
        true => one_json(&game, out),
        false => one(&game, out),
    }
}

fn list(out: &mut dyn Write) -> Result<(), Failure> {
    let shown = &variants::all()[0].rules;
    let parameters = shown.parameters();
    let mut heads = vec!["variant"];
    heads.extend(parameters.iter().map(|(name, _)| *name));
    heads.push("also called");
    let mut columns = Columns::new(&heads);
    for variant in variants::all() {
        let values = variant.rules.parameters().into_iter().map(|(_, value)| value);
        let first = std::iter::once(variant.id.to_owned());
        columns.row(first.chain(values).chain([variant.also.to_owned()]));
    }
    Ok(columns.write(out, 0)?)
}

fn list_json(out: &mut dyn Write) -> Result<(), Failure> {
    let rows: Vec<Row> = variants::all()
        .iter()
        .map(|variant| row(variant.id, variant.also, &variant.rules))
        .collect();
    serde_json::to_writer(&mut *out, &rows)?;
    Ok(writeln!(out)?)
}

fn row<'a>(name: &'a str, also: &'a str, rules: &'a Rules) -> Row<'a> {
    let also_called = also.split(", ").filter(|name| !name.is_empty()).collect();
    let parameters = Parameters {
        board: rules.board.name(),
        men: rules.men,
        flying: rules.flying.word(),
        mill: rules.mill.word(),
        placing: rules.placing.word(),
        full_board: rules.full_board.word(),
        blocked: rules.blocked.word(),
        protection: rules.protection.word(),
    };
    Row { variant: name, also_called, parameters }
}

/// The other names of a game that ships.
fn also(rules: &Rules) -> &'static str {
    variants::of(rules).map_or("", |variant| variant.also)
}

fn one_json(game: &Game, out: &mut dyn Write) -> Result<(), Failure> {
    let board = &game.rules.board;
    let all = subspaces(&game.rules);
    let moving = all.iter().filter(|subspace| subspace.is_moving()).count();
    let whole = Whole {
        row: row(&game.name, also(&game.rules), &game.rules),
        points: board.points().iter().map(|point| board.point_name(point)).collect(),
        edges: edges(game),
        mills: board.mills().len(),
        symmetries: board.group().order(),
        symmetries_of_mills: board.mills_group().order(),
        subspaces: all.len(),
        moving,
        placing: all.len() - moving,
        directory: game.shelf()?.place(),
    };
    serde_json::to_writer(&mut *out, &whole)?;
    Ok(writeln!(out)?)
}

fn edges(game: &Game) -> usize {
    let board = &game.rules.board;
    board.points().iter().map(|point| board.neighbours(point).len()).sum::<usize>() / 2
}

fn one(game: &Game, out: &mut dyn Write) -> Result<(), Failure> {
    let board = &game.rules.board;
    writeln!(out, "{}", game.name)?;
    let mut columns = Columns::new(&["", ""]);
    let mut line = |name: &str, value: String| columns.row([name.to_owned(), value]);
    if !also(&game.rules).is_empty() {
        line("also called", also(&game.rules).to_owned());
    }
    for (name, value) in game.rules.parameters() {
        line(name, value);
    }
    line(
        "",
        format!("{} points, {} edges, {} mills", board.len(), edges(game), board.mills().len()),
    );
    let by_mills = board.mills_group().order();
    line("symmetries", format!("{} (of the mills alone: {by_mills})", board.group().order()));
    let all = subspaces(&game.rules);
    let moving = all.iter().filter(|subspace| subspace.is_moving()).count();
    let placing = show::number((all.len() - moving) as u64);
    let total = show::number(all.len() as u64);
    line("subspaces", format!("{total} ({moving} moving, {placing} placing)"));
    line("tables", game.shelf()?.place());
    columns.write(out, 2)?;
    writeln!(out)?;
    write!(out, "{}", draw(board, None))?;
    Ok(())
}
