//! A connection, in words.

use std::time::Duration;

use netburn_wifi::Station;
use netburn_wifi::beacon::{Beacon, BssLoad};

use super::layout::{paragraph, row};
use super::{Seen, meaning};

/// All that is known of one interface's connection.
pub(super) fn text(seen: &Seen) -> String {
    let Some(station) = &seen.station else {
        return format!("{} is not connected to any network.", seen.interface);
    };
    let mut lines = vec![heading(&seen.interface, station)];
    lines.extend(link(station));
    match &seen.beacon {
        Some(beacon) => {
            lines.push("\nIts access point says".to_owned());
            lines.extend(advertised(beacon));
            lines.push("\nFor roaming".to_owned());
            lines.extend(meaning::amendments(beacon).iter().map(|(name, on, means)| {
                let on = if *on { "on: " } else { "off: " };
                row(name, &format!("{on}{means}"))
            }));
        }
        None => lines
            .push(paragraph("\nThe kernel keeps no beacon of its access point; nothing is known of what it offers.")),
    }
    lines.join("\n")
}

fn heading(interface: &str, station: &Station) -> String {
    let network = if station.ssid.is_hidden() { "a hidden network".to_owned() } else { format!("'{}'", station.ssid) };
    let since = station.connected.map(|time| format!(" for {}", words_of(time))).unwrap_or_default();
    paragraph(&format!("{interface} is connected to {network}{since}"))
}

/// A time as a person says it: its two largest parts.
fn words_of(time: Duration) -> String {
    let seconds = time.as_secs();
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, minutes) => format!("{minutes} min {} s", seconds % 60),
        (0, hours, minutes) => format!("{hours} h {minutes} min"),
        (days, hours, _) => format!("{days} d {hours} h"),
    }
}

fn link(station: &Station) -> Vec<String> {
    let mut rows = vec![row("access point", &station.bssid.to_string())];
    let channel = station.channel.map(|channel| format!("{channel}, ")).unwrap_or_default();
    let width = station.width_mhz.map(|width| format!(", {width} MHz wide")).unwrap_or_default();
    let means = meaning::band(station.band);
    rows.push(row("band", &format!("{} ({means})", station.band)));
    rows.push(row("channel", &format!("{channel}{} MHz{width}", station.frequency_mhz)));
    if let Some(dbm) = station.signal_average_dbm.or(station.signal_dbm) {
        let last = station.signal_dbm.filter(|last| *last != dbm).map(|last| format!(", last frame {last} dBm"));
        rows.push(row("signal", &format!("{dbm} dBm{}: {}", last.unwrap_or_default(), meaning::signal(dbm))));
    }
    rows.extend(station.rx.as_ref().map(|rate| row("receives at", &rate.to_string())));
    rows.extend(station.tx.as_ref().map(|rate| row("sends at", &rate.to_string())));
    if station.rx.is_some() || station.tx.is_some() {
        rows.push(row("", "on the air, for the last frame; applications get about half"));
    }
    let counters =
        [("repeated", station.tx_retries), ("given up", station.tx_failed), ("beacons lost", station.beacon_loss)];
    let told: Vec<String> =
        counters.iter().filter_map(|(name, count)| count.map(|count| format!("{count} {name}"))).collect();
    if !told.is_empty() {
        rows.push(row("frames", &format!("{} since it was connected", told.join(", "))));
    }
    rows
}

fn advertised(beacon: &Beacon) -> Vec<String> {
    let mut rows = Vec::new();
    rows.extend(beacon.generation.map(|generation| row("speaks", generation.words())));
    rows.extend(beacon.streams.map(|n| {
        let plural = if n == 1 { "" } else { "s" };
        row("streams", &format!("{n} ({n}×{n}:{n}): up to {n} stream{plural} at once with a device that has as many"))
    }));
    rows.extend(beacon.width_mhz.map(|width| row("width", &format!("{width} MHz"))));
    rows.extend(beacon.security.as_ref().map(|security| row("security", &security.to_string())));
    rows.extend(beacon.country.as_ref().map(|country| row("country", country)));
    rows.extend(beacon.load.map(|load| row("load", &load_words(load))));
    rows
}

fn load_words(load: BssLoad) -> String {
    let devices = if load.stations == 1 { "device" } else { "devices" };
    // IEEE 802.11-2020, 9.4.2.27: 255 is all of the time.
    let percent = (u32::from(load.utilisation_255ths) * 100 + 127) / 255;
    format!("{} {devices} connected, channel busy {percent} % of the time", load.stations)
}

#[cfg(test)]
mod tests {
    use netburn_wifi::beacon::MobilityDomain;
    use netburn_wifi::{Band, Bitrate, BitrateKind, MacAddress, Ssid};

    use super::*;

    fn connected() -> Seen {
        let rate = Bitrate {
            bits_per_second: 866_700_000,
            kind: BitrateKind::Vht { mcs: 9, streams: 2 },
            width_mhz: 80,
            guard_interval: Some(Duration::from_nanos(400)),
        };
        let station = Station {
            ssid: Ssid::from_octets(b"home\x1b[2J").unwrap(),
            bssid: MacAddress([2, 0, 0, 0, 0, 1]),
            frequency_mhz: 5180,
            band: Band::Ghz5,
            channel: Some(36),
            width_mhz: Some(80),
            signal_dbm: Some(-58),
            signal_average_dbm: Some(-67),
            rx: Some(rate),
            tx: None,
            tx_retries: Some(7),
            tx_failed: None,
            beacon_loss: Some(0),
            rx_bytes: None,
            tx_bytes: None,
            connected: Some(Duration::from_secs(3_725)),
        };
        let r = Some(MobilityDomain { id: 0x1234, over_cable: false });
        // 51 of 255 is a fifth.
        let load = Some(BssLoad { stations: 1, utilisation_255ths: 51 });
        let beacon = Beacon { streams: Some(2), k: true, r, load, ..Beacon::default() };
        Seen { interface: "wlan0".into(), station: Some(station), beacon: Some(beacon) }
    }

    #[test]
    fn a_connection_is_told_in_words_within_80_columns() {
        let text = text(&connected());
        for part in [
            // 3725 s = 1 h 2 min 5 s.
            "wlan0 is connected to 'home\\u{1b}[2J' for 1 h 2 min",
            "36, 5180 MHz, 80 MHz wide",
            "-67 dBm, last frame -58 dBm: good",
            "866.7 Mbps, VHT MCS 9, 2 streams, 80 MHz, guard 0.4 µs",
            "7 repeated, 0 beacons lost since",
            "2 (2×2:2)",
            "1 device connected, channel busy 20 % of the time",
            "802.11k       on: ",
            "802.11v       off: ",
            "802.11r       on: ",
            "802.11s       off: ",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }

    #[test]
    fn what_is_not_known_is_not_told() {
        let text = text(&connected());
        for part in ["sends at", "given up", "security", "country", "speaks", "None"] {
            assert!(!text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn an_interface_without_a_connection_is_one_sentence() {
        let seen = Seen { interface: "wlan0".into(), station: None, beacon: None };
        assert_eq!(text(&seen), "wlan0 is not connected to any network.");
    }
}
