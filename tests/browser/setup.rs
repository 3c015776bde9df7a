//! Positions set up by hand.

use super::rig::browse_with;

#[test]
fn a_position_by_hand() {
    browse_with(&[], |page, _server| async move {
        page.click("#setup").await;
        page.says("#status", "Setting a position up.").await;
        // Once is white, twice is black.
        for point in ["a3", "b2", "c3", "c3", "c1", "c1"] {
            page.touch(point).await;
        }
        assert_eq!(page.label("a3").await, "a3, white stone; change to black stone");
        // Three in hand besides: no such position, and it says so without an alarm.
        page.says("#verdict", "hand").await;
        assert_eq!(page.tell("document.querySelector('[data-act=use]').disabled").await, true);
        page.set("#hand-w", "1").await;
        page.set("#hand-b", "1").await;
        page.click("input[value=w]").await;
        page.says("#verdict", "White to move").await;
        page.picture("setup").await;
        page.click("[data-act=use]").await;
        page.says("#here", "O*@/*O*/**@ w 1,1").await;
        page.labelled("a1", "place here").await;
        // What is set up is a start like any other.
        page.touch("c2").await;
        page.says("#status", "White played c2.").await;
        page.click("#setup").await;
        page.touch("a1").await;
        page.says("#status", "white stone").await;
        page.click("[data-act=cancel]").await;
        page.says("#status", "White played c2.").await;
        page.says("#here", "O*@/*OO/**@ b 0,1").await;
        page.says("#verdict", "Black to move").await;
    });
}
