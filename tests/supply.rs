//! What comes from elsewhere is what was locked: crates of the public registry with their
//! checksums, and no advisory accepted without a reason. `deny.toml` says more; this much is held
//! without cargo-deny.

use toml::{Table, Value};

fn read(name: &str) -> Table {
    let path = format!("{}/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap().parse().unwrap()
}

fn list<'a>(table: &'a Table, name: &str) -> &'a [Value] {
    table[name].as_array().unwrap()
}

#[test]
fn every_crate_is_locked_with_its_checksum_and_of_the_public_registry() {
    let lock = read("Cargo.lock");
    let packages = list(&lock, "package");
    assert!(packages.len() > 100);
    for package in packages {
        let name = package["name"].as_str().unwrap();
        if name == env!("CARGO_PKG_NAME") {
            continue;
        }
        let source = package.get("source").and_then(Value::as_str);
        assert_eq!(
            source,
            Some("registry+https://github.com/rust-lang/crates.io-index"),
            "{name} comes from elsewhere"
        );
        let checksum = package.get("checksum").and_then(Value::as_str);
        assert_eq!(checksum.map(str::len), Some(64), "{name} has no checksum");
    }
}

#[test]
fn the_one_accepted_advisory_has_a_reason() {
    let deny = read("deny.toml");
    let accepted = list(deny["advisories"].as_table().unwrap(), "ignore");
    let [bincode] = accepted else { panic!("{} advisories are accepted", accepted.len()) };
    assert_eq!(bincode["id"].as_str(), Some("RUSTSEC-2025-0141"));
    assert!(bincode["reason"].as_str().is_some_and(|reason| reason.contains("bincode")));
    // Accepted for this version, in which no fault is known.
    let manifest = read("Cargo.toml");
    assert_eq!(manifest["dependencies"]["bincode"]["version"].as_str(), Some("=2.0.1"));
}
