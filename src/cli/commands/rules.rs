//! `rules`: the variants, or one rule set with its board drawn.

use crate::cli::failure::Failure;
use crate::cli::grammar::{self, Everywhere};
use crate::cli::options::{self, Asked, Game};
use crate::cli::show::{self, Columns};
use crate::notation::draw;
use crate::report::{RulesReport, RulesRow, also_called, edges};
use crate::rules::variants;
use crate::space::subspaces;
use std::io::Write;

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
    let rows: Vec<RulesRow> =
        variants::all().iter().map(|variant| RulesRow::new(variant.id, &variant.rules)).collect();
    serde_json::to_writer(&mut *out, &rows)?;
    Ok(writeln!(out)?)
}

fn one_json(game: &Game, out: &mut dyn Write) -> Result<(), Failure> {
    let report = RulesReport::new(&game.name, &game.rules, game.shelf()?.place());
    serde_json::to_writer(&mut *out, &report)?;
    Ok(writeln!(out)?)
}

fn one(game: &Game, out: &mut dyn Write) -> Result<(), Failure> {
    let board = &game.rules.board;
    writeln!(out, "{}", game.name)?;
    let mut columns = Columns::new(&["", ""]);
    let mut line = |name: &str, value: String| columns.row([name.to_owned(), value]);
    let also = also_called(&game.rules);
    if !also.is_empty() {
        line("also called", also.join(", "));
    }
    for (name, value) in game.rules.parameters() {
        line(name, value);
    }
    line(
        "",
        format!("{} points, {} edges, {} mills", board.len(), edges(board), board.mills().len()),
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
