//! News of connections.

use super::compose::{attr, flag, generic, nested, only, u16, u32};
use crate::nl80211::event;
use crate::{Event, MacAddress};

const AP: [u8; 6] = [0x02, 0, 0, 0, 0x02, 0];
const OURS: u32 = 4;

/// News about interface 4 (`NL80211_ATTR_IFINDEX` is 3).
fn heard(command: u8, parts: &[Vec<u8>]) -> Option<Event> {
    let mut attributes = vec![u32(1, 0), u32(3, OURS)];
    attributes.extend_from_slice(parts);
    let datagram = generic(command, 0, &attributes);
    let (command, attributes) = only(&datagram);
    assert_eq!(event(command, attributes, OURS + 1), None, "it is about another interface");
    event(command, attributes, OURS)
}

#[test]
fn a_roam_names_where_it_went() {
    // NL80211_CMD_ROAM (47) with NL80211_ATTR_MAC (6)
    assert_eq!(heard(47, &[attr(6, &AP)]), Some(Event::Roamed { bssid: MacAddress(AP) }));
}

#[test]
fn a_connection_is_news_only_where_it_came_about() {
    // NL80211_CMD_CONNECT (46) with NL80211_ATTR_STATUS_CODE (72) and NL80211_ATTR_TIMED_OUT (65)
    assert_eq!(heard(46, &[attr(6, &AP), u16(72, 0)]), Some(Event::Connected { bssid: MacAddress(AP) }));
    // 17: the access point has no room
    assert_eq!(heard(46, &[attr(6, &AP), u16(72, 17)]), None);
    assert_eq!(heard(46, &[attr(6, &AP), u16(72, 0), flag(65)]), None);
    assert_eq!(heard(46, &[attr(6, &AP[..5])]), None, "an address of five octets is none");
}

#[test]
fn an_end_says_who_ended_it_and_why() {
    // NL80211_CMD_DISCONNECT (48) with NL80211_ATTR_REASON_CODE (54) and NL80211_ATTR_DISCONNECTED_BY_AP (71)
    assert_eq!(heard(48, &[u16(54, 3), flag(71)]), Some(Event::Disconnected { reason: Some(3), by_ap: true }));
    assert_eq!(heard(48, &[]), Some(Event::Disconnected { reason: None, by_ap: false }));
}

#[test]
fn a_low_signal_and_lost_beacons_are_news_and_a_good_signal_is_not() {
    // NL80211_CMD_NOTIFY_CQM (64), NL80211_ATTR_CQM (94): NL80211_ATTR_CQM_RSSI_THRESHOLD_EVENT (3; 0 low, 1 high,
    // 2 NL80211_CQM_RSSI_BEACON_LOSS_EVENT), _RSSI_LEVEL (9), _BEACON_LOSS_EVENT (8)
    let level = attr(9, &(-71_i32).to_ne_bytes());
    assert_eq!(heard(64, &[nested(94, &[u32(3, 0), level])]), Some(Event::SignalLow { dbm: Some(-71) }));
    assert_eq!(heard(64, &[nested(94, &[u32(3, 0)])]), Some(Event::SignalLow { dbm: None }));
    assert_eq!(heard(64, &[nested(94, &[u32(3, 1)])]), None);
    assert_eq!(heard(64, &[nested(94, &[u32(3, 2)])]), Some(Event::BeaconLoss));
    assert_eq!(heard(64, &[nested(94, &[flag(8)])]), Some(Event::BeaconLoss));
    assert_eq!(heard(64, &[]), None);
}

#[test]
fn steps_on_the_way_are_no_news() {
    // NL80211_CMD_NEW_STATION, _AUTHENTICATE, _ASSOCIATE, _DEAUTHENTICATE
    for command in [19, 37, 38, 39] {
        assert_eq!(heard(command, &[attr(6, &AP)]), None, "{command}");
    }
}
