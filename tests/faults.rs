//! The world fails at each single step of a whole generation: no table with a final name is
//! incomplete afterwards, and going on ends with the tables of an undisturbed run.
//!
//! Steps are writes, syncs, renames and removals, saved states of units in progress included. Units
//! are written while others are solved, so a step is not the same one in every run; all of them are
//! tried, each way.

use merels::rules::variants;
use merels::solve::{Limits, Plan, RunError, Wanted, generate};
use merels::space::Space;
use merels::table::{Breakage, Memory, Metric, Settings, Shelf};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// The smallest game with several units of two subspaces; blocks small, so that there are many.
const GAME: &str = "three";

/// States are saved as often as can be.
const LIMITS: Limits = Limits { memory: u64::MAX, save_every: Some(Duration::ZERO) };

fn shelf(memory: &Memory) -> Shelf {
    let rules = &variants::named(GAME).unwrap().rules;
    let settings = Settings { block_entries: 128, ..Settings::default() };
    Shelf::on(Arc::new(memory.clone()), rules).with(settings)
}

/// Solves the whole game on one thread.
fn run(space: &Space, memory: &Memory) -> Result<(), RunError> {
    let shelf = shelf(memory);
    let plan = Plan::new(&shelf, &Wanted { subspaces: Vec::new(), max_stones: None });
    generate(space, &shelf, &plan, LIMITS, &()).map(|_| ())
}

/// The tables, whatever else lies there. Each that has its final name must be whole.
fn tables(memory: &Memory) -> BTreeMap<String, u128> {
    let shelf = shelf(memory);
    let whole = |(subspace, metric): (_, Metric)| {
        let table = shelf.table(subspace, metric).unwrap();
        table.check().unwrap();
        (Shelf::file_name(subspace, metric), table.header().digest)
    };
    shelf.present().unwrap().into_iter().map(whole).collect()
}

fn every_step_fails(breakage: Breakage) {
    let space = Space::new(variants::named(GAME).unwrap().rules.clone());
    let undisturbed = Memory::new();
    run(&space, &undisturbed).unwrap();
    let expected = tables(&undisturbed);
    assert_eq!(expected.len(), 14);
    let mut failed = 0;
    for step in 0.. {
        let memory = Memory::new();
        memory.break_after(step, Some(breakage));
        let ended = run(&space, &memory);
        let reached = memory.steps() > step;
        memory.break_after(0, None);
        for (name, digest) in tables(&memory) {
            assert_eq!(expected.get(&name), Some(&digest), "{name} after step {step}");
        }
        if let Err(error) = &ended {
            failed += 1;
            assert!(error.to_string().starts_with("cannot "), "step {step}: {error}");
        }
        run(&space, &memory).unwrap();
        assert_eq!(tables(&memory), expected, "step {step}");
        let left: Vec<_> = memory.names();
        let left = left.iter().find(|n| n.ends_with(".partial") || n.ends_with(".working"));
        assert_eq!(left, None, "step {step}");
        if !reached {
            ended.unwrap();
            break;
        }
    }
    assert!(failed > 100, "{failed} steps failed");
}

#[test]
fn a_disk_that_is_full_at_any_one_step_loses_nothing() {
    every_step_fails(Breakage::Once);
}

#[test]
fn a_run_that_stops_at_any_step_goes_on_to_the_same_tables() {
    every_step_fails(Breakage::Stop);
}
