//! Turns of a kind for a whole row: the codes after the turn are handed to the columns before it.
//!
//! A turn that brings a stone to one point (and takes it from another) changes these points alone,
//! so it keeps the order of the columns that can make it: the first of them goes to the first of
//! those that have the stone there and not here, the second to the second, and so on. What is
//! handed over is therefore one row squeezed together under one mask and pulled apart under
//! another. Processors with AVX-512 VBMI2 do that to 64 columns at a time; the portable way walks
//! along both masks. Which is taken is decided at run time, and a test holds both against a search
//! for each column.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

/// The turns that bring a stone to one point, from one point or from the hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turns<'a> {
    /// The codes of the columns after a turn that closes no mill.
    pub quiet: &'a [u8],
    /// The codes of the same columns where the turn closes one.
    pub closed: &'a [u8],
    /// For each 64 columns after the turn, in which the stone completes a mill; empty for none.
    pub closing: &'a [u64],
    /// For each 64 columns after the turn, which can have come by it.
    pub after: &'a [u64],
    /// For each 64 columns before the turn, which can make it: as many as after it.
    pub before: &'a [u64],
}

/// How the codes are handed over.
#[derive(Clone, Copy, Debug)]
pub(super) enum Way {
    /// Column by column.
    Portable,
    /// 64 columns at a time.
    Avx512(Avx512),
}

/// Says that the processor has the instructions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx512(());

impl Way {
    /// The fastest way of the processor.
    pub fn best() -> Way {
        Avx512::detect().map_or(Way::Portable, Way::Avx512)
    }

    /// Raises `best`, the codes of the columns before the turn. `room` is used for what is between.
    #[inline(always)]
    pub fn raise(self, turns: &Turns<'_>, best: &mut [u8], room: &mut Vec<u8>) {
        match self {
            Way::Portable => raise(turns, best),
            Way::Avx512(vector) => vector.raise(turns, best, room),
        }
    }
}

#[inline(always)]
fn raise(turns: &Turns<'_>, best: &mut [u8]) {
    let mut before = columns(turns.before);
    for word in 0..turns.after.len() {
        let closing = turns.closing.get(word).copied().unwrap_or(0);
        let mut rest = turns.after[word];
        while rest != 0 {
            let (bit, after) = (rest & rest.wrapping_neg(), rest.trailing_zeros() as usize);
            rest ^= bit;
            let codes = if closing & bit != 0 { turns.closed } else { turns.quiet };
            let code = codes[word * 64 + after];
            let place = &mut best[before.next().expect("as many columns before as after")];
            *place = (*place).max(code);
        }
    }
    debug_assert_eq!(before.next(), None);
}

/// The columns of a mask, rising.
#[inline(always)]
fn columns(mask: &[u64]) -> impl Iterator<Item = usize> + '_ {
    let (mut word, mut rest) = (0, mask.first().copied().unwrap_or(0));
    std::iter::from_fn(move || {
        while rest == 0 {
            word += 1;
            rest = *mask.get(word)?;
        }
        let column = word * 64 + rest.trailing_zeros() as usize;
        rest &= rest - 1;
        Some(column)
    })
}

impl Avx512 {
    /// The instructions, where the processor has them.
    fn detect() -> Option<Avx512> {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("popcnt")
        {
            return Some(Avx512(()));
        }
        None
    }

    fn raise(self, turns: &Turns<'_>, best: &mut [u8], room: &mut Vec<u8>) {
        let after = turns.after.len();
        assert_eq!(turns.quiet.len(), turns.closed.len());
        assert!(turns.quiet.len() <= after * 64 && best.len() <= turns.before.len() * 64);
        assert!(turns.closing.is_empty() || turns.closing.len() == after);
        // Whole vectors are stored and loaded at any place of what is squeezed together.
        room.resize(turns.quiet.len().max(best.len()) + 64, 0);
        #[cfg(target_arch = "x86_64")]
        // SAFETY: an `Avx512` exists only where `detect` found the instructions; the lengths that
        // the loops rely on are checked above.
        unsafe {
            raise_vectors(turns, best, room);
        }
    }
}

