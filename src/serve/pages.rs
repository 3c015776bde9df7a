//! The page and what belongs to it, built into the program.

use super::answer::{content, refuse};
use super::refusal::Refusal;
use axum::body::Body;
use axum::http::Response;
use include_dir::{Dir, include_dir};

static PAGE: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/src/serve/page");

/// A file of the page, by its path.
pub fn file(path: &str) -> Response<Body> {
    match (PAGE.get_file(path), kind(path)) {
        (Some(file), Some(kind)) => content(kind, file.contents()),
        _ => refuse(&Refusal::not_found()),
    }
}

/// What a browser is told that a file is; other files are not given out.
fn kind(path: &str) -> Option<&'static str> {
    let (_, extension) = path.rsplit_once('.')?;
    Some(match extension {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "json" | "webmanifest" => "application/json",
        "woff2" => "font/woff2",
        _ => return None,
    })
}
