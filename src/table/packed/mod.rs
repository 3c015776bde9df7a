//! Codec 2: values that are predicted from their neighbours, and only the surprises stored.
//!
//! Neighbouring columns of a row differ in one stone of the opponent, so their positions mostly have
//! the same value, the more so where both sides threaten the same. For each entry a [`Predictor`]
//! adds up what the values of such neighbours say (weights that were fitted to the
//! table and lie in its file), which gives the odds of win, draw and loss, and an entropy coder
//! spends on the true value what it is worth under these odds. Half the bytes of zstd, or less, and
//! a look-up costs the decoding of one *strip* of 4096 entries.
//!
//! Beware: encoder and decoder must come to the same odds bit by bit, so everything on this road is
//! integers. What the features and the weights mean need not be right, only the same; whatever
//! bytes a file holds, the decoder ends with an error or with values between 0 and 2.

mod coder;
mod features;
mod neighbours;
mod parameters;
mod strips;
mod train;

#[cfg(test)]
pub(super) use coder::TOTAL;
pub(super) use parameters::Parameters;
pub(super) use strips::{decode_strip, encode_block, strip_of};
pub(super) use train::{Example, chosen, train};

use super::codec;
use super::format::HEADER_LENGTH;
use crate::rules::Rules;
use crate::space::{Index, Space, Subspace};
use features::Features;
use neighbours::Neighbours;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex};
use xxhash_rust::xxh3::xxh3_64;

/// Entries of a strip: decoded at once, and without any other.
pub(super) const STRIP: usize = 4096;

/// What an entry is, before its value is known: threats of both sides, and whether the opponent has
/// a mill.
pub(super) const SIGNATURES: usize = 18;
/// Neighbours that are asked.
pub(super) const NEIGHBOURS: usize = 14;
/// What a neighbour can say: its signature and value, or that there is none.
pub(super) const SAYINGS: usize = 3 * SIGNATURES + 1;
/// The saying of a neighbour that is not there.
const ABSENT: u8 = 3 * SIGNATURES as u8;
/// Steps to which the sum for each of the two questions (a win? if not, a draw?) is rounded.
pub(super) const STEPS: usize = 25;
/// The odds that can be told apart.
pub(super) const ODDS: usize = SIGNATURES * STEPS * STEPS;

/// The tables that the predictors of one rule set share, built when first asked for.
#[derive(Debug)]
pub(super) struct Shared {
    space: Arc<Space>,
    /// By stones of the opponent. Ranks do not depend on the number of free points, so the longest
    /// list serves all.
    neighbours: Mutex<HashMap<usize, Arc<Neighbours>>>,
}

impl Shared {
    pub fn new(rules: &Rules) -> Shared {
        Shared { space: Arc::new(Space::new(rules.clone())), neighbours: Mutex::default() }
    }

    /// The index tables, for whoever else needs them.
    pub fn space(&self) -> &Arc<Space> {
        &self.space
    }

    fn neighbours(&self, index: &Index) -> Arc<Neighbours> {
        let columns = index.columns();
        let mut held = self.neighbours.lock().expect("no thread panics while it holds the tables");
        match held.get(&columns.stones()) {
            Some(found) if found.columns() >= columns.count() => found.clone(),
            _ => {
                let built = Arc::new(Neighbours::new(columns));
                held.insert(columns.stones(), built.clone());
                built
            }
        }
    }

    /// What the entries of a subspace look like.
    pub fn scene(&self, subspace: Subspace) -> Scene {
        let index = self.space.index(subspace);
        let neighbours = self.neighbours(&index);
        Scene { features: Features::new(self.space.rules(), index), neighbours }
    }
}

/// What is known of the entries of a subspace besides their values.
pub(super) struct Scene {
    features: Features,
    neighbours: Arc<Neighbours>,
}

/// Gives the odds of each entry of a subspace.
pub(super) struct Predictor {
    scene: Scene,
    parameters: Parameters,
}

impl Predictor {
    pub fn new(scene: Scene, parameters: Parameters) -> Predictor {
        Predictor { scene, parameters }
    }

    /// The parameters, as they go into a file.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }
}

impl fmt::Debug for Predictor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Predictor")
    }
}

/// The level of zstd for the parameters.
const LEVEL: i32 = 19;

/// The parameters as they stand before the first block: a length, so many bytes of a zstd frame, and
/// a checksum.
pub(super) fn parameters_section(parameters: &Parameters) -> Option<Vec<u8>> {
    let frame = codec::compress(&parameters.encode(), LEVEL)?;
    let mut bytes = (frame.len() as u32).to_le_bytes().to_vec();
    bytes.extend(frame);
    bytes.extend(xxh3_64(&bytes).to_le_bytes());
    Some(bytes)
}

/// Where a section ends that begins behind the header with these bytes.
pub(super) fn parameters_end(start: &[u8]) -> u64 {
    let length = start.first_chunk().map_or(0, |four| u32::from_le_bytes(*four));
    HEADER_LENGTH + 4 + u64::from(length) + 8
}

/// Reads a section; the error says what is wrong with it.
pub(super) fn parameters_of(section: &[u8]) -> Result<Parameters, String> {
    let length = section.len();
    let Some((body, sum)) = section.split_last_chunk().filter(|(body, _)| body.len() >= 4) else {
        return Err(format!("they have {length} bytes, expected 12 or more"));
    };
    let (found, expected) = (xxh3_64(body), u64::from_le_bytes(*sum));
    if found != expected {
        return Err(format!("their checksum is {found:016x}, expected {expected:016x}"));
    }
    Parameters::decode(&codec::decompress(&body[4..], Parameters::LENGTH)?)
}

/// The signatures and values of a strip as its entries become known; what lies before the strip is
/// [`ABSENT`].
pub(super) struct Window {
    sayings: Box<[u8; 2 * STRIP]>,
}

impl Window {
    pub fn new() -> Window {
        Window { sayings: Box::new([ABSENT; 2 * STRIP]) }
    }

    /// What the entry `distance` places before `place` says.
    #[inline(always)]
    fn saying(&self, place: usize, distance: u16) -> usize {
        // Never out of bounds, since distances are at most a strip; the mask tells the compiler.
        usize::from(self.sayings[(STRIP + place).wrapping_sub(usize::from(distance)) % (2 * STRIP)])
    }

    #[inline(always)]
    fn tell(&mut self, place: usize, signature: u8, value: u8) {
        self.sayings[(STRIP + place) % (2 * STRIP)] = 3 * signature + value;
    }
}
