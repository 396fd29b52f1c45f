//! Quantities with their units: bit rates, sizes, durations, as people write and read them.
//!
//! Units are SI: 1 Mbps is 10^6 bit/s. Sizes take powers of two by their own names (KiB, MiB, GiB) and powers
//! of ten by theirs (kB, MB, GB). A bare number is refused: a person always says the unit.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Bits in a second, payload unless said otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BitRate(u64);

impl BitRate {
    /// A rate in bits per second.
    #[must_use]
    pub const fn from_bps(bps: u64) -> Self {
        Self(bps)
    }

    /// A rate in megabits (10^6 bits) per second.
    #[must_use]
    pub const fn from_mbps(mbps: u64) -> Self {
        Self(mbps.saturating_mul(1_000_000))
    }

    /// Bits per second.
    #[must_use]
    pub const fn as_bps(self) -> u64 {
        self.0
    }

    /// Megabits per second.
    #[must_use]
    pub fn as_mbps(self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a rate over 2^53 bit/s is not printed to the bit")]
        let bps = self.0 as f64;
        bps / 1e6
    }
}

impl fmt::Display for BitRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, unit) = scaled(self.0, &[(1_000_000_000, "Gbps"), (1_000_000, "Mbps"), (1000, "kbps")], "bps");
        write!(f, "{value} {unit}")
    }
}

/// A number of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ByteSize(u64);

impl ByteSize {
    /// A size in bytes.
    #[must_use]
    pub const fn from_bytes(bytes: u64) -> Self {
        Self(bytes)
    }

    /// A size in KiB (1024 bytes).
    #[must_use]
    pub const fn from_kib(kib: u64) -> Self {
        Self(kib.saturating_mul(1024))
    }

    /// A size in MiB (1024 KiB).
    #[must_use]
    pub const fn from_mib(mib: u64) -> Self {
        Self(mib.saturating_mul(1024 * 1024))
    }

    /// Bytes.
    #[must_use]
    pub const fn as_bytes(self) -> u64 {
        self.0
    }
}

impl fmt::Display for ByteSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, unit) = scaled(self.0, &[(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")], "B");
        write!(f, "{value} {unit}")
    }
}

/// `value` in the greatest unit that holds it without a fraction, else the base unit.
fn scaled(value: u64, units: &[(u64, &'static str)], base: &'static str) -> (u64, &'static str) {
    units
        .iter()
        .find(|(factor, _)| value >= *factor && value.is_multiple_of(*factor))
        .map_or((value, base), |(factor, unit)| (value / factor, *unit))
}

/// What a person wrote is not a quantity of the kind that was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a {kind}: write it like {example}")]
pub struct QuantityError {
    text: String,
    kind: &'static str,
    example: &'static str,
}

/// A kind of quantity, with the units it takes.
struct Kind {
    name: &'static str,
    example: &'static str,
    /// Unit and its factor in the base unit, in lower case where case does not matter.
    units: &'static [(&'static str, f64)],
    case_matters: bool,
}

impl Kind {
    /// `text` in whole base units.
    fn parse(&self, text: &str) -> Result<u64, QuantityError> {
        let refuse = || QuantityError { text: text.to_owned(), kind: self.name, example: self.example };
        let trimmed = text.trim();
        let split = trimmed.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '_')).ok_or_else(refuse)?;
        let (number, unit) = trimmed.split_at(split);
        let unit = unit.trim();
        let factor = self
            .units
            .iter()
            .find(|(name, _)| if self.case_matters { *name == unit } else { name.eq_ignore_ascii_case(unit) })
            .ok_or_else(refuse)?
            .1;
        let number: f64 = number.replace('_', "").parse().map_err(|_| refuse())?;
        let value = (number * factor).round();
        // Past 2^53 an f64 no longer holds every whole number; no quantity of ours is that great.
        if !(0.0..=9.0e15).contains(&value) {
            return Err(refuse());
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole, and within 0..=9e15")]
        Ok(value as u64)
    }
}

impl FromStr for BitRate {
    type Err = QuantityError;

    /// Reads `25 Mbps`, `1.5Gbit/s`, `64kbps`.
    fn from_str(text: &str) -> Result<Self, QuantityError> {
        const KIND: Kind = Kind {
            name: "bit rate",
            example: "25 Mbps",
            units: &[
                ("bps", 1.0),
                ("bit/s", 1.0),
                ("kbps", 1e3),
                ("kbit", 1e3),
                ("kbit/s", 1e3),
                ("Mbps", 1e6),
                ("Mbit", 1e6),
                ("Mbit/s", 1e6),
                ("Gbps", 1e9),
                ("Gbit", 1e9),
                ("Gbit/s", 1e9),
            ],
            case_matters: false,
        };
        KIND.parse(text).map(Self)
    }
}

impl FromStr for ByteSize {
    type Err = QuantityError;

    /// Reads `128 KiB`, `1MiB`, `2500 B`, `1.5 MB`.
    fn from_str(text: &str) -> Result<Self, QuantityError> {
        const KIND: Kind = Kind {
            name: "size",
            example: "128 KiB",
            units: &[
                ("B", 1.0),
                ("KiB", 1024.0),
                ("MiB", 1_048_576.0),
                ("GiB", 1_073_741_824.0),
                ("kB", 1e3),
                ("MB", 1e6),
                ("GB", 1e9),
            ],
            case_matters: false,
        };
        KIND.parse(text).map(Self)
    }
}

