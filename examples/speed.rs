//! Solves the moving subspaces of `nine` with few stones in memory and prints entry rates.
use merels::rules::variants;
use merels::solve::{CodeVec, Finished, Observer, RowBuffer, Rows, SolveError, solve};
use merels::space::{Space, Subspace, Unit, units};
use std::collections::HashMap;
use std::time::Instant;

#[derive(Default)]
struct Held(HashMap<Subspace, CodeVec>);
impl Finished for Held {
    fn rows(&self, subspace: Subspace) -> Result<Box<dyn Rows + '_>, SolveError> {
        Ok(Box::new(HeldRows(&self.0[&subspace])))
    }
}
struct HeldRows<'a>(&'a CodeVec);
impl Rows for HeldRows<'_> {
    fn read(&self, first: u64, codes: RowBuffer<'_>) -> Result<(), SolveError> {
        let first = first as usize;
        match (self.0, codes) {
            (CodeVec::Narrow(held), RowBuffer::Narrow(codes)) => {
                codes.copy_from_slice(&held[first..first + codes.len()])
            }
            _ => return Err(SolveError::Wide),
        }
        Ok(())
    }
}
struct Watch(Instant, std::sync::Mutex<f64>);
impl Observer for Watch {
    fn layer(&self, depth: usize) {
        if depth == 0 || depth == 1 {
            let mut at = self.1.lock().unwrap();
            if *at == 0.0 {
                *at = self.0.elapsed().as_secs_f64();
            }
        }
    }
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let max: u8 = args[1].parse().unwrap();
    let threads: usize = args[2].parse().unwrap();
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().unwrap();
    let variant = args.get(3).map_or("nine", |s| s.as_str());
    let moving = args.get(4).is_none();
    let space = Space::new(variants::named(variant).unwrap().rules.clone());
    let mut held = Held::default();
    for unit in units(space.rules()) {
        let Unit { subspace, .. } = unit;
        if subspace.total() > max || (moving && !subspace.is_moving()) {
            continue;
        }
        for s in unit.subspaces() {
            space.index(s);
        }
        let entries: u64 = unit.subspaces().map(|s| space.index(s).entries()).sum();
        let start = Instant::now();
        let watch = Watch(start, Default::default());
        let solution = solve(&space, unit, &held, &watch).unwrap();
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{subspace} {entries} {seconds:.2}s {:.2} M/s (scan {:.2}s)",
            entries as f64 / seconds / 1e6,
            watch.1.lock().unwrap()
        );
        for solved in solution {
            println!(
                "   {} {:?} {:?} {:?}",
                solved.subspace,
                solved.census.positions,
                solved.census.deepest_win,
                solved.census.deepest_loss
            );
            held.0.insert(solved.subspace, solved.codes);
        }
    }
}
