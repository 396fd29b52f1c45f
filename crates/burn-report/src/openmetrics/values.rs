//! Figures of a judgement as numbers of an exposition, and short forms of its families.

use burn_model::judge::Reading;

use super::exposition::{Family, Kind};
use crate::json::seconds;

pub(super) const fn gauge(name: &'static str, unit: Option<&'static str>, help: &'static str) -> Family {
    Family { name, kind: Kind::Gauge, unit, help }
}

pub(super) const fn counter(name: &'static str, unit: Option<&'static str>, help: &'static str) -> Family {
    Family { name, kind: Kind::Counter, unit, help }
}

pub(super) const fn states(name: &'static str, help: &'static str) -> Family {
    Family { name, kind: Kind::StateSet, unit: None, help }
}

/// A quantile in seconds. What never completed, or took more than an hour, is worse than any bound that an alarm could have:
/// it is infinite. What cannot be said is absent.
pub(super) fn time(reading: Reading) -> Option<f64> {
    match reading {
        Reading::Value(value) => Some(seconds(value)),
        Reading::Unsuccessful | Reading::Overflow => Some(f64::INFINITY),
        Reading::TooFew => None,
    }
}
