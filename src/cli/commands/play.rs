//! `play`: a game in the terminal, against the tables or between two persons.
//!
//! A line is read, answered, and the next one asked for, so that a terminal, a pipe or a script can
//! sit at the board alike. Everything that belongs to the conversation goes to stdout, the reasons
//! against a turn included. Where the tables do not answer, that is said with the command that
//! makes them, and nothing is passed off as their answer.

mod pen;
mod words;

use crate::cli::failure::Failure;
use crate::cli::files;
use crate::cli::grammar::{self, Everywhere};
use crate::cli::lines::{self, Line};
use crate::cli::options::{Asked, Game};
use crate::cli::show::{self, Columns};
use crate::game::{self, Dice, PlayedTurn, Player};
use crate::notation::{Notation, TextError, draw};
use crate::probe::{CACHE_BYTES, ProbeError, Prober};
use crate::rules::Side;
use crate::table::Stored;
use crate::value::Outcome;
use pen::Pen;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use words::Ask;

/// How often a game stands the same before that is worth a word.
const OFTEN: usize = 3;

/// Runs the command.
pub fn run(
    words: &grammar::Play,
    everywhere: &Everywhere,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if everywhere.json {
        return Err(Failure::usage("play talks to people, not in JSON: leave out --json"));
    }
    let Asked { game, rest } = Asked::new(&words.rules, &words.position, everywhere)?;
    let notation = Notation::new(&game.rules);
    let record = match rest.is_empty() {
        true => game::Game::new(&notation),
        false => game::Game::read(&notation, &rest.join(" "))?,
    };
    let seed = words.choosing.seed.unwrap_or_else(Dice::any_seed);
    let mut session = Session {
        prober: Prober::new(game.shelf()?, CACHE_BYTES),
        player: Player { strength: words.choosing.strength.into(), dice: Dice::new(seed) },
        persons: words.side,
        resigned: None,
        stuck: false,
        pen: Pen::new(),
        notation,
        record,
        game,
    };
    session.welcome(out)?;
    session.go_on(out)?;
    let mut input = io::stdin().lock();
    let echo = !io::stdin().is_terminal();
    let failed = |error: io::Error| Failure::io("read", Path::new("standard input"), &error);
    loop {
        write!(out, "{}", session.prompt())?;
        out.flush()?;
        let Some(line) = lines::next(&mut input).map_err(failed)? else {
            return Ok(writeln!(out)?);
        };
        let line = match line {
            Line::Whole(line) => String::from_utf8(line).map_err(|_| "the line is not UTF-8"),
            Line::TooLong(_) => Err("the line is too long"),
        };
        if echo {
            let typed = line.as_deref().unwrap_or("");
            writeln!(out, "{}", typed.replace(char::is_control, " ").trim_end())?;
        }
        let board = &session.game.rules.board;
        let ask = line
            .map_err(str::to_owned)
            .and_then(|line| words::read(&line, |name| board.point(name).is_some()));
        match ask {
            Ok(Ask::Quit) => return Ok(()),
            Ok(ask) => session.answer(ask, out)?,
            Err(why) => writeln!(out, "{why}")?,
        }
    }
}

struct Session {
    game: Game,
    notation: Notation,
    prober: Prober,
    record: game::Game,
    player: Player,
    persons: grammar::Side,
    resigned: Option<Side>,
    /// The tables could not choose a turn: a person plays it.
    stuck: bool,
    pen: Pen,
}

impl Session {
    fn welcome(&self, out: &mut dyn Write) -> io::Result<()> {
        let who = match self.persons {
            grammar::Side::Both => "two persons play".to_owned(),
            grammar::Side::White => format!("you play white (O), {} black (@)", self.opponent()),
            grammar::Side::Black => format!("you play black (@), {} white (O)", self.opponent()),
        };
        writeln!(out, "{}: {who}; help tells what can be typed", self.game.name)?;
        if self.persons == grammar::Side::Both {
            return Ok(());
        }
        match self.prober.value(self.record.at()) {
            Err(error) if self.record.ending().is_none() => self.excuse(error, out),
            _ => Ok(()),
        }
    }

    fn opponent(&self) -> String {
        match self.player.strength {
            0 | 1 => "perfect play".to_owned(),
            few => format!("one of the {few} best turns"),
        }
    }

    fn prompt(&self) -> String {
        let at = self.record.at();
        let owes = if at.pending().is_some() { " takes" } else { "" };
        match self.is_over() {
            true => "over> ".to_owned(),
            false => format!("{}{owes}> ", at.to_move()),
        }
    }

    fn is_over(&self) -> bool {
        self.resigned.is_some() || self.record.ending().is_some()
    }

    fn is_person(&self, side: Side) -> bool {
        match self.persons {
            grammar::Side::Both => true,
            grammar::Side::White => side == Side::White,
            grammar::Side::Black => side == Side::Black,
        }
    }

