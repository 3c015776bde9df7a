//! The exhaustive check, row by row: all positions that share the opponent's stones at once.
//!
//! With the opponent's stones fixed, every quiet turn of the mover leads into one row of the tables
//! (the opponent is then to move, and his stones make the row), and each removable stone to one
//! more. The codes after the turns of one kind are handed to the columns before them a whole row at
//! a time ([`Way`]), and what the best of them makes of each position is held against every entry
//! that stands for it. This is the same step that `entries` makes for one position, and a
//! test holds the two against each other.
//!
//! Beware: an entry of the subspace itself is met through one symmetry of its mover's stones; where
//! these are symmetric all its duplicates are checked with it, so that no entry is left out.

use super::ground::Ground;
use super::landing::{Removals, quiet_row};
use super::planes::Decoded;
use super::vector::{Turns, Way};
use crate::board::PointSet;
use crate::rules::{Blocked, FullBoard, MillEffect, Rules};
use crate::space::bits::{Bits, Task};
use crate::space::{Classes, Columns, Space, Subspace, quiet_turns};
use crate::value::{Code, Outcome};
use std::collections::HashMap;
use std::sync::Arc;

/// Where turns of one kind, placements or moves, lead.
struct Leads<'a> {
    /// The mover's stones after the turn.
    columns: Arc<Columns>,
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

/// What a position is worth for each code of the best position that its turns lead to.
pub(super) struct Answers {
    /// As it is stored; 0, which no entry stores, where it does not fit.
    pub stored: [u8; 256],
    /// With 16 bits, so that nothing is cut off.
    pub wide: [u16; 256],
}

impl Answers {
    fn new(answer: impl Fn(u8) -> Outcome) -> Answers {
        let answer = |code: usize| answer(code as u8);
        Answers {
            stored: std::array::from_fn(|code| u8::encode(answer(code)).unwrap_or(0)),
            wide: std::array::from_fn(|code| u16::encode(answer(code)).unwrap_or(0)),
        }
    }

    fn of_turns(rules: &Rules) -> Answers {
        let stuck = if rules.blocked == Blocked::Draw { Outcome::Draw } else { Outcome::LOST };
        Answers::new(|code| code.decode().map_or(stuck, Outcome::before))
    }
}

/// The check of one subspace.
pub(super) struct RowCheck<'a> {
    pub(super) rules: &'a Rules,
    pub(super) own: &'a Decoded,
    pub(super) opponents: Arc<Classes>,
    pub(super) columns: Arc<Columns>,
    placements: Option<Leads<'a>>,
    moves: Option<Leads<'a>>,
    flies: bool,
    way: Way,
    /// Where the board is full.
    full: Option<Answers>,
    faces_mill: Answers,
    usual: Answers,
}

/// An entry that does not follow: its number, what is stored and what was derived, with 16 bits.
pub(super) type WrongEntry = (u64, u16, u16);

impl<'a> RowCheck<'a> {
    /// Prepares the check of `subspace`; `decoded` holds it and all that its turns lead to.
    pub fn new(
        space: &'a Space,
        subspace: Subspace,
        decoded: &'a HashMap<Subspace, Decoded>,
        way: Way,
    ) -> RowCheck<'a> {
        let rules = space.rules();
        let s = subspace;
        let (mover, opponent) = (usize::from(s.mover), usize::from(s.opponent));
        let points = rules.board.len();
        let full = mover + opponent == points;
        let leads = |mover: u8, hand: u8| Leads {
            columns: space.columns(points - opponent, usize::from(mover)),
            quiet: &decoded[&Subspace::new(s.opponent, mover, s.opponent_hand, hand)],
            removal: match rules.mill == MillEffect::Remove && s.opponent > 0 {
                false => Removal::None,
                true if rules.too_few(s.opponent_total() - 1) => Removal::Fatal,
                true => Removal::To(
                    &decoded[&Subspace::new(s.opponent - 1, mover, s.opponent_hand, hand)],
                ),
            },
        };
        let draws = rules.full_board == FullBoard::Draw;
        let filled = if draws { Outcome::Draw } else { Outcome::LOST };
        RowCheck {
            rules,
            own: &decoded[&subspace],
            opponents: space.classes(opponent, space.by_mills(subspace)),
            columns: space.columns(points - opponent, mover),
            placements: (s.mover_hand > 0 && !full).then(|| leads(s.mover + 1, s.mover_hand - 1)),
            moves: quiet_turns(rules, s).then(|| leads(s.mover, s.mover_hand)),
            flies: rules.flies(s.mover_total()),
            way,
            full: full.then(|| Answers::new(|_| filled)),
            faces_mill: Answers::new(|_| Outcome::LOST),
            usual: Answers::of_turns(rules),
        }
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.opponents.len()
    }
}

