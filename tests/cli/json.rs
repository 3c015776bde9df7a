//! `--json` where something fails: an object for programs, the same words for people.

use crate::desk::{Desk, Said, keys};

/// The one object on stdout, which says why.
#[track_caller]
fn failure(said: &Said, code: &str) {
    let told = said.json();
    assert_eq!(keys(&told), ["error"]);
    // What helps is told where people are told it.
    let hint = said.err.lines().find_map(|line| line.strip_prefix("hint: "));
    assert_eq!(told["error"]["remedy"].as_str(), hint);
    let known =
        if hint.is_some() { &["code", "message", "remedy"][..] } else { &["code", "message"] };
    assert_eq!(keys(&told["error"]), known);
    assert_eq!(told["error"]["code"], code);
    let message = told["error"]["message"].as_str().unwrap();
    assert!(said.err.contains(&format!("error: {message}")), "{message}\n{}", said.err);
}

#[test]
fn every_command_tells_programs_why_it_failed() {
    let desk = Desk::empty();
    desk.write("bad.toml", "men = 3");
    let words = ["rules nin", "plan nin", "generate nin", "query nin startpos", "verify nin"];
    for line in words.iter().chain(&["stats nin", "list nin"]) {
        failure(&desk.merels(&format!("{line} --json")).exits(2), "unknown-variant");
    }
    let rows = [
        ("rules --rules bad.toml", 2, "bad-rules"),
        ("rules --rules nowhere", 3, "io"),
        ("plan three 9-9", 2, "outside-variant"),
        ("generate three --memory 1", 3, "memory"),
        ("stats three", 1, "missing-table"),
        ("stats three 3-3", 1, "missing-table"),
        ("list three", 1, "missing-table"),
        ("verify three", 1, "missing-table"),
        ("verify three --claims nowhere", 3, "io"),
        ("query three --batch nowhere", 3, "io"),
        ("query three startpos", 1, "missing-table"),
    ];
    for (line, status, code) in rows {
        failure(&desk.merels(&format!("{line} --json")).exits(status), code);
    }
}

#[test]
fn words_that_make_no_command_are_told_as_well() {
    let desk = Desk::empty();
    for line in ["--json", "frobnicate --json", "stats three --frobnicate --json", "--json plan -x"]
    {
        failure(&desk.merels(line).exits(2), "usage");
    }
    desk.merels("stats three --frobnicate -- --json").exits(2).says_nothing_on_stdout();
}

#[test]
fn an_answer_that_says_what_is_wrong_stands_alone() {
    let desk = Desk::with("three");
    desk.flip("tables/three/0-0+3-3.dtw", 256);
    let report = desk.merels("verify three --json").exits(1).json();
    assert_eq!(report["ok"], false);
    let rows = desk.merels("list three --json").exits(1).json();
    assert_eq!(rows.as_array().unwrap().len(), 14);
    desk.flip("tables/three/0-0+3-3.dtw", 100);
    let rows = desk.merels("stats three --json").exits(1).json();
    assert_eq!(rows.as_array().unwrap().len(), 6);
    failure(&desk.merels("stats three 0-0+3-3 --json").exits(1), "damaged-table");
}
