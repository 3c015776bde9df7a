//! `list`: whole, damaged or missing.

use crate::desk::{Desk, keys};

#[test]
fn whole_tables_are_listed_with_their_sizes() {
    let said = Desk::with("three").merels("list three").exits(0).complains_of_nothing();
    said.says("3-3.dtw").says("whole").says("14 of 14 tables whole");
}

#[test]
fn a_listing_has_keys_for_programs() {
    let rows = Desk::with("three").merels("list three 3-3 --json").exits(0).json();
    assert_eq!(rows.as_array().unwrap().len(), 2);
    let expected = ["bytes", "digest", "entries", "file", "plane", "state", "subspace"];
    assert_eq!(keys(&rows[0]), expected);
    assert_eq!(rows[0]["state"], "whole");
    assert_eq!(rows[0]["file"], "3-3.wdl");
}

#[test]
fn a_table_that_has_gone_is_missing_and_no_fault_unless_it_is_named() {
    let desk = Desk::with("three");
    desk.remove("tables/three/3-3.dtw");
    desk.remove("tables/three/3-3.wdl");
    let said = desk.merels("list three").exits(0).says("missing");
    said.complains("1 of 7 subspaces of three is not on the shelf");
    desk.merels("list three 3-3").exits(1).says("missing").complains("merels generate three 3-3");
}

#[test]
fn one_plane_of_a_named_subspace_that_has_gone_is_a_no() {
    let desk = Desk::with("three");
    desk.remove("tables/three/3-3.dtw");
    desk.merels("list three").exits(0).complains("3-3.dtw");
    desk.merels("list three 3-3").exits(1);
}

#[test]
fn a_byte_changed_anywhere_is_found() {
    let desk = Desk::with("three");
    let whole = desk.read("tables/three/1-2+2-1.dtw");
    for place in 0..whole.len() {
        desk.flip("tables/three/1-2+2-1.dtw", place);
        let said = desk.merels("list three 1-2+2-1").exits(1);
        said.says("1 of 2 tables whole").complains("1-2+2-1.dtw");
        desk.write("tables/three/1-2+2-1.dtw", &whole);
    }
}

#[test]
fn a_foreign_file_on_the_shelf_is_not_taken_for_a_table() {
    let desk = Desk::with("three");
    desk.write("tables/three/README.txt", "hello");
    desk.merels("list three").exits(0).says("14 of 14");
    desk.write("tables/three/9-9.dtw", "hello");
    desk.merels("list three").exits(1).complains("9-9.dtw");
    desk.merels("verify three").exits(1).complains("9-9.dtw");
    desk.merels("query three startpos").exits(0);
}

#[test]
fn a_plane_that_has_gone_is_named_with_the_command_that_makes_it() {
    let desk = Desk::with("three");
    desk.remove("tables/three/3-3.dtw");
    let said = desk.merels("list three 3-3").exits(1).says("missing");
    said.complains("tables/three/3-3.dtw: it was finished once, and has gone")
        .complains("merels generate three 3-3");
}
