//! Quantities that only a scenario has: rates of operations, and where the server is.

use std::net::Ipv6Addr;
use std::time::Duration;

use burn_model::plan::Rate;
use burn_model::time::nanos;
use burn_model::units::{BitRate, parse_duration};

/// How often operations start, as a person writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pace {
    /// So many operations in so much time.
    Operations(Rate),
    /// As often as makes up this rate of payload.
    Payload(BitRate),
}

impl Pace {
    /// Reads `50/s`, `0.5/s`, `30/min`, `1 per 335 ms` or `25 Mbps`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if let Ok(bit_rate) = text.parse() {
            return Some(Self::Payload(bit_rate));
        }
        let (count, period) = match text.split_once(" per ") {
            Some((count, period)) => (count, parse_duration(period).ok()?),
            None => {
                let (count, unit) = text.split_once('/')?;
                (count, parse_duration(&format!("1 {}", unit.trim())).ok()?)
            }
        };
        let (operations, scale) = decimal(count.trim())?;
        let per_ns = nanos(period).checked_mul(scale)?;
        let divisor = greatest_common_divisor(operations, per_ns);
        (operations > 0 && per_ns > 0).then(|| {
            Self::Operations(Rate { operations: operations / divisor.max(1), per_ns: per_ns / divisor.max(1) })
        })
    }

    /// The exact rate of operations of so many bytes; `None` where it cannot be held.
    pub(super) fn of_operations(self, bytes: u64) -> Option<Rate> {
        match self {
            Self::Operations(rate) => Some(rate),
            Self::Payload(bit_rate) => Rate::of_bit_rate(bit_rate, bytes),
        }
    }
}

/// A decimal number without sign or exponent, exactly: its digits, and the power of ten they are divided by.
fn decimal(text: &str) -> Option<(u64, u64)> {
    const MOST_DECIMALS: usize = 6;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !all_digits(whole) || !all_digits(fraction) || fraction.len() > MOST_DECIMALS {
        return None;
    }
    let digits = format!("{whole}{fraction}").parse().ok()?;
    let scale = 10_u64.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    Some((digits, scale))
}

const fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// A duration in the greatest unit that holds it without a fraction: `24 h`, `1500 ms`. Reads back exactly.
pub(crate) fn exact(duration: Duration) -> String {
    const UNITS: [(u64, &str); 5] =
        [(3_600_000_000_000, "h"), (60_000_000_000, "min"), (1_000_000_000, "s"), (1_000_000, "ms"), (1000, "µs")];
    let nanos = nanos(duration);
    if nanos == 0 {
        return "0 s".to_owned();
    }
    let unit = UNITS.into_iter().find(|(factor, _)| nanos.is_multiple_of(*factor));
    let (factor, unit) = unit.unwrap_or((1, "ns"));
    format!("{} {unit}", nanos / factor)
}

/// The address of a server as `http://HOST:PORT`; without a port, 80 is meant, as everywhere.
///
/// # Errors
/// What is wrong with it, and what to write.
pub(super) fn server_url(text: &str) -> Result<String, &'static str> {
    const EXAMPLE: &str = "write an address such as \"http://192.168.1.10:4040\"";
    let Some((scheme, rest)) = text.trim().split_once("://") else { return Err(EXAMPLE) };
    if scheme.eq_ignore_ascii_case("https") {
        return Err("netburn's own server speaks plain http; write http://HOST:PORT");
    }
    if !scheme.eq_ignore_ascii_case("http") {
        return Err(EXAMPLE);
    }
    let authority = rest.strip_suffix('/').unwrap_or(rest);
    if authority.contains(['/', '?', '#', '@']) {
        return Err("only http://HOST:PORT, with no user, path or query");
    }
    check_authority(authority)?;
    Ok(format!("http://{authority}"))
}

