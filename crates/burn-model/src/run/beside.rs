//! The fold of what is known beside the load: devices, telemetry, roams, control traffic, solo rates.
//!
//! Bounded memory, however many devices there are and however long they run: [`SECONDS_KEPT`] bounds what all of them
//! together keep second by second. Where that is not enough for every second, every second, fourth, eighth … one is kept.

use std::collections::BTreeMap;

use super::{Client, RunRecord, TelemetrySummary, TransportSummary, index};
use crate::record::{ControlRecord, DeviceRecord, RoamRecord, SoloRecord, TelemetryRecord};

/// Seconds of telemetry that all clients together keep: at some 500 bytes each, 128 MiB.
const SECONDS_KEPT: usize = 1 << 18;
/// A client keeps this many all the same.
const LEAST_SECONDS_KEPT: usize = 64;
/// Roams that are kept of one client. One that roams more than once a second for minutes is told from that too.
const ROAMS_KEPT: usize = 1000;

/// Seconds of a solo run that are kept: far more than tell its rate.
const SOLO_SECONDS_KEPT: usize = 3600;

/// What is known of a client beside its load.
#[derive(Clone, Debug, Default)]
pub(super) struct Beside {
    seconds: BTreeMap<u64, TelemetryRecord>,
    /// Only seconds that 2 to this power divides are kept.
    thinning: u32,
    roams: Vec<RoamRecord>,
    control: Option<ControlRecord>,
    solo: BTreeMap<u32, SoloRecord>,
    pub(super) summary: TelemetrySummary,
    pub(super) transport: TransportSummary,
}

impl RunRecord {
    /// The devices that took part, where the file tells (from format 2 on).
    #[must_use]
    pub fn devices(&self) -> &[DeviceRecord] {
        &self.devices
    }

    /// What a client's device told of its interface, its connections and its radio, by rising second. Of a long run of
    /// many clients every second, fourth, eighth … second is left.
    pub fn telemetry(&self, client: usize) -> impl Iterator<Item = &TelemetryRecord> {
        self.clients.get(client).into_iter().flat_map(|client| client.beside.seconds.values())
    }

    /// The last of it.
    #[must_use]
    pub fn latest_telemetry(&self, client: usize) -> Option<&TelemetryRecord> {
        self.clients.get(client)?.beside.seconds.values().next_back()
    }

    /// Every change of an access point, client by client, in the order in which they were told.
    pub fn roams(&self) -> impl Iterator<Item = &RoamRecord> {
        self.clients.iter().flat_map(|client| &client.beside.roams)
    }

    /// What controller and agents said to each other while the load ran.
    pub fn control_traffic(&self) -> impl Iterator<Item = &ControlRecord> {
        self.clients.iter().filter_map(|client| client.beside.control.as_ref())
    }

    /// What an application got while its client was alone, where that was measured.
    #[must_use]
    pub fn solo(&self, client: usize, population: usize) -> Option<&SoloRecord> {
        let population = u32::try_from(population).ok()?;
        self.clients.get(client)?.beside.solo.get(&population)
    }

    /// The payload of an application in each judged second, in bytes: what a solo run hands on to the joint one.
    #[must_use]
    pub fn judged_payload(&self, client: usize, population: usize) -> Vec<u64> {
        let application = self.clients.get(client).and_then(|client| client.applications.get(population));
        application.map(|application| application.payload(self.judged_window().seconds)).unwrap_or_default()
    }

    pub(super) fn take_device(&mut self, device: &DeviceRecord) {
        let known = |client: &u32| self.clients.get(index(*client)).is_some();
        if !device.clients.iter().all(known) {
            return self.strays.note("a device with clients that the plan does not have");
        }
        // As many as there are clients, each of which one device plays.
        if self.devices.len() >= self.clients.len() {
            return self.strays.note("more devices than the plan has clients");
        }
        self.devices.push(device.clone());
    }

