//! A server in a directory of its own, and somebody who asks it.

use crate::shipped::{copy_shipped, shipped};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Far longer than anything takes, so that a fault is not waited for for ever.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The program, not yet run.
pub fn merels(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_merels"));
    command.env_remove("MERELS_TABLES").args(words);
    command
}

/// A server that ends with the test.
pub struct Server {
    child: Child,
    pub address: SocketAddr,
    room: Option<TempDir>,
}

/// What was answered.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    headers: ureq::http::HeaderMap,
    pub body: Vec<u8>,
}

impl Server {
    /// Over the tables that ship.
    pub fn start() -> Server {
        Server::over(shipped(), &[])
    }

    /// Over a copy of the tables of some variants, which may be spoiled.
    pub fn copy(variants: &[&str]) -> Server {
        let room = TempDir::new().unwrap();
        copy_shipped(variants, room.path());
        let mut server = Server::over(room.path(), &[]);
        server.room = Some(room);
        server
    }

    pub fn over(tables: &Path, words: &[&str]) -> Server {
        let mut child = merels(&["serve", "--listen", "127.0.0.1:0", "--tables"])
            .arg(tables)
            .args(words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on http://").unwrap_or_else(|| {
            let _ = child.kill();
            panic!("said {line:?} instead of where it listens")
        });
        let address = address.trim_end_matches('/').parse().unwrap();
        Server { child, address, room: None }
    }

    /// A file of its own table directory.
    pub fn path(&self, name: &str) -> PathBuf {
        self.room.as_ref().unwrap().path().join(name)
    }

    /// Changes one byte of a file of its own.
    pub fn flip(&self, name: &str, place: usize) {
        let mut bytes = fs::read(self.path(name)).unwrap();
        bytes[place] ^= 0x10;
        // Under another name first: the server may have the file mapped.
        fs::write(self.path("other"), bytes).unwrap();
        fs::rename(self.path("other"), self.path(name)).unwrap();
    }

    pub fn get(&self, address: &str) -> Answer {
        self.ask("GET", address, &[])
    }

    /// The position of a variant, as a text that need not be encoded.
    pub fn position(&self, variant: &str, text: &str) -> Answer {
        self.get(&format!("/v1/variants/{variant}/position?position={}", encoded(text)))
    }

    pub fn ask(&self, method: &str, address: &str, headers: &[(&str, &str)]) -> Answer {
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .allow_non_standard_methods(true)
            .timeout_global(Some(PATIENCE))
            .build()
            .new_agent();
        let mut request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("http://{}{address}", self.address));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = agent.run(request.body(()).unwrap()).unwrap();
        let (parts, body) = response.into_parts();
        let mut bytes = Vec::new();
        body.into_reader().read_to_end(&mut bytes).unwrap();
        Answer { status: parts.status.as_u16(), headers: parts.headers, body: bytes }
    }

    /// Resident memory of the process, in KiB.
    #[cfg(target_os = "linux")]
    pub fn memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// How many files and connections the process has open.
    #[cfg(target_os = "linux")]
    pub fn open_files(&self) -> usize {
        fs::read_dir(format!("/proc/{}/fd", self.child.id())).unwrap().count()
    }

    /// A connection on which anything can be said.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Says something and returns all that comes back until the server closes.
    pub fn raw(&self, text: &str) -> String {
        let mut stream = self.connect();
        // Who says too much is hung up on in the middle.
        let _ = stream.write_all(text.as_bytes());
        let mut said = Vec::new();
        let _ = stream.read_to_end(&mut said);
        String::from_utf8_lossy(&said).into_owned()
    }

    /// Asks the process to end, and returns how it did.
    #[cfg(unix)]
    pub fn terminate(mut self) -> Output {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        let begun = Instant::now();
        while self.child.try_wait().unwrap().is_none() {
            assert!(begun.elapsed() < PATIENCE, "it does not end");
            std::thread::sleep(Duration::from_millis(10));
        }
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        self.child.stdout.take().unwrap().read_to_end(&mut stdout).unwrap();
        self.child.stderr.take().unwrap().read_to_end(&mut stderr).unwrap();
        Output { status: self.child.wait().unwrap(), stdout, stderr }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Answer {
    #[track_caller]
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        let text = String::from_utf8_lossy(&self.body);
        assert!(self.header("content-type").starts_with("application/json"), "{text}");
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    /// Checks the status, and returns the object.
    #[track_caller]
    pub fn good(&self) -> Value {
        assert_eq!(self.status, 200, "{}", String::from_utf8_lossy(&self.body));
        self.json()
    }

    /// Checks status and code, and returns the error.
    #[track_caller]
    pub fn refused(&self, status: u16, code: &str) -> Value {
        let error = self.json()["error"].clone();
        assert_eq!((self.status, error["code"].as_str()), (status, Some(code)), "{error}");
        for key in ["message", "remedy"] {
            assert!(error[key].as_str().is_some_and(|text| !text.is_empty()), "{error}");
        }
        assert_eq!(self.header("access-control-allow-origin"), "*");
        assert_eq!(self.header("cache-control"), "no-store");
        error
    }
}

/// A text as a parameter of an address.
pub fn encoded(text: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~".contains(&b);
    let letter = |b: u8| if plain(b) { (b as char).to_string() } else { format!("%{b:02X}") };
    text.bytes().map(letter).collect()
}
