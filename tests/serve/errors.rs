//! What is not answered, and how that is said.

use crate::desk::{Server, encoded, merels};
use std::fs;

#[test]
fn positions_and_parameters_that_make_no_sense() {
    let server = Server::start();
    for text in ["", "xx", "***/***/*** w 9,9", "startpos moves b2 b2", "OOO", "startpos moves z9"]
    {
        server.position("three", text).refused(400, "bad-position");
        let game = format!("/v1/variants/three/game?position={}", encoded(text));
        server.get(&game).refused(400, "bad-position");
    }
    for words in [
        "position",
        "position?positon=startpos",
        "position?position=startpos&line=yes",
        "position?position=startpos&position=startpos",
        "game",
        "game?position=startpos&line=true",
        "statistics?all=true",
    ] {
        server.get(&format!("/v1/variants/three/{words}")).refused(400, "bad-request");
    }
}

#[test]
fn a_game_without_end_is_too_long() {
    let server = Server::start();
    let text = "O@*/***/@*O w 1,1 moves b2 c3";
    let back = " a3-a2 c3-c2 a2-a3 c2-c3";
    assert_eq!(server.position("three-orthogonal", text).status, 200);
    let ask = |rounds: usize| {
        let text = format!("{text}{}", back.repeat(rounds));
        server.get(&format!("/v1/variants/three-orthogonal/game?position={}", encoded(&text)))
    };
    assert_eq!(ask(100).good()["plies"].as_array().unwrap().len(), 403);
    assert_eq!(ask(249).status, 200);
    ask(250).refused(400, "bad-request");
}

#[test]
fn a_missing_table_is_named_with_the_command_that_makes_it() {
    let server = Server::copy(&["three"]);
    let error = server.position("nine", "startpos").refused(404, "missing-table");
    assert_eq!(error["subspace"], "0-0+9-9");
    let remedy = error["remedy"].as_str().unwrap();
    assert!(remedy.starts_with("merels generate nine 0-0+9-9"), "{remedy}");
    server.get("/v1/variants/backgammon").refused(404, "no-such-variant");
    server.position("backgammon", "startpos").refused(404, "no-such-variant");
}

#[test]
fn a_damaged_table_is_named_and_others_are_not_harmed() {
    let server = Server::copy(&["three"]);
    let whole = server.position("three", "***/***/*** w 3,3").good();
    let length = fs::metadata(server.path("three/3-3.dtw")).unwrap().len() as usize;
    server.flip("three/3-3.dtw", length - 40);
    std::thread::sleep(std::time::Duration::from_millis(1100));
    let error = server.position("three", "@*@/@OO/O** w 0,0").refused(503, "damaged-table");
    assert!(error["file"].as_str().unwrap().ends_with("3-3.dtw"), "{error}");
    assert!(error["remedy"].as_str().unwrap().contains("merels generate three 3-3"), "{error}");
    assert_eq!(server.position("three", "***/***/*** w 3,3").good(), whole);
}

#[test]
fn addresses_and_methods_that_are_not_there() {
    let server = Server::start();
    for address in ["/v1", "/v2/health", "/v1/variants/three/nothing", "/assets/nothing.js"] {
        server.get(address).refused(404, "not-found");
    }
    server.get("/assets/../mod.rs").refused(404, "not-found");
    server.get("/assets/%2e%2e/openapi.json").refused(404, "not-found");
    for method in ["POST", "PUT", "DELETE", "PATCH", "TRACE", "BREW"] {
        for address in ["/v1/health", "/", "/nothing"] {
            let answer = server.ask(method, address, &[]);
            answer.refused(405, "method-not-allowed");
            assert_eq!(answer.header("allow"), "GET, HEAD");
        }
    }
    let said = server.raw("CONNECT x:80 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    assert!(said.starts_with("HTTP/1.1 405 ") && said.contains("method-not-allowed"), "{said}");
    server.get("/v1/health?x=1").refused(400, "bad-request");
}

#[test]
fn who_takes_no_encoding_is_told_so() {
    let server = Server::start();
    let address = "/v1/variants/three/position?position=startpos";
    for none in ["identity;q=0", "br, *;q=0", "gzip;q=0, identity;q=0"] {
        let answer = server.ask("GET", address, &[("accept-encoding", none)]);
        answer.refused(406, "not-acceptable");
    }
    server.ask("GET", address, &[("accept-encoding", "br, identity;q=0.1")]).good();
}

#[test]
fn what_is_too_large_is_not_read() {
    let server = Server::start();
    let long = format!("/v1/variants/three/position?position={}", "a".repeat(17 << 10));
    server.get(&long).refused(414, "too-long");
    let head = "GET /v1/health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n";
    let said = server.raw(&format!("{head}content-length: 100000000\r\n\r\n"));
    assert!(said.starts_with("HTTP/1.1 413 "), "{said}");
    let head = "GET /v1/health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n";
    let said = server.raw(&format!("{head}transfer-encoding: chunked\r\n\r\nffffff\r\nx"));
    assert!(said.starts_with("HTTP/1.1 413 ") && said.contains("\"too-large\""), "{said}");
    let said = server.raw(&format!("GET /{} HTTP/1.1\r\nhost: x\r\n\r\n", "a".repeat(1 << 20)));
    assert!(said.is_empty() || said.starts_with("HTTP/1.1 4"), "{said}");
    let said = server.raw("NONSENSE\r\n\r\n");
    assert!(said.starts_with("HTTP/1.1 400 "), "{said}");
    server.get("/v1/health").good();
}

#[test]
fn a_port_that_is_taken_is_not_shared() {
    let server = Server::start();
    let listen = server.address.to_string();
    let output = merels(&["serve", "--listen", &listen]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains(&listen) && said.contains("--listen"), "{said}");
    assert!(output.stdout.is_empty());
    for listen in ["here", "127.0.0.1", "127.0.0.1:99999"] {
        let output = merels(&["serve", "--listen", listen]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{listen}");
    }
}
