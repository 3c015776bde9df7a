//! Whole rows of yes-or-no answers, 64 columns to a word, and counting with them.

/// Words that are handled together; what the vector units of today take in a few instructions.
pub(super) const LANES: usize = 8;

/// `LANES` words of 64 columns.
pub(super) type Lane = [u64; LANES];

/// Counts, for each of 64 x LANES columns, how many of the added planes have its bit.
#[derive(Clone, Debug)]
pub(super) struct Counter {
    bits: [Lane; 8],
}

impl Counter {
    /// All counts zero.
    #[inline(always)]
    pub fn new() -> Counter {
        Counter { bits: [[0; LANES]; 8] }
    }

    /// Adds two planes.
    #[inline(always)]
    pub fn add(&mut self, first: &Lane, second: &Lane) {
        let mut carry = [0; LANES];
        let ones = &mut self.bits[0];
        for i in 0..LANES {
            let half = ones[i] ^ first[i];
            carry[i] = (ones[i] & first[i]) | (half & second[i]);
            ones[i] = half ^ second[i];
        }
        for bit in &mut self.bits[1..] {
            for i in 0..LANES {
                let sum = bit[i] ^ carry[i];
                carry[i] &= bit[i];
                bit[i] = sum;
            }
        }
    }

    /// Writes the counts of the columns to `counts`, which may be shorter than the lane.
    #[inline(always)]
    pub fn write(&self, counts: &mut [u8]) {
        for (group, eight) in counts.chunks_mut(8).enumerate() {
            let (word, shift) = (group / 8, group % 8 * 8);
            let mut spread = 0u64;
            for (place, bit) in self.bits.iter().enumerate() {
                spread |= SPREAD[(bit[word] >> shift & 255) as usize] << place;
            }
            eight.copy_from_slice(&spread.to_le_bytes()[..eight.len()]);
        }
    }
}

/// For each byte, its bits as the lowest bits of eight bytes.
static SPREAD: [u64; 256] = {
    let mut table = [0u64; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte] |= ((byte >> bit & 1) as u64) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Calls `found` with the column of every bit of a lane that begins at column `first`.
#[inline(always)]
pub(super) fn each_column(lane: &Lane, first: usize, mut found: impl FnMut(usize)) {
    for (word, bits) in lane.iter().enumerate() {
        let mut rest = *bits;
        while rest != 0 {
            found(first + word * 64 + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_planes() {
        let mut counter = Counter::new();
        let plane = |n: usize| -> Lane {
            std::array::from_fn(|i| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15 ^ n as u64))
        };
        let mut expected = vec![0u8; 64 * LANES];
        for n in 0..60 {
            let (first, second) = (plane(2 * n), plane(2 * n + 1));
            counter.add(&first, &second);
            each_column(&first, 0, |c| expected[c] += 1);
            each_column(&second, 0, |c| expected[c] += 1);
        }
        let mut counts = vec![0u8; 64 * LANES - 3];
        counter.write(&mut counts);
        assert_eq!(counts, expected[..counts.len()]);
    }
}
