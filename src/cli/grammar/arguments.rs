//! The arguments of each command.

use super::RULE_FLAGS;
use crate::game::protocol::MOST_STRENGTH;
use crate::solve::Limits;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Which rule set: a variant or a file, and parameters that override it.
#[derive(Clone, Debug, Default, Args)]
pub struct RuleWords {
    /// A variant (`merels rules` lists them); left out where --rules names a file
    #[arg(value_name = "VARIANT")]
    pub variant: Option<String>,

    /// Read the rule set, board included, from a TOML file
    #[arg(long = "rules", value_name = "FILE", help_heading = RULE_FLAGS)]
    pub file: Option<PathBuf>,

    /// Board: grid3, grid3-diagonal, rings2, rings3, rings3-diagonal
    #[arg(long, value_name = "NAME", help_heading = RULE_FLAGS)]
    pub board: Option<String>,

    /// Men of each player, or of white and black: 9, or 9,8
    #[arg(long, value_name = "N[,N]", help_heading = RULE_FLAGS)]
    pub men: Option<String>,

    /// When stones fly: never, at-three, always
    #[arg(long, value_name = "WHEN", help_heading = RULE_FLAGS)]
    pub flying: Option<String>,

    /// What a mill does: remove, wins
    #[arg(long, value_name = "EFFECT", help_heading = RULE_FLAGS)]
    pub mill: Option<String>,

    /// Whether stones in hand come first: place-first, free
    #[arg(long, value_name = "HOW", help_heading = RULE_FLAGS)]
    pub placing: Option<String>,

    /// A full board: draw, loss
    #[arg(long, value_name = "RESULT", help_heading = RULE_FLAGS)]
    pub full_board: Option<String>,

    /// A player without a turn: loss, draw
    #[arg(long, value_name = "RESULT", help_heading = RULE_FLAGS)]
    pub blocked: Option<String>,

    /// Stones safe from removal: unless-all, never
    #[arg(long, value_name = "WHICH", help_heading = RULE_FLAGS)]
    pub protection: Option<String>,
}

/// Subspaces by name.
#[derive(Debug, Args)]
pub struct Scopes {
    /// Which rule set.
    #[command(flatten)]
    pub rules: RuleWords,

    /// Subspaces: stones of the mover and of the opponent, 5-4; with stones in hand 5-4+2-1
    #[arg(value_name = "SUBSPACE")]
    pub subspaces: Vec<String>,
}

/// What is to be solved.
#[derive(Debug, Args)]
pub struct Wanted {
    /// Subspaces.
    #[command(flatten)]
    pub scopes: Scopes,

    /// Every subspace whose stones on the board and in hand, of both players, are at most N, and
    /// those that are named
    #[arg(long, value_name = "N")]
    pub max_stones: Option<u8>,
}

/// Arguments of `rules`.
#[derive(Debug, Args)]
pub struct Rules {
    /// Which rule set.
    #[command(flatten)]
    pub rules: RuleWords,
}

/// Arguments of `plan`.
#[derive(Debug, Args)]
pub struct Plan {
    /// What is to be solved.
    #[command(flatten)]
    pub wanted: Wanted,
}

/// Arguments of `generate`.
#[derive(Debug, Args)]
pub struct Generate {
    /// What is to be solved.
    #[command(flatten)]
    pub wanted: Wanted,

    /// The most memory to use: 8GiB, 512MiB, 4GB or bytes [default: 90 % of what is available]
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<String>,

    /// Save a unit in progress every so many seconds; 0: at every step, for tests
    #[arg(long, hide = true, value_name = "SECONDS", default_value_t = Limits::SAVE_EVERY.as_secs())]
    pub save_every: u64,

    /// Print a line on stderr for every unit solved
    #[arg(long)]
    pub verbose: bool,
}

/// Arguments of `query`.
#[derive(Debug, Args)]
pub struct Query {
    /// Which rule set.
    #[command(flatten)]
    pub rules: RuleWords,

    /// A position, as one word or several: the short form `O*@*****/O*@*****/*@*****O w 0,0`, mill
    /// FEN, or `startpos moves d6 f4 ...`
    #[arg(value_name = "POSITION", allow_negative_numbers = true)]
    pub position: Vec<String>,

