//! The server as browsers and programs meet it: the real binary on a free port. One contract a test.

mod answers;
mod crowd;
mod desk;
mod errors;
mod openapi;
mod shelf;
#[path = "../common/shipped.rs"]
mod shipped;
mod siege;
mod transport;
