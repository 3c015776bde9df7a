//! Solves whole subspaces by going round and round, forwards only.
//!
//! Why: round d decides exactly the positions of depth d from their successors
//! of depth below d, which is the definition of the value written as a loop.
//! No predecessor is ever made, no two positions are ever taken for the same.
//! Successors are generated once and kept as numbers, and those that can no
//! longer matter are dropped, else the rounds would take minutes.
//! Beware: `value`, `iter` and `counts` want their subspace solved before. The
//! memory is about 4 bytes per legal turn inside the largest pair of subspaces
//! (rings3 3-3: 0.6 GB), and a board of 24 points costs 130 MB for the masks.

use super::rules::{BrutePos, BruteRules, MillEffect, Placing, Terminal};
use std::collections::HashMap;

/// (mover's stones, opponent's stones, mover's hand, opponent's hand)
pub type Sub = [u8; 4];

/// (total, wins, draws, losses, deepest win, deepest loss), over boards.
pub type Counts = (u64, u64, u64, u64, Option<u16>, Option<u16>);

const DRAW: u16 = u16::MAX;

pub fn twin([mover, opponent, mover_hand, opponent_hand]: Sub) -> Sub {
    [opponent, mover, opponent_hand, mover_hand]
}

/// All arrangements of one subspace, the mover's set in numerical order, and
/// for each of them the opponent's set on the points left, in the same order.
struct Table {
    /// Arrangements of the opponent's stones for one set of the mover's.
    row: usize,
    values: Vec<u16>,
}

/// A position without a value yet, and what is known of its successors.
struct Open {
    at: usize,
    /// Its undecided successors in the group: `inside[start..start + len]`.
    start: usize,
    len: usize,
    /// From subspaces solved before: least loss, greatest win, any draw.
    loss: Option<u16>,
    win: Option<u16>,
    draw: bool,
}

pub struct Oracle {
    pub rules: BruteRules,
    /// All sets of points by their number of stones, in numerical order.
    sets: Vec<Vec<u32>>,
    /// The place of each set among those.
    place: Vec<u32>,
    tables: HashMap<Sub, Table>,
}

impl Oracle {
    pub fn new(rules: BruteRules) -> Oracle {
        assert!(rules.points <= 24, "at most 24 points");
        let mut sets = vec![Vec::new(); rules.points + 1];
        let mut place = Vec::with_capacity(1 << rules.points);
        for set in 0..1u32 << rules.points {
            let same = &mut sets[set.count_ones() as usize];
            place.push(same.len() as u32);
            same.push(set);
        }
        Oracle { rules, sets, place, tables: HashMap::new() }
    }

    /// The subspaces reached from the empty board by counting alone, sorted.
    pub fn subspaces(&self) -> Vec<Sub> {
        let start = [0, 0, self.rules.men[0], self.rules.men[1]];
        let mut seen = vec![start];
        let mut next = 0;
        while next < seen.len() {
            for sub in self.counting(seen[next]) {
                if !seen.contains(&sub) {
                    seen.push(sub);
                }
            }
            next += 1;
        }
        seen.sort_unstable();
        seen
    }

    /// Where one turn may lead by counting alone, without asking whether a mill
    /// is possible with so few stones.
    pub fn counting(&self, [mine, theirs, hand, their_hand]: Sub) -> Vec<Sub> {
        let room = usize::from(mine + theirs) < self.rules.points;
        let mut after = Vec::new();
        if hand > 0 && room {
            after.push((mine + 1, hand - 1));
        }
        // A move needs a stone on the board; lasker would have 3,600 subspaces else.
        if mine > 0 && room && (hand == 0 || self.rules.placing == Placing::Free) {
            after.push((mine, hand));
        }
        let mut out = Vec::new();
        for (mine, hand) in after {
            out.push([theirs, mine, their_hand, hand]);
            let keeps_three = theirs + their_hand > 3;
            if self.rules.mill == MillEffect::Remove && theirs > 0 && keeps_three {
                out.push([theirs - 1, mine, their_hand, hand]);
            }
        }
        out
    }

    /// Solves a subspace and all that it depends on, unless that is done.
    pub fn solve(&mut self, sub: Sub) {
        if self.tables.contains_key(&sub) {
            return;
        }
        // Moves without a removal go back and forth between twins, and nothing
        // else goes in a circle: stones never come back to a hand or the board.
        let other = twin(sub);
        let circle = self.counting(sub).contains(&other) && self.counting(other).contains(&sub);
        let group = if circle && other != sub { vec![sub, other] } else { vec![sub] };
        for member in &group {
            for need in self.counting(*member) {
                if !group.contains(&need) {
                    self.solve(need);
                }
            }
        }
        self.solve_group(&group);
    }

