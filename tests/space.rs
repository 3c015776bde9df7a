//! Counts that are known: subspaces, classes, entries, turns from the empty board.

use merels::board::{PointSet, shipped};
use merels::rules::{Position, Setup, Side, perft, perft_steps, variants};
use merels::space::{Classes, Index, Space, Subspace, binomial, subspaces};
use std::collections::BTreeSet;

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
        let entries = classes * binomial(free, usize::from(subspace.opponent));
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

/// Every arrangement of the small boards has an entry, every entry an arrangement, and the homes
/// are the orbits.
#[test]
fn the_index_is_perfect_on_the_small_boards() {
    for id in ["three", "three-orthogonal", "nine-holes", "achi"] {
        let space = Space::new(variant(id).clone());
        for subspace in subspaces(space.rules()) {
            let index = space.index(subspace);
            let mut boards = 0;
            for entry in 0..index.entries() {
                let at = index.arrangement(entry);
                assert_eq!(Subspace::of(&at), subspace);
                assert_eq!(index.entry(&at), entry);
                let home = index.home(&at);
                assert!(home <= entry);
                assert_eq!(index.position(entry).is_some(), home == entry);
                assert_eq!(index.home(&index.arrangement(home)), home);
                if let Some(position) = index.position(entry) {
                    boards += orbit(&index, &position, home);
                }
            }
            let (mover, opponent) = (usize::from(subspace.mover), usize::from(subspace.opponent));
            assert_eq!(boards, binomial(9, mover) * binomial(9 - mover, opponent), "{subspace}");
        }
    }
}

/// Counts the images of a position, each of which must have the same home.
fn orbit(index: &Index, position: &Position, home: u64) -> u64 {
    let group = index.classes().group();
    let images: BTreeSet<_> = (0..group.order())
        .map(|element| {
            let image = |set| group.apply(element, set);
            let [mover, opponent] = [position.mover(), position.opponent()].map(image);
            let moved = arranged(position, mover, opponent);
            assert_eq!(index.home(&moved), home);
            (mover, opponent)
        })
        .collect();
    images.len() as u64
}

fn arranged(like: &Position, mover: PointSet, opponent: PointSet) -> Position {
    // Stones alone decide the entry; any rule set with the men will do to make a position.
    let mut rules = variant("three").clone();
    rules.men = [12, 12];
    let hands = [like.mover_hand(), like.opponent_hand()];
    let setup = Setup { stones: [mover, opponent], hands, to_move: Side::White };
    rules.position(&setup).unwrap()
}

/// Samples of every subspace of every large variant go to their entry and back.
#[test]
fn the_index_round_trips_on_the_large_boards() {
    for id in ["six", "nine", "lasker", "twelve"] {
        let space = Space::new(variant(id).clone());
        let mut seed = 1u64;
        let all = subspaces(space.rules());
        for subspace in all.iter().step_by(1.max(all.len() / 120)) {
            let index = space.index(*subspace);
            for _ in 0..200 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let entry = ((u128::from(seed) * u128::from(index.entries())) >> 64) as u64;
                let at = index.arrangement(entry);
                let home = index.home(&at);
                assert!(home <= entry);
                let back = index.entry(&at);
                assert_eq!(index.home(&index.arrangement(back)), home);
                assert_eq!(index.arrangement(entry).mover(), index.arrangement(back).mover());
            }
        }
    }
}
