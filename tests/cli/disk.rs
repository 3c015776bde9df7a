//! The disk under a run: full, read-only, gone, and with times that make no sense. A run ends with a
//! message, and the same command goes on when all is well again.
#![cfg(target_os = "linux")]

use crate::desk::Desk;
use crate::resume::{COMMAND, undisturbed};
use std::fs::{self, File};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

/// A file system of its own for the tables, where the user may mount one.
struct Disk<'a>(&'a Desk);

impl Disk<'_> {
    fn mount(desk: &Desk, kibibytes: u32) -> Option<Disk<'_>> {
        fs::create_dir(desk.path("tables")).unwrap();
        let mounted = Disk::call(desk, &["mount", "-t", "tmpfs"], &size(kibibytes));
        if !mounted {
            eprintln!("not tested: this user may not mount a small file system");
        }
        mounted.then_some(Disk(desk))
    }

    fn remount(&self, options: &str) {
        assert!(Disk::call(self.0, &["mount"], &format!("remount,{options}")));
    }

    fn call(desk: &Desk, words: &[&str], options: &str) -> bool {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).args(["-o", options, "merels-test"]).arg(desk.path("tables"));
        command.stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    }
}

impl Drop for Disk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path("tables")).status();
    }
}

fn size(kibibytes: u32) -> String {
    format!("size={kibibytes}k")
}

#[test]
fn a_full_disk_ends_a_run_with_a_message_and_more_room_lets_it_go_on() {
    let desk = Desk::empty();
    let Some(disk) = Disk::mount(&desk, 128) else { return };
    let mut ends = 0;
    for room in (128..).step_by(128) {
        disk.remount(&size(room));
        let said = desk.merels(COMMAND);
        if said.out.contains("tables/six") {
            said.exits(0);
            break;
        }
        ends += 1;
        let said = said.exits(3).says_nothing_on_stdout();
        said.complains("No space left").complains("free some space and run the same command again");
        assert!(!desk.names("tables/six").iter().any(|name| name.ends_with("partial")));
    }
    assert!(ends > 1, "it never was full");
    assert!(desk.tables("tables/six") == undisturbed());
}

#[test]
fn a_read_only_directory_is_read_and_refuses_a_run() {
    let desk = Desk::empty();
    let Some(disk) = Disk::mount(&desk, 65536) else { return };
    disk.remount("ro");
    let said = desk.merels(COMMAND).exits(3).says_nothing_on_stdout();
    said.complains("tables/six").complains("Read-only file system");
    disk.remount("rw");
    desk.merels("generate six 4-4").exits(0);
    disk.remount("ro");
    let said = desk.merels(COMMAND).exits(3).says_nothing_on_stdout();
    said.complains("tables/six").complains("Read-only file system");
    desk.merels("pack six").exits(3).complains("Read-only file system");
    desk.merels("list six").exits(0);
    desk.merels("stats six").exits(0);
    desk.merels("verify six --checksums").exits(0);
    desk.merels("verify six 3-3").exits(0);
    disk.remount("rw");
    desk.merels(COMMAND).exits(0).complains_of_nothing();
    assert!(desk.tables("tables/six") == undisturbed());
}

#[test]
fn a_directory_that_vanishes_under_a_run_ends_it_and_keeps_what_it_held() {
    for removed in [false, true] {
        let desk = Desk::empty();
        let mut run = desk.command(&COMMAND.split(' ').collect::<Vec<_>>());
        let child = std::thread::scope(|scope| {
            let ended = scope.spawn(move || run.output().unwrap());
            while !desk.path("tables/six/3-4.wdl").exists() || desk.saved("tables/six").is_none() {
                assert!(!ended.is_finished(), "it ended before it saved a state");
                std::thread::yield_now();
            }
            if removed {
                // A run that writes at the same moment can put a file there again.
                while fs::remove_dir_all(desk.path("tables")).is_err() {}
            } else {
                fs::rename(desk.path("tables"), desk.path("elsewhere")).unwrap();
            }
            ended.join().unwrap()
        });
        let said = String::from_utf8(child.stderr).unwrap();
        assert_eq!(child.status.code(), Some(3), "{said}");
        assert!(said.contains("tables/six") && said.contains("No such file"), "{said}");
        if !removed {
            fs::rename(desk.path("elsewhere"), desk.path("tables")).unwrap();
            desk.merels("verify six --checksums").exits(0);
        }
        desk.merels(COMMAND).exits(0);
        assert!(desk.tables("tables/six") == undisturbed());
    }
}

/// Nothing is decided by the time of day: a clock that goes back between two runs, or files whose
/// times lie in the future, change nothing.
#[test]
fn the_times_of_files_do_not_matter() {
    let century = Duration::from_secs(100 * 365 * 86400);
    for time in [SystemTime::UNIX_EPOCH, SystemTime::now() + century] {
        let desk = Desk::empty();
        desk.kill_in(COMMAND, "tables/six", "5-4");
        for name in desk.names("tables/six") {
            let file = desk.path(&format!("tables/six/{name}"));
            let file = File::options().append(true).open(file).unwrap();
            file.set_modified(time).unwrap();
        }
        desk.merels(COMMAND).exits(0).complains("5-4 goes on from where it was saved");
        assert!(desk.tables("tables/six") == undisturbed());
    }
}
