//! The verifier finds what is wrong, all of it, and nothing else: tables are made wrong on purpose,
//! with right checksums, and its faults are held against the contradictions that full answers show.

use merels::notation::Moment;
use merels::probe::{ProbeError, Prober};
use merels::rules::{
    Blocked, Flying, FullBoard, MillEffect, Placing, Protection, Rules, Side, variants,
};
use merels::solve::{Limits, Plan, Wanted, generate};
use merels::space::{Space, Subspace, dependencies};
use merels::table::{Block, Codes, Memory, Metric, Shelf};
use merels::verify::{Fault, Pace, Scope, verify, verify_at};
use std::sync::Arc;

struct Desk {
    memory: Arc<Memory>,
    space: Space,
}

impl Desk {
    fn new(id: &str, subspace: Subspace) -> Desk {
        Desk::with(variants::named(id).unwrap().rules.clone(), subspace)
    }

    fn with(rules: Rules, subspace: Subspace) -> Desk {
        let space = Space::new(rules);
        let desk = Desk { memory: Arc::new(Memory::new()), space };
        let plan =
            Plan::new(&desk.shelf(), &Wanted { subspaces: vec![subspace], max_stones: None });
        generate(&desk.space, &desk.shelf(), &plan, Limits::default(), &()).unwrap();
        desk
    }

    fn shelf(&self) -> Shelf {
        Shelf::on(self.memory.clone(), self.space.rules())
    }

    fn codes(&self, subspace: Subspace) -> Vec<u8> {
        let table = self.shelf().table(subspace, Metric::Dtw).unwrap();
        let blocks = (0..table.blocks()).flat_map(|number| match table.block(number).unwrap() {
            Block::Narrow(codes) => codes.into_vec(),
            _ => panic!("8 bits do"),
        });
        blocks.collect()
    }

    fn write(&self, subspace: Subspace, codes: &[u8]) {
        let census = self.shelf().table(subspace, Metric::Dtw).unwrap().header().census;
        self.shelf().write(subspace, Codes::Narrow(codes), &census).unwrap();
    }

    /// Entries whose full answer contradicts itself.
    fn contradictions(&self, subspace: Subspace) -> Vec<u64> {
        let prober = Prober::new(self.shelf(), 1 << 24);
        let index = self.space.index(subspace);
        let contradicts = |entry: &u64| {
            // The prober asks for one of the duplicates of a position; only that one can be held
            // against the verifier here.
            let position = index.arrangement(*entry);
            let moment = Moment::Between { position, to_move: Side::White };
            index.entry(&position) == *entry
                && matches!(prober.answer(&moment), Err(ProbeError::Contradiction { .. }))
        };
        (0..index.entries()).filter(contradicts).collect()
    }

    fn faults(&self, subspace: Subspace, scope: Scope) -> (u64, Vec<u64>) {
        let report = verify(&self.space, &self.shelf(), subspace, scope, u64::MAX, &()).unwrap();
        (report.wrong, report.faults.iter().map(|fault| fault.entry).collect())
    }
}

#[test]
fn right_tables_have_no_fault() {
    for (id, subspace) in [("three", "0-0+3-3"), ("achi", "4-4"), ("five", "4-4+1-1")] {
        let subspace = subspace.parse().unwrap();
        let desk = Desk::new(id, subspace);
        for subspace in desk.shelf().present().unwrap().iter().map(|(subspace, _)| *subspace) {
            assert_eq!(desk.faults(subspace, Scope::All), (0, vec![]), "{id} {subspace}");
            let sample = Scope::Sample { entries: 500, seed: 3 };
            assert_eq!(desk.faults(subspace, sample), (0, vec![]), "{id} {subspace}");
        }
    }
}

