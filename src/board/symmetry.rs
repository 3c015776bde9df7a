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

/// Why a board has no group here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoGroup {
    /// It has more than [`MAX_ORDER`] elements.
    TooMany,
    /// The search took more than [`MAX_STEPS`] steps.
    TooLong,
}

struct Search<'a> {
    neighbours: &'a [PointSet],
    mills: Vec<PointSet>,
    /// How many mills hold both points of a pair; on the diagonal, mills through the point.
    common: Vec<[u16; MAX_POINTS]>,
    /// Points that a symmetry may exchange have equal colours.
    colours: Vec<usize>,
    /// The points in the order in which they get their images.
    order: Vec<usize>,
    found: Vec<[u8; MAX_POINTS]>,
    steps: usize,
}

/// All permutations that keep `neighbours` and `mills`.
pub(super) fn search(neighbours: &[PointSet], mills: &[PointSet]) -> Result<Group, NoGroup> {
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
    let colours = colour(neighbours, &common);
    let order = connected_order(neighbours, &common, &colours);
    let found = Vec::new();
    let mut search = Search { neighbours, mills: sorted, common, colours, order, found, steps: 0 };
    search.assign(0, &mut [0; MAX_POINTS], 0)?;
    search.found.sort_unstable();
    Ok(Group::new(points, search.found))
}

/// Colours the points by what surrounds them, again and again until no colour parts any more.
fn colour(neighbours: &[PointSet], common: &[[u16; MAX_POINTS]]) -> Vec<usize> {
    let points = neighbours.len();
    let mut colours = vec![0; points];
    loop {
        let around = |p: usize| {
            let others = (0..points).filter(|q| *q != p);
            let mut seen: Vec<_> = others
                .map(|q| (colours[q], neighbours[p].contains(Point::new(q)), common[p][q]))
                .collect();
            seen.sort_unstable();
            (colours[p], common[p][p], seen)
        };
        let surroundings: Vec<_> = (0..points).map(around).collect();
        let mut kinds = surroundings.clone();
        kinds.sort_unstable();
        kinds.dedup();
        let of = |kind| kinds.binary_search(kind).expect("every kind is among the kinds");
        let finer: Vec<usize> = surroundings.iter().map(of).collect();
        if finer == colours {
            return colours;
        }
        colours = finer;
    }
}

/// An order in which each point has much to do with those before it, so that a wrong image shows at
/// once; rare colours first.
fn connected_order(
    neighbours: &[PointSet],
    common: &[[u16; MAX_POINTS]],
    colours: &[usize],
) -> Vec<usize> {
    let points = neighbours.len();
    let alike = |p: usize| colours.iter().filter(|colour| **colour == colours[p]).count();
    let mut order: Vec<usize> = Vec::with_capacity(points);
    while order.len() < points {
        let related = |p: usize| {
            let near = |q: &&usize| neighbours[p].contains(Point::new(**q)) || common[p][**q] > 0;
            order.iter().filter(near).count()
        };
        let left = (0..points).filter(|p| !order.contains(p));
        let next = left.min_by_key(|p| (std::cmp::Reverse(related(*p)), alike(*p), *p));
        order.push(next.expect("points are left"));
    }
    order
}

impl Search<'_> {
    /// Gives the `place`-th point of the order every image that agrees with those before.
    fn assign(
        &mut self,
        place: usize,
        image: &mut [u8; MAX_POINTS],
        used: u32,
    ) -> Result<(), NoGroup> {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return Err(NoGroup::TooLong);
        }
        let Some(point) = self.order.get(place).copied() else {
            if self.keeps_mills(image) {
                self.found.push(*image);
            }
            return if self.found.len() <= MAX_ORDER { Ok(()) } else { Err(NoGroup::TooMany) };
        };
        for candidate in (0..self.order.len()).filter(|c| used >> c & 1 == 0) {
            if self.agrees(place, point, candidate, image) {
                image[point] = candidate as u8;
                self.assign(place + 1, image, used | 1 << candidate)?;
                image[point] = 0;
            }
        }
        Ok(())
    }

    fn agrees(
        &self,
        place: usize,
        point: usize,
        candidate: usize,
        image: &[u8; MAX_POINTS],
    ) -> bool {
        let joined = |a: usize, b: usize| self.neighbours[a].contains(Point::new(b));
        self.colours[point] == self.colours[candidate]
            && self.order[..place].iter().all(|before| {
                let there = image[*before] as usize;
                self.common[point][*before] == self.common[candidate][there]
                    && joined(point, *before) == joined(candidate, there)
            })
    }

    fn keeps_mills(&self, image: &[u8; MAX_POINTS]) -> bool {
        let moved = |mill: &PointSet| -> PointSet {
            mill.iter().map(|p| Point::new(image[p.number()] as usize)).collect()
        };
        self.mills.iter().all(|mill| self.mills.binary_search(&moved(mill)).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cubic graph without mills or symmetries, on which a search in the order of the points
    /// would wander.
    #[test]
    fn a_board_without_symmetries_is_told_at_once() {
        let points = 24;
        let mut neighbours = vec![PointSet::EMPTY; points];
        let mut join = |a: usize, b: usize| {
            neighbours[a] = neighbours[a].with(Point::new(b));
            neighbours[b] = neighbours[b].with(Point::new(a));
        };
        // A ring with chords of many lengths, its points numbered out of order.
        let at = |i: usize| i * 7 % points;
        (0..points).for_each(|i| join(at(i), at((i + 1) % points)));
        let chords = [(0, 5), (1, 9), (2, 13), (3, 20), (4, 16), (6, 11), (7, 22), (8, 18)];
        let more = [(10, 15), (12, 19), (14, 23), (17, 21)];
        chords.iter().chain(&more).for_each(|(a, b)| join(at(*a), at(*b)));
        assert!(neighbours.iter().all(|set| set.len() == 3));
        assert_eq!(search(&neighbours, &[]).unwrap().order(), 1);
    }

    #[test]
    fn points_without_lines_have_too_many() {
        assert_eq!(search(&[PointSet::EMPTY; 9], &[]).unwrap_err(), NoGroup::TooMany);
        assert_eq!(search(&[PointSet::EMPTY; 24], &[]).unwrap_err(), NoGroup::TooMany);
    }
}
