//! Texts of positions: the known ones, random ones there and back, and nonsense.

use merels::board::{Board, Description, PointSet};
use merels::notation::{Moment, Notation, draw};
use merels::rules::{Rules, Setup, Side, variants};
use merels::space::Subspace;
use proptest::prelude::*;
use std::sync::LazyLock;

/// The notations of all shipped variants, of unequal men, and of a board of its own.
static NOTATIONS: LazyLock<Vec<Notation>> = LazyLock::new(|| {
    let mut all: Vec<_> = variants::all().iter().map(|v| Notation::new(&v.rules)).collect();
    let uneven = Rules { men: [6, 4], ..variants::named("nine").unwrap().rules.clone() };
    all.push(Notation::new(&uneven));
    all.push(Notation::new(&Rules::on(own_board().into(), [4, 4])));
    all
});

/// A cross of seven points without coordinates.
fn own_board() -> Board {
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let lines = ["n hub s", "w hub e", "nw n ne", "sw s se", "nw w sw", "ne e se"];
    Board::new(&Description {
        name: "wheel".to_owned(),
        points: words("hub n ne e se s sw w nw"),
        lines: lines.iter().map(|line| words(line)).collect(),
        mills: lines.iter().map(|line| words(line)).collect(),
        runs: Vec::new(),
    })
    .unwrap()
}

fn notation(variant: &str) -> Notation {
    Notation::new(&variants::named(variant).unwrap().rules)
}

fn truth(file: &str) -> csv::Reader<std::fs::File> {
    let path = format!("{}/tests/truth/{file}", env!("CARGO_MANIFEST_DIR"));
    csv::Reader::from_path(path).unwrap()
}

#[test]
fn known_positions_are_read_and_written_back() {
    let mut rows = 0;
    for row in truth("positions.csv").records() {
        let row = row.unwrap();
        let notation = notation(&row[0]);
        let moment = notation.read(&row[1]).unwrap();
        assert_eq!(notation.moment(&moment), &row[1]);
        let fen = notation.fen(&moment).unwrap();
        assert_eq!(notation.read(&fen).unwrap(), moment);
        rows += 1;
    }
    assert_eq!(rows, 53);
}

#[test]
fn known_subspaces_belong_to_their_variants() {
    for row in truth("subspaces.csv").records() {
        let row = row.unwrap();
        assert_eq!(notation(&row[0]).subspace(&row[1]).unwrap().to_string(), &row[1]);
    }
}

#[test]
fn a_subspace_that_is_none_says_what_is_possible() {
    let fails = |variant: &str, name: &str, code: &str, message: &str| {
        let error = notation(variant).subspace(name).unwrap_err();
        assert_eq!((error.code(), error.to_string().as_str()), (code, message));
    };
    let most = "each player has at most 9 men and keeps at least 3";
    for name in ["5-10", "2-3", "3-3+7-0"] {
        let message = format!("{name} is not a subspace of this rule set: {most}");
        fails("nine", name, "outside-variant", &message);
    }
    fails(
        "three",
        "4-3",
        "outside-variant",
        "4-3 is not a subspace of this rule set: each player has at most 3 men",
    );
    fails(
        "nine",
        "4-4+0-3",
        "outside-variant",
        "4-4+0-3 is not a subspace of this rule set: the nearest that it has are 4-4, 4-4+1-1, 4-4+2-2",
    );
    fails(
        "nine",
        "five",
        "bad-subspace",
        "\"five\" is not a subspace: expected stones of the mover and the opponent as in 5-4, with stones in hand 5-4+2-1",
    );
}

#[test]
fn games_from_the_start_of_several_variants() {
    let ends = |variant: &str, moves: &str, position: &str| {
        let notation = notation(variant);
        let moment = notation.read(&format!("startpos moves {moves}")).unwrap();
        assert_eq!(notation.moment(&moment), position, "{variant}: {moves}");
    };
    ends("three", "b2 a1 c1 a3 a2 c2 b2-b1", "@**/O*@/@OO b 0,0");
    ends("nine-holes", "b2 a1 c1 a3 a2 c2 b2-b3", "@O*/O*@/@*O b 0,0");
    ends("achi", "b2 a1 c1 a3", "@**/*O*/@*O w 2,2");
    ends("five", "c4 c5 d4 e5 b4xc5 c5", "OO*****O/@@****** w 2,2");
    ends("lasker", "d6 f4 d6-d5 f4-f6", "O*******/*@******/******** w 9,9");
    ends("eleven", "a7 d5 b6 e5 c5xd5", "*@*****O/*******O/*******O b 8,9");
}

