//! What a real 802.11 stack said (`tests/data/hwsim.txt`, which tells how it was captured), read by this crate. What is expected is not what we
//! made of it once, but how the access points were set up (`xtask/src/wifi/guest/ap-*.conf`) and what `iw` said beside.

use super::numbers::{self, command};
use super::{AssociatedBss, Family, Interface, Peer, event};
use crate::beacon::{Generation, KeyManagement, MobilityDomain, Security};
use crate::netlink::{Attributes, Message, Messages};
use crate::{Beacon, Event, MacAddress, Station};

const CAPTURED: &str = include_str!("../../tests/data/hwsim.txt");

/// hwsim's addresses: the number of the radio is the fifth octet.
const AP_24: MacAddress = MacAddress([2, 0, 0, 0, 0, 0]);
const AP_5: MacAddress = MacAddress([2, 0, 0, 0, 1, 0]);
/// `iw dev` said `ifindex 4` of wlan2.
const INDEX: u32 = 4;

/// The messages of a section, as octets.
fn section(name: &str) -> Vec<Vec<u8>> {
    let head = format!("[{name}] ");
    let rest = CAPTURED.lines().skip_while(|line| !line.starts_with(&head)).skip(1);
    let lines: Vec<&str> = rest.take_while(|line| !line.starts_with('[')).collect();
    let paragraphs = lines.split(|line| line.is_empty()).filter(|lines| !lines.is_empty());
    let octets = |lines: &[&str]| {
        let digits = lines.concat();
        (0..digits.len()).step_by(2).map(|i| u8::from_str_radix(&digits[i..i + 2], 16).unwrap()).collect()
    };
    paragraphs.map(octets).collect()
}