    /// Lets the tables play where it is their turn, and shows where the game stands then.
    fn go_on(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.stuck = false;
        while !self.is_over() && !self.is_person(self.record.at().to_move()) {
            match self.player.choose(&self.prober, &self.record) {
                Ok(choice) => {
                    let side = self.record.at().to_move();
                    let step = choice.turn.expect("a game that goes on has turns").step;
                    let token = self.notation.step(&step);
                    self.record.play(&token).expect("the tables know legal turns only");
                    writeln!(out, "{}", self.pen.strong(&format!("{side} plays {token}")))?;
                }
                Err(error) => {
                    self.excuse(error, out)?;
                    writeln!(out, "play the turn for it, or undo")?;
                    self.stuck = true;
                    break;
                }
            }
        }
        self.show(out)
    }

    /// The board, the stones in hand, and the end where it has come.
    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        let setup = self.record.at().setup();
        write!(out, "\n{}\n", self.pen.board(&draw(&self.game.rules.board, Some(&setup))))?;
        let [white, black] = setup.hands;
        if white > 0 || black > 0 {
            writeln!(out, "in hand: white {white}, black {black}")?;
        }
        let side = self.record.at().to_move();
        let end = match (self.resigned, self.record.ending()) {
            (Some(side), _) => format!("over: {side} resigns, {} has won", side.other()),
            (None, Some(ending)) => match ending.outcome() {
                Outcome::Draw => format!("over: {side} {}: a draw", ending.words()),
                _ => format!("over: {side} {}, {} has won", ending.words(), side.other()),
            },
            (None, None) => {
                let times = self.record.times(self.record.at());
                if times >= OFTEN {
                    writeln!(out, "the game has stood so {times} times")?;
                }
                return Ok(());
            }
        };
        writeln!(out, "{}", self.pen.strong(&end))
    }

    fn answer(&mut self, ask: Ask, out: &mut dyn Write) -> io::Result<()> {
        match ask {
            Ask::Nothing | Ask::Quit => Ok(()),
            Ask::Help => write!(out, "{}", words::HELP),
            Ask::Play(tokens) => self.play(&tokens, out),
            Ask::Verdict(token) => self.verdict(token.as_deref(), out),
            Ask::Hint => self.hint(out),
            Ask::Turns => self.turns(out),
            Ask::Undo => match self.take_back() {
                true => self.go_on(out),
                false => writeln!(out, "there is no turn of yours to take back"),
            },
            Ask::Redo => match self.play_again() {
                true => self.go_on(out),
                false => writeln!(out, "nothing was taken back that could be played again"),
            },
            Ask::Board => self.show(out),
            Ask::Moves => self.moves(out),
            Ask::Save { file, over } => self.save(&file, over, out),
            Ask::Side(side) => {
                self.persons = side;
                self.go_on(out)
            }
            Ask::Strength(strength) => {
                self.player.strength = strength.into();
                writeln!(out, "the program plays {}", self.opponent())
            }
            Ask::Position(text) => match game::Game::read(&self.notation, &text) {
                Ok(record) => self.begin(record, out),
                Err(error) => writeln!(out, "{error}"),
            },
            Ask::New => self.begin(game::Game::new(&self.notation), out),
            Ask::Resign if self.is_over() => writeln!(out, "the game is over already"),
            Ask::Resign => {
                let to_move = self.record.at().to_move();
                let person = if self.is_person(to_move) { to_move } else { to_move.other() };
                self.resigned = Some(person);
                self.show(out)
            }
        }
    }

    fn begin(&mut self, record: game::Game, out: &mut dyn Write) -> io::Result<()> {
        self.record = record;
        self.resigned = None;
        self.go_on(out)
    }

    /// Plays all of the tokens or none.
    fn play(&mut self, tokens: &[String], out: &mut dyn Write) -> io::Result<()> {
        if self.is_over() {
            return writeln!(out, "the game is over: undo, new, save FILE, or quit");
        }
        let mut record = self.record.clone();
        for token in tokens {
            let side = record.at().to_move();
            if !self.is_person(side) && !self.stuck {
                return writeln!(out, "{token} would be {side}'s turn, which is not yours");
            }
            if let Err(error) = record.play(token) {
                writeln!(out, "{error}")?;
                return match error {
                    TextError::Illegal { .. } => Ok(()),
                    _ => writeln!(out, "help tells what can be typed"),
                };
            }
        }
        self.record = record;
        self.go_on(out)
    }

    /// Back to the last turn that a person had to make.
    fn take_back(&mut self) -> bool {
        if self.resigned.take().is_some() {
            return true;
        }
        let mut record = self.record.clone();
        while record.undo() {
            if self.is_person(record.at().to_move()) {
                self.record = record;
                return true;
            }
        }
        false
    }

    /// On to the next turn that a person has to make.
    fn play_again(&mut self) -> bool {
        let mut again = false;
        while self.resigned.is_none() && self.record.redo() {
            again = true;
            if self.is_person(self.record.at().to_move()) {
                break;
            }
        }
        again
    }

    fn verdict(&self, token: Option<&str>, out: &mut dyn Write) -> io::Result<()> {
        if let Some(token) = token {
            return match self.worth(token) {
                Ok(Ok(stored)) => writeln!(out, "{token}: {}", show::verdict(&stored)),
                Ok(Err(error)) => self.excuse(error, out),
                Err(error) => writeln!(out, "{error}"),
            };
        }
        let answer = match self.prober.answer(self.record.at()) {
            Ok(answer) => answer,
            Err(error) => return self.excuse(error, out),
        };
        let side = self.record.at().to_move();
        writeln!(out, "{side} to move: {}", show::verdict(&answer.stored))?;
        if answer.stored.outcome.is_none() {
            writeln!(out, "only values are stored here, depths are not known")?;
        }
        let turns = self.record.turns();
        let whole = |turn: &&PlayedTurn| turn.after.pending().is_none();
        match turns.iter().rev().filter(whole).find(|turn| self.is_person(turn.side)) {
            Some(turn) => self.judge(turn, out),
            None => Ok(()),
        }
    }

    /// What a turn of the record was worth, beside the best.
    fn judge(&self, turn: &PlayedTurn, out: &mut dyn Write) -> io::Result<()> {
        let answer = match self.prober.answer(&turn.before) {
            Ok(answer) => answer,
            Err(error) => return self.excuse(error, out),
        };
        let played = answer.turns.iter().find(|t| self.notation.step(&t.step) == turn.text);
        let (Some(played), Some(best)) = (played, answer.turns.first()) else { return Ok(()) };
        let PlayedTurn { side, text, .. } = turn;
        let verdict = show::verdict(&played.stored);
        match played.stored == best.stored {
            true => writeln!(out, "{side}'s last turn, {text}: {verdict}; none is better"),
            false => writeln!(
                out,
                "{side}'s last turn, {text}: {verdict}; better was {}: {}",
                self.notation.step(&best.step),
                show::verdict(&best.stored)
            ),
        }
    }

    /// What a turn would be worth; where it leaves the removal open, the best one.
    fn worth(&self, token: &str) -> Result<Result<Stored, ProbeError>, TextError> {
        let mut record = self.record.clone();
        record.play(token)?;
        if record.at().pending().is_some() {
            return Ok(self.prober.value(record.at()));
        }
        let step = self.notation.parse_step(self.record.at(), token)?;
        Ok(self.prober.answer(self.record.at()).map(|answer| {
            let turn = answer.turns.iter().find(|turn| turn.step == step);
            turn.expect("a legal turn is among all turns").stored
        }))
    }

    fn hint(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut best = Player { strength: 1, dice: self.player.dice.clone() };
        match best.choose(&self.prober, &self.record) {
            Ok(choice) => match choice.turn {
                Some(turn) => {
                    let token = self.notation.step(&turn.step);
                    writeln!(out, "{}: {}", self.pen.strong(&token), show::verdict(&turn.stored))
                }
                None => writeln!(out, "the game is over"),
            },
            Err(error) => self.excuse(error, out),
        }
    }

    fn turns(&self, out: &mut dyn Write) -> io::Result<()> {
        let answer = match self.prober.answer(self.record.at()) {
            Ok(answer) => answer,
            Err(error) => return self.excuse(error, out),
        };
        let mut columns = Columns::new(&["turn", "value", ">plies"]);
        for turn in &answer.turns {
            let depth = turn.stored.outcome.and_then(Outcome::depth);
            let token = self.notation.step(&turn.step);
            columns.row([token, show::turns(&turn.stored), show::depth(depth)]);
        }
        columns.write(out, 0)
    }

    fn moves(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.record.text())
    }

    fn save(&self, file: &Path, over: bool, out: &mut dyn Write) -> io::Result<()> {
        if !over && file.symlink_metadata().is_ok() {
            let name = file.display();
            return writeln!(out, "{name} is there already: choose another name, or save! {name}");
        }
        match files::write(file, format!("{}\n", self.record.text()).as_bytes()) {
            Ok(()) => writeln!(out, "saved to {}", file.display()),
            Err(error) => writeln!(out, "cannot write {}: {error}", file.display()),
        }
    }

    /// Says why the tables do not answer, and what can be done.
    fn excuse(&self, error: ProbeError, out: &mut dyn Write) -> io::Result<()> {
        let Failure { message, hint, .. } = self.game.unanswered(error);
        writeln!(out, "the tables do not answer: {message}")?;
        match hint {
            Some(hint) => writeln!(out, "{hint}"),
            None => Ok(()),
        }
    }
}
