//! What was fitted to a table: how much each neighbour's saying weighs, and the odds that belong to
//! each sum of weights.
//!
//! A weight is a sixteenth of a unit of log-odds, for two questions at once: is it a win, and if
//! not, is it a draw? The sums are rounded to half units and look up the odds, which were counted,
//! so the weights need not be well calibrated.

use super::coder::{Odds, are_odds};
use super::{ABSENT, NEIGHBOURS, ODDS, SAYINGS, SIGNATURES, STEPS};

/// Places of a row of weights: [`SAYINGS`], rounded up to a power of two.
const ROW: usize = SAYINGS.next_power_of_two();
/// Weights that make a step.
const STEP_BITS: u32 = 3;
/// The highest step; the lowest is less than nothing by as much.
const HIGHEST: i32 = (STEPS as i32 - 1) / 2;
/// Bytes of the weights, those of the signatures, and the odds.
const LENGTH: usize = 2 * SIGNATURES * (NEIGHBOURS * SAYINGS + 1) + 4 * ODDS;

/// Weights of one saying: for a win, and for a draw where it is no win.
pub(super) type Weights = [i8; 2];

/// The fitted numbers of one table.
#[derive(Clone)]
pub(in crate::table) struct Parameters {
    /// By signature, neighbour and saying: both weights in one number, so that they are added up
    /// together.
    weights: Vec<[[i32; ROW]; NEIGHBOURS]>,
    /// By signature.
    bias: [i32; SIGNATURES],
    odds: Vec<Odds>,
}

/// Two weights as one number: the sum of such numbers is the number of the sums.
const fn both([win, draw]: Weights) -> i32 {
    ((win as i32) << 16) + draw as i32
}

/// The weights in a number.
fn apart(both: i32) -> [i32; 2] {
    let draw = i32::from(both as i16);
    [(both - draw) >> 16, draw]
}

/// The step that a sum is rounded to.
#[inline(always)]
fn step(sum: i32) -> i32 {
    ((sum + (1 << STEP_BITS >> 1)) >> STEP_BITS).clamp(-HIGHEST, HIGHEST) + HIGHEST
}

/// The log-odds in the middle of a step.
pub(super) fn middle(step: usize) -> f32 {
    (step as i32 - HIGHEST) as f32 * (1 << STEP_BITS) as f32 / super::train::UNIT
}

impl Parameters {
    /// Nothing weighs anything; all odds are `odds`.
    pub fn new(odds: Odds) -> Parameters {
        Parameters {
            weights: vec![[[0; ROW]; NEIGHBOURS]; SIGNATURES],
            bias: [0; SIGNATURES],
            odds: vec![odds; ODDS],
        }
    }

    pub fn set_bias(&mut self, signature: usize, weights: Weights) {
        self.bias[signature] = both(weights);
    }

    pub fn set_weights(&mut self, at: [usize; 3], weights: Weights) {
        let [signature, neighbour, saying] = at;
        self.weights[signature][neighbour][saying] = both(weights);
    }

    pub fn set_odds(&mut self, number: usize, odds: Odds) {
        debug_assert!(are_odds(odds));
        self.odds[number] = odds;
    }

    /// The weight of a signature by itself.
    #[inline(always)]
    pub fn bias(&self, signature: u8) -> i32 {
        self.bias[usize::from(signature) % SIGNATURES]
    }

    /// The weights of the sayings of a signature's neighbours.
    #[inline(always)]
    pub fn weights(&self, signature: u8) -> &[[i32; ROW]; NEIGHBOURS] {
        &self.weights[usize::from(signature)]
    }

    /// Which odds belong to a signature and a sum of weights.
    #[inline(always)]
    pub fn number(signature: u8, sum: i32) -> usize {
        let [win, draw] = apart(sum);
        let steps = step(win) * STEPS as i32 + step(draw);
        usize::from(signature) * STEPS * STEPS + steps as usize
    }

    /// The odds with a number.
    #[inline(always)]
    pub fn odds(&self, number: usize) -> Odds {
        self.odds[number]
    }

    /// The numbers as bytes, see `docs/FORMAT.md`.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(LENGTH);
        let mut put = |both: i32| bytes.extend(apart(both).map(|weight| weight as i8 as u8));
        for signature in &self.weights {
            let used = signature.iter().flat_map(|row| &row[..SAYINGS]);
            used.for_each(|weights| put(*weights));
        }
        self.bias.iter().for_each(|weights| put(*weights));
        bytes.extend(self.odds.iter().flatten().flat_map(|odds| odds.to_le_bytes()));
        bytes
    }

    /// How many bytes [`encode`](Self::encode) gives.
    pub const LENGTH: usize = LENGTH;

    /// Takes the numbers back out of [`LENGTH`](Self::LENGTH) bytes; the error says what is wrong.
    pub fn decode(bytes: &[u8]) -> Result<Parameters, String> {
        if bytes.len() != LENGTH {
            return Err(format!("they are {} bytes, expected {LENGTH}", bytes.len()));
        }
        let (weights, odds) = bytes.split_at(LENGTH - 4 * ODDS);
        let mut weights = weights.chunks_exact(2).map(|two| both([two[0] as i8, two[1] as i8]));
        let mut parameters = Parameters::new([1, 2]);
        for row in parameters.weights.iter_mut().flatten() {
            row[..SAYINGS].iter_mut().zip(&mut weights).for_each(|(into, weights)| *into = weights);
        }
        parameters.bias.iter_mut().zip(weights).for_each(|(into, weights)| *into = weights);
        for (number, four) in odds.chunks_exact(4).enumerate() {
            let odds =
                [u16::from_le_bytes([four[0], four[1]]), u16::from_le_bytes([four[2], four[3]])];
            if !are_odds(odds) {
                return Err(format!("odds {number} are {odds:?}, which leaves a value without"));
            }
            parameters.odds[number] = odds;
        }
        Ok(parameters)
    }
}

const _: () = assert!((ABSENT as usize) < ROW);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_weights_travel_together() {
        for pair in [[0, 0], [-128, 127], [127, -128], [5, -1], [-1, 5]] {
            assert_eq!(apart(both(pair)), pair.map(i32::from));
        }
        let sum: i32 = [[-100, 90], [-100, 90], [3, -128]].into_iter().map(both).sum();
        assert_eq!(apart(sum), [-197, 52]);
    }

    #[test]
    fn steps_are_rounded_and_end() {
        assert_eq!(step(0), HIGHEST);
        assert_eq!((step(3), step(4), step(-4), step(-5)), (12, 13, 12, 11));
        assert_eq!((step(10_000), step(-10_000)), (24, 0));
    }

    #[test]
    fn bytes_and_back() {
        let mut parameters = Parameters::new([100, 200]);
        parameters.set_weights([17, 11, SAYINGS - 1], [-7, 9]);
        parameters.set_bias(3, [-128, 127]);
        parameters.set_odds(ODDS - 1, [1, 16383]);
        let bytes = parameters.encode();
        assert_eq!(bytes.len(), LENGTH);
        let again = Parameters::decode(&bytes).unwrap();
        assert_eq!(again.encode(), bytes);
        assert!(Parameters::decode(&bytes[1..]).is_err());
        for odds in [[0, 5], [5, 5], [6, 5], [5, 16384]] {
            let mut bytes = bytes.clone();
            let at = LENGTH - 4;
            bytes[at..at + 2].copy_from_slice(&u16::to_le_bytes(odds[0]));
            bytes[at + 2..].copy_from_slice(&u16::to_le_bytes(odds[1]));
            assert!(Parameters::decode(&bytes).is_err(), "{odds:?}");
        }
    }
}
