//! The distribution of a duration: an HDR histogram with fixed bounds, so that any two merge without loss.
//!
//! Buckets are those of [`crate::samples`]: 512 ns as the finest grain, one hour as the top, three significant
//! digits. Values past the top are counted apart and rank above every other; a quantile that falls on them is not a
//! number. Quantiles are read by rank, and never averaged: distributions are merged instead.

use std::time::Duration;

use hdrhistogram::Histogram;

use crate::samples::{Samples, TOP};
use crate::time::nanos;

/// The finest grain, in nanoseconds.
const GRAIN_NS: u64 = 512;
/// Significant decimal digits.
const DIGITS: u8 = 3;
/// As long as there are at most so many different values, they are kept in a sparse form: a dense histogram takes
/// 200 KB, which nobody should be able to make us spend with a few bytes.
const SPARSE_VALUES: usize = 512;

/// Durations, counted.
#[derive(Clone, Debug)]
pub struct Distribution(Kept);

#[derive(Clone, Debug)]
enum Kept {
    Sparse(Samples),
    Dense { histogram: Box<Histogram<u64>>, overflow: u64 },
}

/// What stands at a rank of a distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ranked {
    /// A duration.
    Value(Duration),
    /// Something longer than [`TOP`].
    Overflow,
}

impl Default for Distribution {
    fn default() -> Self {
        Self(Kept::Sparse(Samples::default()))
    }
}

impl Distribution {
    /// Adds the values of a second.
    pub fn add(&mut self, samples: &Samples) {
        match &mut self.0 {
            Kept::Sparse(kept) => {
                kept.merge(samples);
                self.make_dense_where_it_pays();
            }
            Kept::Dense { histogram, overflow } => {
                for (value, n) in samples.iter() {
                    histogram.saturating_record_n(nanos(value), n);
                }
                *overflow = overflow.saturating_add(samples.overflow());
            }
        }
    }

    /// Adds all of `other`.
    pub fn merge(&mut self, other: &Self) {
        match (&mut self.0, &other.0) {
            (_, Kept::Sparse(samples)) => self.add(samples),
            (Kept::Dense { histogram, overflow }, Kept::Dense { histogram: more, overflow: past_top }) => {
                // Both have the same bounds, so that this cannot fail.
                let _ = histogram.add(more.as_ref());
                *overflow = overflow.saturating_add(*past_top);
            }
            (Kept::Sparse(samples), Kept::Dense { .. }) => {
                let samples = std::mem::take(samples);
                self.0 = other.0.clone();
                self.add(&samples);
            }
        }
    }

    /// How many values there are, overflow included.
    #[must_use]
    pub fn len(&self) -> u64 {
        match &self.0 {
            Kept::Sparse(samples) => samples.len(),
            Kept::Dense { histogram, overflow } => histogram.len().saturating_add(*overflow),
        }
    }

    /// Whether there is no value.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many values were past [`TOP`].
    #[must_use]
    pub const fn overflow(&self) -> u64 {
        match &self.0 {
            Kept::Sparse(samples) => samples.overflow(),
            Kept::Dense { overflow, .. } => *overflow,
        }
    }

    /// The value at a rank, the shortest at rank 1; `None` past the last one, and at rank 0. The value is the lower
    /// end of its bucket: at most 0.1 % below what was recorded.
    #[must_use]
    pub fn at_rank(&self, rank: u64) -> Option<Ranked> {
        if rank == 0 || rank > self.len() {
            return None;
        }
        let mut passed = 0_u64;
        for (value, n) in self.values() {
            passed = passed.saturating_add(n);
            if passed >= rank {
                return Some(Ranked::Value(value));
            }
        }
        Some(Ranked::Overflow)
    }

