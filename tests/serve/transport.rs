//! Tags, compression, who may read, what a browser may do.

use crate::desk::Server;
use std::io::Read;

const START: &str = "/v1/variants/three/position?position=startpos";

#[test]
fn what_has_not_changed_is_not_sent_again() {
    let server = Server::start();
    for address in [START, "/", "/openapi.json", "/v1/variants", "/v1/variants/three/statistics"] {
        let first = server.get(address);
        let tag = first.header("etag").to_owned();
        assert!(tag.starts_with('"') && tag.ends_with('"') && tag.len() > 10, "{address} {tag}");
        assert_eq!(first.header("cache-control"), "no-cache");
        let list = format!("\"other\", W/{tag}");
        for known in [tag.as_str(), list.as_str(), "*"] {
            let again = server.ask("GET", address, &[("if-none-match", known)]);
            assert_eq!((again.status, again.body.len()), (304, 0), "{address} {known}");
            assert_eq!(again.header("etag"), tag);
        }
        // Other tags, what is no tag, and a tag within another.
        let bare = tag.trim_matches('"');
        let within = format!("\"other, {bare}\"");
        for unknown in ["\"other\"", bare, &within, &format!("\"*\", {bare}"), "W/*"] {
            let other = server.ask("GET", address, &[("if-none-match", unknown)]);
            assert_eq!((other.status, &other.body), (200, &first.body), "{address} {unknown}");
        }
    }
    let refused = server.ask("GET", "/nothing", &[("if-none-match", "*")]);
    refused.refused(404, "not-found");
}

#[test]
fn answers_are_compressed_for_those_who_can_read_it() {
    let server = Server::start();
    let plain = server.ask("GET", START, &[("accept-encoding", "identity")]);
    let small = server.ask("GET", START, &[("accept-encoding", "gzip")]);
    assert_eq!(plain.header("content-encoding"), "");
    assert_eq!(small.header("content-encoding"), "gzip");
    assert!(small.body.len() < plain.body.len());
    assert!(small.header("vary").contains("accept-encoding"));
    // Other bytes have another tag, and either tells whether something has changed.
    assert_ne!(small.header("etag"), plain.header("etag"));
    for encoding in ["identity", "gzip"] {
        let known = [("accept-encoding", encoding), ("if-none-match", small.header("etag"))];
        assert_eq!(server.ask("GET", START, &known).status, 304);
    }
    let mut unpacked = Vec::new();
    flate2::read::GzDecoder::new(&*small.body).read_to_end(&mut unpacked).unwrap();
    assert_eq!(unpacked, plain.body);
}

#[test]
fn pages_from_elsewhere_may_read() {
    let server = Server::start();
    let origin = ("origin", "http://example.org");
    for address in [START, "/v1/health", "/nothing"] {
        let answer = server.ask("GET", address, &[origin]);
        assert_eq!(answer.header("access-control-allow-origin"), "*", "{address}");
    }
    let asked = [origin, ("access-control-request-method", "GET")];
    let before = server.ask("OPTIONS", START, &asked);
    assert_eq!(before.status, 200);
    assert_eq!(before.header("access-control-allow-methods"), "GET,HEAD");
}

#[test]
fn a_head_is_an_answer_without_its_body() {
    let server = Server::start();
    for address in [START, "/", "/v1/variants", "/v1/health"] {
        let (whole, head) = (server.get(address), server.ask("HEAD", address, &[]));
        assert_eq!((head.status, head.body.len()), (200, 0));
        for name in ["etag", "content-type", "content-length"] {
            assert_eq!(head.header(name), whole.header(name), "{address} {name}");
        }
    }
    assert_eq!(server.ask("HEAD", "/nothing", &[]).status, 404);
}

#[test]
fn the_page_may_load_only_what_comes_from_here() {
    let server = Server::start();
    let page = server.get("/");
    assert_eq!(page.status, 200);
    assert!(page.header("content-type").starts_with("text/html"));
    assert!(page.header("content-security-policy").starts_with("default-src 'self'"));
    assert_eq!(page.header("x-content-type-options"), "nosniff");
    // Whatever the page names is there.
    let text = String::from_utf8(page.body).unwrap();
    for part in text.split("\"assets/").chain(text.split("\"/assets/")).skip(1) {
        let Some(file) = part.split('"').next().filter(|file| !file.contains('<')) else {
            continue;
        };
        let asset = server.get(&format!("/assets/{file}"));
        assert_eq!(asset.status, 200, "{file}");
        assert_ne!(asset.header("content-type"), "application/json", "{file}");
    }
}
