//! Texts of positions in all dialects. The first byte chooses the rules.

use super::{NOTATIONS, chosen, is_one_line};
use merels::notation::{Moment, Notation, draw};

/// A text is refused with a reason, or read; what is written of that in any dialect is read as the
/// same, and every turn that it allows is written and read.
pub fn run(data: &[u8]) {
    let Some((choice, text)) = chosen(data) else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let notation = &NOTATIONS[choice as usize % NOTATIONS.len()];
    if let Err(error) = notation.subspace(text) {
        is_one_line(&error.to_string());
    }
    let moment = match notation.read(text) {
        Ok(moment) => moment,
        Err(error) => {
            is_one_line(&error.to_string());
            assert!(!error.code().is_empty());
            return;
        }
    };
    written_and_read(notation, &moment);
    // Every point of the board is drawn, and nothing that no terminal can show.
    let picture = draw(&notation.rules().board, Some(&moment.setup()));
    assert!(picture.is_ascii() && !picture.is_empty());
}

/// What is held of every moment.
pub fn written_and_read(notation: &Notation, moment: &Moment) {
    let text = notation.moment(moment);
    let again = notation.read(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(again.setup(), moment.setup(), "{text}");
    assert_eq!(notation.moment(&again), text);
    if let Ok(fen) = notation.fen(moment) {
        let again = notation.read(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(again.setup(), moment.setup(), "{fen}");
    }
    match moment {
        Moment::Between { position, to_move } => {
            let short = notation.short(position, *to_move);
            let again = notation.read(&short).unwrap_or_else(|error| panic!("{short}: {error}"));
            assert_eq!(again, *moment, "{short}");
            for turn in notation.rules().turns(position) {
                let token = notation.turn(&turn);
                assert_eq!(notation.parse_turn(moment, &token).ok(), Some(turn), "{text} {token}");
            }
        }
        Moment::Owing { pending, .. } => {
            for taken in notation.rules().removals(pending).iter() {
                let token = notation.removal(taken);
                notation.play(moment, &token).unwrap_or_else(|e| panic!("{text} {token}: {e}"));
            }
        }
    }
}
