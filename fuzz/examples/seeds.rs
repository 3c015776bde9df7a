//! Writes the inputs that fuzzing begins with, from real things: the tables that ship, known
//! positions, rule files, sessions and requests. `cargo run --example seeds`, within `fuzz/`.

use merels::board::shipped;
use merels::game::Game;
use merels_fuzz::{NOTATIONS, header, table, tables};
use std::fs;
use std::path::{Path, PathBuf};

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
    let three = tables().join("three");
    let mut corpus = Corpus::of("table");
    for (choice, extension) in [(1, "dtw"), (3, "wdl"), (0, "dtw"), (2, "wdl")] {
        corpus.add(
            Some(choice),
            &fs::read(three.join(format!("{}.{extension}", table::SUBSPACE))).unwrap(),
        );
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
