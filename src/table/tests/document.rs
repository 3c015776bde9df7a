//! `docs/FORMAT.md` says what the code does.

use super::*;
use crate::rules::{Blocked, Flying, FullBoard, MillEffect, Placing, Protection};
use crate::space::SCHEME;
use crate::table::format::{self, RawEnd, RawHeader, RawPlace};
use crate::table::inventory::{INVENTORY_MAGIC, INVENTORY_VERSION, RawInventory, RawRecord};
use crate::table::packed::{NEIGHBOURS, Parameters, SAYINGS, STEPS, STRIP, TOTAL};
use crate::table::{codec, digest};
use crate::value::Outcome;

const DOCUMENT: &str = include_str!("../../../docs/FORMAT.md");

/// What stands below a heading, up to the next one.
fn section(heading: &str) -> &'static str {
    let line = format!("# {heading}\n");
    let start = DOCUMENT.find(&line).unwrap_or_else(|| panic!("no section {heading:?}"));
    let rest = &DOCUMENT[start + line.len()..];
    &rest[..rest.find("\n#").unwrap_or(rest.len())]
}

/// The rows `| offset | size | name |` of the table in a section.
fn rows(heading: &str) -> Vec<(usize, usize, String)> {
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let name = cells.get(2)?.trim_matches('`');
        Some((cells[0].parse().ok()?, cells[1].parse().ok()?, name.to_owned()))
    };
    section(heading).lines().filter(|line| line.starts_with('|')).filter_map(row).collect()
}

fn agrees(heading: &str, fields: &[(&str, usize)]) {
    let mut offset = 0;
    let mut expected = Vec::new();
    for (name, size) in fields {
        expected.push((offset, *size, (*name).to_owned()));
        offset += size;
    }
    assert_eq!(rows(heading), expected, "the table of {heading:?}");
    let length = format!("{offset} bytes");
    assert!(section(heading).contains(&length), "{heading:?} does not say {length:?}");
}

#[test]
fn field_tables_are_those_of_the_code() {
    agrees("Header", RawHeader::FIELDS);
    agrees("Block index", RawPlace::FIELDS);
    agrees("End mark", RawEnd::FIELDS);
    agrees("Inventory", RawInventory::FIELDS);
    agrees("Inventory record", RawRecord::FIELDS);
}

#[test]
fn numbers_are_those_of_the_code() {
    let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect::<Vec<_>>().join(" ");
    let says = |heading: &str, text: String| {
        assert!(section(heading).contains(&text), "{heading:?} does not say {text:?}");
    };
    says("Header", hex(&format::MAGIC));
    says("End mark", hex(&format::END_MAGIC));
    says("Inventory", hex(&INVENTORY_MAGIC));
    says("Inventory", format!("`{INVENTORY}`"));
    for metric in Metric::ALL {
        says("Metrics and widths", format!("| {} | `{metric}` |", metric as u8));
    }
    says("Content digest", format!("{} entries", digest::CHUNK));
    says("Blocks", format!("{} entries", MAX_BLOCK_ENTRIES));
    says("Packing", format!("{} values", codec::VALUES_A_BYTE));
    let versions = section("Versions");
    for codec in [format::CODEC, format::PREDICTED] {
        let row = format!("| {VERSION} | {SCHEME} | {codec} | {INVENTORY_VERSION} |");
        assert!(versions.contains(&row), "no row {row:?}");
    }
}

#[test]
fn numbers_of_the_predictor_are_those_of_the_code() {
    let text = section("Predicted values");
    let says = |words: String| assert!(text.contains(&words), "it does not say {words:?}");
    says(format!("is a multiple of {STRIP}"));
    says(format!("There are {NEIGHBOURS}, in the same row"));
    says(format!("or {} where it does not exist", SAYINGS - 1));
    says(format!("decodes to {} bytes", Parameters::LENGTH));
    says(format!("each step W (0 to {})", STEPS - 1));
    says(format!("0 < a < b < {TOTAL}"));
}

#[test]
fn rule_parameters_have_the_numbers_of_the_code() {
    fn says(parameter: &str, words: Vec<&str>) {
        let words: Vec<_> =
            words.iter().enumerate().map(|(i, word)| format!("{i} {word}")).collect();
        let row = format!("| {parameter} | {} |", words.join(", "));
        assert!(section("Rule parameters").contains(&row), "no row {row:?}");
    }
    says("flying", Flying::ALL.iter().map(|v| v.word()).collect());
    says("mill effect", MillEffect::ALL.iter().map(|v| v.word()).collect());
    says("placing", Placing::ALL.iter().map(|v| v.word()).collect());
    says("full board", FullBoard::ALL.iter().map(|v| v.word()).collect());
    says("blocked", Blocked::ALL.iter().map(|v| v.word()).collect());
    says("protection", Protection::ALL.iter().map(|v| v.word()).collect());
}

#[test]
fn board_fingerprints_are_those_of_the_code() {
    for board in ["grid3", "grid3-diagonal", "rings2", "rings3", "rings3-diagonal"] {
        let fingerprint = crate::board::shipped::named(board).unwrap().fingerprint();
        let row = format!("| {board} | `{fingerprint:032x}` |");
        assert!(section("Board fingerprint").contains(&row), "no row {row:?}");
    }
}

/// The file that the document shows: `three` from the empty board, won in 9 plies.
fn shown() -> Vec<u8> {
    let memory = Memory::new();
    let shelf = Shelf::on(Arc::new(memory.clone()), &rules("three"));
    let won = Tally { wins: 1, draws: 0, losses: 0 };
    let census = Census { positions: won, boards: won, deepest_win: Some(9), deepest_loss: None };
    let code = u8::encode(Outcome::Decided(9)).unwrap();
    shelf.write(subspace("0-0+3-3"), Codes::Narrow(&[code]), &census).unwrap();
    memory.get("0-0+3-3.dtw").unwrap()
}

#[test]
fn the_dump_is_what_the_writer_writes() {
    let mut dumped = Vec::new();
    for line in section("A whole file").lines() {
        let words = line.split(';').next().unwrap().split_whitespace();
        let mut words = words.skip_while(|word| word.is_empty());
        let offset = words.next().filter(|word| word.len() == 3);
        if offset.and_then(|word| usize::from_str_radix(word, 16).ok()) != Some(dumped.len()) {
            continue;
        }
        dumped.extend(words.map(|word| u8::from_str_radix(word, 16).unwrap()));
    }
    assert!(dumped == shown(), "the file is now\n{}", dump(&shown()));
}

/// A line a field, for the document; remarks are put there by hand.
fn dump(bytes: &[u8]) -> String {
    let blocks = bytes.len() - RawHeader::LENGTH - RawPlace::LENGTH - RawEnd::LENGTH;
    let fields = RawHeader::FIELDS.iter().copied().chain([("block 0", blocks)]);
    let fields = fields.chain(RawPlace::FIELDS.iter().copied());
    let fields = fields.chain(RawEnd::FIELDS.iter().copied());
    let (mut text, mut offset) = (String::new(), 0);
    for (name, size) in fields {
        for (line, part) in bytes[offset..offset + size].chunks(16).enumerate() {
            let hex: String = part.iter().map(|byte| format!(" {byte:02x}")).collect();
            let name = if line == 0 { name } else { "" };
            text +=
                format!("{offset:03x} {hex:<48} ; {name}", offset = offset + 16 * line).trim_end();
            text += "\n";
        }
        offset += size;
    }
    text
}
