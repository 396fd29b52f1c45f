//! What an interface is connected to.

use std::time::Duration;

use super::compose::{attr, flag, generic, i8, message, nested, only, u8, u16, u32, u64};
use crate::netlink::{Message, Messages};
use crate::nl80211::{AssociatedBss, Family, Interface, Peer};
use crate::{Band, Bitrate, BitrateKind, MacAddress, Ssid, Station};

const AP: [u8; 6] = [0x02, 0, 0, 0, 0x01, 0];

/// `NL80211_CMD_NEW_INTERFACE` (7): a station that is connected on `frequency`, with `NL80211_CHAN_WIDTH_…` `width`.
fn interface(frequency: u32, width: u32) -> Vec<u8> {
    generic(
        7,
        1,
        &[
            u32(3, 4),                // NL80211_ATTR_IFINDEX
            attr(4, b"wlan1\0"),      // NL80211_ATTR_IFNAME
            u32(1, 1),                // NL80211_ATTR_WIPHY
            u32(5, 2),                // NL80211_ATTR_IFTYPE: NL80211_IFTYPE_STATION
            u64(153, 0x1_0000_0001),  // NL80211_ATTR_WDEV
            u32(46, 5),               // NL80211_ATTR_GENERATION
            attr(52, b"netburn"),     // NL80211_ATTR_SSID
            u32(38, frequency),       // NL80211_ATTR_WIPHY_FREQ
            u32(159, width),          // NL80211_ATTR_CHANNEL_WIDTH
            u32(160, frequency + 30), // NL80211_ATTR_CENTER_FREQ1
        ],
    )
}

/// `NL80211_CMD_NEW_STATION` (19) about the access point, with these `NL80211_ATTR_STA_INFO` (21).
fn peer(info: &[Vec<u8>]) -> Vec<u8> {
    // 3: NL80211_ATTR_IFINDEX, 6: NL80211_ATTR_MAC, 46: NL80211_ATTR_GENERATION
    generic(19, 2, &[u32(3, 4), attr(6, &AP), u32(46, 9), nested(21, info)])
}

fn read_interface(datagram: &[u8]) -> Interface {
    Interface::read(only(datagram).1).expect("an interface")
}

fn read_peer(datagram: &[u8]) -> Option<Peer> {
    Peer::read(only(datagram).1)
}

/// The connection that the two messages tell of.
fn station(interface: &[u8], peer: &[u8]) -> Station {
    let interface = read_interface(interface);
    assert!(Peer::suffices(&interface));
    read_peer(peer).expect("a peer").connected_to(&interface, None).expect("a station")
}

#[test]
fn a_station_of_wifi_5_on_5_ghz_is_read_whole() {
    let rate = |mcs| {
        vec![
            u16(1, 8667), // NL80211_RATE_INFO_BITRATE, in 100 kbps
            u32(5, 8667), // NL80211_RATE_INFO_BITRATE32
            u8(6, mcs),   // NL80211_RATE_INFO_VHT_MCS
            u8(7, 2),     // NL80211_RATE_INFO_VHT_NSS
            flag(8),      // NL80211_RATE_INFO_80_MHZ_WIDTH
            flag(4),      // NL80211_RATE_INFO_SHORT_GI
        ]
    };
    // NL80211_STA_FLAG_AUTHORIZED (1), AUTHENTICATED (5) and ASSOCIATED (7) are told (mask) and set.
    let flags: u32 = 1 << 1 | 1 << 5 | 1 << 7;
    let peer = peer(&[
        u32(1, 12),                                                     // NL80211_STA_INFO_INACTIVE_TIME
        u32(2, 1_705_032_704),  // NL80211_STA_INFO_RX_BYTES: 6 000 000 000 mod 2^32
        u64(23, 6_000_000_000), // NL80211_STA_INFO_RX_BYTES64
        u32(3, 77),             // NL80211_STA_INFO_TX_BYTES
        i8(7, -52),             // NL80211_STA_INFO_SIGNAL
        i8(13, -54),            // NL80211_STA_INFO_SIGNAL_AVG
        nested(8, &rate(9)),    // NL80211_STA_INFO_TX_BITRATE
        nested(14, &rate(8)),   // NL80211_STA_INFO_RX_BITRATE
        u32(11, 31),            // NL80211_STA_INFO_TX_RETRIES
        u32(12, 2),             // NL80211_STA_INFO_TX_FAILED
        u32(16, 3_725),         // NL80211_STA_INFO_CONNECTED_TIME, in s
        u32(18, 1),             // NL80211_STA_INFO_BEACON_LOSS
        attr(17, &[flags.to_ne_bytes(), flags.to_ne_bytes()].concat()), // NL80211_STA_INFO_STA_FLAGS
    ]);
    let rate = |mcs| Bitrate {
        bits_per_second: 866_700_000,
        kind: BitrateKind::Vht { mcs, streams: 2 },
        width_mhz: 80,
        guard_interval: Some(Duration::from_nanos(400)),
    };
    let expected = Station {
        ssid: Ssid::from_octets(b"netburn").expect("short"),
        bssid: MacAddress(AP),
        frequency_mhz: 5180,
        band: Band::Ghz5,
        channel: Some(36), // (5180 − 5000) / 5
        width_mhz: Some(80),
        signal_dbm: Some(-52),
        signal_average_dbm: Some(-54),
        rx: Some(rate(8)),
        tx: Some(rate(9)),
        tx_retries: Some(31),
        tx_failed: Some(2),
        beacon_loss: Some(1),
        rx_bytes: Some(6_000_000_000),
        tx_bytes: Some(77),
        connected: Some(Duration::from_secs(3_725)),
    };
    // 3: NL80211_CHAN_WIDTH_80
    assert_eq!(station(&interface(5180, 3), &peer), expected);
}

