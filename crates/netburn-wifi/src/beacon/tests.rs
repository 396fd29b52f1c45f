//! Elements as access points send them, composed by hand: number, length, value.

use proptest::collection::vec;
use proptest::prelude::{any, proptest};

use super::{Beacon, BssLoad, Generation, KeyManagement, MobilityDomain, Security};

fn element(number: u8, value: &[u8]) -> Vec<u8> {
    [&[number, u8::try_from(value.len()).expect("short")], value].concat()
}

fn extended(number: u8, value: &[u8]) -> Vec<u8> {
    element(255, &[&[number], value].concat())
}

fn parse(elements: &[Vec<u8>]) -> Beacon {
    Beacon::parse(&elements.concat(), None)
}

/// HT Capabilities (45) of 26 octets with a whole octet of schemes for each stream.
fn ht(streams: usize) -> Vec<u8> {
    let mut value = [0; 26];
    value.iter_mut().skip(3).take(streams).for_each(|octet| *octet = 0xff);
    element(45, &value)
}

/// VHT Capabilities (191): information (4), receive map (2), highest rate (2), the same for sending.
fn vht(map: u16) -> Vec<u8> {
    element(191, &[&[0; 4][..], &map.to_le_bytes(), &[0; 6]].concat())
}

#[test]
fn an_access_point_of_wifi_4_tells_name_channel_width_and_streams() {
    // HT Operation (61): primary channel 6, then bits: second 20 MHz above (1), any width (4).
    let operation = element(61, &[&[6, 0b101][..], &[0; 20]].concat());
    let beacon = parse(&[element(0, b"home"), element(3, &[6]), ht(2), operation]);
    assert_eq!(beacon.ssid.map(|ssid| ssid.to_string()).as_deref(), Some("home"));
    assert_eq!((beacon.channel, beacon.width_mhz, beacon.streams), (Some(6), Some(40), Some(2)));
    assert_eq!(beacon.generation, Some(Generation::Wifi4));
}

#[test]
fn forty_megahertz_are_used_only_where_both_bits_say_so() {
    let width = |bits| parse(&[element(61, &[&[36, bits][..], &[0; 20]].concat())]).width_mhz;
    assert_eq!([0b000, 0b001, 0b100, 0b101, 0b111].map(width), [20, 20, 20, 40, 40].map(Some));
}

#[test]
fn widths_of_wifi_5_come_from_the_middles_of_its_segments() {
    let ht_operation = || element(61, &[&[36, 0b101][..], &[0; 20]].concat());
    let width = |value: [u8; 5]| parse(&[ht_operation(), element(192, &value)]).width_mhz;
    // Width, first middle, second middle, basic rates (2). 36..64 has its middle at 50: 42 and 50 are 8 apart.
    assert_eq!(width([0, 0, 0, 0, 0]), Some(40), "as HT says");
    assert_eq!(width([1, 42, 0, 0, 0]), Some(80));
    assert_eq!(width([1, 42, 50, 0, 0]), Some(160));
    assert_eq!(width([1, 42, 155, 0, 0]), Some(160), "80+80");
    assert_eq!(width([2, 50, 0, 0, 0]), Some(160), "the old way");
}

#[test]
fn streams_are_counted_from_the_map_of_each_generation() {
    // Two bits a stream, 3 is "not": streams 1 and 2 with schemes to 9 (2), the others not: 1111 1111 1111 1010.
    assert_eq!(parse(&[vht(0xfffa)]).streams, Some(2));
    // Streams 1 to 4: 1111 1111 1010 1010.
    assert_eq!(parse(&[ht(3), vht(0xffaa)]).streams, Some(4));
    assert_eq!(parse(&[vht(0xffff)]).streams, None, "none at all is not told as zero");

    // HE Capabilities (35): MAC (6), PHY (11), receive map, send map.
    let he = extended(35, &[&[0; 17][..], &0xfffa_u16.to_le_bytes(), &0xfffa_u16.to_le_bytes()].concat());
    let beacon = parse(&[vht(0xfffe), he]);
    assert_eq!((beacon.streams, beacon.generation), (Some(2), Some(Generation::Wifi6)));

    // EHT Capabilities (108): MAC (2), PHY (9), then receive (low) and send (high) streams.
    let eht = extended(108, &[&[0; 11][..], &[0x43, 0x43, 0x43]].concat());
    let beacon = parse(&[eht]);
    assert_eq!((beacon.streams, beacon.generation), (Some(3), Some(Generation::Wifi7)));
}

#[test]
fn on_6_ghz_channel_and_width_stand_in_the_operation_of_wifi_6_or_7() {
    // HE Operation (36): parameters with bit 17 (6 GHz information), colour, basic rates (2), then primary channel 37,
    // control 3 (160 MHz), two middles, lowest rate.
    let he = extended(36, &[0, 0, 0b10, 0, 0, 0, 37, 3, 39, 47, 6]);
    let beacon = parse(std::slice::from_ref(&he));
    assert_eq!((beacon.channel, beacon.width_mhz), (Some(37), Some(160)));

    // With bits 14 and 15 there are 3 + 1 octets before it.
    let behind = extended(36, &[0, 0b1100_0000, 0b10, 0, 0, 0, 9, 9, 9, 9, 37, 2, 39, 0, 6]);
    assert_eq!(parse(&[behind]).width_mhz, Some(80));

    // EHT Operation (106): parameters with bit 0 (information is there), basic rates (4), control 4 (320 MHz), two middles.
    let eht = extended(106, &[1, 0, 0, 0, 0, 4, 47, 31]);
    assert_eq!(parse(&[he.clone(), eht]).width_mhz, Some(320));
    let without = extended(106, &[0, 0, 0, 0, 0, 4, 47, 31]);
    assert_eq!(parse(&[he, without]).width_mhz, Some(160));
}

