//! The command line as strangers and their scripts meet it. One contract a test.

mod batch;
mod claims;
mod desk;
mod disk;
mod generate;
mod json;
mod list;
mod pack;
mod play;
mod query;
mod resume;
mod rules;
#[path = "../common/shipped.rs"]
mod shipped;
mod stats;
mod trouble;
mod uci;
mod usage;
mod verify;
