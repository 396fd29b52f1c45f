//! When a request arrived in the kernel, as far as one read of its connection tells.
//!
//! The kernel stamps segments, but it joins those that wait in one queue and keeps only the last one's stamp (Linux,
//! `tcp_try_coalesce`). So a read that returns several requests dates the last of them exactly, and the earlier ones
//! only if they came at about the same time. They did, unless the server itself stood still meanwhile: then they are
//! taken to have come evenly spread over its pause, as an open loop sends them.

use super::clock::Pause;

/// What one read of a connection returned, beside the bytes. Times are by the server's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Read {
    /// How many bytes.
    pub(super) len: usize,
    /// When the read returned.
    pub(super) at: u64,
    /// How long before that the last of the bytes had arrived, by wall clock and kernel stamp; a clock that was stepped
    /// makes this nonsense, negative included.
    pub(super) age: Option<i128>,
    /// When the connection last had nothing to read.
    pub(super) empty_at: u64,
}

/// When the bytes of one read arrived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Arrivals {
    earliest: u64,
    latest: u64,
    len: usize,
}

impl Arrivals {
    /// Judges one read, with the pause of the server (if any) that ended after the connection last had nothing to read.
    pub(super) fn of(read: &Read, pause: Option<Pause>) -> Self {
        let possible = read.at.saturating_sub(read.empty_at);
        let age = read.age.and_then(|age| u64::try_from(age).ok()).filter(|&age| age <= possible).unwrap_or(0);
        let latest = read.at.saturating_sub(age);
        let earliest = pause.map_or(latest, |pause| pause.from.max(read.empty_at).min(latest));
        Self { earliest, latest, len: read.len }
    }

    /// When a request had arrived that ends `after` bytes into the read.
    pub(super) fn at(&self, after: usize) -> u64 {
        let span = u128::from(self.latest - self.earliest);
        let (after, len) = (after.min(self.len) as u128, self.len.max(1) as u128);
        self.earliest + u64::try_from(span * after / len).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    fn read(age: Option<i128>) -> Read {
        Read { len: 1000, at: 500 * MS, age, empty_at: 100 * MS }
    }

    #[test]
    fn the_last_request_of_a_read_arrived_at_the_kernels_stamp() {
        let arrivals = Arrivals::of(&read(Some(7_000_000)), None);
        assert_eq!(arrivals.at(1000), 493 * MS);
        assert_eq!(arrivals.at(1), 493 * MS, "without a pause, what was read together came together");
    }

    #[test]
    fn a_stepped_wall_clock_counts_for_nothing() {
        // Nothing can be older than the 400 ms since the connection had nothing to read, or come from the future.
        for age in [Some(-1), Some(400_000_001), Some(3_600_000_000_000), Some(-3_600_000_000_000), None] {
            assert_eq!(Arrivals::of(&read(age), None).at(1000), 500 * MS, "{age:?}");
        }
        assert_eq!(Arrivals::of(&read(Some(400_000_000)), None).at(1000), 100 * MS);
    }

    /// 100 requests/s while the server stands still from 200 ms to 500 ms: 30 requests of equal size, read at 500 ms,
    /// the last of which has just come. The i-th came at 200 + 10·i ms.
    #[test]
    fn requests_that_waited_through_a_pause_are_spread_over_it() {
        let stalled = Read { len: 30 * 150, age: Some(0), ..read(None) };
        let arrivals = Arrivals::of(&stalled, Some(Pause { from: 200 * MS, to: 500 * MS }));
        for i in 1..=30 {
            assert_eq!(arrivals.at(i * 150), (200 + 10 * i as u64) * MS);
        }
    }

    #[test]
    fn a_pause_says_nothing_about_the_time_before_the_connection_was_last_empty() {
        let arrivals = Arrivals::of(&read(Some(0)), Some(Pause { from: 0, to: 450 * MS }));
        assert_eq!(arrivals.at(0), 100 * MS);
    }
}
