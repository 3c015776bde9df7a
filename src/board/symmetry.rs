//! The symmetry group of a board, found by search: every permutation of the points that keeps
//! adjacency and mills.
//!
//! The search assigns images point by point and cuts a branch as soon as a pair disagrees
//! (joined or not, number of common mills). Its cost is bounded: a board with more than
//! [`MAX_ORDER`] symmetries, or one that makes the search wander, has no group here, and the
//! caller says what becomes of it.
//!
//! Beware: the order of the elements (lexicographic by the list of images) is not part of any
//! format; element 0 is always the identity.

use super::{MAX_POINTS, Point, PointSet};

/// The most symmetries that a group may have; what an index entry has room for.
pub const MAX_ORDER: usize = 1024;

/// Branches that the search may look at before it gives up.
const MAX_STEPS: usize = 20_000_000;

/// A group of permutations of the points, ready to be applied to sets.
#[derive(Clone, Debug)]
pub struct Group {
    images: Vec<[u8; MAX_POINTS]>,
    inverses: Vec<u16>,
    /// For each element and each byte of a mask, where its eight points go.
    moved: Vec<[[u32; 256]; 3]>,
}

impl Group {
    fn new(points: usize, images: Vec<[u8; MAX_POINTS]>) -> Group {
        let inverse_of = |image: &[u8; MAX_POINTS]| {
            let mut inverse = [0; MAX_POINTS];
            for (from, to) in image[..points].iter().enumerate() {
                inverse[*to as usize] = from as u8;
            }
            let place = images.binary_search(&inverse);
            place.expect("a group holds the inverse of each element") as u16
        };
        Group {
            inverses: images.iter().map(inverse_of).collect(),
            moved: images.iter().map(|image| byte_tables(points, image)).collect(),
            images,
        }
    }

    /// How many elements the group has.
    pub fn order(&self) -> usize {
        self.images.len()
    }

    /// The image of a set under element `element`.
    pub fn apply(&self, element: usize, set: PointSet) -> PointSet {
        let [low, middle, high] = &self.moved[element];
        let bits = set.bits();
        PointSet::from_bits(
            low[(bits & 255) as usize]
                | middle[(bits >> 8 & 255) as usize]
                | high[(bits >> 16 & 255) as usize],
        )
    }

    /// The image of a point under element `element`.
    pub fn apply_point(&self, element: usize, point: Point) -> Point {
        Point::new(self.images[element][point.number()] as usize)
    }

    /// The element that undoes `element`.
    pub fn inverse(&self, element: usize) -> usize {
        self.inverses[element] as usize
    }

    /// Whether every element of `self` is one of `other`.
    pub fn is_within(&self, other: &Group) -> bool {
        let held = |image| other.images.binary_search(image).is_ok();
        self.images.iter().all(held)
    }
}

fn byte_tables(points: usize, image: &[u8; MAX_POINTS]) -> [[u32; 256]; 3] {
    let mut tables = [[0u32; 256]; 3];
    for (byte, table) in tables.iter_mut().enumerate() {
        for (value, moved) in table.iter_mut().enumerate() {
            let sources = (0..8).filter(|bit| value >> bit & 1 != 0).map(|bit| byte * 8 + bit);
            let images = sources.filter(|p| *p < points).map(|p| 1u32 << image[p]);
            *moved = images.fold(0, |all, bit| all | bit);
        }
    }
    tables
}

struct Search<'a> {
    neighbours: &'a [PointSet],
    mills: Vec<PointSet>,
    /// How many mills hold both points of a pair; on the diagonal, mills through the point.
    common: Vec<[u16; MAX_POINTS]>,
    found: Vec<[u8; MAX_POINTS]>,
    steps: usize,
}

/// All permutations that keep `neighbours` and `mills`; `None` where there are more than
/// [`MAX_ORDER`] of them or the search grows out of bounds.
pub(super) fn search(neighbours: &[PointSet], mills: &[PointSet]) -> Option<Group> {
    let points = neighbours.len();
    let mut common = vec![[0u16; MAX_POINTS]; points];
    for mill in mills {
        for a in mill.iter() {
            for b in mill.iter() {
                common[a.number()][b.number()] += 1;
            }
        }
    }
    let mut sorted = mills.to_vec();
    sorted.sort_unstable();
    let mut search = Search { neighbours, mills: sorted, common, found: Vec::new(), steps: 0 };
    search.assign(0, &mut [0; MAX_POINTS], 0).then(|| Group::new(points, search.found))
}

impl Search<'_> {
    /// Gives point `next` every image that agrees with the ones before; false: out of bounds.
    fn assign(&mut self, next: usize, image: &mut [u8; MAX_POINTS], used: u32) -> bool {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return false;
        }
        let points = self.neighbours.len();
        if next == points {
            if self.keeps_mills(image) {
                self.found.push(*image);
            }
            return self.found.len() <= MAX_ORDER;
        }
        for candidate in (0..points).filter(|c| used >> c & 1 == 0) {
            if !self.agrees(next, candidate, image) {
                continue;
            }
            image[next] = candidate as u8;
            if !self.assign(next + 1, image, used | 1 << candidate) {
                return false;
            }
            image[next] = 0;
        }
        true
    }

    fn agrees(&self, next: usize, candidate: usize, image: &[u8; MAX_POINTS]) -> bool {
        let degree = |p: usize| self.neighbours[p].len();
        let joined = |a: usize, b: usize| self.neighbours[a].contains(Point::new(b));
        self.common[next][next] == self.common[candidate][candidate]
            && degree(next) == degree(candidate)
            && (0..next).all(|before| {
                let there = image[before] as usize;
                self.common[next][before] == self.common[candidate][there]
                    && joined(next, before) == joined(candidate, there)
            })
    }

    fn keeps_mills(&self, image: &[u8; MAX_POINTS]) -> bool {
        let moved = |mill: &PointSet| -> PointSet {
            mill.iter().map(|p| Point::new(image[p.number()] as usize)).collect()
        };
        self.mills.iter().all(|mill| self.mills.binary_search(&moved(mill)).is_ok())
    }
}
