//! Places for connections, and who has to give his up when all are taken.
//!
//! A place costs us memory; what counts is who makes use of his. So for each connection it is known
//! whether we wait for its client: for the head of a request, or for him to read. When somebody new
//! comes and there is no place, the one who has kept us waiting longest is closed. Nobody whose
//! request is in hand, or who is reading its answer, loses his place.
//!
//! Beware: what the system has buffered for a client is not seen here. An answer that the system has
//! taken counts as read; the system delivers it though the connection is closed.

use axum::body::{Body, HttpBody};
use hyper::body::Frame;
use hyper::service::Service;
use std::collections::HashMap;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::Notify;
use tokio::task::AbortHandle;
use tokio::time::{sleep, timeout};

/// How long a client may take for the head of a request where others wait for his place.
const HEAD_PATIENCE: Duration = Duration::from_millis(50);
/// How long a client may take nothing of an answer where others wait for his place.
const READ_PATIENCE: Duration = Duration::from_secs(1);

/// All places.
#[derive(Debug)]
pub struct Places {
    most: usize,
    held: Mutex<Held>,
    freed: Notify,
}

#[derive(Debug, Default)]
struct Held {
    next: u64,
    clients: HashMap<u64, (Arc<Client>, AbortHandle)>,
}

impl Places {
    /// So many places.
    pub fn new(most: usize) -> Arc<Places> {
        Arc::new(Places { most, held: Mutex::default(), freed: Notify::new() })
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        // Nothing in it is left half done by a thread that panics.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs what `talk` makes of a new client, who holds a place until it ends.
    pub fn seat<F: Future<Output = ()> + Send + 'static>(
        self: &Arc<Self>,
        talk: impl FnOnce(Arc<Client>) -> F,
    ) {
        // A task that ends at once waits with its place until it is written down.
        let mut held = self.held();
        let number = held.next;
        held.next += 1;
        let client = Arc::new(Client::new());
        let (place, talk) = (Place { places: self.clone(), number }, talk(client.clone()));
        let task = tokio::spawn(async move {
            let _place = place;
            talk.await;
        });
        held.clients.insert(number, (client, task.abort_handle()));
    }

    /// Waits until there is a place, at most so long; closes the connection that has kept us waiting
    /// longest, if need be. False where all are made use of.
    pub async fn room(&self, at_most: Duration) -> bool {
        let end = Instant::now() + at_most;
        loop {
            let freed = self.freed.notified();
            let now = Instant::now();
            let Some(until) = self.evict(now) else { return true };
            if now >= end {
                return false;
            }
            let until = until.unwrap_or(end).min(end);
            tokio::select! {
                () = freed => {}
                () = sleep(until.saturating_duration_since(now)) => {}
            }
        }
    }

    /// Makes room for one. `None`: there is; otherwise when the next client will have kept us
    /// waiting too long, if there is one for whom we wait.
    fn evict(&self, now: Instant) -> Option<Option<Instant>> {
        let mut held = self.held();
        if held.clients.len() < self.most {
            return None;
        }
        let waited = held.clients.iter().filter_map(|(number, (client, _))| {
            client.patience_ends().map(|(end, reads)| (end > now, reads, end, *number))
        });
        // Those first who have not asked, then those who do not read.
        match waited.min() {
            Some((false, _, _, number)) => {
                if let Some((_, task)) = held.clients.remove(&number) {
                    task.abort();
                }
                None
            }
            Some((true, _, end, _)) => Some(Some(end)),
            None => Some(None),
        }
    }

    /// Waits until all have gone, at most so long.
    pub async fn all_gone(&self, at_most: Duration) {
        let gone = async {
            loop {
                let freed = self.freed.notified();
                if self.held().clients.is_empty() {
                    return;
                }
                freed.await;
            }
        };
        let _ = timeout(at_most, gone).await;
    }
}

/// A place that is held until this is dropped.
struct Place {
    places: Arc<Places>,
    number: u64,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.held().clients.remove(&self.number);
        self.places.freed.notify_waiters();
    }
}

/// What a client does, as far as we see it.
#[derive(Debug)]
pub struct Client(Mutex<Doing>);

#[derive(Clone, Copy, Debug)]
enum Doing {
    /// We have waited for a request since then.
    Asking(Instant),
    /// We work for him.
    Attended,
    /// He took something of the answer then; whether all of it has been handed over.
    Reading(Instant, bool),
}

impl Client {
    fn new() -> Client {
        Client(Mutex::new(Doing::Asking(Instant::now())))
    }

    fn doing(&self) -> MutexGuard<'_, Doing> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Until when we wait for him, and whether for him to read; `None`: he waits for us.
    fn patience_ends(&self) -> Option<(Instant, bool)> {
        match *self.doing() {
            Doing::Asking(since) => Some((since + HEAD_PATIENCE, false)),
            Doing::Attended => None,
            Doing::Reading(since, _) => Some((since + READ_PATIENCE, true)),
        }
    }

    fn has_taken_some(&self) {
        if let Doing::Reading(since, _) = &mut *self.doing() {
            *since = Instant::now();
        }
    }

    fn has_been_told(&self) {
        if let Doing::Reading(_, told) = &mut *self.doing() {
            *told = true;
        }
    }

    fn has_taken_all(&self) {
        let mut doing = self.doing();
        if let Doing::Reading(_, true) = *doing {
            *doing = Doing::Asking(Instant::now());
        }
    }
}

/// The stream of a client, watched.
#[derive(Debug)]
pub struct Watched<S> {
    /// The stream.
    pub stream: S,
    /// Whose it is.
    pub client: Arc<Client>,
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, bytes)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        if matches!(written, Poll::Ready(Ok(_))) {
            self.client.has_taken_some();
        }
        written
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        if matches!(written, Poll::Ready(Ok(_))) {
            self.client.has_taken_some();
        }
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        if matches!(flushed, Poll::Ready(Ok(()))) {
            self.client.has_taken_all();
        }
        flushed
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// A service that notes when it works for a client.
#[derive(Debug)]
pub struct Attending<S> {
    /// What answers.
    pub service: S,
    /// Whom.
    pub client: Arc<Client>,
}

impl<S, R> Service<R> for Attending<S>
where
    S: Service<R, Response = axum::http::Response<Body>>,
    S::Future: Send + 'static,
{
    type Response = axum::http::Response<Told>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn call(&self, request: R) -> Self::Future {
        *self.client.doing() = Doing::Attended;
        let (answer, client) = (self.service.call(request), self.client.clone());
        Box::pin(async move {
            let answer = answer.await;
            *client.doing() = Doing::Reading(Instant::now(), false);
            Ok(answer?.map(|body| Told { body, client }))
        })
    }
}

/// A body that notes when all of it has been handed over.
#[derive(Debug)]
pub struct Told {
    body: Body,
    client: Arc<Client>,
}

impl HttpBody for Told {
    type Data = <Body as HttpBody>::Data;
    type Error = <Body as HttpBody>::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> hyper::body::SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Told {
    fn drop(&mut self) {
        self.client.has_been_told();
    }
}
