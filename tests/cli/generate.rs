//! `generate`: what is written, where, and what happens when it is asked again.

use crate::desk::Desk;

#[test]
fn a_whole_variant_is_solved_and_reported() {
    let desk = Desk::empty();
    let said = desk.merels("generate three").exits(0).complains_of_nothing();
    said.says("7 subspaces").says("deepest win: 9 plies").says("tables/three");
    assert_eq!(desk.names("tables/three").iter().filter(|n| n.ends_with(".dtw")).count(), 7);
    assert_eq!(desk.names("tables/three").iter().filter(|n| n.ends_with(".wdl")).count(), 7);
}

#[test]
fn what_is_named_is_solved_with_what_it_needs_and_nothing_else() {
    let desk = Desk::empty();
    desk.merels("generate three 2-3+1-0").exits(0);
    let names = desk.names("tables/three");
    let tables: Vec<_> = names.iter().filter(|name| name.ends_with(".dtw")).collect();
    assert_eq!(tables, ["2-3+1-0.dtw", "3-3.dtw"]);
}

#[test]
fn the_same_command_again_finds_nothing_to_do() {
    let desk = Desk::with("three");
    let before = desk.read("tables/three/3-3.dtw");
    desk.merels("generate three").exits(0).says("0 subspaces solved").says("nothing to do");
    let said = desk.merels("generate three --tables ./tables").exits(0);
    said.says("by their headers").says("merels list three --tables ./tables");
    assert_eq!(before, desk.read("tables/three/3-3.dtw"));
}

#[test]
fn a_run_goes_on_from_what_is_there() {
    let desk = Desk::with("three");
    let whole = desk.read("tables/three/1-2+2-1.dtw");
    desk.remove("tables/three/1-2+2-1.dtw");
    let report = desk.merels("generate three --json").exits(0).json();
    assert_eq!(report["held"], 6);
    let written = report["written"].as_array().unwrap();
    assert!(written.iter().all(|table| table["subspace"] == "1-2+2-1"));
    assert_eq!(desk.read("tables/three/1-2+2-1.dtw"), whole);
}

#[test]
fn a_report_has_keys_for_programs() {
    let report = Desk::empty().merels("generate three --json").exits(0).json();
    assert_eq!(report["variant"], "three");
    assert_eq!(report["directory"], "tables/three");
    assert_eq!(report["held"], 0);
    let table = &report["written"][0];
    assert_eq!(table["file"], "3-3.wdl");
    assert_eq!(table["plane"], "wdl");
    assert_eq!(table["entries"], 320);
    assert_eq!(table["digest"].as_str().unwrap().len(), 32);
}

#[test]
fn the_bytes_are_the_same_for_any_number_of_threads() {
    let (one, two) = (Desk::empty(), Desk::empty());
    one.merels("generate five --threads 1").exits(0);
    two.merels("generate five --threads 2").exits(0);
    let names = one.names("tables/five");
    assert_eq!(names, two.names("tables/five"));
    for name in names.iter().filter(|name| name.contains('-')) {
        let file = format!("tables/five/{name}");
        assert!(one.read(&file) == two.read(&file), "{name}");
    }
}

#[test]
fn verbose_says_a_line_for_each_unit() {
    let said = Desk::empty().merels("generate three --verbose").exits(0);
    assert_eq!(said.err.lines().count(), 7);
    said.complains("3-3: 320 entries");
}

#[test]
fn the_directory_comes_from_the_flag_else_from_the_environment() {
    let desk = Desk::empty();
    desk.command(&["generate", "three"]).env("MERELS_TABLES", "shelf").assert().success();
    assert!(desk.path("shelf/three/3-3.dtw").exists());
    assert!(!desk.path("tables").exists());
    let flag = ["stats", "three", "--tables", "elsewhere"];
    desk.command(&flag).env("MERELS_TABLES", "shelf").assert().code(1);
    desk.command(&["stats", "three"]).env("MERELS_TABLES", "shelf").assert().success();
    desk.merels("--tables shelf stats three").exits(0);
}

#[test]
fn too_little_memory_is_refused_with_numbers_before_anything_is_done() {
    let desk = Desk::empty();
    let said = desk.merels("generate three --memory 1MiB").exits(3);
    said.complains("allowed are 1 MiB").complains("--memory");
    assert!(!desk.path("tables/three/3-3.dtw").exists());
}

#[test]
fn rule_sets_live_side_by_side_under_one_directory() {
    let desk = Desk::with("three");
    desk.merels("generate three --men 2").exits(0);
    desk.merels("generate three --flying always --blocked draw").exits(0);
    assert_eq!(desk.names("tables").len(), 3);
    desk.merels("verify three").exits(0);
    desk.merels("verify three --men 2").exits(0);
    desk.merels("verify three --flying always --blocked draw").exits(0);
    desk.merels("verify three --flying always").exits(1).complains("the shelf is empty");
}

#[test]
fn unequal_numbers_of_men_are_solved() {
    let desk = Desk::empty();
    desk.merels("generate three --men 3,2").exits(0);
    desk.merels("verify three --men 3,2").exits(0).says("no fault");
    let answer = desk.merels("query three --men 3,2 startpos --json").exits(0).json();
    assert_eq!(answer["position"], "***/***/*** w 3,2");
}

#[test]
fn every_small_game_has_its_known_result() {
    let rows = [
        ("three", "win", Some(9)),
        ("three-orthogonal", "draw", None),
        ("nine-holes", "draw", None),
        ("achi", "win", Some(11)),
        ("five", "draw", None),
    ];
    for (variant, value, depth) in rows {
        let desk = Desk::with(variant);
        let answer = desk.merels(&format!("query {variant} startpos --json")).exits(0).json();
        assert_eq!(answer["value"], value, "{variant}");
        assert_eq!(answer["depth"].as_u64(), depth, "{variant}");
    }
}

#[test]
fn a_file_where_the_directory_should_be_is_a_failure_of_the_world() {
    let desk = Desk::empty();
    desk.write("tables", "not a directory");
    desk.merels("generate three").exits(3).complains("tables");
    desk.merels("stats three").exits(3);
    desk.merels("generate three --tables tables/deeper").exits(3);
}

#[cfg(target_os = "linux")]
#[test]
fn a_directory_that_cannot_be_written_is_a_failure_of_the_world() {
    // Not even the superuser makes directories there.
    let said = Desk::empty().merels("generate three --tables /proc/merels").exits(3);
    said.complains("/proc/merels").complains("cannot be made there").complains("--tables");
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_says_so_and_loses_nothing_finished() {
    use std::process::{Command, Stdio};
    use std::time::Duration;
    let desk = Desk::empty();
    let mut child = Command::new(env!("CARGO_BIN_EXE_merels"));
    let child = child.current_dir(desk.path("")).args(["generate", "nine", "--max-stones", "12"]);
    let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while !desk.path("tables/nine/3-3.dtw").exists() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    desk.merels("list nine --quick").exits(0).says("3-3.dtw").says("whole");
    assert!(!desk.names("tables/nine").iter().any(|name| name.ends_with("partial")));
}
