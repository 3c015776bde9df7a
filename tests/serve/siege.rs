//! The server besieged: clients that say nothing, trickle, do not listen, hang up, or talk nonsense,
//! hundreds at a time and again and again, while honest ones ask what has a known answer.
//!
//! `MERELS_SIEGE=SECONDS` makes it a campaign (`scripts/siege`); the ordinary tests have a short one.

use crate::desk::Server;
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

/// Questions whose answers are known beforehand.
const QUESTIONS: [&str; 6] = [
    "/v1/health",
    "/v1/variants/three/position?position=startpos&line=true",
    "/v1/variants/achi/position?position=startpos%20moves%20b2",
    "/v1/variants/nine-holes/game?position=startpos%20moves%20b2%20a1",
    "/v1/variants/three/statistics",
    "/openapi.json",
];

/// What a siege is made of.
pub struct Siege<'a> {
    server: &'a Server,
    expected: Vec<Vec<u8>>,
    over: AtomicBool,
    opened: AtomicU64,
    refused: AtomicU64,
    malformed: AtomicU64,
    latencies: Mutex<Vec<Duration>>,
}

/// What came of it.
pub struct Outcome {
    pub opened: u64,
    pub refused: u64,
    pub malformed: u64,
    /// How long the honest waited, rising.
    pub latencies: Vec<Duration>,
    /// Resident KiB after a quarter of the time, and at the end.
    pub memory: [u64; 2],
    /// Open files before, and when the besiegers have gone.
    pub files: [usize; 2],
}

impl Outcome {
    /// The time within which so many of a thousand honest questions were answered.
    pub fn within(&self, of_thousand: usize) -> Duration {
        self.latencies[(self.latencies.len() - 1) * of_thousand / 1000]
    }
}

/// Besieges a server for so long.
pub fn besiege(server: &Server, time: Duration) -> Outcome {
    let expected = QUESTIONS.map(|question| {
        let answer = server.get(question);
        assert_eq!(answer.status, 200, "{question}");
        answer.body
    });
    let siege = Siege {
        server,
        expected: expected.into(),
        over: AtomicBool::new(false),
        opened: AtomicU64::new(0),
        refused: AtomicU64::new(0),
        malformed: AtomicU64::new(0),
        latencies: Mutex::default(),
    };
    let files = server.open_files();
    let mut memory = [0; 2];
    thread::scope(|scope| {
        scope.spawn(|| siege.hold(150, |_| Vec::new()));
        scope.spawn(|| siege.hold(100, trickle));
        scope.spawn(|| {
            siege.hold(60, |_| b"GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n".repeat(20))
        });
        scope.spawn(|| siege.hang_up());
        scope.spawn(|| siege.talk_nonsense());
        let honest = [0, 1, 2].map(|which| {
            scope.spawn({
                let siege = &siege;
                move || siege.ask(which)
            })
        });
        let begun = Instant::now();
        while begun.elapsed() < time && !honest.iter().any(|asker| asker.is_finished()) {
            sleep(Duration::from_millis(100));
            // What it had after a quarter of the time is what the end is held against.
            memory[usize::from(begun.elapsed() >= time / 4)] = server.memory();
        }
        siege.over.store(true, Relaxed);
    });
    sleep(Duration::from_millis(500));
    let mut latencies = siege.latencies.into_inner().unwrap();
    latencies.sort();
    Outcome {
        opened: siege.opened.into_inner(),
        refused: siege.refused.into_inner(),
        malformed: siege.malformed.into_inner(),
        latencies,
        memory,
        files: [files, server.open_files()],
    }
}

/// A head that never ends.
fn trickle(step: usize) -> Vec<u8> {
    const HEAD: &[u8] = b"GET /v1/health HTTP/1.1\r\nx-long: ";
    vec![*HEAD.get(step).unwrap_or(&b'y')]
}

