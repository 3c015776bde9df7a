//! Games that nobody plays, for the crate and for the oracle: any edges, any mills, any men, every
//! value of every parameter.

use crate::brute::{self, BruteRules};
use merels::board::{Board, Description};
use merels::rules::{Blocked, Flying, FullBoard, MillEffect, Placing, Protection, Rules};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// A game of its own.
#[derive(Clone, Debug)]
pub struct MadeUp {
    pub points: usize,
    pub lines: Vec<Vec<usize>>,
    pub mills: Vec<[usize; 3]>,
    pub men: [u8; 2],
    /// Which value each of the six parameters has.
    pub parameters: [usize; 6],
}

/// Games of so many points and men.
pub fn games(
    points: RangeInclusive<usize>,
    men: RangeInclusive<u8>,
) -> impl Strategy<Value = MadeUp> {
    let board = points.prop_flat_map(|points| {
        let (edges, triples) = pairs_and_triples(points);
        let least = points.min(edges.len());
        let edges = subsequence(edges.clone(), least..=edges.len().min(14));
        let most = triples.len().min(6);
        let few = most.min(1);
        (Just(points), edges, subsequence(triples, few..=most))
    });
    let men = (men.clone(), men);
    let game = |((points, lines, mills), men, parameters)| {
        let (white, black): (u8, u8) = men;
        MadeUp { points, lines, mills, men: [white, black], parameters }
    };
    (board, men, parameters()).prop_map(game)
}

/// Every value of every parameter.
pub fn parameters() -> impl Strategy<Value = [usize; 6]> {
    let two = || select(vec![0, 1]);
    (0..3usize, two(), two(), two(), two(), two()).prop_map(|(a, b, c, d, e, f)| [a, b, c, d, e, f])
}

fn pairs_and_triples(points: usize) -> (Vec<Vec<usize>>, Vec<[usize; 3]>) {
    let (mut pairs, mut triples) = (Vec::new(), Vec::new());
    for a in 0..points {
        for b in a + 1..points {
            pairs.push(vec![a, b]);
            triples.extend((b + 1..points).map(|c| [a, b, c]));
        }
    }
    (pairs, triples)
}

impl MadeUp {
    /// For the oracle.
    pub fn brute(&self) -> BruteRules {
        let [flying, mill, placing, full_board, blocked, protection] = self.parameters;
        use brute::Flying::{Always, AtThree, Never};
        BruteRules {
            points: self.points,
            lines: self.lines.clone(),
            mills: self.mills.clone(),
            men: self.men,
            flying: [Never, AtThree, Always][flying],
            mill: [brute::MillEffect::Remove, brute::MillEffect::Wins][mill],
            placing: [brute::Placing::PlaceFirst, brute::Placing::Free][placing],
            full_board: [brute::FullBoard::Draw, brute::FullBoard::Loss][full_board],
            blocked: [brute::BlockedRule::Loss, brute::BlockedRule::Draw][blocked],
            protection: [brute::Protection::UnlessAll, brute::Protection::Never][protection],
        }
    }

    /// The board as it is written down.
    pub fn description(&self) -> Description {
        let name = |p: &usize| format!("p{p}");
        Description {
            name: "made-up".to_owned(),
            points: (0..self.points).map(|p| name(&p)).collect(),
            lines: self.lines.iter().map(|line| line.iter().map(name).collect()).collect(),
            mills: self.mills.iter().map(|mill| mill.iter().map(name).collect()).collect(),
            runs: Vec::new(),
        }
    }

    /// For the crate; `None` where it refuses them: the board has more symmetries than the index
    /// carries, or there are too few men for removals.
    pub fn rules(&self) -> Option<Rules> {
        let [flying, mill, placing, full_board, blocked, protection] = self.parameters;
        let board = Board::new(&self.description()).ok()?;
        let rules = Rules {
            board: Arc::new(board),
            men: self.men,
            flying: Flying::ALL[flying],
            mill: MillEffect::ALL[mill],
            placing: Placing::ALL[placing],
            full_board: FullBoard::ALL[full_board],
            blocked: Blocked::ALL[blocked],
            protection: Protection::ALL[protection],
        };
        rules.check().is_ok().then_some(rules)
    }
}
