//! `uci`: the engine protocol of mill programs over standard input and output.
//!
//! Nothing is searched: a `go` is answered from the tables before the next line is read, and
//! `infinite` only holds the turn back until `stop`. What cannot be answered is said in a line
//! `info string` with its reason and what can be done, and where a turn is waited for `bestmove
//! (none)` follows.
//!
//! Beware: a turn that removes a stone is told in halves. And a `position` that was refused leaves
//! none behind, so that no turn is ever told for the one before.

use crate::cli::failure::Failure;
use crate::cli::grammar::{self, Everywhere, RuleWords};
use crate::cli::lines::{self, Line};
use crate::cli::options::{Asked, Game};
use crate::cli::show;
use crate::game::protocol::{Command, Go, Kind, MOST_STRENGTH, Refusal, Setting};
use crate::game::{self, Choice, Dice, Player};
use crate::notation::{Moment, Notation, Step};
use crate::probe::{CACHE_BYTES, Prober};
use crate::report::winner_turns;
use crate::rules::{Turn, variants};
use crate::space::Subspace;
use crate::table::Stored;
use crate::value::{Outcome, Value};
use std::io::{self, BufRead, Write};
use std::path::Path;

/// The variant where none is named.
const USUAL: &str = "nine";

/// Turns of the main line where nothing else is asked for.
const LINE: usize = 64;

/// What `score cp` says of a win whose depth is not known.
const WON: i32 = 10_000;

const NO_TURN: &str = "(none)";

/// Runs the command.
pub fn run(
    words: &grammar::Uci,
    everywhere: &Everywhere,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    converse(words, everywhere, &mut io::stdin().lock(), out)
}

/// The same with an input of any kind.
pub fn converse(
    words: &grammar::Uci,
    everywhere: &Everywhere,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if everywhere.json {
        return Err(Failure::usage("uci speaks the engine protocol, not JSON: leave out --json"));
    }
    let usual = RuleWords { variant: Some(USUAL.to_owned()), ..words.rules.clone() };
    let named = words.rules.variant.is_some() || words.rules.file.is_some();
    let asked = Asked::new(if named { &words.rules } else { &usual }, &[], everywhere)?;
    if let Some(word) = asked.rest.first() {
        return Err(Failure::usage(format!("unexpected word {word:?} beside a rule file")));
    }
    let mut engine = Engine::new(asked.game, words.choosing.strength.into(), words.choosing.seed)?;
    let failed = |error: io::Error| Failure::io("read", Path::new("standard input"), &error);
    while let Some(line) = lines::next(input).map_err(failed)? {
        let command = match &line {
            Line::Whole(line) => Command::read(line),
            Line::TooLong(start) => Err(Command::too_long(start)),
        };
        match command {
            Ok(None) => {}
            Ok(Some(Command::Quit)) => break,
            Ok(Some(command)) => engine.answer(command, out)?,
            Err(refusal) => engine.refuse(&refusal, out)?,
        }
        out.flush()?;
    }
    Ok(())
}

struct Engine {
    game: Game,
    notation: Notation,
    prober: Prober,
    /// What was played so far; where it could not be read, why not.
    record: Result<game::Game, String>,
    player: Player,
    seed: Option<u64>,
    /// The turn that is told at `stop`.
    held: Option<String>,
}

impl Engine {
    fn new(game: Game, strength: usize, seed: Option<u64>) -> Result<Engine, Failure> {
        let notation = Notation::new(&game.rules);
        Ok(Engine {
            prober: Prober::new(game.shelf()?, CACHE_BYTES),
            record: Ok(game::Game::new(&notation)),
            player: Player { strength, dice: dice(seed) },
            seed,
            held: None,
            notation,
            game,
        })
    }