#[test]
fn what_helps_roaming_is_read_from_its_bits() {
    // RM Enabled Capabilities (70), bit 1. Extended Capabilities (127), bit 19: octet 2, bit 3. Mobility Domain (54).
    let on = parse(&[element(70, &[2, 0, 0, 0, 0]), element(127, &[0, 0, 8]), element(54, &[0x34, 0x12, 1])]);
    assert!(on.k && on.v && !on.s);
    assert_eq!(on.r, Some(MobilityDomain { id: 0x1234, over_cable: true }));

    let others = parse(&[element(70, &[0xfd, 0xff, 0, 0, 0]), element(127, &[0xff, 0xff, 0xf7]), element(54, &[1, 2])]);
    assert!(!others.k && !others.v, "all bits but those");
    assert_eq!(others.r, None, "cut short");
    assert!(!parse(&[element(127, &[0xff, 0xff])]).v, "the field ends before its bit");

    // Mesh Configuration (113), Mesh ID (114), which may be empty.
    assert!(parse(&[element(113, &[0; 7])]).s && parse(&[element(114, &[])]).s);
}

#[test]
fn ways_to_agree_on_keys_are_told_in_words() {
    // RSN (48): version 1, group cipher CCMP; one pairwise cipher, CCMP; key managements PSK (2), SAE (8), FT-PSK (4).
    let ccmp = [0x00, 0x0f, 0xac, 4];
    let rsn = |ways: &[[u8; 4]]| {
        let count = u8::try_from(ways.len()).expect("few");
        element(48, &[&[1, 0], &ccmp[..], &[1, 0], &ccmp[..], &[count, 0], &ways.concat(), &[0, 0]].concat())
    };
    let beacon = parse(&[rsn(&[[0x00, 0x0f, 0xac, 2], [0x00, 0x0f, 0xac, 8], [0x00, 0x0f, 0xac, 4]])]);
    let ways =
        [KeyManagement::Psk { fast: false }, KeyManagement::Sae { fast: false }, KeyManagement::Psk { fast: true }];
    assert_eq!(beacon.security.clone(), Some(Security::Rsn(ways.to_vec())));
    let words = beacon.security.map(|security| security.to_string());
    assert_eq!(words.as_deref(), Some("WPA2-Personal (a shared password) or WPA3-Personal (SAE)"));
    let words = parse(&[rsn(&[[0x00, 0x0f, 0xac, 8]])]).security.map(|security| security.to_string());
    assert_eq!(words.as_deref(), Some("WPA3-Personal (SAE)"));
    // A count of more than there are: encrypted, and no more is known.
    let torn = element(48, &[&[1, 0], &ccmp[..], &[255, 255], &ccmp[..]].concat());
    assert_eq!(parse(&[torn]).security, Some(Security::Rsn(Vec::new())));
}

#[test]
fn without_an_rsn_the_privacy_bit_tells_wep_from_open() {
    // Capability: bit 0 ESS, bit 4 Privacy.
    assert_eq!(Beacon::parse(&[], Some(0x0001)).security, Some(Security::Open));
    assert_eq!(Beacon::parse(&[], Some(0x0011)).security, Some(Security::Wep));
    assert_eq!(Beacon::parse(&[], None).security, None);
    let wpa1 = element(221, &[0x00, 0x50, 0xf2, 1, 1, 0]);
    assert_eq!(Beacon::parse(&wpa1, Some(0x0011)).security, Some(Security::Wpa1));
}

#[test]
fn country_and_load_are_told_where_they_are() {
    let beacon = parse(&[element(7, b"DE \x01\x0d\x14"), element(11, &[12, 1, 51, 0, 0])]);
    // 12 + 1 × 256 stations.
    assert_eq!(beacon.load, Some(BssLoad { stations: 268, utilisation_255ths: 51 }));
    assert_eq!(beacon.country.as_deref(), Some("DE"));
    assert_eq!(parse(&[element(7, b"\x1b[2"), element(11, &[1, 0, 51])]), Beacon::default());
}

#[test]
fn an_element_that_is_cut_short_ends_the_list() {
    let mut elements = element(0, b"home");
    elements.extend([70, 5, 2]);
    let beacon = Beacon::parse(&elements, None);
    assert!(beacon.ssid.is_some() && !beacon.k);
}

proptest! {
    #[test]
    fn any_octets_are_read_to_their_end(octets in vec(any::<u8>(), 0..600), capability in any::<Option<u16>>()) {
        let beacon = Beacon::parse(&octets, capability);
        let _ = beacon.security.map(|security| security.to_string());
    }

    #[test]
    fn elements_of_known_numbers_with_any_values_are_read(
        parts in vec((proptest::sample::select(KNOWN.to_vec()), vec(any::<u8>(), 0..40)), 0..20),
        extended_parts in vec((proptest::sample::select(vec![35_u8, 36, 106, 108]), vec(any::<u8>(), 0..40)), 0..6),
    ) {
        let mut elements: Vec<_> = parts.iter().map(|(number, value)| element(*number, value)).collect();
        elements.extend(extended_parts.iter().map(|(number, value)| extended(*number, value)));
        let beacon = parse(&elements);
        proptest::prop_assert!(beacon.streams.is_none_or(|streams| (1..=8).contains(&streams)));
        proptest::prop_assert!(beacon.width_mhz.is_none_or(|width| [20, 40, 80, 160, 320].contains(&width)));
    }
}

const KNOWN: [u8; 15] = [0, 3, 7, 11, 45, 48, 54, 61, 70, 113, 114, 127, 191, 192, 221];
