//! Who chooses from the tables that ship.

use super::*;
use crate::notation::Notation;
use crate::probe::CACHE_BYTES;
use crate::rules::variants;
use crate::table::{Shelf, Stored};
use std::path::Path;

fn prober(variant: &str) -> Prober {
    let rules = &variants::named(variant).unwrap().rules;
    let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables");
    Prober::new(Shelf::open(&tables, rules).unwrap(), CACHE_BYTES)
}

fn game(prober: &Prober, text: &str) -> Game {
    Game::read(&Notation::new(prober.rules()), text).unwrap()
}

fn player(strength: usize, seed: u64) -> Player {
    Player { strength, dice: Dice::new(seed) }
}

fn chosen(prober: &Prober, game: &Game, player: &mut Player) -> Option<String> {
    let choice = player.choose(prober, game).unwrap();
    choice.turn.map(|turn| game.notation().step(&turn.step))
}

#[test]
fn the_only_best_turn_is_chosen_whatever_the_dice() {
    let prober = prober("three");
    let start = game(&prober, "startpos");
    for seed in 0..20 {
        assert_eq!(chosen(&prober, &start, &mut player(1, seed)).as_deref(), Some("b2"));
        assert_eq!(chosen(&prober, &start, &mut player(0, seed)).as_deref(), Some("b2"));
    }
}

#[test]
fn equals_take_turns_and_equal_seeds_agree() {
    let prober = prober("three-orthogonal");
    let start = game(&prober, "startpos");
    let choose = |seed| chosen(&prober, &start, &mut player(1, seed)).unwrap();
    let mut all: Vec<String> = (0..50).map(choose).collect();
    assert_eq!(choose(3), all[3]);
    all.sort();
    all.dedup();
    assert!(all.len() > 1);
}

#[test]
fn strength_bounds_how_bad_a_turn_can_be() {
    let prober = prober("three");
    let start = game(&prober, "startpos");
    let values = |strength| {
        let choose = |seed| {
            let choice = player(strength, seed).choose(&prober, &start).unwrap();
            choice.turn.unwrap().stored.value
        };
        (0..60).map(choose).collect::<Vec<Value>>()
    };
    // b2 wins, the four corners draw, the rest loses.
    assert!(values(5).iter().all(|value| *value >= Value::Draw));
    assert!(values(5).contains(&Value::Draw) && values(5).contains(&Value::Win));
    assert!(values(9).contains(&Value::Loss));
    assert!(values(1000).contains(&Value::Loss));
}

#[test]
fn a_game_that_is_over_has_no_turn() {
    let prober = prober("three");
    let over = game(&prober, "startpos moves b2 a3 c2 b3 a2");
    let choice = player(1, 0).choose(&prober, &over).unwrap();
    assert!(choice.turn.is_none() && choice.after().is_none());
    assert!(choice.answer.ending.is_some());
}

/// Plays a game to its end and returns the value of each position; a draw is given up after a
/// while.
fn played(prober: &Prober, mut game: Game, players: &mut [Player; 2]) -> Vec<Stored> {
    let mut values = Vec::new();
    for _ in 0..200 {
        let side = game.at().to_move().number();
        let choice = players[side].choose(prober, &game).unwrap();
        values.push(choice.answer.stored);
        let Some(turn) = choice.turn else { break };
        game.play(&game.notation().step(&turn.step)).unwrap();
    }
    values
}

#[test]
fn perfect_players_bring_every_win_home_ply_by_ply() {
    for variant in ["three", "three-orthogonal", "nine-holes", "achi"] {
        let prober = prober(variant);
        let start = game(&prober, "startpos");
        let mut begun = vec![start];
        for step in 0..3 {
            let next = begun.iter().flat_map(|game| {
                let after = |token: String| {
                    let mut game = game.clone();
                    game.play(&token).unwrap();
                    game
                };
                game.legal().into_iter().map(after).collect::<Vec<Game>>()
            });
            begun = next.enumerate().filter(|(i, _)| i % (1 + step) == 0).map(|(_, g)| g).collect();
        }
        for (seed, game) in begun.into_iter().enumerate() {
            let mut players = [player(1, seed as u64), player(1, !seed as u64)];
            let values = played(&prober, game, &mut players);
            let depths: Vec<Option<u16>> =
                values.iter().map(|stored| stored.outcome.unwrap().depth()).collect();
            match depths[0] {
                None => assert!(depths.iter().all(Option::is_none)),
                Some(depth) => {
                    let falling: Vec<Option<u16>> = (0..=depth).rev().map(Some).collect();
                    assert_eq!(depths, falling);
                }
            }
        }
    }
}

#[test]
fn a_winner_brings_it_home_against_a_weak_player_in_no_more_plies() {
    let prober = prober("achi");
    for seed in 0..40 {
        let mut players = [player(1, seed), player(1000, seed)];
        let values = played(&prober, game(&prober, "startpos"), &mut players);
        let depths: Vec<u16> =
            values.iter().map(|stored| stored.outcome.unwrap().depth().unwrap()).collect();
        assert!(depths.windows(2).all(|two| two[1] < two[0]), "{depths:?}");
        assert_eq!(depths.last(), Some(&0));
    }
}

#[test]
fn a_drawn_game_does_not_go_back_where_it_need_not() {
    let prober = prober("three-orthogonal");
    let mut players = [player(1, 5), player(1, 6)];
    let mut game = game(&prober, "startpos");
    for _ in 0..16 {
        let side = game.at().to_move().number();
        let choice = players[side].choose(&prober, &game).unwrap();
        let turn = choice.turn.unwrap();
        let drawn = choice.answer.turns.iter().filter(|t| t.stored.value == Value::Draw);
        let after = |t: &TurnAnswer| Moment::Between { position: t.position, to_move: t.to_move };
        let times = |t: &TurnAnswer| game.times(&after(t));
        let seldom = drawn.clone().map(times).min().unwrap();
        assert_eq!(times(&turn), seldom);
        let hard: Vec<usize> =
            drawn.filter(|t| times(t) == seldom).map(|t| mistakes(&prober, &after(t))).collect();
        if hard.len() <= LOOKED_AT {
            assert_eq!(Some(&mistakes(&prober, &after(&turn))), hard.iter().max());
        }
        game.play(&game.notation().step(&turn.step)).unwrap();
    }
}
