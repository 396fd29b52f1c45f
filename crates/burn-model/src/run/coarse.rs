//! The response times of a second, coarsely: enough to see, of any length of time, in which seconds operations took longer.
//!
//! Buckets are half an octave wide: bucket `b` holds what takes from 2^(b/2) ns to less than 2^((b+1)/2) ns. The operations of
//! one second fall into a handful of them.

use std::time::Duration;

use crate::samples::Samples;
use crate::time::nanos;

/// What is past the top of [`Samples`] lies in a bucket of its own, above every other.
const OVERFLOW: u8 = u8::MAX;

/// The bucket of a duration.
#[must_use]
pub(crate) fn bucket(value: Duration) -> u8 {
    // ⌊2 · log₂ v⌋ = ⌊log₂ v²⌋, in whole numbers.
    let square = u128::from(nanos(value)).pow(2);
    u8::try_from(square.max(1).ilog2()).unwrap_or(OVERFLOW)
}

/// How many operations there were in each bucket, by rising bucket; those without any left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Coarse(Vec<(u8, u32)>);

impl Coarse {
    /// Adds all values.
    pub(crate) fn add(&mut self, samples: &Samples) {
        for (value, n) in samples.iter() {
            self.add_to(bucket(value), n);
        }
        if samples.overflow() > 0 {
            self.add_to(OVERFLOW, samples.overflow());
        }
    }

    fn add_to(&mut self, bucket: u8, n: u64) {
        let n = u32::try_from(n).unwrap_or(u32::MAX);
        match self.0.binary_search_by_key(&bucket, |(bucket, _)| *bucket) {
            Ok(place) => {
                if let Some((_, count)) = self.0.get_mut(place) {
                    *count = count.saturating_add(n);
                }
            }
            Err(place) => self.0.insert(place, (bucket, n)),
        }
    }

    /// How many lie in this bucket or above it.
    pub(crate) fn at_least(&self, bucket: u8) -> u64 {
        self.0.iter().filter(|(at, _)| *at >= bucket).fold(0, |sum, (_, n)| sum.saturating_add(u64::from(*n)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_half_an_octave_wide() {
        // 2^20 ns begins bucket 40, and √2 times as much bucket 41: 1,048,576 · 1.41421… = 1,482,910.4.
        let of = |ns| bucket(Duration::from_nanos(ns));
        assert_eq!([of(1 << 20), of(1_482_910), of(1_482_911), of((1 << 21) - 1), of(1 << 21)], [40, 40, 41, 41, 42]);
        assert_eq!((of(0), of(1)), (0, 0));
    }

    #[test]
    fn every_operation_is_counted_once_and_what_is_past_the_top_is_above_all() {
        let mut samples = Samples::default();
        samples.record_n(Duration::from_millis(1), 3);
        samples.record_n(Duration::from_millis(9), 2);
        samples.record(Duration::from_secs(7200));
        let mut coarse = Coarse::default();
        coarse.add(&samples);
        coarse.add(&samples);
        let ms = |ms| bucket(Duration::from_millis(ms));
        assert_eq!([coarse.at_least(0), coarse.at_least(ms(4)), coarse.at_least(OVERFLOW)], [12, 6, 2]);
    }
}
