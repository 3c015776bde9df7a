//! Addresses, and what stands at each. What is the same for all answers (tags, compression, who may
//! read, what a browser may do) is laid around them here.

use super::answer::{JSON, ask, content, encode, object, refuse};
use super::house::{Files, House, Room};
use super::objects::{self, GameReport, StatisticsReport, VariantReport, VariantRow, Variants};
use super::pages;
use super::query::Words;
use super::refusal::Refusal;
use crate::probe::Prober;
use axum::Router;
use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn};
use axum::routing::get;
use serde::Serialize;
use std::any::Any;
use std::sync::Arc;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::cors::{Any as Anybody, CorsLayer};

/// The addresses, as `openapi.json` writes them.
pub const PATHS: [&str; 9] = [
    "/",
    "/assets/{file}",
    "/openapi.json",
    "/v1/health",
    "/v1/variants",
    "/v1/variants/{variant}",
    "/v1/variants/{variant}/position",
    "/v1/variants/{variant}/game",
    "/v1/variants/{variant}/statistics",
];

/// Bytes of an address: a game of a thousand turns, each with a removal, fits.
const LONGEST_ADDRESS: usize = 16 << 10;
/// Bytes that may follow a request, which nobody reads.
const LARGEST_BODY: u64 = 8 << 10;
/// What a compressed answer has at the end of its tag: it is another sequence of bytes.
const COMPRESSED: &str = "-gzip";
/// What the page may load: what comes from here.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; object-src 'none'; \
                      base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const OPENAPI: &str = include_str!("openapi.json");

type Named = Result<Path<String>, PathRejection>;

/// All addresses over a house.
pub fn router(house: Arc<House>) -> Router {
    let [page, _, openapi, health, variants, variant, position, game, statistics] = PATHS;
    let cors = CorsLayer::new()
        .allow_origin(Anybody)
        .allow_methods([Method::GET, Method::HEAD])
        .expose_headers([header::ETAG]);
    Router::new()
        .route(page, get(|| async { pages::file("index.html") }))
        .route("/assets/{*file}", get(asset))
        .route(openapi, get(|| async { content(JSON, OPENAPI) }))
        .route(health, get(well))
        .route(variants, get(all))
        .route(variant, get(one))
        .route(position, get(answer))
        .route(game, get(play))
        .route(statistics, get(count))
        .fallback(|| async { refuse(&Refusal::not_found()) })
        .method_not_allowed_fallback(|| async { refuse(&Refusal::method()) })
        .with_state(house)
        .layer(CatchPanicLayer::custom(|_: Box<dyn Any + Send>| refuse(&Refusal::internal())))
        .layer(CompressionLayer::new())
        .layer(from_fn(around))
        .layer(cors)
}

#[derive(Serialize)]
struct Health {
    status: &'static str,
    version: &'static str,
}

impl Health {
    const NOW: Health = Health { status: "ok", version: env!("CARGO_PKG_VERSION") };
}

async fn well(uri: Uri) -> Response<Body> {
    match Words::of(&uri, &[]) {
        Ok(_) => object(&Health::NOW),
        Err(refusal) => refuse(&refusal),
    }
}

async fn asset(file: Named) -> Response<Body> {
    match file {
        Ok(Path(file)) => pages::file(&file),
        Err(_) => refuse(&Refusal::not_found()),
    }
}

async fn all(State(house): State<Arc<House>>, uri: Uri) -> Response<Body> {
    if let Err(refusal) = Words::of(&uri, &[]) {
        return refuse(&refusal);
    }
    ask(house, |house| {
        let mut variants = Vec::new();
        for room in house.rooms() {
            let (_, files) = look(room)?;
            variants.push(VariantRow::new(room, &files));
        }
        encode(&Variants { variants })
    })
    .await
}

async fn one(State(house): State<Arc<House>>, name: Named, uri: Uri) -> Response<Body> {
    about(house, name, &uri, &[], |room, _| {
        let (_, files) = look(room)?;
        encode(&VariantReport::new(room, &files))
    })
    .await
}

async fn answer(State(house): State<Arc<House>>, name: Named, uri: Uri) -> Response<Body> {
    about(house, name, &uri, &["position", "line"], |room, words| {
        let (text, line) = (words.position()?, words.flag("line")?);
        encode(&objects::position(room, &look(room)?.0, text, line)?)
    })
    .await
}

async fn play(State(house): State<Arc<House>>, name: Named, uri: Uri) -> Response<Body> {
    about(house, name, &uri, &["position"], |room, words| {
        let text = words.position()?;
        encode(&GameReport::new(room, &look(room)?.0, text)?)
    })
    .await
}

async fn count(State(house): State<Arc<House>>, name: Named, uri: Uri) -> Response<Body> {
    about(house, name, &uri, &[], |room, _| {
        let (prober, files) = look(room)?;
        encode(&StatisticsReport::new(room, &prober, &files)?)
    })
    .await
}

