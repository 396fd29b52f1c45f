//! What is shown of a run's telemetry: sums and ranges over the whole run, and what each roam did to the operations.

use std::time::Duration;

use super::{RunRecord, index};
use crate::goal::Bound;
use crate::record::{ConnectionsRecord, InterfaceRecord, RoamRecord, TelemetryRecord, WifiRecord};

/// Different names that are kept of a device's interfaces, networks and channels. One that has more is told from these too.
const NAMES_KEPT: usize = 8;

/// Least and greatest of what was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeenRange<T> {
    /// The least.
    pub least: T,
    /// The greatest.
    pub greatest: T,
}

/// A device's telemetry over the whole run, warm-up and drain included. What was never known is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TelemetrySummary {
    /// The interfaces towards the server, in the order in which they came.
    pub interfaces: Vec<String>,
    /// Everything that they counted in the seconds that are known; without a name.
    pub counted: Option<InterfaceRecord>,
    /// The radio.
    pub wifi: Option<WifiSummary>,
}

/// What a radio said over the whole run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WifiSummary {
    /// Networks, in the order in which they came.
    pub ssids: Vec<String>,
    /// Channels, in the order in which they came.
    pub channels: Vec<WifiChannel>,
    /// Signal of the last frame received at the end of a second, in dBm.
    pub signal_dbm: Option<SeenRange<i32>>,
    /// Rate of the last frame received at the end of a second, bits per second.
    pub rx_bps: Option<SeenRange<u64>>,
    /// Rate of the last frame sent at the end of a second, bits per second.
    pub tx_bps: Option<SeenRange<u64>>,
    /// Frames sent again.
    pub retries: Option<u64>,
    /// Frames given up.
    pub failed: Option<u64>,
    /// Beacons missed.
    pub beacon_loss: Option<u64>,
}

/// A channel that a radio used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WifiChannel {
    /// The middle of its primary channel, in MHz.
    pub frequency_mhz: u32,
    /// The primary channel's number.
    pub channel: Option<u32>,
    /// Its width, in MHz.
    pub width_mhz: Option<u32>,
}

/// What the server's kernel said of a client's connections over the whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TransportSummary {
    /// Segments with data that the server sent, those sent again included.
    pub segments: Option<u64>,
    /// Segments that it sent again.
    pub retransmits: Option<u64>,
    /// The smoothed round-trip time, second by second the median of an application's connections, in microseconds.
    pub rtt_us: Option<SeenRange<u64>>,
    /// The least round trip of any connection, in microseconds.
    pub min_rtt_us: Option<u64>,
}

/// What became of an application's operations around a roam: of those scheduled in the second in which the station left,
/// or in the one after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoamEffect {
    /// Index into the plan's clients.
    pub client: usize,
    /// Index into the client's populations.
    pub population: usize,
    /// Operations scheduled.
    pub scheduled: u64,
    /// Of these, failed, timed out or never sent.
    pub unsuccessful: u64,
    /// Of these, completed but later than the bound.
    pub late: Option<u64>,
    /// The tightest good bound of the application's goals on response time.
    pub bound: Option<Duration>,
}

impl TransportSummary {
    /// Segments sent again as a share of all that were sent; `None` where none were, or it is not known.
    #[must_use]
    pub fn retransmit_share(&self) -> Option<f64> {
        let segments = self.segments.filter(|segments| *segments > 0)?;
        // Segments at the beginning of a connection may be sent again without data, and count in one of the two only.
        Some((crate::numbers::float(self.retransmits?) / crate::numbers::float(segments)).min(1.0))
    }

    pub(super) fn take(&mut self, connections: &ConnectionsRecord) {
        add(&mut self.segments, connections.segments);
        add(&mut self.retransmits, connections.retransmits);
        widen(&mut self.rtt_us, connections.rtt_us);
        self.min_rtt_us = self.min_rtt_us.into_iter().chain(connections.min_rtt_us).min();
    }
}

impl TelemetrySummary {
    pub(super) fn take(&mut self, record: &TelemetryRecord) {
        if let Some(interface) = &record.interface {
            note(&mut self.interfaces, &interface.name);
            let sum = self.counted.get_or_insert_default();
            for (sum, n) in [
                (&mut sum.rx_bytes, interface.rx_bytes),
                (&mut sum.tx_bytes, interface.tx_bytes),
                (&mut sum.rx_packets, interface.rx_packets),
                (&mut sum.tx_packets, interface.tx_packets),
                (&mut sum.rx_errors, interface.rx_errors),
                (&mut sum.tx_errors, interface.tx_errors),
                (&mut sum.rx_dropped, interface.rx_dropped),
                (&mut sum.tx_dropped, interface.tx_dropped),
            ] {
                *sum = sum.saturating_add(n);
            }
        }
        if let Some(wifi) = &record.wifi {
            self.wifi.get_or_insert_default().take(wifi);
        }
    }
}

impl WifiSummary {
    fn take(&mut self, wifi: &WifiRecord) {
        note(&mut self.ssids, &wifi.ssid);
        let WifiRecord { frequency_mhz, channel, width_mhz, .. } = *wifi;
        note(&mut self.channels, &WifiChannel { frequency_mhz, channel, width_mhz });
        widen(&mut self.signal_dbm, wifi.signal_dbm);
        widen(&mut self.rx_bps, wifi.rx_bps);
        widen(&mut self.tx_bps, wifi.tx_bps);
        add(&mut self.retries, wifi.retries);
        add(&mut self.failed, wifi.failed);
        add(&mut self.beacon_loss, wifi.beacon_loss);
    }
}

