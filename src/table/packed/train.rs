//! Fits the parameters to a table: weights by stochastic gradient descent on the log-likelihood of a
//! sample of strips, then the odds by counting, with the rounded weights in place.
//!
//! Nothing here has to be exact or the same twice: what comes out lies in the file, and only what is
//! decoded with it counts.

use super::coder::{Odds, TOTAL};
use super::parameters::{Weights, middle};
use super::strips::walk;
use super::{
    NEIGHBOURS, ODDS, Parameters, Predictor, SAYINGS, SIGNATURES, STEPS, STRIP, Scene, Window,
};
use rayon::prelude::*;

/// Weights of one unit of log-odds.
pub(super) const UNIT: f32 = 16.0;
/// Strips to which the weights are fitted, of the sample.
const FITTED: usize = 640;
/// How often they are gone through.
const ROUNDS: usize = 3;
/// How far a weight moves at first, and at least.
const RATES: (f32, f32) = (0.05, 0.003);
/// Entries after which the weights move more slowly.
const SETTLED: f32 = 40_000.0;
/// Entries that the weights by themselves count for beside those that were counted.
const DOUBT: f32 = 3.0;

/// A strip to learn from: its first entry, and the values.
pub(in crate::table) type Example = (u64, Vec<u8>);

/// Weights as they are being fitted.
struct Fit {
    /// By signature, neighbour, saying, question.
    weights: Vec<[f32; 2]>,
    bias: [[f32; 2]; SIGNATURES],
    seen: f32,
}

fn chance(log_odds: f32) -> f32 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// Fits parameters to examples, which should be spread over the table.
pub(in crate::table) fn train(scene: Scene, examples: &[Example]) -> Predictor {
    let mut fit = Fit {
        weights: vec![[0.0; 2]; SIGNATURES * NEIGHBOURS * SAYINGS],
        bias: [[0.0; 2]; SIGNATURES],
        seen: 0.0,
    };
    let step = examples.len().div_ceil(FITTED).max(1);
    let chosen: Vec<&Example> = examples.iter().step_by(step).collect();
    // Neighbouring examples are alike: they are taken in an order that mixes them.
    let stride = coprime(chosen.len());
    for round in 0..ROUNDS {
        for number in 0..chosen.len() {
            fit.learn(&scene, chosen[(number * stride + round) % chosen.len()]);
        }
    }
    let mut predictor = Predictor::new(scene, fit.rounded());
    let counts = count(&predictor, examples);
    for (number, counts) in counts.iter().enumerate() {
        predictor.parameters.set_odds(number, odds(number, *counts));
    }
    predictor
}

/// About 0.618 of `length`, and without a common divisor.
fn coprime(length: usize) -> usize {
    let divides = |a: usize, b: usize| {
        let (mut a, mut b) = (a, b);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let near = (length as f64 * 0.618) as usize;
    (near..).find(|stride| divides(*stride, length) == 1).unwrap_or(1)
}

impl Fit {
    fn learn(&mut self, scene: &Scene, (first, values): &Example) {
        let mut signatures = vec![0; values.len()];
        scene.features.signatures(*first, &mut signatures);
        let mut window = Window::new();
        for (_, columns, place) in scene.features.parts(*first, values.len()) {
            for (place, distances) in (place..).zip(scene.neighbours.of(columns)) {
                let signature = usize::from(signatures[place]);
                let mut at = [0; NEIGHBOURS];
                for (neighbour, distance) in distances.iter().enumerate() {
                    let saying = window.saying(place, *distance);
                    at[neighbour] = (signature * NEIGHBOURS + neighbour) * SAYINGS + saying;
                }
                self.adjust(signature, &at, values[place]);
                window.tell(place, signatures[place], values[place]);
            }
        }
    }

    fn adjust(&mut self, signature: usize, at: &[usize; NEIGHBOURS], value: u8) {
        self.seen += 1.0;
        let rate = RATES.0.min(SETTLED / self.seen).max(RATES.1);
        for question in 0..2 {
            let true_here = match question {
                0 => value == 2,
                _ if value == 2 => continue,
                _ => value == 1,
            };
            let sum = self.bias[signature][question]
                + at.iter().map(|at| self.weights[*at][question]).sum::<f32>();
            let change = rate * (f32::from(u8::from(true_here)) - chance(sum));
            self.bias[signature][question] += change;
            at.iter().for_each(|at| self.weights[*at][question] += change);
        }
    }

    fn rounded(&self) -> Parameters {
        let round = |weights: [f32; 2]| -> Weights { weights.map(|w| (w * UNIT).round() as i8) };
        let mut parameters = Parameters::new([TOTAL as u16 / 3, TOTAL as u16 / 3 * 2]);
        for (number, weights) in self.weights.iter().enumerate() {
            let (row, saying) = (number / SAYINGS, number % SAYINGS);
            let at = [row / NEIGHBOURS, row % NEIGHBOURS, saying];
            parameters.set_weights(at, round(*weights));
        }
        for (signature, weights) in self.bias.iter().enumerate() {
            parameters.set_bias(signature, round(*weights));
        }
        parameters
    }
}

/// How often each value came with each odds.
fn count(predictor: &Predictor, examples: &[Example]) -> Vec<[u32; 3]> {
    let none = || vec![[0u32; 3]; ODDS];
    let add = |mut counts: Vec<[u32; 3]>, (first, values): &Example| {
        let mut signatures = vec![0; values.len()];
        predictor.scene.features.signatures(*first, &mut signatures);
        walk(predictor, *first, &signatures, &mut Window::new(), |place, number| {
            counts[number][usize::from(values[place])] += 1;
            values[place]
        });
        counts
    };
    let sum = |mut all: Vec<[u32; 3]>, some: Vec<[u32; 3]>| {
        all.iter_mut().flatten().zip(some.iter().flatten()).for_each(|(all, some)| *all += some);
        all
    };
    examples.par_iter().with_min_len(16).fold(none, add).reduce(none, sum)
}

/// The odds that counts give, leaning on what the weights say where little was counted.
fn odds(number: usize, counts: [u32; 3]) -> Odds {
    let steps = number % (STEPS * STEPS);
    let win = chance(middle(steps / STEPS));
    let draw = (1.0 - win) * chance(middle(steps % STEPS));
    let expected = [1.0 - win - draw, draw, win];
    let all = counts.iter().sum::<u32>() as f32 + DOUBT;
    let share = |value: usize| {
        let share = (counts[value] as f32 + DOUBT * expected[value]) / all;
        ((share * TOTAL as f32) as u32).clamp(1, TOTAL - 2)
    };
    let (loss, draw) = (share(0), share(1));
    let loss = loss.min(TOTAL - 2);
    let both = (loss + draw).min(TOTAL - 1);
    [loss as u16, both as u16]
}

/// So many examples of a strip each are taken from a table of `strips` strips: which strips.
pub(in crate::table) fn chosen(strips: u64, most: u64) -> impl Iterator<Item = u64> {
    let count = strips.min(most);
    (0..count)
        .map(move |number| (u128::from(number) * u128::from(strips) / u128::from(count)) as u64)
}

const _: () = assert!(STRIP <= u16::MAX as usize);
