//! What the kernel remembers of an access point: what `NL80211_CMD_NEW_SCAN_RESULTS` tells. Asking for it starts no scan.

use super::numbers::{attr, bss};
use crate::netlink::Attributes;
use crate::{Beacon, MacAddress};

/// The access point that the interface is associated with, and the elements that it last sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AssociatedBss {
    pub(crate) bssid: MacAddress,
    pub(crate) frequency_mhz: Option<u32>,
    capability: Option<u16>,
    elements: Vec<u8>,
    beacon_elements: Option<Vec<u8>>,
}

impl AssociatedBss {
    /// `None` where it is another network nearby.
    pub(crate) fn read(attributes: Attributes<'_>) -> Option<Self> {
        let entry = attributes.nested(attr::BSS)?;
        (entry.u32(bss::STATUS)? == bss::STATUS_ASSOCIATED).then_some(())?;
        Some(Self {
            bssid: MacAddress::from_octets(entry.value(bss::BSSID)?)?,
            frequency_mhz: entry.u32(bss::FREQUENCY),
            capability: entry.u16(bss::CAPABILITY),
            elements: entry.value(bss::INFORMATION_ELEMENTS).unwrap_or_default().to_vec(),
            beacon_elements: entry.value(bss::BEACON_IES).map(<[u8]>::to_vec),
        })
    }

    /// What it advertises. Its beacon is the freshest; its answer to a probe, which the kernel keeps beside it, still tells
    /// the name of a network that hides it in beacons.
    pub(crate) fn beacon(&self) -> Beacon {
        let parse = |elements: &[u8]| Beacon::parse(elements, self.capability);
        let answer = parse(&self.elements);
        let Some(elements) = &self.beacon_elements else {
            return answer;
        };
        let mut beacon = parse(elements);
        if beacon.ssid.as_ref().is_none_or(crate::Ssid::is_hidden) {
            beacon.ssid = answer.ssid;
        }
        beacon
    }
}