#[test]
fn what_the_driver_does_not_tell_is_absent_not_zero() {
    // 0: NL80211_CHAN_WIDTH_20_NOHT; an empty NL80211_STA_INFO_TX_BITRATE, as before the first frame.
    let station = station(&interface(2437, 0), &peer(&[nested(8, &[])]));
    assert_eq!((station.band, station.channel, station.width_mhz), (Band::Ghz2, Some(6), Some(20)));
    assert_eq!((station.signal_dbm, station.signal_average_dbm, station.connected), (None, None, None));
    assert_eq!((station.rx, station.tx), (None, None));
    assert_eq!((station.tx_retries, station.tx_failed, station.beacon_loss), (None, None, None));
    assert_eq!((station.rx_bytes, station.tx_bytes), (None, None));
}

#[test]
fn rates_of_every_generation_are_told_apart() {
    let tx = |parts: &[Vec<u8>]| station(&interface(2412, 1), &peer(&[nested(8, parts)])).tx.expect("a rate");
    let ns = |guard| Some(Duration::from_nanos(guard));

    let legacy = tx(&[u16(1, 540), u32(5, 540)]);
    assert_eq!(legacy.kind, BitrateKind::Legacy);
    assert_eq!((legacy.bits_per_second, legacy.width_mhz, legacy.guard_interval), (54_000_000, 20, None));

    // 2: NL80211_RATE_INFO_MCS, 3: NL80211_RATE_INFO_40_MHZ_WIDTH; no NL80211_RATE_INFO_SHORT_GI: the long one.
    let ht = tx(&[u32(5, 2700), u8(2, 15), flag(3)]);
    assert_eq!((ht.kind, ht.kind.streams(), ht.width_mhz), (BitrateKind::Ht { mcs: 15 }, Some(2), 40));
    assert_eq!(ht.guard_interval, ns(800));

    // 13, 14, 15: NL80211_RATE_INFO_HE_MCS, _NSS, _GI (1: NL80211_RATE_INFO_HE_GI_1_6); 10: NL80211_RATE_INFO_160_MHZ_WIDTH
    let he = tx(&[u32(5, 22685), u8(13, 11), u8(14, 2), u8(15, 1), flag(10)]);
    assert_eq!((he.kind, he.width_mhz, he.guard_interval), (BitrateKind::He { mcs: 11, streams: 2 }, 160, ns(1_600)));

    // 19, 20, 21: NL80211_RATE_INFO_EHT_MCS, _NSS, _GI; 18: NL80211_RATE_INFO_320_MHZ_WIDTH. The rate has no 16-bit form.
    let eht = tx(&[u32(5, 57647), u8(19, 13), u8(20, 2), u8(21, 0), flag(18)]);
    assert_eq!((eht.kind, eht.width_mhz, eht.guard_interval), (BitrateKind::Eht { mcs: 13, streams: 2 }, 320, ns(800)));
    assert_eq!(eht.bits_per_second, 5_764_700_000);
}

#[test]
fn an_access_point_that_has_not_let_us_in_and_a_neighbour_on_a_direct_link_are_no_connection() {
    let with_flags =
        |told: u32, set: u32| read_peer(&peer(&[attr(17, &[told.to_ne_bytes(), set.to_ne_bytes()].concat())]));
    // Bit 5: authenticated, bit 7: associated, bit 6: TDLS peer.
    assert!(with_flags(1 << 5 | 1 << 7, 1 << 5 | 1 << 7).is_some());
    assert!(with_flags(1 << 5 | 1 << 7, 1 << 5).is_none());
    assert!(with_flags(1 << 6 | 1 << 7, 1 << 6 | 1 << 7).is_none());
    // What is not told is no refusal.
    assert!(with_flags(0, 0).is_some());
}

#[test]
fn an_interface_without_a_connection_has_neither_name_nor_channel() {
    // NL80211_ATTR_IFINDEX, _IFTYPE (3: NL80211_IFTYPE_AP)
    let interface = read_interface(&generic(7, 1, &[u32(3, 4), u32(5, 3)]));
    assert_eq!((interface.ssid, interface.frequency_mhz, interface.width_mhz), (None, None, None));
    assert!(!interface.is_client);
}

