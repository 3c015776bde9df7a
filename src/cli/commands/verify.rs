//! `verify`: every subspace that is asked for, whatever is found in the others.

use super::claims;
use super::proof::{Finding, Inspector};
use crate::cli::failure::{Failure, Status, Told};
use crate::cli::grammar::{self, Everywhere};
use crate::cli::interrupt;
use crate::cli::options::{self, Asked, Game};
use crate::cli::progress::CheckBar;
use crate::cli::shelved::{self, Chosen};
use crate::cli::show;
use crate::notation::Notation;
use crate::rules::Side;
use crate::table::{Shelf, Stored};
use crate::value::Outcome;
use crate::verify::Fault;
use serde::Serialize;
use std::collections::BTreeSet;
use std::io::Write;

/// How thoroughly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Every entry from its turns.
    Proof,
    /// So many entries of each subspace, drawn from a seed.
    Sample(u64, u64),
    /// Checksums and digests only.
    Checksums,
}

#[derive(Serialize)]
struct Report<'a> {
    variant: &'a str,
    mode: &'static str,
    ok: bool,
    checked: u64,
    wrong: u64,
    subspaces: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    subspace: String,
    checked: u64,
    wrong: u64,
    proved: bool,
    faults: Vec<FaultRow>,
    errors: Vec<Told<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_proved: Option<&'a str>,
}

#[derive(Serialize)]
struct FaultRow {
    entry: u64,
    position: String,
    plane: &'static str,
    stored: Worth,
    derived: Worth,
}

#[derive(Serialize)]
struct Worth {
    value: &'static str,
    depth: Option<u16>,
}

impl From<&Stored> for Worth {
    fn from(stored: &Stored) -> Worth {
        let depth = stored.outcome.and_then(Outcome::depth);
        Worth { value: stored.value.word(), depth }
    }
}

/// Runs the command.
pub fn run(
    words: &grammar::Verify,
    everywhere: &Everywhere,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let Asked { game, rest } =
        Asked::new(&words.scopes.rules, &words.scopes.subspaces, everywhere)?;
    let named = game.subspaces(&rest)?;
    if let Some(file) = &words.claims {
        if !named.is_empty() {
            return Err(Failure::usage("subspaces and --claims are given; leave one out"));
        }
        return claims::run(&game, file, everywhere.json, out);
    }
    let mode = match (words.checksums, words.sample) {
        (true, _) => Mode::Checksums,
        (false, Some(entries)) => Mode::Sample(entries, words.seed),
        (false, None) => Mode::Proof,
    };
    let memory = options::memory_limit(words.memory.as_deref())?;
    let shelf = game.shelf()?;
    let chosen = shelved::choose(&game, &shelf, named)?;
    interrupt::be_patient();
    let bar = CheckBar::new(amount(&shelf, &chosen, mode), "entries");
    let inspector = Inspector::new(&shelf, mode, memory, chosen.named, &bar);
    let mut findings = Vec::new();
    let mut told = BTreeSet::new();
    let all = chosen.subspaces.len();
    for subspace in chosen.subspaces {
        bar.at(subspace);
        findings.push(inspector.inspect(subspace)?);
        if everywhere.json {
            continue;
        }
        let finding = &findings[findings.len() - 1];
        if let Err(failure) = bar.aside(|| print(&game, finding, mode, &mut told, out)) {
            let verdict = conclude(&findings, mode, None);
            return verdict.and(Err(unheard(failure, findings.len(), all)));
        }
    }
    bar.end();
    if !everywhere.json {
        return conclude(&findings, mode, Some(out));
    }
    let printed = print_json(&game, mode, &findings, out);
    conclude(&findings, mode, None).and(printed)
}

/// The failure of a check that ends because its report cannot be written. It is never silent: status
/// 0 would say that all was checked.
fn unheard(failure: Failure, checked: usize, all: usize) -> Failure {
    let of = show::count(all as u64, "subspace");
    let message =
        format!("{}; the check ended after {checked} of {of}, without a verdict", failure.message);
    Failure { message, silent: false, ..failure }
}

/// How many entries will be looked at.
fn amount(shelf: &Shelf, chosen: &Chosen, mode: Mode) -> u64 {
    let entries = chosen.subspaces.iter().map(|subspace| shelf.entries(*subspace));
    match mode {
        Mode::Sample(most, _) => entries.map(|entries| entries.min(most)).sum(),
        Mode::Proof | Mode::Checksums => entries.sum(),
    }
}

