//! What `plan` says beforehand, held against what was taken.

use merels::rules::variants;
use merels::solve::{Limits, Plan, Planned, Wanted, generate, peak_disk};
use merels::space::Space;
use merels::table::{Memory, Shelf};
use std::sync::Arc;

/// Whether two amounts differ by a fifth of the second at most.
fn near(forecast: u64, taken: u64) -> bool {
    forecast.abs_diff(taken) * 5 <= taken
}

fn planned(id: &str, max_stones: Option<u8>) -> (Shelf, Arc<Memory>, Plan) {
    let memory = Arc::new(Memory::new());
    let shelf = Shelf::on(memory.clone(), &variants::named(id).unwrap().rules);
    let plan = Plan::new(&shelf, &Wanted { subspaces: Vec::new(), max_stones });
    (shelf, memory, plan)
}

#[test]
fn tables_take_as_much_disk_as_was_said() {
    let games = [
        ("nine", Some(6)),
        ("nine", Some(7)),
        ("nine", Some(8)),
        ("nine", Some(9)),
        ("nine-noflying", Some(8)),
        ("lasker", Some(8)),
        ("twelve", Some(8)),
        ("eleven", Some(8)),
        ("five", None),
        ("six", None),
        ("three", None),
    ];
    for (id, most) in games {
        let (shelf, memory, plan) = planned(id, most);
        let space = Space::new(shelf.rules().clone());
        generate(&space, &shelf, &plan, Limits::default(), &()).unwrap();
        let length = |name: String| memory.get(&name).unwrap().len() as u64;
        let taken = memory.names().into_iter().map(length).sum();
        let forecast = plan.disk();
        assert!(near(forecast, taken), "{id} {most:?}: {forecast} were said, {taken} taken");
    }
}

/// Measured once: bytes of all tables, with 2 threads or any other number.
#[test]
fn large_games_take_as_much_disk_as_was_said() {
    let measured = [
        ("nine", Some(10), 32_200_000),
        ("nine", Some(11), 168_400_000),
        ("nine", None, 12_470_000_000),
        ("lasker", Some(10), 54_100_000),
        ("twelve", Some(11), 228_900_000),
        ("nine-noflying", Some(11), 186_900_000),
        ("twelve-noflying", Some(10), 64_000_000),
    ];
    for (id, most, taken) in measured {
        let forecast = planned(id, most).2.disk();
        assert!(near(forecast, taken), "{id} {most:?}: {forecast} were said, {taken} taken");
    }
}

#[test]
fn saved_states_count_while_their_unit_is_solved() {
    let plan = planned("nine", None).2;
    let long = plan.units.iter().find(|planned| planned.states > 0).expect("some take long");
    let unit = |disk, states| Planned { disk, states, ..long.clone() };
    assert_eq!(peak_disk(&[unit(10, 0), unit(5, 0)]), 15);
    assert_eq!(peak_disk(&[unit(10, 0), unit(5, 20)]), 30);
    assert_eq!(peak_disk(&[unit(10, 0), unit(50, 20)]), 70);
    assert_eq!(peak_disk(&[unit(10, 40), unit(50, 0)]), 60);
}

/// The most memory that the program took, as the system tells it while it runs.
#[cfg(target_os = "linux")]
#[test]
fn a_run_takes_as_much_memory_as_was_said() {
    use std::process::{Command, Stdio};
    let room = tempfile::TempDir::new().unwrap();
    let merels = |words: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_merels"));
        command.current_dir(room.path()).args(words.split_whitespace()).args(["--threads", "2"]);
        command
    };
    for stones in [6, 8, 9] {
        let what = format!("nine --max-stones {stones} --tables {stones}");
        let plan = merels(&format!("plan {what} --json")).output().unwrap();
        let plan: serde_json::Value = serde_json::from_slice(&plan.stdout).unwrap();
        let forecast = plan["total"]["memory_bytes"].as_u64().unwrap();
        let mut run = merels(&format!("generate {what}")).stdout(Stdio::null()).spawn().unwrap();
        let mut taken = 0;
        while run.try_wait().unwrap().is_none() {
            let status = std::fs::read_to_string(format!("/proc/{}/status", run.id()));
            let status = status.unwrap_or_default();
            let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            if let Some(most) = most.and_then(|most| most.trim().strip_suffix(" kB")) {
                taken = taken.max(most.parse::<u64>().unwrap() << 10);
            }
            std::thread::sleep(std::time::Duration::from_micros(200));
        }
        assert!(near(forecast, taken), "{stones}: {forecast} were said, {taken} taken");
    }
}
