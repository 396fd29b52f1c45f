//! What a client's radio tells, second by second.

use burn_model::record::{AccessPoint, InterfaceRecord, RoamRecord, RoamSeen, TelemetryRecord, WifiRecord};
use burn_model::time::Moment;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

use super::names;

/// A station that walks about, and changes its access point once.
pub(super) struct Radio {
    client: u32,
    hostile: bool,
    random: Xoshiro256PlusPlus,
    signal: i32,
    roams_at: Option<Moment>,
}

impl Radio {
    pub(super) fn new(client: u32, hostile: bool, roams_at: Option<Moment>, seed: u64) -> Self {
        Self { client, hostile, random: Xoshiro256PlusPlus::seed_from_u64(seed), signal: -52, roams_at }
    }

    /// The roam, where it falls into this second.
    pub(super) fn roam(&mut self, second: u64) -> Option<RoamRecord> {
        let at = self.roams_at.filter(|at| at.second() == second)?;
        // Far from the one, near to the other.
        self.signal = -58;
        let (from, to) = (Some(access_point(false)), Some(access_point(true)));
        Some(RoamRecord { client: self.client, at, seen: RoamSeen::Event, from, to })
    }

    /// The second's telemetry; `received` is what the applications got.
    pub(super) fn second(&mut self, second: u64, received: u64) -> TelemetryRecord {
        // Before a roam the signal fades.
        let fades = self.roams_at.is_some_and(|at| (at.second().saturating_sub(15)..=at.second()).contains(&second));
        self.signal = (self.signal + self.step() - i32::from(fades)).clamp(-82, -38);
        let there = self.roams_at.is_some_and(|at| second >= at.second());
        let point = access_point(there);
        let frequency_mhz = point.frequency_mhz.unwrap_or_default();
        // Some 20 Mbps less for each 3 dB, more or less as drivers do.
        let fade = u64::from(self.signal.unsigned_abs().saturating_sub(38));
        let rx_bps = if there { 144_400_000 } else { 866_700_000 } / (1 + fade / 12);
        let wifi = WifiRecord {
            ssid: names::ssid(self.hostile).to_owned(),
            bssid: point.bssid,
            frequency_mhz,
            channel: Some(if there { 6 } else { 36 }),
            width_mhz: Some(if there { 20 } else { 80 }),
            signal_dbm: Some(self.signal),
            signal_average_dbm: Some(self.signal / 2 - 27),
            rx_bps: Some(rx_bps),
            rx_kind: Some("VHT-MCS 9, 2 streams".to_owned()),
            tx_bps: Some(rx_bps / 10 * 9),
            retries: Some(fade + self.random.next_u64() % 5),
            failed: Some(0),
            beacon_loss: Some(0),
            ..WifiRecord::default()
        };
        let packets = received / 1448;
        let interface = InterfaceRecord {
            name: "wlan0".to_owned(),
            rx_bytes: received + packets * 66,
            tx_bytes: packets / 2 * 66,
            rx_packets: packets,
            tx_packets: packets / 2,
            ..InterfaceRecord::default()
        };
        TelemetryRecord { client: self.client, second, interface: Some(interface), connections: None, wifi: Some(wifi) }
    }

    /// −2 to 2 dB.
    fn step(&mut self) -> i32 {
        i32::try_from(self.random.next_u64() % 5).unwrap_or_default() - 2
    }
}

fn access_point(second: bool) -> AccessPoint {
    if second {
        AccessPoint { bssid: "02:00:00:00:01:02".to_owned(), frequency_mhz: Some(2437) }
    } else {
        AccessPoint { bssid: "02:00:00:00:01:01".to_owned(), frequency_mhz: Some(5180) }
    }
}
