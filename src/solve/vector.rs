//! Byte codes 64 at a time: moved between rows that differ by one stone, and searched.
//!
//! Dropping one free point keeps the order of the columns: the columns that avoid a point, in
//! order, are those that hold it and one stone more, in order. So what a placement on that point
//! hands down is one row squeezed together where the stone stands and pulled apart where it does
//! not: two instructions of processors with AVX-512 VBMI2, against a rank for each column
//! (measured: a placing subspace is scanned about three times as fast). Chosen at run time; the
//! general way is in `forward` and a test holds the two against each other.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

/// Says that the processor has the instructions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx512(());

/// What a placement on one point hands down.
pub(super) struct Placed<'a> {
    /// The codes of the columns with the stone, quiet placements.
    pub quiet: &'a [u8],
    /// The codes where the placement closes a mill.
    pub captures: &'a [u8],
    /// For each 64 of these columns, which hold the point.
    pub holding: &'a [u64],
    /// For each 64, which of them close a mill with it.
    pub closing: &'a [u64],
    /// For each 64 of the columns without the stone, which hold the point.
    pub taken: &'a [u64],
}

impl Avx512 {
    /// The instructions, where the processor has them.
    pub fn detect() -> Option<Avx512> {
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

    /// Raises `best`, the codes of the columns without the stone, to what the placement gives.
    /// `packed` is room.
    pub fn hand_down(self, placed: &Placed<'_>, best: &mut [u8], packed: &mut Vec<u8>) {
        assert_eq!(placed.quiet.len(), placed.captures.len());
        assert!(placed.holding.len() * 64 >= placed.quiet.len());
        assert!(placed.closing.len() >= placed.holding.len());
        assert!(placed.taken.len() * 64 >= best.len());
        // Whole vectors are stored and loaded at any place of what is packed.
        packed.resize(placed.quiet.len().max(best.len()) + 64, 0);
        #[cfg(target_arch = "x86_64")]
        // SAFETY: an `Avx512` exists only where `detect` found the instructions; the lengths that
        // the loops rely on are checked above.
        unsafe {
            hand_down(placed, best, packed);
        }
    }
}

impl Avx512 {
    /// Adds to `found` the places of `code` in `codes`, rising; where `open` is given, only those
    /// that are zero there.
    #[inline]
    pub fn find(self, code: u8, codes: &[u8], open: Option<&[u8]>, found: &mut Vec<u32>) {
        assert!(open.is_none_or(|open| open.len() == codes.len()));
        #[cfg(target_arch = "x86_64")]
        // SAFETY: an `Avx512` exists only where `detect` found the instructions; the lengths are
        // equal.
        unsafe {
            find(code, codes, open, found);
        }
    }
}

/// # Safety
///
/// `open` must be as long as `codes`.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt,bmi1")]
unsafe fn find(code: u8, codes: &[u8], open: Option<&[u8]>, found: &mut Vec<u32>) {
    let wanted = _mm512_set1_epi8(code as i8);
    for word in 0..codes.len().div_ceil(64) {
        let inside = valid(codes.len() - word * 64);
        // SAFETY: masked loads touch only lanes of their masks, and those lie inside.
        let mut equal = unsafe {
            let held = _mm512_maskz_loadu_epi8(inside, codes.as_ptr().add(word * 64).cast());
            let equal = _mm512_mask_cmpeq_epi8_mask(inside, held, wanted);
            match open {
                Some(open) if equal != 0 => {
                    let open = open.as_ptr().add(word * 64).cast();
                    let open = _mm512_maskz_loadu_epi8(equal, open);
                    _mm512_mask_testn_epi8_mask(equal, open, open)
                }
                _ => equal,
            }
        };
        while equal != 0 {
            found.push((word * 64) as u32 + equal.trailing_zeros());
            equal &= equal - 1;
        }
    }
}

/// # Safety
///
/// Needs the lengths that [`Avx512::hand_down`] checks.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
unsafe fn hand_down(placed: &Placed<'_>, best: &mut [u8], packed: &mut [u8]) {
    let mut filled = 0;
    for word in 0..placed.quiet.len().div_ceil(64) {
        let inside = valid(placed.quiet.len() - word * 64);
        let holding = placed.holding[word] & inside;
        let closing = placed.closing[word] & holding;
        // SAFETY: a masked load touches only lanes of its mask, and those lie inside; the store
        // begins at most `quiet.len()` bytes into `packed`, which has 64 more.
        unsafe {
            let quiet = placed.quiet.as_ptr().add(word * 64).cast();
            let captures = placed.captures.as_ptr().add(word * 64).cast();
            let mut codes = _mm512_maskz_loadu_epi8(holding, quiet);
            if closing != 0 {
                codes = _mm512_mask_loadu_epi8(codes, closing, captures);
            }
            let together = _mm512_maskz_compress_epi8(holding, codes);
            _mm512_storeu_si512(packed.as_mut_ptr().add(filled).cast(), together);
        }
        filled += holding.count_ones() as usize;
    }
    let mut used = 0;
    for word in 0..best.len().div_ceil(64) {
        let inside = valid(best.len() - word * 64);
        let free = !placed.taken[word] & inside;
        // SAFETY: at most one byte is used for each column, so the load begins at most
        // `best.len()` bytes into `packed`, which has 64 more; the other lanes are masked.
        unsafe {
            let together = _mm512_loadu_si512(packed.as_ptr().add(used).cast());
            let apart = _mm512_maskz_expand_epi8(free, together);
            let place = best.as_mut_ptr().add(word * 64).cast::<i8>();
            let codes = _mm512_maskz_loadu_epi8(inside, place);
            _mm512_mask_storeu_epi8(place, inside, _mm512_max_epu8(codes, apart));
        }
        used += free.count_ones() as usize;
    }
    debug_assert_eq!(filled, used);
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
    fn finds_what_a_plain_search_does() {
        let Some(vector) = Avx512::detect() else { return };
        for length in [0, 1, 63, 64, 65, 1000] {
            let codes: Vec<u8> = (0..length).map(|i| (i * i % 7) as u8).collect();
            let open: Vec<u8> = (0..length).map(|i| (i % 3) as u8).collect();
            for code in 0..7 {
                let places = (0..length as u32).filter(|i| codes[*i as usize] == code);
                let mut found = Vec::new();
                vector.find(code, &codes, None, &mut found);
                assert!(found.iter().copied().eq(places.clone()));
                found.clear();
                vector.find(code, &codes, Some(&open), &mut found);
                assert!(found.iter().copied().eq(places.filter(|i| open[*i as usize] == 0)));
            }
        }
    }

    #[test]
    fn hands_down_what_the_general_way_does() {
        let Some(vector) = Avx512::detect() else { return };
        let mut seed = 1u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            seed >> 32
        };
        for (free, stones) in [(3, 0), (5, 2), (9, 3), (12, 5), (15, 7), (16, 0), (13, 12)] {
            let (columns, with) = (Columns::new(free, stones), Columns::new(free, stones + 1));
            let quiet: Vec<u8> = (0..with.count()).map(|_| random() as u8).collect();
            let captures: Vec<u8> = (0..with.count()).map(|_| random() as u8).collect();
            let closing: Vec<u64> = (0..with.words()).map(|_| random() << 32 | random()).collect();
            for point in 0..free {
                let mut best: Vec<u8> = (0..columns.count()).map(|_| random() as u8).collect();
                let mut expected = best.clone();
                for (column, set) in with.sets().iter().enumerate() {
                    if set >> point & 1 != 0 {
                        let closes = closing[column / 64] >> (column % 64) & 1 != 0;
                        let code = if closes { captures[column] } else { quiet[column] };
                        let place = &mut expected[columns.rank(set ^ 1 << point)];
                        *place = (*place).max(code);
                    }
                }
                let plane = |columns: &Columns| -> Vec<u64> {
                    let words = columns.words();
                    columns.planes()[point * words..][..words].to_vec()
                };
                let placed = Placed {
                    quiet: &quiet,
                    captures: &captures,
                    holding: &plane(&with),
                    closing: &closing,
                    taken: &plane(&columns),
                };
                vector.hand_down(&placed, &mut best, &mut Vec::new());
                assert_eq!(best, expected, "{free} {stones} {point}");
            }
        }
    }
}
