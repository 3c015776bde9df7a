//! What is missing, damaged, wrong or gone, and that it is said.

use super::rig::browse_with;
use std::fs;

#[test]
fn a_missing_table_is_explained() {
    browse_with(&[], |page, _server| async move {
        page.choose("#variant", "nine").await;
        page.says("#alarm", "merels generate nine 0-0+9-9").await;
        page.says("#alarm", "unknown, not a draw").await;
        page.says("#verdict", "White to move: value not known").await;
        let turns = page.text("#turns").await;
        assert!(!turns.to_lowercase().contains("draw"), "{turns}");
        page.picture("missing").await;
        // The game can be played on; the server knows the rules.
        page.touch("d6").await;
        page.says("#here", "b 8,9").await;
        page.touch("d6").await;
        page.says("#status", "d6 is taken").await;
        page.choose("#variant", "three").await;
        page.says("#verdict", "White to move wins in 5").await;
        assert_eq!(page.tell("document.querySelector('#alarm').hidden").await, true);
    });
}

#[test]
fn a_damaged_table_is_explained() {
    browse_with(&[], |page, server| async move {
        let file = server.lock().unwrap().tables().join("achi/0-0+4-4.dtw");
        let mut bytes = fs::read(&file).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x55;
        fs::write(&file, bytes).unwrap();
        page.choose("#variant", "achi").await;
        page.says("#alarm", "A table is damaged").await;
        page.says("#alarm", "0-0+4-4").await;
        page.says("#verdict", "value not known").await;
    });
}

#[test]
fn a_wrong_text_is_refused_in_words() {
    browse_with(&[], |page, _server| async move {
        page.paste("startpos moves b2 b2").await;
        page.says("#alarm", "Not a position of this variant").await;
        // What was shown stays.
        page.says("#here", "***/***/*** w 3,3").await;
        page.paste("startpos moves b2").await;
        page.says("#here", "***/*O*/*** b 2,3").await;
        assert_eq!(page.tell("document.querySelector('#alarm').hidden").await, true);
    });
}

#[test]
fn a_server_that_goes_and_comes_back() {
    browse_with(&[], |page, server| async move {
        server.lock().unwrap().stop();
        page.touch("b2").await;
        page.says("#alarm", "Server gone").await;
        server.lock().unwrap().restart();
        page.says("#verdict", "Black to move loses in 4 (8 plies)").await;
        assert_eq!(page.tell("document.querySelector('#alarm').hidden").await, true);
    });
}
