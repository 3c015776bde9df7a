//! Rule sets of the user's own as hostile input: boards that fall apart, crowds of men, thousands of
//! lines. Each is refused with the reason, at once, or solved as the oracle solves it.

mod brute;
mod common;

use common::agree;
use common::made_up::{MadeUp, games};
use common::props::runner;
use merels::rules::file::{MAX_FILE_BYTES, parse};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// A rule file with a board.
fn file(men: &str, points: &[&str], lines: &[&str], mills: &[&str]) -> String {
    let lists = |lists: &[&str]| {
        let lists = lists.iter().map(|list| list.split(' ').collect::<Vec<_>>());
        format!("{:?}", lists.collect::<Vec<_>>())
    };
    let (lines, mills) = (lists(lines), lists(mills));
    format!(
        "men = {men}\nmill = 'wins'\n[board]\npoints = {points:?}\nlines = {lines}\nmills = {mills}\n"
    )
}

const SIX: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

#[track_caller]
fn refused(text: &str, reason: &str) {
    let begun = Instant::now();
    let error = parse(text).expect_err("it is refused").to_string();
    assert!(error.contains(reason), "{error}");
    assert!(error.len() < 400, "{error}");
    assert!(begun.elapsed() < Duration::from_secs(20), "{error} after {:?}", begun.elapsed());
}

