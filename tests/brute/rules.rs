//! The rules, sentence by sentence from RULES.md: turns, removals, the end.
//!
//! Why: these functions are what the crate's move generator is compared with,
//! so they favour being obviously right: every mill and every line is looked
//! through each time, and nothing is precomputed. All fields are public, so a
//! test may change a parameter or make up a board of up to 24 points.
//! Beware: `successors` turns the board around. The player who was to move is
//! the `opponent` of the positions it returns.

use super::board::BruteBoard;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flying {
    Never,
    AtThree,
    Always,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MillEffect {
    Remove,
    Wins,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placing {
    PlaceFirst,
    Free,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FullBoard {
    Draw,
    Loss,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockedRule {
    Loss,
    Draw,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protection {
    UnlessAll,
    Never,
}

/// What a finished game is for the player to move. He is never the winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terminal {
    Lost,
    Drawn,
}

/// A position between turns, seen by the player to move; bit i is point i.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BrutePos {
    pub mover: u32,
    pub opponent: u32,
    pub mover_hand: u8,
    pub opponent_hand: u8,
}

impl BrutePos {
    /// (mover's stones, opponent's stones, mover's hand, opponent's hand)
    pub fn sub(&self) -> [u8; 4] {
        let stones = |set: u32| set.count_ones() as u8;
        [stones(self.mover), stones(self.opponent), self.mover_hand, self.opponent_hand]
    }
}

#[derive(Clone, Debug)]
pub struct BruteRules {
    pub points: usize,
    pub lines: Vec<Vec<usize>>,
    pub mills: Vec<[usize; 3]>,
    /// White, black; white begins.
    pub men: [u8; 2],
    pub flying: Flying,
    pub mill: MillEffect,
    pub placing: Placing,
    pub full_board: FullBoard,
    pub blocked: BlockedRule,
    pub protection: Protection,
}

impl BruteRules {
    /// A board of RULES.md with the defaults of what is not named there.
    pub fn on_board(board: &str, men: u8) -> BruteRules {
        let BruteBoard { names, lines, mills } = BruteBoard::named(board);
        BruteRules {
            points: names.len(),
            lines,
            mills,
            men: [men, men],
            flying: Flying::Never,
            mill: MillEffect::Remove,
            placing: Placing::PlaceFirst,
            full_board: FullBoard::Loss,
            blocked: BlockedRule::Loss,
            protection: Protection::UnlessAll,
        }
    }

    pub fn grid3(men: u8) -> BruteRules {
        BruteRules::on_board("grid3", men)
    }
    pub fn grid3_diagonal(men: u8) -> BruteRules {
        BruteRules::on_board("grid3-diagonal", men)
    }
    pub fn rings2(men: u8) -> BruteRules {
        BruteRules::on_board("rings2", men)
    }
    pub fn rings3(men: u8) -> BruteRules {
        BruteRules::on_board("rings3", men)
    }
    pub fn rings3_diagonal(men: u8) -> BruteRules {
        BruteRules::on_board("rings3-diagonal", men)
    }

    /// The twelve variants that ship, row by row of the table in RULES.md.
    pub fn variant(id: &str) -> BruteRules {
        use {Flying::*, FullBoard::Draw, MillEffect::Wins, Placing::Free};
        let on = BruteRules::on_board;
        match id {
            "three" => BruteRules { mill: Wins, ..on("grid3-diagonal", 3) },
            "three-orthogonal" => BruteRules { mill: Wins, ..on("grid3", 3) },
            "nine-holes" => BruteRules { mill: Wins, flying: Always, ..on("grid3", 3) },
            "achi" => BruteRules { mill: Wins, ..on("grid3-diagonal", 4) },
            "five" => on("rings2", 5),
            "six" => on("rings2", 6),
            "nine" => BruteRules { flying: AtThree, ..on("rings3", 9) },
            "nine-noflying" => on("rings3", 9),
            "lasker" => BruteRules { flying: AtThree, placing: Free, ..on("rings3", 10) },
            "eleven" => BruteRules { flying: AtThree, ..on("rings3-diagonal", 11) },
            "twelve" => {
                BruteRules { flying: AtThree, full_board: Draw, ..on("rings3-diagonal", 12) }
            }
            "twelve-noflying" => BruteRules { full_board: Draw, ..on("rings3-diagonal", 12) },
            _ => panic!("RULES.md has no variant {id}"),
        }
    }

    /// The empty board, white to move.
    pub fn start(&self) -> BrutePos {
        BrutePos { mover: 0, opponent: 0, mover_hand: self.men[0], opponent_hand: self.men[1] }
    }

    /// The short form, `O*@***... w 0,0`. The side to move becomes `mover`.
    pub fn parse(&self, text: &str) -> BrutePos {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let [board, side, hands] = fields[..] else { panic!("not a short form: {text}") };
        let marks: Vec<char> = board.chars().filter(|c| *c != '/').collect();
        assert_eq!(marks.len(), self.points, "points in {text}");
        assert!(marks.iter().all(|c| "O@*".contains(*c)), "marks in {text}");
        let stones = |mark: char| -> u32 {
            (0..self.points).filter(|&i| marks[i] == mark).map(|i| 1 << i).sum()
        };
        let (white_hand, black_hand) = hands.split_once(',').expect("two hands");
        let white = (stones('O'), white_hand.parse().unwrap());
        let black = (stones('@'), black_hand.parse().unwrap());
        let (mover, opponent) = match side {
            "w" => (white, black),
            "b" => (black, white),
            _ => panic!("side to move in {text}"),
        };
        BrutePos {
            mover: mover.0,
            opponent: opponent.0,
            mover_hand: mover.1,
            opponent_hand: opponent.1,
        }
    }

    /// Is the game over, and how did it end for the player to move?
    pub fn over(&self, p: BrutePos) -> Option<Terminal> {
        self.ended_by_stones(p).or_else(|| self.ended_by_stuckness(p, self.turns(p).is_empty()))
    }

    /// All turns, removals included, one entry each, seen by the new mover.
    /// A finished game has none.
    pub fn successors(&self, p: BrutePos) -> Vec<BrutePos> {
        if self.ended_by_stones(p).is_some() {
            return Vec::new();
        }
        self.turns(p)
    }

    /// `over` and `successors` in one go: the turns, or the way it ended.
    pub fn outcome(&self, p: BrutePos) -> Result<Vec<BrutePos>, Terminal> {
        if let Some(end) = self.ended_by_stones(p) {
            return Err(end);
        }
        let turns = self.turns(p);
        self.ended_by_stuckness(p, turns.is_empty()).map_or(Ok(turns), Err)
    }

    /// "Mill effect remove: the player to move whose stones on the board and in
    /// hand together number fewer than three has lost. Mill effect wins: the
    /// player to move whose opponent has a mill standing has lost."
    fn ended_by_stones(&self, p: BrutePos) -> Option<Terminal> {
        let lost = match self.mill {
            MillEffect::Remove => p.mover.count_ones() + u32::from(p.mover_hand) < 3,
            MillEffect::Wins => self.mills.iter().any(|m| m.iter().all(|&q| has(p.opponent, q))),
        };
        lost.then_some(Terminal::Lost)
    }

    /// "Full board: when no point is empty, whatever the hands. Blocked: when
    /// points are empty and he has no legal turn."
    fn ended_by_stuckness(&self, p: BrutePos, no_turn: bool) -> Option<Terminal> {
        let full = (0..self.points).all(|q| has(p.mover | p.opponent, q));
        match (full, no_turn) {
            (true, _) if self.full_board == FullBoard::Draw => Some(Terminal::Drawn),
            (true, _) => Some(Terminal::Lost),
            (false, true) if self.blocked == BlockedRule::Draw => Some(Terminal::Drawn),
            (false, true) => Some(Terminal::Lost),
            (false, false) => None,
        }
    }

    /// "Place a stone from the hand on any empty point; slide a stone along a
    /// line to an adjacent empty point; or fly it to any empty point."
    fn turns(&self, p: BrutePos) -> Vec<BrutePos> {
        let mut out = Vec::new();
        let empty = |q: &usize| !has(p.mover | p.opponent, *q);
        if p.mover_hand > 0 {
            for to in (0..self.points).filter(empty) {
                self.finish(p, p.mover | 1 << to, to, p.mover_hand - 1, &mut out);
            }
        }
        // Place-first: while a player has stones in hand he must place.
        if self.placing == Placing::PlaceFirst && p.mover_hand > 0 {
            return out;
        }
        let may_fly = match self.flying {
            Flying::Never => false,
            Flying::AtThree => p.mover.count_ones() + u32::from(p.mover_hand) == 3,
            Flying::Always => true,
        };
        for from in (0..self.points).filter(|&q| has(p.mover, q)) {
            let near = self.neighbours(from);
            for to in (0..self.points).filter(empty).filter(|&q| may_fly || has(near, q)) {
                let mover = (p.mover & !(1 << from)) | 1 << to;
                self.finish(p, mover, to, p.mover_hand, &mut out);
            }
        }
        out
    }

    /// The second half of a turn that put a stone on `to`: the removal it owes,
    /// and the change of sides.
    fn finish(&self, p: BrutePos, mover: u32, to: usize, hand: u8, out: &mut Vec<BrutePos>) {
        let mut end_turn = |opponent: u32| {
            out.push(BrutePos {
                mover: opponent,
                opponent: mover,
                mover_hand: p.opponent_hand,
                opponent_hand: hand,
            })
        };
        let removes = self.mill == MillEffect::Remove && self.in_mill(mover, to);
        // "A mill closed while the opponent has no stone on the board removes
        // nothing and the turn ends."
        if !removes || p.opponent == 0 {
            return end_turn(p.opponent);
        }
        let theirs: Vec<usize> = (0..self.points).filter(|&q| has(p.opponent, q)).collect();
        let outside: Vec<usize> =
            theirs.iter().copied().filter(|&q| !self.in_mill(p.opponent, q)).collect();
        let any = self.protection == Protection::Never || outside.is_empty();
        for q in if any { theirs } else { outside } {
            end_turn(p.opponent & !(1 << q));
        }
    }

    /// Does the stone on `point` stand in a mill of the set `stones`?
    pub fn in_mill(&self, stones: u32, point: usize) -> bool {
        self.mills.iter().any(|m| m.contains(&point) && m.iter().all(|&q| has(stones, q)))
    }

    /// The points next to `point` on some line. A set, so that two lines with a
    /// stretch in common do not make one move count twice.
    pub fn neighbours(&self, point: usize) -> u32 {
        let mut near = 0;
        for pair in self.lines.iter().flat_map(|line| line.windows(2)) {
            if pair[0] == point {
                near |= 1 << pair[1];
            }
            if pair[1] == point {
                near |= 1 << pair[0];
            }
        }
        near
    }
}

fn has(set: u32, point: usize) -> bool {
    set >> point & 1 == 1
}
