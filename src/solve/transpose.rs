//! From the working to the finished layout: the only place of the solver where symmetry is met.

use super::width::Width;
use crate::board::PointSet;
use crate::space::bits::Bits;
use crate::space::{Classes, Columns, Index};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Writes decided entries of one subspace to their finished places.
pub(super) struct Transpose<'a, C: Width> {
    index: &'a Index,
    /// The columns of the working layout: the mover's stones.
    columns: Arc<Columns>,
    points: PointSet,
    codes: &'a [C::Shared],
    /// Finished rows that were written to.
    touched: &'a [AtomicBool],
}

impl<'a, C: Width> Transpose<'a, C> {
    pub fn new(
        index: &'a Index,
        columns: Arc<Columns>,
        points: PointSet,
        codes: &'a [C::Shared],
        touched: &'a [AtomicBool],
    ) -> Self {
        Transpose { index, columns, points, codes, touched }
    }

    /// Writes `code` to the finished places of the `decided` columns of the working row whose
    /// stones are the opponent's `opponent`. `images` is room for the images of those stones.
    #[inline(always)]
    pub fn row(
        &self,
        bits: impl Bits,
        opponent: PointSet,
        decided: &[u32],
        code: C,
        images: &mut Vec<PointSet>,
    ) {
        self.images(opponent, images);
        for column in decided {
            let class = self.entry(bits, opponent, *column as usize, code, images);
            self.touched[class].store(true, Relaxed);
        }
    }

    /// The images of the opponent's stones under every symmetry.
    #[inline(always)]
    pub fn images(&self, opponent: PointSet, images: &mut Vec<PointSet>) {
        let group = self.index.classes().group();
        images.clear();
        images.extend((0..group.order()).map(|element| group.apply(element, opponent)));
    }

    /// Writes the code of one column; says which finished row it went to.
    #[inline(always)]
    pub fn entry(
        &self,
        bits: impl Bits,
        opponent: PointSet,
        column: usize,
        code: C,
        images: &[PointSet],
    ) -> usize {
        let classes: &Classes = self.index.classes();
        let free = (self.points - opponent).bits();
        let mover = PointSet::from_bits(bits.expand(self.columns.sets()[column], free));
        let home = classes.home(mover);
        let image = images[home.element];
        self.write(bits, home.class, image, code);
        // A symmetric row holds the position once for each image under its symmetries.
        if classes.is_symmetric(home.class) {
            for element in classes.stabiliser(home.class).iter().skip(1) {
                let image = classes.group().apply(usize::from(*element), image);
                self.write(bits, home.class, image, code);
            }
        }
        home.class
    }

    #[inline(always)]
    fn write(&self, bits: impl Bits, class: usize, opponent: PointSet, code: C) {
        let finished = self.index.columns();
        let free = (self.points - self.index.classes().representative(class)).bits();
        let column = finished.rank(bits.compress(opponent.bits(), free));
        C::store(&self.codes[class * finished.count() + column], code);
    }
}
