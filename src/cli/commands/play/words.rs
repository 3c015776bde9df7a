//! What a person types at the board: turns, and a few words.

use crate::cli::grammar::Side;
use clap::ValueEnum;
use std::path::PathBuf;

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Play these tokens.
    Play(Vec<String>),
    /// What the position is worth, and what the last turn was; or what a turn would be.
    Verdict(Option<String>),
    /// The best turn.
    Hint,
    /// Every turn with its value.
    Turns,
    /// Take a turn back.
    Undo,
    /// Play again what was taken back.
    Redo,
    /// Draw the board.
    Board,
    /// List the turns that were played.
    Moves,
    /// Write the game to a file; `over`: also where there is one.
    Save {
        /// The file.
        file: PathBuf,
        /// Whether it may replace another.
        over: bool,
    },
    /// Who is played by persons.
    Side(Side),
    /// Among how many turns the program chooses.
    Strength(u16),
    /// Go on from another position.
    Position(String),
    /// Begin again.
    New,
    /// Give up.
    Resign,
    /// Leave.
    Quit,
    /// What can be typed.
    Help,
    /// Nothing was typed.
    Nothing,
}

/// What can be typed, for people.
pub const HELP: &str = "\
a turn           d6, d6-d5, d6-d5xc3; a removal alone: xc3
verdict          what the position is worth to the side to move, and what your last turn was worth
verdict TURN     what a turn would be worth
hint             the best turn
turns            every turn, best first
undo, redo       take your last turn back; play it again
board, moves     draw the board; list what was played
save FILE        write the game as a list of moves (save! replaces a file)
side WHO         play white, black, or both
strength N       let the program choose among the N best turns; 1 is perfect play
new              begin again
position TEXT    go on from a position: the short form, mill FEN, startpos moves ...
resign, quit
";

/// Reads a line; the error says what was expected. A word that is a point of the board is a turn.
pub fn read(line: &str, is_point: impl Fn(&str) -> bool) -> Result<Ask, String> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    if rest.is_empty() && is_point(word) {
        return Ok(Ask::Play(vec![word.to_owned()]));
    }
    let alone = |ask: Ask| match rest {
        "" => Ok(ask),
        _ => Err(format!("{word} stands alone: expected nothing after it")),
    };
    match word {
        "" => Ok(Ask::Nothing),
        "verdict" => Ok(Ask::Verdict((!rest.is_empty()).then(|| rest.to_owned()))),
        "hint" => alone(Ask::Hint),
        "turns" => alone(Ask::Turns),
        "undo" => alone(Ask::Undo),
        "redo" => alone(Ask::Redo),
        "board" => alone(Ask::Board),
        "moves" => alone(Ask::Moves),
        "new" => alone(Ask::New),
        "resign" => alone(Ask::Resign),
        "quit" | "exit" => alone(Ask::Quit),
        "help" | "?" => Ok(Ask::Help),
        "save" | "save!" if rest.is_empty() => Err(format!("{word}: expected the name of a file")),
        "save" | "save!" => Ok(Ask::Save { file: rest.into(), over: word == "save!" }),
        "side" => match Side::from_str(rest, false) {
            Ok(side) => Ok(Ask::Side(side)),
            Err(_) => Err("side: expected white, black or both".to_owned()),
        },
        "strength" => match rest.parse() {
            Ok(strength) if strength > 0 => Ok(Ask::Strength(strength)),
            _ => Err("strength: expected a number from 1, perfect play".to_owned()),
        },
        "position" if rest.is_empty() => {
            Err("position: expected a position, such as startpos".to_owned())
        }
        "position" => Ok(Ask::Position(rest.to_owned())),
        _ => Ok(Ask::Play(line.split_whitespace().map(str::to_owned).collect())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read() {
        let read = |line| read(line, |_| false);
        let play = |tokens: &[&str]| Ask::Play(tokens.iter().map(|t| (*t).to_owned()).collect());
        assert_eq!(read(" d6-d5  xc3 "), Ok(play(&["d6-d5", "xc3"])));
        assert_eq!(read("verdict"), Ok(Ask::Verdict(None)));
        assert_eq!(read("verdict d6"), Ok(Ask::Verdict(Some("d6".to_owned()))));
        assert_eq!(read("side both"), Ok(Ask::Side(Side::Both)));
        let file = "my game.txt".into();
        assert_eq!(read("save! my game.txt"), Ok(Ask::Save { file, over: true }));
        assert_eq!(read(""), Ok(Ask::Nothing));
        for line in ["hint d6", "save", "side green", "strength 0", "strength", "position"] {
            assert!(read(line).is_err(), "{line}");
        }
    }

    #[test]
    fn a_point_that_is_called_like_a_word_is_a_point() {
        assert_eq!(read("new", |name| name == "new"), Ok(Ask::Play(vec!["new".to_owned()])));
    }
}