    /// The kept values in rising order, each with its count; without the overflow.
    pub fn values(&self) -> Box<dyn Iterator<Item = (Duration, u64)> + '_> {
        match &self.0 {
            Kept::Sparse(samples) => Box::new(samples.iter()),
            Kept::Dense { histogram, .. } => Box::new(histogram.iter_recorded().map(|step| {
                let low = histogram.lowest_equivalent(step.value_iterated_to());
                (Duration::from_nanos(low), step.count_since_last_iteration())
            })),
        }
    }

    fn make_dense_where_it_pays(&mut self) {
        let Kept::Sparse(samples) = &self.0 else { return };
        if samples.iter().nth(SPARSE_VALUES).is_none() {
            return;
        }
        // These bounds are sound. Were they not, the sparse form would do.
        let Ok(histogram) = Histogram::new_with_bounds(GRAIN_NS, nanos(TOP), DIGITS) else { return };
        let samples = samples.clone();
        self.0 = Kept::Dense { histogram: Box::new(histogram), overflow: 0 };
        self.add(&samples);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::samples::bucket;

    fn of(values: &[u64]) -> Distribution {
        let mut distribution = Distribution::default();
        distribution.add(&samples(values));
        distribution
    }

    fn samples(values: &[u64]) -> Samples {
        let mut samples = Samples::default();
        for value in values {
            samples.record(Duration::from_nanos(*value));
        }
        samples
    }

    fn contents(distribution: &Distribution) -> (Vec<(Duration, u64)>, u64) {
        (distribution.values().collect(), distribution.overflow())
    }

    #[test]
    fn buckets_are_those_of_an_hdr_histogram() {
        let histogram = Histogram::<u64>::new_with_bounds(GRAIN_NS, nanos(TOP), DIGITS).unwrap();
        // Every power of two up to the top, with its neighbours, and values in between.
        for leading in 0..42 {
            for offset in [0_u64, 1, 511, 512, 1023, 1024, 333_333_333] {
                for value in [(1_u64 << leading).saturating_sub(offset), (1 << leading) + offset] {
                    if value <= nanos(TOP) {
                        assert_eq!(bucket(value), histogram.lowest_equivalent(value), "{value}");
                    }
                }
            }
        }
        assert_eq!(bucket(nanos(TOP)), histogram.lowest_equivalent(nanos(TOP)));
    }

    #[test]
    fn a_rank_is_counted_from_the_shortest_and_overflow_comes_last() {
        let mut distribution = of(&[30_000_000, 10_000_000, 20_000_000]);
        distribution.add(&samples(&[nanos(TOP) + 1]));
        let value = |ms: u64| Some(Ranked::Value(Duration::from_nanos(bucket(ms * 1_000_000))));
        let ranks: Vec<_> = (0..=5).map(|rank| distribution.at_rank(rank)).collect();
        assert_eq!(ranks, [None, value(10), value(20), value(30), Some(Ranked::Overflow), None]);
        assert_eq!(Distribution::default().at_rank(1), None, "an empty distribution has no quantile");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn a_quantile_is_the_sorted_value_to_a_thousandth(mut values in prop::collection::vec(0_u64..4_000_000_000, 1..1500), percent in 1_usize..=100) {
            let distribution = of(&values);
            values.sort_unstable();
            let rank = (values.len() * percent).div_ceil(100);
            let Some(Ranked::Value(read)) = distribution.at_rank(rank as u64) else { panic!("no value at {rank}") };
            let exact = values[rank - 1];
            prop_assert!(nanos(read) <= exact && exact - nanos(read) <= (exact / 1000).max(512));
        }

        #[test]
        fn merging_is_associative_and_loses_nothing(
            a in prop::collection::vec(0_u64..5_000_000_000_000, 0..900),
            b in prop::collection::vec(0_u64..5_000_000_000_000, 0..900),
            c in prop::collection::vec(0_u64..5_000_000_000_000, 0..900),
        ) {
            let mut left = of(&a);
            left.merge(&of(&b));
            left.merge(&of(&c));
            let mut right = of(&b);
            right.merge(&of(&c));
            let mut whole = of(&a);
            whole.merge(&right);
            prop_assert_eq!(contents(&left), contents(&whole));
            prop_assert_eq!(contents(&left), contents(&of(&[a, b, c].concat())));
        }
    }
}
