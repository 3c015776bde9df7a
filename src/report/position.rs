//! A position with its value, its turns and, if asked for, the best line.

use super::{depth, winner_turns};
use crate::notation::{Moment, Notation};
use crate::probe::{Line, ProbeError, Prober};
use crate::rules::Ending;
use serde::Serialize;

/// More turns than any line has: depths are 16 bits.
const LONGEST_LINE: usize = 1 << 16;

/// What `query` tells of a position.
#[derive(Debug, Serialize)]
pub struct PositionReport<'a> {
    variant: &'a str,
    position: String,
    value: &'static str,
    depth: Option<u16>,
    depth_known: bool,
    win_in: Option<u16>,
    over: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    ending: Option<&'static str>,
    removal_owed: bool,
    turns: Vec<TurnReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<Vec<LineReport>>,
}

#[derive(Debug, Serialize)]
struct TurnReport {
    turn: String,
    value: &'static str,
    depth: Option<u16>,
    position: String,
}

#[derive(Debug, Serialize)]
struct LineReport {
    turn: String,
    position: String,
}

impl<'a> PositionReport<'a> {
    /// What the tables of `prober` know of `moment`; with the best line if `line` is set.
    pub fn new(
        variant: &'a str,
        notation: &Notation,
        prober: &Prober,
        moment: &Moment,
        line: bool,
    ) -> Result<PositionReport<'a>, ProbeError> {
        let answer = prober.answer(moment)?;
        let line = match line {
            true => Some(line_report(notation, &prober.line(moment, LONGEST_LINE)?)),
            false => None,
        };
        let turns = answer.turns.iter().map(|turn| TurnReport {
            turn: notation.step(&turn.step),
            value: turn.stored.value.word(),
            depth: depth(&turn.stored),
            position: notation.short(&turn.position, turn.to_move),
        });
        Ok(PositionReport {
            variant,
            position: notation.moment(moment),
            value: answer.stored.value.word(),
            depth: depth(&answer.stored),
            depth_known: answer.stored.outcome.is_some(),
            win_in: answer.stored.outcome.and_then(winner_turns),
            over: answer.ending.is_some(),
            ending: answer.ending.map(Ending::words),
            removal_owed: moment.pending().is_some(),
            turns: turns.collect(),
            line,
        })
    }
}

fn line_report(notation: &Notation, line: &Line) -> Vec<LineReport> {
    let steps = line.steps.iter().map(|step| LineReport {
        turn: notation.step(&step.step),
        position: notation.moment(&step.after),
    });
    steps.collect()
}
