//! Tables that come, go and change while the server stands.

use crate::desk::{Server, merels};
use crate::shipped::shipped;
use serde_json::json;
use std::fs;
use std::thread;
use std::time::Duration;

/// The server looks over a shelf once a second at the most.
fn a_while() {
    thread::sleep(Duration::from_millis(1100));
}

#[test]
fn tables_made_meanwhile_are_seen() {
    let server = Server::copy(&["three"]);
    server.position("achi", "startpos").refused(404, "missing-table");
    assert_eq!(server.get("/v1/variants/achi").good()["missing"], 9);
    let made = merels(&["generate", "achi", "--tables"]).arg(server.path("")).output().unwrap();
    assert!(made.status.success());
    a_while();
    assert_eq!(server.position("achi", "startpos").good()["win_in"], 6);
    let achi = server.get("/v1/variants/achi").good();
    assert_eq!((&achi["missing"], &achi["solved"]), (&json!(0), &json!(true)));
}

#[cfg(unix)]
#[test]
fn a_table_directory_that_is_not_there_is_said_so() {
    let room = tempfile::tempdir().unwrap();
    let server = Server::over(&room.path().join("tabels"), &[]);
    server.position("three", "startpos").refused(404, "missing-table");
    let said = String::from_utf8(server.terminate().stderr).unwrap();
    assert!(said.starts_with("note: there is no directory ") && said.contains("tabels"), "{said}");
}

/// Cut down in place, and not replaced: who touches what has gone from a map is killed by the
/// system.
#[test]
fn a_table_shortened_under_the_server_is_an_error_and_no_end() {
    let server = Server::copy(&["three"]);
    let texts =
        ["@*@/@OO/O** w 0,0", "@*@/@OO/O** b 0,0", "O*@/@OO/@** w 0,0", "@@O/***/OO@ w 0,0"];
    let before = texts.map(|text| server.position("three", text));
    for length in [400, 300, 10, 0] {
        let file = fs::OpenOptions::new().write(true).open(server.path("three/3-3.dtw")).unwrap();
        file.set_len(length).unwrap();
        for (text, before) in texts.iter().zip(&before) {
            let answer = server.position("three", text);
            if answer.status != 200 {
                answer.refused(503, "damaged-table");
            } else {
                assert_eq!(answer.body, before.body, "{text}");
            }
        }
        a_while();
        server.position("three", texts[0]).refused(503, "damaged-table");
        server.get("/v1/health").good();
    }
}

#[test]
fn values_alone_are_told_and_depths_are_seen_when_they_come() {
    let server = Server::copy(&["three"]);
    let away = |name: &str| fs::remove_file(server.path(name)).unwrap();
    let text = "@*@/@OO/O** w 0,0";
    assert_eq!(server.position("three", text).good()["depth_known"], true);
    away("three/3-3.dtw");
    a_while();
    assert_eq!(server.position("three", text).good()["depth_known"], false);
    let coverage = server.get("/v1/variants/three").good()["coverage"].clone();
    assert_eq!(coverage[0], json!({"subspace": "3-3", "values": true, "depths": false}));
    fs::copy(shipped().join("three/3-3.dtw"), server.path("three/3-3.dtw")).unwrap();
    a_while();
    assert_eq!(server.position("three", text).good()["depth_known"], true);
    away("three/3-3.dtw");
    away("three/3-3.wdl");
    a_while();
    server.position("three", text).refused(404, "missing-table");
    assert_eq!(server.get("/v1/variants/three").good()["tables"], 6);
    let statistics = server.get("/v1/variants/three/statistics").good();
    assert_eq!(statistics["subspaces"].as_array().unwrap().len(), 6);
}
