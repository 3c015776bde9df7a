//! The explorer page in a real browser: `merels serve` on tables of its own, and a Chromium without
//! a window that chromedriver leads.
//!
//! Where there is no Chromium the tests say so and pass, unless `MERELS_BROWSER=required`. They run
//! one at a time. Screenshots land in the temporary directory of the build (`target/tmp/pictures`).

mod page;
mod rig;
#[path = "../common/shipped.rs"]
mod shipped;

mod game;
mod looks;
mod setup;
mod statistics;
mod trouble;
