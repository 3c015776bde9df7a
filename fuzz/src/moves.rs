//! Move lists. The first byte chooses the rules, the rest is a game as `play` and the server take it.

use super::{NOTATIONS, chosen, is_one_line, positions};
use merels::game::Game;

/// A game is refused with a reason, or its record is the game: it is written and read as the same,
/// taken back to its beginning and played again.
pub fn run(data: &[u8]) {
    let Some((choice, text)) = chosen(data) else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let notation = &NOTATIONS[choice as usize % NOTATIONS.len()];
    // A list alone is played from the start.
    let whole = match text.split_ascii_whitespace().next() {
        Some(word) if notation.play(Game::new(notation).at(), word).is_ok() => {
            format!("startpos moves {text}")
        }
        _ => text.to_owned(),
    };
    let mut game = match Game::read(notation, &whole) {
        Ok(game) => game,
        Err(error) => {
            is_one_line(&error.to_string());
            assert!(!error.code().is_empty());
            return;
        }
    };
    let end = *game.at();
    let record = game.text();
    let again = Game::read(notation, &record).unwrap_or_else(|error| panic!("{record}: {error}"));
    assert_eq!(again.at().setup(), end.setup(), "{record}");
    assert_eq!(again.text(), record);
    positions::written_and_read(notation, &end);
    assert_eq!(game.legal().is_empty(), game.ending().is_some());
    for token in game.legal() {
        let mut next = game.clone();
        next.play(&token).unwrap_or_else(|error| panic!("{record} {token}: {error}"));
    }
    let turns = game.turns().len();
    let mut taken = 0;
    while game.undo() {
        taken += 1;
    }
    assert!(taken <= turns + 1, "{taken} turns of {turns} taken back");
    while game.redo() {}
    assert_eq!(*game.at(), end);
    assert_eq!(game.text(), record);
}
