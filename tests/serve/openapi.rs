//! The description holds what is answered, and all of it.

use crate::desk::{Answer, Server};
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn description(server: &Server) -> Value {
    server.get("/openapi.json").good()
}

#[test]
fn every_address_is_described_and_no_other() {
    let described = description(&Server::start());
    assert_eq!(described["openapi"], "3.1.0");
    let paths: BTreeSet<&str> =
        described["paths"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(paths, merels::serve::PATHS.into_iter().collect());
}

/// What is wrong with an answer, by what is described for its path and status.
#[track_caller]
fn faults(described: &Value, path: &str, status: u16, said: &Value) -> Vec<String> {
    let mut response = &described["paths"][path]["get"]["responses"][status.to_string().as_str()];
    if let Some(place) = response["$ref"].as_str() {
        response = described.pointer(place.trim_start_matches('#')).unwrap();
    }
    assert!(response.is_object(), "{path}: status {status} is not described");
    let schema = &response["content"]["application/json"]["schema"];
    let whole = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "allOf": [schema],
        "components": described["components"],
    });
    let validator = jsonschema::validator_for(&whole).unwrap();
    validator.iter_errors(said).map(|fault| fault.to_string()).collect()
}

#[track_caller]
fn agrees(described: &Value, path: &str, answer: &Answer) {
    let said = answer.json();
    let faults = faults(described, path, answer.status, &said);
    assert!(faults.is_empty(), "{path}: {faults:?}\n{said}");
}

#[test]
fn the_description_would_notice() {
    let server = Server::start();
    let described = description(&server);
    let path = "/v1/variants/{variant}/position";
    let good = server.position("three", "startpos").good();
    assert!(faults(&described, path, 200, &good).is_empty());
    let spoil = |change: fn(&mut Value)| {
        let mut spoiled = good.clone();
        change(&mut spoiled);
        assert!(!faults(&described, path, 200, &spoiled).is_empty(), "{spoiled}");
    };
    spoil(|answer| answer["more"] = json!(1));
    spoil(|answer| answer["value"] = json!("won"));
    spoil(|answer| answer["turns"][0]["depth"] = json!("9"));
    spoil(|answer| drop(answer.as_object_mut().unwrap().remove("depth_known")));
}

#[test]
fn answers_are_as_described() {
    let server = Server::copy(&["three"]);
    let described = description(&server);
    let of = "/v1/variants/{variant}";
    let rows = [
        ("/openapi.json", "/openapi.json".to_owned(), 200),
        ("/v1/health", "/v1/health".to_owned(), 200),
        ("/v1/variants", "/v1/variants".to_owned(), 200),
        ("/v1/variants", "/v1/variants?x=1".to_owned(), 400),
        (of, "/v1/variants/three".to_owned(), 200),
        (of, "/v1/variants/lasker".to_owned(), 200),
        (of, "/v1/variants/none".to_owned(), 404),
    ];
    for (path, address, status) in rows {
        let answer = server.get(&address);
        assert_eq!(answer.status, status, "{address}");
        agrees(&described, path, &answer);
    }
    let rows = [
        ("three/position?position=startpos", 200),
        ("three/position?position=startpos&line=true", 200),
        ("three/position?position=startpos+moves+b2+a3+c2+b3+a2", 200),
        ("three/position?position=nonsense", 400),
        ("three/position", 400),
        ("nine/position?position=startpos", 404),
        ("three/game?position=startpos+moves+b2", 200),
        ("nine/game?position=startpos+moves+d6", 200),
        ("none/game?position=startpos", 404),
        ("three/statistics", 200),
        ("none/statistics", 404),
    ];
    for (rest, status) in rows {
        let answer = server.get(&format!("/v1/variants/{rest}"));
        assert_eq!(answer.status, status, "{rest}");
        let last = rest.split(['/', '?']).nth(1).unwrap();
        agrees(&described, &format!("{of}/{last}"), &answer);
    }
    for path in merels::serve::PATHS {
        let address = path.replace("{variant}", "three").replace("{file}", "x.js");
        let refused = server.ask("POST", &address, &[]);
        assert_eq!(refused.status, 405, "{path}");
        agrees(&described, path, &refused);
        let long = format!("{address}?{}", "a".repeat(20_000));
        agrees(&described, path, &server.get(&long));
    }
    server.flip("three/3-3.dtw", 100);
    std::thread::sleep(std::time::Duration::from_millis(1100));
    for rest in ["position?position=@*@/@OO/O**+w+0,0", "statistics"] {
        let answer = server.get(&format!("/v1/variants/three/{rest}"));
        assert_eq!(answer.status, 503, "{rest}");
        agrees(&described, &format!("{of}/{}", rest.split('?').next().unwrap()), &answer);
    }
}
