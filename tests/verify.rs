//! The verifier finds what is wrong, all of it, and nothing else: tables are made wrong on purpose,
//! with right checksums, and its faults are held against the contradictions that full answers show.

use merels::notation::Moment;
use merels::probe::{ProbeError, Prober};
use merels::rules::{Side, variants};
use merels::solve::{Limits, Plan, Wanted, generate};
use merels::space::{Space, Subspace};
use merels::table::{Block, Codes, Memory, Metric, Shelf};
use merels::verify::{Scope, verify};
use std::sync::Arc;

struct Desk {
    memory: Arc<Memory>,
    space: Space,
}

impl Desk {
    fn new(id: &str, subspace: Subspace) -> Desk {
        let space = Space::new(variants::named(id).unwrap().rules.clone());
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
