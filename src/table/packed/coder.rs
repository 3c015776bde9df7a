//! The entropy coder: a range variant of asymmetric numeral systems (Duda, 2013), three symbols.
//!
//! The state is a number of 24 bits; a symbol of probability f / [`TOTAL`] makes it TOTAL / f times
//! larger, and whole bytes are moved out when it grows too large. Decoding undoes encoding in
//! reverse, so symbols are encoded from the last to the first.

/// The sum of the frequencies of the three symbols, a power of two.
pub(in crate::table) const TOTAL: u32 = 1 << BITS;
const BITS: u32 = 14;
/// The state is at least this, and less than 256 times this.
const LEAST: u32 = 1 << 16;
/// Bytes in which a stream begins with the state.
pub(super) const STATE_BYTES: usize = 3;

/// Cumulative frequencies: of a loss, of a loss or a draw. What is left is a win.
pub(super) type Odds = [u16; 2];

/// Whether each symbol has a frequency.
pub(super) fn are_odds(odds: Odds) -> bool {
    0 < odds[0] && odds[0] < odds[1] && u32::from(odds[1]) < TOTAL
}

/// Where the share of a value begins, and how wide it is.
#[inline(always)]
fn share(odds: Odds, value: u8) -> (u32, u32) {
    let (loss, draw) = (u32::from(odds[0]), u32::from(odds[1]));
    match value {
        0 => (0, loss),
        1 => (loss, draw - loss),
        _ => (draw, TOTAL - draw),
    }
}

/// Encodes values, each with its odds; the bytes are to be decoded from the first on.
pub(super) fn encode(values: impl DoubleEndedIterator<Item = (Odds, u8)>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut state = LEAST;
    for (odds, value) in values.rev() {
        let (start, width) = share(odds, value);
        while state >= (LEAST >> BITS << 8) * width {
            bytes.push(state as u8);
            state >>= 8;
        }
        state = (state / width) * TOTAL + state % width + start;
    }
    bytes.extend_from_slice(&state.to_le_bytes()[..STATE_BYTES]);
    bytes.reverse();
    bytes
}

/// Takes values out of a stream.
pub(super) struct Decoder<'a> {
    state: u32,
    bytes: &'a [u8],
    /// How many bytes were missing.
    missing: usize,
}

impl<'a> Decoder<'a> {
    /// Begins; `None` where the bytes are too few.
    pub fn new(bytes: &'a [u8]) -> Option<Decoder<'a>> {
        let (state, bytes) = bytes.split_at_checked(STATE_BYTES)?;
        let state = state.iter().fold(0, |state, byte| state << 8 | u32::from(*byte));
        Some(Decoder { state, bytes, missing: 0 })
    }

    /// The next value.
    #[inline(always)]
    pub fn value(&mut self, odds: Odds) -> u8 {
        let slot = self.state % TOTAL;
        let value = u8::from(slot >= odds[0].into()) + u8::from(slot >= odds[1].into());
        let (start, width) = share(odds, value);
        self.state = width * (self.state / TOTAL) + slot - start;
        while self.state < LEAST {
            let byte = match self.bytes.split_first() {
                Some((byte, rest)) => {
                    self.bytes = rest;
                    *byte
                }
                None => {
                    self.missing += 1;
                    // Lifts the state, so that the loop ends whatever the bytes are.
                    255
                }
            };
            self.state = self.state << 8 | u32::from(byte);
        }
        value
    }

    /// Whether everything was taken, and nothing but what was there.
    pub fn ends_well(&self) -> bool {
        self.state == LEAST && self.bytes.is_empty() && self.missing == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_goes_in_comes_out(
            symbols in prop::collection::vec((1u16..9000, 1u16..7000, 0u8..3), 0..3000),
        ) {
            let symbols: Vec<(Odds, u8)> =
                symbols.into_iter().map(|(a, b, value)| ([a, a + b], value)).collect();
            prop_assert!(symbols.iter().all(|(odds, _)| are_odds(*odds)));
            let bytes = encode(symbols.iter().copied());
            let mut decoder = Decoder::new(&bytes).unwrap();
            for (odds, value) in &symbols {
                prop_assert_eq!(decoder.value(*odds), *value);
            }
            prop_assert!(decoder.ends_well());
        }

        #[test]
        fn any_bytes_come_to_an_end(bytes in prop::collection::vec(any::<u8>(), 3..40)) {
            let mut decoder = Decoder::new(&bytes).unwrap();
            for _ in 0..5000 {
                prop_assert!(decoder.value([1, TOTAL as u16 - 1]) < 3);
            }
            prop_assert!(!decoder.ends_well() || bytes.len() > 2);
        }
    }

    #[test]
    fn likely_values_cost_little() {
        let odds = [10, 20];
        let sure = encode((0..4096).map(|_| (odds, 2)));
        assert!(sure.len() <= 5, "{} bytes", sure.len());
        assert_eq!(encode(std::iter::empty()).len(), STATE_BYTES);
    }
}
