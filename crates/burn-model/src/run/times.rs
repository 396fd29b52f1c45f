//! How long the operations that were scheduled in one second took, in a few numbers.
//!
//! Quantiles need every value, and a long run cannot keep every value of every second. So a second's values are kept for as
//! long as its operations go into no distribution yet ([`super::application`]), and are then read once. An operation that
//! ends even later took longer than all that ended before: what a quantile is, is known already where its rank lies among
//! those, and the few late ones are kept where it does not.

use std::time::Duration;

use crate::samples::Samples;
use crate::time::nanos;

/// Response times of the operations that were scheduled in one second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SecondTimes {
    /// The median, by nearest rank over all operations of the second, those that did not complete last. `None` where there
    /// was none, or the rank falls on one that did not complete, has not ended yet, or took over an hour.
    pub p50: Option<Duration>,
    /// 95 % were no longer; likewise.
    pub p95: Option<Duration>,
    /// The longest of those that completed, where that is under an hour.
    pub max: Option<Duration>,
    /// The median of received − sent over those that completed and had ended when the second's values were read, some 20 s
    /// after it: longer ones are left out.
    pub service_p50: Option<Duration>,
}

/// What is kept of a second whose values are gone.
#[derive(Clone, Debug)]
pub(crate) struct KeptTimes {
    /// How many operations had ended well when the values were read.
    read: u64,
    /// How many operations have a rank.
    ranked: u64,
    times: [Compact; 4],
    /// What ended well after that; kept only while a quantile needs it.
    late: Option<Box<Samples>>,
}

/// A duration in nanoseconds; the greatest number stands for none.
#[derive(Clone, Copy, Debug)]
struct Compact(u64);

impl Compact {
    fn of(value: Option<Duration>) -> Self {
        Self(value.map_or(u64::MAX, nanos))
    }

    const fn get(self) -> Option<Duration> {
        if self.0 == u64::MAX { None } else { Some(Duration::from_nanos(self.0)) }
    }
}

impl KeptTimes {
    /// Reads the values of a second in which so many operations were scheduled.
    pub(crate) fn read(response_time: &Samples, service_time: &Samples, ranked: u64) -> Self {
        let read = response_time.len();
        let ranked = ranked.max(read);
        Self {
            read,
            ranked,
            times: [
                Compact::of(at_rank(response_time, median(ranked))),
                Compact::of(at_rank(response_time, p95(ranked))),
                Compact::of(longest(response_time)),
                Compact::of(at_rank(service_time, median(service_time.len()))),
            ],
            late: None,
        }
    }

    /// Adds operations that ended well after the values were read.
    pub(crate) fn add_late(&mut self, response_time: &Samples) {
        let [_, _, max, _] = &mut self.times;
        *max = Compact::of(max.get().max(longest(response_time)));
        if p95(self.ranked) > self.read {
            self.late.get_or_insert_default().merge(response_time);
        }
    }

    pub(crate) fn figures(&self) -> SecondTimes {
        let [p50_read, p95_read, max, service_p50] = self.times.map(Compact::get);
        let or_late = |value: Option<Duration>, rank: u64| match &self.late {
            Some(late) if rank > self.read => at_rank(late, rank - self.read),
            _ => value,
        };
        SecondTimes {
            p50: or_late(p50_read, median(self.ranked)),
            p95: or_late(p95_read, p95(self.ranked)),
            max,
            service_p50,
        }
    }
}

/// The rank ⌈n / 2⌉.
const fn median(n: u64) -> u64 {
    n.div_ceil(2)
}

/// The rank ⌈0.95 · n⌉ = n − ⌊n / 20⌋.
const fn p95(n: u64) -> u64 {
    n - n / 20
}

fn at_rank(samples: &Samples, rank: u64) -> Option<Duration> {
    let mut passed = 0_u64;
    let reached = |(_, n): &(Duration, u64)| {
        passed = passed.saturating_add(*n);
        rank > 0 && passed >= rank
    };
    samples.iter().find(reached).map(|(value, _)| value)
}

fn longest(samples: &Samples) -> Option<Duration> {
    samples.iter().last().map(|(value, _)| value).filter(|_| samples.overflow() == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::bucket;

    fn samples(millis: impl IntoIterator<Item = u64>) -> Samples {
        let mut samples = Samples::default();
        millis.into_iter().for_each(|ms| samples.record(Duration::from_millis(ms)));
        samples
    }

    fn ms(ms: u64) -> Option<Duration> {
        Some(Duration::from_nanos(bucket(ms * 1_000_000)))
    }

    #[test]
    fn quantiles_of_a_second_are_values_at_their_ranks() {
        // Of 40: ⌈40 / 2⌉ = 20, ⌈0.95 · 40⌉ = 38.
        let times = KeptTimes::read(&samples(1..=40), &samples(1..=9), 40).figures();
        assert_eq!(times, SecondTimes { p50: ms(20), p95: ms(38), max: ms(40), service_p50: ms(5) });
        assert_eq!(KeptTimes::read(&samples([]), &samples([]), 0).figures(), SecondTimes::default());
    }

    #[test]
    fn what_did_not_complete_ranks_last() {
        // 36 of 40 completed: rank 20 is a value, rank 38 is not.
        let times = KeptTimes::read(&samples(1..=36), &samples([]), 40).figures();
        assert_eq!((times.p50, times.p95, times.max), (ms(20), None, ms(36)));
    }

    #[test]
    fn operations_that_end_late_take_the_ranks_that_were_left_for_them() {
        // 10 of 40 had ended; 28 more end later. Rank 20 is the tenth late one, rank 38 the last.
        let mut kept = KeptTimes::read(&samples(1..=10), &samples([]), 40);
        assert_eq!((kept.figures().p50, kept.figures().max), (None, ms(10)));
        kept.add_late(&samples(20_001..=20_020));
        kept.add_late(&samples(20_021..=20_028));
        let times = kept.figures();
        assert_eq!((times.p50, times.p95, times.max), (ms(20_010), ms(20_028), ms(20_028)));
    }

    #[test]
    fn late_ones_are_not_kept_where_no_quantile_needs_them() {
        // 38 of 40 had ended, which is where p95 lies.
        let mut kept = KeptTimes::read(&samples(1..=38), &samples([]), 40);
        kept.add_late(&samples([20_001, 20_002]));
        assert!(kept.late.is_none());
        assert_eq!((kept.figures().p95, kept.figures().max), (ms(38), ms(20_002)));
    }
}
