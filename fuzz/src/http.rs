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

/// Whatever is said, the answers are answers: a status that is documented, as many bytes as are
/// announced, and where they are JSON and not compressed, JSON; an error has a code and a message.
pub fn run(data: &[u8]) {
    let said = SERVER.with(|server| server.hear(data));
    // Which answer has no body, since its question was a HEAD, is not told by the answers.
    let bodies = !data.windows(4).any(|word| word == b"HEAD");
    let mut rest = &said[..];
    while !rest.is_empty() {
        rest = answer(rest, bodies);
    }
}

/// Checks the first answer, and returns what comes after it; nothing where `bodies` is unset, since
/// then it is not known where the answer ends.
fn answer(said: &[u8], bodies: bool) -> &[u8] {
    let (head, rest) = parted(said, b"\r\n\r\n").expect("a head");
    let head = std::str::from_utf8(head).expect("a head of letters");
    let mut lines = head.split("\r\n");
    let status = lines.next().and_then(|line| line.strip_prefix("HTTP/1."));
    let status = status.and_then(|line| line.get(2..5)).and_then(|code| code.parse().ok());
    let status: u16 = status.unwrap_or_else(|| panic!("{head}"));
    assert!(STATUSES.contains(&status), "{head}");
    let headers: Vec<_> = lines.filter_map(|line| line.split_once(": ")).collect();
    let header = |name| headers.iter().find(|(found, _)| *found == name).map(|(_, value)| *value);
    if !bodies {
        return &[];
    }
    if header("transfer-encoding") == Some("chunked") {
        return chunks(rest);
    }
    let length = header("content-length").map(|text| text.parse::<usize>().expect("a number"));
    let Some(length) = length.filter(|_| status != 304 && status != 204) else {
        // Without a length the body goes on to the end.
        return if matches!(status, 204 | 304) { rest } else { &[] };
    };
    assert!(rest.len() >= length, "{} bytes of {length}: {head}", rest.len());
    let (body, rest) = rest.split_at(length);
    let json = header("content-type").is_some_and(|kind| kind.starts_with("application/json"));
    if json && header("content-encoding").is_none() {
        let body: Value = serde_json::from_slice(body).expect("JSON");
        if status >= 400 {
            let error = &body["error"];
            assert!(error["code"].is_string() && error["message"].is_string(), "{body}");
        }
    }
    rest
}

/// What comes after a body in chunks.
fn chunks(mut rest: &[u8]) -> &[u8] {
    loop {
        let (size, after) = parted(rest, b"\r\n").expect("the size of a chunk");
        let size =
            std::str::from_utf8(size).ok().and_then(|size| usize::from_str_radix(size, 16).ok());
        let size = size.expect("a number");
        assert!(after.len() >= size + 2 && after[size..].starts_with(b"\r\n"), "a chunk of {size}");
        rest = &after[size + 2..];
        if size == 0 {
            return rest;
        }
    }
}

fn parted<'a>(bytes: &'a [u8], by: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let end = bytes.windows(by.len()).position(|found| found == by)?;
    Some((&bytes[..end], &bytes[end + by.len()..]))
}
