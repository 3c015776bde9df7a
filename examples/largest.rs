//! Solves one unit of any rule set at its full size, over finished tables that are made up, and
//! checks random entries of it by the one-step rule.
//!
//! The largest subspaces of the larger games cannot be reached from an empty shelf in an hour, but
//! what holds for them must be known beforehand: entry numbers, memory, depths of 16 bits. What is
//! looked up need not be true for that, only the same for symmetric positions; so every row has one
//! outcome, drawn from its number.
//!
//! usage: cargo run --release --example largest -- VARIANT SUBSPACE MOST_DEPTH
//!        (depths beyond 253 take 16 bits)

use merels::rules::{Rules, variants};
use merels::solve::{CodeVec, Finished, Observer, RowBuffer, Rows, Solution, SolveError, solve};
use merels::space::{Index, Space, Subspace, Unit, units};
use merels::value::{Code, Outcome};
use rayon::prelude::*;
use std::collections::HashMap;
use std::time::Instant;

/// Entries that are checked of each subspace.
const SAMPLE: u64 = 1_000_000;

/// A well-mixed number (splitmix64).
fn mixed(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Finished tables in which a row has one outcome.
struct MadeUp<'a> {
    space: &'a Space,
    most: u64,
}

impl MadeUp<'_> {
    fn outcome(&self, subspace: Subspace, row: u64) -> Outcome {
        let Subspace { mover, opponent, mover_hand, opponent_hand } = subspace;
        let name = u32::from_le_bytes([mover, opponent, mover_hand, opponent_hand]);
        let number = mixed(u64::from(name) << 32 | row);
        match number % 10 {
            0..4 => Outcome::Draw,
            _ => Outcome::Decided((number / 16 % self.most) as u16),
        }
    }
}

impl Finished for MadeUp<'_> {
    fn rows(&self, subspace: Subspace) -> Result<Box<dyn Rows + '_>, SolveError> {
        let columns = self.space.index(subspace).columns().count() as u64;
        Ok(Box::new(MadeUpRows { made_up: self, subspace, columns }))
    }
}

struct MadeUpRows<'a> {
    made_up: &'a MadeUp<'a>,
    subspace: Subspace,
    columns: u64,
}

impl MadeUpRows<'_> {
    fn fill<C: Code>(&self, first: u64, codes: &mut [C]) -> Result<(), SolveError> {
        for (entry, code) in (first..).zip(codes) {
            let outcome = self.made_up.outcome(self.subspace, entry / self.columns);
            *code = C::encode(outcome).ok_or(SolveError::Wide)?;
        }
        Ok(())
    }
}

impl Rows for MadeUpRows<'_> {
    fn read(&self, first: u64, codes: RowBuffer<'_>) -> Result<(), SolveError> {
        match codes {
            RowBuffer::Narrow(_) if self.made_up.most > 252 => Err(SolveError::Wide),
            RowBuffer::Narrow(codes) => self.fill(first, codes),
            RowBuffer::Wide(codes) => self.fill(first, codes),
        }
    }
}

/// Looks up what was solved, and what was made up.
struct Known<'a> {
    rules: &'a Rules,
    made_up: MadeUp<'a>,
    solved: HashMap<Subspace, (Index, &'a CodeVec)>,
}

impl Known<'_> {
    fn of(&self, position: &merels::rules::Position) -> Outcome {
        if self.rules.too_few(position.mover_total()) {
            return Outcome::LOST;
        }
        let subspace = Subspace::of(position);
        match self.solved.get(&subspace) {
            Some((index, codes)) => outcome(codes, index.entry(position)),
            None => {
                let index = self.made_up.space.index(subspace);
                let columns = index.columns().count() as u64;
                self.made_up.outcome(subspace, index.entry(position) / columns)
            }
        }
    }

    /// How many of the sampled entries of a subspace are not what their turns say.
    fn wrong(&self, subspace: Subspace) -> u64 {
        let (index, codes) = &self.solved[&subspace];
        let scaled =
            |number| ((u128::from(mixed(number)) * u128::from(index.entries())) >> 64) as u64;
        let wrong = |number: u64| {
            // The first and the last entries besides those that are drawn.
            let entry = match number {
                0..100 => number,
                100..200 => index.entries() - 1 - (number - 100),
                _ => scaled(number),
            };
            let position = index.arrangement(entry);
            let expected = match self.rules.ending(&position) {
                Some(ending) => ending.outcome(),
                None => {
                    let turns = self.rules.turns(&position);
                    let after = turns.iter().map(|turn| self.of(&self.rules.play(&position, turn)));
                    let best =
                        after.map(Outcome::before).max_by_key(|outcome| outcome.preference());
                    best.expect("a position that is not over has a turn")
                }
            };
            outcome(codes, entry) != expected
        };
        (0..SAMPLE).into_par_iter().filter(|number| wrong(*number)).count() as u64
    }
}

fn outcome(codes: &CodeVec, entry: u64) -> Outcome {
    let outcome = match codes {
        CodeVec::Narrow(codes) => codes[entry as usize].decode(),
        CodeVec::Wide(codes) => codes[entry as usize].decode(),
    };
    outcome.expect("every entry has an outcome")
}

struct Quiet;
impl Observer for Quiet {}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [variant, name, most] = &words[..] else {
        return Err("usage: largest VARIANT SUBSPACE MOST_DEPTH".into());
    };
    let rules = &variants::named(variant).ok_or("no such variant")?.rules;
    let space = Space::new(rules.clone());
    let (subspace, most): (Subspace, u64) = (name.parse()?, most.parse()?);
    let has = |unit: &Unit| unit.subspaces().any(|part| part == subspace);
    let unit = units(rules).into_iter().find(has).ok_or("the variant has no such subspace")?;
    let begun = Instant::now();
    let solution: Solution = solve(&space, unit, &MadeUp { space: &space, most }, &Quiet)?;
    let seconds = begun.elapsed().as_secs_f64();
    let solved =
        solution.iter().map(|part| (part.subspace, (space.index(part.subspace), &part.codes)));
    let made_up = MadeUp { space: &space, most };
    let known = Known { rules, made_up, solved: solved.collect() };
    let entries: u64 = known.solved.values().map(|(index, _)| index.entries()).sum();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("VmHWM: unknown");
    println!("{variant} {entries} entries in {seconds:.1} s, {peak}");
    for part in &solution {
        let census = &part.census;
        let width = if matches!(part.codes, CodeVec::Narrow(_)) { 8 } else { 16 };
        println!(
            "{}: {width} bits, {:?}, deepest {:?} and {:?}, {} of {SAMPLE} entries wrong",
            part.subspace,
            census.boards,
            census.deepest_win,
            census.deepest_loss,
            known.wrong(part.subspace)
        );
    }
    Ok(())
}
