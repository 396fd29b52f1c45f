//! News of the `mlme` group: what happens to connections.

use super::numbers::{attr, command, cqm};
use crate::netlink::Attributes;
use crate::{Event, MacAddress};

/// What a piece of news means for the interface with that index; `None` where it is about another one, or about a step
/// that changes nothing for whoever uses the connection.
pub(crate) fn event(news: u8, attributes: Attributes<'_>, index: u32) -> Option<Event> {
    if attributes.u32(attr::IFINDEX) != Some(index) {
        return None;
    }
    let bssid = || MacAddress::from_octets(attributes.value(attr::MAC)?);
    match news {
        command::ROAM => Some(Event::Roamed { bssid: bssid()? }),
        command::CONNECT => {
            // IEEE 802.11-2020, 9.4.1.9: status 0 is success. A failed attempt is told by the same command.
            let failed = attributes.has(attr::TIMED_OUT) || attributes.u16(attr::STATUS_CODE).unwrap_or(0) != 0;
            if failed { None } else { Some(Event::Connected { bssid: bssid()? }) }
        }
        command::DISCONNECT => Some(Event::Disconnected {
            reason: attributes.u16(attr::REASON_CODE),
            by_ap: attributes.has(attr::DISCONNECTED_BY_AP),
        }),
        command::NOTIFY_CQM => quality(attributes.nested(attr::CQM)?),
        _ => None,
    }
}

/// "Connection quality monitor": what somebody asked the driver to watch.
fn quality(told: Attributes<'_>) -> Option<Event> {
    if told.has(cqm::BEACON_LOSS_EVENT) {
        return Some(Event::BeaconLoss);
    }
    match told.u32(cqm::RSSI_THRESHOLD_EVENT)? {
        cqm::RSSI_LOW => Some(Event::SignalLow { dbm: told.i32(cqm::RSSI_LEVEL) }),
        cqm::RSSI_BEACON_LOSS => Some(Event::BeaconLoss),
        _ => None,
    }
}
