//! Tables that cannot be trusted: each is named, nothing is answered from it.

use crate::desk::Desk;

const START: &str = "tables/three/0-0+3-3.dtw";

#[test]
fn a_changed_byte_is_found_by_list_verify_and_query() {
    let desk = Desk::with("three");
    // Within the only block.
    desk.flip(START, 256);
    desk.merels("list three").exits(1).says("damaged").complains(START);
    desk.merels("verify three").exits(1).complains(START);
    desk.merels("verify three --checksums").exits(1).complains(START);
    desk.merels("query three startpos").exits(1).complains(START).complains("damaged");
    let error = desk.merels("query three startpos --json").exits(1).json();
    assert_eq!(error["error"]["code"], "damaged-table");
}

#[test]
fn a_damaged_header_is_found_by_stats_and_generate() {
    let desk = Desk::with("three");
    desk.flip(START, 100);
    desk.merels("stats three").exits(1).says("3-3").complains(START);
    desk.merels("generate three").exits(1).complains(START).complains("delete the file");
    desk.remove(START);
    desk.merels("generate three").exits(0);
    desk.merels("stats three").exits(0);
}

#[test]
fn a_truncated_file_is_found() {
    let desk = Desk::with("three");
    let bytes = desk.read(START);
    for length in [0, 1, 8, 100, bytes.len() / 2, bytes.len() - 1] {
        desk.write(START, &bytes[..length]);
        desk.merels("list three").exits(1).says("damaged").complains(START);
        desk.merels("query three startpos").exits(1).complains(START);
        desk.merels("verify three").exits(1).complains(START);
    }
    desk.write(START, [bytes.as_slice(), b"more"].concat());
    desk.merels("list three").exits(1).complains(START);
}

#[test]
fn a_table_of_other_rules_is_refused_and_the_parameter_named() {
    let desk = Desk::with("three");
    desk.merels("generate three --full-board draw").exits(0);
    let other = desk.names("tables").into_iter().find(|name| name != "three").unwrap();
    let table = desk.read(&format!("tables/{other}/0-0+3-3.dtw"));
    desk.write(START, table);
    for line in ["list three", "verify three", "stats three", "query three startpos"] {
        let said = desk.merels(line).exits(1);
        said.complains("full-board is draw there and loss here").complains(START);
    }
    let error = desk.merels("query three startpos --json").exits(1).json();
    assert_eq!(error["error"]["code"], "table-of-other-rules");
}

#[test]
fn a_table_of_another_board_is_refused() {
    let desk = Desk::with("three");
    desk.merels("generate three-orthogonal").exits(0);
    desk.write(START, desk.read("tables/three-orthogonal/0-0+3-3.dtw"));
    desk.merels("query three startpos").exits(1).complains("board");
}

#[test]
fn a_table_under_the_name_of_another_is_refused() {
    let desk = Desk::with("three");
    desk.write(START, desk.read("tables/three/3-3.dtw"));
    desk.merels("query three startpos").exits(1).complains("3-3");
    desk.merels("list three").exits(1).complains(START);
}

#[test]
fn a_damaged_inventory_stands_in_nobodys_way() {
    let desk = Desk::with("three");
    desk.write("tables/three/inventory.merels", "rubbish");
    desk.merels("list three").exits(0).says("14 of 14").complains("inventory");
    desk.merels("query three startpos").exits(0);
    desk.remove("tables/three/inventory.merels");
    desk.merels("list three").exits(0).says("14 of 14");
}

#[test]
fn a_missing_table_is_named_with_the_command_that_makes_it() {
    let desk = Desk::with("three");
    desk.remove("tables/three/3-3.dtw");
    desk.remove("tables/three/3-3.wdl");
    let said = desk.merels("query three OO*/@@*/O@* w 0,0").exits(1);
    said.complains("no table of 3-3").complains("merels generate three 3-3");
    desk.merels("query three startpos").exits(0);
}

