//! The command line: what people and their scripts see of the library.
//!
//! Three rooms are kept apart: `grammar` says what can be typed, `options` turns words into
//! checked values, and `commands` does the work with the floors below. What is asked for goes to
//! stdout, everything else to stderr. Exit statuses, the keys of JSON and the columns of CSV are
//! contracts. With `--json`, a failure is an object on stdout as well, unless an answer stands there
//! already.

mod commands;
mod failure;
mod files;
mod grammar;
mod interrupt;
mod lines;
mod options;
mod output;
mod progress;
mod shelved;
mod show;

use clap::Parser;
use failure::{Failure, Status};
use grammar::{Command, Everywhere, Grammar};
use output::Output;
use std::env;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let grammar = match Grammar::try_parse() {
        Ok(grammar) => grammar,
        Err(error) => return not_run(&error),
    };
    interrupt::listen();
    let mut out = Output::new(io::stdout().lock());
    let done = run(&grammar, &mut out);
    if let Err(failure) = &done
        && grammar.everywhere.json
    {
        out.tell(failure);
    }
    conclude(done.and(out.flush().map_err(|error| Failure::output(&error))))
}

/// Speaks the engine protocol as `merels uci WORDS` does, over other streams than the standard ones:
/// for tests and fuzzers. The error is what the program would say on stderr.
pub fn uci(words: &[&str], input: &mut dyn BufRead, out: &mut dyn Write) -> Result<(), String> {
    let words = ["merels", "uci"].iter().chain(words);
    let grammar = Grammar::try_parse_from(words).map_err(|error| error.to_string())?;
    let Command::Uci(words) = &grammar.command else {
        return Err("these words are another command".to_owned());
    };
    let done = commands::uci::converse(words, &grammar.everywhere, input, out);
    done.map_err(|failure| failure.message)
}

/// The exit status, and on stderr why it is not 0.
fn conclude(done: Result<(), Failure>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) if failure.silent => ExitCode::SUCCESS,
        Err(failure) => {
            failure.say();
            ExitCode::from(failure.status as u8)
        }
    }
}

/// Says what the grammar has to say: why the words make no command, or help, or the version.
fn not_run(error: &clap::Error) -> ExitCode {
    let printed = error.print().and_then(|()| io::stdout().flush());
    if !error.use_stderr() {
        return conclude(printed.map_err(|error| Failure::output(&error)));
    }
    let mut words = env::args_os().skip(1).take_while(|word| word != "--");
    if words.any(|word| word == "--json") {
        let text = error.render().to_string();
        let first = text.split("\n\n").next().unwrap_or_default().trim_end();
        let failure = Failure::usage(first.strip_prefix("error: ").unwrap_or(first));
        Output::new(io::stdout().lock()).tell(&failure);
    }
    ExitCode::from(error.exit_code() as u8)
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
        Command::Pack(words) => commands::pack::run(words, everywhere, out),
        Command::Play(words) => commands::play::run(words, everywhere, out),
        Command::Uci(words) => commands::uci::run(words, everywhere, out),
        Command::Serve(words) => commands::serve::run(words, everywhere, out),
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
