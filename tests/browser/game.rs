//! Playing: by click, by keyboard, from a list, against the tables; and the ways back.

use super::rig::browse;
use fantoccini::key::Key;

#[test]
fn a_turn_by_click_and_from_the_list() {
    browse(|page, _server| async move {
        page.says("#verdict", "White to move wins in 5 (9 plies)").await;
        assert_eq!(page.label("b2").await, "b2, empty; place here: win in 5");
        assert_eq!(page.label("a3").await, "a3, empty; place here: draw");
        page.touch("b2").await;
        page.says("#verdict", "Black to move loses in 4 (8 plies)").await;
        page.says("#status", "White played b2.").await;
        assert_eq!(page.label("b2").await, "b2, white stone");
        page.click("[data-turn=a3]").await;
        page.says("#verdict", "White to move wins in 4 (7 plies)").await;
        // A point that nothing can be done with says so and changes nothing.
        page.touch("b2").await;
        page.says("#status", "No turn begins with b2").await;
        assert_eq!(page.text("#here").await, "@**/*O*/*** w 2,2");
    });
}

#[test]
fn groups_of_turns_best_first() {
    browse(|page, _server| async move {
        let order = page
            .tell(
                "[...document.querySelectorAll('#turns button')].map((b) => b.dataset.turn).join()",
            )
            .await;
        assert_eq!(order, "b2,a3,c3,a1,c1,b3,a2,c2,b1");
        let titles = page
            .tell("[...document.querySelectorAll('#turns h3')].map((h) => h.textContent).join('|')")
            .await;
        assert_eq!(titles, "W Wins 1|D Draws 4|L Losses 4");
        page.says("[data-turn=b3]", "loss in 4 (8 plies)").await;
    });
}

#[test]
fn a_game_by_keyboard() {
    browse(|page, _server| async move {
        page.run("document.querySelector('[data-point][tabindex=\"0\"]').focus();").await;
        let [left, right, down, enter, escape] =
            [Key::Left, Key::Right, Key::Down, Key::Enter, Key::Escape].map(char::from);
        // From a3 to the centre.
        page.keys(&[right, down]).await;
        page.until("document.activeElement.dataset.point === 'b2'").await;
        page.keys(&[enter]).await;
        page.says("#status", "White played b2.").await;
        page.until("document.activeElement.dataset.point === 'b2'").await;
        page.keys(&[left, ' ']).await;
        page.says("#status", "Black played a2.").await;
        // A moving position: pick up, change one's mind, pick up again, move.
        page.show("three", "*@*/@*O/OO@ b 0,0").await;
        page.run("document.querySelector('[data-point=b3]').focus();").await;
        page.touch("b3").await;
        page.says("#status", "b3 picked").await;
        page.keys(&[escape]).await;
        page.says("#status", "Nothing picked").await;
        page.keys(&[enter, left, enter]).await;
        page.says("#status", "Black played b3-a3.").await;
        assert_eq!(page.text("#here").await, "@**/@*O/OO@ w 0,0");
    });
}

#[test]
fn undo_redo_and_the_history() {
    browse(|page, _server| async move {
        page.show("three", "startpos moves b2 a3 c2").await;
        page.click("#undo").await;
        page.says("#verdict", "White to move wins in 4").await;
        page.click("#undo").await;
        page.says("#verdict", "Black to move loses in 4").await;
        page.click("#redo").await;
        page.says("#here", "@**/*O*/*** w 2,2").await;
        page.click("[data-ply='3']").await;
        page.says("#here", "@**/*OO/*** b 1,2").await;
        page.click("[data-ply='0']").await;
        page.says("#here", "***/***/*** w 3,3").await;
        assert_eq!(page.tell("document.querySelector('#undo').disabled").await, true);
        // The browser's own way back takes the same steps.
        page.back().await;
        page.says("#here", "@**/*OO/*** b 1,2").await;
        page.back().await;
        page.says("#here", "@**/*O*/*** w 2,2").await;
        // Another turn from here is another line.
        page.touch("a1").await;
        page.says("#status", "White played a1.").await;
        assert_eq!(page.tell("document.querySelectorAll('#history li').length").await, 4);
        assert_eq!(page.tell("document.querySelectorAll('.graph .at').length").await, 4);
        page.click(".graph .at:nth-of-type(2)").await;
    });
}

