//! What depends on the stones that make a row, and on nothing else in it: the points that are left
//! free, the roads and mills among them. Computed once a row and used for thousands of columns.
//!
//! Everything here speaks of **free points**: the points that the row's stones leave free, numbered
//! anew from 0 by rising point. A column is a set of free points.

use crate::board::{Point, PointSet};
use crate::rules::{MillEffect, Rules};
use crate::space::bits::compress;

/// How the stones in the columns of a subspace may move, and what a mill means to them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    /// Any empty point may be entered, not only adjacent ones.
    pub flies: bool,
    /// Closing a mill is more than a quiet turn: it removes a stone or wins.
    pub mills_count: bool,
}

/// The free points of a row.
#[derive(Debug, Default)]
pub(super) struct Row {
    /// How many points are free.
    pub free: usize,
    /// The free points of the board.
    pub free_points: PointSet,
    /// For each free point, those that a stone there can move to when they are empty.
    pub reach: Vec<u32>,
    /// The mills that consist of free points, and empty ones that fill the last eight.
    mills: Vec<u32>,
    /// For each free point, the other two points of every mill through it.
    pub partners: Vec<Vec<u32>>,
}

impl Row {
    /// Works out the row whose stones are `stones`, reusing the room of an earlier one.
    pub fn lay_out(&mut self, rules: &Rules, stones: PointSet, manner: Manner) {
        let board = &rules.board;
        self.free_points = board.points() - stones;
        self.free = self.free_points.len();
        let gather = |set: PointSet| compress(set.bits(), self.free_points.bits());
        let all = ((1u64 << self.free) - 1) as u32;
        let reach_of = |(i, point): (usize, Point)| match manner.flies {
            true => all & !(1 << i),
            false => gather(board.neighbours(point)),
        };
        self.reach.clear();
        self.reach.extend(self.free_points.iter().enumerate().map(reach_of));
        let within = board.mills().iter().filter(|mill| self.free_points.contains_all(**mill));
        self.mills.clear();
        self.mills.extend(within.map(|mill| gather(*mill)));
        let mills = self.mills.len();
        self.partners.resize(self.free, Vec::new());
        for (i, partners) in self.partners.iter_mut().enumerate() {
            let through = self.mills.iter().filter(|mill| *mill >> i & 1 != 0);
            partners.clear();
            partners.extend(through.map(|mill| mill & !(1 << i)));
        }
        self.mills.resize(mills.next_multiple_of(8), 0);
    }

    /// The mills that consist of free points.
    pub fn mills(&self) -> impl Iterator<Item = u32> + '_ {
        self.mills.iter().copied().filter(|mill| *mill != 0)
    }

    /// The stones of a column that stand in a mill.
    #[inline(always)]
    pub fn in_mills(&self, column: u32) -> u32 {
        // Eight at a time and without branches: one vector instruction a step where there are any.
        let mut standing = [0; 8];
        for eight in self.mills.chunks_exact(8) {
            for (standing, mill) in standing.iter_mut().zip(eight) {
                *standing |= if column & mill == *mill { *mill } else { 0 };
            }
        }
        standing.into_iter().fold(0, |all, mill| all | mill)
    }
}

/// Moves the free points of one row to those of another, a symmetry in between: three byte tables.
#[derive(Debug)]
pub(super) struct Carry {
    tables: [[u32; 256]; 3],
}

impl Carry {
    /// A map that is to be set.
    pub fn new() -> Carry {
        Carry { tables: [[0; 256]; 3] }
    }

    /// Sets the map: free point `i` goes to bit `target(i)`.
    pub fn set(&mut self, free: usize, target: impl Fn(usize) -> u32) {
        for (byte, table) in self.tables.iter_mut().enumerate() {
            // Grow the table by one point at a time: each doubles what is there.
            table[0] = 0;
            for bit in 0..8 {
                let point = byte * 8 + bit;
                let image = if point < free { target(point) } else { 0 };
                for low in 0..1 << bit {
                    table[1 << bit | low] = table[low] | image;
                }
            }
        }
    }

    /// The image of a set of free points.
    #[inline(always)]
    pub fn apply(&self, set: u32) -> u32 {
        let [low, middle, high] = &self.tables;
        low[(set & 255) as usize]
            | middle[(set >> 8 & 255) as usize]
            | high[(set >> 16 & 255) as usize]
    }
}

/// What closing a mill means in a subspace where the opponent has `opponent` stones on the board.
pub(super) fn mills_count(rules: &Rules, opponent: u8) -> bool {
    rules.mill == MillEffect::Wins || opponent > 0
}
