//! Sets of points as 32-bit masks: bit `i` is the point with number `i`.
//!
//! At most [`MAX_POINTS`](super::MAX_POINTS) low bits are ever used.

use super::Point;
use std::fmt;
use std::ops::{BitAnd, BitOr, BitXor, Sub};

/// A set of points of one board.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PointSet(u32);

impl PointSet {
    /// The set of no point.
    pub const EMPTY: PointSet = PointSet(0);

    /// The set whose members are the one bits of `bits`.
    pub const fn from_bits(bits: u32) -> Self {
        PointSet(bits)
    }

    /// The first `count` points of a board.
    pub const fn first(count: usize) -> Self {
        PointSet(((1u64 << count) - 1) as u32)
    }

    /// The set as a mask, bit `i` for the point with number `i`.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// How many points are in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether no point is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `point` is in the set.
    pub const fn contains(self, point: Point) -> bool {
        self.0 >> point.number() & 1 != 0
    }

    /// Whether every point of `other` is in the set.
    pub const fn contains_all(self, other: PointSet) -> bool {
        other.0 & !self.0 == 0
    }

    /// The set with `point` added.
    pub const fn with(self, point: Point) -> Self {
        PointSet(self.0 | 1 << point.number())
    }

    /// The set without `point`.
    pub const fn without(self, point: Point) -> Self {
        PointSet(self.0 & !(1 << point.number()))
    }

    /// The points of the set, by rising number.
    pub fn iter(self) -> Points {
        Points(self.0)
    }
}

/// The points of a [`PointSet`], by rising number.
#[derive(Clone, Debug)]
pub struct Points(u32);

impl Iterator for Points {
    type Item = Point;

    fn next(&mut self) -> Option<Point> {
        if self.0 == 0 {
            return None;
        }
        let number = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(Point::new(number))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Points {}

impl IntoIterator for PointSet {
    type Item = Point;
    type IntoIter = Points;

    fn into_iter(self) -> Points {
        self.iter()
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        points.into_iter().fold(PointSet::EMPTY, PointSet::with)
    }
}

impl BitOr for PointSet {
    type Output = PointSet;
    fn bitor(self, other: PointSet) -> PointSet {
        PointSet(self.0 | other.0)
    }
}

impl BitAnd for PointSet {
    type Output = PointSet;
    fn bitand(self, other: PointSet) -> PointSet {
        PointSet(self.0 & other.0)
    }
}

impl BitXor for PointSet {
    type Output = PointSet;
    fn bitxor(self, other: PointSet) -> PointSet {
        PointSet(self.0 ^ other.0)
    }
}

impl Sub for PointSet {
    type Output = PointSet;
    fn sub(self, other: PointSet) -> PointSet {
        PointSet(self.0 & !other.0)
    }
}

impl fmt::Debug for PointSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PointSet({:#b})", self.0)
    }
}