    fn answer(&mut self, command: Command, out: &mut dyn Write) -> io::Result<()> {
        match command {
            Command::IsReady => return writeln!(out, "readyok"),
            Command::Uci => return self.introduce(out),
            Command::Stop => {
                return match self.held.take() {
                    Some(turn) => writeln!(out, "bestmove {turn}"),
                    None => Ok(()),
                };
            }
            Command::Nothing | Command::Quit => return Ok(()),
            other if self.held.is_some() => {
                const EARLY: &str = "a turn is held back: send stop first; the line is passed over";
                if matches!(other, Command::Position(_)) {
                    self.record = Err(EARLY.to_owned());
                }
                return inform(out, EARLY);
            }
            Command::NewGame => {
                self.player.dice = dice(self.seed);
                self.record = Ok(game::Game::new(&self.notation));
            }
            Command::Position(text) => {
                self.record =
                    game::Game::read(&self.notation, &text).map_err(|error| error.to_string());
                if let Err(why) = &self.record {
                    inform(out, &format!("no position: {why}"))?;
                }
            }
            Command::Go(limits) => self.go(limits, out)?,
            Command::Set(setting) => {
                if let Err(failure) = self.set(setting) {
                    inform(out, &said(&failure))?;
                }
            }
        }
        Ok(())
    }

    /// Says why a line was not understood, and sees to it that nothing wrong follows from it.
    fn refuse(&mut self, refusal: &Refusal, out: &mut dyn Write) -> io::Result<()> {
        inform(out, &refusal.why)?;
        match refusal.kind {
            Kind::Position => {
                self.record = Err(refusal.why.clone());
                Ok(())
            }
            Kind::Go if self.held.is_none() => writeln!(out, "bestmove {NO_TURN}"),
            _ => Ok(()),
        }
    }

    fn introduce(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "id name merels {}", env!("CARGO_PKG_VERSION"))?;
        writeln!(out, "id author {}", env!("CARGO_PKG_AUTHORS"))?;
        write!(out, "option name Variant type combo default {}", self.game.name)?;
        let shipped = variants::all().iter().map(|variant| variant.id);
        for id in shipped.clone() {
            write!(out, " var {id}")?;
        }
        if !shipped.clone().any(|id| id == self.game.name) {
            write!(out, " var {}", self.game.name)?;
        }
        writeln!(out)?;
        let tables = one_line(&self.game.tables.display().to_string());
        writeln!(out, "option name Tables type string default {tables}")?;
        let strength = self.player.strength;
        writeln!(
            out,
            "option name Strength type spin default {strength} min 1 max {MOST_STRENGTH}"
        )?;
        let seed = self.seed.map_or("<empty>".to_owned(), |seed| seed.to_string());
        writeln!(out, "option name Seed type string default {seed}")?;
        writeln!(out, "uciok")
    }

    fn set(&mut self, setting: Setting) -> Result<(), Failure> {
        match setting {
            Setting::Strength(strength) => self.player.strength = strength,
            Setting::Seed(seed) => {
                self.seed = seed;
                self.player.dice = dice(seed);
            }
            Setting::Tables(tables) => {
                let game = Game { tables, ..self.game.clone() };
                self.prober = Prober::new(game.shelf()?, CACHE_BYTES);
                self.game = game;
            }
            Setting::Variant(id) if id == self.game.name => {}
            Setting::Variant(id) => {
                let words = RuleWords { variant: Some(id), ..RuleWords::default() };
                let tables = self.game.tables.clone();
                let everywhere = Everywhere { tables, threads: None, json: false };
                let game = Asked::new(&words, &[], &everywhere)?.game;
                *self = Engine::new(game, self.player.strength, self.seed)?;
            }
        }
        Ok(())
    }

    /// Tells the turn, or holds it back where it is to be told at `stop`.
    fn go(&mut self, limits: Go, out: &mut dyn Write) -> io::Result<()> {
        let turn = self.choose(limits, out)?.unwrap_or_else(|| NO_TURN.to_owned());
        match limits.wait {
            true => self.held = Some(turn),
            false => writeln!(out, "bestmove {turn}")?,
        }
        Ok(())
    }

    /// Says what the tables know, and chooses a token; `None` where there is none to be chosen.
    fn choose(&mut self, limits: Go, out: &mut dyn Write) -> io::Result<Option<String>> {
        let record = match &self.record {
            Ok(record) => record,
            Err(why) => {
                inform(out, &format!("no position to answer, send one that holds: {why}"))?;
                return Ok(None);
            }
        };
        let choice = match self.player.choose(&self.prober, record) {
            Ok(choice) => choice,
            Err(error) => {
                inform(out, &said(&self.game.unanswered(error)))?;
                return Ok(None);
            }
        };
        let side = record.at().to_move();
        let stored = choice.answer.stored;
        let verdict = show::verdict(&stored);
        let Some(turn) = &choice.turn else {
            let words = choice.answer.ending.map_or("has no turn", |ending| ending.words());
            inform(out, &format!("over: {side} {words}: {verdict}"))?;
            writeln!(out, "info depth 0 {}", score(&stored))?;
            return Ok(None);
        };
        inform(out, &format!("{side}: {verdict}"))?;
        if turn.stored != stored {
            inform(
                out,
                &format!(
                    "chosen at strength {}: {}",
                    self.player.strength,
                    show::verdict(&turn.stored)
                ),
            )?;
        }
        if let Some(subspace) = without_depths(&choice) {
            let make = self.game.generate(&subspace.to_string());
            let what = "only values are at hand, so a win may take its time";
            inform(out, &format!("{what}; for depths: {make}"))?;
        }
        let line = self.main_line(&choice, limits, out)?;
        let depth = turn.stored.outcome.and_then(Outcome::depth).unwrap_or(1);
        writeln!(
            out,
            "info depth {depth} {} nodes {} pv {}",
            score(&turn.stored),
            choice.answer.turns.len(),
            line.join(" ")
        )?;
        Ok(line.into_iter().next())
    }

    /// The tokens of the chosen turn and of perfect play after it.
    fn main_line(
        &self,
        choice: &Choice,
        limits: Go,
        out: &mut dyn Write,
    ) -> io::Result<Vec<String>> {
        let (Some(turn), Some(after)) = (&choice.turn, choice.after()) else {
            return Ok(Vec::new());
        };
        let mut tokens = self.tokens(&turn.step);
        let turns = limits.depth.map_or(LINE, |depth| usize::try_from(depth).unwrap_or(LINE));
        if turns > 1 {
            match self.prober.line(&after, turns - 1) {
                Ok(line) => {
                    tokens.extend(line.steps.iter().flat_map(|step| self.tokens(&step.step)));
                }
                Err(error) => {
                    inform(out, &format!("main line: {}", said(&self.game.unanswered(error))))?;
                }
            }
        }
        Ok(tokens)
    }

    /// A step as tokens, the removal apart.
    fn tokens(&self, step: &Step) -> Vec<String> {
        match step {
            Step::Removal(taken) => vec![self.notation.removal(*taken)],
            Step::Turn(turn) => {
                let half = Turn { removal: None, ..*turn };
                let removal = turn.removal.map(|taken| self.notation.removal(taken));
                std::iter::once(self.notation.turn(&half)).chain(removal).collect()
            }
        }
    }
}