/// Room that a thread uses again for row after row.
#[derive(Default)]
pub(super) struct Room {
    /// For each column the best code that its turns lead to; 0 for no turn.
    pub best: Vec<u8>,
    quiet: Vec<u8>,
    removals: Removals,
    closing: Vec<u64>,
    after: Vec<u64>,
    before: Vec<u64>,
    between: Vec<u8>,
    /// Columns some entry of which does not follow.
    pub odd: Vec<u32>,
}

/// The check of one row.
pub(super) struct OneRow<'c, 'a> {
    pub check: &'c RowCheck<'a>,
    /// The class of the opponent's stones.
    pub class: usize,
    pub room: &'c mut Room,
    pub wrong: &'c mut Vec<WrongEntry>,
}

impl Task for OneRow<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(self, bits: impl Bits) {
        let OneRow { check, class, room, wrong } = self;
        let stones = check.opponents.representative(class);
        room.best.clear();
        room.best.resize(check.columns.count(), 0);
        let faces_mill =
            check.rules.mill == MillEffect::Wins && !check.rules.board.in_mills(stones).is_empty();
        let answers = match &check.full {
            _ if faces_mill => &check.faces_mill,
            Some(answers) => answers,
            None => {
                let ground = Ground::new(check.rules, stones, check.flies);
                if let Some(leads) = &check.placements {
                    check.turns(leads, stones, &ground, room, Kind::Placements);
                }
                if let Some(leads) = &check.moves {
                    check.turns(leads, stones, &ground, room, Kind::Moves);
                }
                &check.usual
            }
        };
        check.compare(bits, class, answers, room, wrong);
    }
}

/// A kind of turns.
#[derive(Clone, Copy)]
enum Kind {
    Placements,
    Moves,
}

impl RowCheck<'_> {
    /// Raises the best of each column to what the turns of one kind lead to.
    #[inline(always)]
    fn turns(
        &self,
        leads: &Leads<'_>,
        stones: PointSet,
        ground: &Ground,
        room: &mut Room,
        kind: Kind,
    ) {
        let mut mapped = std::mem::take(&mut room.quiet);
        let quiet = quiet_row(leads.quiet, &leads.columns, stones, ground, &mut mapped);
        let closed = match &leads.removal {
            Removal::None => quiet,
            Removal::Fatal => room.removals.all(leads.columns.count(), u8::LOST),
            Removal::To(decoded) => {
                let left = self.rules.removable(stones).iter().map(|p| stones.without(p));
                room.removals.best(decoded, &leads.columns, left, ground)
            }
        };
        let Room { best, closing, after, before, between, .. } = room;
        for to in 0..ground.free {
            closing.clear();
            if !matches!(leads.removal, Removal::None) {
                completed(&leads.columns, ground, to, closing);
            }
            let mut raise = |after: &[u64], before: &[u64]| {
                let turns = Turns { quiet, closed, closing, after, before };
                self.way.raise(&turns, best, between);
            };
            match kind {
                Kind::Placements => {
                    without(&self.columns, to, before);
                    raise(plane(&leads.columns, to), before);
                }
                Kind::Moves => {
                    for [low, high] in ground.roads.iter().filter(|road| road.contains(&to)) {
                        let from = if *low == to { *high } else { *low };
                        parted(&leads.columns, to, from, after);
                        parted(&self.columns, from, to, before);
                        raise(after, before);
                    }
                }
            }
        }
        room.quiet = mapped;
    }
}

/// Which columns hold a point.
fn plane(columns: &Columns, point: usize) -> &[u64] {
    &columns.planes()[point * columns.words()..][..columns.words()]
}

/// Which columns do not hold a point.
fn without(columns: &Columns, point: usize, mask: &mut Vec<u64>) {
    mask.clear();
    mask.extend(plane(columns, point).iter().map(|word| !word));
    for (number, word) in mask.iter_mut().enumerate().skip(columns.count() / 64) {
        let inside = columns.count().saturating_sub(number * 64);
        *word &= if inside >= 64 { !0 } else { (1 << inside) - 1 };
    }
}

/// Which columns hold one point and not the other.
#[inline(always)]
fn parted(columns: &Columns, with: usize, without: usize, mask: &mut Vec<u64>) {
    let pairs = plane(columns, with).iter().zip(plane(columns, without));
    mask.clear();
    mask.extend(pairs.map(|(with, without)| with & !without));
}

/// In which columns the stone on `to` stands in a mill; nothing where it never does.
#[inline(always)]
fn completed(columns: &Columns, ground: &Ground, to: usize, mask: &mut Vec<u64>) {
    for mill in ground.mills.iter().filter(|mill| mill.contains(&to)) {
        mask.resize(columns.words(), 0);
        let [a, b, c] = mill.map(|point| plane(columns, point));
        for (word, mask) in mask.iter_mut().enumerate() {
            *mask |= a[word] & b[word] & c[word];
        }
    }
}
