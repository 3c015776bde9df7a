//! `serve`: the tables over HTTP.

use crate::cli::failure::{Failure, Status, talk};
use crate::cli::grammar::{self, Everywhere, RuleWords};
use crate::cli::interrupt;
use crate::cli::options::{self, Asked, Game};
use crate::probe::CACHE_BYTES;
use crate::rules::variants;
use crate::serve::{self, Offer, ServeError, Settings};
use std::io::Write;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::thread;

/// Runs the command.
pub fn run(
    words: &grammar::Serve,
    everywhere: &Everywhere,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if everywhere.json {
        return Err(Failure::usage("serve answers in JSON itself; leave --json out"));
    }
    let threads = everywhere
        .threads
        .map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
    let settings = Settings {
        listen: addresses(&words.listen)?,
        tables: everywhere.tables.clone(),
        cache_bytes: options::amount("--cache", words.cache.as_deref(), CACHE_BYTES)?,
        threads,
    };
    let offers = offers(&words.rules, everywhere)?;
    if !settings.tables.is_dir() {
        let place = settings.tables.display();
        talk(&format!(
            "note: there is no directory {place} yet; tables are seen once they are made"
        ));
    }
    interrupt::be_patient();
    let ready = |address: SocketAddr| {
        writeln!(out, "listening on http://{address}/")?;
        out.flush()
    };
    serve::run(&settings, offers, ready, interrupt::asked).map_err(failed)
}

/// The variants that ship, and the rule sets in the files.
fn offers(files: &[PathBuf], everywhere: &Everywhere) -> Result<Vec<Offer>, Failure> {
    let variants = variants::all().iter();
    let shipped = variants
        .map(|variant| RuleWords { variant: Some(variant.id.to_owned()), ..RuleWords::default() });
    let own =
        files.iter().map(|file| RuleWords { file: Some(file.clone()), ..RuleWords::default() });
    let mut offers: Vec<Offer> = Vec::new();
    for words in shipped.chain(own) {
        let Asked { game, .. } = Asked::new(&words, &[], everywhere)?;
        match offers.iter().find(|offer| offer.name == game.name) {
            None => offers.push(offer(game)),
            // A file may write down a variant that is served anyway.
            Some(other) if other.rules == game.rules => {}
            Some(_) => {
                let message = format!("two rule sets are named {}; name one otherwise", game.name);
                return Err(Failure::usage(message));
            }
        }
    }
    Ok(offers)
}

fn offer(game: Game) -> Offer {
    Offer {
        name: game.name.clone(),
        rules: game.rules.clone(),
        generate: Box::new(move |what| game.generate(what)),
    }
}

fn addresses(words: &str) -> Result<Vec<SocketAddr>, Failure> {
    let unread = || {
        let message = format!(
            "--listen {words:?}: expected an address and a port, as in 127.0.0.1:8080 or [::1]:8080"
        );
        Failure::usage(message)
    };
    let found: Vec<SocketAddr> = words.to_socket_addrs().map_err(|_| unread())?.collect();
    if found.is_empty() { Err(unread()) } else { Ok(found) }
}

fn failed(error: ServeError) -> Failure {
    let code = match &error {
        ServeError::Taken(_) => "port-taken",
        ServeError::Threads(_) => "threads",
        ServeError::Listen(..) | ServeError::Io(_) => "io",
    };
    let failure = Failure::new(Status::World, code, error.to_string());
    match error {
        ServeError::Taken(_) => failure.hint(
            "name another port with --listen, such as --listen 127.0.0.1:8081; port 0 takes one \
             that is free",
        ),
        ServeError::Listen(..) => failure.hint("name an address of this machine with --listen"),
        ServeError::Threads(_) => {
            failure.hint("raise the limit of processes, or ask for fewer with --threads")
        }
        ServeError::Io(_) => failure,
    }
}
