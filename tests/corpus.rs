//! What fuzzing has found worth keeping, again and again: every input of `fuzz/corpus` through the
//! same bodies that the fuzz targets run.

#[path = "../fuzz/src/lib.rs"]
mod fuzz;

use rayon::prelude::*;
use std::fs;
use std::path::Path;

fn replay(target: &str, body: fn(&[u8])) {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let mut files: Vec<_> =
        fs::read_dir(&place).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > 3, "{} inputs", files.len());
    files.par_iter().for_each(|file| {
        let input = fs::read(file).unwrap();
        if std::panic::catch_unwind(|| body(&input)).is_err() {
            panic!("{} fails", file.display());
        }
    });
}

#[test]
fn table_bytes() {
    replay("table", fuzz::table::run);
}

#[test]
fn headers_inventories_and_states() {
    replay("header", fuzz::header::run);
    // As this build saves it.
    fuzz::header::run(&[&[3], &fuzz::header::sample_state()[..]].concat());
}

#[test]
fn packed_tables() {
    replay("packed", fuzz::packed::run);
}

#[test]
fn positions_in_all_dialects() {
    replay("positions", fuzz::positions::run);
}

#[test]
fn move_lists() {
    replay("moves", fuzz::moves::run);
}

#[test]
fn rule_sets() {
    replay("rules", fuzz::rules::run);
}

#[test]
fn engine_sessions() {
    replay("engine", fuzz::engine::run);
}

#[test]
fn http_requests() {
    replay("http", fuzz::http::run);
}
