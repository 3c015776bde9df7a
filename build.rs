//! Has the program built anew when a file of the page is added or removed: the compiler itself
//! only watches those that it has seen.

fn main() {
    println!("cargo:rerun-if-changed=src/serve/page");
}
