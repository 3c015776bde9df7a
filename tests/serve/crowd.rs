//! Many clients, slow ones, and the end.

use crate::desk::Server;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

/// What the server takes at a time.
const PLACES: usize = 256;

const START: &str = "/v1/variants/three/position?position=startpos";

#[test]
fn the_slow_do_not_hold_up_the_quick() {
    let server = Server::start();
    let mut slow: Vec<TcpStream> = (0..40).map(|_| server.connect()).collect();
    for stream in &mut slow {
        stream.write_all(b"GET /v1/health HTTP/1.1\r\nhost:").unwrap();
    }
    let begun = Instant::now();
    for _ in 0..20 {
        server.get(START).good();
    }
    assert!(begun.elapsed() < Duration::from_secs(5));
    // And they are let go some time.
    let mut said = Vec::new();
    slow[0].read_to_end(&mut said).unwrap();
    assert!(begun.elapsed() < Duration::from_secs(30));
}

#[test]
fn who_holds_places_in_silence_gives_them_up() {
    let server = Server::start();
    let mut held: Vec<TcpStream> = (0..PLACES).map(|_| server.connect()).collect();
    for _ in 0..20 {
        server.get(START).good();
    }
    // The first to come was the first to go, the last is still heard.
    let mut first = held.remove(0);
    first.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    assert!(matches!(first.read(&mut [0]), Ok(0) | Err(_)));
    let mut last = held.pop().unwrap();
    last.write_all(b"GET /v1/health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").unwrap();
    let mut said = String::new();
    last.read_to_string(&mut said).unwrap();
    assert!(said.starts_with("HTTP/1.1 200 OK"), "{said}");
}

#[test]
fn many_ask_at_once_and_all_are_answered_alike() {
    let server = Server::start();
    let expected = server.get(START).body;
    thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                for _ in 0..25 {
                    assert_eq!(server.get(START).body, expected);
                }
            });
        }
    });
}

#[test]
fn several_questions_on_one_connection() {
    let server = Server::start();
    let one = "GET /v1/health HTTP/1.1\r\nhost: x\r\n\r\n";
    let last = "GET /v1/health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    let said = server.raw(&[one, one, last].concat());
    assert_eq!(said.matches("HTTP/1.1 200 OK").count(), 3, "{said}");
}

#[cfg(unix)]
#[test]
fn a_request_to_end_is_followed() {
    let server = Server::start();
    server.get(START).good();
    // One that is idle and one that never asks are no reason to stay.
    let mut idle = server.connect();
    idle.write_all(b"GET /v1/health HTTP/1.1\r\nhost: x\r\n\r\n").unwrap();
    let mut some = [0; 64];
    assert!(idle.read(&mut some).unwrap() > 0);
    let begun = Instant::now();
    let output = server.terminate();
    assert_eq!(output.status.code(), Some(0));
    assert!(begun.elapsed() < Duration::from_secs(10));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}