    fn solve_group(&mut self, group: &[Sub]) {
        let rows: Vec<usize> = group.iter().map(|s| self.row(*s)).collect();
        let sizes: Vec<usize> =
            (0..group.len()).map(|i| self.sets[usize::from(group[i][0])].len() * rows[i]).collect();
        // One numbering for the group: the twin's positions follow the first's.
        let mut values = vec![DRAW; sizes.iter().sum()];
        assert!(values.len() < u32::MAX as usize);
        let mut inside: Vec<u32> = Vec::new();
        let mut open: Vec<Open> = Vec::new();
        for (member, sub) in group.iter().enumerate() {
            let base = member * sizes[0];
            for (i, p) in self.boards(*sub).enumerate() {
                match self.rules.outcome(p) {
                    Err(Terminal::Lost) => values[base + i] = 0,
                    Err(Terminal::Drawn) => {}
                    Ok(turns) => {
                        let start = inside.len();
                        let at = base + i;
                        let mut o = Open { at, start, len: 0, loss: None, win: None, draw: false };
                        for next in turns {
                            if let Some(m) = group.iter().position(|s| *s == next.sub()) {
                                let number = m * sizes[0] + self.number(next, rows[m]);
                                inside.push(number as u32);
                                continue;
                            }
                            match self.value(next) {
                                None => o.draw = true,
                                Some(d) if d % 2 == 0 => {
                                    o.loss = Some(o.loss.map_or(d, |least| least.min(d)));
                                }
                                Some(d) => o.win = Some(o.win.map_or(d, |most| most.max(d))),
                            }
                        }
                        o.len = inside.len() - start;
                        open.push(o);
                    }
                }
            }
        }
        rounds(&mut values, &mut inside, open);
        let mut rest = values;
        for (member, sub) in group.iter().enumerate() {
            let tail = rest.split_off(sizes[member]);
            self.tables.insert(*sub, Table { row: rows[member], values: rest });
            rest = tail;
        }
    }

    /// None is a draw; an odd depth a win, an even one a loss, for the mover.
    pub fn value(&self, p: BrutePos) -> Option<u16> {
        let sub = p.sub();
        if self.rules.mill == MillEffect::Remove {
            // Such a position is lost without a table.
            if sub[0] + sub[2] < 3 {
                return Some(0);
            }
            assert!(sub[1] + sub[3] >= 3, "cannot arise: {p:?}");
        }
        let table = self.table(sub);
        let v = table.values[self.number(p, table.row)];
        (v != DRAW).then_some(v)
    }

    /// Every arrangement of a solved subspace with its value.
    pub fn iter(&self, sub: Sub) -> impl Iterator<Item = (BrutePos, Option<u16>)> + '_ {
        let values = self.table(sub).values.iter();
        self.boards(sub).zip(values.map(|v| (*v != DRAW).then_some(*v)))
    }

    pub fn counts(&self, sub: Sub) -> Counts {
        let mut c: Counts = (0, 0, 0, 0, None, None);
        for (_, value) in self.iter(sub) {
            c.0 += 1;
            match value {
                None => c.2 += 1,
                Some(d) if d % 2 == 1 => {
                    c.1 += 1;
                    c.4 = c.4.max(Some(d));
                }
                Some(d) => {
                    c.3 += 1;
                    c.5 = c.5.max(Some(d));
                }
            }
        }
        c
    }

    /// Every arrangement of a subspace, in the order of its table.
    pub fn boards(&self, sub: Sub) -> impl Iterator<Item = BrutePos> + '_ {
        let [mine, theirs, mover_hand, opponent_hand] = sub;
        let opponents = &self.sets[usize::from(theirs)][..self.row(sub)];
        self.sets[usize::from(mine)].iter().flat_map(move |&mover| {
            opponents.iter().map(move |&packed| {
                let opponent = unpack(packed, mover);
                BrutePos { mover, opponent, mover_hand, opponent_hand }
            })
        })
    }

    fn table(&self, sub: Sub) -> &Table {
        self.tables.get(&sub).unwrap_or_else(|| panic!("subspace {sub:?} is not solved"))
    }

    /// Sets in numerical order: those on the first points come first.
    fn row(&self, sub: Sub) -> usize {
        let free = self.rules.points - usize::from(sub[0]);
        self.sets[usize::from(sub[1])].partition_point(|set| *set < 1 << free)
    }

    fn number(&self, p: BrutePos, row: usize) -> usize {
        let opponent = pack(p.opponent, p.mover);
        self.place[p.mover as usize] as usize * row + self.place[opponent as usize] as usize
    }
}

/// Round d = 1, 2, 3, ... gives their values to the positions of depth d.
fn rounds(values: &mut [u16], inside: &mut [u32], mut open: Vec<Open>) {
    let last_outside = open.iter().flat_map(|o| [o.loss, o.win]).flatten().max();
    for d in 1..DRAW {
        let before = open.len();
        open.retain_mut(|o| {
            let list = &mut inside[o.start..o.start + o.len];
            let mut wins = o.loss.is_some_and(|loss| loss < d);
            o.len = 0;
            for i in 0..list.len() {
                let v = values[list[i] as usize];
                if v >= d {
                    // Undecided before this round.
                    list[o.len] = list[i];
                    o.len += 1;
                } else if v.is_multiple_of(2) {
                    wins = true;
                }
            }
            let all_are_wins =
                o.len == 0 && !o.draw && o.loss.is_none() && o.win.is_none_or(|win| win < d);
            if wins || all_are_wins {
                // Won at odd depths, lost at even ones; else a round was missed.
                assert_eq!(d % 2 == 1, wins);
                values[o.at] = d;
            }
            !wins && !all_are_wins
        });
        // Round d + 1 lives on values of depth d.
        if open.len() == before && last_outside.is_none_or(|last| last < d) {
            return;
        }
    }
    panic!("depths do not fit");
}

/// The set `stones` as seen when the points of `taken` are cut out.
fn pack(mut stones: u32, mut taken: u32) -> u32 {
    while taken != 0 {
        // From the top, so that the points still to be cut stay in their place.
        let below = (1 << (31 - taken.leading_zeros())) - 1;
        stones = (stones & below) | (stones >> 1 & !below);
        taken &= below;
    }
    stones
}

/// The reverse: the points of `taken` are put back in, empty.
fn unpack(mut stones: u32, mut taken: u32) -> u32 {
    while taken != 0 {
        let below = (1 << taken.trailing_zeros()) - 1;
        stones = (stones & below) | (stones & !below) << 1;
        taken &= taken - 1;
    }
    stones
}
