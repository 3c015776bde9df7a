//! How it looks: screens, schemes, boards, and how soon.

use super::rig::{browse, browse_with};

#[test]
fn the_first_drawing_comes_within_a_second() {
    browse(|page, _server| async move {
        page.open("").await;
        let drawn = page.tell("performance.getEntriesByName('drawn')[0].startTime").await;
        assert!(drawn.as_f64().unwrap() < 1000.0, "{drawn} ms");
        let paint = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime";
        page.until(paint).await;
        let painted = page.tell(paint).await;
        assert!(painted.as_f64().unwrap() < 1000.0, "{painted} ms");
    });
}

#[test]
fn a_phone() {
    browse(|page, _server| async move {
        page.screen(360, 740, true).await;
        page.show("five", "startpos moves c4 c5 d4 e5").await;
        page.fits().await;
        page.picture("phone").await;
        page.touch("b4").await;
        page.touch("c5").await;
        page.says("#status", "White played b4xc5.").await;
        page.click("#setup").await;
        page.fits().await;
        page.choose("#variant", "nine-holes").await;
        page.says("#heat", "%").await;
        page.fits().await;
        page.run("document.querySelector('#game-title').scrollIntoView();").await;
        page.picture("phone-below").await;
    });
}

#[test]
fn a_phone_with_the_largest_map() {
    browse_with(&[], |page, _server| async move {
        page.screen(360, 740, true).await;
        page.choose("#variant", "nine").await;
        page.until("document.querySelectorAll('#heat .missing').length === 49").await;
        page.fits().await;
        page.picture("phone-missing").await;
        page.run("document.querySelector('#statistics').scrollIntoView();").await;
        page.picture("phone-statistics").await;
    });
}

#[test]
fn by_day_and_by_night() {
    browse(|page, _server| async move {
        let paper = "getComputedStyle(document.body).backgroundColor";
        page.screen(1280, 1000, false).await;
        page.show("three", "startpos moves b2 a3 c2 a2 a1 c3").await;
        page.picture("desktop").await;
        let day = page.tell(paper).await;
        page.prefer("prefers-color-scheme", "dark").await;
        assert_ne!(page.tell(paper).await, day);
        page.picture("dark").await;
        page.show("three", "startpos").await;
        page.picture("dark-start").await;
        page.run("document.querySelector('#statistics').scrollIntoView();").await;
        page.picture("dark-statistics").await;
        page.prefer("prefers-reduced-motion", "reduce").await;
        let still = "getComputedStyle(document.querySelector('.stone')).transitionDuration";
        assert_eq!(page.tell(still).await, "0s");
    });
}

#[test]
fn every_board_that_ships() {
    browse_with(&[], |page, _server| async move {
        for (variant, points, edges) in
            [("three-orthogonal", 9, 12), ("five", 16, 20), ("nine", 24, 32), ("twelve", 24, 40)]
        {
            page.show(variant, "startpos").await;
            let count = |what| page.tell(what);
            let drawn = count("document.querySelectorAll('[data-point]').length").await;
            assert_eq!(drawn, points, "{variant}");
            let lines = count("document.querySelectorAll('.board .lines line').length").await;
            assert_eq!(lines, edges, "{variant}");
        }
    });
}

#[test]
fn a_board_of_ones_own() {
    browse_with(&["--rules", "docs/examples/hexagon.toml"], |page, _server| async move {
        page.show("hexagon", "startpos").await;
        assert_eq!(page.tell("document.querySelectorAll('[data-point]').length").await, 13);
        assert_eq!(page.tell("document.querySelectorAll('.board .lines line').length").await, 24);
        page.says("#alarm", "docs/examples/hexagon.toml").await;
        page.run("document.querySelector('[data-point=e3]').focus();").await;
        page.touch("e3").await;
        page.says("#here", "b 3,4").await;
        page.fits().await;
        page.picture("hexagon").await;
    });
}

#[test]
fn names_for_those_who_cannot_see() {
    browse(|page, _server| async move {
        // Every control has a name, and the points are reached by one stop of Tab.
        let nameless = "[...document.querySelectorAll('button, select, input, textarea')]\
            .filter((e) => e.offsetParent && !e.textContent.trim() && !e.labels?.length \
            && !e.getAttribute('aria-label')).length";
        assert_eq!(page.tell(nameless).await, 0);
        let stops = "document.querySelectorAll('[data-point][tabindex=\"0\"]').length";
        assert_eq!(page.tell(stops).await, 1);
        let live = "document.querySelector('#status').getAttribute('aria-live')";
        assert_eq!(page.tell(live).await, "polite");
    });
}