#[test]
fn a_mill_and_the_stone_to_take() {
    browse(|page, _server| async move {
        page.show("five", "startpos moves c4 c5 d4 e5").await;
        page.touch("b4").await;
        page.says("#status", "b4 closes a mill. Choose the stone to take.").await;
        page.says("#verdict", "White to take a stone wins in 8 (15 plies)").await;
        page.labelled("c5", "take this stone: win in 8").await;
        page.labelled("e5", "take this stone: draw").await;
        // The half turn is in the address, and the address brings it back.
        let link = page.url().await;
        assert!(link.contains("b4"), "{link}");
        page.touch("a1").await;
        page.says("#status", "a1 cannot be taken").await;
        page.touch("c5").await;
        page.says("#status", "White played b4xc5.").await;
        page.says("#here", "OO*****O/*@****** b 2,3").await;

        page.go(&link).await;
        page.says("#verdict", "White to take a stone wins in 8 (15 plies)").await;
        page.labelled("c5", "take this stone: win in 8").await;
        page.picture("removal").await;
        page.touch("e5").await;
        page.says("#status", "White played b4xe5.").await;
        page.says("#here", "OO*****O/@******* b 2,3").await;
        page.click("#undo").await;
        page.says("#verdict", "White to move").await;
    });
}

#[test]
fn a_pasted_list_and_its_link() {
    browse(|page, _server| async move {
        page.paste("1. b2 a3 2. c2").await;
        page.says("#here", "@**/*OO/*** b 1,2").await;
        page.click("#undo").await;
        page.says("#here", "@**/*O*/*** w 2,2").await;
        let link = page.url().await;
        page.go(&link).await;
        page.says("#here", "@**/*O*/*** w 2,2").await;
        page.click("#redo").await;
        page.says("#here", "@**/*OO/*** b 1,2").await;
        // A position of another variant, by link.
        page.show("achi", "startpos moves b2").await;
        assert_eq!(page.tell("document.querySelector('#variant').value").await, "achi");
        page.says("#verdict", "Black to move loses in 5 (10 plies)").await;
    });
}

#[test]
fn against_the_tables() {
    browse(|page, _server| async move {
        page.choose("#opponent", "b").await;
        page.touch("b2").await;
        page.says("#verdict", "White to move wins in 4 (7 plies)").await;
        assert_eq!(page.tell("document.querySelectorAll('#history li').length").await, 3);
        // Undo goes back to the own turn, and the tables stay quiet.
        page.click("#undo").await;
        page.says("#verdict", "White to move wins in 5 (9 plies)").await;
        page.choose("#opponent", "w").await;
        page.says("#status", "White played b2.").await;
        page.set("#strength", "9").await;
        page.says("#strength-is", "9: any of the 9 best").await;
        page.click("#new").await;
        page.until("document.querySelectorAll('#history li').length === 2").await;
    });
}

#[test]
fn the_strength_decides_among_how_many() {
    browse(|page, _server| async move {
        let script = "return import('/assets/opponent.js').then(({ choose }) => {
            const turns = ['a', 'b', 'c', 'd'].map((turn, at) => ({ turn, value: 'win',
                depth: at < 2 ? 3 : 5 + at }));
            const all = (n) => [0, 0.3, 0.6, 0.99].map((x) => choose(turns, n, () => x)).join('');
            return [all(1), all(3), all(4), all(10)].join();
        });";
        assert_eq!(page.run(script).await, "aabb,aabc,abcd,abcd");
    });
}

#[test]
fn quick_clicks_do_no_harm() {
    browse(|page, _server| async move {
        let script = "for (const name of ['b2', 'a3', 'b2', 'c1', 'c3']) \
            document.querySelector(`[data-point=${name}]`).dispatchEvent(\
            new MouseEvent('click', { bubbles: true }));";
        page.run(script).await;
        page.settled().await;
        // The first is played; the others came while it was asked about, or were turns themselves.
        let turns = page.text("[data-ply='1']").await;
        assert!(turns.contains("b2"), "{turns}");
        for _ in 0..4 {
            page.run("for (let i = 0; i < 9; i++) document.querySelector('#undo').click();").await;
            page.run("for (let i = 0; i < 9; i++) document.querySelector('#redo').click();").await;
        }
        page.settled().await;
        let [shown, last] =
            [page.text("#history [aria-current]").await, page.text("#history li:last-child").await];
        assert_eq!(shown, last);
    });
}
