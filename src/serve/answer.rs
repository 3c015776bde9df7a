//! From an object to an answer: JSON with a tag of its content, or a refusal.
//!
//! Look-ups block, so they run on threads of their own, each at a desk; who finds none free waits a
//! while and is refused then.

use super::house::House;
use super::refusal::Refusal;
use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;
use xxhash_rust::xxh3::xxh3_128;

/// How long somebody waits for a desk.
const WAIT: Duration = Duration::from_secs(10);
/// How long an answer may take.
const TAKE: Duration = Duration::from_secs(30);

/// JSON for machines and people.
pub const JSON: &str = "application/json";

/// Answers with the JSON that `work` makes, at a desk of the house.
pub async fn ask(
    house: Arc<House>,
    work: impl FnOnce(&House) -> Result<Vec<u8>, Refusal> + Send + 'static,
) -> Response<Body> {
    let Ok(Ok(desk)) = timeout(WAIT, house.desks.clone().acquire_owned()).await else {
        return refuse(&Refusal::busy());
    };
    let worked = tokio::task::spawn_blocking(move || {
        // The desk is free when the work is done, not when the client has gone.
        let _desk = desk;
        work(&house)
    });
    match timeout(TAKE, worked).await {
        Err(_) => refuse(&Refusal::timeout()),
        Ok(Err(_)) => refuse(&Refusal::internal()),
        Ok(Ok(Err(refusal))) => refuse(&refusal),
        Ok(Ok(Ok(json))) => content(JSON, json),
    }
}

/// An object that needs no desk.
pub fn object<T: Serialize>(object: &T) -> Response<Body> {
    match encode(object) {
        Ok(json) => content(JSON, json),
        Err(refusal) => refuse(&refusal),
    }
}

/// An object as the bytes of an answer.
pub fn encode<T: Serialize>(object: &T) -> Result<Vec<u8>, Refusal> {
    let mut json = serde_json::to_vec(object).map_err(|_| Refusal::internal())?;
    json.push(b'\n');
    Ok(json)
}

/// A good answer. It may be kept, and is to be asked for again with its tag: tables come and go.
pub fn content(kind: &'static str, bytes: impl Into<Body> + AsRef<[u8]>) -> Response<Body> {
    let tag = format!("\"{:032x}\"", xxh3_128(bytes.as_ref()));
    let mut response = Response::new(bytes.into());
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}

#[derive(Serialize)]
struct Envelope<'a> {
    error: &'a Refusal,
}

/// A refusal, as an object with its status.
pub fn refuse(refusal: &Refusal) -> Response<Body> {
    let json = encode(&Envelope { error: refusal }).unwrap_or_default();
    let mut response = Response::new(Body::from(json));
    *response.status_mut() = refusal.status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(JSON));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    match (refusal.status, refusal.code) {
        (StatusCode::METHOD_NOT_ALLOWED, _) => {
            headers.insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
        }
        (_, "busy") => {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        _ => {}
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::Settings;
    use std::path::PathBuf;

    fn house() -> Arc<House> {
        let settings = Settings {
            listen: Vec::new(),
            tables: PathBuf::from("tables"),
            cache_bytes: 1 << 20,
            threads: 1,
        };
        Arc::new(House::new(&settings, Vec::new()))
    }

    #[test]
    fn a_fault_is_an_answer_and_leaves_the_desk_free() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let house = house();
            for _ in 0..3 {
                let response = ask(house.clone(), |_| panic!("a fault, on purpose")).await;
                assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
                assert_eq!(response.headers()[header::CONTENT_TYPE], JSON);
            }
            assert_eq!(house.desks.available_permits(), 1);
        });
    }
}
