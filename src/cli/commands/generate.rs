//! `generate`: solves what is wanted and stores it.

use crate::cli::failure::{Failure, talk};
use crate::cli::grammar::{self, Everywhere};
use crate::cli::interrupt;
use crate::cli::options::{self, Asked, Game};
use crate::cli::progress::RunBar;
use crate::cli::show;
use crate::solve::{Generated, Limits, Plan, Planned, generate, peak_disk};
use crate::space::Space;
use crate::table::{Header, Metric, Shelf};
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

#[derive(Serialize)]
struct Report<'a> {
    variant: &'a str,
    directory: String,
    /// Subspaces that were on the shelf already.
    held: usize,
    written: Vec<File<'a>>,
    bytes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct File<'a> {
    file: &'a str,
    subspace: String,
    plane: &'static str,
    entries: u64,
    bytes: u64,
    digest: String,
}

/// Runs the command.
pub fn run(
    words: &grammar::Generate,
    everywhere: &Everywhere,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let begun = Instant::now();
    let scopes = &words.wanted.scopes;
    let Asked { game, rest } = Asked::new(&scopes.rules, &scopes.subspaces, everywhere)?;
    let wanted = options::wanted(&words.wanted, &game, &rest)?;
    let memory = options::memory_limit(words.memory.as_deref())?;
    let shelf = game.shelf()?;
    let plan = Plan::new(&shelf, &wanted);
    warn(&game, &shelf, &plan, memory);
    interrupt::be_patient();
    let bar = RunBar::new(words.verbose);
    let space = Space::new(game.rules.clone());
    let limits = Limits { memory, save_every: Some(Duration::from_secs(words.save_every)) };
    let generated = generate(&space, &shelf, &plan, limits, &bar);
    bar.end();
    let generated = generated.map_err(|error| game.advise(error.into(), None))?;
    let report = report(&game, &shelf, &generated, begun);
    match everywhere.json {
        true => {
            serde_json::to_writer(&mut *out, &report)?;
            Ok(writeln!(out)?)
        }
        false => print(&game, &report, &generated, out),
    }
}

/// What is too small stops a run late: it is said early.
fn warn(game: &Game, shelf: &Shelf, plan: &Plan, memory: u64) {
    let open = |subspace| !shelf.is_finished(subspace).unwrap_or(false);
    let remaining = plan.units.iter().filter(|planned| planned.unit.subspaces().any(open));
    let remaining: Vec<&Planned> = remaining.collect();
    let most = remaining.iter().map(|planned| planned.memory).max().unwrap_or(0);
    if let Some(there) = options::available()
        && there < most
        && most <= memory
    {
        talk(&format!(
            "warning: the largest unit takes {} of memory, and {} are available",
            show::bytes(most),
            show::bytes(there)
        ));
    }
    let needed = peak_disk(remaining);
    let place = game.tables.ancestors().find(|place| place.exists());
    let place = place.filter(|place| !place.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Ok(free) = fs4::available_space(place)
        && free < needed
    {
        talk(&format!(
            "warning: the tables will take about {}, and {} has {} left; \
             free some space, or use another directory with --tables",
            show::bytes(needed),
            place.display(),
            show::bytes(free)
        ));
    }
}

fn report<'a>(
    game: &'a Game,
    shelf: &Shelf,
    generated: &'a Generated,
    begun: Instant,
) -> Report<'a> {
    let file = |(name, header): &'a (String, Header)| File {
        file: name,
        subspace: header.subspace.to_string(),
        plane: header.metric.extension(),
        entries: header.entries,
        bytes: header.file_length,
        digest: format!("{:032x}", header.digest),
    };
    Report {
        variant: &game.name,
        directory: shelf.place(),
        held: generated.held,
        written: generated.written.iter().map(file).collect(),
        bytes: generated.written.iter().map(|(_, header)| header.file_length).sum(),
        seconds: show::in_seconds(begun.elapsed()),
    }
}

fn print(
    game: &Game,
    report: &Report<'_>,
    generated: &Generated,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let headers = generated.written.iter().map(|(_, header)| header);
    let solved: Vec<&Header> = headers.filter(|header| header.metric == Metric::Dtw).collect();
    let held = match report.held {
        0 => String::new(),
        held => {
            format!(", {} there already by their headers", show::count(held as u64, "subspace"))
        }
    };
    writeln!(
        out,
        "{}: {} solved ({} entries){held}; {} in {}",
        report.variant,
        show::count(solved.len() as u64, "subspace"),
        show::number(solved.iter().map(|header| header.entries).sum()),
        show::seconds(report.seconds),
        show::count(rayon::current_num_threads() as u64, "thread")
    )?;
    if solved.is_empty() {
        return Ok(writeln!(
            out,
            "nothing to do: all tables are in {}; to read them whole: {}",
            report.directory,
            game.list()
        )?);
    }
    let sum = |pick: fn(&Header) -> u64| solved.iter().map(|h| pick(h)).sum();
    writeln!(
        out,
        "positions: {}, {}, {}",
        show::count(sum(|h| h.census.positions.wins), "win"),
        show::count(sum(|h| h.census.positions.draws), "draw"),
        show::count(sum(|h| h.census.positions.losses), "loss")
    )?;
    let deepest = solved.iter().max_by_key(|header| header.census.deepest_win);
    if let Some(header) = deepest
        && let Some(plies) = header.census.deepest_win
    {
        writeln!(out, "deepest win: {plies} plies, in {}", header.subspace)?;
    }
    Ok(writeln!(
        out,
        "{} of {} in {}",
        show::count(report.written.len() as u64, "table"),
        show::bytes(report.bytes),
        report.directory
    )?)
}
