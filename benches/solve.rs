//! Entries a second of the solver, on one thread and on two, look-ups from compressed tables
//! included. What is looked up is solved beforehand, in memory.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use merels::rules::variants;
use merels::solve::{Limits, Plan, Shelved, Wanted, generate, solve};
use merels::space::{Space, Subspace, Unit};
use merels::table::{Memory, Shelf};
use std::sync::Arc;

/// Units of the standard game: (what it is solved for, its name here).
const UNITS: [(&str, bool); 5] =
    [("5-5", false), ("6-4", true), ("7-3", true), ("5-5+1-0", false), ("5-4+1-1", false)];

fn rates(criterion: &mut Criterion) {
    let space = Space::new(variants::named("nine").expect("it ships").rules.clone());
    let shelf = Shelf::on(Arc::new(Memory::new()), space.rules());
    let named = |name: &str| name.parse::<Subspace>().expect("a subspace");
    let wanted =
        Wanted { subspaces: UNITS.iter().map(|(name, _)| named(name)).collect(), max_stones: None };
    let plan = Plan::new(&shelf, &wanted);
    generate(&space, &shelf, &plan, Limits::default(), &()).expect("memory suffices");
    let mut group = criterion.benchmark_group("solve");
    group.sample_size(10);
    for (name, pair) in UNITS {
        let subspace = named(name);
        let unit = Unit { subspace, twin: pair.then(|| subspace.twin()) };
        let entries = unit.subspaces().map(|s| shelf.entries(s)).sum();
        group.throughput(Throughput::Elements(entries));
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.expect("threads can be started");
            group.bench_with_input(BenchmarkId::new(name, threads), &unit, |bencher, unit| {
                bencher.iter(|| {
                    let finished = Shelved::new(&shelf, entries);
                    pool.install(|| solve(&space, *unit, &finished, &()).expect("it is solvable"))
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, rates);
criterion_main!(benches);