#[test]
fn boards_of_the_users_own_are_one_run() {
    let notation = NOTATIONS.last().unwrap();
    let text = "O@*****@O w 1,2";
    assert_eq!(notation.moment(&notation.read("O@*****@O w 2,2").unwrap()), "O@*****@O w 2,2");
    assert_eq!(notation.read(text).unwrap_err().code(), "outside-variant");
    let moved = notation.read("startpos moves hub nw n ne").unwrap();
    assert_eq!(notation.moment(&moved), "OO@*****@ w 2,2");
    let owing = notation.read("startpos moves hub nw n ne s").unwrap();
    assert_eq!(notation.moment(&owing), "OO@*****@ w 2,2 moves s");
    assert!(draw(&notation.rules().board, Some(&owing.setup())).starts_with("hub  O  joined to "));
    let fen = "O@*****@O w p p 2 2 2 2 0 0 1";
    assert_eq!(notation.read(fen).unwrap_err().code(), "no-fen");
}

#[test]
fn a_notation_is_shared_by_threads() {
    let shared = notation("nine");
    std::thread::scope(|scope| {
        for _ in 0..2 {
            let own = shared.clone();
            scope.spawn(move || own.read("startpos moves d6").unwrap());
        }
    });
}

/// Half a turn as shown and as told are the same stones.
fn same(a: &Moment, b: &Moment) -> bool {
    a.setup() == b.setup() && a.pending() == b.pending()
}

/// Writes and reads in every form that can say the moment.
fn round_trip(notation: &Notation, moment: &Moment) {
    let text = notation.moment(moment);
    assert!(same(&notation.read(&text).unwrap(), moment), "{text}");
    if notation.rules().board.len() == 24 {
        let fen = notation.fen(moment).unwrap();
        let read = notation.read(&fen).unwrap();
        assert!(same(&read, moment), "{fen}");
        assert_eq!(notation.fen(&read).unwrap(), fen);
    } else {
        assert_eq!(notation.fen(moment).unwrap_err().code(), "no-fen");
    }
}

/// A game by arbitrary choices: where it comes to, and the tokens that tell it.
fn game(notation: &Notation, choices: &[u16]) -> (Moment, Vec<String>) {
    let mut moment = notation.read("startpos").unwrap();
    let mut told = Vec::new();
    for choice in choices {
        let turns = notation.rules().turns(&moment.stones());
        if turns.is_empty() {
            break;
        }
        let turn = turns[usize::from(*choice) % turns.len()];
        let token = notation.turn(&turn);
        assert_eq!(notation.parse_turn(&moment, &token).unwrap(), turn);
        // Joined or as two tokens, by the parity of a number that the choice does not use.
        match token.split_once('x') {
            Some((half, taken)) if choice / 1000 % 2 == 0 => {
                let owing = notation.play(&moment, half).unwrap();
                round_trip(notation, &owing);
                assert!(same(&notation.owing(&owing.setup()).unwrap(), &owing));
                told.extend([half.to_owned(), format!("x{taken}")]);
            }
            _ => told.push(token.clone()),
        }
        moment = notation.play(&moment, &token).unwrap();
        let position = moment.stones();
        assert!(
            notation.holds(Subspace::of(&position))
                || notation.rules().too_few(position.mover_total())
        );
    }
    (moment, told)
}

fn arrangement(notation: &Notation, subspace: usize, order: &[usize], white: bool) -> Setup {
    let all = notation.subspaces();
    let subspace = all[subspace % all.len()];
    let to_move = if white { Side::White } else { Side::Black };
    let mut free: Vec<_> = notation.rules().board.points().iter().collect();
    let mut take = |count: u8, from: usize| -> PointSet {
        let picks = (0..usize::from(count)).map(|i| order[from + i] % free.len().max(1));
        picks.collect::<Vec<_>>().into_iter().map(|pick| free.remove(pick % free.len())).collect()
    };
    let (mover, opponent) = (take(subspace.mover, 0), take(subspace.opponent, 12));
    let hands = [subspace.mover_hand, subspace.opponent_hand];
    match to_move {
        Side::White => Setup { stones: [mover, opponent], hands, to_move },
        Side::Black => Setup { stones: [opponent, mover], hands: [hands[1], hands[0]], to_move },
    }
}