/// A subspace of which only values are at hand, that of the position first.
fn without_depths(choice: &Choice) -> Option<Subspace> {
    let Choice { answer, .. } = choice;
    if let (Moment::Between { position, .. }, None) = (&answer.moment, answer.stored.outcome) {
        return Some(Subspace::of(position));
    }
    let blind = answer.turns.iter().find(|turn| turn.stored.outcome.is_none());
    blind.map(|turn| Subspace::of(&turn.position))
}

fn dice(seed: Option<u64>) -> Dice {
    Dice::new(seed.unwrap_or_else(Dice::any_seed))
}

/// `score mate 5`, negative for the loser, in turns of the winner; `score cp 0` for a draw.
fn score(stored: &Stored) -> String {
    let turns = stored.outcome.and_then(winner_turns);
    match (stored.value, turns) {
        (Value::Draw, _) => "score cp 0".to_owned(),
        (Value::Win, Some(turns)) => format!("score mate {turns}"),
        (Value::Loss, Some(0)) => "score mate 0".to_owned(),
        (Value::Loss, Some(turns)) => format!("score mate -{turns}"),
        (Value::Win, None) => format!("score cp {WON}"),
        (Value::Loss, None) => format!("score cp -{WON}"),
    }
}

/// A failure with what can be done about it.
fn said(failure: &Failure) -> String {
    match &failure.hint {
        Some(hint) => format!("{}; {hint}", failure.message),
        None => failure.message.clone(),
    }
}

fn inform(out: &mut dyn Write, text: &str) -> io::Result<()> {
    writeln!(out, "info string {}", one_line(text))
}

/// A text that ends no line and disturbs no terminal.
fn one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}
