//! Comparing two monotonic clocks over a message exchange.
//!
//! Whoever asks notes when the question left and when the answer came; the other end says what its clock read in between.
//! The exchange with the least round trip wins: whatever its two ways cost, the other end read its clock within that
//! time, so the offset is off by half the round trip at most (Cristian, *Probabilistic clock synchronization*, 1989).

use std::time::Duration;

/// What is known of another clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The other clock less ours, in nanoseconds.
    pub offset_ns: i64,
    /// The true offset lies within this.
    pub uncertainty: Duration,
}

impl Comparison {
    /// What one exchange says; all in nanoseconds of the clock of who read it.
    #[must_use]
    pub fn of(sent_ns: u64, other_ns: u64, received_ns: u64) -> Self {
        let round_trip = received_ns.saturating_sub(sent_ns);
        let middle = i128::from(sent_ns) + i128::from(round_trip / 2);
        let offset = i128::from(other_ns) - middle;
        Self {
            offset_ns: i64::try_from(offset).unwrap_or(if offset < 0 { i64::MIN } else { i64::MAX }),
            // Half the round trip, rounded up, so that it stays a bound.
            uncertainty: Duration::from_nanos(round_trip.div_ceil(2)),
        }
    }

    /// The better of two.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        if other.uncertainty < self.uncertainty { other } else { self }
    }

    /// A moment of our clock on the other one, in nanoseconds.
    #[must_use]
    pub const fn there(self, here_ns: u64) -> u64 {
        here_ns.saturating_add_signed(self.offset_ns)
    }

    /// A moment of the other clock on ours, in nanoseconds; 0 for what was before ours began.
    #[must_use]
    pub const fn here(self, there_ns: u64) -> u64 {
        there_ns.saturating_add_signed(self.offset_ns.saturating_neg())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_offset_is_off_by_half_the_round_trip_at_most() {
        // Their clock is 7 s ahead. A probe leaves at 1000 ms, arrives after 2 ms, and is back after 8 ms more:
        // they read 8002 ms at our 1002 ms; the middle of the trip is 1005 ms, so 6997 ms is taken for the offset.
        let ms = |ms: u64| ms * 1_000_000;
        let seen = Comparison::of(ms(1000), ms(8002), ms(1010));
        assert_eq!(seen, Comparison { offset_ns: 6_997_000_000, uncertainty: Duration::from_millis(5) });
        assert!(7_000_000_000 - seen.offset_ns <= 5_000_000);
    }

    #[test]
    fn the_quickest_exchange_wins_and_clocks_may_be_hours_apart() {
        let hour = 3_600_000_000_000;
        let slow = Comparison::of(5 * hour, hour, 5 * hour + 1000);
        let quick = Comparison::of(5 * hour, hour, 5 * hour + 10);
        assert_eq!(slow.min(quick), quick);
        assert_eq!(quick.min(slow), quick);
        assert_eq!(quick.there(5 * hour), hour - 5);
        assert_eq!(quick.here(hour - 5), 5 * hour);
    }

    #[test]
    fn no_reading_overflows() {
        assert_eq!(Comparison::of(0, u64::MAX, 0).offset_ns, i64::MAX);
        assert_eq!(Comparison::of(u64::MAX, 0, u64::MAX).offset_ns, i64::MIN);
        assert_eq!(Comparison::of(0, 0, 0).there(u64::MAX), u64::MAX);
        assert_eq!(Comparison::of(u64::MAX, 0, u64::MAX).here(u64::MAX), u64::MAX);
        assert_eq!(Comparison::of(0, 7, 0).here(6), 0);
    }
}
