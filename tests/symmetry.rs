//! Symmetry commutes with everything: turns, mills, endings, texts, entries and values; and neither
//! the names of the points nor the colours matter.

mod brute;
mod common;

use common::made_up::{MadeUp, games};
use common::props::runner;
use common::{Held, solve_all};
use merels::board::PointSet;
use merels::notation::{Moment, Notation};
use merels::rules::{Position, Rules, Setup, Side, Turn, variants};
use merels::solve::CodeVec;
use merels::space::{Index, Space, Subspace, binomial, subspaces};
use merels::value::{Code, Outcome};
use proptest::prelude::*;
use std::collections::{BTreeSet, HashSet};

/// An arrangement with these stones; the men of the rules do not matter here.
fn arranged(rules: &Rules, stones: [PointSet; 2], hands: [u8; 2]) -> Position {
    rules.position(&Setup { stones, hands, to_move: Side::White }).unwrap()
}

/// A position moved by a map of points.
fn moved(rules: &Rules, at: &Position, image: impl Fn(PointSet) -> PointSet) -> Position {
    let stones = [at.mover(), at.opponent()].map(image);
    arranged(rules, stones, [at.mover_hand(), at.opponent_hand()])
}

/// The arrangement that a random order of the points gives: mover, opponent, empty.
fn dealt(rules: &Rules, subspace: Subspace, order: &[u64]) -> Position {
    let mut points: Vec<_> = rules.board.points().iter().zip(order).collect();
    points.sort_by_key(|(_, key)| **key);
    let (mover, rest) = points.split_at(subspace.mover.into());
    let set = |points: &[(_, &u64)]| points.iter().map(|(point, _)| *point).collect::<PointSet>();
    let stones = [set(mover), set(&rest[..usize::from(subspace.opponent)])];
    arranged(rules, stones, [subspace.mover_hand, subspace.opponent_hand])
}

/// What holds of one position and each symmetry of its board.
fn commutes(rules: &Rules, notation: &Notation, at: &Position) {
    let group = rules.board.group();
    let turns = rules.turns(at);
    for element in 0..group.order() {
        let image = |set| group.apply(element, set);
        let there = moved(rules, at, image);
        let point = |point| group.apply_point(element, point);
        let turned = |turn: &Turn| Turn {
            from: turn.from.map(point),
            to: point(turn.to),
            removal: turn.removal.map(point),
        };
        let ours: HashSet<Turn> = turns.iter().map(turned).collect();
        let theirs = rules.turns(&there);
        assert_eq!(theirs.len(), turns.len());
        assert_eq!(ours, theirs.into_iter().collect(), "{at:?}");
        assert_eq!(rules.ending(&there), rules.ending(at), "{at:?}");
        for turn in turns.iter().take(20) {
            let played = rules.play(at, turn);
            assert_eq!(rules.play(&there, &turned(turn)), moved(rules, &played, image), "{turn:?}");
        }
        let mills = rules.board.in_mills(at.mover());
        assert_eq!(rules.board.in_mills(there.mover()), image(mills));
        assert_eq!(rules.removable(there.opponent()), image(rules.removable(at.opponent())));
        let back = group.inverse(element);
        assert_eq!(moved(rules, &there, |set| group.apply(back, set)), *at);
        let moment = Moment::Between { position: there, to_move: Side::White };
        assert_eq!(notation.read(&notation.moment(&moment)).unwrap(), moment);
    }
}

#[test]
fn turns_mills_endings_and_texts_commute_with_symmetry() {
    let shipped = variants::all().iter().map(|variant| variant.rules.clone());
    let shipped: Vec<_> = shipped.map(|rules| (Notation::new(&rules), rules)).collect();
    let dealing = (any::<usize>(), any::<usize>(), prop::collection::vec(any::<u64>(), 24));
    runner(600)
        .run(&dealing, |(which, subspace, order)| {
            let (notation, rules) = &shipped[which % shipped.len()];
            let subspaces = notation.subspaces();
            let at = dealt(rules, subspaces[subspace % subspaces.len()], &order);
            commutes(rules, notation, &at);
            Ok(())
        })
        .unwrap();
    let dealing = (games(3..=9, 3..=5), any::<usize>(), prop::collection::vec(any::<u64>(), 9));
    runner(300)
        .run(&dealing, |(made_up, subspace, order)| {
            let Some(rules) = made_up.rules() else { return Ok(()) };
            let notation = Notation::new(&rules);
            let subspaces = notation.subspaces();
            let at = dealt(&rules, subspaces[subspace % subspaces.len()], &order);
            commutes(&rules, &notation, &at);
            Ok(())
        })
        .unwrap();
}

