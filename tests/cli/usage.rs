//! What is said to somebody who has not asked for anything that makes sense.

use crate::desk::Desk;

#[test]
fn help_names_the_commands_the_statuses_and_the_environment() {
    let said = Desk::empty().merels("--help").exits(0).complains_of_nothing();
    let commands = [
        "rules", "plan", "generate", "query", "play", "uci", "serve", "verify", "stats", "pack",
        "list",
    ];
    for word in commands {
        assert!(said.out.contains(&format!("\n  {word} ")), "{word}");
    }
    said.says("Exit status:").says("130  interrupted").says("MERELS_TABLES").says("Examples:");
}

#[test]
fn every_command_has_help() {
    let commands =
        ["rules", "plan", "generate", "query", "play", "uci", "verify", "stats", "pack", "list"];
    for command in commands {
        let said = Desk::empty().merels(&format!("{command} --help")).exits(0);
        let said = said.says(&format!("merels {command}")).says("--rules <FILE>");
        for flag in ["--tables", "--threads", "--json", "--flying", "--protection"] {
            assert!(said.out.contains(flag), "{command} {flag}");
        }
    }
}

#[test]
fn no_command_is_bad_usage() {
    Desk::empty().merels("").exits(2).says_nothing_on_stdout();
}

#[test]
fn an_unknown_command_or_flag_is_bad_usage() {
    Desk::empty().merels("frobnicate").exits(2);
    Desk::empty().merels("stats three --frobnicate").exits(2);
}

#[test]
fn an_unknown_variant_lists_the_known_ones_and_the_closest() {
    for command in ["rules", "plan", "generate", "stats", "verify", "list"] {
        let said = Desk::empty().merels(&format!("{command} nin")).exits(2);
        said.complains("unknown variant \"nin\"")
            .complains("three-orthogonal")
            .complains("did you mean nine?");
    }
    Desk::empty().merels("query nin startpos").exits(2).complains("did you mean nine?");
}

#[test]
fn a_variant_left_out_is_bad_usage() {
    for command in ["plan", "generate", "query", "verify", "stats", "list"] {
        Desk::empty().merels(command).exits(2).complains("no variant is named");
    }
}

#[test]
fn a_subspace_that_the_variant_does_not_have_is_bad_text() {
    for command in ["plan", "generate", "verify", "stats", "list"] {
        let desk = Desk::empty();
        desk.merels(&format!("{command} three 9-9")).exits(2).complains("9-9");
        desk.merels(&format!("{command} three three")).exits(2).complains("5-4+2-1");
    }
}

#[test]
fn a_word_that_is_no_value_of_its_parameter_is_bad_usage() {
    let rows = [
        ("--board cube", "rings3-diagonal"),
        ("--men many", "9,8"),
        ("--men 13", "1 to 12"),
        ("--men 2 --mill remove", "at least 3"),
        ("--flying sometimes", "never, at-three, always"),
        ("--mill explodes", "remove, wins"),
        ("--placing later", "place-first, free"),
        ("--full-board win", "draw, loss"),
        ("--blocked win", "loss, draw"),
        ("--protection some", "unless-all, never"),
    ];
    for (flags, expected) in rows {
        Desk::empty().merels(&format!("rules six {flags}")).exits(2).complains(expected);
    }
}

#[test]
fn threads_and_amounts_are_checked() {
    let desk = Desk::empty();
    desk.merels("generate three --threads 0").exits(2);
    desk.merels("generate three --threads many").exits(2);
    desk.merels("generate three --memory plenty").exits(2).complains("8GiB");
    desk.merels("verify three --sample 0").exits(2);
    desk.merels("generate nine --max-stones 1").exits(2).complains("the fewest are 6");
    desk.merels("generate three 2-2+1-1 --max-stones 2").exits(2).complains("the fewest are 6");
}

#[test]
fn questions_that_exclude_each_other_are_bad_usage() {
    let desk = Desk::with("three");
    desk.merels("verify three --sample 3 --checksums").exits(2);
    desk.merels("verify three 3-3 --claims x.csv").exits(2);
    desk.merels("stats three --csv --json").exits(2);
    desk.merels("query three startpos --batch x.txt").exits(2);
    desk.merels("query three").exits(2).complains("no position is given");
}

#[cfg(unix)]
#[test]
fn arguments_that_are_no_text_are_bad_usage() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let desk = Desk::empty();
    let mut command = desk.command(&["stats"]);
    let output = command.arg(OsStr::from_bytes(b"thr\xffee")).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn few_stones_and_named_subspaces_are_both_wanted() {
    let desk = Desk::empty();
    let plan = desk.merels("plan nine 4-4 --max-stones 6 --json").exits(0).json();
    let all = desk.merels("plan nine --max-stones 6 --json").exits(0).json();
    let count = |plan: &serde_json::Value| plan["total"]["subspaces"].as_u64().unwrap();
    // 4-4, the pair 4-3 and 3-4 that it needs, and what there is anyway.
    assert_eq!(count(&plan), count(&all) + 3);
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_a_failure_of_the_world() {
    use std::process::{Command, Stdio};
    let said = |words: &[&str]| {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_merels"));
        let child = command.args(words).stdout(full).stderr(Stdio::piped()).spawn();
        child.unwrap().wait_with_output().unwrap()
    };
    for words in [&["rules"][..], &["rules", "nine", "--json"], &["--help"], &["--version"]] {
        let output = said(words);
        assert_eq!(output.status.code(), Some(3), "{words:?}");
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(err.contains("cannot write the output"), "{words:?}: {err}");
    }
}

#[cfg(unix)]
#[test]
fn a_reader_that_has_gone_is_no_fault() {
    let desk = Desk::empty();
    for line in ["rules", "plan nine", "--help"] {
        desk.unheard(line).exits(0).complains_of_nothing();
    }
}

#[cfg(unix)]
#[test]
fn a_reader_that_has_gone_makes_no_verdict_good() {
    let desk = Desk::with("three");
    let claims = |value: &str| {
        desk.write("claims.csv", format!("position,value\nstartpos,{value}\n"));
        desk.unheard("verify three --claims claims.csv")
    };
    claims("win").exits(0);
    claims("loss").exits(1).complains("not all claims hold");
    desk.unheard("list three").exits(0);
    desk.unheard("verify three --json").exits(0);
    desk.unheard("verify three").exits(3).complains("1 of 7 subspaces, without a verdict");
    desk.flip("tables/three/3-3.wdl", 256);
    for line in ["list three", "list three --json", "verify three", "verify three --json"] {
        desk.unheard(line).exits(1).complains("tables/three/3-3.wdl is damaged");
    }
}
