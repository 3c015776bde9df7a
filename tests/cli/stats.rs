//! `stats`: counts from the headers.

use crate::desk::{Desk, keys};

const CSV: &str = "subspace,positions,wins,draws,losses,deepest_win,deepest_loss";

#[test]
fn people_see_positions_and_boards() {
    let said = Desk::with("three").merels("stats three").exits(0).complains_of_nothing();
    said.says("subspace").says("228").says("1,680").says("in all");
}

#[test]
fn csv_has_its_header_and_leaves_empty_what_is_not_there() {
    let said = Desk::with("three").merels("stats three --csv").exits(0);
    let lines: Vec<&str> = said.out.lines().collect();
    assert_eq!(lines.len(), 8);
    assert_eq!(lines[0], CSV);
    assert_eq!(lines[1], "3-3,228,120,45,63,9,10");
    assert_eq!(lines[7], "0-0+3-3,1,1,0,0,9,");
}

#[test]
fn json_has_its_keys_and_counts_boards_too() {
    let rows = Desk::with("three").merels("stats three 0-0+3-3 3-3 --json").exits(0).json();
    let expected = [
        "boards",
        "deepest_loss",
        "deepest_win",
        "draws",
        "losses",
        "positions",
        "subspace",
        "wins",
    ];
    assert_eq!(keys(&rows[1]), expected);
    assert_eq!(keys(&rows[1]["boards"]), ["draws", "losses", "total", "wins"]);
    assert_eq!(rows[0]["subspace"], "0-0+3-3");
    assert!(rows[0]["deepest_loss"].is_null());
    assert_eq!(rows[1]["positions"], 228);
    assert_eq!(rows[1]["boards"]["total"], 1680);
    assert_eq!(rows[1]["boards"]["wins"], 924);
}

#[test]
fn a_plot_is_an_svg_with_a_bar_for_each_subspace() {
    let desk = Desk::with("three");
    desk.merels("stats three --plot three.svg").exits(0);
    let svg = String::from_utf8(desk.read("three.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    for text in ["3-3", "0-0+3-3", "228", "deepest win", "draw"] {
        assert!(svg.contains(text), "{text}");
    }
    assert!(!desk.names("").iter().any(|name| name.ends_with("partial")));
}

#[test]
fn a_plot_that_cannot_be_written_leaves_nothing_behind() {
    let desk = Desk::with("three");
    desk.merels("stats three --plot nowhere/three.svg").exits(3).complains("nowhere/three.svg");
    desk.write("block", "");
    desk.merels("stats three --plot block/three.svg").exits(3);
}

#[test]
fn tables_that_are_not_there_are_mentioned_and_named_ones_are_a_no() {
    let desk = Desk::empty();
    desk.merels("generate three 2-3+1-0").exits(0);
    let said = desk.merels("stats three --csv").exits(0).complains("not on the shelf");
    assert_eq!(said.out.lines().count(), 3);
    let said = desk.merels("stats three 3-3 0-0+3-3 --csv").exits(1).says_nothing_on_stdout();
    said.complains("0-0+3-3").complains("merels generate three 0-0+3-3");
}

#[test]
fn one_plane_is_enough() {
    let desk = Desk::with("three");
    desk.remove("tables/three/3-3.dtw");
    desk.merels("stats three 3-3 --csv").exits(0).says("3-3,228,120,45,63,9,10");
    desk.merels("stats three").exits(0).complains("3-3.dtw");
}

#[cfg(unix)]
#[test]
fn a_plot_goes_where_a_link_leads_and_the_link_stays() {
    use std::os::unix::fs::symlink;
    let desk = Desk::with("three");
    desk.write("old.svg", "old");
    std::fs::create_dir(desk.path("there")).unwrap();
    symlink("old.svg", desk.path("link.svg")).unwrap();
    symlink("there/new.svg", desk.path("first.svg")).unwrap();
    symlink("first.svg", desk.path("second.svg")).unwrap();
    for (link, file) in [("link.svg", "old.svg"), ("second.svg", "there/new.svg")] {
        desk.merels(&format!("stats three --plot {link}")).exits(0);
        assert!(desk.path(link).is_symlink());
        assert!(!desk.path(file).is_symlink());
        assert!(desk.read(file).starts_with(b"<svg"));
    }
    symlink("loop.svg", desk.path("loop.svg")).unwrap();
    desk.merels("stats three --plot loop.svg").exits(3).complains("loop.svg");
    assert!(desk.path("loop.svg").is_symlink());
    assert_eq!(desk.names("there"), ["new.svg"]);
}

#[cfg(unix)]
#[test]
fn a_plot_is_written_through_what_is_no_regular_file() {
    use std::os::unix::fs::FileTypeExt;
    let desk = Desk::with("three");
    desk.pipe("pipe");
    let pipe = desk.path("pipe");
    let reader = std::thread::spawn(move || std::fs::read(pipe).unwrap());
    desk.merels("stats three --plot pipe").exits(0);
    let file = std::fs::metadata(desk.path("pipe")).unwrap();
    assert!(file.file_type().is_fifo());
    assert!(reader.join().unwrap().starts_with(b"<svg"));
    std::fs::create_dir(desk.path("room")).unwrap();
    desk.merels("stats three --plot room").exits(3).complains("room");
    assert!(desk.path("room").is_dir());
}
