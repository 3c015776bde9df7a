//! A point of a board, by its number.

/// One point of a [`Board`](super::Board), `0..board.len()`.
///
/// Points come from a board (by name, by number, or out of a [`PointSet`](super::PointSet));
/// their numbers follow the order of the board's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u8);

impl Point {
    pub(crate) const fn new(number: usize) -> Self {
        Point(number as u8)
    }

    /// The number of the point, counted in the order of the board's text from 0.
    pub const fn number(self) -> usize {
        self.0 as usize
    }
}
