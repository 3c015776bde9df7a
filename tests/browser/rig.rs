//! The processes of a test: server, chromedriver, browser. They end with the test, however it ends.

use super::page::Page;
use crate::shipped::{SHIPPED, copy_shipped};
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::json;
use std::env;
use std::future::Future;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use tempfile::TempDir;

/// One browser at a time: the machine is small, and one test measures time.
static ALONE: Mutex<()> = Mutex::new(());

/// A process that is killed when it is dropped.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A server, and the tables that it serves.
pub struct Server {
    process: Killed,
    /// Where it listens, `http://127.0.0.1:PORT`.
    pub address: String,
    tables: PathBuf,
}

impl Server {
    fn start(tables: &Path, listen: &str, more: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_merels"))
            .args(["serve", "--listen", listen, "--tables"])
            .arg(tables)
            .args(more)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("merels serve");
        let port = number_in_line(process.stdout.take().unwrap(), "http://127.0.0.1:");
        let address = format!("http://127.0.0.1:{port}");
        Self { process: Killed(process), address, tables: tables.to_owned() }
    }

    /// Stops it as a power cut would.
    pub fn stop(&mut self) {
        let _ = self.process.0.kill();
        let _ = self.process.0.wait();
    }

    /// Starts it again where it was.
    pub fn restart(&mut self) {
        let listen = self.address.trim_start_matches("http://").to_owned();
        *self = Self::start(&self.tables, &listen, &[]);
    }

    /// The directory of the tables.
    pub fn tables(&self) -> &Path {
        &self.tables
    }
}

/// Waits for a line with the words and gives the number behind them; reads on in a thread, so that
/// the process never waits for a reader.
fn number_in_line(from: impl Read + Send + 'static, words: &str) -> u16 {
    let mut lines = BufReader::new(from).lines();
    let number = lines.by_ref().map_while(Result::ok).find_map(|line| {
        let digits = line.split_once(words)?.1;
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        digits[..end].parse().ok()
    });
    thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
    number.unwrap_or_else(|| panic!("no line with {words:?}"))
}

/// Where a program is, if it is.
fn found(program: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|dir| dir.join(program)).find(|path| path.is_file())
}

/// Copies the shipped tables and makes those of `five`, where mills take stones.
fn tables() -> TempDir {
    let dir = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    copy_shipped(&SHIPPED, dir.path());
    let made = Command::new(env!("CARGO_BIN_EXE_merels"))
        .args(["generate", "five", "--tables"])
        .arg(dir.path())
        .output()
        .unwrap();
    assert!(made.status.success(), "generate five");
    dir
}

async fn browser(chromium: &Path, port: u16, profile: &Path) -> Client {
    let capabilities = json!({
        "goog:chromeOptions": {
            "binary": chromium,
            "args": [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic",
                "--no-first-run", "--disable-background-networking",
                "--disable-component-update", "--disable-sync", "--window-size=1280,1000",
                "--disable-dev-shm-usage", format!("--user-data-dir={}", profile.display()),
            ],
        },
        "goog:loggingPrefs": { "browser": "ALL" },
    });
    ClientBuilder::new(HttpConnector::new())
        .capabilities(capabilities.as_object().unwrap().clone())
        .connect(&format!("http://127.0.0.1:{port}"))
        .await
        .expect("a browser session")
}

/// Runs a test in a browser that stands before the page, and holds it to an empty console.
pub fn browse<F>(test: impl FnOnce(Page, Arc<Mutex<Server>>) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    run(&[], true, test);
}

/// The same where errors in the console belong to the test, or with options for the server.
pub fn browse_with<F>(options: &[&str], test: impl FnOnce(Page, Arc<Mutex<Server>>) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    run(options, false, test);
}

fn run<F>(options: &[&str], quiet: bool, test: impl FnOnce(Page, Arc<Mutex<Server>>) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let (Some(chromium), Some(driver)) = (found("chromium"), found("chromedriver")) else {
        let required = env::var_os("MERELS_BROWSER").is_some_and(|value| value == "required");
        assert!(!required, "no chromium or no chromedriver, and MERELS_BROWSER=required");
        eprintln!("skipped: no chromium or no chromedriver");
        return;
    };
    let _alone: MutexGuard<'_, ()> = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let tables = tables();
    let profile = TempDir::new().unwrap();
    let server = Server::start(tables.path(), "127.0.0.1:0", options);
    let address = server.address.clone();
    // Held here as well, so that it lives as long as the test.
    let server = Arc::new(Mutex::new(server));
    let mut leading = Command::new(driver)
        .arg("--port=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("chromedriver");
    let port = number_in_line(leading.stdout.take().unwrap(), "successfully on port ");
    let _leading = Killed(leading);

    let runtime = tokio::runtime::Runtime::new().unwrap();
    let outcome = runtime.block_on(async {
        let client = browser(&chromium, port, profile.path()).await;
        let page = Page::new(client.clone(), address);
        page.open("").await;
        let outcome = tokio::spawn(test(page.clone(), server.clone())).await;
        let errors = page.console_errors().await;
        let _ = client.close().await;
        outcome.map(|()| errors)
    });
    match outcome {
        Ok(errors) => assert!(!quiet || errors.is_empty(), "in the console: {errors:#?}"),
        Err(failed) => std::panic::resume_unwind(failed.into_panic()),
    }
}
