//! `verify --claims`: what another solver says.

use crate::desk::{Desk, keys};

const RIGHT: &str = "variant,position,value,depth\n\
    three,***/***/*** w 3,3,win,9\n";

#[test]
fn claims_that_hold_are_counted() {
    let desk = Desk::with("three");
    desk.write(
        "claims.csv",
        "variant,position,value,depth\n\
         three,\"***/***/*** w 3,3\",win,9\n\
         three,\"***/*O*/*** b 2,3\",loss,8\n\
         three,\"O**/***/*** b 2,3\",draw,\n\
         nine,\"whatever\",win,1\n",
    );
    let said = desk.merels("verify three --claims claims.csv").exits(0).complains_of_nothing();
    said.says("agreements: 3").says("rows of other variants: 1");
    let report = desk.merels("verify three --claims claims.csv --json").exits(0).json();
    assert_eq!(
        keys(&report),
        ["agreements", "bad", "disagreements", "ok", "other_variants", "outside", "variant"]
    );
    assert_eq!(report["agreements"], 3);
    assert_eq!(report["other_variants"], 1);
}

#[test]
fn rows_under_other_names_of_the_variant_are_checked() {
    let desk = Desk::with("three");
    let claims = "variant,position,value,depth\ntapatan,startpos,win,9\n";
    desk.fed("verify three --claims -", claims).exits(0).says("agreements: 1");
}

#[test]
fn claims_of_which_none_was_checked_do_not_hold() {
    let desk = Desk::with("three");
    let claims = "variant,position,value,depth\nnine,startpos,draw,\n";
    desk.fed("verify three --claims -", claims).exits(1).complains("no claim was checked: 1 row");
    let report = desk.fed("verify three --claims - --json", claims).exits(1).json();
    assert_eq!((&report["ok"], &report["other_variants"]), (&false.into(), &1.into()));
    desk.fed("verify three --claims -", "position,value\n").exits(1).complains("no claim");
}

#[test]
fn a_line_without_end_is_not_waited_for() {
    let desk = Desk::with("three");
    let said = desk.fed("verify three --claims -", vec![0; 3 << 20]);
    said.exits(3).complains("standard input: the claims cannot be read: a line has more than");
    #[cfg(target_os = "linux")]
    desk.merels("verify three --claims /dev/zero").exits(3).complains("a line has more than");
}

#[test]
fn columns_are_not_passed_over_for_their_capitals_nor_taken_at_will() {
    let desk = Desk::with("three");
    let said = desk.fed("verify three --claims -", "Position,value,Depth\nstartpos,win,8\n");
    said.exits(1).says("claimed win in 8 plies, stored win in 9 plies");
    let said = desk.fed("verify three --claims -", "position,value,Value\nstartpos,win,loss\n");
    said.exits(2).complains("more than one column \"value\"");
    let claims = "position,value,variant\nstartpos,win,three\nstartpos,loss,\nstartpos,loss\n";
    let said = desk.fed("verify three --claims -", claims).exits(1).says("bad rows: 2");
    said.says("line 3: makes no sense: variant: expected a name, found nothing");
}

#[test]
fn a_claim_that_does_not_hold_is_listed() {
    let desk = Desk::with("three");
    let claims = "position,value,depth\n\"***/***/*** w 3,3\",win,11\nstartpos,win,\n";
    let said = desk.fed("verify three --claims -", claims).exits(1);
    said.says("line 2: ***/***/*** w 3,3: claimed win in 11 plies, stored win in 9 plies")
        .says("agreements: 1")
        .complains("not all claims hold");
}

#[test]
fn the_columns_depth_and_variant_may_be_left_out() {
    let desk = Desk::with("three");
    desk.fed("verify three --claims -", "value,position\nwin,startpos\n").exits(0);
}

#[test]
fn a_position_outside_the_tables_is_counted_and_is_a_no() {
    let desk = Desk::empty();
    desk.merels("generate three 3-3").exits(0);
    let said = desk.fed("verify three --claims -", "position,value\nstartpos,win\n").exits(1);
    said.says("outside the tables: 1").complains("merels generate three");
}

#[test]
fn a_row_that_makes_no_sense_is_a_no() {
    let desk = Desk::with("three");
    let claims = "position,value\nrubbish,win\nstartpos,victory\nstartpos,win\n";
    let said = desk.fed("verify three --claims -", claims).exits(1);
    said.says("bad rows: 2").says("agreements: 1").says("line 3");
}

#[test]
fn a_file_without_the_columns_is_bad_text() {
    let desk = Desk::with("three");
    desk.fed("verify three --claims -", "a,b\n1,2\n").exits(2).complains("position");
    desk.fed("verify three --claims -", "").exits(2);
    desk.fed("verify three --claims -", b"position,val\xffue\n".to_vec()).exits(2);
}

#[test]
fn commas_that_are_not_quoted_do_not_pass_for_something_else() {
    Desk::with("three").fed("verify three --claims -", RIGHT).exits(1).says("bad rows: 1");
}

#[test]
fn a_file_that_is_not_there_is_a_failure_of_the_world() {
    let desk = Desk::with("three");
    desk.merels("verify three --claims nowhere").exits(3).complains("nowhere");
    desk.merels("verify three --claims tables").exits(3).complains("tables: the claims cannot");
}

#[test]
fn overridden_rules_go_by_their_name_or_by_that_of_their_variant() {
    let desk = Desk::empty();
    desk.merels("generate three --flying always").exits(0);
    let claims = "variant,position,value\n\
        three,startpos,win\nthree+flying=always,startpos,win\nachi,startpos,win\n";
    let report = desk.fed("verify three --flying always --claims - --json", claims).json();
    assert_eq!(report["other_variants"], 1);
}

#[test]
fn a_row_that_is_no_text_is_a_bad_row() {
    let desk = Desk::with("three");
    let claims =
        b"variant,position,value\nthree,\xff,win\nthree,startpos,win\nnine,\xff,\n".to_vec();
    let said = desk.fed("verify three --claims -", claims).exits(1);
    said.says("line 2").says("not UTF-8").says("bad rows: 1").says("agreements: 1");
}
