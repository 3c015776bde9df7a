//! Strips and blocks: values to bytes and back.
//!
//! A block is a directory, the length of each strip in two bytes, and the strips. A strip of equal
//! values is one byte, that value; any other is a stream of the entropy coder, which has three bytes
//! at least.

use super::coder::{self, Decoder, STATE_BYTES};
use super::{Parameters, Predictor, STRIP, Window};

/// Visits the entries of a strip in order: `value` is told the number of the odds of each place and
/// gives back its value.
#[inline(always)]
pub(super) fn walk(
    predictor: &Predictor,
    first: u64,
    signatures: &[u8],
    window: &mut Window,
    mut value: impl FnMut(usize, usize) -> u8,
) {
    let Predictor { scene, parameters } = predictor;
    for (_, columns, place) in scene.features.parts(first, signatures.len()) {
        let distances = scene.neighbours.of(columns);
        for (place, distances) in (place..).zip(distances) {
            let signature = signatures[place];
            let weights = parameters.weights(signature);
            let mut sum = parameters.bias(signature);
            for (weights, distance) in weights.iter().zip(distances) {
                sum += weights[window.saying(place, *distance) % weights.len()];
            }
            let found = value(place, Parameters::number(signature, sum));
            window.tell(place, signature, found);
        }
    }
}

impl Predictor {
    /// The signatures of a strip.
    fn signatures(&self, first: u64, entries: usize) -> Vec<u8> {
        let mut signatures = vec![0; entries];
        self.scene.features.signatures(first, &mut signatures);
        signatures
    }
}

/// The values of a strip of `entries` entries that begins with entry `first`.
pub(in crate::table) fn decode_strip(
    predictor: &Predictor,
    first: u64,
    entries: usize,
    bytes: &[u8],
) -> Result<Box<[u8]>, String> {
    debug_assert!(entries <= STRIP);
    if let [value] = bytes {
        return match value {
            0..=2 => Ok(vec![*value; entries].into()),
            _ => Err(format!("it is all {value}, which is no value")),
        };
    }
    let short = || format!("it has {} bytes, expected 1 or at least {STATE_BYTES}", bytes.len());
    let mut decoder = Decoder::new(bytes).ok_or_else(short)?;
    let mut values = vec![0; entries];
    let signatures = predictor.signatures(first, entries);
    walk(predictor, first, &signatures, &mut Window::new(), |place, number| {
        let value = decoder.value(predictor.parameters.odds(number));
        values[place] = value;
        value
    });
    match decoder.ends_well() {
        true => Ok(values.into()),
        false => Err("its bytes do not end where its entries do".to_owned()),
    }
}

fn encode_strip(predictor: &Predictor, first: u64, values: &[u8]) -> Vec<u8> {
    if values.iter().all(|value| *value == values[0]) {
        return vec![values[0]];
    }
    let signatures = predictor.signatures(first, values.len());
    let mut symbols = Vec::with_capacity(values.len());
    walk(predictor, first, &signatures, &mut Window::new(), |place, number| {
        symbols.push((predictor.parameters.odds(number), values[place]));
        values[place]
    });
    coder::encode(symbols.into_iter())
}

/// The bytes of a block that begins with entry `first`. They are decoded again, so that a fault of
/// the coder shows here and not when somebody asks.
///
/// # Panics
///
/// Where they decode to something else.
pub(in crate::table) fn encode_block(predictor: &Predictor, first: u64, values: &[u8]) -> Vec<u8> {
    let (mut directory, mut bytes) = (Vec::new(), Vec::new());
    for (number, values) in values.chunks(STRIP).enumerate() {
        let first = first + (number * STRIP) as u64;
        let strip = encode_strip(predictor, first, values);
        let decoded = decode_strip(predictor, first, values.len(), &strip);
        assert_eq!(decoded.as_deref(), Ok(values), "a strip decodes to what was encoded");
        directory.extend((strip.len() as u16).to_le_bytes());
        bytes.extend(strip);
    }
    directory.append(&mut bytes);
    directory
}

/// The bytes of strip `number` of a block of `strips` strips.
pub(in crate::table) fn strip_of(
    block: &[u8],
    strips: usize,
    number: usize,
) -> Result<&[u8], String> {
    let short =
        || format!("its directory of {strips} strips needs more than {} bytes", block.len());
    let (directory, bytes) = block.split_at_checked(2 * strips).ok_or_else(short)?;
    let lengths = directory.chunks_exact(2);
    let ends: Vec<usize> = lengths
        .scan(0, |end, two| {
            *end += usize::from(u16::from_le_bytes([two[0], two[1]]));
            Some(*end)
        })
        .collect();
    if ends.last() != Some(&bytes.len()) {
        return Err(format!("its strips have {:?} bytes, expected {}", ends.last(), bytes.len()));
    }
    let start = if number == 0 { 0 } else { ends[number - 1] };
    Ok(&bytes[start..ends[number]])
}
