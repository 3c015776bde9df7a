//! The map of the subspaces.

use super::rig::{browse, browse_with};

#[test]
fn shares_and_depths_of_a_solved_game() {
    browse(|page, _server| async move {
        page.says("#heat [data-cell='3-3']", "53%").await;
        page.choose("#plane", "deepest").await;
        page.says("#heat [data-cell='3-3']", "10").await;
        page.choose("#view", "hands").await;
        page.says("#heat [data-cell='3-3']", "9").await;
        page.says(".listing", "2-3+1-0").await;
    });
}

#[test]
fn cells_without_tables_say_so() {
    browse_with(&[], |page, _server| async move {
        page.choose("#variant", "nine").await;
        page.until("document.querySelectorAll('#heat [data-cell]').length === 49").await;
        for plane in ["wins", "draws", "losses", "deepest"] {
            page.choose("#plane", plane).await;
            let missing = page.tell("document.querySelectorAll('#heat .missing').length").await;
            assert_eq!(missing, 49, "{plane}");
        }
        page.says("#heat [data-cell='9-9']", "no table").await;
    });
}
