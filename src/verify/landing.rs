//! Rows of the tables that turns lead into, by the mover's stones on the free points before.
//!
//! Where the opponent's stones stay as they are this is one row, as it lies in the table. Where one
//! of them is removed it is the row of what is left of them, met through the symmetry that leads to
//! their representative, and only the columns that hold a mill can get there.

use super::ground::{Carry, Ground};
use super::planes::Decoded;
use crate::board::PointSet;
use crate::space::Columns;

/// The row that turns without a removal lead into. `columns`: the mover's stones after the turn;
/// `mapped` is room.
pub(super) fn quiet_row<'r>(
    decoded: &'r Decoded,
    columns: &Columns,
    stones: PointSet,
    ground: &Ground,
    mapped: &'r mut Vec<u8>,
) -> &'r [u8] {
    let landing = Landing::new(decoded, stones, ground);
    let Some(carry) = &landing.carry else { return landing.row };
    let place = |set: &u32| landing.columns.rank(carry.apply(*set));
    mapped.clear();
    mapped.extend(columns.sets().iter().map(|set| landing.row[place(set)]));
    mapped
}

/// One row of a table, seen from another.
struct Landing<'r> {
    row: &'r [u8],
    columns: &'r Columns,
    /// What takes columns there; nothing where they are the same.
    carry: Option<Carry>,
}

impl<'r> Landing<'r> {
    /// The positions whose mover has `stones`, seen from the free points of `ground`.
    fn new(decoded: &'r Decoded, stones: PointSet, ground: &Ground) -> Landing<'r> {
        let (classes, columns) = (decoded.index.classes(), &**decoded.index.columns());
        let home = classes.home(stones);
        let free = decoded.points - classes.representative(home.class);
        let same = home.element == 0 && free == ground.points;
        let carry = || Carry::new(classes.group(), home.element, ground.points, free);
        Landing {
            row: &decoded.codes[home.class * columns.count()..][..columns.count()],
            columns,
            carry: (!same).then(carry),
        }
    }
}

/// The best removals of a row, for the columns that hold a mill.
#[derive(Default)]
pub(super) struct Removals {
    holders: Vec<u32>,
    sets: Vec<u32>,
    raised: Vec<u8>,
    codes: Vec<u8>,
}

impl Removals {
    /// One code for every column.
    pub fn all(&mut self, columns: usize, code: u8) -> &[u8] {
        self.codes.clear();
        self.codes.resize(columns, code);
        &self.codes
    }

    /// For each column that holds a mill the best over what may be left of the opponent's stones; 0
    /// for the others.
    #[inline(always)]
    pub fn best(
        &mut self,
        decoded: &Decoded,
        columns: &Columns,
        left: impl Iterator<Item = PointSet>,
        ground: &Ground,
    ) -> &[u8] {
        self.codes.clear();
        self.codes.resize(columns.count(), 0);
        self.find_holders(columns, ground);
        self.raised.clear();
        self.raised.resize(self.holders.len(), 0);
        if self.holders.is_empty() {
            return &self.codes;
        }
        for stones in left {
            let landing = Landing::new(decoded, stones, ground);
            let carry = landing.carry.as_ref().expect("a point more is free there");
            for (raised, set) in self.raised.iter_mut().zip(&self.sets) {
                *raised = (*raised).max(landing.row[landing.columns.rank(carry.apply(*set))]);
            }
        }
        for (column, code) in self.holders.iter().zip(&self.raised) {
            self.codes[*column as usize] = *code;
        }
        &self.codes
    }

    /// Finds the columns that hold a mill.
    #[inline(always)]
    fn find_holders(&mut self, columns: &Columns, ground: &Ground) {
        let (planes, words) = (columns.planes(), columns.words());
        self.holders.clear();
        self.sets.clear();
        for word in 0..words {
            let three = |mill: &[usize; 3]| mill.map(|point| planes[point * words + word]);
            let standing = ground.mills.iter().map(three).map(|[a, b, c]| a & b & c);
            let mut rest = standing.fold(0, |any, mill| any | mill);
            while rest != 0 {
                let column = (word * 64) as u32 + rest.trailing_zeros();
                self.holders.push(column);
                self.sets.push(columns.sets()[column as usize]);
                rest &= rest - 1;
            }
        }
    }
}