/// # Safety
///
/// Needs the lengths that [`Avx512::raise`] checks.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt,bmi1")]
unsafe fn raise_vectors(turns: &Turns<'_>, best: &mut [u8], room: &mut [u8]) {
    let mut filled = 0;
    for word in 0..turns.quiet.len().div_ceil(64) {
        let after = turns.after[word] & valid(turns.quiet.len() - word * 64);
        if after == 0 {
            continue;
        }
        let closing = if turns.closing.is_empty() { 0 } else { turns.closing[word] & after };
        // SAFETY: a masked load touches only lanes of its mask, and those lie inside; at most one
        // byte was filled for each column before, and the room has 64 bytes more.
        unsafe {
            let quiet = turns.quiet.as_ptr().add(word * 64).cast();
            let mut codes = _mm512_maskz_loadu_epi8(after, quiet);
            if closing != 0 {
                let closed = turns.closed.as_ptr().add(word * 64).cast();
                codes = _mm512_mask_loadu_epi8(codes, closing, closed);
            }
            let together = _mm512_maskz_compress_epi8(after, codes);
            _mm512_storeu_si512(room.as_mut_ptr().add(filled).cast(), together);
        }
        filled += after.count_ones() as usize;
    }
    let mut used = 0;
    for word in 0..best.len().div_ceil(64) {
        let before = turns.before[word] & valid(best.len() - word * 64);
        if before == 0 {
            continue;
        }
        // SAFETY: at most one byte is used for each column before this word, and the room has 64
        // bytes more; the loads and stores of `best` are masked to what lies inside.
        unsafe {
            let together = _mm512_loadu_si512(room.as_ptr().add(used).cast());
            let apart = _mm512_maskz_expand_epi8(before, together);
            let place = best.as_mut_ptr().add(word * 64).cast::<i8>();
            let inside = valid(best.len() - word * 64);
            let codes = _mm512_maskz_loadu_epi8(inside, place);
            _mm512_mask_storeu_epi8(place, inside, _mm512_max_epu8(codes, apart));
        }
        used += before.count_ones() as usize;
    }
    // A mask that lies would hand codes to the wrong columns: never silently.
    assert_eq!(filled, used);
}

/// The mask of the first `left` of 64 lanes.
#[cfg(target_arch = "x86_64")]
fn valid(left: usize) -> u64 {
    if left >= 64 { !0 } else { (1 << left) - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Columns;

    #[test]
    fn both_ways_hand_over_what_a_search_does() {
        let mut seed = 1u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            seed >> 32
        };
        for (free, stones) in [(3, 1), (5, 2), (9, 3), (12, 5), (15, 7), (16, 1), (13, 12)] {
            let columns = Columns::new(free, stones);
            let mut bytes = || (0..columns.count()).map(|_| random() as u8).collect::<Vec<_>>();
            let (quiet, closed, first) = (bytes(), bytes(), bytes());
            let closing: Vec<u64> = (0..columns.words()).map(|_| random() << 32 | 77).collect();
            for (from, to) in [(0, free - 1), (free - 1, 0), (1, 2), (free / 2, 1)] {
                if from == to {
                    continue;
                }
                let mask = |with: usize, without: usize| -> Vec<u64> {
                    let plane = |point| &columns.planes()[point * columns.words()..];
                    let pairs = plane(with).iter().zip(plane(without)).take(columns.words());
                    pairs.map(|(with, without)| with & !without).collect()
                };
                let (after, before) = (mask(to, from), mask(from, to));
                let mut expected = first.clone();
                for (column, set) in columns.sets().iter().enumerate() {
                    if set >> from & 1 == 1 && set >> to & 1 == 0 {
                        let place = columns.rank(set ^ (1 << from | 1 << to));
                        let closes = closing[place / 64] >> (place % 64) & 1 == 1;
                        let code = if closes { closed[place] } else { quiet[place] };
                        expected[column] = expected[column].max(code);
                    }
                }
                let turns = Turns {
                    quiet: &quiet,
                    closed: &closed,
                    closing: &closing,
                    after: &after,
                    before: &before,
                };
                for way in [Way::Portable, Way::best()] {
                    let mut best = first.clone();
                    way.raise(&turns, &mut best, &mut Vec::new());
                    assert_eq!(best, expected, "{way:?} {free} {stones} {from} {to}");
                }
            }
        }
    }
}
