//! The twelve variants that ship, as data.

use super::{Flying, FullBoard, MillEffect, Placing, Rules};
use crate::board::shipped;
use std::sync::LazyLock;

/// A rule set with a name.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The word that names it on the command line.
    pub id: &'static str,
    /// Other names of the game, parted by commas; may be empty.
    pub also: &'static str,
    /// The parameters.
    pub rules: Rules,
}

static VARIANTS: LazyLock<Vec<Variant>> = LazyLock::new(build);

/// All variants, in the order of `docs/RULES.md`.
pub fn all() -> &'static [Variant] {
    &VARIANTS
}

/// The variant with this id.
pub fn named(id: &str) -> Option<&'static Variant> {
    VARIANTS.iter().find(|variant| variant.id == id)
}

/// The variant whose parameters are those of `rules`.
pub fn of(rules: &Rules) -> Option<&'static Variant> {
    VARIANTS.iter().find(|variant| variant.rules == *rules)
}

fn build() -> Vec<Variant> {
    use Flying::{Always, AtThree, Never};
    use MillEffect::{Remove, Wins};
    let variant = |id, also, board, men, flying, mill| Variant {
        id,
        also,
        rules: Rules {
            flying,
            mill,
            ..Rules::on(shipped::named(board).expect("a shipped board"), [men, men])
        },
    };
    let mut variants = vec![
        variant("three", "tapatan", "grid3-diagonal", 3, Never, Wins),
        variant("three-orthogonal", "", "grid3", 3, Never, Wins),
        variant("nine-holes", "", "grid3", 3, Always, Wins),
        variant("achi", "", "grid3-diagonal", 4, Never, Wins),
        variant("five", "", "rings2", 5, Never, Remove),
        variant("six", "", "rings2", 6, Never, Remove),
        variant("nine", "merels, mills, Muehle", "rings3", 9, AtThree, Remove),
        variant("nine-noflying", "", "rings3", 9, Never, Remove),
        variant("lasker", "ten men's", "rings3", 10, AtThree, Remove),
        variant("eleven", "", "rings3-diagonal", 11, AtThree, Remove),
        variant("twelve", "morabaraba", "rings3-diagonal", 12, AtThree, Remove),
        variant("twelve-noflying", "", "rings3-diagonal", 12, Never, Remove),
    ];
    for variant in &mut variants {
        match variant.id {
            "lasker" => variant.rules.placing = Placing::Free,
            "twelve" | "twelve-noflying" => variant.rules.full_board = FullBoard::Draw,
            _ => {}
        }
    }
    variants
}
