//! What a client says on a connection, over the tables that ship.

use merels::serve::{Offer, Settings, Unplugged};
use serde_json::Value;

/// What the server may say; never that it failed.
const STATUSES: [u16; 11] = [200, 204, 304, 400, 404, 405, 406, 408, 413, 414, 431];

thread_local! {
    static SERVER: Unplugged = {
        let settings = Settings {
            listen: Vec::new(),
            tables: super::tables(),
            cache_bytes: 1 << 20,
            threads: 1,
        };
        let offer = |name: &str| Offer {
            name: name.to_owned(),
            rules: super::rules_of(name),
            generate: Box::new(|names| format!("generate {names}")),
        };
        Unplugged::new(&settings, ["three", "nine"].map(offer).into()).expect("a runtime")
    };
}

/// Whatever is said, the answers are answers: a status that is documented, and where they are JSON
/// and not compressed, JSON; an error has a code and a message.
pub fn run(data: &[u8]) {
    let said = SERVER.with(|server| server.hear(data));
    if said.is_empty() {
        return;
    }
    let end = said.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
    let head = std::str::from_utf8(&said[..end]).expect("a head of letters");
    let mut lines = head.split("\r\n");
    let status = lines.next().and_then(|line| line.strip_prefix("HTTP/1."));
    let status = status.and_then(|line| line.get(2..5)).and_then(|code| code.parse().ok());
    let status: u16 = status.unwrap_or_else(|| panic!("{head}"));
    assert!(STATUSES.contains(&status), "{head}");
    let headers: Vec<_> = lines.filter_map(|line| line.split_once(": ")).collect();
    let header = |name| headers.iter().find(|(found, _)| *found == name).map(|(_, value)| *value);
    let Some(length) = header("content-length").and_then(|text| text.parse::<usize>().ok()) else {
        return;
    };
    let json = header("content-type").is_some_and(|kind| kind.starts_with("application/json"));
    if !json || header("content-encoding").is_some() || data.starts_with(b"HEAD") {
        return;
    }
    let body = said.get(end + 4..end + 4 + length).expect("as many bytes as were announced");
    let body: Value = serde_json::from_slice(body).expect("JSON");
    if status >= 400 {
        assert!(
            body["error"]["code"].is_string() && body["error"]["message"].is_string(),
            "{body}"
        );
    }
}
