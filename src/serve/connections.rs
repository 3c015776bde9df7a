//! Connections: how many, how long, and how they end.
//!
//! A client that is slow, silent or greedy costs its own connection and nothing else: when all
//! [places](super::places) are taken, the one who makes least use of his gives it up. Where all are
//! made use of, who comes is told so and let go. When the server ends, requests that are being
//! answered are finished, within reason.

use super::answer::JSON;
use super::places::{Attending, Client, Places, Watched};
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
/// How long somebody who comes waits for a place.
const ROOM_WITHIN: Duration = Duration::from_millis(1200);
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
    let places = Places::new(MOST_CONNECTIONS);
    let farewells = Arc::new(Semaphore::new(MOST_TURNED_AWAY));
    let (close, closing) = watch::channel(());
    while !stop() {
        let Ok(accepted) = timeout(NOTICE, listener.accept()).await else { continue };
        let Ok((stream, _)) = accepted else {
            sleep(PAUSE).await;
            continue;
        };
        // While there is none, others wait in the queue of the system, in the order of their coming.
        if places.room(ROOM_WITHIN).await {
            places.seat(|client| talk(stream, client, router.clone(), closing.clone()));
        } else if let Ok(place) = farewells.clone().try_acquire_owned() {
            tokio::spawn(turn_away(stream, place));
        }
    }
    drop(listener);
    let _ = close.send(());
    places.all_gone(LAST_WORDS).await;
}

async fn talk(
    stream: TcpStream,
    client: Arc<Client>,
    router: Router,
    mut closing: watch::Receiver<()>,
) {
    let _ = stream.set_nodelay(true);
    let service = TowerToHyperService::new(router);
    let service = Attending { service, client: client.clone() };
    let stream = TokioIo::new(Watched { stream, client });
    let connection = protocol().serve_connection(stream, service);
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

#[cfg(test)]
mod tests {
    use super::*;
    use axum::routing::get;
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    use std::time::Instant;

    async fn ask(address: std::net::SocketAddr, path: &str) -> (TcpStream, String) {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let text = format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
        stream.write_all(text.as_bytes()).await.unwrap();
        (stream, path.to_owned())
    }

    async fn answer((mut stream, _): (TcpStream, String)) -> String {
        let mut said = String::new();
        stream.read_to_string(&mut said).await.unwrap();
        said
    }

    /// Nobody whose request is in hand gives way, not even to a crowd; who comes is told so.
    #[tokio::test]
    async fn where_all_places_are_made_use_of_who_comes_is_told_so() {
        let (done, when) = watch::channel(false);
        let router = Router::new().route("/now", get(|| async { "now" })).route(
            "/later",
            get(move || {
                let mut when = when.clone();
                async move {
                    let _ = when.wait_for(|done| *done).await;
                    "later"
                }
            }),
        );
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let server = tokio::spawn(serve(listener, router, move || stopped.load(Relaxed)));
        let mut waiting = Vec::new();
        for _ in 0..MOST_CONNECTIONS {
            waiting.push(ask(address, "/later").await);
        }
        let begun = Instant::now();
        let busy = answer(ask(address, "/now").await).await;
        assert!(busy.starts_with("HTTP/1.1 503 ") && busy.contains("\"code\":\"busy\""), "{busy}");
        assert!(begun.elapsed() >= ROOM_WITHIN);
        done.send(true).unwrap();
        for client in waiting {
            let said = answer(client).await;
            assert!(said.starts_with("HTTP/1.1 200 OK") && said.ends_with("later"), "{said}");
        }
        let said = answer(ask(address, "/now").await).await;
        assert!(said.ends_with("now"), "{said}");
        stop.store(true, Relaxed);
        server.await.unwrap();
    }

    /// An answer that nobody takes costs its client the place; one that is being read does not.
    #[tokio::test]
    async fn who_does_not_read_gives_way_to_who_comes() {
        const LONG: usize = 64 << 20;
        let long = || async { vec![b'y'; LONG] };
        let router = Router::new().route("/now", get(|| async { "now" })).route("/long", get(long));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let server = tokio::spawn(async move {
            let (places, (_keep, closing)) = (Places::new(2), watch::channel(()));
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                if places.room(READ_FOR).await {
                    let talk = |client| talk(stream, client, router.clone(), closing.clone());
                    places.seat(talk);
                }
            }
        });
        const READ_FOR: Duration = Duration::from_secs(3);
        let deaf = ask(address, "/long").await;
        let mut reader = ask(address, "/long").await.0;
        let reading = tokio::spawn(async move {
            let (mut read, mut some) = (0, vec![0; 1 << 20]);
            loop {
                match reader.read(&mut some).await.unwrap() {
                    0 => return read,
                    more => read += more,
                }
                sleep(Duration::from_millis(40)).await;
            }
        });
        sleep(Duration::from_millis(1100)).await;
        for _ in 0..20 {
            let said = answer(ask(address, "/now").await).await;
            assert!(said.ends_with("now"), "{said}");
        }
        assert!(reading.await.unwrap() > LONG, "who reads was cut off");
        let mut deaf = deaf.0;
        let mut read = 0;
        let mut some = vec![0; 1 << 20];
        while let Ok(more) = deaf.read(&mut some).await
            && more > 0
        {
            read += more;
        }
        assert!(read < LONG, "who does not read kept his place");
        server.abort();
    }
}
