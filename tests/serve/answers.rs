//! What good answers hold.

use crate::desk::{Server, encoded, merels};
use crate::shipped::shipped;
use serde_json::{Value, json};

/// What the command line prints with `--json`.
fn printed(words: &[&str]) -> Value {
    let output = merels(words).arg("--json").arg("--tables").arg(shipped()).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_position_is_what_query_prints() {
    let server = Server::start();
    for (variant, text) in [
        ("three", "startpos"),
        ("three", "startpos moves b2 a3"),
        ("three", "@**/*O*/*** w 2,2"),
        ("three", "startpos moves b2 a3 c2 b3 a2"),
        ("achi", "startpos"),
        ("nine-holes", "*O*/***/*@* w 2,2"),
    ] {
        assert_eq!(server.position(variant, text).good(), printed(&["query", variant, text]));
        let address = format!("/v1/variants/{variant}/position?position={}", encoded(text));
        let line = server.get(&(address + "&line=true")).good();
        assert_eq!(line, printed(&["query", variant, text, "--line"]));
    }
}

#[test]
fn variants_say_how_much_of_them_is_solved() {
    let server = Server::start();
    let all = server.get("/v1/variants").good();
    let all = all["variants"].as_array().unwrap();
    assert_eq!(all.len(), 12);
    assert_eq!(
        all[0],
        json!({
            "variant": "three", "also_called": ["tapatan"], "board": "grid3-diagonal",
            "men": [3, 3], "points": 9, "subspaces": 7, "tables": 7, "solved": true
        })
    );
    let lasker = all.iter().find(|row| row["variant"] == "lasker").unwrap();
    assert_eq!((&lasker["tables"], &lasker["solved"]), (&json!(0), &json!(false)));
}

#[test]
fn a_variant_can_be_drawn() {
    let server = Server::start();
    let nine = server.get("/v1/variants/nine").good();
    assert_eq!(nine["start"], "********/********/******** w 9,9");
    let board = &nine["board"];
    let points = board["points"].as_array().unwrap();
    assert_eq!(points.len(), 24);
    assert_eq!(board["edges"].as_array().unwrap().len(), 32);
    assert_eq!(board["mills"].as_array().unwrap().len(), 16);
    for point in points {
        let name = point["name"].as_str().unwrap().as_bytes();
        assert_eq!(point["x"].as_f64(), Some(f64::from(name[0] - b'a')));
        assert_eq!(point["y"].as_f64(), Some(f64::from(name[1] - b'1')));
    }
    // The first point is the first character.
    let first = points[0]["name"].as_str().unwrap();
    let three = server.position("three", "startpos moves a3").good();
    assert_eq!(three["position"], "O**/***/*** b 2,3");
    assert!(nine["coverage"].as_array().unwrap().len() == 498 && !first.is_empty());
    let rules = printed(&["rules", "nine"]);
    assert_eq!(nine["parameters"], rules["parameters"]);
    assert_eq!(points.iter().map(|p| &p["name"]).collect::<Vec<_>>(), {
        rules["points"].as_array().unwrap().iter().collect::<Vec<_>>()
    });
}

#[test]
fn a_game_is_followed_turn_by_turn() {
    let server = Server::start();
    let ask = |variant: &str, text: &str| {
        server.get(&format!("/v1/variants/{variant}/game?position={}", encoded(text)))
    };
    let game = ask("three", "startpos moves b2 a3 c2 b3 a2").good();
    let plies = game["plies"].as_array().unwrap();
    assert_eq!(game["start"], "***/***/*** w 3,3");
    assert_eq!(plies.len(), 6);
    assert_eq!(plies[0]["turn"], Value::Null);
    assert_eq!(plies[1]["turn"], "b2");
    for (ply, moves) in plies.iter().zip(["", "b2", "b2 a3", "b2 a3 c2"]) {
        let text = format!("startpos moves {moves}");
        let text = text.trim_end_matches(" moves ");
        let position = server.position("three", text).good();
        for key in ["position", "value", "depth", "depth_known", "removal_owed"] {
            assert_eq!(ply[key], position[key], "{text} {key}");
        }
    }
    assert_eq!((&plies[5]["value"], &plies[5]["depth"]), (&json!("loss"), &json!(0)));
    // Without tables the turns are told all the same, a turn with its removal as one.
    let game = ask("nine", "startpos moves d6 f4 d7 b4 d5 xb4 a1 b6 a4 b2 a7").good();
    let plies = game["plies"].as_array().unwrap();
    assert_eq!(plies[5]["turn"], "d5xb4");
    assert_eq!(plies[5]["value"], Value::Null);
    assert_eq!(plies[5]["removal_owed"], false);
    assert_eq!(plies.last().unwrap()["removal_owed"], true);
}

#[test]
fn statistics_are_what_stats_prints() {
    let server = Server::start();
    let told = server.get("/v1/variants/achi/statistics").good();
    assert_eq!(told["variant"], "achi");
    assert_eq!(told["subspaces"], printed(&["stats", "achi"]));
    let none = server.get("/v1/variants/twelve/statistics").good();
    assert_eq!(none["subspaces"], json!([]));
}

#[test]
fn rule_sets_of_ones_own_are_served_too() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/examples/hexagon.toml");
    let server = Server::over(shipped(), &["--rules", file.to_str().unwrap()]);
    let hexagon = server.get("/v1/variants/hexagon").good();
    assert_eq!(hexagon["points"], 13);
    let error = server.position("hexagon", "startpos").refused(404, "missing-table");
    assert!(error["remedy"].as_str().unwrap().contains("--rules"), "{error}");
}

#[test]
fn the_server_is_well() {
    let server = Server::start();
    let health = server.get("/v1/health").good();
    assert_eq!(health, json!({"status": "ok", "version": env!("CARGO_PKG_VERSION")}));
}
