//! Messages of a real kernel (Linux 6.1, `mac80211_hwsim`), as they came from the socket while a station went from an access
//! point on 2.4 GHz to one on 5 GHz. What they must say is what `iw` printed at the same time: `iw dev wlan2 link`,
//! `… station dump`, `… scan dump` and `iw event`.

use crate::netlink::{Attributes, Message, Messages};
use crate::nl80211::{AssociatedBss, Interface, Peer, event};
use crate::{Band, BitrateKind, Event, MacAddress, Station};

const AP_2GHZ: MacAddress = MacAddress([2, 0, 0, 0, 0, 0]);
const AP_5GHZ: MacAddress = MacAddress([2, 0, 0, 0, 1, 0]);

fn octets(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.bytes().filter_map(|c| char::from(c).to_digit(16)?.try_into().ok()).collect();
    digits.chunks_exact(2).map(|pair| pair.iter().fold(0, |octet, digit| octet << 4 | digit)).collect()
}

/// What `read` makes of each message.
fn each<T>(hex: &str, read: impl Fn(u8, Attributes<'_>) -> Option<T>) -> Vec<T> {
    Messages::new(&octets(hex))
        .filter_map(|message| match message {
            Message::Generic { command, attributes, .. } => read(command, attributes),
            Message::Ended { .. } => None,
        })
        .collect()
}

fn station(interface: &str, peer: &str) -> Station {
    let interface = each(interface, |_, attributes| Interface::read(attributes)).remove(0);
    let peer = each(peer, |_, attributes| Peer::read(attributes)).remove(0);
    assert!(interface.is_client && Peer::suffices(&interface));
    peer.connected_to(&interface, None).expect("a station")
}

#[test]
fn a_station_on_2_ghz_is_what_iw_says() {
    let station = station(include_str!("captured/interface_2ghz.hex"), include_str!("captured/station_ht.hex"));
    // SSID: Netburn Lab, freq: 2437, signal: -30 dBm, signal avg: -30 dBm
    assert_eq!((station.ssid.to_string().as_str(), station.bssid), ("Netburn Lab", AP_2GHZ));
    assert_eq!((station.band, station.channel, station.width_mhz), (Band::Ghz2, Some(6), Some(20)));
    assert_eq!((station.signal_dbm, station.signal_average_dbm), (Some(-30), Some(-30)));
    // rx bitrate: 19.5 MBit/s MCS 2, tx bitrate: 78.0 MBit/s MCS 12, tx retries: 0, tx failed: 0, beacon loss: 0
    let rates = [station.rx, station.tx].map(|rate| rate.map(|rate| (rate.bits_per_second, rate.kind)));
    let expected = [(19_500_000, BitrateKind::Ht { mcs: 2 }), (78_000_000, BitrateKind::Ht { mcs: 12 })];
    assert_eq!(rates, expected.map(Some));
    assert_eq!((station.tx_retries, station.tx_failed, station.beacon_loss), (Some(0), Some(0), Some(0)));
}

#[test]
fn a_station_on_5_ghz_is_what_iw_says() {
    let station = station(include_str!("captured/interface_5ghz.hex"), include_str!("captured/station_vht.hex"));
    // freq: 5180, signal: -27 dBm, rx bitrate: 6.0 MBit/s, tx bitrate: 78.0 MBit/s VHT-MCS 2 VHT-NSS 4
    assert_eq!((station.bssid, station.channel, station.width_mhz), (AP_5GHZ, Some(36), Some(80)));
    assert_eq!(station.signal_dbm, Some(-27));
    assert_eq!(station.rx.map(|rate| (rate.bits_per_second, rate.kind)), Some((6_000_000, BitrateKind::Legacy)));
    let tx = station.tx.map(|rate| (rate.bits_per_second, rate.kind));
    assert_eq!(tx, Some((78_000_000, BitrateKind::Vht { mcs: 2, streams: 4 })));
}

#[test]
fn of_two_access_points_the_one_that_it_is_connected_to_is_read() {
    let dump = include_str!("captured/access_points.hex");
    assert_eq!(each(dump, |_, _| Some(())).len(), 2);
    let mut found = each(dump, |_, attributes| AssociatedBss::read(attributes));
    assert_eq!(found.len(), 1);
    let bss = found.remove(0);
    assert_eq!((bss.bssid, bss.frequency_mhz), (AP_2GHZ, Some(2437)));
    // HT RX MCS 0-15, no secondary channel, Neighbor Report, BSS Transition, Mobility Domain; no load, no mesh.
    let beacon = bss.beacon();
    assert_eq!((beacon.channel, beacon.width_mhz, beacon.streams), (Some(6), Some(20), Some(2)));
    assert!(beacon.k && beacon.v && beacon.r.is_some() && !beacon.s);
    assert_eq!((beacon.country.as_deref(), beacon.load), (Some("DE"), None));
    let words = beacon.security.map(|security| security.to_string());
    assert_eq!(words.as_deref(), Some("WPA2-Personal (a shared password)"));
}

#[test]
fn a_roam_by_wpa_supplicant_is_an_end_and_a_beginning() {
    let index = each(include_str!("captured/interface_2ghz.hex"), |_, a| Interface::read(a)).remove(0).index;
    let heard = |hex| each(hex, |command, attributes| event(command, attributes, index));
    // wlan2 (phy #2): disconnected (local request) reason: 1: Unspecified
    let left = Event::Disconnected { reason: Some(1), by_ap: false };
    assert_eq!(heard(include_str!("captured/left.hex")), [left]);
    // wlan2 (phy #2): connected to 02:00:00:00:01:00
    assert_eq!(heard(include_str!("captured/joined.hex")), [Event::Connected { bssid: AP_5GHZ }]);
}
