//! `query --batch`: a line for a line.

use crate::desk::{Desk, keys};

#[test]
fn every_line_is_answered_in_its_order() {
    let desk = Desk::with("three");
    desk.write("positions", "startpos\n***/*O*/*** b 2,3\n***/***/*** b 3,3");
    let said = desk.merels("query three --batch positions").exits(0).complains_of_nothing();
    let answers = said.json_lines();
    assert_eq!(answers.len(), 3);
    assert_eq!(answers[0]["position"], "***/***/*** w 3,3");
    assert_eq!(answers[1]["position"], "***/*O*/*** b 2,3");
    assert_eq!(answers[2]["depth"], 9);
    let one = desk.merels("query three startpos --json").exits(0).json();
    assert_eq!(answers[0], one);
}

#[test]
fn standard_input_is_a_dash() {
    let said = Desk::with("three").fed("query three --batch -", "startpos\r\nstartpos\r\n");
    assert_eq!(said.exits(0).json_lines().len(), 2);
}

#[test]
fn bad_lines_say_so_in_their_place_and_the_rest_is_answered() {
    let desk = Desk::with("three");
    let input = b"startpos\nrubbish\n\n\xff\xfe\nstartpos moves b2\n".to_vec();
    let said = desk.fed("query three --batch -", input).exits(1).complains("3 of 5 lines");
    let answers = said.json_lines();
    assert_eq!(answers.len(), 5);
    for (place, line) in [(1, 2), (2, 3), (3, 4)] {
        let error = &answers[place]["error"];
        assert_eq!(keys(&answers[place]), ["error"]);
        assert_eq!(keys(error), ["code", "line", "message"]);
        assert_eq!(error["line"], line);
        assert_eq!(error["code"], "bad-position");
    }
    assert_eq!(answers[4]["value"], "loss");
}

#[test]
fn a_position_outside_the_tables_is_a_bad_line() {
    let desk = Desk::empty();
    desk.merels("generate three 3-3").exits(0);
    let said = desk.fed("query three --batch -", "startpos\nOO*/@@*/O@* w 0,0\n").exits(1);
    let answers = said.json_lines();
    assert_eq!(answers[0]["error"]["code"], "missing-table");
    assert_eq!(answers[0]["error"]["line"], 1);
    assert_eq!(answers[1]["value"], "draw");
}

#[test]
fn nothing_in_is_nothing_out() {
    Desk::with("three").fed("query three --batch -", "").exits(0).says_nothing_on_stdout();
}

#[test]
fn a_line_without_end_is_a_bad_line() {
    let desk = Desk::with("three");
    let mut input = vec![b'O'; 1 << 20];
    input.extend(b"\nstartpos\n");
    let answers = desk.fed("query three --batch -", input).exits(1).json_lines();
    assert_eq!(answers.len(), 2);
    assert_eq!(answers[0]["error"]["line"], 1);
    assert_eq!(answers[1]["value"], "win");
}

#[test]
fn many_lines_keep_their_order() {
    let desk = Desk::with("three");
    let texts = ["startpos", "***/*O*/*** b 2,3", "O**/***/*** b 2,3", "oops"];
    let input: String = (0..40_000).map(|i| format!("{}\n", texts[i % 4])).collect();
    let answers = desk.fed("query three --batch -", input).exits(1).json_lines();
    assert_eq!(answers.len(), 40_000);
    for (i, answer) in answers.iter().enumerate() {
        match i % 4 {
            3 => assert_eq!(answer["error"]["line"], i + 1),
            0 => assert_eq!(answer["position"], "***/***/*** w 3,3"),
            kind => assert_eq!(answer["position"], texts[kind]),
        }
    }
}

#[test]
fn a_file_that_is_not_there_is_a_failure_of_the_world() {
    Desk::with("three").merels("query three --batch nowhere").exits(3).complains("nowhere");
}

#[test]
fn a_batch_can_have_lines_too() {
    let answers = Desk::with("three").fed("query three --line --batch -", "startpos\n").exits(0);
    assert_eq!(answers.json_lines()[0]["line"].as_array().unwrap().len(), 9);
}

#[cfg(unix)]
#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    use std::io::Read;
    use std::process::{Command, Stdio};
    let desk = Desk::with("three");
    desk.write("positions", "startpos\n".repeat(100_000));
    let mut command = Command::new(env!("CARGO_BIN_EXE_merels"));
    let command = command.current_dir(desk.path("")).args(["query", "three"]);
    let command = command.args(["--batch", "positions"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_a_failure_of_the_world() {
    use std::process::{Command, Stdio};
    let desk = Desk::with("three");
    for words in [&["stats", "three"][..], &["query", "three", "startpos", "--json"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_merels"));
        let command = command.current_dir(desk.path("")).args(words);
        let output = command.stdout(Stdio::from(full)).output().unwrap();
        assert_eq!(output.status.code(), Some(3));
        assert!(String::from_utf8(output.stderr).unwrap().contains("cannot write the output"));
    }
}