/// Reads a duration as a person writes it: `500 ms`, `20s`, `2m`, `2m30s`, `1h`.
///
/// # Errors
/// Where the text is not a duration, or has no unit.
pub fn parse_duration(text: &str) -> Result<Duration, QuantityError> {
    const KIND: Kind = Kind {
        name: "duration",
        example: "500 ms, 20 s or 2m30s",
        units: &[
            ("ns", 1.0),
            ("us", 1e3),
            ("µs", 1e3),
            ("ms", 1e6),
            ("s", 1e9),
            ("m", 60e9),
            ("min", 60e9),
            ("h", 3600e9),
        ],
        case_matters: true,
    };
    let refuse = || QuantityError { text: text.to_owned(), kind: KIND.name, example: KIND.example };
    let mut total = 0_u64;
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err(refuse());
    }
    while !rest.is_empty() {
        let unit = rest.find(|c: char| c.is_alphabetic()).ok_or_else(refuse)?;
        let end = rest[unit..].find(|c: char| !c.is_alphabetic()).map_or(rest.len(), |i| unit + i);
        total = total.checked_add(KIND.parse(&rest[..end]).map_err(|_| refuse())?).ok_or_else(refuse)?;
        rest = rest[end..].trim_start();
    }
    Ok(Duration::from_nanos(total))
}

/// A count with its thousands apart: `812,345`.
#[must_use]
pub fn format_count(n: u64) -> String {
    let plain = n.to_string();
    let mut text = String::new();
    for (i, digit) in plain.chars().enumerate() {
        if i > 0 && (plain.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A duration as a person reads it, to three digits or so: `41 µs`, `8.3 ms`, `350 ms`, `1.25 s`, `2m30s`.
#[must_use]
pub fn format_duration(duration: Duration) -> String {
    let nanos = duration.as_nanos();
    let seconds = duration.as_secs_f64();
    match nanos {
        0 => "0 ms".to_owned(),
        1..1_000 => format!("{nanos} ns"),
        1_000..1_000_000 => format!("{:.0} µs", seconds * 1e6),
        1_000_000..10_000_000 => format!("{:.1} ms", seconds * 1e3),
        10_000_000..1_000_000_000 => format!("{:.0} ms", seconds * 1e3),
        1_000_000_000..10_000_000_000 => format!("{seconds:.2} s"),
        10_000_000_000..120_000_000_000 => format!("{seconds:.1} s"),
        _ => format!("{}m{:02}s", duration.as_secs() / 60, duration.as_secs() % 60),
    }
}

/// A duration that a person wrote, without zeros that would claim a precision: `2 s` where [`format_duration`] has
/// `2.00 s`.
#[must_use]
pub fn format_bound(bound: Duration) -> String {
    let text = format_duration(bound);
    match text.split_once(' ') {
        Some((number, unit)) if number.contains('.') => {
            format!("{} {unit}", number.trim_end_matches('0').trim_end_matches('.'))
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        for (n, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(format_count(n), text);
        }
    }

    #[test]
    fn quantities_are_read_as_people_write_them() {
        for (text, bps) in
            [("25 Mbps", 25_000_000), ("1.5Gbit/s", 1_500_000_000), ("64kbps", 64_000), ("156mbit", 156_000_000)]
        {
            assert_eq!(text.parse(), Ok(BitRate::from_bps(bps)), "{text}");
        }
        for (text, bytes) in [("128 KiB", 131_072), ("1MiB", 1_048_576), ("2500 B", 2500), ("1.5 MB", 1_500_000)] {
            assert_eq!(text.parse(), Ok(ByteSize::from_bytes(bytes)), "{text}");
        }
        for (text, millis) in [("500 ms", 500), ("20s", 20_000), ("2m30s", 150_000), ("1.5 s", 1500), ("1h", 3_600_000)]
        {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
    }

    #[test]
    fn a_number_without_a_unit_or_with_a_wrong_one_is_refused_with_an_example() {
        assert_eq!("25".parse::<BitRate>().unwrap_err().to_string(), "'25' is not a bit rate: write it like 25 Mbps");
        for text in ["", "25", "-1 s", "1 MB", "s", "1e3 s", "99999999999 h", "1 s 5"] {
            assert!(parse_duration(text).is_err(), "{text:?} was taken");
        }
        assert!("1 ms".parse::<ByteSize>().is_err());
        assert!("999999 Gbps".parse::<BitRate>().is_ok());
        assert!("99999999999 Gbps".parse::<BitRate>().is_err());
    }

    #[test]
    fn quantities_print_in_the_unit_that_fits() {
        assert_eq!(BitRate::from_bps(25_000_000).to_string(), "25 Mbps");
        assert_eq!(BitRate::from_bps(1_500).to_string(), "1500 bps");
        assert_eq!(ByteSize::from_mib(10).to_string(), "10 MiB");
        assert_eq!(ByteSize::from_bytes(2500).to_string(), "2500 B");
        for (nanos, text) in
            [(0, "0 ms"), (41_000, "41 µs"), (8_300_000, "8.3 ms"), (350_000_000, "350 ms"), (150_000_000_000, "2m30s")]
        {
            assert_eq!(format_duration(Duration::from_nanos(nanos)), text);
        }
    }

    #[test]
    fn a_bound_is_shown_as_it_was_written() {
        for (millis, text) in [(500, "500 ms"), (2000, "2 s"), (2500, "2.5 s"), (10_000, "10 s"), (20, "20 ms")] {
            assert_eq!(format_bound(Duration::from_millis(millis)), text);
        }
    }
}
