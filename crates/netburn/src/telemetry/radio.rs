//! The radio of a Wi-Fi interface: how its connection stands once a second, and roams as they happen.

use std::time::Duration;

use burn_model::record::{AccessPoint, RoamRecord, WifiRecord};
use burn_model::time::Moment;
use netburn_wifi::{Event, Events, Radio, Station};

use super::roaming::{News, Roaming};

/// A Wi-Fi interface under watch.
#[derive(Debug)]
pub(super) struct RadioMeter {
    radio: Radio,
    /// Where the kernel tells nothing as it happens, roams show once a second all the same.
    events: Option<Events>,
    roaming: Roaming,
    before: Option<Station>,
}

impl RadioMeter {
    /// Begins to watch the interface of that name; `None` where it is no Wi-Fi interface, or cannot be asked.
    pub(super) fn open(client: u32, interface: &str, now: Moment) -> Option<Self> {
        let radio = Radio::open(interface).ok()?;
        // First the news, then the first answer: what happens in between is heard.
        let events = Events::open(interface).ok();
        let mut meter = Self { radio, events, roaming: Roaming::new(client), before: None };
        meter.before = meter.ask(now);
        Some(meter)
    }

    /// Waits for news up to `timeout`. Says whether it could: without it the caller must wait otherwise.
    pub(super) fn listen(&mut self, timeout: Duration, now: impl Fn() -> Moment) -> bool {
        let Some(events) = &mut self.events else { return false };
        match events.wait(timeout) {
            Ok(Some(event)) => {
                self.on_event(&event, now());
                true
            }
            Ok(None) => true,
            Err(_) => {
                self.events = None;
                false
            }
        }
    }

    /// How the connection stands, and what was counted since the last time; and the roams that are known by now.
    pub(super) fn take(&mut self, now: Moment) -> (Option<WifiRecord>, Vec<RoamRecord>) {
        // What has happened already is heard before the answer that shows it.
        while let Some(Ok(Some(event))) = self.events.as_mut().map(Events::next) {
            self.on_event(&event, now);
        }
        let before = self.before.take();
        self.before = self.ask(now);
        let record = self.before.as_ref().map(|station| record(station, before.as_ref()));
        (record, self.roaming.take())
    }

    /// Roams that waited for more to be known of them.
    pub(super) fn finish(self) -> Vec<RoamRecord> {
        self.roaming.finish()
    }

    fn on_event(&mut self, event: &Event, now: Moment) {
        let news = match event {
            Event::Roamed { bssid } | Event::Connected { bssid } => News::At { bssid: bssid.to_string() },
            Event::Disconnected { .. } => News::Gone,
            Event::SignalLow { .. } | Event::BeaconLoss => return,
            Event::Missed => {
                self.ask(now);
                return;
            }
        };
        self.roaming.on_news(&news, now);
        // The channel of the new access point is known as long as it is there.
        self.ask(now);
    }

    /// Asks where the station is. In the middle of a roam the kernel may not know, which is no news.
    fn ask(&mut self, now: Moment) -> Option<Station> {
        let station = self.radio.station().ok()?;
        self.roaming.on_answer(station.as_ref().map(access_point), now);
        station
    }
}

fn access_point(station: &Station) -> AccessPoint {
    AccessPoint { bssid: station.bssid.to_string(), frequency_mhz: Some(station.frequency_mhz) }
}

/// A connection's state with what it counted since `before`. Its counters count from the connection's beginning, so they
/// are absent in the second of a roam.
fn record(now: &Station, before: Option<&Station>) -> WifiRecord {
    let before = before.filter(|before| before.bssid == now.bssid);
    let counted = |counter: fn(&Station) -> Option<u64>| counter(now)?.checked_sub(counter(before?)?);
    WifiRecord {
        ssid: now.ssid.to_string(),
        bssid: now.bssid.to_string(),
        frequency_mhz: now.frequency_mhz,
        channel: now.channel,
        width_mhz: now.width_mhz,
        signal_dbm: now.signal_dbm,
        signal_average_dbm: now.signal_average_dbm,
        rx_bps: now.rx.as_ref().map(|rate| rate.bits_per_second),
        rx_kind: now.rx.as_ref().map(|rate| rate.kind.to_string()),
        tx_bps: now.tx.as_ref().map(|rate| rate.bits_per_second),
        tx_kind: now.tx.as_ref().map(|rate| rate.kind.to_string()),
        retries: counted(|station| station.tx_retries),
        failed: counted(|station| station.tx_failed),
        beacon_loss: counted(|station| station.beacon_loss),
    }
}

#[cfg(test)]
mod tests {
    use netburn_wifi::{Band, MacAddress, Ssid};

    use super::*;

    fn station(last: u8, retries: Option<u64>) -> Station {
        Station {
            ssid: Ssid::from_octets(b"home\x1b[31m").unwrap(),
            bssid: MacAddress([2, 0, 0, 0, 0, last]),
            frequency_mhz: 5180,
            band: Band::Ghz5,
            channel: Some(36),
            width_mhz: Some(80),
            signal_dbm: Some(-60),
            signal_average_dbm: None,
            rx: None,
            tx: None,
            tx_retries: retries,
            tx_failed: None,
            beacon_loss: None,
            rx_bytes: None,
            tx_bytes: None,
            connected: None,
        }
    }

    #[test]
    fn counters_are_told_as_differences_within_one_connection_only() {
        let retries = |now: &Station, before: Option<&Station>| record(now, before).retries;
        assert_eq!(retries(&station(1, Some(15)), Some(&station(1, Some(5)))), Some(10));
        assert_eq!(retries(&station(1, Some(15)), None), None, "nothing is known of the time before");
        assert_eq!(retries(&station(2, Some(15)), Some(&station(1, Some(5)))), None, "another access point");
        assert_eq!(retries(&station(1, Some(4)), Some(&station(1, Some(5)))), None, "the same one, anew");
        assert_eq!(retries(&station(1, None), Some(&station(1, Some(5)))), None);
    }

    #[test]
    fn a_name_that_could_order_a_terminal_about_is_escaped() {
        let record = record(&station(1, None), None);
        assert!(record.ssid.starts_with("home") && !record.ssid.contains('\u{1b}'), "{record:?}");
        assert_eq!(record.bssid, "02:00:00:00:00:01");
    }

    #[test]
    fn an_interface_without_a_radio_has_none() {
        assert!(RadioMeter::open(0, "lo", Moment::START).is_none());
        assert!(RadioMeter::open(0, "no such", Moment::START).is_none());
    }
}