#[cfg(unix)]
#[test]
fn a_shelf_that_is_being_written_is_left_alone() {
    let desk = Desk::with("three");
    let lock = std::fs::File::open(desk.path("tables/three/lock")).unwrap();
    lock.lock().unwrap();
    // Nothing is to be written to a whole shelf, so nobody is in the way.
    desk.merels("generate three").exits(0);
    desk.remove("tables/three/0-0+3-3.wdl");
    desk.merels("generate three").exits(3).complains("is being written by");
    desk.merels("query three startpos").exits(0);
    drop(lock);
    desk.merels("generate three").exits(0);
}

#[cfg(unix)]
#[test]
fn what_stands_in_the_place_of_the_lock_is_named_with_what_to_do() {
    let desk = Desk::with("three");
    desk.remove("tables/three/0-0+3-3.wdl");
    desk.remove("tables/three/lock");
    std::fs::create_dir(desk.path("tables/three/lock")).unwrap();
    let said = desk.merels("generate three").exits(3);
    said.complains("cannot lock tables/three/lock").complains("move what stands there away");
    desk.merels("query three startpos").exits(0);
}

/// A run that was killed between the rename of a table and the inventory: the next one sets it
/// right, so that the table is missed when it goes.
#[test]
fn a_finished_table_that_was_not_recorded_is_recorded_by_the_next_run() {
    let desk = Desk::with("three");
    let whole = std::fs::read(desk.path("tables/three/inventory.merels")).unwrap();
    let other = Desk::empty();
    other.merels("generate three 3-3").exits(0);
    let early = other.path("tables/three/inventory.merels");
    std::fs::copy(early, desk.path("tables/three/inventory.merels")).unwrap();
    desk.remove("tables/three/0-0+3-3.wdl");
    desk.merels("generate three").exits(0);
    assert_eq!(std::fs::read(desk.path("tables/three/inventory.merels")).unwrap(), whole);
}

#[test]
fn a_run_leaves_no_lines_on_stderr_where_all_is_well() {
    let desk = Desk::empty();
    desk.merels("generate achi").exits(0).complains_of_nothing();
    for line in ["stats achi", "verify achi", "list achi", "query achi startpos", "plan achi"] {
        desk.merels(line).exits(0).complains_of_nothing();
    }
}

/// The same where all tables were finished, and nothing is left to solve.
#[test]
fn a_whole_shelf_gets_its_inventory_right() {
    let desk = Desk::empty();
    desk.merels("generate three 3-3").exits(0);
    let early = desk.read("tables/three/inventory.merels");
    desk.merels("generate three").exits(0);
    let whole = desk.read("tables/three/inventory.merels");
    desk.write("tables/three/inventory.merels", early);
    desk.merels("generate three").exits(0).says("nothing to do");
    assert_eq!(desk.read("tables/three/inventory.merels"), whole);
}

#[cfg(unix)]
#[test]
fn what_stands_in_the_place_of_a_table_and_is_no_file_is_named_once() {
    use std::fs;
    type Put = fn(&Desk);
    let kinds: [Put; 3] = [
        |desk| fs::create_dir(desk.path(START)).unwrap(),
        |desk| desk.pipe(START),
        |desk| std::os::unix::fs::symlink("0-0+3-3.dtw", desk.path(START)).unwrap(),
    ];
    let commands = [
        "stats three",
        "stats three 0-0+3-3",
        "verify three",
        "verify three --checksums",
        "list three",
        "list three 0-0+3-3",
        "generate three",
        "query three startpos",
        "verify three --claims claims.csv",
    ];
    for (put, inventory) in kinds.into_iter().flat_map(|put| [(put, true), (put, false)]) {
        let desk = Desk::with("three");
        desk.write("claims.csv", "position,value\nstartpos,win\n");
        desk.remove(START);
        put(&desk);
        if !inventory {
            desk.remove("tables/three/inventory.merels");
        }
        for command in commands {
            let said = desk.merels(command).exits(1);
            assert!(!said.err.contains("not on the shelf"), "{command}: {}", said.err);
            assert_eq!(said.err.matches(START).count(), 1, "{command}: {}", said.err);
        }
        desk.merels("plan three").exits(0).says("unusable").complains(START);
    }
}
