//! The exhaustive check, row by row: all positions that share the opponent's stones at once.
//!
//! With the opponent's stones fixed, every quiet turn of the mover leads into one row of the tables
//! (the opponent is then to move, and his stones make the row), and each removable stone to one
//! more. So the symmetries of what is looked up are worked out once a row; what is left for each
//! turn is a rank and a byte. This is the same step that [`super::Check`] makes for one position,
//! and a test holds the two against each other.
//!
//! Beware: an entry of the subspace itself is met through one symmetry of its mover's stones; where
//! these are symmetric all its duplicates are checked with it, so that no entry is left out.

use crate::board::{Group, PointSet};
use crate::rules::{Blocked, FullBoard, MillEffect, Rules};
use crate::space::bits::{Bits, Task};
use crate::space::{Classes, Columns, Index, Space, Subspace, quiet_turns};
use crate::value::{Code, Outcome};
use std::collections::HashMap;
use std::sync::Arc;

/// Decoded codes of a subspace and the index that they are ordered by.
pub(super) struct Decoded {
    pub index: Index,
    pub codes: Vec<u8>,
}

/// Where turns of one kind lead: quiet ones, and those that remove a stone.
struct Leads<'a> {
    quiet: &'a Decoded,
    removal: Removal<'a>,
}

enum Removal<'a> {
    /// Mills remove nothing: closing one is a quiet turn.
    None,
    /// The opponent is left with too few stones.
    Fatal,
    To(&'a Decoded),
}

/// The check of one subspace.
pub(super) struct RowCheck<'a> {
    rules: &'a Rules,
    subspace: Subspace,
    own: &'a Decoded,
    opponents: Arc<Classes>,
    columns: Arc<Columns>,
    placements: Option<Leads<'a>>,
    moves: Option<Leads<'a>>,
    /// For each code of the best position that a turn leads to, what the position is worth: a code
    /// of 16 bits, so that nothing is cut off.
    before: [u16; 256],
    /// For each stored code, the same outcome with 16 bits.
    widened: [u16; 256],
}

/// One row of a table, seen from the stones of the opponent.
#[derive(Clone, Copy)]
struct Landing<'a> {
    row: &'a [u8],
    columns: &'a Columns,
    group: &'a Group,
    element: usize,
    free: u32,
}

impl<'a> Landing<'a> {
    fn new(decoded: &'a Decoded, points: PointSet, stones: PointSet) -> Landing<'a> {
        let classes = decoded.index.classes();
        let home = classes.home(stones);
        let columns = &**decoded.index.columns();
        let first = home.class * columns.count();
        Landing {
            row: &decoded.codes[first..first + columns.count()],
            columns,
            group: classes.group(),
            element: home.element,
            free: (points - classes.representative(home.class)).bits(),
        }
    }

    #[inline(always)]
    fn code(&self, bits: impl Bits, stones: PointSet) -> u8 {
        let moved = if self.element == 0 { stones } else { self.group.apply(self.element, stones) };
        self.row[self.columns.rank(bits.compress(moved.bits(), self.free))]
    }
}

/// The rows that turns of one kind lead into.
struct Landings<'a> {
    quiet: Landing<'a>,
    /// One for each stone that may be removed.
    removals: Vec<Landing<'a>>,
    fatal: bool,
}

/// An entry that does not follow: its number, what is stored and what was derived, with 16 bits.
pub(super) type WrongEntry = (u64, u16, u16);

impl<'a> RowCheck<'a> {
    /// Prepares the check of `subspace`; `decoded` holds it and all that its turns lead to.
    pub fn new(
        space: &'a Space,
        subspace: Subspace,
        decoded: &'a HashMap<Subspace, Decoded>,
    ) -> RowCheck<'a> {
        let rules = space.rules();
        let s = subspace;
        let (mover, opponent) = (usize::from(s.mover), usize::from(s.opponent));
        let points = rules.board.len();
        let full = mover + opponent == points;
        let leads = |mover: u8, hand: u8| Leads {
            quiet: &decoded[&Subspace::new(s.opponent, mover, s.opponent_hand, hand)],
            removal: match rules.mill == MillEffect::Remove && s.opponent > 0 {
                false => Removal::None,
                true if rules.too_few(s.opponent_total() - 1) => Removal::Fatal,
                true => Removal::To(
                    &decoded[&Subspace::new(s.opponent - 1, mover, s.opponent_hand, hand)],
                ),
            },
        };
        let wide = |outcome: Option<Outcome>| outcome.and_then(u16::encode).unwrap_or(0);
        let decoded_as = |code: usize| (code as u8).decode();
        RowCheck {
            rules,
            subspace,
            own: &decoded[&subspace],
            opponents: space.classes(opponent, space.by_mills(subspace)),
            columns: space.columns(points - opponent, mover),
            placements: (s.mover_hand > 0 && !full).then(|| leads(s.mover + 1, s.mover_hand - 1)),
            moves: quiet_turns(rules, s).then(|| leads(s.mover, s.mover_hand)),
            before: std::array::from_fn(|code| wide(decoded_as(code).map(Outcome::before))),
            widened: std::array::from_fn(|code| wide(decoded_as(code))),
        }
    }

    /// How many rows there are, and how many positions each has.
    pub fn size(&self) -> (usize, usize) {
        (self.opponents.len(), self.columns.count())
    }

    fn landings<'l>(&self, leads: &'l Leads<'a>, stones: PointSet) -> Landings<'l> {
        let points = self.rules.board.points();
        let removals = match &leads.removal {
            Removal::To(decoded) => {
                let taken = self.rules.removable(stones).iter();
                taken.map(|p| Landing::new(decoded, points, stones.without(p))).collect()
            }
            _ => Vec::new(),
        };
        Landings {
            quiet: Landing::new(leads.quiet, points, stones),
            removals,
            fatal: matches!(leads.removal, Removal::Fatal),
        }
    }
}

