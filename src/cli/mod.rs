//! The command line: what people and their scripts see of the library.
//!
//! Three rooms are kept apart: `grammar` says what can be typed, `options` turns words into
//! checked values, and `commands` does the work with the floors below. What is asked for goes to
//! stdout, everything else to stderr. Exit statuses, the keys of JSON and the columns of CSV are
//! contracts.

mod commands;
mod failure;
mod grammar;
mod interrupt;
mod options;
mod progress;
mod shelved;
mod show;

use clap::Parser;
use failure::{Failure, Status};
use grammar::{Command, Everywhere, Grammar};
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let grammar = match Grammar::try_parse() {
        Ok(grammar) => grammar,
        Err(error) => {
            // Help and version come this way as well; nobody to hear them is no fault.
            let _ = error.print();
            return ExitCode::from(error.exit_code() as u8);
        }
    };
    interrupt::listen();
    let mut out = BufWriter::new(io::stdout().lock());
    let done = run(&grammar, &mut out);
    let flushed = out.flush().map_err(|error| Failure::output(&error));
    match done.and(flushed) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) if failure.silent => ExitCode::SUCCESS,
        Err(failure) => {
            failure.say();
            ExitCode::from(failure.status as u8)
        }
    }
}

fn run(grammar: &Grammar, out: &mut dyn Write) -> Result<(), Failure> {
    let Grammar { everywhere, command } = grammar;
    hire(everywhere)?;
    match command {
        Command::Rules(words) => commands::rules::run(words, everywhere, out),
        Command::Plan(words) => commands::plan::run(words, everywhere, out),
        Command::Generate(words) => commands::generate::run(words, everywhere, out),
        Command::Query(words) => commands::query::run(words, everywhere, out),
        Command::Verify(words) => commands::verify::run(words, everywhere, out),
        Command::Stats(words) => commands::stats::run(words, everywhere, out),
        Command::List(words) => commands::list::run(words, everywhere, out),
    }
}

/// Sets how many threads there are for all that follows.
fn hire(everywhere: &Everywhere) -> Result<(), Failure> {
    let threads = everywhere.threads.map_or(0, usize::from);
    let built = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    built.map_err(|error| {
        Failure::new(Status::World, "threads", format!("cannot start the threads: {error}"))
    })
}