#[test]
fn what_makes_no_board_is_refused_with_the_reason() {
    let names: Vec<String> = (0..25).map(|n| format!("p{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let chain: Vec<String> = names.windows(2).map(|two| two.join(" ")).collect();
    let chain: Vec<&str> = chain.iter().map(String::as_str).collect();
    let board = |lines: &[&str], mills: &[&str]| file("3", &SIX, lines, mills);
    refused(&file("3", &[], &[], &[]), "points");
    refused(&file("3", &names, &chain, &["p0 p1 p2"]), "24 points");
    refused(&file("3", &["a", "b", "a"], &["a b"], &[]), "two points are named a");
    refused(&file("3", &["a", "B!", "c"], &["a c"], &[]), "B!");
    refused(&file("3", &["a", "", "c"], &["a c"], &[]), "point 2");
    refused(&board(&["a b", "b a"], &["a b c"]), "joined already");
    refused(&board(&["a b c", "d e f", "a b c"], &["a b c"]), "joined already");
    refused(&board(&["a b a"], &["a b c"]), "each once");
    refused(&board(&["a"], &["a b c"]), "at least two points");
    refused(&board(&["a g"], &["a b c"]), "no point of the board");
    refused(&board(&["a b c"], &["a b"]), "mill 1 must name three different points");
    refused(&board(&["a b c"], &["a b b"]), "mill 1 must name three different points");
    refused(&board(&["a b c"], &["a b c d"]), "mill 1 must name three different points");
    refused(&board(&["a b c"], &["a b c", "c b a"]), "mill 2 is listed already");
    refused(&board(&["a b c"], &["a b z"]), "no point of the board");
    for men in ["0", "[0, 3]", "[3, 0]", "13", "[]", "9223372036854775808"] {
        refused(
            &file(men, &SIX, &["a b c"], &["a b c"]),
            if men.len() > 9 { "line 1" } else { "men" },
        );
    }
    let few = file("2", &SIX, &["a b c"], &["a b c"]).replace("'wins'", "'remove'");
    refused(&few, "3");
    // Points that are all alike: more symmetries than any index carries.
    refused(&file("3", &names[..24], &[], &["p0 p1 p2"]), "symmetries");
    refused(&file("3", &names[..12], &["p0 p1"], &["p2 p3 p4"]), "symmetries");
}

#[test]
fn thousands_of_lines_and_mills_are_refused_at_once() {
    let names: Vec<String> = (0..24).map(|n| format!("p{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (mut pairs, mut triples) = (Vec::new(), Vec::new());
    for (a, x) in names.iter().enumerate() {
        for (b, y) in names.iter().enumerate().skip(a + 1) {
            pairs.push(format!("{x} {y}"));
            triples.extend(names[b + 1..].iter().map(|z| format!("{x} {y} {z}")));
        }
    }
    let words = |texts: &[String]| -> Vec<String> { texts.to_vec() };
    let (pairs, triples) = (words(&pairs), words(&triples));
    let pairs: Vec<&str> = pairs.iter().map(String::as_str).collect();
    let triples: Vec<&str> = triples.iter().map(String::as_str).collect();
    refused(&file("9", &names, &pairs, &triples), "mills, this one has 2024");
    refused(&file("9", &names, &pairs, &triples[..3]), "symmetries");
    let twice = [&pairs[..], &pairs[..]].concat();
    refused(&file("9", &names, &twice, &triples[..3]), "joined already");
    let mut long =
        String::from("men = 3\n[board]\npoints = ['a', 'b', 'c']\nmills = []\nlines = [\n");
    while long.len() < MAX_FILE_BYTES - 100 {
        long.push_str("['a', 'b', 'c'],\n");
    }
    refused(&format!("{long}]\n"), "joined already");
    while long.len() < MAX_FILE_BYTES + 4321 {
        long.push_str("['a', 'b', 'c'],\n");
    }
    let length = long.len();
    refused(&long, &format!("{length} bytes; a rule file has at most 1048576"));
    let mut deep = String::from("men = ");
    (0..100_000).for_each(|_| deep.push('['));
    refused(&deep, "line 1");
    let mut tables = String::new();
    (0..20_000).for_each(|n| writeln!(tables, "[a{n}]").unwrap());
    refused(&tables, "unknown key");
}

/// Points, lines, mills.
type Piece = (usize, &'static [&'static [usize]], &'static [[usize; 3]]);

/// Nothing is said of points that no line joins, of boards in two parts, of mills off the lines.
#[test]
fn boards_that_fall_apart_are_solved_rightly() {
    let pieces: [Piece; 7] = [
        // Two parts.
        (6, &[&[0, 1, 2], &[3, 4, 5]], &[[0, 1, 2], [3, 4, 5]]),
        // Points without lines, in mills and in none.
        (6, &[&[0, 1, 2, 3]], &[[0, 1, 2], [2, 3, 4]]),
        // Mills off the lines alone.
        (5, &[&[0, 1], &[2, 3], &[3, 4]], &[[0, 2, 4], [1, 2, 3]]),
        // No mill at all.
        (5, &[&[0, 1, 2, 3, 4]], &[]),
        // No line at all.
        (4, &[], &[[0, 1, 2]]),
        // As few points as can be.
        (1, &[], &[]),
        (2, &[&[0, 1]], &[]),
    ];
    for (points, lines, mills) in pieces {
        for number in 0..96 {
            let parameter = |at: usize, of: usize| number / at % of;
            let made_up = MadeUp {
                points,
                lines: lines.iter().map(|line| line.to_vec()).collect(),
                mills: mills.to_vec(),
                men: [3, 2 + (number % 3) as u8],
                parameters: [
                    parameter(1, 3),
                    parameter(3, 2),
                    parameter(6, 2),
                    parameter(12, 2),
                    parameter(24, 2),
                    parameter(48, 2),
                ],
            };
            if let Some(rules) = made_up.rules() {
                agree(&rules, made_up.brute());
            }
        }
    }
}

/// More men than the board has points, or than it has room for.
#[test]
fn crowds_of_men_are_solved_rightly() {
    runner(400)
        .run(&games(1..=5, 1..=6), |made_up| {
            if let Some(rules) = made_up.rules() {
                agree(&rules, made_up.brute());
            }
            Ok(())
        })
        .unwrap();
    runner(12)
        .run(&games(3..=6, 7..=12), |made_up| {
            if let Some(rules) = made_up.rules() {
                agree(&rules, made_up.brute());
            }
            Ok(())
        })
        .unwrap();
}
