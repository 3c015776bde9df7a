//! Ctrl-C, and a request to end. A patient command finishes what must not be left half and stops;
//! others end at once, having nothing to lose.

use super::failure::Status;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static ASKED: AtomicBool = AtomicBool::new(false);
static PATIENT: AtomicBool = AtomicBool::new(false);

/// From now on the first request ends the program at once, with the status for it.
pub fn listen() {
    let asked = || {
        if !PATIENT.load(Relaxed) || ASKED.swap(true, Relaxed) {
            process::exit(Status::Interrupted as i32);
        }
    };
    // Without a handler the system ends the program, which loses no more.
    let _ = ctrlc::set_handler(asked);
}

/// From now on the first request only sets [`asked`]; the second ends the program.
pub fn be_patient() {
    PATIENT.store(true, Relaxed);
}

/// Whether somebody has asked to stop.
pub fn asked() -> bool {
    ASKED.load(Relaxed)
}
