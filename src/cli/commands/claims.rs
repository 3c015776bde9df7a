//! `verify --claims`: what somebody else says, held against the tables.

use crate::cli::failure::{Failure, Status};
use crate::cli::options::{self, Game};
use crate::cli::show;
use crate::probe::Prober;
use crate::probe::claims::{ClaimsError, ClaimsReport, Unchecked, check};
use crate::report::also_called;
use serde::Serialize;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

/// Rows of each kind that people are shown.
const LISTED: usize = 20;

#[derive(Serialize)]
struct Report<'a> {
    variant: &'a str,
    ok: bool,
    agreements: u64,
    disagreements: Vec<Disagreement<'a>>,
    other_variants: u64,
    outside: Vec<Row<'a>>,
    bad: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Disagreement<'a> {
    line: u64,
    position: &'a str,
    claimed: &'a str,
    stored: &'a str,
}

#[derive(Serialize)]
struct Row<'a> {
    line: u64,
    reason: &'a str,
}

/// Checks the claims in a file, or in standard input for `-`.
pub fn run(game: &Game, file: &Path, json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let input: Box<dyn Read> = match file.as_os_str() == "-" {
        true => Box::new(io::stdin().lock()),
        false => {
            let opened = File::open(file);
            Box::new(opened.map_err(|error| Failure::io("read the claims", file, &error))?)
        }
    };
    let cache = options::available().unwrap_or(2 << 30) / 2;
    let prober = Prober::new(game.shelf()?, cache);
    let mut names = vec![game.name.as_str(), game.base.as_str()];
    names.extend(also_called(&game.rules));
    let report = check(&prober, &names, input);
    let report = report.map_err(|error| unreadable(file, error))?;
    let printed = match json {
        true => print_json(game, &report, out),
        false => print(&report, out).map_err(Failure::from),
    };
    // The verdict stands, whether or not somebody reads the report.
    match is_good(&report) {
        true => printed,
        false => Err(failure(game, &report)),
    }
}

/// Whether all claims hold, and there are any: a file for another variant proves nothing.
fn is_good(report: &ClaimsReport) -> bool {
    report.holds() && report.agreements > 0
}

/// The failure, with the name of the file where the file is at fault.
fn unreadable(file: &Path, error: ClaimsError) -> Failure {
    let from_tables = matches!(error, ClaimsError::Probe(_));
    let failure = Failure::from(error);
    match from_tables {
        true => failure,
        false => {
            let name = match file.as_os_str() == "-" {
                true => "standard input".into(),
                false => file.display().to_string(),
            };
            Failure { message: format!("{name}: {}", failure.message), ..failure }
        }
    }
}

fn print(report: &ClaimsReport, out: &mut dyn Write) -> io::Result<()> {
    for claim in report.disagreements.iter().take(LISTED) {
        writeln!(
            out,
            "line {}: {}: claimed {}, stored {}",
            claim.line, claim.position, claim.claimed, claim.stored
        )?;
    }
    print_rows("outside the tables", &report.outside, out)?;
    print_rows("makes no sense", &report.bad, out)?;
    writeln!(out, "agreements: {}", show::number(report.agreements))?;
    writeln!(out, "disagreements: {}", show::number(report.disagreements.len() as u64))?;
    writeln!(out, "outside the tables: {}", show::number(report.outside.len() as u64))?;
    writeln!(out, "bad rows: {}", show::number(report.bad.len() as u64))?;
    writeln!(out, "rows of other variants: {}", show::number(report.other_variants))
}

fn print_rows(what: &str, rows: &[Unchecked], out: &mut dyn Write) -> io::Result<()> {
    for row in rows.iter().take(LISTED) {
        writeln!(out, "line {}: {what}: {}", row.line, row.reason)?;
    }
    Ok(())
}

fn print_json(game: &Game, report: &ClaimsReport, out: &mut dyn Write) -> Result<(), Failure> {
    fn rows(rows: &[Unchecked]) -> Vec<Row<'_>> {
        rows.iter().map(|row| Row { line: row.line, reason: &row.reason }).collect()
    }
    let disagreements = report.disagreements.iter().map(|claim| Disagreement {
        line: claim.line,
        position: &claim.position,
        claimed: &claim.claimed,
        stored: &claim.stored,
    });
    let report = Report {
        variant: &game.name,
        ok: is_good(report),
        agreements: report.agreements,
        disagreements: disagreements.collect(),
        other_variants: report.other_variants,
        outside: rows(&report.outside),
        bad: rows(&report.bad),
    };
    serde_json::to_writer(&mut *out, &report)?;
    Ok(writeln!(out)?)
}

fn failure(game: &Game, report: &ClaimsReport) -> Failure {
    if report.holds() {
        let message = format!(
            "no claim was checked: {} of other variants, none of {}",
            show::count(report.other_variants, "row"),
            game.name
        );
        return Failure::new(Status::No, "claims", message);
    }
    let message = format!(
        "not all claims hold: {} contradicted, {} outside the tables, {}",
        show::number(report.disagreements.len() as u64),
        show::number(report.outside.len() as u64),
        show::count(report.bad.len() as u64, "bad row")
    );
    let failure = Failure::new(Status::No, "claims", message);
    match report.outside.is_empty() {
        true => failure,
        false => failure.hint(format!("make missing tables with: {}", game.generate(""))),
    }
}
