//! What ships under `tables/`: every table is whole and listed, and solving anew gives the digests
//! and the statistics that are listed.

use merels::rules::{Rules, variants};
use merels::solve::{Limits, Plan, Wanted, generate};
use merels::space::{Space, Subspace, subspaces};
use merels::table::{Memory, Metric, Shelf, State, Table};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The games that ship whole.
const SHIPPED: [&str; 4] = ["three", "three-orthogonal", "nine-holes", "achi"];

fn tables() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tables")
}

fn rules(id: &str) -> &'static Rules {
    &variants::named(id).unwrap().rules
}

/// Entries and digest of each listed table of a variant.
type Listed = BTreeMap<(Subspace, Metric), (u64, String)>;

fn listed(id: &str) -> Listed {
    let text = std::fs::read_to_string(tables().join("digests.txt")).unwrap();
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    let rows = rows.map(|line| -> [&str; 5] {
        line.split(' ').collect::<Vec<_>>().try_into().expect("five words")
    });
    let of_variant = rows.filter(|row| row[0] == id);
    let read = |[_, subspace, plane, entries, digest]: [&str; 5]| {
        let metric = Metric::from_extension(plane).unwrap();
        ((subspace.parse().unwrap(), metric), (entries.parse().unwrap(), digest.to_owned()))
    };
    of_variant.map(read).collect()
}

fn said(table: &Table) -> (u64, String) {
    (table.entries(), format!("{:032x}", table.header().digest))
}

#[test]
fn every_shipped_table_is_whole_and_listed() {
    for id in SHIPPED {
        let shelf = Shelf::open(&tables(), rules(id)).unwrap();
        let mut found = Listed::new();
        for subspace in subspaces(rules(id)) {
            for metric in Metric::ALL {
                let table = shelf.table(subspace, metric).unwrap();
                table.check().unwrap();
                found.insert((subspace, metric), said(&table));
            }
        }
        assert_eq!(found, listed(id), "{id}");
        let listing = shelf.list().unwrap();
        assert_eq!(listing.notes, [""; 0], "{id}");
        assert_eq!(listing.tables.len(), found.len(), "{id}");
        assert!(listing.tables.iter().all(|table| matches!(table.state, State::Whole(_))), "{id}");
    }
}

/// The rows of `tables/results`, by subspace.
fn results(file: &str) -> BTreeMap<Subspace, [Option<u64>; 6]> {
    let mut reader = csv::Reader::from_path(tables().join("results").join(file)).unwrap();
    let header: Vec<_> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let expected =
        ["subspace", "positions", "wins", "draws", "losses", "deepest_win", "deepest_loss"];
    assert_eq!(header, expected);
    let number = |text: &str| (!text.is_empty()).then(|| text.parse().unwrap());
    let rows = reader.records().map(Result::unwrap);
    rows.map(|row| (row[0].parse().unwrap(), std::array::from_fn(|i| number(&row[i + 1]))))
        .collect()
}

/// Solves anew what is listed and has at most so many stones.
fn agrees(id: &str, file: &str, most: u8) {
    let shelf = Shelf::on(Arc::new(Memory::new()), rules(id));
    let wanted = Wanted { subspaces: Vec::new(), max_stones: Some(most) };
    let space = Space::new(rules(id).clone());
    let plan = Plan::new(&shelf, &wanted);
    generate(&space, &shelf, &plan, Limits::default(), &()).unwrap();
    let results = results(file);
    let mut listed = listed(id);
    listed.retain(|(subspace, _), _| subspace.total() <= most);
    assert!(!listed.is_empty());
    for ((subspace, metric), row) in &listed {
        let table = shelf.table(*subspace, *metric).unwrap();
        assert_eq!(said(&table), *row, "{id} {subspace} {metric}");
        let census = table.header().census;
        let counts = census.positions;
        let depth = |depth: Option<u16>| depth.map(u64::from);
        let found = [
            Some(counts.total()),
            Some(counts.wins),
            Some(counts.draws),
            Some(counts.losses),
            depth(census.deepest_win),
            depth(census.deepest_loss),
        ];
        assert_eq!(found, results[subspace], "{id} {subspace}");
    }
    let solved: usize = plan.units.iter().map(|planned| planned.unit.subspaces().count()).sum();
    assert_eq!(listed.len(), solved * Metric::ALL.len(), "{id}");
}

#[test]
fn the_small_games_come_out_again() {
    for id in SHIPPED.into_iter().chain(["five", "six"]) {
        agrees(id, &format!("{id}.csv"), u8::MAX);
    }
}

#[test]
fn the_endgames_of_nine_come_out_again() {
    agrees("nine", "nine-to-ten-stones.csv", 8);
}

/// The results of the whole standard game: totals that are known from elsewhere, and its endgames as
/// they are listed by themselves.
#[test]
fn the_results_of_nine_are_whole() {
    let path = tables().join("results/nine.csv");
    let mut reader = csv::Reader::from_path(path).unwrap();
    let header =
        "subspace,positions,wins,draws,losses,deepest_win,deepest_loss,digest_wdl,digest_dtw";
    assert_eq!(reader.headers().unwrap().iter().collect::<Vec<_>>().join(","), header);
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let number = |row: &csv::StringRecord, field: usize| row[field].parse::<u64>().unwrap_or(0);
    let subspace = |row: &csv::StringRecord| row[0].parse::<Subspace>().unwrap();
    let all: Vec<Subspace> = rows.iter().map(subspace).collect();
    assert_eq!(all, subspaces(rules("nine")));
    let (mut moving, mut placing, mut deepest) = (0, 0, (0, 0));
    let listed = listed("nine");
    for row in &rows {
        let counted: u64 = (2..5).map(|field| number(row, field)).sum();
        assert_eq!(counted, number(row, 1), "{row:?}");
        if subspace(row).is_moving() {
            moving += counted;
            deepest = (deepest.0.max(number(row, 5)), deepest.1.max(number(row, 6)));
        } else {
            placing += counted;
        }
        for (field, metric) in [(7, Metric::Wdl), (8, Metric::Dtw)] {
            if let Some((_, digest)) = listed.get(&(subspace(row), metric)) {
                assert_eq!(*digest, row[field]);
            }
        }
    }
    assert_eq!((moving, placing), (8_904_593_601, 17_856_741_338));
    assert_eq!(deepest, (203, 204));
}
