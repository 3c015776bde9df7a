//! `docs/RELIABILITY.md` names a test for each promise: all files and tests that it names are there.

use std::fs;
use std::path::Path;

#[test]
fn tests_that_are_promised_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("docs/RELIABILITY.md")).unwrap();
    let (mut named, mut promises) = (0, 0);
    for line in text.lines().filter(|line| line.starts_with("| ") && line.contains('`')) {
        promises += 1;
        let mut files = String::new();
        for word in line.split('`').skip(1).step_by(2) {
            if word.ends_with(".rs") {
                let file = fs::read_to_string(root.join(word));
                files += &file.unwrap_or_else(|error| panic!("{word}: {error}"));
            } else if word.contains('_') {
                named += 1;
                assert!(files.contains(&format!("fn {word}(")), "no test {word} in: {line}");
            }
        }
        assert!(!files.is_empty(), "no file is named in: {line}");
    }
    assert!(promises > 20 && named > 15, "{promises} promises, {named} tests");
}