    /// Show the best line to the end of the game
    #[arg(long)]
    pub line: bool,

    /// Answer every line of a file (- for standard input), with a line of JSON each
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    pub batch: Option<PathBuf>,
}

/// Who is played by persons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Side {
    White,
    Black,
    Both,
}

/// How the program chooses its turns.
#[derive(Debug, Args)]
pub struct Choosing {
    /// Choose among the N best turns; 1 is perfect play
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = strength())]
    pub strength: u16,

    /// Make choices that equal seeds repeat [default: any]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
}

fn strength() -> clap::builder::RangedI64ValueParser<u16> {
    clap::value_parser!(u16).range(1..=i64::from(MOST_STRENGTH))
}

/// Arguments of `play`.
#[derive(Debug, Args)]
pub struct Play {
    /// Which rule set.
    #[command(flatten)]
    pub rules: RuleWords,

    /// Where the game begins, as one word or several: the short form, mill FEN, or `startpos moves
    /// d6 f4 ...` [default: startpos]
    #[arg(value_name = "POSITION", allow_negative_numbers = true)]
    pub position: Vec<String>,

    /// The side that you play, of which white begins; the tables play the other
    #[arg(long, value_name = "SIDE", value_enum, default_value_t = Side::White)]
    pub side: Side,

    /// How turns are chosen.
    #[command(flatten)]
    pub choosing: Choosing,
}

/// Arguments of `uci`.
#[derive(Debug, Args)]
pub struct Uci {
    /// Which rule set; nine where none is named.
    #[command(flatten)]
    pub rules: RuleWords,

    /// How turns are chosen.
    #[command(flatten)]
    pub choosing: Choosing,
}

/// Arguments of `serve`.
#[derive(Debug, Args)]
pub struct Serve {
    /// Where to listen; port 0 takes one that is free
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080")]
    pub listen: String,

    /// The most memory for decoded tables: 8GiB, 512MiB, 4GB or bytes [default: 256MiB]
    #[arg(long, value_name = "SIZE")]
    pub cache: Option<String>,

    /// Serve this rule set too; may be given several times
    #[arg(long, value_name = "FILE")]
    pub rules: Vec<PathBuf>,
}

/// Arguments of `verify`.
#[derive(Debug, Args)]
pub struct Verify {
    /// Subspaces.
    #[command(flatten)]
    pub scopes: Scopes,

    /// Check N entries of each subspace, drawn at random, instead of all
    #[arg(long, value_name = "N", conflicts_with_all = ["checksums", "claims"])]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub sample: Option<u64>,

    /// Draw other entries: equal seeds draw equal ones
    #[arg(long, value_name = "N", default_value_t = 0, requires = "sample")]
    pub seed: u64,

    /// Only read every byte of every file and compare checksums and digests
    #[arg(long, conflicts_with = "claims")]
    pub checksums: bool,

    /// Hold the claims of a CSV against the tables (- for standard input): columns position and
    /// value (win, draw, loss) and, where given, depth and variant
    #[arg(long, value_name = "FILE", conflicts_with = "subspaces")]
    pub claims: Option<PathBuf>,

    /// The most memory for decoded tables: 8GiB, 512MiB, 4GB or bytes [default: 90 % of what is
    /// available]
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<String>,
}

/// Arguments of `stats`.
#[derive(Debug, Args)]
pub struct Stats {
    /// Subspaces.
    #[command(flatten)]
    pub scopes: Scopes,

    /// Print CSV: subspace,positions,wins,draws,losses,deepest_win,deepest_loss
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,

    /// Draw the counts into an SVG file
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
}

/// Arguments of `list`.
#[derive(Debug, Args)]
pub struct List {
    /// Subspaces.
    #[command(flatten)]
    pub scopes: Scopes,

    /// Look at headers and lengths only, instead of reading every byte
    #[arg(long)]
    pub quick: bool,
}

/// Arguments of `pack`.
#[derive(Debug, Args)]
pub struct Pack {
    /// Subspaces.
    #[command(flatten)]
    pub scopes: Scopes,

    /// Print a line on stderr for every table
    #[arg(long)]
    pub verbose: bool,
}
