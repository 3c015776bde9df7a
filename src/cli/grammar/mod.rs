//! What can be typed: commands, arguments, flags and their help, as clap reads them. Nothing here
//! is checked beyond its form; that is done by [`options`](super::options).

mod arguments;

pub use arguments::{
    Generate, List, Pack, Plan, Play, Query, RuleWords, Rules, Serve, Side, Stats, Uci, Verify,
    Wanted,
};

use clap::{Parser, Subcommand};
use std::path::PathBuf;

const AFTER: &str = "\
Examples:
  merels rules nine                          the rules of a variant, the board drawn
  merels generate three                      solve a whole small game
  merels query three startpos --line         who wins, and how
  merels plan nine --max-stones 10           what solving would take
  merels generate nine --max-stones 8        solve the endgames up to eight stones
  merels generate six --flying at-three      another rule set, by overriding a parameter
  merels stats nine 3-3 4-3 --plot nine.svg  counts, and a picture of them
  merels verify three                        prove what is stored
  merels pack nine                           the values in half the bytes
  merels play three                          a game against perfect play
  merels uci nine                            an engine for a mill program
  merels serve                               a page for the browser, and HTTP for programs

Variants: three, three-orthogonal, nine-holes, achi, five, six, nine, nine-noflying, lasker,
eleven, twelve, twelve-noflying.

Exit status:
    0  yes, done
    1  the answer is no: a fault found; a table missing, damaged or of other rules; a position
       outside the tables; a bad line in a batch
    2  bad usage or text: command line, variant, subspace, position, move, rule file
    3  the world failed: input or output, disk, memory
  130  interrupted

With --json, a command that fails prints {\"error\": {\"code\", \"message\"}} on standard output
besides its message, unless it has printed an answer.

Environment:
  MERELS_TABLES  the table directory, where --tables is not given";

const UCI_VARIANT: &str = "A variant (`merels rules` lists them) [default: nine]";

const RULE_FLAGS: &str = "Rules (each overrides one parameter of the variant)";

/// Solves nine men's morris and its relatives, and answers positions from the tables.
#[derive(Debug, Parser)]
#[command(name = "merels", version, after_help = AFTER, arg_required_else_help = true)]
#[command(max_term_width = 100)]
pub struct Grammar {
    /// What applies to every command.
    #[command(flatten)]
    pub everywhere: Everywhere,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// What applies to every command.
#[derive(Debug, clap::Args)]
pub struct Everywhere {
    /// Directory of the tables, one directory in it for each rule set
    #[arg(long, global = true, value_name = "DIR", env = "MERELS_TABLES")]
    #[arg(default_value = "tables", hide_env_values = true)]
    pub tables: PathBuf,

    /// Threads to work with [default: one for each core]
    #[arg(long, global = true, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// Print JSON, for programs; play, uci and serve have none
    #[arg(long, global = true)]
    pub json: bool,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show the variants, or the rules and the board of one
    #[command(override_usage = "merels rules [OPTIONS] [VARIANT]\n       \
                                merels rules [OPTIONS] --rules FILE")]
    Rules(Rules),

    /// Forecast what solving takes: subspaces, entries, memory, disk, time
    #[command(override_usage = "merels plan [OPTIONS] VARIANT [SUBSPACE]...\n       \
                                merels plan [OPTIONS] --rules FILE [SUBSPACE]...")]
    Plan(Plan),

    /// Solve subspaces, with whatever they need, and store them
    #[command(override_usage = "merels generate [OPTIONS] VARIANT [SUBSPACE]...\n       \
                                merels generate [OPTIONS] --rules FILE [SUBSPACE]...")]
    Generate(Generate),

    /// Answer a position: value, depth, every turn; or a file of positions
    #[command(override_usage = "merels query [OPTIONS] VARIANT POSITION...\n       \
                                merels query [OPTIONS] VARIANT --batch FILE\n       \
                                merels query [OPTIONS] --rules FILE POSITION...\n       \
                                merels query [OPTIONS] --rules FILE --batch FILE")]
    Query(Query),

    /// Play a game in the terminal, against perfect play or against another person
    #[command(override_usage = "merels play [OPTIONS] VARIANT [POSITION]...\n       \
                                merels play [OPTIONS] --rules FILE [POSITION]...")]
    Play(Play),

    /// Speak the engine protocol of mill programs over standard input and output
    #[command(override_usage = "merels uci [OPTIONS] [VARIANT]\n       \
                                merels uci [OPTIONS] --rules FILE")]
    #[command(mut_arg("variant", |words| words.help(UCI_VARIANT)))]
    Uci(Uci),

    /// Serve a page and an HTTP interface, for this machine only unless --listen says otherwise
    #[command(override_usage = "merels serve [OPTIONS]")]
    Serve(Serve),

    /// Prove the tables from the rules, check their checksums, or check somebody's claims
    #[command(override_usage = "merels verify [OPTIONS] VARIANT [SUBSPACE]...\n       \
                                merels verify [OPTIONS] VARIANT --claims FILE\n       \
                                merels verify [OPTIONS] --rules FILE [SUBSPACE]...\n       \
                                merels verify [OPTIONS] --rules FILE --claims FILE")]
    Verify(Verify),

    /// Count wins, draws and losses, with the deepest of them
    #[command(override_usage = "merels stats [OPTIONS] VARIANT [SUBSPACE]...\n       \
                                merels stats [OPTIONS] --rules FILE [SUBSPACE]...")]
    Stats(Stats),

    /// Make the win/draw/loss tables on the shelf smaller, to half the bytes or less
    #[command(override_usage = "merels pack [OPTIONS] VARIANT [SUBSPACE]...\n       \
                                merels pack [OPTIONS] --rules FILE [SUBSPACE]...")]
    Pack(Pack),

    /// List the tables on the shelf: whole, damaged or missing
    #[command(override_usage = "merels list [OPTIONS] VARIANT [SUBSPACE]...\n       \
                                merels list [OPTIONS] --rules FILE [SUBSPACE]...")]
    List(List),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_is_sound() {
        <Grammar as clap::CommandFactory>::command().debug_assert();
    }
}
