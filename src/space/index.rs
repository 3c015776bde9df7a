//! Entry to position and back, in constant time.

use super::bits::{compress, expand};
use super::{Classes, Columns, Subspace};
use crate::board::{Group, PointSet};
use crate::rules::{Flying, Position, Rules};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// The number of the index scheme that this module implements.
pub const SCHEME: u16 = 1;

/// The tables that the indices of one rule set share, built when first asked for.
#[derive(Debug)]
pub struct Space {
    rules: Rules,
    classes: Mutex<HashMap<(bool, usize), Arc<Classes>>>,
    columns: Mutex<HashMap<(usize, usize), Arc<Columns>>>,
}

impl Space {
    /// An empty set of tables for `rules`.
    pub fn new(rules: Rules) -> Space {
        Space { rules, classes: Mutex::default(), columns: Mutex::default() }
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The classes of sets of `stones` stones; `by_mills`: under the larger group that keeps mills
    /// only.
    pub fn classes(&self, stones: usize, by_mills: bool) -> Arc<Classes> {
        let mut held = self.classes.lock().expect("no thread panics while it holds the tables");
        let build = || {
            let board = &self.rules.board;
            let group = if by_mills { board.mills_group() } else { board.group() };
            Arc::new(Classes::new(group, board.len(), stones))
        };
        held.entry((by_mills, stones)).or_insert_with(build).clone()
    }

    /// The sets of `stones` out of `free` points.
    pub fn columns(&self, free: usize, stones: usize) -> Arc<Columns> {
        let mut held = self.columns.lock().expect("no thread panics while it holds the tables");
        held.entry((free, stones)).or_insert_with(|| Arc::new(Columns::new(free, stones))).clone()
    }

    /// Whether adjacency no longer matters in `subspace` nor in any that its turns lead to, so that
    /// the larger group of the mills holds: both players fly now and ever after.
    pub fn by_mills(&self, subspace: Subspace) -> bool {
        match self.rules.flying {
            Flying::Never => false,
            Flying::AtThree => subspace.mover_total() == 3 && subspace.opponent_total() == 3,
            Flying::Always => true,
        }
    }

    /// The group under which the entries of `subspace` are classes.
    pub fn group(&self, subspace: Subspace) -> &Group {
        let board = &self.rules.board;
        if self.by_mills(subspace) { board.mills_group() } else { board.group() }
    }

    /// The index of a subspace.
    pub fn index(&self, subspace: Subspace) -> Index {
        let (mover, opponent) = (usize::from(subspace.mover), usize::from(subspace.opponent));
        let points = self.rules.board.len();
        Index {
            subspace,
            points: PointSet::first(points),
            classes: self.classes(mover, self.by_mills(subspace)),
            columns: self.columns(points - mover, opponent),
        }
    }
}

/// Numbers the positions of one subspace: entry = row x columns + column.
#[derive(Clone, Debug)]
pub struct Index {
    subspace: Subspace,
    points: PointSet,
    classes: Arc<Classes>,
    columns: Arc<Columns>,
}

impl Index {
    /// The subspace that is numbered.
    pub fn subspace(&self) -> Subspace {
        self.subspace
    }

    /// The rows: classes of the mover's stones.
    pub fn classes(&self) -> &Arc<Classes> {
        &self.classes
    }

    /// The columns: the opponent's stones among the free points of the representative.
    pub fn columns(&self) -> &Arc<Columns> {
        &self.columns
    }

    /// How many entries there are.
    pub fn entries(&self) -> u64 {
        self.classes.len() as u64 * self.columns.count() as u64
    }

    /// An entry of a position of the subspace. Where the mover's stones are symmetric several
    /// entries are the same position; this is one of them, see [`home`](Self::home).
    #[inline]
    pub fn entry(&self, position: &Position) -> u64 {
        debug_assert_eq!(Subspace::of(position), self.subspace);
        let home = self.classes.home(position.mover);
        let opponent = self.classes.group().apply(home.element, position.opponent);
        self.join(home.class, opponent)
    }

    /// The home of a position: the lowest of the entries that stand for it.
    pub fn home(&self, position: &Position) -> u64 {
        let home = self.classes.home(position.mover);
        let group = self.classes.group();
        let opponent = group.apply(home.element, position.opponent);
        let images = self.classes.stabiliser(home.class).iter();
        let entries = images.map(|s| self.join(home.class, group.apply(usize::from(*s), opponent)));
        entries.min().expect("a stabiliser holds the identity")
    }

    /// The position of an entry; `None` where the entry is a symmetric duplicate of a lower one.
    pub fn position(&self, entry: u64) -> Option<Position> {
        let position = self.arrangement(entry);
        (self.home(&position) == entry).then_some(position)
    }

    /// The arrangement that an entry stands for, be it its position's home or a duplicate.
    pub fn arrangement(&self, entry: u64) -> Position {
        let columns = self.columns.count() as u64;
        let mover = self.classes.representative((entry / columns) as usize);
        let column = self.columns.sets()[(entry % columns) as usize];
        let opponent = PointSet::from_bits(expand(column, (self.points - mover).bits()));
        Position {
            mover,
            opponent,
            mover_hand: self.subspace.mover_hand,
            opponent_hand: self.subspace.opponent_hand,
        }
    }

    #[inline]
    fn join(&self, class: usize, opponent: PointSet) -> u64 {
        let free = self.points - self.classes.representative(class);
        let column = self.columns.rank(compress(opponent.bits(), free.bits()));
        class as u64 * self.columns.count() as u64 + column as u64
    }
}
