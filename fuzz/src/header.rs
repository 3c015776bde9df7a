//! The small structures: headers, inventories and saved states, their checksums made to fit. First
//! byte: bits 0 and 1 choose the structure, bit 7 leaves the checksums as they are.

use super::{chosen, is_one_line, rules_of, seal, table};
use merels::space::Subspace;
use merels::table::{Codes, Filled, Memory, Metric, SCRATCH_HEAD, Shelf, State};
use std::sync::{Arc, LazyLock};

/// Bytes of the header of a table.
const HEADER: usize = 256;
/// Bytes of a saved state that say of which build, rules and unit it is.
const STAMP: usize = 54;
/// Entries of the state that is saved.
pub const SAVED: usize = 3000;

/// A shelf with the shipped table of depths, an inventory and a saved state.
struct Room {
    memory: Memory,
    shelf: Shelf,
    table: Vec<u8>,
    inventory: Vec<u8>,
    state: Vec<u8>,
}

const INVENTORY: &str = "inventory.merels";

fn subspace() -> Subspace {
    table::SUBSPACE.parse().expect("a subspace")
}

fn state_name() -> String {
    format!("{}.working", subspace())
}

impl Room {
    fn new() -> Room {
        static TABLE: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| {
            let place = super::tables().join("three");
            let read = |name: &str| std::fs::read(place.join(name)).expect("a shipped file");
            [read(&Shelf::file_name(subspace(), Metric::Dtw)), read(INVENTORY)]
        });
        let memory = Memory::new();
        let shelf = Shelf::on(Arc::new(memory.clone()), &rules_of("three"));
        let codes: Vec<u8> = (0..SAVED).map(|n| (n / 7 * 31 % 251) as u8).collect();
        let streams = [Codes::Narrow(&codes), Codes::Narrow(&codes[..10])];
        shelf.save_scratch(subspace(), [5; SCRATCH_HEAD], &streams).expect("memory has room");
        let state = memory.get(&state_name()).expect("it was saved");
        let [table, inventory] = TABLE.clone();
        memory.put(&Shelf::file_name(subspace(), Metric::Dtw), table.clone());
        memory.put(INVENTORY, inventory.clone());
        Room { memory, shelf, table, inventory, state }
    }
}

thread_local! {
    static ROOM: Room = Room::new();
}

/// What a run that saves a state would have to say of one: for the corpus.
pub fn sample_state() -> Vec<u8> {
    ROOM.with(|room| room.state[STAMP..].to_vec())
}

/// The structure is refused with a reason, or what it says can be had; and whole tables stay whole.
pub fn run(data: &[u8]) {
    let Some((choice, bytes)) = chosen(data) else { return };
    let sealed = choice & 0x80 == 0;
    ROOM.with(|room| match choice & 3 {
        0 | 1 => header(room, bytes, sealed),
        2 => inventory(room, bytes, sealed),
        _ => state(room, bytes, sealed),
    });
}

fn header(room: &Room, bytes: &[u8], sealed: bool) {
    let name = Shelf::file_name(subspace(), Metric::Dtw);
    let mut file = room.table.clone();
    let length = bytes.len().min(HEADER);
    file[..length].copy_from_slice(&bytes[..length]);
    if sealed {
        seal::table(&mut file);
    }
    room.memory.put(&name, file);
    match room.shelf.table(subspace(), Metric::Dtw) {
        Err(error) => is_one_line(&error.to_string()),
        Ok(table) => {
            let header = table.header();
            assert_eq!(header.subspace, subspace());
            assert_eq!(header.entries, room.shelf.entries(subspace()));
            assert!(header.blocks > 0 && header.blocks <= header.entries);
            if let Err(error) = table.check() {
                is_one_line(&error.to_string());
            }
        }
    }
    room.memory.put(&name, room.table.clone());
}

fn inventory(room: &Room, bytes: &[u8], sealed: bool) {
    let mut file = bytes.to_vec();
    if sealed {
        seal::inventory(&mut file);
    }
    room.memory.put(INVENTORY, file);
    let listing = room.shelf.list().expect("memory is listed");
    let whole = listing.tables.iter().filter(|listed| matches!(listed.state, State::Whole(_)));
    assert_eq!(whole.count(), 1, "an inventory hides a table");
    listing.notes.iter().for_each(|note| is_one_line(note));
    room.memory.put(INVENTORY, room.inventory.clone());
}

fn state(room: &Room, bytes: &[u8], sealed: bool) {
    let mut file = room.state[..STAMP].to_vec();
    file.extend_from_slice(bytes);
    if sealed {
        seal::state(&mut file);
    }
    room.memory.put(&state_name(), file);
    match room.shelf.scratch(subspace()) {
        Ok(None) => panic!("a file that is there is not found"),
        Err(why) => is_one_line(&why),
        Ok(Some(scratch)) => {
            let (mut long, mut short) = (vec![0; SAVED], vec![0; 10]);
            let mut streams = [Filled::Narrow(&mut long), Filled::Narrow(&mut short)];
            if let Err(why) = scratch.read(&mut streams) {
                is_one_line(&why);
            }
        }
    }
}
