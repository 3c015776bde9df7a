//! Known values, obtained elsewhere by programs that share no code with this one: every row of
//! `tests/truth`, and how the small games end.

use merels::notation::{Moment, Notation};
use merels::probe::Prober;
use merels::rules::variants;
use merels::solve::{Limits, Plan, Wanted, generate};
use merels::space::{Space, Subspace};
use merels::table::{Memory, Metric, Shelf, Tally};
use merels::value::{Outcome, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A shelf in memory with what is wanted of a variant.
fn solved(id: &str, subspaces: Vec<Subspace>) -> Shelf {
    let rules = &variants::named(id).unwrap().rules;
    let shelf = Shelf::on(Arc::new(Memory::new()), rules);
    let plan = Plan::new(&shelf, &Wanted { subspaces, max_stones: None });
    let space = Space::new(rules.clone());
    generate(&space, &shelf, &plan, Limits::default(), &()).unwrap();
    shelf
}

fn rows(file: &str) -> Vec<BTreeMap<String, String>> {
    let path = format!("{}/tests/truth/{file}", env!("CARGO_MANIFEST_DIR"));
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

fn number(text: &str) -> Option<u64> {
    (!text.is_empty()).then(|| text.parse().unwrap())
}

#[test]
fn counts_of_subspaces() {
    let mut by_variant: BTreeMap<String, Vec<BTreeMap<String, String>>> = BTreeMap::new();
    for row in rows("subspaces.csv") {
        by_variant.entry(row["variant"].clone()).or_default().push(row);
    }
    let mut checked = 0;
    for (variant, rows) in by_variant {
        let wanted = rows.iter().map(|row| row["subspace"].parse().unwrap()).collect();
        let shelf = solved(&variant, wanted);
        for row in rows {
            let subspace: Subspace = row["subspace"].parse().unwrap();
            for metric in Metric::ALL {
                let census = shelf.table(subspace, metric).unwrap().header().census;
                let Tally { wins, draws, losses } = match row["counted"].as_str() {
                    "boards" => census.boards,
                    _ => census.positions,
                };
                let known = ["positions", "wins", "draws", "losses"].map(|key| number(&row[key]));
                let found = [wins + draws + losses, wins, draws, losses].map(Some);
                assert_eq!(found, known, "{variant} {subspace}");
                let deepest = [census.deepest_win, census.deepest_loss].map(|d| d.map(u64::from));
                let known = ["deepest_win", "deepest_loss"].map(|key| number(&row[key]));
                assert_eq!(deepest, known, "{variant} {subspace}");
            }
            checked += 1;
        }
    }
    assert_eq!(checked, 42);
}

#[test]
fn single_positions() {
    let rows = rows("positions.csv");
    let rules = &variants::named("nine").unwrap().rules;
    let notation = Notation::new(rules);
    let moments: Vec<Moment> =
        rows.iter().map(|row| notation.read(&row["position"]).unwrap()).collect();
    let wanted = moments.iter().map(|moment| Subspace::of(&moment.stones())).collect();
    let prober = Prober::new(solved("nine", wanted), 1 << 26);
    for (row, moment) in rows.iter().zip(moments) {
        let answer = prober.answer(&moment).unwrap();
        assert_eq!(answer.stored.value.word(), row["value"], "{row:?}");
        let depth = answer.stored.outcome.and_then(Outcome::depth).map(u64::from);
        assert_eq!(depth, number(&row["depth"]), "{row:?}");
    }
    assert_eq!(rows.len(), 53);
}

#[test]
fn small_games_from_the_empty_board() {
    let known = [
        ("three", Outcome::Decided(9)),
        ("achi", Outcome::Decided(11)),
        ("three-orthogonal", Outcome::Draw),
        ("nine-holes", Outcome::Draw),
        ("five", Outcome::Draw),
        ("six", Outcome::Draw),
    ];
    for (id, outcome) in known {
        let prober = Prober::new(solved(id, Vec::new()), 1 << 26);
        let notation = Notation::new(prober.rules());
        let answer = prober.answer(&notation.read("startpos").unwrap()).unwrap();
        assert_eq!(answer.stored.outcome, Some(outcome), "{id}");
        if id == "three" {
            let winning = answer.turns.iter().filter(|turn| turn.stored.value == Value::Win);
            let winning: Vec<_> = winning.map(|turn| notation.step(&turn.step)).collect();
            assert_eq!(winning, ["b2"]);
            let line = prober.line(&notation.read("startpos").unwrap(), 100).unwrap();
            assert_eq!(line.steps.len(), 9);
            assert!(line.ending.is_some());
        }
    }
}
