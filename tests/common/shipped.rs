//! The games that ship whole, where nothing else lies: in `tables` itself there may be whatever its
//! owner has generated, and no test may hang on that.

#![allow(dead_code)] // each integration test uses its own part

use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::LazyLock;

/// The games that ship whole.
pub const SHIPPED: [&str; 4] = ["three", "three-orthogonal", "nine-holes", "achi"];

/// A directory with their tables, for tests that change nothing there.
pub fn shipped() -> &'static Path {
    static PLACE: LazyLock<PathBuf> = LazyLock::new(|| {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("shipped");
        copy_shipped(&SHIPPED, &place);
        place
    });
    &PLACE
}

/// Copies the tables of some of them. Whole files take the place of others, so that several
/// processes may do it at once.
pub fn copy_shipped(variants: &[&str], to: &Path) {
    for variant in variants {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables").join(variant);
        let to = to.join(variant);
        fs::create_dir_all(&to).unwrap();
        for file in fs::read_dir(from).unwrap().map(Result::unwrap) {
            let name = file.file_name().into_string().unwrap();
            if name == "lock" {
                continue;
            }
            let bytes = fs::read(file.path()).unwrap();
            if fs::read(to.join(&name)).is_ok_and(|there| there == bytes) {
                continue;
            }
            let whole = to.join(format!("{name}.{}", process::id()));
            fs::write(&whole, bytes).unwrap();
            fs::rename(whole, to.join(name)).unwrap();
        }
    }
}
