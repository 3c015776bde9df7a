//! Look-ups a second on one thread: single values with a warm cache, blocks that are decoded each
//! time, full answers with every turn.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use merels::notation::Moment;
use merels::probe::Prober;
use merels::rules::{Position, Side, variants};
use merels::solve::{Limits, Plan, Wanted, generate};
use merels::space::{Space, Subspace};
use merels::table::{Memory, Shelf};
use std::hint::black_box;
use std::sync::Arc;

/// Positions drawn from a subspace by a fixed seed.
fn draw(space: &Space, subspace: Subspace, count: usize) -> Vec<Position> {
    let index = space.index(subspace);
    let mut seed = 7u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        index.arrangement(((u128::from(seed) * u128::from(index.entries())) >> 64) as u64)
    };
    (0..count).map(|_| next()).collect()
}

fn look_ups(criterion: &mut Criterion) {
    let space = Space::new(variants::named("nine").expect("it ships").rules.clone());
    let memory = Arc::new(Memory::new());
    let shelf = || Shelf::on(memory.clone(), space.rules());
    let subspace: Subspace = "6-4".parse().expect("a subspace");
    let plan = Plan::new(&shelf(), &Wanted { subspaces: vec![subspace], max_stones: None });
    generate(&space, &shelf(), &plan, Limits::default(), &()).expect("memory suffices");
    let positions = draw(&space, subspace, 4096);
    let mut group = criterion.benchmark_group("probe");
    group.throughput(Throughput::Elements(positions.len() as u64));
    for (name, cache) in [("warm", 1u64 << 30), ("decoding", 0)] {
        let prober = Prober::new(shelf(), cache);
        let positions = if cache == 0 { &positions[..64] } else { &positions[..] };
        group.throughput(Throughput::Elements(positions.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for position in positions {
                    black_box(prober.stored(position).expect("the table is there"));
                }
            });
        });
    }
    let prober = Prober::new(shelf(), 1 << 30);
    let positions = &positions[..256];
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("answer", |bencher| {
        bencher.iter(|| {
            for position in positions {
                let moment = Moment::Between { position: *position, to_move: Side::White };
                black_box(prober.answer(&moment).expect("the tables are there"));
            }
        });
    });
    group.finish();
}

criterion_group!(benches, look_ups);
criterion_main!(benches);
