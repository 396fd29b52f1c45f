//! Which runs are meant, and moments as a person writes them.

use std::time::Duration;

use burn_model::judge::Verdict;
use burn_model::units::parse_duration;
use jiff::civil::DateTime;
use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};
use rusqlite::types::Value;

use super::rows::verdict_word;

/// Which runs are wanted. What is not said picks all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Of this scenario, by its name.
    pub scenario: Option<String>,
    /// In which this client took part.
    pub client: Option<String>,
    /// With one of these verdicts.
    pub verdicts: Vec<Verdict>,
    /// With all of these tags.
    pub tags: Vec<String>,
    /// Started then or later.
    pub since: Option<Timestamp>,
    /// Started before.
    pub until: Option<Timestamp>,
    /// The newest so many.
    pub limit: Option<usize>,
}

impl Filter {
    /// What it says in SQL, without the limit: a condition of fixed words, and the values that stand in it.
    pub(super) fn condition(&self) -> (String, Vec<Value>) {
        let mut words = vec!["1".to_owned()];
        let mut values = Vec::new();
        let mut and = |condition: &str, value: Value| {
            words.push(condition.to_owned());
            values.push(value);
        };
        if let Some(scenario) = &self.scenario {
            and("run.scenario = ?", Value::Text(scenario.clone()));
        }
        if let Some(client) = &self.client {
            and(
                "EXISTS (SELECT 1 FROM application WHERE application.file = run.file AND client = ?)",
                client.clone().into(),
            );
        }
        for tag in &self.tags {
            and("EXISTS (SELECT 1 FROM tag WHERE tag.file = run.file AND tag.tag = ?)", tag.clone().into());
        }
        if let Some(since) = self.since {
            and("run.at >= ?", Value::Integer(since.as_second()));
        }
        if let Some(until) = self.until {
            and("run.at < ?", Value::Integer(until.as_second()));
        }
        if !self.verdicts.is_empty() {
            let places = vec!["?"; self.verdicts.len()].join(", ");
            words.push(format!("run.verdict IN ({places})"));
            values.extend(self.verdicts.iter().map(|verdict| Value::Text(verdict_word(*verdict).to_owned())));
        }
        (words.join(" AND "), values)
    }
}

/// A text that is no moment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no time: write a date like 2026-11-20 or 2026-11-20T18:00 (UTC), or how long ago, like 3d or 2h")]
pub struct MomentError(String);

/// A moment: a date, a date with a time (both UTC, as runs are named), a time stamp, or how long before `now`.
///
/// # Errors
/// Where it is none of them.
pub fn parse_moment(text: &str, now: Timestamp) -> Result<Timestamp, MomentError> {
    let text = text.trim();
    let of_day = |time: DateTime| Offset::UTC.to_timestamp(time).ok();
    let ago = || now.checked_sub(SignedDuration::try_from(ago(text)?).ok()?).ok();
    // A time stamp says its own offset; only then is it one.
    let stamp = || text.parse::<Timestamp>().ok();
    // A date alone is its midnight. (A `Date` would be read from a date with a time too, and the time be lost.)
    let time = || of_day(text.parse::<DateTime>().ok()?);
    ago().or_else(stamp).or_else(time).ok_or_else(|| MomentError(text.to_owned()))
}

fn ago(text: &str) -> Option<Duration> {
    let days = |unit: char, hours: u64| {
        let number: u64 = text.strip_suffix(unit)?.trim_end().parse().ok()?;
        Some(Duration::from_secs(number.checked_mul(hours)?.checked_mul(3600)?))
    };
    days('d', 24).or_else(|| days('w', 7 * 24)).or_else(|| parse_duration(text).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_a_date_a_time_or_how_long_ago() {
        let now: Timestamp = "2026-11-21T10:00:00Z".parse().unwrap();
        for (text, moment) in [
            ("2026-11-20", "2026-11-20T00:00:00Z"),
            ("2026-11-20T18:30", "2026-11-20T18:30:00Z"),
            ("2026-11-20 18:30", "2026-11-20T18:30:00Z"),
            ("2026-11-20T18:30:00+01:00", "2026-11-20T17:30:00Z"),
            ("3d", "2026-11-18T10:00:00Z"),
            ("2w", "2026-11-07T10:00:00Z"),
            ("2h", "2026-11-21T08:00:00Z"),
            ("90 min", "2026-11-21T08:30:00Z"),
        ] {
            assert_eq!(parse_moment(text, now), Ok(moment.parse().unwrap()), "{text}");
        }
        for text in ["", "yesterday", "2026-13-01", "-3d", "99999999999999999999d", "18446744073709551615w"] {
            assert!(parse_moment(text, now).is_err(), "{text}");
        }
    }
}