#[test]
fn every_wrong_entry_is_found() {
    let mut seed = 5u64;
    for (id, name) in [("three", "3-3"), ("nine-holes", "2-3+1-0"), ("achi", "4-4"), ("six", "3-4")]
    {
        let subspace: Subspace = name.parse().unwrap();
        let desk = Desk::new(id, subspace);
        let right = desk.codes(subspace);
        let index = desk.space.index(subspace);
        for _ in 0..6 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let entry = (seed >> 33) as usize % right.len();
            // Only entries that the prober reaches can be held against it.
            if index.entry(&index.arrangement(entry as u64)) != entry as u64 {
                continue;
            }
            let mut wrong = right.clone();
            wrong[entry] = if right[entry] == 200 { 50 } else { 200 };
            desk.write(subspace, &wrong);
            let expected = desk.contradictions(subspace);
            let (count, faults) = desk.faults(subspace, Scope::All);
            assert!(count >= expected.len() as u64, "{id} {name} entry {entry}");
            assert!(faults.contains(&(entry as u64)) || count > 10, "{id} {name} entry {entry}");
            let many = Scope::Sample { entries: 20 * right.len() as u64, seed };
            let (sampled, first) = desk.faults(subspace, many);
            assert!(sampled > 0, "{id} {name} entry {entry}");
            assert!(first.iter().all(|entry| count > 10 || faults.contains(entry)));
        }
        desk.write(subspace, &right);
        assert_eq!(desk.faults(subspace, Scope::All), (0, vec![]));
    }
}

/// A plane of values that differs from that of depths is a fault too.
#[test]
fn the_plane_of_values_is_held_against_that_of_depths() {
    let subspace: Subspace = "3-3".parse().unwrap();
    let desk = Desk::new("three", subspace);
    let right = desk.codes(subspace);
    let depths = desk.memory.get("3-3.dtw").unwrap();
    let mut wrong = right.clone();
    let entry = right.iter().position(|code| *code == 128).unwrap();
    wrong[entry] = 127;
    desk.write(subspace, &wrong);
    desk.memory.put("3-3.dtw", depths);
    let (count, faults) = desk.faults(subspace, Scope::All);
    assert_eq!((count, faults), (1, vec![entry as u64]));
}

/// Without depths the step is checked and nothing is proved.
#[test]
fn values_alone_prove_nothing() {
    let subspace: Subspace = "3-3".parse().unwrap();
    let desk = Desk::new("three", subspace);
    let only_values = Memory::new();
    only_values.put("3-3.wdl", desk.memory.get("3-3.wdl").unwrap());
    let shelf = Shelf::on(Arc::new(only_values), desk.space.rules());
    let report = verify(&desk.space, &shelf, subspace, Scope::All, u64::MAX, &()).unwrap();
    assert_eq!((report.wrong, report.proves), (0, false));
}

/// Counts in the header that are not those of the entries are damage, whatever the checksums say.
#[test]
fn wrong_counts_are_noticed() {
    let subspace: Subspace = "3-3".parse().unwrap();
    let desk = Desk::new("three", subspace);
    let codes = desk.codes(subspace);
    let mut census = desk.shelf().table(subspace, Metric::Dtw).unwrap().header().census;
    census.positions.wins += 1;
    desk.shelf().write(subspace, Codes::Narrow(&codes), &census).unwrap();
    let error = verify(&desk.space, &desk.shelf(), subspace, Scope::All, u64::MAX, &());
    assert!(error.unwrap_err().to_string().contains("its header counts"));
}

/// A rule set on nine points that has all that rule sets can have: both kinds of turns at once,
/// removals of any stone, full boards, positions without a turn.
fn odd_rules(blocked: Blocked, full_board: FullBoard, flying: Flying) -> Rules {
    let mut rules = variants::named("achi").unwrap().rules.clone();
    rules.men = [5, 4];
    rules.mill = MillEffect::Remove;
    rules.placing = Placing::Free;
    rules.protection = Protection::Never;
    (rules.blocked, rules.full_board, rules.flying) = (blocked, full_board, flying);
    rules
}

