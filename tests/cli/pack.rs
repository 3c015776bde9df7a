//! `pack`: smaller tables of values, the same answers.

use crate::desk::{Desk, keys};

/// Endgames that are large enough to be packed.
fn desk() -> Desk {
    let desk = Desk::empty();
    desk.merels("generate nine 4-4").exits(0);
    desk
}

#[test]
fn packed_tables_answer_as_before() {
    let desk = desk();
    let position = "O*@*****/O*@*O***/*@***@*O w 0,0";
    let ask = || desk.words(&["query", "nine", position, "--json"], "").exits(0).json();
    let before = ask();
    let report = desk.merels("pack nine --json").exits(0).json();
    assert_eq!(keys(&report), ["after", "before", "directory", "seconds", "tables", "variant"]);
    let rows = report["tables"].as_array().unwrap();
    let row = rows.iter().find(|row| row["subspace"] == "4-3").unwrap();
    assert_eq!(keys(row), ["after", "before", "done", "entries", "file", "subspace"]);
    assert_eq!(row["done"], "packed");
    assert!(row["after"].as_u64().unwrap() * 4 < row["before"].as_u64().unwrap() * 3);
    assert_eq!(ask(), before);
    desk.merels("verify nine").exits(0).says("proved");
    desk.merels("verify nine --checksums").exits(0);
    desk.merels("list nine").exits(0);
    desk.merels("pack nine 4-3").exits(0).says("0 tables packed, 1 already packed, 0 kept");
    desk.remove("tables/nine/4-4.dtw");
    let (value, depth) = (&before["value"], &ask()["depth"]);
    assert!(ask()["value"] == *value && depth.is_null());
}

#[test]
fn damage_stops_the_packing_and_is_named() {
    let desk = desk();
    desk.flip("tables/nine/4-3.wdl", 1000);
    let said = desk.merels("pack nine 4-3 --verbose").exits(1);
    said.complains("4-3.wdl is damaged").complains("generate it again");
    let desk = Desk::empty();
    desk.merels("pack nine").exits(1).complains("merels generate nine");
}

#[test]
fn a_table_that_is_named_and_not_there_is_a_no() {
    let desk = Desk::with("three");
    desk.remove("tables/three/3-3.wdl");
    desk.merels("pack three").exits(0);
    desk.merels("pack three 3-3").exits(1).complains("merels generate three 3-3");
    std::fs::create_dir(desk.path("tables/three/3-3.wdl")).unwrap();
    for line in ["pack three", "pack three 3-3"] {
        desk.merels(line).exits(1).complains("3-3.wdl: it is not a regular file");
    }
}
