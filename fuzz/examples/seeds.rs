//! Writes the inputs that fuzzing begins with, from real things: the tables that ship, known
//! positions, rule files, sessions and requests. `cargo run --example seeds`, within `fuzz/`.

use merels::board::shipped;
use merels::game::Game;
use merels::table::{Census, Codes, Memory, Metric, Settings, Shelf, Tally};
use merels_fuzz::{NOTATIONS, header, packed, rules_of, table, tables};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

struct Corpus(PathBuf, usize);

impl Corpus {
    fn of(target: &str) -> Corpus {
        let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
        fs::create_dir_all(&place).unwrap();
        Corpus(place, 0)
    }

    fn add(&mut self, choice: Option<u8>, bytes: &[u8]) {
        let bytes = choice.into_iter().chain(bytes.iter().copied()).collect::<Vec<_>>();
        fs::write(self.0.join(format!("seed-{:03}", self.1)), bytes).unwrap();
        self.1 += 1;
    }
}

fn main() {
    packed();
    let three = tables().join("three");
    let mut corpus = Corpus::of("table");
    for (choice, extension) in [(1, "dtw"), (3, "wdl"), (0, "dtw"), (2, "wdl")] {
        corpus.add(
            Some(choice),
            &fs::read(three.join(format!("{}.{extension}", table::SUBSPACE))).unwrap(),
        );
    }
    // Several blocks of every kind, of 8 and of 16 bits.
    for wide in [false, true] {
        for (metric, file) in Metric::ALL.into_iter().zip(made_up(wide)) {
            corpus.add(Some(if metric == Metric::Wdl { 3 } else { 1 }), &file);
        }
    }
    let mut corpus = Corpus::of("header");
    let file = fs::read(three.join(format!("{}.dtw", table::SUBSPACE))).unwrap();
    corpus.add(Some(0), &file[..256]);
    corpus.add(Some(0x80), &file[..256]);
    corpus.add(Some(2), &fs::read(three.join("inventory.merels")).unwrap());
    corpus.add(Some(3), &header::sample_state());
    positions_and_moves();
    let mut corpus = Corpus::of("rules");
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/examples");
    for name in ["hexagon.toml", "seventeen.toml"] {
        corpus.add(None, &fs::read(docs.join(name)).unwrap());
    }
    for board in shipped::names() {
        let words = "flying = \"always\"\nmill = \"wins\"\nplacing = \"free\"\nfull-board = \"draw\"\n\
                     blocked = \"draw\"\nprotection = \"never\"\n";
        corpus.add(
            None,
            format!("name = \"own\"\nmen = [4, 3]\nboard = \"{board}\"\n{words}").as_bytes(),
        );
        let words = "flying = \"never\"\nmill = \"remove\"\nplacing = \"place-first\"\n\
                     full-board = \"loss\"\nblocked = \"loss\"\nprotection = \"unless-all\"\n";
        corpus.add(None, format!("men = 12\nboard = '{board}'\n{words}").as_bytes());
    }
    let small = "men = 1\n[board]\npoints = [\"a\", \"b\", \"c\"]\nlines = [[\"a\", \"b\", \"c\"]]\n\
                 mills = [[\"a\", \"b\", \"c\"]]\n";
    corpus.add(None, small.as_bytes());
    let mut corpus = Corpus::of("engine");
    for session in [
        "uci\nisready\nucinewgame\nposition startpos\ngo\nquit\n",
        "position startpos moves b2 a1\ngo depth 4\nstop\ngo infinite\nstop\nponderhit\n",
        "setoption name Strength value 3\nsetoption name Seed value 7\nsetoption name Variant value nine\n\
         position startpos moves d6 f4\ngo movetime 5 wtime 1000 btime 1000 winc 1 binc 1 movestogo 3\n",
        "position O*@/***/*O@ w 1,1\ngo nodes 3\ndebug on\nregister later\ngo mate 3\nposition fen x\n",
    ] {
        corpus.add(None, session.as_bytes());
    }
    let mut corpus = Corpus::of("http");
    for (method, path, more) in [
        ("GET", "/", ""),
        ("GET", "/v1/health", ""),
        ("HEAD", "/v1/variants", "Accept-Encoding: gzip\r\n"),
        ("GET", "/v1/variants/three", "If-None-Match: \"x\", W/\"y\"\r\n"),
        ("GET", "/v1/variants/three/position?position=startpos&line=true", ""),
        (
            "GET",
            "/v1/variants/three/game?position=startpos%20moves%20b2+a1",
            "Origin: http://a\r\n",
        ),
        ("GET", "/v1/variants/nine/statistics", ""),
        ("GET", "/v1/variants/three/statistics", "Connection: close\r\n"),
        ("POST", "/v1/variants", "Content-Length: 5\r\n\r\nhello"),
        ("POST", "/v1/health", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n"),
        ("OPTIONS", "/openapi.json", "Origin: http://a\r\nAccess-Control-Request-Method: GET\r\n"),
        ("GET", "/assets/index.html", "Accept-Encoding: identity;q=0\r\n"),
        ("CONNECT", "a:80", ""),
    ] {
        let text = format!("{method} {path} HTTP/1.1\r\nHost: here\r\n{more}\r\n");
        corpus.add(None, text.as_bytes());
        if method == "GET" {
            corpus.add(None, format!("{text}GET /v1/health HTTP/1.0\r\n\r\n").as_bytes());
        }
    }
}

/// Both planes of made-up values: some all alike, some in runs, some in disorder.
fn made_up(wide: bool) -> [Vec<u8>; 2] {
    let memory = Memory::new();
    let settings = Settings { block_entries: 32, ..Settings::default() };
    let shelf = Shelf::on(Arc::new(memory.clone()), &rules_of("three")).with(settings);
    let subspace = table::SUBSPACE.parse().unwrap();
    let code = |entry: u64| match entry / 64 {
        0 => 7,
        1 => 128 + (entry / 16 % 3) as u8,
        _ => 1 + (entry * 89 % 251) as u8,
    };
    let narrow: Vec<u8> = (0..shelf.entries(subspace)).map(code).collect();
    let long: Vec<u16> = narrow.iter().map(|code| 300 + 2 * u16::from(*code)).collect();
    let codes = if wide { Codes::Wide(&long) } else { Codes::Narrow(&narrow) };
    shelf.write(subspace, codes, &CENSUS).unwrap();
    Metric::ALL.map(|metric| memory.get(&Shelf::file_name(subspace, metric)).unwrap())
}

const CENSUS: Census = {
    let none = Tally { wins: 0, draws: 0, losses: 0 };
    Census { positions: none, boards: none, deepest_win: None, deepest_loss: None }
};

/// A packed table that is small for one: its values follow from mills that can be closed, so that
/// zstd finds little in them and a predictor much.
fn packed() {
    let memory = Memory::new();
    let shelf = Shelf::on(Arc::new(memory.clone()), &rules_of(packed::GAME.0));
    let subspace = packed::GAME.1.parse().unwrap();
    let index = shelf.space().index(subspace);
    let board = shelf.rules().board.clone();
    let code = |entry: u64| {
        let position = index.arrangement(entry);
        let free = board.points() - position.occupied();
        let closing = |stones| free.iter().filter(|point| board.closes(stones, *point)).count();
        let [mover, opponent] = [position.mover(), position.opponent()].map(closing);
        let mill = usize::from(!board.in_mills(position.opponent()).is_empty());
        [128, 3, 251][(mover.min(2) + 2 * opponent.min(2) + mill) % 3]
    };
    let codes: Vec<u8> = (0..shelf.entries(subspace)).map(code).collect();
    let lock = shelf.lock().unwrap();
    shelf.write(subspace, Codes::Narrow(&codes), &CENSUS).unwrap();
    println!("{:?}", shelf.pack(subspace, &lock, &|_| true).unwrap());
    let file = memory.get(&Shelf::file_name(subspace, Metric::Wdl)).unwrap();
    fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("whole/packed.wdl"), &file).unwrap();
    let mut corpus = Corpus::of("packed");
    let change = |place: u32, byte: u8| {
        let [a, b, c, _] = place.to_le_bytes();
        [a, b, c, byte]
    };
    // The whole table is read, or one strip and the last.
    for kind in 0..3 {
        for read in [0xFC, 0, 11 << 2, 30 << 2] {
            let changes: &[u8] = &[change(600, 3), change(40_000, 7), change(90, 2)].concat();
            for changes in [&changes[..0], &changes[..4], changes] {
                corpus.add(Some(kind | read), changes);
            }
        }
    }
    let end = file.len() - 48;
    let block = u64::from_le_bytes(file[end..][..8].try_into().unwrap()) as usize;
    corpus.add(Some(3 | 0xFC), &file[block..end]);
    // All strips of one value each.
    let strips = (shelf.entries(subspace) % 65_536).div_ceil(4096) as usize;
    let alike: Vec<u8> = (0..strips).map(|strip| (strip % 3) as u8).collect();
    corpus.add(Some(3 | 0xFC), &[[1, 0].repeat(strips), alike].concat());
}

fn positions_and_moves() {
    let (mut positions, mut moves) = (Corpus::of("positions"), Corpus::of("moves"));
    for (number, notation) in NOTATIONS.iter().enumerate() {
        let choice = Some(number as u8);
        let mut game = Game::new(notation);
        positions.add(choice, b"startpos");
        let mut tokens = Vec::new();
        for step in 0..60 {
            let legal = game.legal();
            let Some(token) = legal.get((step * 13 + number) % legal.len().max(1)) else { break };
            game.play(token).unwrap();
            tokens.push(token.clone());
            if step % 14 == 13 {
                positions.add(choice, notation.moment(game.at()).as_bytes());
                if let Ok(fen) = notation.fen(game.at()) {
                    positions.add(choice, fen.as_bytes());
                }
            }
        }
        moves.add(choice, format!("startpos moves {}", tokens.join(" ")).as_bytes());
        moves.add(choice, tokens[..tokens.len().min(6)].join(" ").as_bytes());
        positions.add(choice, game.text().as_bytes());
    }
}