#[test]
fn a_connection_over_several_links_is_told_by_one_of_its_radios() {
    // NL80211_ATTR_MLO_LINKS (312): each link an attribute, with NL80211_ATTR_WIPHY_FREQ and _CHANNEL_WIDTH (13: 320 MHz).
    let links = nested(312, &[nested(1, &[u32(38, 5955), u32(159, 13)]), nested(2, &[u32(38, 2412)])]);
    let interface = read_interface(&generic(7, 1, &[u32(3, 4), u32(5, 2), links]));
    assert!(!Peer::suffices(&interface));
    let radio = [2, 0, 0, 0, 9, 9];
    let bss = only_bss(&entry(&radio, 5955, Some(1))).expect("associated");
    let station = read_peer(&peer(&[])).expect("a peer").connected_to(&interface, Some(&bss)).expect("a station");
    assert_eq!((station.bssid, station.band, station.width_mhz), (MacAddress(radio), Band::Ghz6, Some(320)));
    assert_eq!(station.ssid.to_string(), "home");
}

/// `NL80211_CMD_NEW_SCAN_RESULTS` (34) about one access point; status 1 is `NL80211_BSS_STATUS_ASSOCIATED`.
fn entry(bssid: &[u8; 6], frequency: u32, status: Option<u32>) -> Vec<u8> {
    let elements = b"\x00\x04home\x46\x05\x02\x00\x00\x00\x00"; // SSID; RM Enabled Capabilities: Neighbor Report
    let mut bss = vec![
        attr(1, bssid),    // NL80211_BSS_BSSID
        u32(2, frequency), // NL80211_BSS_FREQUENCY
        u16(5, 0x0011),    // NL80211_BSS_CAPABILITY: ESS, Privacy
        attr(6, elements), // NL80211_BSS_INFORMATION_ELEMENTS
        // NL80211_BSS_BEACON_IES: no name, and BSS Load of 3 stations, 255 of 255
        attr(11, b"\x00\x00\x0b\x05\x03\x00\xff\x00\x00"),
    ];
    bss.extend(status.map(|status| u32(9, status))); // NL80211_BSS_STATUS
    generic(34, 3, &[u32(46, 1), u32(3, 4), nested(47, &bss)]) // NL80211_ATTR_BSS
}

fn only_bss(datagram: &[u8]) -> Option<AssociatedBss> {
    AssociatedBss::read(only(datagram).1)
}

#[test]
fn a_hidden_name_comes_from_the_answer_to_a_probe_and_all_else_from_the_beacon() {
    let beacon = only_bss(&entry(&AP, 2412, Some(1))).expect("associated").beacon();
    assert_eq!(beacon.ssid.map(|ssid| ssid.to_string()).as_deref(), Some("home"));
    assert_eq!(beacon.load.map(|load| (load.stations, load.utilisation_255ths)), Some((3, 255)));
    assert!(!beacon.k, "the beacon has no such element");
}

#[test]
fn networks_nearby_are_not_ours() {
    assert_eq!(only_bss(&entry(&AP, 2412, None)), None);
    // 0: NL80211_BSS_STATUS_AUTHENTICATED
    assert_eq!(only_bss(&entry(&AP, 2412, Some(0))), None);
}

#[test]
fn a_list_in_several_parts_ends_with_done() {
    let mut datagram = [peer(&[i8(7, -30)]), peer(&[i8(7, -31)])].concat();
    datagram.extend(message(3, 2, &0_i32.to_ne_bytes())); // NLMSG_DONE
    let mut messages = Messages::new(&datagram);
    assert!(matches!(messages.next(), Some(Message::Generic { command: 19, sequence: 2, interrupted: false, .. })));
    assert!(matches!(messages.next(), Some(Message::Generic { command: 19, .. })));
    assert!(matches!(messages.next(), Some(Message::Ended { sequence: 2, error: None })));
    assert!(messages.next().is_none());
}

#[test]
fn a_refusal_carries_the_systems_error() {
    // NLMSG_ERROR: a negated errno (ENODEV is 19), then the request's own header.
    let refused = message(2, 7, &[(-19_i32).to_ne_bytes().as_slice(), &[0; 16]].concat());
    assert!(matches!(Messages::new(&refused).next(), Some(Message::Ended { sequence: 7, error: Some(19) })));
    let done = message(2, 7, &[0; 20]);
    assert!(matches!(Messages::new(&done).next(), Some(Message::Ended { sequence: 7, error: None })));
}

#[test]
fn the_family_tells_its_number_and_those_of_its_groups() {
    // CTRL_ATTR_FAMILY_ID (1), _NAME (2), _MCAST_GROUPS (7): a list; in it CTRL_ATTR_MCAST_GRP_ID (2) and _NAME (1).
    let groups = nested(
        7,
        &[
            nested(1, &[u32(2, 5), attr(1, b"config\0")]),
            nested(2, &[u32(2, 40), attr(1, b"mlme\0")]),
            nested(3, &[attr(1, b"torn\0")]),
        ],
    );
    let datagram = generic(1, 1, &[attr(2, b"nl80211\0"), u16(1, 0x1c), groups]);
    let family = Family::read(only(&datagram).1).expect("a family");
    assert_eq!((family.id, family.group("mlme"), family.group("torn")), (0x1c, Some(40), None));
}
