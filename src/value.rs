//! Win, draw or loss, and how many plies a decided position lasts.
//!
//! Everything is seen from the player to move. A win has an odd depth, a loss an even one, so the
//! depth alone tells which; [`Outcome`] keeps that true. Tables and the solver store an outcome as
//! a **code**, a number that grows with how much the player who moves *into* the position likes
//! it, so that the best of several turns is a plain maximum ([`Code`]).

use std::fmt;

/// Who wins when both sides play perfectly, seen from the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// The player to move loses.
    Loss,
    /// Neither side can force anything.
    Draw,
    /// The player to move wins.
    Win,
}

impl Value {
    /// The same result seen from the other side.
    pub const fn opposite(self) -> Value {
        match self {
            Value::Loss => Value::Win,
            Value::Draw => Value::Draw,
            Value::Win => Value::Loss,
        }
    }

    /// `win`, `draw` or `loss`.
    pub const fn word(self) -> &'static str {
        match self {
            Value::Loss => "loss",
            Value::Draw => "draw",
            Value::Win => "win",
        }
    }

    /// The value that a word of [`Value::word`] names.
    pub fn from_word(word: &str) -> Option<Value> {
        [Value::Loss, Value::Draw, Value::Win].into_iter().find(|value| value.word() == word)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// A value with its depth to win in plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Neither side can force anything.
    Draw,
    /// Decided; the game lasts so many plies when the winner hurries and the loser delays. Odd: the
    /// player to move wins. Even: he loses.
    Decided(u16),
}

impl Outcome {
    /// A game that the player to move has lost already.
    pub const LOST: Outcome = Outcome::Decided(0);

    /// Who wins.
    pub const fn value(self) -> Value {
        match self {
            Outcome::Draw => Value::Draw,
            Outcome::Decided(depth) if depth % 2 == 1 => Value::Win,
            Outcome::Decided(_) => Value::Loss,
        }
    }

    /// Plies to the end; `None` for a draw.
    pub const fn depth(self) -> Option<u16> {
        match self {
            Outcome::Draw => None,
            Outcome::Decided(depth) => Some(depth),
        }
    }

    /// The outcome for the player whose turn led here: the opposite value, one ply more.
    pub const fn before(self) -> Outcome {
        match self {
            Outcome::Draw => Outcome::Draw,
            Outcome::Decided(depth) => Outcome::Decided(depth + 1),
        }
    }

    /// A key that orders outcomes by how much the player to move likes them, worst first: a winner
    /// hurries, a loser delays.
    pub const fn preference(self) -> i32 {
        match self {
            Outcome::Draw => 0,
            Outcome::Decided(depth) if depth % 2 == 1 => i32::MAX - depth as i32,
            Outcome::Decided(depth) => i32::MIN + depth as i32,
        }
    }
}

/// An outcome as a stored number of 8 or 16 bits.
///
/// With `half` = 128 or 32768 and `last` = 255 or 65535: a win of depth `d` is `(d + 1) / 2` in
/// `1..half`, a draw is `half`, a loss of depth `d` is `last - d / 2`, above `half`. So a larger
/// code is better for the player who moves into the position, and 0 is free for "no turn yet",
/// which is worse than any.
pub trait Code: Copy + Ord + Send + Sync + Default + fmt::Debug + 'static {
    /// The width in bits.
    const BITS: u32;
    /// The code of a draw.
    const DRAW: Self;
    /// The code of a loss in 0 plies, the largest of all.
    const LOST: Self;
    /// The deepest win that the width can hold, in plies.
    const DEEPEST_WIN: u16;
    /// The deepest loss that the width can hold, in plies.
    const DEEPEST_LOSS: u16;

    /// The code as a number.
    fn number(self) -> u16;

    /// The code with this number, which must fit the width.
    fn from_number(number: u16) -> Self;

    /// The code of an outcome; `None` where the depth does not fit the width.
    fn encode(outcome: Outcome) -> Option<Self> {
        match outcome {
            Outcome::Draw => Some(Self::DRAW),
            Outcome::Decided(depth) if depth % 2 == 1 => {
                (depth <= Self::DEEPEST_WIN).then(|| Self::from_number(depth.div_ceil(2)))
            }
            Outcome::Decided(depth) => (depth <= Self::DEEPEST_LOSS)
                .then(|| Self::from_number(Self::LOST.number() - depth / 2)),
        }
    }

    /// The outcome that the code stands for; `None` for 0, which stands for none.
    fn decode(self) -> Option<Outcome> {
        let (number, half) = (self.number(), Self::DRAW.number());
        match number {
            0 => None,
            n if n < half => Some(Outcome::Decided(2 * n - 1)),
            n if n == half => Some(Outcome::Draw),
            n => Some(Outcome::Decided(2 * (Self::LOST.number() - n))),
        }
    }
}

impl Code for u8 {
    const BITS: u32 = 8;
    const DRAW: u8 = 128;
    const LOST: u8 = 255;
    const DEEPEST_WIN: u16 = 253;
    const DEEPEST_LOSS: u16 = 252;

    fn number(self) -> u16 {
        u16::from(self)
    }

    fn from_number(number: u16) -> u8 {
        debug_assert!(number <= 255);
        number as u8
    }
}

impl Code for u16 {
    const BITS: u32 = 16;
    const DRAW: u16 = 32768;
    const LOST: u16 = 65535;
    const DEEPEST_WIN: u16 = 65533;
    const DEEPEST_LOSS: u16 = 65532;

    fn number(self) -> u16 {
        self
    }

    fn from_number(number: u16) -> u16 {
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip<C: Code>() {
        for outcome in std::iter::once(Outcome::Draw).chain((0..=u16::MAX).map(Outcome::Decided)) {
            if let Some(code) = C::encode(outcome) {
                assert_eq!(code.decode(), Some(outcome));
            } else {
                assert!(outcome.depth().unwrap() > C::DEEPEST_LOSS);
            }
        }
    }

    #[test]
    fn codes_round_trip() {
        round_trip::<u8>();
        round_trip::<u16>();
    }

    #[test]
    fn the_best_turn_has_the_largest_code() {
        let mut codes: Vec<u8> = (1..=255).collect();
        codes.sort_by_key(|code| code.decode().unwrap().before_key());
        assert!(codes.is_sorted());
    }

    impl Outcome {
        fn before_key(self) -> i32 {
            match self {
                Outcome::Decided(u16::MAX) => unreachable!(),
                outcome => outcome.before().preference(),
            }
        }
    }
}