/// Row by row and one by one the same entries are found wrong, for the same reasons, wherever one
/// position of all that are read is changed: the first and last entries, those at the edges of
/// blocks and any others, by a little and by much. Where one of several entries of a position is
/// changed alone, each finds that one; what else they find depends on which of them they look up.
#[test]
fn all_paces_find_the_same_faults() {
    let desks = [
        (variants::named("nine").unwrap().rules.clone(), "4-3"),
        (variants::named("nine").unwrap().rules.clone(), "3-3+1-1"),
        (variants::named("lasker").unwrap().rules.clone(), "3-2+1-1"),
        (variants::named("six").unwrap().rules.clone(), "3-4+1-0"),
        (variants::named("three").unwrap().rules.clone(), "0-0+3-3"),
        (variants::named("nine-holes").unwrap().rules.clone(), "0-0+3-3"),
        (odd_rules(Blocked::Draw, FullBoard::Draw, Flying::Never), "0-0+5-4"),
        (odd_rules(Blocked::Loss, FullBoard::Loss, Flying::AtThree), "0-0+5-4"),
    ];
    let mut seed = 11u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize % below
    };
    for (rules, last) in desks {
        let name = format!("{:?}", rules.parameters());
        let desk = Desk::with(rules, last.parse().unwrap());
        let present: Vec<Subspace> =
            desk.shelf().present().unwrap().iter().map(|(subspace, _)| *subspace).collect();
        for trial in 0..3 {
            let damaged = present[random(present.len())];
            let right = desk.codes(damaged);
            let block = desk.shelf().table(damaged, Metric::Dtw).unwrap().block_entries() as usize;
            let edge = random(right.len().div_ceil(block)) * block;
            let entry = match random(5) {
                0 => 0,
                1 => right.len() - 1,
                2 => edge,
                3 => edge.saturating_sub(1),
                _ => random(right.len()),
            };
            let code = match random(3) {
                0 => right[entry].checked_add(1).unwrap_or(1),
                1 => (right[entry] - 1).max(1),
                _ => 1 + random(255) as u8,
            };
            let index = desk.space.index(damaged);
            let home = |entry: usize| index.home(&index.arrangement(entry as u64));
            let row = entry / index.columns().count() * index.columns().count();
            let whole = trial % 3 != 0;
            let mut wrong = right.clone();
            wrong[entry] = code;
            let same = |other: &usize| whole && home(*other) == home(entry);
            (row..row + index.columns().count()).filter(same).for_each(|other| wrong[other] = code);
            desk.write(damaged, &wrong);
            let mut found = 0;
            let reads = |subspace: &&Subspace| {
                **subspace == damaged
                    || subspace.twin() == damaged
                    || dependencies(desk.space.rules(), **subspace).contains(&damaged)
            };
            for subspace in present.iter().filter(reads) {
                let faults = |pace| {
                    let (space, shelf) = (&desk.space, desk.shelf());
                    let all = Scope::All;
                    let report = verify_at(pace, space, &shelf, *subspace, all, u64::MAX, &());
                    let told = |fault: &Fault| {
                        let Fault { entry, metric, stored, derived, .. } = *fault;
                        (entry, metric, stored.outcome, derived.outcome)
                    };
                    report.map(|report| {
                        (report.wrong, report.faults.iter().map(told).collect::<Vec<_>>())
                    })
                };
                let Ok(fast) = faults(Pace::Fastest) else { continue };
                found += fast.0;
                assert_eq!(faults(Pace::Portable).unwrap(), fast, "{name} {subspace} {damaged}");
                if whole {
                    assert_eq!(faults(Pace::Plain).unwrap(), fast, "{name} {subspace} {damaged}");
                }
                if *subspace == damaged && wrong != right {
                    let listed = fast.1.iter().any(|fault| fault.0 == entry as u64);
                    assert!(listed || fast.0 > 10, "{name} {damaged} entry {entry}");
                }
            }
            assert!(found > 0 || wrong == right, "{name} {damaged} entry {entry}");
            desk.write(damaged, &right);
        }
    }
}
