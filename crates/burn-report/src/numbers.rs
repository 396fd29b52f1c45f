//! Numbers as a person reads them: with their unit, to three digits or so.

use burn_model::judge::Reading;
pub(crate) use burn_model::units::format_count as count;
use burn_model::units::format_duration;

/// What stands where nothing can be said.
pub(crate) const ABSENT: &str = "–";

/// A quantile: its value, or why there is none.
pub(crate) fn reading(reading: Reading) -> String {
    match reading {
        Reading::TooFew => ABSENT.to_owned(),
        Reading::Value(value) => format_duration(value),
        Reading::Unsuccessful => "failed".to_owned(),
        Reading::Overflow => ">1 h".to_owned(),
    }
}

/// A bit rate: `24.7 Mbps`.
pub(crate) fn rate(bps: f64) -> String {
    if !bps.is_finite() {
        return ABSENT.to_owned();
    }
    match bps {
        1e10.. => format!("{} Gbps", digits(bps / 1e9, 3)),
        1e5.. => format!("{} Mbps", digits(bps / 1e6, 3)),
        _ => format!("{} kbps", digits(bps / 1e3, 3)),
    }
}

/// A bit rate that somebody wrote: `20 Mbps`, not `20.0 Mbps`.
pub(crate) fn bound_rate(bps: f64) -> String {
    trim_zeros(&rate(bps))
}

/// A share of one as a percentage: `2.31 %`.
pub(crate) fn percent(share: f64) -> String {
    if !share.is_finite() {
        return ABSENT.to_owned();
    }
    let percent = share * 100.0;
    if percent > 0.0 && percent < 0.01 {
        return "<0.01 %".to_owned();
    }
    trim_zeros(&format!("{} %", digits(percent, 3)))
}

/// A count as a floating-point number.
pub(crate) const fn float(n: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "past 2^53 a count is rounded; none is shown to that many digits")]
    let float = n as f64;
    float
}

/// A number of bytes in powers of ten: `1.17 GB`.
pub(crate) fn bytes(n: u64) -> String {
    let value = float(n);
    match n {
        1_000_000_000.. => format!("{} GB", digits(value / 1e9, 3)),
        1_000_000.. => format!("{} MB", digits(value / 1e6, 3)),
        1_000.. => format!("{} kB", digits(value / 1e3, 3)),
        _ => format!("{n} B"),
    }
}

/// A score, 0 to 100. Only a whole 100 reads 100.
pub(crate) fn score(score: Option<f64>) -> String {
    match score {
        Some(score) if score.is_finite() => format!("{:.0}", score.clamp(0.0, 100.0).floor()),
        _ => ABSENT.to_owned(),
    }
}

/// `value` to so many significant digits, whole digits never cut; none after the point where it is zero.
pub(crate) fn digits(value: f64, significant: usize) -> String {
    let size = value.abs();
    let whole_digits = match size {
        1000.0.. => 4,
        100.0.. => 3,
        10.0.. => 2,
        _ => 1,
    };
    if size > 0.0 { format!("{value:.*}", significant.saturating_sub(whole_digits)) } else { "0".to_owned() }
}

/// `2.50 s` → `2.5 s`, `20.0 Mbps` → `20 Mbps`.
fn trim_zeros(text: &str) -> String {
    let (number, unit) = text.split_once(' ').unwrap_or((text, ""));
    if !number.contains('.') {
        return text.to_owned();
    }
    format!("{} {unit}", number.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn figures_carry_a_unit_and_about_three_digits() {
        for (bps, text) in [
            (0.0, "0 kbps"),
            (64_000.0, "64.0 kbps"),
            (1_040_000.0, "1.04 Mbps"),
            (24_730_000.0, "24.7 Mbps"),
            (155_200_000.0, "155 Mbps"),
            (9_412_000_000.0, "9412 Mbps"),
            (25_000_000_000.0, "25.0 Gbps"),
            (f64::NAN, "–"),
        ] {
            assert_eq!(rate(bps), text);
        }
        for (share, text) in
            [(0.0, "0 %"), (0.000_05, "<0.01 %"), (0.02, "2 %"), (0.0231, "2.31 %"), (0.5, "50 %"), (1.0, "100 %")]
        {
            assert_eq!(percent(share), text);
        }
        assert_eq!(bytes(1_170_000_000), "1.17 GB");
        assert_eq!(bytes(2500), "2.50 kB");
        assert_eq!(bound_rate(20e6), "20 Mbps");
    }

    #[test]
    fn a_score_just_short_of_the_best_does_not_read_as_the_best() {
        assert_eq!(score(Some(99.9)), "99");
        assert_eq!(score(Some(100.0)), "100");
        assert_eq!(score(None), "–");
    }

    #[test]
    fn a_quantile_without_a_value_says_why() {
        assert_eq!(reading(Reading::TooFew), "–");
        assert_eq!(reading(Reading::Unsuccessful), "failed");
        assert_eq!(reading(Reading::Overflow), ">1 h");
        assert_eq!(reading(Reading::Value(Duration::from_millis(812))), "812 ms");
    }
}
