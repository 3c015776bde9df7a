//! `merels serve`: the tables over HTTP, and a page that asks them.
//!
//! A [`House`] has a room for each rule set; a room opens its shelf when it is first asked for and
//! looks it over now and then, so that tables that are made meanwhile are seen. Answers are the
//! objects of [`report`](crate::report), so the server says what the command line prints.
//!
//! Beware: whatever comes in here comes from strangers. Everything is bounded: connections, the
//! bytes of a request, the time that a head may take, how many look-ups run at once, the decoded
//! blocks of all rule sets together. Look-ups block and so never run on the threads that talk.

mod answer;
mod connections;
mod house;
mod objects;
mod pages;
mod places;
mod query;
mod refusal;
mod routes;

pub use house::{House, Offer};
pub use routes::PATHS;

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use thiserror::Error;

/// How long look-ups that nobody waits for any more may hold up the end of the program.
const LEFT_ALONE: Duration = Duration::from_secs(1);

/// What the server is to be like.
#[derive(Debug)]
pub struct Settings {
    /// Where to listen; of several the first that can be had. Port 0: any that is free.
    pub listen: Vec<SocketAddr>,
    /// The table directory.
    pub tables: PathBuf,
    /// Bytes of decoded blocks that are kept, of all rule sets together.
    pub cache_bytes: u64,
    /// Look-ups that run at once.
    pub threads: usize,
}

/// Why the server could not serve.
#[derive(Debug, Error)]
pub enum ServeError {
    /// Another program listens there.
    #[error("cannot listen on {0}: another program listens there already")]
    Taken(String),
    /// The system refuses the address.
    #[error("cannot listen on {0}: {1}")]
    Listen(String, #[source] io::Error),
    /// The system gives no threads.
    #[error("cannot start the threads: {0}")]
    Threads(#[source] io::Error),
    /// Something else that the system refuses.
    #[error("cannot serve: {0}")]
    Io(#[from] io::Error),
}

/// Serves the rule sets in `offers` until `stop` says so. `ready` is told the address once
/// connections are accepted; its error ends the server.
pub fn run(
    settings: &Settings,
    offers: Vec<Offer>,
    ready: impl FnOnce(SocketAddr) -> io::Result<()>,
    stop: impl Fn() -> bool,
) -> Result<(), ServeError> {
    let listener = listen(&settings.listen)?;
    let (workers, readers) = (settings.threads.clamp(1, 4), settings.threads + 1);
    // More readers than one are started where they can be.
    can_start(workers + 1)?;
    let house = Arc::new(House::new(settings, offers));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(workers)
        .max_blocking_threads(readers)
        .thread_name("serve")
        .enable_all()
        .build()?;
    let address = listener.local_addr()?;
    let served = runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        ready(address)?;
        connections::serve(listener, routes::router(house), stop).await;
        Ok(())
    });
    runtime.shutdown_timeout(LEFT_ALONE);
    served
}

/// Whether the system gives so many threads at once: a runtime that lacks one of its own does not
/// say so, it hangs.
fn can_start(threads: usize) -> Result<(), ServeError> {
    let gate = Mutex::new(());
    thread::scope(|scope| {
        let _closed = gate.lock();
        let start = || thread::Builder::new().spawn_scoped(scope, || drop(gate.lock()));
        (0..threads).try_for_each(|_| start().map(drop)).map_err(ServeError::Threads)
    })
}

/// A server without a network, for tests and fuzzers.
#[derive(Debug)]
pub struct Unplugged {
    runtime: tokio::runtime::Runtime,
    router: axum::Router,
}

impl Unplugged {
    /// Serves the rule sets in `offers`; where the settings say to listen does not matter.
    pub fn new(settings: &Settings, offers: Vec<Offer>) -> io::Result<Unplugged> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let router = routes::router(Arc::new(House::new(settings, offers)));
        Ok(Unplugged { runtime, router })
    }

    /// All that is answered on a connection whose client says these bytes and then no more.
    pub fn hear(&self, said: &[u8]) -> Vec<u8> {
        self.runtime.block_on(connections::hear(self.router.clone(), said))
    }
}

fn listen(addresses: &[SocketAddr]) -> Result<TcpListener, ServeError> {
    let names: Vec<String> = addresses.iter().map(SocketAddr::to_string).collect();
    let names = names.join(" or ");
    let listener = TcpListener::bind(addresses).map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => ServeError::Taken(names),
        _ => ServeError::Listen(names, error),
    })?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}