impl Landings<'_> {
    /// The best code after a turn that brought a stone to `to`.
    #[inline(always)]
    fn best(
        &self,
        rules: &Rules,
        bits: impl Bits,
        stones: PointSet,
        to: crate::board::Point,
    ) -> u8 {
        if (self.fatal || !self.removals.is_empty()) && rules.board.closes(stones, to) {
            let codes = self.removals.iter().map(|landing| landing.code(bits, stones));
            return if self.fatal { u8::LOST } else { codes.fold(0, u8::max) };
        }
        self.quiet.code(bits, stones)
    }
}

/// The check of one row.
pub(super) struct OneRow<'c, 'a> {
    pub check: &'c RowCheck<'a>,
    /// The class of the opponent's stones.
    pub class: usize,
    pub wrong: &'c mut Vec<WrongEntry>,
}

impl Task for OneRow<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(self, bits: impl Bits) {
        let OneRow { check, class, wrong } = self;
        let rules = check.rules;
        let board = &*rules.board;
        let stones = check.opponents.representative(class);
        let free = board.points() - stones;
        let placements = check.placements.as_ref().map(|leads| check.landings(leads, stones));
        let moves = check.moves.as_ref().map(|leads| check.landings(leads, stones));
        let flies = rules.flies(check.subspace.mover_total());
        let faces_mill = rules.mill == MillEffect::Wins && !board.in_mills(stones).is_empty();
        let images: Vec<PointSet> = {
            let group = check.own.index.classes().group();
            (0..group.order()).map(|element| group.apply(element, stones)).collect()
        };
        for column in check.columns.sets() {
            let mover = PointSet::from_bits(bits.expand(*column, free.bits()));
            let empty = free - mover;
            let mut best = 0;
            if let Some(landings) = &placements {
                for to in empty {
                    best = best.max(landings.best(rules, bits, mover.with(to), to));
                }
            }
            if let Some(landings) = &moves {
                for from in mover {
                    let reach = if flies { empty } else { board.neighbours(from) & empty };
                    let left = mover.without(from);
                    for to in reach {
                        best = best.max(landings.best(rules, bits, left.with(to), to));
                    }
                }
            }
            let derived = if faces_mill {
                u16::LOST
            } else if empty.is_empty() {
                code_of(rules.full_board == FullBoard::Draw)
            } else if best == 0 {
                code_of(rules.blocked == Blocked::Draw)
            } else {
                check.before[best as usize]
            };
            check.compare(bits, class, mover, &images, derived, wrong);
        }
    }
}

fn code_of(draw: bool) -> u16 {
    if draw { u16::DRAW } else { u16::LOST }
}

impl RowCheck<'_> {
    /// Whether no symmetry of the opponent's stones takes the mover's to an arrangement that comes
    /// before: of those that are the same position one reports.
    fn is_first(&self, class: usize, mover: PointSet) -> bool {
        let group = self.opponents.group();
        let mut images = self.opponents.stabiliser(class).iter();
        images.all(|element| group.apply(usize::from(*element), mover) >= mover)
    }

    /// Holds every entry that stands for the position against what was derived. `images` are those
    /// of the opponent's stones under each symmetry.
    #[inline(always)]
    fn compare(
        &self,
        bits: impl Bits,
        class: usize,
        mover: PointSet,
        images: &[PointSet],
        derived: u16,
        wrong: &mut Vec<WrongEntry>,
    ) {
        let index = &self.own.index;
        let classes = index.classes();
        let home = classes.home(mover);
        let free = (self.rules.board.points() - classes.representative(home.class)).bits();
        let first = home.class * index.columns().count();
        let before = wrong.len();
        let mut hold = |opponent: PointSet| {
            let entry = first + index.columns().rank(bits.compress(opponent.bits(), free));
            let stored = self.widened[usize::from(self.own.codes[entry])];
            if stored != derived && self.is_first(class, mover) {
                let fault = (entry as u64, stored, derived);
                // Two symmetries may lead to the same duplicate.
                if !wrong[before..].contains(&fault) {
                    wrong.push(fault);
                }
            }
        };
        hold(images[home.element]);
        if classes.is_symmetric(home.class) {
            for element in classes.stabiliser(home.class).iter().skip(1) {
                hold(classes.group().apply(usize::from(*element), images[home.element]));
            }
        }
    }
}