impl Siege<'_> {
    fn connect(&self) -> Option<TcpStream> {
        let stream = TcpStream::connect(self.server.address).ok()?;
        self.opened.fetch_add(1, Relaxed);
        stream.set_nonblocking(true).unwrap();
        Some(stream)
    }

    /// Holds so many connections and says something on each now and then, never listening; takes
    /// each again when it is closed.
    fn hold(&self, count: usize, say: fn(usize) -> Vec<u8>) {
        let mut held: Vec<Option<(TcpStream, usize)>> = (0..count).map(|_| None).collect();
        while !self.over.load(Relaxed) {
            for place in &mut held {
                let Some((stream, step)) = place else {
                    *place = self.connect().map(|stream| (stream, 0));
                    continue;
                };
                let open = match stream.write(&say(*step)) {
                    Err(error) => error.kind() == ErrorKind::WouldBlock,
                    Ok(_) => {
                        let peeked = stream.peek(&mut [0]);
                        !matches!(peeked, Ok(0))
                            && peeked.err().is_none_or(|e| e.kind() == ErrorKind::WouldBlock)
                    }
                };
                *step += 1;
                if !open {
                    *place = None;
                }
            }
            sleep(Duration::from_millis(20));
        }
    }

    /// Connects, says some, none or half, and is gone without having listened.
    fn hang_up(&self) {
        let said: [&[u8]; 5] = [
            b"",
            b"GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n",
            b"GET /v1/variants/three/pos",
            b"GET /v1/variants HTTP/1.1\r\nhost: x\r\n\r\nGET /v1/health HTTP/1.1\r\n",
            b"POST /v1/health HTTP/1.1\r\nhost: x\r\ncontent-length: 8000\r\n\r\nhalf",
        ];
        for step in 0.. {
            if self.over.load(Relaxed) {
                return;
            }
            let Some(mut stream) = self.connect() else { continue };
            let _ = stream.write(said[step % said.len()]);
            if step % 3 == 0 {
                let _ = stream.shutdown(Shutdown::Write);
            }
            if step % 7 == 0 {
                sleep(Duration::from_millis(1));
            }
            drop(stream);
            sleep(Duration::from_millis(3));
        }
    }

    /// Sends what is no request, or too large a one, and reads what comes.
    fn talk_nonsense(&self) {
        let long = |count: usize| "y".repeat(count);
        let nonsense = [
            "\r\n\r\n\r\n".to_owned(),
            "HELO here\r\n\r\n".to_owned(),
            "GET / HTTP/9.9\r\n\r\n".to_owned(),
            "GET http:// HTTP/1.1\r\nhost: x\r\n\r\n".to_owned(),
            "\u{0}\u{1}\u{2}\u{3}".repeat(500),
            format!("GET /{} HTTP/1.1\r\nhost: x\r\n\r\n", long(20_000)),
            format!("GET / HTTP/1.1\r\nhost: x\r\nx: {}\r\n\r\n", long(100_000)),
            format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(500)),
            format!("GET / HTTP/1.1\r\nhost: x\r\n{}\r\n", "a: b\r\n".repeat(20_000)),
            "POST /v1/health HTTP/1.1\r\nhost: x\r\ncontent-length: 99999999999\r\n\r\n".to_owned(),
            "POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nffffffff\r\n"
                .to_owned(),
            "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\nabcd"
                .to_owned(),
            "GET /v1/variants/%ff%00/position?position=%zz HTTP/1.1\r\nhost: x\r\n\r\n".to_owned(),
            "CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n".to_owned(),
            format!(
                "GET /v1/variants/three/game?position={} HTTP/1.1\r\nhost: x\r\n\r\n",
                long(9000)
            ),
        ];
        for step in 0.. {
            if self.over.load(Relaxed) {
                return;
            }
            let Some(mut stream) = self.connect() else { continue };
            let _ = stream.set_nonblocking(false);
            let _ = stream.set_read_timeout(Some(Duration::from_secs(20)));
            let _ = stream.write_all(nonsense[step % nonsense.len()].as_bytes());
            let _ = stream.shutdown(Shutdown::Write);
            let mut said = Vec::new();
            let _ = stream.read_to_end(&mut said);
            // Who is in the way of others is closed without a word.
            let said = String::from_utf8_lossy(&said);
            let status = said.get(9..12).unwrap_or("400");
            let text = &nonsense[step % nonsense.len()];
            assert!(
                ["200", "400", "404", "405", "413", "414", "431", "503"].contains(&status),
                "{text:.80}: {said}"
            );
            self.malformed.fetch_add(1, Relaxed);
            sleep(Duration::from_millis(5));
        }
    }

    /// Asks what is known and compares, on a new connection each time.
    fn ask(&self, which: usize) {
        for step in which.. {
            if self.over.load(Relaxed) {
                return;
            }
            let question = step % QUESTIONS.len();
            let begun = Instant::now();
            let text = format!(
                "GET {} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
                QUESTIONS[question]
            );
            loop {
                let said = self.server.raw(&text);
                match said.split_once("\r\n\r\n") {
                    Some((head, body)) if head.starts_with("HTTP/1.1 200 ") => {
                        assert_eq!(body.as_bytes(), self.expected[question], "{head}");
                        break;
                    }
                    Some((head, _)) if !head.starts_with("HTTP/1.1 503 ") => panic!("{head}"),
                    // Refused in the crowd, or closed before it was heard: once more.
                    _ => drop(self.refused.fetch_add(1, Relaxed)),
                }
                assert!(begun.elapsed() < Duration::from_secs(30), "{question} is not answered");
            }
            self.latencies.lock().unwrap().push(begun.elapsed());
            sleep(Duration::from_millis(10));
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_besieged_server_answers_the_honest() {
    let campaign = std::env::var("MERELS_SIEGE").ok().and_then(|text| text.parse().ok());
    let time = Duration::from_secs(campaign.unwrap_or(5));
    let server = Server::start();
    let outcome = besiege(&server, time);
    let Outcome { opened, refused, malformed, ref latencies, memory, files } = outcome;
    let [half, most, all] = [500, 990, 1000].map(|part| outcome.within(part));
    println!(
        "{opened} connections in {} s, {malformed} of them nonsense; {} honest questions, all \
         answered rightly: half within {half:.1?}, 99 of 100 within {most:.1?}, all within {all:.1?}, \
         {refused} tries more were needed; memory {} KiB, then {} KiB; open files {} before, {} after",
        time.as_secs(),
        latencies.len(),
        memory[0],
        memory[1],
        files[0],
        files[1],
    );
    assert!(opened > 150 * time.as_secs(), "{opened} connections");
    assert!(all < Duration::from_secs(20), "{all:?}");
    assert!(memory[1] < memory[0] + 16 * 1024, "memory grows: {memory:?} KiB");
    assert!(files[1] <= files[0] + 2, "files stay open: {files:?}");
    // And then it is as it was.
    server.get(QUESTIONS[1]).good();
}
