//! An interface: what `NL80211_CMD_NEW_INTERFACE` tells.

use super::numbers::{attr, iftype};
use crate::Ssid;
use crate::netlink::Attributes;

/// A Wi-Fi interface, as the kernel describes it. What it is not connected to, it does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Interface {
    pub(crate) index: u32,
    pub(crate) name: Option<String>,
    /// Whether it is a client, not for example an access point.
    pub(crate) is_client: bool,
    pub(crate) ssid: Option<Ssid>,
    pub(crate) frequency_mhz: Option<u32>,
    pub(crate) width_mhz: Option<u32>,
    /// Whether it is connected over links of their own (Wi-Fi 7).
    pub(crate) has_links: bool,
}

impl Interface {
    /// `None` where it has no index: a device without a network interface, such as Wi-Fi Direct's.
    pub(crate) fn read(attributes: Attributes<'_>) -> Option<Self> {
        // On a connection of several links (Wi-Fi 7), each has a channel of its own; the first one's is told.
        let link = attributes.nested(attr::MLO_LINKS).and_then(|mut links| links.next());
        let link = link.map_or(Attributes::default(), |(_, link)| Attributes::new(link));
        let channel = if attributes.has(attr::WIPHY_FREQ) { attributes } else { link };
        Some(Self {
            index: attributes.u32(attr::IFINDEX)?,
            name: attributes.text(attr::IFNAME).map(str::to_owned),
            is_client: matches!(attributes.u32(attr::IFTYPE), Some(iftype::STATION | iftype::P2P_CLIENT)),
            ssid: attributes.value(attr::SSID).and_then(Ssid::from_octets).filter(|ssid| !ssid.octets().is_empty()),
            frequency_mhz: channel.u32(attr::WIPHY_FREQ),
            width_mhz: channel.u32(attr::CHANNEL_WIDTH).and_then(width_mhz),
            has_links: attributes.has(attr::MLO_LINKS),
        })
    }
}

/// `enum nl80211_chan_width` in MHz. Both halves of 80+80 are counted.
const fn width_mhz(width: u32) -> Option<u32> {
    Some(match width {
        0 | 1 => 20, // NL80211_CHAN_WIDTH_20_NOHT, _20
        2 => 40,
        3 => 80,
        4 | 5 => 160, // _80P80, _160
        6 => 5,
        7 => 10,
        8 => 1,
        9 => 2,
        10 => 4,
        11 => 8,
        12 => 16,
        13 => 320,
        _ => return None,
    })
}