/// What `read` makes of each message of a section that has this command.
fn read<T>(name: &str, wanted: u8, read: impl Fn(Attributes<'_>) -> Option<T>) -> Vec<T> {
    let mut found = Vec::new();
    for octets in section(name) {
        for message in Messages::new(&octets) {
            match message {
                Message::Generic { command, attributes, .. } if command == wanted => found.extend(read(attributes)),
                other => panic!("{name} holds {other:?}"),
            }
        }
    }
    found
}

fn interface(name: &str) -> Interface {
    let mut found = read(name, command::NEW_INTERFACE, Interface::read);
    assert_eq!(found.len(), 1);
    found.remove(0)
}

fn station(place: &str) -> Station {
    let interface = interface(&format!("interface-{place}"));
    assert!(Peer::suffices(&interface));
    let mut peers = read(&format!("station-{place}"), command::NEW_STATION, Peer::read);
    assert_eq!(peers.len(), 1);
    peers.remove(0).connected_to(&interface, None).unwrap()
}

/// The one access point of a scan's list that we are associated with, and how many the list has.
fn beacon(place: &str) -> (AssociatedBss, Beacon) {
    let name = format!("scan-{place}");
    assert_eq!(section(&name).len(), 2, "both access points were heard");
    let mut found = read(&name, command::NEW_SCAN_RESULTS, AssociatedBss::read);
    assert_eq!(found.len(), 1, "associated with one of them");
    let bss = found.remove(0);
    let beacon = bss.beacon();
    (bss, beacon)
}

#[test]
fn nl80211_has_its_number_and_its_group_for_news_of_connections() {
    let octets = section("family").remove(0);
    let mut families = Vec::new();
    for message in Messages::new(&octets) {
        if let Message::Generic { command: numbers::CTRL_CMD_NEWFAMILY, attributes, .. } = message {
            families.extend(Family::read(attributes));
        }
    }
    // What answers came as (nlmsg_type=0x20), and where news came from (nl_groups=0x800: bit 11, so group 12), by strace.
    assert_eq!(families.len(), 1);
    assert_eq!(families[0].id, 0x20);
    assert_eq!(families[0].group(numbers::GROUP_MLME), Some(12));
}

#[test]
fn an_interface_has_the_channel_of_its_access_point_and_none_without_one() {
    let at = |name| {
        let Interface { index, name, is_client, ssid, frequency_mhz, width_mhz, has_links } = interface(name);
        assert_eq!((index, name.as_deref(), is_client, has_links), (INDEX, Some("wlan2"), true, false));
        (ssid.map(|ssid| ssid.octets().to_vec()), frequency_mhz, width_mhz)
    };
    let ssid = Some(b"Netburn Lab".to_vec());
    assert_eq!(at("interface-2.4"), (ssid.clone(), Some(2437), Some(20)));
    assert_eq!(at("interface-5"), (ssid, Some(5180), Some(80)));
    assert_eq!(at("interface-none"), (None, None, None));
}

#[test]
fn a_station_is_told_as_iw_told_it() {
    let (slow, fast) = (station("2.4"), station("5"));
    assert_eq!((slow.bssid, slow.frequency_mhz, slow.channel, slow.width_mhz), (AP_24, 2437, Some(6), Some(20)));
    assert_eq!((fast.bssid, fast.frequency_mhz, fast.channel, fast.width_mhz), (AP_5, 5180, Some(36), Some(80)));
    // hwsim's signal is −50 dBm and the sender's power: 20 dBm and 23 dBm on these channels (`iw dev`).
    assert_eq!((slow.signal_dbm, slow.signal_average_dbm), (Some(-30), Some(-30)));
    assert_eq!((fast.signal_dbm, fast.signal_average_dbm), (Some(-27), Some(-27)));
    // `iw dev wlan2 link`: "rx bitrate: 19.5 MBit/s VHT-MCS 0 VHT-NSS 3".
    let rate = fast.rx.unwrap();
    assert_eq!((rate.bits_per_second, rate.kind.streams()), (19_500_000, Some(3)));
    // Nothing is ever lost in hwsim.
    assert_eq!((fast.tx_retries, fast.tx_failed, fast.beacon_loss), (Some(0), Some(0), Some(0)));
}

#[test]
fn a_beacon_tells_what_hostapd_was_configured_with() {
    let (bss, slow) = beacon("2.4");
    assert_eq!((bss.bssid, bss.frequency_mhz), (AP_24, Some(2437)));
    assert_eq!((slow.channel, slow.width_mhz, slow.generation), (Some(6), Some(20), Some(Generation::Wifi4)));
    assert!(slow.k && slow.v && !slow.s);
    // hostapd takes the domain as octets, B0 B1; as a number of the element that is 0xB1B0. ft_over_ds is 1 where nothing is said.
    assert_eq!(slow.r, Some(MobilityDomain { id: 0xb1b0, over_cable: true }));
    let both = vec![KeyManagement::Psk { fast: false }, KeyManagement::Psk { fast: true }];
    assert_eq!((slow.security, slow.country.as_deref()), (Some(Security::Rsn(both)), Some("DE")));

    let (bss, fast) = beacon("5");
    assert_eq!((bss.bssid, bss.frequency_mhz), (AP_5, Some(5180)));
    assert_eq!((fast.channel, fast.width_mhz, fast.generation), (Some(36), Some(80), Some(Generation::Wifi5)));
    assert!(!fast.k && !fast.v && !fast.s && fast.r.is_none());
    let psk = vec![KeyManagement::Psk { fast: false }];
    assert_eq!((fast.security, fast.country.as_deref()), (Some(Security::Rsn(psk)), Some("DE")));
}

#[test]
fn a_roam_by_wpa_supplicant_is_a_disconnect_of_our_own_and_then_a_connect() {
    let heard = |index| {
        let mut heard = Vec::new();
        for octets in section("roam") {
            for message in Messages::new(&octets) {
                if let Message::Generic { command, attributes, .. } = message {
                    heard.extend(event(command, attributes, index));
                }
            }
        }
        heard
    };
    // `iw event`: "disconnected (local request) reason: 1: Unspecified", then "connected to 02:00:00:00:01:00"; before and
    // between them del station, deauth, new station, auth and assoc, which tell nothing more.
    assert_eq!(section("roam").len(), 7);
    let expected = [Event::Disconnected { reason: Some(1), by_ap: false }, Event::Connected { bssid: AP_5 }];
    assert_eq!(heard(INDEX), expected);
    assert_eq!(heard(INDEX + 1), []);
}
