//! Runs that end before they should: killed at any moment, a damaged or foreign saved state. The
//! same command goes on, and ends with the bytes of a run that nobody disturbed.
#![cfg(unix)]

use crate::desk::Desk;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Two units, and the small ones before them, saved at every step.
pub const COMMAND: &str = "generate six 4-4 5-4 --save-every 0";

impl Desk {
    pub fn begin(&self, line: &str) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_merels"));
        command.current_dir(self.path("")).env_remove("MERELS_TABLES");
        command.args(line.split_whitespace()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    }

    /// The tables and the inventory. There must be nothing else but the lock.
    pub fn tables(&self, directory: &str) -> Vec<(String, Vec<u8>)> {
        let mut names = self.names(directory);
        names.retain(|name| name != "lock");
        let left = names.iter().find(|n| n.ends_with("working") || n.ends_with("partial"));
        assert_eq!(left, None);
        let read = |name: String| (name.clone(), self.read(&format!("{directory}/{name}")));
        names.into_iter().map(read).collect()
    }

    /// The name of a saved state.
    pub fn saved(&self, directory: &str) -> Option<String> {
        if !self.path(directory).exists() {
            return None;
        }
        self.names(directory).into_iter().find(|name| name.ends_with(".working"))
    }

    /// Kills a run while a saved state of `unit` is there.
    pub fn kill_in(&self, line: &str, directory: &str, unit: &str) {
        for _ in 0..20 {
            let mut child = self.begin(line);
            let file = self.path(&format!("{directory}/{unit}.working"));
            while !file.exists() && child.try_wait().unwrap().is_none() {
                std::thread::sleep(Duration::from_micros(200));
            }
            child.kill().unwrap();
            child.wait().unwrap();
            if file.exists() {
                return;
            }
            // Too late; once more.
            std::fs::remove_dir_all(self.path("tables")).unwrap();
        }
        panic!("no run of {line} was caught while a state of {unit} was saved");
    }
}

pub fn undisturbed() -> Vec<(String, Vec<u8>)> {
    let desk = Desk::empty();
    desk.merels("generate six 4-4 5-4").exits(0).complains_of_nothing();
    desk.tables("tables/six")
}

/// A number below `end`, another one each time.
fn below(end: u64, state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*state >> 33) % end
}

#[test]
fn runs_killed_at_any_moment_end_with_the_tables_of_an_undisturbed_one() {
    let expected = undisturbed();
    let mut state = u64::from(std::process::id());
    let begun = Instant::now();
    let (mut kills, mut saved) = (0, 0);
    while kills < 40 && begun.elapsed() < Duration::from_secs(6) {
        let desk = Desk::empty();
        // Each run is given a little longer than the one before, so that all comes to an end.
        for longer in 0u64.. {
            let mut child = desk.begin(COMMAND);
            let wait = 1 + below(60 + 20 * longer, &mut state);
            std::thread::sleep(Duration::from_millis(wait));
            if let Some(status) = child.try_wait().unwrap() {
                assert!(status.success(), "seed {state}: {status}");
                break;
            }
            child.kill().unwrap();
            child.wait().unwrap();
            kills += 1;
            saved += u32::from(desk.saved("tables/six").is_some());
        }
        assert!(desk.tables("tables/six") == expected, "seed {state}, {kills} kills");
    }
    assert!(saved > 0, "of {kills} kills none came while a state was saved");
}

#[test]
fn a_run_goes_on_within_a_unit() {
    let desk = Desk::empty();
    desk.kill_in(COMMAND, "tables/six", "5-4");
    desk.merels("list six --quick").says("3-3.dtw").complains("5-4.working is a unit in progress");
    desk.merels("generate six 4-4 5-4").exits(0).complains("5-4 goes on from where it was saved");
    assert!(desk.tables("tables/six") == undisturbed());
}

#[test]
fn what_a_run_left_that_was_killed_after_its_last_table_goes() {
    let desk = Desk::empty();
    desk.kill_in(COMMAND, "tables/six", "5-4");
    let state = desk.read("tables/six/5-4.working");
    desk.merels("generate six 4-4 5-4").exits(0);
    desk.write("tables/six/5-4.working", &state);
    desk.write("tables/six/5-4.wdl.partial", &state);
    desk.merels("generate six 4-4 5-4").exits(0).says("nothing to do");
    assert!(desk.tables("tables/six") == undisturbed());
}

#[test]
fn a_saved_state_that_is_damaged_is_told_and_left_aside() {
    let whole = Desk::empty();
    whole.kill_in(COMMAND, "tables/six", "5-4");
    let file = "tables/six/5-4.working";
    let bytes = whole.read(file);
    let expected = undisturbed();
    let end = bytes.len();
    let flips = [0, 9, 30, 60, 80, 100, 111, 112, 200, end / 3, end / 2, end - 30, end - 1];
    let flipped = flips.map(|place| {
        let mut bytes = bytes.clone();
        bytes[place] ^= 0x10;
        bytes
    });
    let cut = [0, 1, 50, 112, end / 2, end - 1].map(|length| bytes[..length].to_vec());
    for (number, bytes) in flipped.into_iter().chain(cut).enumerate() {
        let desk = Desk::empty();
        // What comes before the unit need not be solved each time.
        std::fs::create_dir_all(desk.path("tables/six")).unwrap();
        for (name, table) in expected.iter().filter(|(name, _)| !name.starts_with("5-4")) {
            desk.write(&format!("tables/six/{name}"), table);
        }
        desk.write(file, bytes);
        let said = desk.merels("generate six 4-4 5-4").exits(0);
        said.complains("5-4.working").complains("5-4 is solved from its beginning");
        assert!(desk.tables("tables/six") == expected, "{number}");
    }
}

#[test]
fn a_saved_state_of_another_unit_or_other_rules_is_told_and_left_aside() {
    let desk = Desk::empty();
    desk.kill_in(COMMAND, "tables/six", "5-4");
    let state = desk.read("tables/six/5-4.working");
    let other = Desk::empty();
    std::fs::create_dir_all(other.path("tables/six")).unwrap();
    other.write("tables/six/4-4.working", &state);
    let said = other.merels("generate six 4-4 5-4").exits(0);
    said.complains("4-4.working was left by another").complains("solved from its beginning");
    assert!(other.tables("tables/six") == undisturbed());
    let line = "generate six 5-4 --men 5,4 --blocked draw";
    other.merels(line).exits(0).complains_of_nothing();
    let place = other.names("tables").into_iter().find(|name| name != "six").unwrap();
    let place = format!("tables/{place}");
    let expected = other.tables(&place);
    for name in ["5-4.dtw", "5-4.wdl", "4-5.dtw", "4-5.wdl"] {
        other.remove(&format!("{place}/{name}"));
    }
    other.write(&format!("{place}/5-4.working"), &state);
    other.merels(line).exits(0).complains("under other rules");
    assert!(other.tables(&place) == expected);
}
