//! Rule sets of the user's own, as TOML.

use super::{is_one_line, positions};
use merels::game::Game;
use merels::notation::Notation;
use merels::rules::file::parse;
use merels::rules::{Rules, variants};

/// A text is refused with a reason, or it is a rule set: its parameters are within their bounds,
/// its board holds together, and a game can be begun by it.
pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let named = match parse(text) {
        Ok(named) => named,
        Err(error) => return is_one_line(&error.to_string()),
    };
    let rules = &named.rules;
    rules.check().expect("what was read was checked");
    board(rules);
    assert_eq!(rules.difference(rules), None);
    assert_eq!(rules.fingerprint(), rules.clone().fingerprint());
    if let Some(variant) = variants::of(rules) {
        assert_eq!(rules.difference(&variant.rules), None);
    }
    let notation = Notation::new(rules);
    assert!(!notation.subspaces().is_empty());
    let mut game = Game::new(&notation);
    for step in 0..40 {
        positions::written_and_read(&notation, game.at());
        let legal = game.legal();
        let Some(token) = legal.get(step * 7 % legal.len().max(1)) else { break };
        game.play(token).expect("a legal token");
    }
}

fn board(rules: &Rules) {
    let board = &rules.board;
    assert!(!board.is_empty() && board.len() <= 24);
    for point in board.points().iter() {
        assert_eq!(board.point(board.point_name(point)), Some(point));
        let around = board.neighbours(point);
        assert!(around.iter().all(|next| board.neighbours(next).iter().any(|p| p == point)));
    }
    for group in [board.group(), board.mills_group()] {
        for element in (0..group.order()).take(50) {
            let moved = group.apply(element, board.points());
            assert_eq!(moved, board.points());
            let back = group.inverse(element);
            for mill in board.mills() {
                let moved = group.apply(element, *mill);
                assert!(board.mills().contains(&moved), "a symmetry breaks a mill");
                assert_eq!(group.apply(back, moved), *mill);
            }
        }
    }
}
