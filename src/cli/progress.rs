//! Progress bars on stderr; indicatif hides them where there is no terminal.

use super::interrupt;
use crate::solve::{Observer, Planned, RunObserver};
use crate::space::Subspace;
use crate::table::Header;
use crate::verify::Watch;
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Time between two drawings of a bar.
const TICK: Duration = Duration::from_millis(200);

/// Of the time that a unit takes, the part that is over when its entries are scanned.
const SCAN_SHARE: f64 = 0.5;

fn bar(entries: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(entries);
    bar.set_style(style(template));
    tick(&bar);
    bar
}

/// Draws a bar anew as time goes by. That takes a thread, which nobody needs for a hidden one.
fn tick(bar: &ProgressBar) {
    if !bar.is_hidden() {
        bar.enable_steady_tick(TICK);
    }
}

fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    let rate = |state: &ProgressState, out: &mut dyn Write| {
        let _ = write!(out, "{}/s", short(state.per_sec()));
    };
    style.with_key("rate", rate).progress_chars("=> ")
}

/// `950`, `12.3 k`, `8.1 M`.
fn short(amount: f64) -> String {
    match amount {
        a if a >= 1e9 => format!("{:.1} G", a / 1e9),
        a if a >= 1e6 => format!("{:.1} M", a / 1e6),
        a if a >= 1e3 => format!("{:.1} k", a / 1e3),
        a => format!("{a:.0}"),
    }
}

/// A bar for a check, or for reading files.
pub struct CheckBar(ProgressBar);

impl CheckBar {
    /// A bar of so many entries, or of whatever `unit` names.
    pub fn new(amount: u64, unit: &str) -> CheckBar {
        let template = format!(
            "{{prefix:>12}} [{{bar:30}}] {{human_pos}}/{{human_len}} {unit}, {{rate}}, {{eta}} left"
        );
        CheckBar(bar(amount, &template))
    }

    /// What is looked at now.
    pub fn at(&self, what: impl ToString) {
        self.0.set_prefix(what.to_string());
    }

    /// So much more is done.
    pub fn add(&self, amount: u64) {
        self.0.inc(amount);
    }

    /// Does something that writes to the terminal while the bar is out of the way.
    pub fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.0.suspend(write)
    }

    /// Takes the bar away.
    pub fn end(&self) {
        self.0.finish_and_clear();
    }
}

impl Watch for CheckBar {
    fn checked(&self, entries: u64) {
        self.add(entries);
    }

    fn interrupted(&self) -> bool {
        interrupt::asked()
    }
}

impl Drop for CheckBar {
    fn drop(&mut self) {
        self.end();
    }
}

/// The bar of a run of the solver: entries scanned, rate, subspace and depth, time left.
pub struct RunBar {
    bar: ProgressBar,
    verbose: bool,
    state: Mutex<RunState>,
}

struct RunState {
    /// Forecast of all units that remain, in seconds of one core.
    total: f64,
    /// Forecast of the units that are solved.
    done: f64,
    /// Entries of the units that are solved.
    entries: u64,
    /// Forecast and entries of the unit that is being solved, and how many have been scanned.
    unit: (f64, u64, u64),
    begun: Instant,
    unit_begun: Instant,
    /// How long the units took that are solved and not written yet.
    solved: Vec<(Subspace, Duration)>,
}

impl RunBar {
    /// A bar, shown when the run begins.
    pub fn new(verbose: bool) -> RunBar {
        let now = Instant::now();
        let state = RunState {
            total: 0.0,
            done: 0.0,
            entries: 0,
            unit: (0.0, 0, 0),
            begun: now,
            unit_begun: now,
            solved: Vec::new(),
        };
        RunBar { bar: ProgressBar::hidden(), verbose, state: Mutex::new(state) }
    }

    /// Takes the bar away.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }

    fn state(&self) -> std::sync::MutexGuard<'_, RunState> {
        // A number that is a little wrong is better than none.
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn show(&self, what: &str) {
        let left = self.state().left();
        let left = left
            .map_or(String::new(), |left| format!(", about {} left", super::show::seconds(left)));
        self.bar.set_message(format!("{what}{left}"));
    }
}

impl RunState {
    /// Seconds that are left, from the pace so far; `None` before there is one.
    fn left(&self) -> Option<f64> {
        let (forecast, entries, scanned) = self.unit;
        let part = scanned as f64 / entries.max(1) as f64 * SCAN_SHARE;
        let done = self.done + forecast * part;
        let spent = self.begun.elapsed().as_secs_f64();
        (done > 0.0 && spent > 1.0).then(|| (self.total - done).max(0.0) * spent / done)
    }
}

impl Observer for RunBar {
    fn scanned(&self, entries: u64) {
        self.bar.inc(entries);
        let mut state = self.state();
        let before = state.unit.2 >> 22;
        state.unit.2 += entries;
        let passed = state.unit.2 >> 22 != before;
        drop(state);
        if passed {
            self.show("scanning");
        }
    }

    fn layer(&self, depth: usize) {
        self.show(&format!("depth {depth}"));
    }

    fn widened(&self) {
        let mut state = self.state();
        state.unit.2 = 0;
        self.bar.set_position(state.entries);
    }

    fn interrupted(&self) -> bool {
        interrupt::asked()
    }
}

impl RunObserver for RunBar {
    fn begins(&self, remaining: &[&Planned]) {
        let entries = remaining.iter().map(|planned| planned.entries).sum();
        let mut state = self.state();
        state.total = remaining.iter().map(|planned| planned.core_seconds).sum();
        state.begun = Instant::now();
        if remaining.is_empty() {
            return;
        }
        self.bar.set_length(entries);
        self.bar.set_style(style(
            "{prefix:>12} [{bar:30}] {human_pos}/{human_len} entries, {rate}, {msg}",
        ));
        self.bar.set_draw_target(indicatif::ProgressDrawTarget::stderr());
        tick(&self.bar);
    }

    fn unit_begins(&self, planned: &Planned) {
        let mut state = self.state();
        state.unit = (planned.core_seconds, planned.entries, 0);
        state.unit_begun = Instant::now();
        drop(state);
        self.bar.set_prefix(planned.unit.subspace.to_string());
        self.show("scanning");
    }

    fn unit_writes(&self, planned: &Planned) {
        let mut state = self.state();
        let took = state.unit_begun.elapsed();
        state.solved.push((planned.unit.subspace, took));
        state.done += planned.core_seconds;
        state.entries += planned.entries;
        state.unit = (0.0, 0, 0);
        self.bar.set_position(state.entries);
        drop(state);
        self.show("writing");
    }

    fn unit_ends(&self, planned: &Planned, tables: &[(String, Header)]) {
        let mut state = self.state();
        let place = state.solved.iter().position(|(s, _)| *s == planned.unit.subspace);
        let took = place.map_or(Duration::ZERO, |place| state.solved.remove(place).1);
        drop(state);
        if self.verbose {
            let names: Vec<String> = planned.unit.subspaces().map(|s| s.to_string()).collect();
            let bytes = tables.iter().map(|(_, header)| header.file_length).sum();
            let line = format!(
                "{}: {}, {}, solved in {}",
                names.join(" and "),
                super::show::count(planned.entries, "entry"),
                super::show::bytes(bytes),
                super::show::seconds(took.as_secs_f64())
            );
            self.bar.suspend(|| super::failure::talk(&line));
        }
    }

    fn note(&self, what: &str) {
        self.bar.suspend(|| super::failure::talk(&format!("note: {what}")));
    }
}

impl Drop for RunBar {
    fn drop(&mut self) {
        self.end();
    }
}
