//! `plan`: what solving takes, before anything is done.

use crate::cli::failure::{Failure, Status, talk};
use crate::cli::grammar::{self, Everywhere};
use crate::cli::options::{self, Asked};
use crate::cli::show::{self, Columns};
use crate::solve::{Plan, Planned, peak_disk};
use crate::table::Shelf;
use serde::Serialize;
use std::io::Write;

/// What a further thread adds, measured against the first (`docs/PERFORMANCE.md`).
const FURTHER_THREAD: f64 = 0.85;

/// Whether a unit is to be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum State {
    /// All its tables are on the shelf.
    Shelved,
    /// It is to be solved.
    Open,
    /// A table is there and cannot be used.
    Unusable,
}

#[derive(Serialize)]
struct Report<'a> {
    variant: &'a str,
    threads: usize,
    units: Vec<Unit>,
    total: Sum,
    remaining: Sum,
}

#[derive(Serialize)]
struct Unit {
    subspaces: Vec<Part>,
    entries: u64,
    memory_bytes: u64,
    disk_bytes: u64,
    seconds: f64,
    state: State,
    #[serde(skip)]
    planned: Planned,
}

#[derive(Serialize)]
struct Part {
    subspace: String,
    entries: u64,
}

/// Amounts of several units: memory is that of the largest, disk the most at a time, the rest adds
/// up.
#[derive(Debug, Default, Serialize)]
struct Sum {
    units: usize,
    subspaces: usize,
    entries: u64,
    memory_bytes: u64,
    disk_bytes: u64,
    seconds: f64,
}

impl Sum {
    fn of(units: &[&Unit]) -> Sum {
        let add = |sum: Sum, unit: &&Unit| Sum {
            units: sum.units + 1,
            subspaces: sum.subspaces + unit.subspaces.len(),
            entries: sum.entries + unit.entries,
            memory_bytes: sum.memory_bytes.max(unit.memory_bytes),
            disk_bytes: sum.disk_bytes,
            seconds: sum.seconds + unit.seconds,
        };
        let disk_bytes = peak_disk(units.iter().map(|unit| &unit.planned));
        units.iter().fold(Sum { disk_bytes, ..Sum::default() }, add)
    }
}

/// Runs the command.
pub fn run(
    words: &grammar::Plan,
    everywhere: &Everywhere,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let scopes = &words.wanted.scopes;
    let Asked { game, rest } = Asked::new(&scopes.rules, &scopes.subspaces, everywhere)?;
    let wanted = options::wanted(&words.wanted, &game, &rest)?;
    let shelf = game.shelf()?;
    let plan = Plan::new(&shelf, &wanted);
    let threads = rayon::current_num_threads();
    let units: Result<Vec<Unit>, Failure> =
        plan.units.iter().map(|planned| unit(&shelf, planned, threads)).collect();
    let units = units?;
    let all: Vec<&Unit> = units.iter().collect();
    let open = |unit: &&Unit| unit.state != State::Shelved;
    let remaining: Vec<&Unit> = units.iter().filter(open).collect();
    let (total, remaining) = (Sum::of(&all), Sum::of(&remaining));
    let report = Report { variant: &game.name, threads, units, total, remaining };
    match everywhere.json {
        true => {
            serde_json::to_writer(&mut *out, &report)?;
            Ok(writeln!(out)?)
        }
        false => print(&report, out),
    }
}

/// Seconds that `threads` threads take for the work of one.
pub(super) fn seconds(core_seconds: f64, threads: usize) -> f64 {
    core_seconds / (1.0 + FURTHER_THREAD * threads.saturating_sub(1) as f64)
}

fn unit(shelf: &Shelf, planned: &Planned, threads: usize) -> Result<Unit, Failure> {
    let mut state = State::Shelved;
    for subspace in planned.unit.subspaces() {
        match shelf.is_finished(subspace) {
            Ok(true) => {}
            Ok(false) if state == State::Shelved => state = State::Open,
            Ok(false) => {}
            Err(error) => {
                let failure = Failure::from(error);
                if failure.status != Status::No {
                    return Err(failure);
                }
                talk(&format!("warning: {}", failure.message));
                state = State::Unusable;
            }
        }
    }
    let part =
        |subspace| Part { subspace: format!("{subspace}"), entries: shelf.entries(subspace) };
    Ok(Unit {
        subspaces: planned.unit.subspaces().map(part).collect(),
        entries: planned.entries,
        memory_bytes: planned.memory,
        disk_bytes: planned.disk,
        seconds: seconds(planned.core_seconds, threads),
        state,
        planned: planned.clone(),
    })
}

fn print(report: &Report<'_>, out: &mut dyn Write) -> Result<(), Failure> {
    let mut columns =
        Columns::new(&["subspace", ">entries", ">memory", ">disk", ">time", "on the shelf"]);
    for unit in &report.units {
        for (i, part) in unit.subspaces.iter().enumerate() {
            let once = |text: String| if i == 0 { text } else { "\"".to_owned() };
            let state = match unit.state {
                State::Shelved => "yes",
                State::Open => "",
                State::Unusable => "unusable",
            };
            columns.row([
                part.subspace.clone(),
                show::number(part.entries),
                once(show::bytes(unit.memory_bytes)),
                once(show::bytes(unit.disk_bytes)),
                once(show::seconds(unit.seconds)),
                state.to_owned(),
            ]);
        }
    }
    columns.write(out, 0)?;
    writeln!(out)?;
    print_sum("in all", &report.total, report, out)?;
    if report.remaining.units != report.total.units {
        print_sum("still to be solved", &report.remaining, report, out)?;
    }
    Ok(())
}

fn print_sum(
    what: &str,
    sum: &Sum,
    report: &Report<'_>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    Ok(writeln!(
        out,
        "{what}: {} in {}, {} entries; memory {}, disk {}, about {} with {}",
        show::count(sum.subspaces as u64, "subspace"),
        show::count(sum.units as u64, "unit"),
        show::number(sum.entries),
        show::bytes(sum.memory_bytes),
        show::bytes(sum.disk_bytes),
        show::seconds(sum.seconds),
        show::count(report.threads as u64, "thread")
    )?)
}
