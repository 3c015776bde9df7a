//! The world fails at each single step of a whole generation: no table with a final name is
//! incomplete afterwards, and going on ends with the tables of an undisturbed run.
//!
//! Steps are writes, syncs, renames and removals, saved states of units in progress included. Units
//! are written while others are solved, so a step is not the same one in every run; all of them are
//! tried, each way. For cuts of the power, the disk moreover forgets what was not synced.

use merels::rules::variants;
use merels::solve::{Limits, Plan, RunError, Wanted, generate};
use merels::space::Space;
use merels::table::{Breakage, Memory, Metric, Settings, Shelf, Unsynced};
use std::collections::{BTreeMap, HashSet};
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

/// Goes on after a fault, to the tables of an undisturbed run and to nothing else.
fn go_on(space: &Space, memory: &Memory, expected: &BTreeMap<String, u128>, told: &str) {
    for (name, digest) in tables(memory) {
        assert_eq!(expected.get(&name), Some(&digest), "{name} {told}");
    }
    run(space, memory).unwrap();
    assert_eq!(tables(memory), *expected, "{told}");
    let names = memory.names();
    let left = names.iter().find(|n| n.ends_with(".partial") || n.ends_with(".working"));
    assert_eq!(left, None, "{told}");
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
        if let Err(error) = &ended {
            failed += 1;
            assert!(error.to_string().starts_with("cannot "), "step {step}: {error}");
        }
        go_on(&space, &memory, &expected, &format!("after step {step}"));
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

/// The power is cut at each step. Of the changes of names since the last sync of the directory all,
/// none, each alone and all but each are there, and of the bytes since the last sync of a file none,
/// zeros, or all.
#[test]
fn a_cut_of_the_power_at_any_step_leaves_no_half_table() {
    let space = Space::new(variants::named(GAME).unwrap().rules.clone());
    let undisturbed = Memory::new();
    run(&space, &undisturbed).unwrap();
    let expected = tables(&undisturbed);
    let mut found = HashSet::new();
    for step in 0.. {
        let memory = Memory::new();
        memory.break_after(step, Some(Breakage::Stop));
        let _ = run(&space, &memory);
        let reached = memory.steps() > step;
        let names = memory.unsynced_names();
        let mut cut = |told: &str, kept: &dyn Fn(usize) -> bool| {
            for unsynced in [Unsynced::Lost, Unsynced::Zeros, Unsynced::Kept] {
                let memory = memory.after_power_cut(kept, unsynced);
                let files: Vec<_> =
                    memory.names().into_iter().map(|n| (memory.get(&n), n)).collect();
                if found.insert(files) {
                    let told = format!("after step {step}, names {told}, bytes {unsynced:?}");
                    go_on(&space, &memory, &expected, &told);
                }
            }
        };
        cut("kept", &|_| true);
        cut("lost", &|_| false);
        for one in 0..names {
            cut(&format!("lost but {one}"), &|number| number == one);
            cut(&format!("kept but {one}"), &|number| number != one);
        }
        if !reached {
            break;
        }
    }
    assert!(found.len() > 100, "{} states were found", found.len());
}
