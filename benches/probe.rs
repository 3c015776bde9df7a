//! Look-ups a second on one thread: single depths with a warm cache, blocks that are decoded each
//! time, full answers with every turn; the same of the plane of values alone, as it is generated
//! and packed.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use merels::notation::Moment;
use merels::probe::Prober;
use merels::rules::{Position, Side, variants};
use merels::solve::{Limits, Plan, Wanted, generate};
use merels::space::{Space, Subspace};
use merels::table::{BlockCache, Memory, Metric, Packing, Shelf};
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
    values(criterion, &shelf(), subspace);
}

/// The plane of values of a subspace on `shelf`, which is packed halfway.
fn values(criterion: &mut Criterion, shelf: &Shelf, subspace: Subspace) {
    let mut group = criterion.benchmark_group("values");
    for state in ["generated", "packed"] {
        if state == "packed" {
            let lock = shelf.lock().expect("nobody else has it");
            let packed = shelf.pack(subspace, &lock, &|_| true).expect("the table is whole");
            assert!(matches!(packed, Some(Packing::Packed { .. })), "it packs");
        }
        let table = shelf.table(subspace, Metric::Wdl).expect("the table is there");
        let entries = table.entries();
        let spread = |count: u64| (0..count).map(move |n| n * 7919 * entries / count % entries);
        for (how, bytes, count) in [("warm", 1u64 << 30, 65536u64), ("decoding", 0, 97)] {
            let cache = BlockCache::new(bytes);
            group.throughput(Throughput::Elements(count));
            group.bench_function(format!("{state}/{how}"), |bencher| {
                bencher.iter(|| {
                    for entry in spread(count) {
                        black_box(table.outcome(&cache, entry).expect("the table is whole"));
                    }
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, look_ups);
criterion_main!(benches);
