//! `docs/RELIABILITY.md` names a test for each promise: all files and tests that it names are there.
//! Promises are the rows of tables headed `| promise | held by |`; tables of figures are not read.

use std::fs;
use std::path::Path;

const HEADING: &str = "| promise | held by |";

#[test]
fn tests_that_are_promised_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("docs/RELIABILITY.md")).unwrap();
    let (mut named, mut promises) = (0, 0);
    let mut among_promises = false;
    for line in text.lines() {
        among_promises = line.starts_with(HEADING) || (among_promises && line.starts_with('|'));
        if !among_promises || line.starts_with(HEADING) || line.starts_with("|---") {
            continue;
        }
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
    assert!(promises > 30 && named > 35, "{promises} promises, {named} tests");
}
