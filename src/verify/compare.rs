//! What was derived of a row, held against every entry that stands for one of its positions.
//!
//! The row has the opponent's stones, the table is ordered by the mover's: two neighbours of the
//! row lie far apart in the table. So the places are worked out for many columns before the first
//! of the entries is read, and the memory is asked for many at a time.

use super::rows::{Answers, Room, RowCheck, WrongEntry};
use crate::board::PointSet;
use crate::space::bits::Bits;
use crate::value::Code;

/// Columns whose places are worked out before the first entry is read.
const AHEAD: usize = 256;

impl RowCheck<'_> {
    /// Holds all entries of the positions of a row against `room.best` and adds those that differ
    /// to `wrong`.
    #[inline(always)]
    pub(super) fn compare(
        &self,
        bits: impl Bits,
        class: usize,
        answers: &Answers,
        room: &mut Room,
        wrong: &mut Vec<WrongEntry>,
    ) {
        let free = (self.rules.board.points() - self.opponents.representative(class)).bits();
        let images = self.images(class);
        let Room { best, odd, .. } = room;
        odd.clear();
        self.find_odd(bits, free, &images, &answers.stored, best, odd);
        // One that differs in several of its entries is reported once, with all of them.
        odd.sort_unstable();
        odd.dedup();
        for column in odd.iter().map(|column| *column as usize) {
            let mover = PointSet::from_bits(bits.expand(self.columns.sets()[column], free));
            let derived = answers.wide[usize::from(best[column])];
            self.report(bits, class, mover, &images, derived, wrong);
        }
    }

    /// The images of the opponent's stones under each symmetry of the mover's classes.
    fn images(&self, class: usize) -> Vec<PointSet> {
        let (group, stones) =
            (self.own.index.classes().group(), self.opponents.representative(class));
        (0..group.order()).map(|element| group.apply(element, stones)).collect()
    }

    /// Finds the columns some entry of which is not what was derived.
    #[inline(always)]
    fn find_odd(
        &self,
        bits: impl Bits,
        free: u32,
        images: &[PointSet],
        answers: &[u8; 256],
        best: &[u8],
        odd: &mut Vec<u32>,
    ) {
        let codes = &*self.own.codes;
        let (classes, columns) = (self.own.index.classes(), &**self.own.index.columns());
        let (points, count) = (self.rules.board.points(), columns.count());
        let place = |class: usize, opponent: PointSet| {
            let free = (points - classes.representative(class)).bits();
            class * count + columns.rank(bits.compress(opponent.bits(), free))
        };
        let mut homes = [(0u32, 0u32); AHEAD];
        let mut places = [0; AHEAD];
        let mut first = 0;
        for (sets, best) in self.columns.sets().chunks(AHEAD).zip(best.chunks(AHEAD)) {
            for (home, set) in homes.iter_mut().zip(sets) {
                let found = classes.home(PointSet::from_bits(bits.expand(*set, free)));
                *home = (found.class as u32, found.element as u32);
            }
            for (place_of, (class, element)) in places.iter_mut().zip(&homes[..sets.len()]) {
                *place_of = place(*class as usize, images[*element as usize]);
            }
            for (column, (place, best)) in places.iter().zip(best).enumerate() {
                if codes[*place] != answers[usize::from(*best)] {
                    odd.push((first + column) as u32);
                }
            }
            for (column, (class, element)) in homes[..sets.len()].iter().enumerate() {
                let class = *class as usize;
                if !classes.is_symmetric(class) {
                    continue;
                }
                let (image, answer) =
                    (images[*element as usize], answers[usize::from(best[column])]);
                let others = classes.stabiliser(class).iter().skip(1);
                let mut others =
                    others.map(|element| classes.group().apply(usize::from(*element), image));
                let right = others.all(|opponent| codes[place(class, opponent)] == answer);
                if !right {
                    odd.push((first + column) as u32);
                }
            }
            first += sets.len();
        }
    }

    /// Adds the entries that stand for a position and are not what was derived.
    fn report(
        &self,
        bits: impl Bits,
        class: usize,
        mover: PointSet,
        images: &[PointSet],
        derived: u16,
        wrong: &mut Vec<WrongEntry>,
    ) {
        if !self.is_first(class, mover) {
            return;
        }
        let index = &self.own.index;
        let classes = index.classes();
        let home = classes.home(mover);
        let free = (self.rules.board.points() - classes.representative(home.class)).bits();
        let first = home.class * index.columns().count();
        let before = wrong.len();
        for element in classes.stabiliser(home.class) {
            let opponent = classes.group().apply(usize::from(*element), images[home.element]);
            let entry = first + index.columns().rank(bits.compress(opponent.bits(), free));
            let stored = self.own.codes[entry].decode().and_then(u16::encode).unwrap_or(0);
            let fault = (entry as u64, stored, derived);
            // Two symmetries may lead to the same duplicate.
            if stored != derived && !wrong[before..].contains(&fault) {
                wrong.push(fault);
            }
        }
    }

    /// Whether no symmetry of the opponent's stones takes the mover's to an arrangement that comes
    /// before: of those that are the same position one reports.
    fn is_first(&self, class: usize, mover: PointSet) -> bool {
        let group = self.opponents.group();
        let mut images = self.opponents.stabiliser(class).iter();
        images.all(|element| group.apply(usize::from(*element), mover) >= mover)
    }
}