/// Every arrangement has an entry and every entry an arrangement; a home is the lowest entry of its
/// orbit, and the homes are the orbits.
#[test]
fn the_index_is_perfect_on_made_up_boards() {
    runner(150)
        .run(&games(3..=8, 3..=4), |made_up| {
            let Some(rules) = made_up.rules() else { return Ok(()) };
            let space = Space::new(rules);
            for subspace in subspaces(space.rules()) {
                round_trips(&space, subspace);
            }
            Ok(())
        })
        .unwrap();
}

fn round_trips(space: &Space, subspace: Subspace) {
    let rules = space.rules();
    let index = space.index(subspace);
    let group = space.group(subspace);
    let mut boards = 0;
    for entry in 0..index.entries() {
        let at = index.arrangement(entry);
        assert_eq!(Subspace::of(&at), subspace);
        let home = index.home(&at);
        assert!(home <= entry);
        assert_eq!(index.position(entry).is_some(), home == entry);
        assert_eq!(index.home(&index.arrangement(index.entry(&at))), home);
        if home == entry {
            let images = (0..group.order()).map(|element| {
                let image = moved(rules, &at, |set| group.apply(element, set));
                assert_eq!(index.home(&image), home, "{at:?}");
                (image.mover(), image.opponent())
            });
            boards += images.collect::<BTreeSet<_>>().len() as u64;
        }
    }
    let (mover, opponent) = (usize::from(subspace.mover), usize::from(subspace.opponent));
    let points = rules.board.len();
    assert_eq!(boards, binomial(points, mover) * binomial(points - mover, opponent), "{subspace}");
}

fn outcome(held: &Held, index: &Index, at: &Position) -> Outcome {
    let CodeVec::Narrow(codes) = &held.0[&index.subspace()] else { panic!("8 bits do") };
    codes[index.entry(at) as usize].decode().unwrap()
}

/// The same game with its points in another order and under other names, and with the colours
/// changed, has the same values.
#[test]
fn values_do_not_change_with_symmetry_names_or_colours() {
    let dealing = (games(3..=7, 3..=4), prop::collection::vec(any::<u64>(), 8));
    runner(60)
        .run(&dealing, |(made_up, order)| {
            let Some(rules) = made_up.rules() else { return Ok(()) };
            let (space, held) = solve_all(&rules);
            let renamed = renamed(&made_up, &order);
            let (other_space, other) = solve_all(&renamed.0.rules().unwrap());
            let swapped = MadeUp { men: [made_up.men[1], made_up.men[0]], ..made_up };
            let (swapped_space, swapped) = solve_all(&swapped.rules().unwrap());
            for subspace in subspaces(&rules) {
                let index = space.index(subspace);
                let group = space.group(subspace);
                let other_index = other_space.index(subspace);
                let twin = swapped.0.contains_key(&subspace);
                for entry in 0..index.entries() {
                    let at = index.arrangement(entry);
                    let expected = outcome(&held, &index, &at);
                    for element in 0..group.order() {
                        let image = moved(&rules, &at, |set| group.apply(element, set));
                        assert_eq!(outcome(&held, &index, &image), expected, "{at:?}");
                    }
                    let there = moved(other_space.rules(), &at, |set| {
                        let bits = set.iter().map(|point| 1 << renamed.1[point.number()]);
                        PointSet::from_bits(bits.sum())
                    });
                    assert_eq!(outcome(&other, &other_index, &there), expected, "{at:?}");
                    if twin {
                        let index = swapped_space.index(subspace);
                        assert_eq!(outcome(&swapped, &index, &at), expected, "{at:?}");
                    }
                }
            }
            Ok(())
        })
        .unwrap();
}

/// The same game with its points in another order; where each point has gone.
fn renamed(made_up: &MadeUp, order: &[u64]) -> (MadeUp, Vec<usize>) {
    let mut places: Vec<usize> = (0..made_up.points).collect();
    places.sort_by_key(|place| order[*place]);
    let there = |point: &usize| places[*point];
    let mut lines: Vec<Vec<usize>> =
        made_up.lines.iter().map(|line| line.iter().map(there).collect()).collect();
    lines.reverse();
    let mills = made_up.mills.iter().map(|mill| mill.map(|point| places[point])).collect();
    (MadeUp { lines, mills, ..made_up.clone() }, places)
}
