//! The rules in a file, compared with the rules asked for, so that a difference can be named.

use super::TableError;
use super::format::name_text;
use crate::rules::{Blocked, Flying, FullBoard, MillEffect, Placing, Protection, Rules};

/// What the parameter bytes are called, in their order.
const NAMES: [&str; 8] =
    ["men", "men", "flying", "mill", "placing", "full-board", "blocked", "protection"];

/// An error that names the first parameter in which a file differs from `rules`.
pub(super) fn compare(
    file: &str,
    rules: &Rules,
    fingerprint: u128,
    board_name: &[u8; 24],
    parameters: &[u8; 8],
) -> Result<(), TableError> {
    let other = |parameter: &str, expected: String, found: String| TableError::OtherRules {
        file: file.to_owned(),
        parameter: parameter.to_owned(),
        expected,
        found,
    };
    let board = &rules.board;
    if fingerprint != board.fingerprint() {
        return Err(other(
            "board",
            format!("{} ({:032x})", board.name(), board.fingerprint()),
            format!("{} ({fingerprint:032x})", name_text(board_name)),
        ));
    }
    let ours = rules.parameter_bytes();
    if *parameters == ours {
        return Ok(());
    }
    if let Some(theirs) = with_parameters(rules, parameters) {
        let (name, here, there) = rules.difference(&theirs).expect("some parameter differs");
        return Err(other(name, here, there));
    }
    let place = (0..8).find(|i| parameters[*i] != ours[*i]).expect("some byte differs");
    let words = rules.parameters();
    let (_, here) = words.iter().find(|(name, _)| *name == NAMES[place]).expect("a parameter");
    Err(other(NAMES[place], here.clone(), format!("number {}", parameters[place])))
}

/// `rules` with the parameters of a file; `None` where one is out of range.
fn with_parameters(rules: &Rules, parameters: &[u8; 8]) -> Option<Rules> {
    fn pick<T: Copy>(all: &[T], number: u8) -> Option<T> {
        all.get(usize::from(number)).copied()
    }
    let [white, black, flying, mill, placing, full_board, blocked, protection] = *parameters;
    Some(Rules {
        board: rules.board.clone(),
        men: [white, black],
        flying: pick(Flying::ALL, flying)?,
        mill: pick(MillEffect::ALL, mill)?,
        placing: pick(Placing::ALL, placing)?,
        full_board: pick(FullBoard::ALL, full_board)?,
        blocked: pick(Blocked::ALL, blocked)?,
        protection: pick(Protection::ALL, protection)?,
    })
}