impl RunRecord {
    /// What a client's device told of its interface and radio; `None` where it told nothing.
    #[must_use]
    pub fn telemetry_summary(&self, client: usize) -> Option<&TelemetrySummary> {
        let summary = &self.clients.get(client)?.beside.summary;
        (summary.counted.is_some() || summary.wifi.is_some()).then_some(summary)
    }

    /// What the server's kernel said of a client's connections; `None` where it said nothing.
    #[must_use]
    pub fn transport(&self, client: usize) -> Option<&TransportSummary> {
        let summary = &self.clients.get(client)?.beside.transport;
        (*summary != TransportSummary::default()).then_some(summary)
    }

    /// What became of the operations of a roaming device's clients, by application.
    #[must_use]
    pub fn effects_of(&self, roam: &RoamRecord) -> Vec<RoamEffect> {
        let device = self.devices.iter().find(|device| device.clients.contains(&roam.client));
        let clients = device.map_or_else(|| vec![roam.client], |device| device.clients.clone());
        let seconds = roam.at.second()..roam.at.second().saturating_add(2);
        let mut effects = Vec::new();
        for client in clients.into_iter().map(index) {
            let plan = self.plan().and_then(|plan| plan.clients.get(client));
            let known = self.clients.get(client).map_or(&[][..], |client| &client.applications);
            for (population, application) in known.iter().enumerate() {
                let goals = plan.and_then(|plan| plan.populations.get(population)).map_or(&[][..], |plan| &plan.goals);
                let goods = goals.iter().filter_map(|goal| match goal.bound {
                    Bound::ResponseTime { good, .. } => Some(good),
                    _ => None,
                });
                let bound = goods.min();
                let place = bound.and_then(|bound| application.bounds().iter().position(|of| *of == bound));
                let mut effect =
                    RoamEffect { client, population, scheduled: 0, unsuccessful: 0, late: place.map(|_| 0), bound };
                for (_, second) in application.seconds(seconds.clone()) {
                    effect.scheduled = effect.scheduled.saturating_add(second.happened.scheduled);
                    effect.unsuccessful = effect.unsuccessful.saturating_add(second.cohort.unsuccessful);
                    add(&mut effect.late, place.map(|place| second.cohort.over(place, super::View::Measured)));
                }
                effects.push(effect);
            }
        }
        effects
    }
}

fn add(sum: &mut Option<u64>, more: Option<u64>) {
    if let Some(more) = more {
        *sum = Some(sum.unwrap_or(0).saturating_add(more));
    }
}

fn widen<T: Copy + Ord>(range: &mut Option<SeenRange<T>>, value: Option<T>) {
    let Some(value) = value else { return };
    let range = range.get_or_insert(SeenRange { least: value, greatest: value });
    *range = SeenRange { least: range.least.min(value), greatest: range.greatest.max(value) };
}

fn note<T: Clone + PartialEq>(known: &mut Vec<T>, new: &T) {
    if known.len() < NAMES_KEPT && !known.contains(new) {
        known.push(new.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wifi(channel: u32, signal: i32, retries: Option<u64>) -> TelemetryRecord {
        let wifi = WifiRecord {
            ssid: "home".into(),
            frequency_mhz: 5000 + 5 * channel,
            channel: Some(channel),
            signal_dbm: Some(signal),
            retries,
            ..WifiRecord::default()
        };
        TelemetryRecord { wifi: Some(wifi), ..TelemetryRecord::default() }
    }

    #[test]
    fn what_was_counted_is_added_up_and_what_was_seen_is_a_range() {
        let mut summary = TelemetrySummary::default();
        for record in [wifi(36, -60, Some(3)), wifi(36, -75, None), wifi(40, -52, Some(4))] {
            summary.take(&record);
        }
        let wifi = summary.wifi.unwrap();
        assert_eq!(wifi.signal_dbm, Some(SeenRange { least: -75, greatest: -52 }));
        assert_eq!((wifi.retries, wifi.failed), (Some(7), None));
        assert_eq!(wifi.channels.iter().map(|channel| channel.frequency_mhz).collect::<Vec<_>>(), [5180, 5200]);
        assert_eq!(wifi.ssids, ["home"]);
    }

    #[test]
    fn a_share_needs_both_counts_and_something_sent() {
        let summary = |segments, retransmits| TransportSummary { segments, retransmits, ..Default::default() };
        assert_eq!(summary(Some(200), Some(5)).retransmit_share(), Some(0.025));
        assert_eq!(summary(Some(0), Some(0)).retransmit_share(), None);
        assert_eq!(summary(None, Some(1)).retransmit_share(), None);
        assert_eq!(summary(Some(1), None).retransmit_share(), None);
    }

    #[test]
    fn names_are_bounded() {
        let mut names = Vec::new();
        (0..100).for_each(|i| note(&mut names, &i));
        assert_eq!(names, [0, 1, 2, 3, 4, 5, 6, 7]);
    }
}