    pub(super) fn take_telemetry(&mut self, record: &TelemetryRecord) {
        if !self.is_near(record.second) {
            return self.strays.note("telemetry far past the end of the run");
        }
        let kept = (SECONDS_KEPT / self.clients.len().max(1)).max(LEAST_SECONDS_KEPT);
        if let Some(Client { beside, .. }) = self.client(record.client, "telemetry") {
            beside.take(record, kept);
        }
    }

    pub(super) fn take_roam(&mut self, roam: &RoamRecord) {
        let Some(Client { beside, .. }) = self.client(roam.client, "a roam") else { return };
        if beside.roams.len() < ROAMS_KEPT {
            beside.roams.push(roam.clone());
        }
    }

    pub(super) fn take_control(&mut self, control: &ControlRecord) {
        if let Some(Client { beside, .. }) = self.client(control.client, "control traffic") {
            beside.control = Some(*control);
        }
    }

    pub(super) fn take_solo(&mut self, solo: &SoloRecord) {
        let Some(Client { applications, beside, .. }) = self.client(solo.client, "a solo rate") else { return };
        if index(solo.population) < applications.len() {
            let mut solo = solo.clone();
            solo.bytes_by_second.truncate(SOLO_SECONDS_KEPT);
            beside.solo.insert(solo.population, solo);
        } else {
            self.strays.note("a solo rate of an application that the plan does not have");
        }
    }
}

impl Beside {
    /// Completes what is known of a second. Never keeps more than `most` seconds.
    fn take(&mut self, record: &TelemetryRecord, most: usize) {
        self.summary.take(record);
        if !is_kept(record.second, self.thinning) {
            return;
        }
        let second = self.seconds.entry(record.second).or_insert_with(|| TelemetryRecord {
            client: record.client,
            second: record.second,
            ..Default::default()
        });
        second.interface = record.interface.clone().or_else(|| second.interface.take());
        second.connections = record.connections.or(second.connections);
        second.wifi = record.wifi.clone().or_else(|| second.wifi.take());
        while self.seconds.len() > most {
            self.thinning += 1;
            let thinning = self.thinning;
            self.seconds.retain(|second, _| is_kept(*second, thinning));
        }
    }
}

const fn is_kept(second: u64, thinning: u32) -> bool {
    second.trailing_zeros() >= thinning
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{ConnectionsRecord, InterfaceRecord};

    fn of_second(second: u64) -> TelemetryRecord {
        TelemetryRecord { second, ..TelemetryRecord::default() }
    }

    #[test]
    fn what_several_tell_of_a_second_makes_one() {
        let mut beside = Beside::default();
        let interface = InterfaceRecord { name: "eth0".into(), rx_bytes: 7, ..InterfaceRecord::default() };
        let connections = ConnectionsRecord { open: 2, sampled: 2, ..ConnectionsRecord::default() };
        beside.take(&TelemetryRecord { interface: Some(interface.clone()), ..of_second(4) }, 10);
        beside.take(&TelemetryRecord { connections: Some(connections), ..of_second(4) }, 10);
        let both = TelemetryRecord { interface: Some(interface), connections: Some(connections), ..of_second(4) };
        assert_eq!(beside.seconds.into_values().collect::<Vec<_>>(), [both]);
    }

    #[test]
    fn of_more_seconds_than_there_is_room_for_every_second_one_is_kept_and_then_every_fourth() {
        let mut beside = Beside::default();
        (0..=4).for_each(|second| beside.take(&of_second(second), 4));
        // The fifth found no room: 1 and 3 went.
        assert_eq!(beside.seconds.keys().copied().collect::<Vec<_>>(), [0, 2, 4]);
        (5..=8).for_each(|second| beside.take(&of_second(second), 4));
        // 6 was the fourth, 8 would have been the fifth: 2 and 6 went.
        assert_eq!(beside.seconds.keys().copied().collect::<Vec<_>>(), [0, 4, 8]);
        beside.take(&of_second(u64::MAX), 4);
        beside.take(&of_second(1 << 63), 1);
        // With room for one, only second 0 is left: every power of two divides it.
        assert_eq!(beside.seconds.len(), 1);
    }
}
