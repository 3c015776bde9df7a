//! `list`: which tables are on the shelf: whole, damaged or missing.

use crate::cli::failure::{Failure, Status, talk};
use crate::cli::grammar::{self, Everywhere};
use crate::cli::options::{Asked, Game};
use crate::cli::progress::CheckBar;
use crate::cli::shelved::{self, Chosen};
use crate::cli::show::{self, Columns};
use crate::table::{Header, Listed, Shelf, State, TableError};
use serde::Serialize;
use std::io::Write;

#[derive(Serialize)]
struct Row {
    subspace: String,
    plane: &'static str,
    file: String,
    state: &'static str,
    entries: Option<u64>,
    bytes: Option<u64>,
    digest: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    what: Option<String>,
    #[serde(skip)]
    status: Option<Status>,
}

/// Runs the command.
pub fn run(
    words: &grammar::List,
    everywhere: &Everywhere,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let Asked { game, rest } =
        Asked::new(&words.scopes.rules, &words.scopes.subspaces, everywhere)?;
    let named = game.subspaces(&rest)?;
    let shelf = game.shelf()?;
    let listing = shelf.list()?;
    listing.notes.iter().for_each(|note| talk(&format!("note: {note}")));
    let mut tables = listing.tables;
    let listed: Vec<_> = tables.iter().map(|table| (table.subspace, table.metric)).collect();
    for (subspace, metric, error) in shelved::obstacles(&shelf, &listed) {
        tables.push(Listed { subspace, metric, state: State::Unusable(error) });
    }
    if !named.is_empty() {
        tables.retain(|table| named.contains(&table.subspace));
    }
    let rows = look(&shelf, tables, words.quick);
    let chosen = shelved::choose(&game, &shelf, named);
    let done = chosen.and_then(|Chosen { named, .. }| conclude(&game, &shelf, &rows, named));
    let printed = if everywhere.json && !(rows.is_empty() && done.is_err()) {
        print_json(&rows, out)
    } else if !rows.is_empty() {
        print(&game, &shelf, &rows, out)
    } else {
        Ok(())
    };
    // The verdict stands, whether or not somebody reads the list.
    done.and(printed)
}

fn print_json(rows: &[Row], out: &mut dyn Write) -> Result<(), Failure> {
    serde_json::to_writer(&mut *out, rows)?;
    Ok(writeln!(out)?)
}

/// The tables as rows; unless `quick`, every byte of them is read.
fn look(shelf: &Shelf, tables: Vec<Listed>, quick: bool) -> Vec<Row> {
    let entries = tables.iter().map(|table| match &table.state {
        State::Whole(header) if !quick => header.entries,
        _ => 0,
    });
    let bar = CheckBar::new(entries.sum(), "entries");
    let row = |table: Listed| {
        bar.at(table.subspace);
        let checked = match &table.state {
            State::Whole(header) if !quick => {
                let whole = shelf.table(table.subspace, table.metric).and_then(|t| t.check());
                bar.add(header.entries);
                whole
            }
            _ => Ok(()),
        };
        row(table, checked)
    };
    tables.into_iter().map(row).collect()
}

fn row(table: Listed, checked: Result<(), TableError>) -> Row {
    let Listed { subspace, metric, state } = table;
    let mut row = Row {
        subspace: subspace.to_string(),
        plane: metric.extension(),
        file: Shelf::file_name(subspace, metric),
        state: "whole",
        entries: None,
        bytes: None,
        digest: None,
        what: None,
        status: None,
    };
    match (state, checked) {
        (State::Whole(header), checked) => {
            let Header { entries, file_length, digest, .. } = header;
            row.entries = Some(entries);
            row.bytes = Some(file_length);
            row.digest = Some(format!("{digest:032x}"));
            if let Err(error) = checked {
                row.refuse(error);
            }
        }
        (State::Unusable(error), _) => row.refuse(error),
        (State::Missing(record), _) => {
            row.state = "missing";
            row.entries = Some(record.entries);
            row.bytes = Some(record.file_length);
            row.digest = Some(format!("{:032x}", record.digest));
            row.what = Some("it was finished once, and has gone".to_owned());
        }
    }
    row
}

impl Row {
    fn refuse(&mut self, error: TableError) {
        self.state = match &error {
            TableError::OtherRules { .. } => "other-rules",
            TableError::Misnamed { .. } => "misnamed",
            TableError::Unknown { .. } => "unknown",
            TableError::Io { .. } => "unreadable",
            _ => "damaged",
        };
        let failure = Failure::from(error);
        self.status = Some(failure.status);
        self.what = Some(failure.message);
    }
}

fn print(game: &Game, shelf: &Shelf, rows: &[Row], out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "{} in {}", game.name, shelf.place())?;
    let mut columns = Columns::new(&["table", "state", ">entries", ">size", ""]);
    for row in rows {
        columns.row([
            row.file.clone(),
            row.state.to_owned(),
            row.entries.map_or("-".to_owned(), show::number),
            row.bytes.map_or("-".to_owned(), show::bytes),
            row.what.clone().unwrap_or_default(),
        ]);
    }
    columns.write(out, 0)?;
    let whole: Vec<&Row> = rows.iter().filter(|row| row.state == "whole").collect();
    Ok(writeln!(
        out,
        "{} of {} whole, {}",
        show::number(whole.len() as u64),
        show::count(rows.len() as u64, "table"),
        show::bytes(whole.iter().filter_map(|row| row.bytes).sum())
    )?)
}

/// A table that cannot be used is a failure; one that has gone is, where somebody named it.
fn conclude(game: &Game, shelf: &Shelf, rows: &[Row], named: bool) -> Result<(), Failure> {
    let bad = rows.iter().filter(|row| row.status.is_some() || (named && row.state == "missing"));
    let bad: Vec<&Row> = bad.collect();
    let Some(worst) = bad.iter().map(|row| row.status.unwrap_or(Status::No)).max() else {
        return Ok(());
    };
    let say = |row: &&Row| {
        let what = row.what.as_deref().unwrap_or(row.state);
        match row.state {
            "missing" => format!("\n  {}/{}: {what}", shelf.place(), row.file),
            _ => format!("\n  {what}"),
        }
    };
    let message = format!(
        "{} cannot be used{}",
        show::count(bad.len() as u64, "table"),
        bad.iter().map(say).collect::<String>()
    );
    let failure = Failure::new(worst, "unusable-tables", message);
    let mut missing: Vec<&str> =
        bad.iter().filter(|row| row.state == "missing").map(|row| &*row.subspace).collect();
    missing.dedup();
    match missing.is_empty() {
        true => Err(failure),
        false => {
            let command = game.generate(&missing.join(" "));
            Err(failure.hint(format!("make what is missing with: {command}")))
        }
    }
}
