//! Values of one second: sparse, exact to three digits, mergeable.
//!
//! Values are kept as HDR histograms keep them: every value stands for a bucket that is at most 1/1024 of it
//! wide (three significant decimal digits), with 512 ns as the finest grain and one hour as the top. Values past the
//! top are counted as overflow, never clamped. [`crate::distribution::Distribution`] has the same buckets, so
//! that merging a second into a total loses nothing more.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::time::nanos;

/// The greatest value that is kept apart: one hour.
pub const TOP: Duration = Duration::from_secs(3600);

/// Finest grain, as a power of two of nanoseconds: 2^9 = 512 ns.
const GRAIN_BITS: u32 = 9;
/// Bits of a value that are kept below its leading bit: buckets are 1/1024 wide or narrower.
const PRECISION_BITS: u32 = 10;

/// The lowest value, in nanoseconds, of the bucket that `value` falls in.
#[must_use]
pub const fn bucket(value: u64) -> u64 {
    let leading = 63 - (value | 1).leading_zeros();
    let dropped = if leading > PRECISION_BITS + GRAIN_BITS { leading - PRECISION_BITS } else { GRAIN_BITS };
    value >> dropped << dropped
}

/// A sparse multiset of durations, quantised to HDR buckets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Wire", into = "Wire")]
pub struct Samples {
    counts: BTreeMap<u64, u64>,
    overflow: u64,
}

impl Samples {
    /// Adds one value.
    pub fn record(&mut self, value: Duration) {
        self.record_n(value, 1);
    }

    /// Adds one value `n` times.
    pub fn record_n(&mut self, value: Duration, n: u64) {
        if n == 0 {
            return;
        }
        let count = if value > TOP { &mut self.overflow } else { self.counts.entry(bucket(nanos(value))).or_default() };
        *count = count.saturating_add(n);
    }

    /// Adds all of `other`.
    pub fn merge(&mut self, other: &Self) {
        for (value, n) in other.iter() {
            self.record_n(value, n);
        }
        self.overflow = self.overflow.saturating_add(other.overflow);
    }

    /// How many values there are, overflow included.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.counts.values().fold(self.overflow, |sum, n| sum.saturating_add(*n))
    }

    /// Whether there is no value.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty() && self.overflow == 0
    }

    /// How many values were past [`TOP`].
    #[must_use]
    pub const fn overflow(&self) -> u64 {
        self.overflow
    }

    /// How many values are greater than `bound`, overflow included. A value that shares the bound's bucket
    /// is not counted: the figure is lenient by at most 0.1 % of the bound.
    #[must_use]
    pub fn over(&self, bound: Duration) -> u64 {
        let above = (bucket(nanos(bound)).saturating_add(1))..;
        self.counts.range(above).fold(self.overflow, |sum, (_, n)| sum.saturating_add(*n))
    }

    /// The kept values in rising order, each with its count; without the overflow.
    pub fn iter(&self) -> impl Iterator<Item = (Duration, u64)> + '_ {
        self.counts.iter().map(|(value, n)| (Duration::from_nanos(*value), *n))
    }
}

/// How samples stand in a file: `[[bucket_ns, count], …]`, with the overflow as a last pair `[null, count]`.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct Wire(Vec<(Option<u64>, u64)>);

impl From<Wire> for Samples {
    /// Takes any values and orders: what a file says is quantised again, so that nothing a peer sends can
    /// break the type's invariant.
    fn from(Wire(pairs): Wire) -> Self {
        let mut samples = Self::default();
        for (value, n) in pairs {
            match value {
                Some(value) => samples.record_n(Duration::from_nanos(value), n),
                None => samples.overflow = samples.overflow.saturating_add(n),
            }
        }
        samples
    }
}

impl From<Samples> for Wire {
    fn from(samples: Samples) -> Self {
        let overflow = (samples.overflow > 0).then_some((None, samples.overflow));
        Self(samples.counts.into_iter().map(|(value, n)| (Some(value), n)).chain(overflow).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn a_bucket_is_at_most_a_thousandth_wide() {
        for value in [0, 511, 512, 1_000, 524_287, 524_288, 1_000_000, 150_000_001, 3_600_000_000_000_u64] {
            let low = bucket(value);
            assert!(low <= value);
            assert!(value - low < 512 || (value - low) * 1000 < value, "{value} fell to {low}");
            assert_eq!(bucket(low), low, "quantising twice changes nothing");
        }
    }

    #[test]
    fn over_counts_what_is_beyond_the_bound_and_what_is_past_the_top() {
        let mut samples = Samples::default();
        samples.record_n(ms(100), 3);
        samples.record_n(ms(151), 2);
        samples.record(Duration::from_secs(7200));
        assert_eq!((samples.len(), samples.overflow(), samples.over(ms(150))), (6, 1, 3));
        assert_eq!(samples.over(ms(100)), 3, "a value at the bound is not over it");
    }

    #[test]
    fn a_file_keeps_everything_and_cannot_break_the_buckets() {
        let mut samples = Samples::default();
        samples.record_n(ms(100), 3);
        samples.record(Duration::from_secs(7200));
        let text = serde_json::to_string(&samples).unwrap();
        assert_eq!(serde_json::from_str::<Samples>(&text).unwrap(), samples);
        let odd: Samples =
            serde_json::from_str("[[1000001,1],[1000000,1],[18446744073709551615,2],[5,18446744073709551615]]")
                .unwrap();
        assert_eq!(odd.overflow(), 2);
        assert_eq!(odd.len(), u64::MAX, "counts saturate");
    }
}
