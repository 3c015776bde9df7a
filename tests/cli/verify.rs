//! `verify`: proof, samples and checksums.

use crate::desk::{Desk, keys};
use merels::rules::variants;
use merels::space::Subspace;
use merels::table::{Codes, Metric, Shelf};

#[test]
fn whole_tables_are_proved() {
    let said = Desk::with("three").merels("verify three").exits(0).complains_of_nothing();
    said.says("3-3                      320 entries  proved").says("7 subspaces, 886 entries");
}

#[test]
fn a_named_subspace_is_proved_alone() {
    let report = Desk::with("three").merels("verify three 3-3 --json").exits(0).json();
    assert_eq!(keys(&report), ["checked", "mode", "ok", "subspaces", "variant", "wrong"]);
    assert_eq!(report["mode"], "proof");
    assert_eq!(report["ok"], true);
    assert_eq!(report["checked"], 320);
    assert_eq!(report["subspaces"][0]["subspace"], "3-3");
    assert_eq!(report["subspaces"][0]["proved"], true);
}

#[test]
fn a_sample_is_checked_and_is_no_proof() {
    let desk = Desk::with("five");
    let report = desk.merels("verify five 3-3 --sample 100 --seed 7 --json").exits(0).json();
    assert_eq!(report["mode"], "sample");
    assert_eq!(report["checked"], 100);
    assert_eq!(report["subspaces"][0]["proved"], false);
}

#[test]
fn checksums_are_read_without_proof() {
    let desk = Desk::with("three");
    desk.merels("verify three --checksums").exits(0).says("every byte as it was written");
}

/// A table with one wrong entry, its checksums all in order.
fn lie(desk: &Desk) {
    let rules = &variants::named("three").unwrap().rules;
    let shelf = Shelf::open(&desk.path("tables"), rules).unwrap();
    let subspace = Subspace::new(3, 3, 0, 0);
    let table = shelf.table(subspace, Metric::Dtw).unwrap();
    let mut codes: Vec<u8> = Vec::new();
    for number in 0..table.blocks() {
        match table.block(number).unwrap() {
            merels::table::Block::Narrow(block) => codes.extend(block),
            _ => panic!("8 bits do"),
        }
    }
    codes[17] = if codes[17] == 128 { 255 } else { 128 };
    let census = table.header().census;
    shelf.write(subspace, Codes::Narrow(&codes), &census).unwrap();
}

#[test]
fn a_wrong_entry_is_found_and_named() {
    let desk = Desk::with("three");
    lie(&desk);
    let said = desk.merels("verify three 3-3").exits(1);
    said.says("WRONG").says("entry 17 (dtw)").says("stored").says("derived").complains("fault");
    let report = desk.merels("verify three --json").exits(1).json();
    assert_eq!(report["ok"], false);
    let fault = &report["subspaces"][0]["faults"][0];
    assert_eq!(keys(fault), ["derived", "entry", "plane", "position", "stored"]);
    assert!(fault["position"].as_str().unwrap().ends_with(" w 0,0"));
    // Its checksums are right: only the proof sees it.
    desk.merels("verify three --checksums").exits(0);
}

#[test]
fn a_damaged_file_is_named_and_does_not_stop_the_others() {
    let desk = Desk::with("three");
    desk.flip("tables/three/2-2+1-1.dtw", 330);
    let said = desk.merels("verify three").exits(1);
    said.says("3-3                      320 entries  proved")
        .complains("tables/three/2-2+1-1.dtw is damaged");
    let report = desk.merels("verify three --checksums --json").exits(1).json();
    let errors = |row: &serde_json::Value| row["errors"].as_array().unwrap().len();
    let rows = report["subspaces"].as_array().unwrap();
    assert_eq!(rows.iter().map(errors).sum::<usize>(), 1);
    assert_eq!(rows[2]["errors"][0]["code"], "damaged-table");
}

#[test]
fn tables_that_are_not_there_are_mentioned_and_no_fault() {
    let desk = Desk::empty();
    desk.merels("generate three 2-3+1-0").exits(0);
    let said = desk.merels("verify three").exits(0).says("2 subspaces");
    said.complains("5 of 7 subspaces of three are not on the shelf");
}

#[test]
fn what_needs_a_table_that_has_gone_is_not_proved_and_says_so() {
    let desk = Desk::with("three");
    desk.remove("tables/three/3-3.dtw");
    desk.remove("tables/three/3-3.wdl");
    let said = desk.merels("verify three").exits(0).says("not proved: 3-3 is not on the shelf");
    said.complains("1 of 7 subspaces of three is not on the shelf");
    desk.merels("verify three 2-3+1-0").exits(1).complains("3-3");
}

#[test]
fn a_named_subspace_that_is_missing_is_a_no() {
    let desk = Desk::empty();
    desk.merels("generate three 3-3").exits(0);
    let said = desk.merels("verify three 2-3+1-0").exits(1);
    said.complains("2-3+1-0").complains("merels generate three 2-3+1-0");
}

#[test]
fn an_empty_shelf_is_a_no() {
    for command in ["verify", "stats", "list"] {
        let said = Desk::empty().merels(&format!("{command} three")).exits(1);
        said.complains("the shelf is empty").complains("merels generate three");
    }
}

#[test]
fn too_little_memory_is_refused_with_numbers() {
    let desk = Desk::with("five");
    desk.merels("verify five 4-4 --memory 1000").exits(3).complains("allowed are 0 MiB");
    desk.merels("verify five 4-4 --memory 1000 --sample 10").exits(0);
}
