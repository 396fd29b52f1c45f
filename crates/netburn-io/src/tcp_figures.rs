//! What the kernel says of several connections, as one record: medians of what stands at the moment, sums of what is
//! counted.

use burn_model::record::ConnectionsRecord;

use crate::tcp_info::TcpInfo;

/// Counters of one connection, from its beginning. Absent where the kernel is too old to tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counters {
    pub(crate) segments: Option<u64>,
    pub(crate) retransmits: Option<u64>,
}

impl Counters {
    pub(crate) fn of(info: &TcpInfo) -> Self {
        Self { segments: info.data_segments_sent(), retransmits: info.retransmits() }
    }

    /// Takes what another connection, or another time, has counted.
    pub(crate) fn add(&mut self, more: Self) {
        let add = |sum: Option<u64>, n: Option<u64>| n.map(|n| n.saturating_add(sum.unwrap_or(0))).or(sum);
        self.segments = add(self.segments, more.segments);
        self.retransmits = add(self.retransmits, more.retransmits);
    }

    /// What was counted after `before`; absent where that was not known, but nothing is known of a connection only before
    /// it began. The kernel's counters have 32 bits and start anew after the last.
    pub(crate) fn since(self, before: Self) -> Self {
        let difference =
            |now: Option<u64>, before: Option<u64>| Some(now?.wrapping_sub(before.unwrap_or(0)) & u64::from(u32::MAX));
        Self {
            segments: difference(self.segments, before.segments),
            retransmits: difference(self.retransmits, before.retransmits),
        }
    }
}

/// Gathers the state of connections, one by one.
#[derive(Clone, Debug, Default)]
pub(crate) struct TcpFigures {
    open: u32,
    sampled: u32,
    round_trips: Vec<u64>,
    receiver_round_trips: Vec<u64>,
    delivery_rates: Vec<u64>,
    windows: Vec<u64>,
    min_round_trip: Option<u64>,
}

impl TcpFigures {
    /// A connection is open, and not asked.
    pub(crate) const fn pass(&mut self) {
        self.open = self.open.saturating_add(1);
    }

    /// A connection is open, and this is what the kernel says of it.
    pub(crate) fn take(&mut self, info: &TcpInfo) {
        self.pass();
        self.sampled = self.sampled.saturating_add(1);
        self.round_trips.extend(info.rtt_us());
        self.receiver_round_trips.extend(info.receiver_rtt_us());
        self.delivery_rates.extend(info.delivery_rate_bps());
        self.windows.extend(info.cwnd());
        self.min_round_trip = self.min_round_trip.into_iter().chain(info.min_rtt_us()).min();
    }

    /// Whether no connection was open.
    pub(crate) const fn is_empty(&self) -> bool {
        self.open == 0
    }

    /// All together, with what was counted meanwhile.
    pub(crate) fn record(mut self, counted: Counters) -> ConnectionsRecord {
        ConnectionsRecord {
            open: self.open,
            sampled: self.sampled,
            max_rtt_us: self.round_trips.iter().max().copied(),
            rtt_us: median(&mut self.round_trips),
            min_rtt_us: self.min_round_trip,
            receiver_rtt_us: median(&mut self.receiver_round_trips),
            segments: counted.segments,
            retransmits: counted.retransmits,
            delivery_rate_bps: median(&mut self.delivery_rates),
            cwnd: median(&mut self.windows),
        }
    }
}

/// The lower of the two middle values where there are two.
fn median(values: &mut [u64]) -> Option<u64> {
    let middle = values.len().checked_sub(1)? / 2;
    Some(*values.select_nth_unstable(middle).1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_a_value_that_was_seen() {
        assert_eq!(median(&mut []), None);
        assert_eq!(median(&mut [7]), Some(7));
        assert_eq!(median(&mut [9, 1]), Some(1));
        assert_eq!(median(&mut [9, 1, 5]), Some(5));
        assert_eq!(median(&mut [4, 3, 2, 1]), Some(2));
    }

    #[test]
    fn counters_are_told_as_differences_across_their_wrap_and_absent_where_absent() {
        let at = |segments: Option<u64>| Counters { segments, retransmits: None };
        assert_eq!(at(Some(15)).since(Counters::default()), at(Some(15)), "from the connection's beginning");
        assert_eq!(at(Some(15)).since(at(Some(5))), at(Some(10)));
        // From 2^32 - 1 to 2 are 3 steps.
        assert_eq!(at(Some(2)).since(at(Some(u64::from(u32::MAX)))), at(Some(3)));
        assert_eq!(at(None).since(at(Some(5))), at(None));
    }
}
