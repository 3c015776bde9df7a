//! The rule files that ship as examples: they are read, solved from the empty board, and held
//! against the brute-force oracle, which reads them in its own way.

mod brute;
mod common;

use brute::BruteRules;
use common::{agree, solve_all};
use merels::notation::Notation;
use merels::rules::Rules;
use merels::rules::file::{Overrides, parse};
use merels::solve::CodeVec;
use merels::space::Subspace;
use merels::value::{Code, Outcome};

fn text(name: &str) -> String {
    let path = format!("{}/docs/examples/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

fn rules(name: &str) -> Rules {
    let named = parse(&text(name)).unwrap();
    assert_eq!(named.name, name);
    named.rules
}

/// What the empty board is worth.
fn value_of(rules: &Rules) -> Outcome {
    let (space, held) = solve_all(rules);
    let position = Notation::new(rules).read("startpos").unwrap().stones();
    let subspace = Subspace::of(&position);
    let CodeVec::Narrow(codes) = &held.0[&subspace] else { panic!("8 bits do") };
    codes[space.index(subspace).entry(&position) as usize].decode().unwrap()
}

/// A rule file as the oracle sees it; only what the examples need.
fn brute(name: &str, men: u8) -> BruteRules {
    let file: toml::Table = text(name).parse().unwrap();
    let board = &file["board"];
    let words = |list: &toml::Value| -> Vec<String> {
        list.as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned()).collect()
    };
    let names = words(&board["points"]);
    let number = |name: &String| names.iter().position(|other| other == name).unwrap();
    let rows = |key: &str| -> Vec<Vec<usize>> {
        let lists = board[key].as_array().unwrap().iter();
        lists.map(|list| words(list).iter().map(number).collect()).collect()
    };
    BruteRules {
        points: names.len(),
        lines: rows("lines"),
        mills: rows("mills").into_iter().map(|mill| mill.try_into().unwrap()).collect(),
        men: [men, men],
        mill: match file["mill"].as_str().unwrap() {
            "wins" => brute::MillEffect::Wins,
            _ => brute::MillEffect::Remove,
        },
        ..BruteRules::grid3(men)
    }
}

#[test]
fn the_boards_are_as_symmetric_as_they_look() {
    let order = |name: &str| rules(name).board.group().order();
    assert_eq!([order("seventeen"), order("hexagon")], [8, 12]);
}

#[test]
fn the_empty_boards_are_worth_what_they_were() {
    assert_eq!(value_of(&rules("seventeen")), Outcome::Draw);
    assert_eq!(value_of(&rules("hexagon")), Outcome::Decided(13));
}

#[test]
fn hexagon_agrees_everywhere() {
    agree(&rules("hexagon"), brute("hexagon", 4));
}

/// With four men each, which is a fraction of the work.
#[test]
fn seventeen_agrees_everywhere() {
    let overrides = Overrides { men: Some("4".to_owned()), ..Overrides::default() };
    let rules = overrides.apply(&rules("seventeen")).unwrap();
    agree(&rules, brute("seventeen", 4));
}
