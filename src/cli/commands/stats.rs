//! `stats`: counts of wins, draws and losses, from the headers of the tables.

use super::plot;
use crate::cli::failure::{Failure, Status};
use crate::cli::grammar::{self, Everywhere};
use crate::cli::options::Asked;
use crate::cli::shelved;
use crate::cli::show::{self, Columns};
use crate::report::StatisticsRow;
use crate::space::Subspace;
use crate::table::{Census, Tally};
use std::io::Write;

/// The counts of one subspace.
pub struct Counted {
    /// The subspace.
    pub subspace: Subspace,
    /// What its header says.
    pub census: Census,
}

/// Runs the command.
pub fn run(
    words: &grammar::Stats,
    everywhere: &Everywhere,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let Asked { game, rest } =
        Asked::new(&words.scopes.rules, &words.scopes.subspaces, everywhere)?;
    if words.csv && everywhere.json {
        return Err(Failure::usage("--csv and --json are given; leave one out"));
    }
    let named = game.subspaces(&rest)?;
    let shelf = game.shelf()?;
    let chosen = shelved::choose(&game, &shelf, named)?;
    let mut counted = Vec::new();
    let mut refused: Vec<Failure> = Vec::new();
    for subspace in chosen.subspaces {
        match shelf.find(subspace) {
            Ok(table) => counted.push(Counted { subspace, census: table.header().census }),
            Err(error) => refused.push(error.into()),
        }
    }
    let worst = refused.iter().map(|failure| failure.status).max().unwrap_or(Status::No);
    if everywhere.json && counted.is_empty() {
        // The failure is all there is to be told.
    } else if everywhere.json {
        let row = |counted: &Counted| StatisticsRow::new(counted.subspace, &counted.census);
        let rows: Vec<StatisticsRow> = counted.iter().map(row).collect();
        serde_json::to_writer(&mut *out, &rows)?;
        writeln!(out)?;
    } else if words.csv {
        print_csv(&counted, out)?;
    } else {
        print(&counted, out)?;
    }
    if let Some(file) = &words.plot {
        plot::write(&game.name, &counted, file)?;
    }
    let messages: Vec<&str> = refused.iter().map(|failure| &*failure.message).collect();
    match refused.first() {
        None => Ok(()),
        Some(first) => Err(Failure::new(worst, first.code, messages.join("\n  "))),
    }
}

fn print_csv(counted: &[Counted], out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "subspace,positions,wins,draws,losses,deepest_win,deepest_loss")?;
    let depth = |depth: Option<u16>| depth.map_or(String::new(), |plies| plies.to_string());
    for Counted { subspace, census } in counted {
        let Tally { wins, draws, losses } = census.positions;
        let total = census.positions.total();
        let (win, loss) = (depth(census.deepest_win), depth(census.deepest_loss));
        writeln!(out, "{subspace},{total},{wins},{draws},{losses},{win},{loss}")?;
    }
    Ok(())
}

fn print(counted: &[Counted], out: &mut dyn Write) -> Result<(), Failure> {
    let mut columns = Columns::new(&[
        "subspace",
        ">positions",
        ">wins",
        ">draws",
        ">losses",
        ">deepest win",
        ">deepest loss",
        ">boards",
        ">wins",
        ">draws",
        ">losses",
    ]);
    let mut sum = Census::default();
    let mut line = |name: String, census: &Census| {
        let tally = |tally: &Tally| {
            [tally.total(), tally.wins, tally.draws, tally.losses].map(show::number)
        };
        let depths = [census.deepest_win, census.deepest_loss].map(show::depth);
        let cells = std::iter::once(name).chain(tally(&census.positions)).chain(depths);
        columns.row(cells.chain(tally(&census.boards)));
    };
    for Counted { subspace, census } in counted {
        line(subspace.to_string(), census);
        sum = add(&sum, census);
    }
    if counted.len() > 1 {
        line("in all".to_owned(), &sum);
    }
    columns.write(out, 0)?;
    writeln!(out)?;
    writeln!(out, "Values are those of the player to move, depths in plies. Positions that are")?;
    writeln!(out, "the same up to the symmetries of the board count once, boards each.")?;
    Ok(())
}

fn add(a: &Census, b: &Census) -> Census {
    let tally = |a: &Tally, b: &Tally| Tally {
        wins: a.wins.saturating_add(b.wins),
        draws: a.draws.saturating_add(b.draws),
        losses: a.losses.saturating_add(b.losses),
    };
    Census {
        positions: tally(&a.positions, &b.positions),
        boards: tally(&a.boards, &b.boards),
        deepest_win: a.deepest_win.max(b.deepest_win),
        deepest_loss: a.deepest_loss.max(b.deepest_loss),
    }
}
