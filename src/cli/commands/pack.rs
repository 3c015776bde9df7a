//! `pack`: makes the planes of values smaller, at leisure.

use crate::cli::failure::{Failure, Status, talk};
use crate::cli::grammar::{self, Everywhere};
use crate::cli::interrupt;
use crate::cli::options::{Asked, Game};
use crate::cli::progress::CheckBar;
use crate::cli::shelved::{self, Chosen};
use crate::cli::show;
use crate::space::Subspace;
use crate::table::{Metric, Packing, Shelf, TableError};
use serde::Serialize;
use std::io::Write;
use std::time::Instant;

#[derive(Serialize)]
struct Report<'a> {
    variant: &'a str,
    directory: String,
    tables: Vec<Row>,
    before: u64,
    after: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct Row {
    subspace: String,
    file: String,
    /// `packed`, `already` or `kept`.
    done: &'static str,
    entries: u64,
    before: u64,
    after: u64,
}

/// Runs the command.
pub fn run(
    words: &grammar::Pack,
    everywhere: &Everywhere,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let begun = Instant::now();
    let Asked { game, rest } =
        Asked::new(&words.scopes.rules, &words.scopes.subspaces, everywhere)?;
    let named = game.subspaces(&rest)?;
    let shelf = game.shelf()?;
    let chosen = shelved::choose(&game, &shelf, named)?;
    let subspaces = with_values(&game, &shelf, chosen)?;
    interrupt::be_patient();
    let entries = subspaces.iter().map(|subspace| shelf.entries(*subspace)).sum();
    let bar = CheckBar::new(entries, "entries");
    let lock = shelf.lock()?;
    shelf.tidy(&lock)?;
    let mut rows = Vec::new();
    for subspace in subspaces {
        bar.at(subspace);
        let progress = |entries| {
            bar.add(entries);
            !interrupt::asked()
        };
        let packing = shelf.pack(subspace, &lock, &progress);
        let packing = packing.map_err(|error| game.advise(error.into(), None))?;
        let row = match packing {
            Some(packing) if !interrupt::asked() => row(&shelf, subspace, packing),
            _ => return Err(interrupted()),
        };
        if words.verbose {
            bar.aside(|| talk(&line(&row)));
        }
        rows.push(row);
    }
    bar.end();
    let report = Report {
        variant: &game.name,
        directory: shelf.place(),
        before: rows.iter().map(|row| row.before).sum(),
        after: rows.iter().map(|row| row.after).sum(),
        tables: rows,
        seconds: show::in_seconds(begun.elapsed()),
    };
    match everywhere.json {
        true => serde_json::to_writer(&mut *out, &report)?,
        false => print(&game, &report, out)?,
    }
    Ok(writeln!(out)?)
}

fn interrupted() -> Failure {
    let message = "interrupted; what was packed is whole, and the same command goes on";
    Failure::new(Status::Interrupted, "interrupted", message)
}

/// Those of the subspaces whose plane of values is there. One that cannot be used is an error, and
/// one that has gone where its subspace was named.
fn with_values(game: &Game, shelf: &Shelf, chosen: Chosen) -> Result<Vec<Subspace>, Failure> {
    let mut held = Vec::new();
    for subspace in chosen.subspaces {
        match shelf.table(subspace, Metric::Wdl) {
            Ok(_) => held.push(subspace),
            Err(TableError::Missing { .. }) if !chosen.named => {}
            Err(error) => return Err(game.advise(error.into(), Some(subspace))),
        }
    }
    Ok(held)
}

fn row(shelf: &Shelf, subspace: Subspace, packing: Packing) -> Row {
    let (done, before, after) = match packing {
        Packing::Packed { before, after } => ("packed", before, after),
        Packing::Already(bytes) => ("already", bytes, bytes),
        Packing::Kept(bytes) => ("kept", bytes, bytes),
    };
    let (file, entries) = (Shelf::file_name(subspace, Metric::Wdl), shelf.entries(subspace));
    Row { subspace: subspace.to_string(), file, done, entries, before, after }
}

fn line(row: &Row) -> String {
    let what = match row.done {
        "packed" => format!("{} instead of {}", show::bytes(row.after), show::bytes(row.before)),
        "already" => format!("packed already, {}", show::bytes(row.after)),
        _ => format!("kept as it is, {}", show::bytes(row.after)),
    };
    format!("{}: {}, {what}", row.file, show::count(row.entries, "entry"))
}

fn print(game: &Game, report: &Report<'_>, out: &mut dyn Write) -> Result<(), Failure> {
    let count = |done| report.tables.iter().filter(|row| row.done == done).count() as u64;
    let entries = report.tables.iter().map(|row| row.entries).sum::<u64>();
    writeln!(
        out,
        "{}: {} packed, {} already packed, {} kept as they are, since packed they would be no smaller; {}",
        game.name,
        show::count(count("packed"), "table"),
        show::number(count("already")),
        show::number(count("kept")),
        show::seconds(report.seconds)
    )?;
    write!(
        out,
        "values: {} instead of {}, {:.3} bits an entry, in {}",
        show::bytes(report.after),
        show::bytes(report.before),
        8.0 * report.after as f64 / entries.max(1) as f64,
        report.directory
    )?;
    Ok(())
}