/// Answers about one variant, whose address may have the parameters `known`.
async fn about(
    house: Arc<House>,
    name: Named,
    uri: &Uri,
    known: &[&str],
    work: impl FnOnce(&Room, &Words) -> Result<Vec<u8>, Refusal> + Send + 'static,
) -> Response<Body> {
    let asked = name.map_err(|_| Refusal::request("the address is not UTF-8", "encode it anew"));
    let asked = asked.and_then(|Path(name)| {
        let names = || house.rooms().iter().map(|room| &*room.offer.name);
        house.room(&name).ok_or_else(|| Refusal::no_such_variant(&name, names()))?;
        Ok((name, Words::of(uri, known)?))
    });
    match asked {
        Err(refusal) => refuse(&refusal),
        Ok((name, words)) => {
            ask(house, move |house| work(house.room(&name).ok_or_else(Refusal::internal)?, &words))
                .await
        }
    }
}

fn look(room: &Room) -> Result<(Arc<Prober>, Arc<Files>), Refusal> {
    room.look().map_err(|error| Refusal::table(room, &error))
}

/// What is the same for every request and every answer.
async fn around(request: Request, next: Next) -> Response<Body> {
    let known = request.headers().get_all(header::IF_NONE_MATCH).iter().cloned().collect();
    let mut response = match unfit(&request) {
        Some(refusal) => refuse(&refusal),
        None => next.run(request).await,
    };
    if response.status() == StatusCode::NOT_ACCEPTABLE {
        response = refuse(&Refusal::encoding());
    }
    tag(&mut response);
    let mut response = unchanged(response, known);
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value| {
        headers.insert(name, HeaderValue::from_static(value));
    };
    set(header::CONTENT_SECURITY_POLICY, POLICY);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::REFERRER_POLICY, "no-referrer");
    response
}

/// Why a request is not looked at.
fn unfit(request: &Request) -> Option<Refusal> {
    if ![Method::GET, Method::HEAD].contains(request.method()) {
        return Some(Refusal::method());
    }
    let address = request.uri().path_and_query().map_or(0, |address| address.as_str().len());
    if address > LONGEST_ADDRESS {
        let message =
            format!("the address has {address} bytes, at most {LONGEST_ADDRESS} are read");
        let remedy = "ask from a later position, with fewer moves";
        return Some(Refusal::new(StatusCode::URI_TOO_LONG, "too-long", message, remedy));
    }
    let length = |value: &HeaderValue| value.to_str().ok()?.parse::<u64>().ok();
    let body = request.headers().get(header::CONTENT_LENGTH).and_then(length).unwrap_or(0);
    let endless = request.headers().contains_key(header::TRANSFER_ENCODING);
    (endless || body > LARGEST_BODY).then(|| {
        let message = match endless {
            true => "the request has a body that does not say its length".to_owned(),
            false => format!("the request has a body of {body} bytes"),
        };
        let status = StatusCode::PAYLOAD_TOO_LARGE;
        Refusal::new(status, "too-large", message, "put everything into the address")
    })
}

/// Gives a compressed answer a tag of its own.
fn tag(response: &mut Response<Body>) {
    if !response.headers().contains_key(header::CONTENT_ENCODING) {
        return;
    }
    let Some(tag) = response.headers().get(header::ETAG).and_then(|tag| tag.to_str().ok()) else {
        return;
    };
    let tag = format!("\"{}{COMPRESSED}\"", plain(tag));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        response.headers_mut().insert(header::ETAG, tag);
    }
}

/// The answer, or that the client has it already.
fn unchanged(response: Response<Body>, known: Vec<HeaderValue>) -> Response<Body> {
    let held = |tag: &HeaderValue| {
        let Ok(tag) = tag.to_str() else { return false };
        let lists = known.iter().filter_map(|list| list.to_str().ok());
        lists.into_iter().any(|list| list.trim() == "*" || tags(list).any(|one| one == plain(tag)))
    };
    if response.status() != StatusCode::OK
        || !response.headers().get(header::ETAG).is_some_and(held)
    {
        return response;
    }
    let kept = [header::ETAG, header::CACHE_CONTROL, header::VARY];
    let kept: HeaderMap = kept
        .into_iter()
        .filter_map(|name| Some((name.clone(), response.headers().get(&name)?.clone())))
        .collect();
    let mut short = Response::new(Body::empty());
    *short.status_mut() = StatusCode::NOT_MODIFIED;
    *short.headers_mut() = kept;
    short
}

/// The tags of a list as RFC 9110 has it (`"a", W/"b"`), as [`plain`] ones, up to where it is none.
fn tags(list: &str) -> impl Iterator<Item = &str> {
    let mut rest = list;
    std::iter::from_fn(move || {
        let text = rest.trim_start_matches([' ', '\t', ',']);
        let text = text.strip_prefix("W/").unwrap_or(text).strip_prefix('"')?;
        let (tag, after) = text.split_once('"')?;
        rest = after;
        Some(plain(tag))
    })
}

/// A tag without quotation marks, and without what says that it is compressed: to the question
/// whether something has changed, that makes no difference.
fn plain(tag: &str) -> &str {
    let tag = tag.trim_matches('"');
    tag.strip_suffix(COMPRESSED).unwrap_or(tag)
}
