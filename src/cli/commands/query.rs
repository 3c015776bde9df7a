//! `query`: one position, answered for people or for programs.

use super::batch;
use crate::cli::failure::{Failure, talk};
use crate::cli::grammar::{self, Everywhere};
use crate::cli::options::{Asked, Game};
use crate::cli::show::{self, Columns};
use crate::notation::{Moment, Notation, draw};
use crate::probe::{Answer, CACHE_BYTES, Line, Prober};
use crate::report::{PositionReport, depth};
use crate::value::Outcome;
use std::io::Write;

/// More turns than any line has: depths are 16 bits.
const LONGEST_LINE: usize = 1 << 16;

/// Asks the tables and says what they know in words for people or keys for programs.
pub struct Desk<'a> {
    /// The rule set.
    pub game: &'a Game,
    /// Its texts.
    pub notation: Notation,
    /// The tables.
    pub prober: Prober,
    /// Whether the best line is asked for.
    pub line: bool,
}

/// Runs the command.
pub fn run(
    words: &grammar::Query,
    everywhere: &Everywhere,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let Asked { game, rest } = Asked::new(&words.rules, &words.position, everywhere)?;
    if words.batch.is_some() && !rest.is_empty() {
        return Err(Failure::usage("a position and --batch are given; leave one out"));
    }
    if words.batch.is_none() && rest.is_empty() {
        return Err(Failure::usage(
            "no position is given: expected a position such as startpos, or --batch FILE",
        ));
    }
    let cache = match &words.batch {
        Some(_) => batch::cache_bytes(),
        None => CACHE_BYTES,
    };
    let desk = Desk {
        notation: Notation::new(&game.rules),
        prober: Prober::new(game.shelf()?, cache),
        line: words.line,
        game: &game,
    };
    match &words.batch {
        Some(file) => batch::run(&desk, file, out),
        None => desk.one(&rest.join(" "), everywhere.json, out),
    }
}

impl Desk<'_> {
    fn one(&self, text: &str, json: bool, out: &mut dyn Write) -> Result<(), Failure> {
        let moment = self.notation.read(text)?;
        if json {
            let record = self.record(&moment)?;
            serde_json::to_writer(&mut *out, &record)?;
            return Ok(writeln!(out)?);
        }
        let answer = self.prober.answer(&moment).map_err(|error| self.game.unanswered(error))?;
        self.print(&answer, out)?;
        if self.line {
            let line = self.prober.line(&moment, LONGEST_LINE);
            self.print_line(&answer, &line.map_err(|error| self.game.unanswered(error))?, out)?;
        }
        Ok(())
    }

    /// The answer to a text, as programs are told it.
    pub fn read_and_record(&self, text: &str) -> Result<PositionReport<'_>, Failure> {
        self.record(&self.notation.read(text)?)
    }

    fn record(&self, moment: &Moment) -> Result<PositionReport<'_>, Failure> {
        let Desk { game, notation, prober, line } = self;
        PositionReport::new(&game.name, notation, prober, moment, *line)
            .map_err(|error| game.unanswered(error))
    }

    fn print(&self, answer: &Answer, out: &mut dyn Write) -> Result<(), Failure> {
        let moment = &answer.moment;
        write!(out, "{}", draw(&self.game.rules.board, Some(&moment.setup())))?;
        writeln!(out)?;
        writeln!(out, "{}", self.notation.moment(moment))?;
        let side = moment.to_move();
        let verdict = show::verdict(&answer.stored);
        match (answer.ending, moment.pending()) {
            (Some(ending), _) => writeln!(out, "over: {side} {}: {verdict}", ending.words())?,
            (None, Some(_)) => writeln!(out, "{side} to remove a stone: {verdict}")?,
            (None, None) => writeln!(out, "{side} to move: {verdict}")?,
        }
        if answer.stored.outcome.is_none() {
            talk("note: only win, draw or loss is stored here; depths are not known");
        }
        if answer.turns.is_empty() {
            return Ok(());
        }
        writeln!(out)?;
        let mut columns = Columns::new(&["turn", "value", ">plies", "position after it"]);
        for turn in &answer.turns {
            columns.row([
                self.notation.step(&turn.step),
                show::turns(&turn.stored),
                show::depth(depth(&turn.stored)),
                self.notation.short(&turn.position, turn.to_move),
            ]);
        }
        Ok(columns.write(out, 0)?)
    }

    fn print_line(&self, answer: &Answer, line: &Line, out: &mut dyn Write) -> Result<(), Failure> {
        if answer.ending.is_some() {
            return Ok(());
        }
        writeln!(out)?;
        if line.steps.is_empty() {
            let why = match answer.stored.outcome {
                Some(Outcome::Draw) => "neither side can force an end",
                _ => "depths are not known",
            };
            return Ok(writeln!(out, "no best line: {why}")?);
        }
        writeln!(out, "best line:")?;
        let mut columns = Columns::new(&[">ply", "turn", "position after it"]);
        for (ply, step) in line.steps.iter().enumerate() {
            columns.row([
                (ply + 1).to_string(),
                self.notation.step(&step.step),
                self.notation.moment(&step.after),
            ]);
        }
        columns.write(out, 0)?;
        if let (Some(ending), Some(last)) = (line.ending, line.steps.last()) {
            writeln!(out, "over: {} {}", last.after.to_move(), ending.words())?;
        }
        Ok(())
    }
}
