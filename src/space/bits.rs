//! Moving the bits of a mask together and apart: the points of a board that are free, numbered
//! anew from 0.
//!
//! Processors with BMI2 do either in one instruction; which way is taken is decided at run time.
//! [`Bits`] lets a loop be compiled once for each way, so that the decision is made outside
//! of it.

/// Gathers the bits of `set` that lie under `mask` into the low bits, keeping their order.
#[inline]
pub fn compress(set: u32, mask: u32) -> u32 {
    let mut rest = set & mask;
    let mut gathered = 0;
    while rest != 0 {
        let bit = rest & rest.wrapping_neg();
        gathered |= 1 << (mask & (bit - 1)).count_ones();
        rest ^= bit;
    }
    gathered
}

/// Spreads the low bits of `set` to the ones of `mask`, keeping their order; undoes [`compress`].
#[inline]
pub fn expand(set: u32, mask: u32) -> u32 {
    let (mut spread, mut free, mut rest) = (0, mask, set);
    while free != 0 && rest != 0 {
        let bit = free & free.wrapping_neg();
        if rest & 1 != 0 {
            spread |= bit;
        }
        rest >>= 1;
        free ^= bit;
    }
    spread
}

/// A way to gather and spread bits, to be chosen outside of a loop.
pub trait Bits: Copy + Send + Sync {
    /// As [`compress`].
    fn compress(self, set: u32, mask: u32) -> u32;

    /// As [`expand`].
    fn expand(self, set: u32, mask: u32) -> u32;

    /// Runs `task`, compiled for the processors that have this way.
    fn run<T: Task>(self, task: T) -> T::Output;
}

/// Work that is worth compiling once for each way. What it calls profits only where it is inlined,
/// so [`run`](Task::run) and the loops below it are marked `#[inline(always)]`.
pub trait Task {
    /// What comes of it.
    type Output;

    /// Does the work.
    fn run(self, bits: impl Bits) -> Self::Output;
}

/// The way that works everywhere.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Bits for Portable {
    #[inline(always)]
    fn compress(self, set: u32, mask: u32) -> u32 {
        compress(set, mask)
    }

    #[inline(always)]
    fn expand(self, set: u32, mask: u32) -> u32 {
        expand(set, mask)
    }

    #[inline]
    fn run<T: Task>(self, task: T) -> T::Output {
        task.run(self)
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx2")]
fn run_bmi2<T: Task>(bits: Bmi2, task: T) -> T::Output {
    task.run(bits)
}

/// The one-instruction way of x86-64 processors with BMI2.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct Bmi2(());

#[cfg(target_arch = "x86_64")]
impl Bmi2 {
    /// The way, where the processor has it.
    pub fn detect() -> Option<Bmi2> {
        let all = is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("avx2");
        all.then_some(Bmi2(()))
    }
}

#[cfg(target_arch = "x86_64")]
impl Bits for Bmi2 {
    #[inline(always)]
    fn compress(self, set: u32, mask: u32) -> u32 {
        // SAFETY: a `Bmi2` exists only where `detect` found the instruction.
        unsafe { std::arch::x86_64::_pext_u32(set, mask) }
    }

    #[inline(always)]
    fn expand(self, set: u32, mask: u32) -> u32 {
        // SAFETY: as above.
        unsafe { std::arch::x86_64::_pdep_u32(set, mask) }
    }

    #[inline]
    fn run<T: Task>(self, task: T) -> T::Output {
        // SAFETY: a `Bmi2` exists only where `detect` found every feature that is named there.
        unsafe { run_bmi2(self, task) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn compress_undoes_expand(set: u32, mask: u32) {
            let low = set & ((1u64 << mask.count_ones()) - 1) as u32;
            prop_assert_eq!(compress(expand(low, mask), mask), low);
            prop_assert_eq!(expand(compress(set, mask), mask), set & mask);
            #[cfg(target_arch = "x86_64")]
            if let Some(bmi2) = Bmi2::detect() {
                prop_assert_eq!(bmi2.compress(set, mask), compress(set, mask));
                prop_assert_eq!(bmi2.expand(low, mask), expand(low, mask));
            }
        }
    }
}