/// One edit of a text: at a place, replace, insert or remove a character.
fn edit(text: &str, edits: &[(usize, u8, char)]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for (place, kind, with) in edits {
        let place = place % (chars.len() + 1);
        match kind % 3 {
            0 if place < chars.len() => chars[place] = *with,
            1 if place < chars.len() => drop(chars.remove(place)),
            _ => chars.insert(place, *with),
        }
    }
    chars.into_iter().collect()
}

fn word() -> impl Strategy<Value = String> {
    let fixed = prop::sample::select(vec![
        "startpos",
        "position",
        "fen",
        "moves",
        "w",
        "b",
        "p",
        "m",
        "o",
        "r",
        "s",
        "0",
        "1",
        "3",
        "-1",
        "9",
        "0,0",
        "9,9",
        "3,2",
        "d6",
        "d5",
        "a1",
        "b2",
        "c3",
        "d6-d5",
        "a1-a4",
        "xd6",
        "d5xd6",
        "x",
        "-",
        "********/********/********",
        "OOO*****/@@@*****/********",
        "*********",
        "O@*/***/***",
        "ids:nodes",
        "hub",
        "99999999999999999999",
    ]);
    prop_oneof![8 => fixed.prop_map(str::to_owned), 1 => "[O@*/]{1,27}", 1 => "\\PC{0,8}"]
}

proptest! {
    #[test]
    fn games_round_trip(
        which in 0..NOTATIONS.len(),
        choices in prop::collection::vec(any::<u16>(), 0..120),
    ) {
        let notation = &NOTATIONS[which];
        let (moment, told) = game(notation, &choices);
        round_trip(notation, &moment);
        let text = format!("startpos moves {}", told.join(" "));
        prop_assert_eq!(notation.read(&text).unwrap(), moment);
    }

    #[test]
    fn arrangements_of_every_subspace_round_trip(
        which in 0..NOTATIONS.len(),
        subspace in any::<usize>(),
        order in prop::collection::vec(any::<usize>(), 24),
        white in any::<bool>(),
    ) {
        let notation = &NOTATIONS[which];
        let setup = arrangement(notation, subspace, &order, white);
        let moment = notation.between(&setup).unwrap();
        prop_assert_eq!(moment.setup(), setup);
        round_trip(notation, &moment);
        if let Ok(owing) = notation.owing(&setup) {
            prop_assert!(owing.pending().is_some());
            if setup.stones[0].len() + setup.stones[1].len() < notation.rules().board.len() {
                // Written as a move, it needs a turn that can have led to it.
                let text = notation.moment(&owing);
                let read = notation.read(&text).unwrap();
                prop_assert!(same(&read, &owing) || !text.contains("moves"), "{}", text);
            }
        }
        prop_assert!(draw(&notation.rules().board, Some(&setup)).ends_with('\n'));
    }

    #[test]
    fn spoilt_texts_do_no_harm(
        which in 0..NOTATIONS.len(),
        choices in prop::collection::vec(any::<u16>(), 0..60),
        fen in any::<bool>(),
        edits in prop::collection::vec(
            (any::<usize>(), any::<u8>(),
             prop_oneof![prop::sample::select("O@*/ wbpmrso,-x0123456789adf".chars().collect::<Vec<_>>()), any::<char>()]),
            1..4,
        ),
    ) {
        let notation = &NOTATIONS[which];
        let (moment, told) = game(notation, &choices);
        let text = match fen {
            true => notation.fen(&moment).unwrap_or_else(|_| notation.moment(&moment)),
            false => format!("startpos moves {}", told.join(" ")),
        };
        read_whatever(notation, &edit(&text, &edits));
    }

    #[test]
    fn random_words_do_no_harm(
        which in 0..NOTATIONS.len(),
        words in prop::collection::vec(word(), 0..20),
    ) {
        read_whatever(&NOTATIONS[which], &words.join(" "));
    }

    #[test]
    fn random_text_does_no_harm(which in 0..NOTATIONS.len(), text in ".{0,200}") {
        read_whatever(&NOTATIONS[which], &text);
        let _ = NOTATIONS[which].subspace(&text);
    }
}

/// Reads what may be anything: a moment that can be written and read again, or an error with words.
fn read_whatever(notation: &Notation, text: &str) {
    match notation.read(text) {
        Ok(moment) => {
            if let Moment::Between { .. } = moment {
                round_trip(notation, &moment);
            }
        }
        Err(error) => {
            assert!(!error.code().is_empty());
            let message = error.to_string();
            assert!(message.len() < 1000 && !message.contains('\n'), "{message}");
        }
    }
    let start = notation.read("startpos").unwrap();
    for token in text.split(' ') {
        let _ = notation.parse_turn(&start, token);
    }
}
