//! Connections: how many, how long, and how they end.
//!
//! A client that is slow, silent or greedy costs its own connection and nothing else. What is over
//! the limit is told so and let go. When the server ends, requests that are being answered are
//! finished, within reason.

use super::answer::JSON;
use super::refusal::Refusal;
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{sleep, timeout};

/// Connections at one time.
pub const MOST_CONNECTIONS: usize = 256;
/// Connections over the limit that are being told so at one time.
const MOST_TURNED_AWAY: usize = 32;
/// Bytes of the head of a request.
const LARGEST_HEAD: usize = 64 << 10;
/// How long a client may take for the head of a request, and be silent before the next.
const HEAD_WITHIN: Duration = Duration::from_secs(10);
/// How long a connection lasts at the most; so one who never reads does not hold it for ever.
const LIFE: Duration = Duration::from_secs(300);
/// How long requests in flight may take when the connection or the server ends.
const LAST_WORDS: Duration = Duration::from_secs(5);
/// How long it takes until a wish to stop is noticed, at the most.
const NOTICE: Duration = Duration::from_millis(50);
/// The pause where the system has no more connections to give.
const PAUSE: Duration = Duration::from_millis(100);

/// Accepts connections until `stop` says so, then ends.
pub async fn serve(listener: TcpListener, router: Router, stop: impl Fn() -> bool) {
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let farewells = Arc::new(Semaphore::new(MOST_TURNED_AWAY));
    let (close, closing) = watch::channel(());
    while !stop() {
        let Ok(accepted) = timeout(NOTICE, listener.accept()).await else { continue };
        let Ok((stream, _)) = accepted else {
            sleep(PAUSE).await;
            continue;
        };
        if let Ok(place) = places.clone().try_acquire_owned() {
            tokio::spawn(talk(stream, router.clone(), closing.clone(), place));
        } else if let Ok(place) = farewells.clone().try_acquire_owned() {
            tokio::spawn(turn_away(stream, place));
        }
    }
    drop(listener);
    let _ = close.send(());
    let all = u32::try_from(MOST_CONNECTIONS).unwrap_or(u32::MAX);
    let _ = timeout(LAST_WORDS, places.acquire_many(all)).await;
}

async fn talk(
    stream: TcpStream,
    router: Router,
    mut closing: watch::Receiver<()>,
    _place: OwnedSemaphorePermit,
) {
    let _ = stream.set_nodelay(true);
    let service = TowerToHyperService::new(router);
    let connection = protocol().serve_connection(TokioIo::new(stream), service);
    let mut connection = pin!(connection);
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = closing.changed() => {}
        () = sleep(LIFE) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = timeout(LAST_WORDS, connection).await;
}

/// HTTP/1.1 with our bounds.
fn protocol() -> http1::Builder {
    let mut protocol = http1::Builder::new();
    protocol.timer(TokioTimer::new());
    protocol.header_read_timeout(HEAD_WITHIN).max_buf_size(LARGEST_HEAD);
    protocol
}

/// What is answered to `said` by a client that then says no more.
pub async fn hear(router: Router, said: &[u8]) -> Vec<u8> {
    let (here, there) = tokio::io::duplex(LARGEST_HEAD);
    let service = TowerToHyperService::new(router);
    let connection = protocol().serve_connection(TokioIo::new(there), service);
    let (mut answers, mut questions) = tokio::io::split(here);
    let ask = async {
        // A server that has heard enough reads no further.
        let _ = questions.write_all(said).await;
        let _ = questions.shutdown().await;
    };
    let mut answered = Vec::new();
    let listen = answers.read_to_end(&mut answered);
    let _ = tokio::join!(connection, ask, listen);
    answered
}

/// Says that there is no place, and waits a moment for the client to have read it: a connection
/// that is closed with something unread takes the answer with it.
async fn turn_away(mut stream: TcpStream, _place: OwnedSemaphorePermit) {
    let refusal = serde_json::json!({ "error": Refusal::busy() }).to_string();
    let text = format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: {JSON}\r\ncontent-length: {}\r\n\
         access-control-allow-origin: *\r\ncache-control: no-store\r\nretry-after: 1\r\n\
         connection: close\r\n\r\n{refusal}",
        refusal.len()
    );
    let farewell = async {
        stream.write_all(text.as_bytes()).await?;
        stream.shutdown().await?;
        let mut unread = [0; 4096];
        while stream.read(&mut unread).await? > 0 {}
        Ok::<(), std::io::Error>(())
    };
    let _ = timeout(Duration::from_secs(1), farewell).await;
}
