//! Amounts of memory, and how much of it there is.

use crate::cli::failure::{Failure, Status};
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// The limit that was asked for, or 90 % of the memory that the machine has to give.
pub fn memory_limit(words: Option<&str>) -> Result<u64, Failure> {
    match words {
        Some(words) => amount("--memory", Some(words), 0),
        None => available().map(|bytes| bytes / 10 * 9).ok_or_else(|| {
            let message =
                "the memory of this machine cannot be measured; say how much with --memory";
            Failure::new(Status::World, "memory", message)
        }),
    }
}

/// The amount that was asked for with `flag`, or `usual`.
pub fn amount(flag: &str, words: Option<&str>, usual: u64) -> Result<u64, Failure> {
    let Some(words) = words else { return Ok(usual) };
    parse_amount(words).ok_or_else(|| {
        Failure::usage(format!(
            "{flag} {words:?}: expected an amount such as 8GiB, 512MiB, 4GB, or bytes"
        ))
    })
}

/// Memory that can be had now, in bytes: what the system says, within the limits of the group of
/// processes that this one belongs to.
pub fn available() -> Option<u64> {
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(memory).ok()?;
    let available = system.available_memory();
    let within = system.cgroup_limits().map(|g| g.total_memory.saturating_sub(g.rss));
    let available = within.map_or(available, |within| within.min(available));
    (available > 0).then_some(available)
}

/// Bytes of `8GiB`, `512MiB`, `4GB`, `1.5GiB` or `1000000`.
pub fn parse_amount(words: &str) -> Option<u64> {
    let words = words.trim();
    let end = words.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(words.len());
    let (number, unit) = words.split_at(end);
    let factor: u64 = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "kb" => 1000,
        "mb" => 1000_u64.pow(2),
        "gb" => 1000_u64.pow(3),
        "tb" => 1000_u64.pow(4),
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        "t" | "tib" => 1 << 40,
        _ => return None,
    };
    match number.parse::<u64>() {
        Ok(whole) => whole.checked_mul(factor),
        Err(_) => {
            let bytes = number.parse::<f64>().ok()? * factor as f64;
            (bytes < u64::MAX as f64).then_some(bytes as u64)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::parse_amount;

    #[test]
    fn amounts_are_read() {
        let rows = [
            ("8GiB", Some(8 << 30)),
            ("512MiB", Some(512 << 20)),
            ("4GB", Some(4_000_000_000)),
            ("4 gb", Some(4_000_000_000)),
            ("1.5GiB", Some(3 << 29)),
            ("1000", Some(1000)),
            ("0", Some(0)),
            ("", None),
            ("GiB", None),
            ("-1", None),
            ("8 potatoes", None),
            ("1.2.3GiB", None),
            ("99999999999999999999", None),
            ("99999999TiB", None),
        ];
        for (words, expected) in rows {
            assert_eq!(parse_amount(words), expected, "{words:?}");
        }
    }
}