fn print(
    game: &Game,
    finding: &Finding,
    mode: Mode,
    told: &mut BTreeSet<String>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let verdict = match (mode, finding) {
        (_, finding) if !finding.failures.is_empty() => "not checked".to_owned(),
        (_, finding) if finding.wrong > 0 => {
            format!("{} WRONG", show::number(finding.wrong))
        }
        (Mode::Checksums, _) => "whole".to_owned(),
        (_, Finding { not_proved: Some(why), .. }) => format!("whole, not proved: {why}"),
        (Mode::Proof, Finding { proved: true, .. }) => "proved".to_owned(),
        (Mode::Proof, _) => "agrees, but without depths it is no proof".to_owned(),
        (Mode::Sample(..), _) => "no fault in the sample".to_owned(),
    };
    let (name, checked) = (finding.subspace, show::number(finding.checked));
    let noun = if finding.checked == 1 { "entry" } else { "entries" };
    writeln!(out, "{name:<12} {checked:>15} {noun:<8} {verdict}")?;
    for fault in &finding.faults {
        let row = fault_row(game, fault);
        writeln!(
            out,
            "  entry {} ({}): {}: stored {}, derived {}",
            row.entry,
            row.plane,
            row.position,
            show::verdict(&fault.stored),
            show::verdict(&fault.derived)
        )?;
    }
    let listed = finding.faults.len() as u64;
    if finding.wrong > listed {
        writeln!(out, "  and {} more", show::number(finding.wrong - listed))?;
    }
    for failure in &finding.failures {
        match told.insert(failure.message.clone()) {
            true => writeln!(out, "  {}", failure.message)?,
            false => writeln!(out, "  needs a table that is named above")?,
        }
    }
    // A long check is followed by somebody.
    Ok(out.flush()?)
}

fn fault_row(game: &Game, fault: &Fault) -> FaultRow {
    FaultRow {
        entry: fault.entry,
        position: Notation::new(&game.rules).short(&fault.position, Side::White),
        plane: fault.metric.extension(),
        stored: (&fault.stored).into(),
        derived: (&fault.derived).into(),
    }
}

fn row<'a>(game: &Game, finding: &'a Finding) -> Row<'a> {
    Row {
        subspace: finding.subspace.to_string(),
        checked: finding.checked,
        wrong: finding.wrong,
        proved: finding.proved,
        faults: finding.faults.iter().map(|fault| fault_row(game, fault)).collect(),
        errors: finding.failures.iter().map(Failure::told).collect(),
        not_proved: finding.not_proved.as_deref(),
    }
}

fn print_json(
    game: &Game,
    mode: Mode,
    findings: &[Finding],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let report = Report {
        variant: &game.name,
        mode: match mode {
            Mode::Proof => "proof",
            Mode::Sample(..) => "sample",
            Mode::Checksums => "checksums",
        },
        ok: findings.iter().all(Finding::is_good),
        checked: findings.iter().map(|finding| finding.checked).sum(),
        wrong: findings.iter().map(|finding| finding.wrong).sum(),
        subspaces: findings.iter().map(|finding| row(game, finding)).collect(),
    };
    serde_json::to_writer(&mut *out, &report)?;
    Ok(writeln!(out)?)
}

/// Sums up on `out`, if it is there; a fault or a table that cannot be used is a failure.
fn conclude(findings: &[Finding], mode: Mode, out: Option<&mut dyn Write>) -> Result<(), Failure> {
    let checked = show::number(findings.iter().map(|finding| finding.checked).sum());
    let wrong: u64 = findings.iter().map(|finding| finding.wrong).sum();
    let failures: Vec<&Failure> = findings.iter().flat_map(|finding| &finding.failures).collect();
    let what = format!("{}, {checked} entries", show::count(findings.len() as u64, "subspace"));
    if wrong == 0 && failures.is_empty() {
        let Some(out) = out else { return Ok(()) };
        let verdict = match mode {
            Mode::Proof | Mode::Sample(..) => "no fault",
            Mode::Checksums => "every byte as it was written",
        };
        return Ok(writeln!(out, "{what}: {verdict}")?);
    }
    let worst = failures.iter().map(|failure| failure.status).max();
    let status = worst.unwrap_or(Status::No);
    let messages: BTreeSet<&str> = failures.iter().map(|failure| &*failure.message).collect();
    let mut found = Vec::new();
    if wrong > 0 {
        found.push(show::count(wrong, "fault"));
    }
    if !messages.is_empty() {
        found.push(show::count(messages.len() as u64, "obstacle"));
    }
    let mut message = format!("{what}: {}", found.join(" and "));
    for text in messages {
        message += &format!("\n  {text}");
    }
    Err(Failure::new(status, "faults", message))
}