/// Whether this is `HOST` or `HOST:PORT`.
///
/// # Errors
/// What is wrong with it.
pub(super) fn check_authority(authority: &str) -> Result<(), &'static str> {
    let (host, port) = host_and_port(authority);
    let numeric = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let host_ok = match numeric {
        Some(address) => address.parse::<Ipv6Addr>().is_ok(),
        None => is_host_name(host),
    };
    if !host_ok {
        return Err("the host is a name, an IPv4 address, or an IPv6 address in brackets");
    }
    let port_ok =
        |port: &str| port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok_and(|port| port > 0);
    if !port.is_none_or(port_ok) {
        return Err("the port is a number between 1 and 65535");
    }
    Ok(())
}

/// Whether the address of a server names its port.
pub(super) fn names_port(url: &str) -> bool {
    host_and_port(url.trim_start_matches("http://")).1.is_some()
}

/// Splits at the last colon that does not belong to an IPv6 address in brackets.
pub(super) fn host_and_port(authority: &str) -> (&str, Option<&str>) {
    match authority.rsplit_once(':').filter(|(_, port)| !port.contains(']')) {
        Some((host, port)) => (host, Some(port)),
        None => (authority, None),
    }
}

fn is_host_name(host: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    (1..=253).contains(&host.len()) && host.bytes().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_read_exactly() {
        let ops = |operations, per_ns| Some(Pace::Operations(Rate { operations, per_ns }));
        for (text, expected) in [
            // 50 in 10^9 ns is 1 in 20 ms.
            ("50/s", ops(1, 20_000_000)),
            ("50 / s", ops(1, 20_000_000)),
            ("3/s", ops(3, 1_000_000_000)),
            ("0.5/s", ops(1, 2_000_000_000)),
            ("30/min", ops(1, 2_000_000_000)),
            ("1 per 335 ms", ops(1, 335_000_000)),
            ("2 per 1m30s", ops(1, 45_000_000_000)),
            ("25 Mbps", Some(Pace::Payload(BitRate::from_mbps(25)))),
            ("25 Mbit/s", Some(Pace::Payload(BitRate::from_mbps(25)))),
        ] {
            assert_eq!(Pace::parse(text), expected, "{text}");
        }
        for text in
            ["", "/", "50", "50/", "/s", "0/s", "-1/s", "1e3/s", "1 per", "1 per 0 s", "1..5/s", "1/fortnight", "x/s"]
        {
            assert_eq!(Pace::parse(text), None, "{text}");
        }
        assert_eq!(Pace::parse("99999999999999999999/s"), None, "does not fit");
    }

    #[test]
    fn durations_are_written_so_that_they_read_back() {
        for (duration, text) in [
            (Duration::ZERO, "0 s"),
            (Duration::from_secs(86_400), "24 h"),
            (Duration::from_secs(90), "90 s"),
            (Duration::from_millis(1500), "1500 ms"),
            (Duration::from_nanos(335_544_320), "335544320 ns"),
        ] {
            assert_eq!(exact(duration), text);
            assert_eq!(parse_duration(text), Ok(duration));
        }
    }

    #[test]
    fn a_server_is_a_host_and_perhaps_a_port() {
        for (text, url) in [
            ("http://nas:4040", "http://nas:4040"),
            (" HTTP://192.168.1.10:80/ ", "http://192.168.1.10:80"),
            ("http://[fe80::1]:4040", "http://[fe80::1]:4040"),
        ] {
            assert_eq!(server_url(text).as_deref(), Ok(url));
            assert!(names_port(url), "{url}");
        }
        for text in ["http://nas", "http://[fe80::1]"] {
            assert_eq!(server_url(text).as_deref(), Ok(text));
            assert!(!names_port(text), "{text}");
        }
        for text in [
            "nas:4040",
            "http://",
            "https://nas:1",
            "ftp://nas:1",
            "http://:4040",
            "http://nas:0",
            "http://nas:65536",
            "http://nas:+80",
            "http://nas:",
            "http://user@nas:80",
            "http://nas:80/path",
            "http://nas:80\"\nx=1",
            "http://na s:80",
            "http://[nas]:80",
            "http://a:b:80",
        ] {
            assert!(server_url(text).is_err(), "{text}");
        }
        assert_eq!(server_url("http://nas:80/path"), Err("only http://HOST:PORT, with no user, path or query"));
    }
}
