//! What the opponent's stones leave: the free points, the roads and the mills among them, and where
//! the free points of one row lie in another.
//!
//! Free points are numbered anew from 0 by rising point; a column is a set of them.

use crate::board::{Group, PointSet};
use crate::rules::Rules;

/// The free points of a row and what joins them.
#[derive(Debug)]
pub(super) struct Ground {
    /// The free points.
    pub points: PointSet,
    /// How many they are.
    pub free: usize,
    /// Pairs of free points between which a stone may move when the other one is empty, the lower
    /// one first.
    pub roads: Vec<[usize; 2]>,
    /// The mills that consist of free points.
    pub mills: Vec<[usize; 3]>,
}

impl Ground {
    /// What `stones` leave to a player who moves along lines, or anywhere where he `flies`.
    pub fn new(rules: &Rules, stones: PointSet, flies: bool) -> Ground {
        let board = &rules.board;
        let points = board.points() - stones;
        let place = |point| points.iter().position(|free| free == point).expect("it is free");
        let mut roads = Vec::new();
        for (low, from) in points.iter().enumerate() {
            let reach = if flies { points } else { board.neighbours(from) & points };
            let beyond = reach.iter().map(place).filter(|high| *high > low);
            roads.extend(beyond.map(|high| [low, high]));
        }
        let within = board.mills().iter().filter(|mill| points.contains_all(**mill));
        let mills = within.map(|mill| {
            let mut three = mill.iter().map(place);
            std::array::from_fn(|_| three.next().expect("a mill has three points"))
        });
        Ground { points, free: points.len(), roads, mills: mills.collect() }
    }
}

/// Takes sets of free points of one row to those of another, a symmetry in between: two small
/// tables, each for half of the points.
#[derive(Debug)]
pub(super) struct Carry {
    split: usize,
    low: Vec<u32>,
    high: Vec<u32>,
}

impl Carry {
    /// From the free points of `from` by `element` to those of `to`. A point that is not free there
    /// goes nowhere: no set that is carried may hold it.
    pub fn new(group: &Group, element: usize, from: PointSet, to: PointSet) -> Carry {
        let targets: Vec<u32> = from
            .iter()
            .map(|point| {
                let image = group.apply_point(element, point).number();
                (to.bits() >> image & 1) << (to.bits() & ((1 << image) - 1)).count_ones()
            })
            .collect();
        let split = targets.len() / 2;
        Carry { split, low: sums(&targets[..split]), high: sums(&targets[split..]) }
    }

    /// The image of a set.
    #[inline(always)]
    pub fn apply(&self, set: u32) -> u32 {
        let low = set as usize & (self.low.len() - 1);
        self.low[low] | self.high[(set >> self.split) as usize & (self.high.len() - 1)]
    }
}

/// For each set of the points, their targets together.
fn sums(targets: &[u32]) -> Vec<u32> {
    let mut table = vec![0; 1 << targets.len()];
    for (point, target) in targets.iter().enumerate() {
        let (known, next) = table.split_at_mut(1 << point);
        for (set, sum) in known.iter().zip(next) {
            *sum = set | target;
        }
    }
    table
}
