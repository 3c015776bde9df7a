//! Counts that are known: subspaces, classes, entries, turns from the empty board.

use merels::board::shipped;
use merels::rules::{perft, perft_steps, variants};
use merels::space::{Classes, Space, subspaces};

fn variant(id: &str) -> &'static merels::rules::Rules {
    &variants::named(id).unwrap().rules
}

#[test]
fn groups_are_found() {
    let orders = ["grid3", "grid3-diagonal", "rings2", "rings3", "rings3-diagonal"].map(|name| {
        let board = shipped::named(name).unwrap();
        (board.group().order(), board.mills_group().order())
    });
    assert_eq!(orders, [(8, 72), (8, 8), (16, 128), (16, 48), (16, 48)]);
}

#[test]
fn subspaces_by_counting() {
    let counts = ["nine", "lasker", "eleven", "twelve"].map(|id| {
        let all = subspaces(variant(id));
        (all.len(), all.iter().filter(|s| s.is_moving()).count())
    });
    assert_eq!(counts, [(498, 49), (3070, 64), (931, 81), (1216, 100)]);
}

#[test]
fn classes_on_the_large_boards() {
    let known = [1, 4, 30, 158, 757, 2830, 8774, 22188, 46879, 82880, 124124, 157668, 170854];
    let board = shipped::named("rings3").unwrap();
    let counts: Vec<_> =
        (0..=12).map(|k| Classes::new(board.group(), board.len(), k).len()).collect();
    assert_eq!(counts, known);
}

#[test]
fn entries_of_the_standard_game() {
    let space = Space::new(variant("nine").clone());
    let (mut moving, mut all) = (0, 0);
    for subspace in subspaces(space.rules()) {
        let classes = space.classes(usize::from(subspace.mover), false).len() as u64;
        let free = 24 - usize::from(subspace.mover);
        let entries = classes * merels::space::binomial(free, usize::from(subspace.opponent));
        all += entries;
        moving += if subspace.is_moving() { entries } else { 0 };
    }
    assert_eq!((moving, all), (9_193_626_407, 27_860_688_626));
}

#[test]
fn turns_from_the_empty_board() {
    let counts = |id: &str, depths: u32| -> Vec<u64> {
        let rules = variant(id);
        let start = rules.position(&rules.start()).unwrap();
        (1..=depths).map(|depth| perft(rules, &start, depth)).collect()
    };
    assert_eq!(counts("nine", 5), [24, 552, 12_144, 255_024, 5_140_800]);
    assert_eq!(counts("lasker", 4), [24, 552, 13_552, 319_176]);
    let rules = variant("nine");
    let start = rules.position(&rules.start()).unwrap();
    let steps: Vec<_> = (1..=6).map(|depth| perft_steps(rules, &start, depth)).collect();
    assert_eq!(steps, [24, 552, 12_144, 255_024, 5_100_480, 96_223_680]);
}
