//! Rule sets of the user's own, as TOML.

use super::{is_one_line, positions};
use merels::board::Point;
use merels::game::Game;
use merels::notation::Notation;
use merels::rules::file::{Named, parse};
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
    let again = parse(&written(&named)).expect("what is written of it is a rule set");
    assert_eq!((&again.name, again.rules.difference(rules)), (&named.name, None));
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

/// A rule file of the same rules, its board written out.
fn written(named: &Named) -> String {
    let Rules { board, men, .. } = &named.rules;
    let list = |points: &mut dyn Iterator<Item = Point>| {
        let names: Vec<_> = points.map(|point| format!("{:?}", board.point_name(point))).collect();
        format!("[{}]", names.join(", "))
    };
    let lines: Vec<_> = board.lines().iter().map(|line| list(&mut line.iter().copied())).collect();
    let mills: Vec<_> = board.mills().iter().map(|mill| list(&mut mill.iter())).collect();
    let mut text = format!("name = {:?}\nmen = {men:?}\n", named.name);
    for (parameter, word) in named.rules.parameters().into_iter().skip(2) {
        text += &format!("{parameter} = {word:?}\n");
    }
    text += &format!(
        "[board]\nname = {:?}\npoints = {}\nlines = [{}]\nmills = [{}]\n",
        board.name(),
        list(&mut board.points().iter()),
        lines.join(", "),
        mills.join(", ")
    );
    text
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
