//! The other end of a connection: what `NL80211_CMD_NEW_STATION` tells. On a client, that is its access point.

use std::time::Duration;

use super::numbers::{attr, sta_flag, sta_info};
use super::rate::bitrate;
use super::{AssociatedBss, Interface};
use crate::netlink::Attributes;
use crate::{Band, Bitrate, MacAddress, Station, channel_number};

/// The access point, and what passed between it and us.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Peer {
    address: MacAddress,
    signal_dbm: Option<i32>,
    signal_average_dbm: Option<i32>,
    rx: Option<Bitrate>,
    tx: Option<Bitrate>,
    tx_retries: Option<u64>,
    tx_failed: Option<u64>,
    beacon_loss: Option<u64>,
    rx_bytes: Option<u64>,
    tx_bytes: Option<u64>,
    connected: Option<Duration>,
}

impl Peer {
    /// `None` where it is not what the interface is connected to: a neighbour on a direct link (TDLS), or an access point
    /// that has not let us in yet.
    pub(crate) fn read(attributes: Attributes<'_>) -> Option<Self> {
        let info = attributes.nested(attr::STA_INFO).unwrap_or_default();
        if info.value(sta_info::STA_FLAGS).is_some_and(|flags| !is_our_access_point(flags)) {
            return None;
        }
        let rate = |kind| info.nested(kind).and_then(bitrate);
        let count = |kind| info.u32(kind).map(u64::from);
        Some(Self {
            address: MacAddress::from_octets(attributes.value(attr::MAC)?)?,
            signal_dbm: info.i8(sta_info::SIGNAL).map(i32::from),
            signal_average_dbm: info.i8(sta_info::SIGNAL_AVG).map(i32::from),
            rx: rate(sta_info::RX_BITRATE),
            tx: rate(sta_info::TX_BITRATE),
            tx_retries: count(sta_info::TX_RETRIES),
            tx_failed: count(sta_info::TX_FAILED),
            beacon_loss: count(sta_info::BEACON_LOSS),
            // The small counters wrap at 4 GiB, and are told beside the large ones.
            rx_bytes: info.u64(sta_info::RX_BYTES64).or_else(|| count(sta_info::RX_BYTES)),
            tx_bytes: info.u64(sta_info::TX_BYTES64).or_else(|| count(sta_info::TX_BYTES)),
            connected: info.u32(sta_info::CONNECTED_TIME).map(|seconds| Duration::from_secs(seconds.into())),
        })
    }

    /// Whether interface and peer alone say where the connection is; otherwise the access point's own entry must. With
    /// several links (Wi-Fi 7) the peer's address is that of the whole access point, not of a radio.
    pub(crate) const fn suffices(interface: &Interface) -> bool {
        interface.ssid.is_some() && interface.frequency_mhz.is_some() && !interface.has_links
    }

    /// All that is known of the connection. `None` where nothing tells its channel.
    pub(crate) fn connected_to(self, interface: &Interface, bss: Option<&AssociatedBss>) -> Option<Station> {
        let frequency_mhz = bss.and_then(|bss| bss.frequency_mhz).or(interface.frequency_mhz)?;
        let advertised = || bss.and_then(|bss| bss.beacon().ssid);
        Some(Station {
            ssid: interface.ssid.clone().or_else(advertised).unwrap_or_default(),
            bssid: bss.map_or(self.address, |bss| bss.bssid),
            frequency_mhz,
            band: Band::of(frequency_mhz),
            channel: channel_number(frequency_mhz),
            width_mhz: interface.width_mhz,
            signal_dbm: self.signal_dbm,
            signal_average_dbm: self.signal_average_dbm,
            rx: self.rx,
            tx: self.tx,
            tx_retries: self.tx_retries,
            tx_failed: self.tx_failed,
            beacon_loss: self.beacon_loss,
            rx_bytes: self.rx_bytes,
            tx_bytes: self.tx_bytes,
            connected: self.connected,
        })
    }
}

/// `struct nl80211_sta_flag_update`: which flags are told, then which of those are set.
fn is_our_access_point(flags: &[u8]) -> bool {
    let Some((told, set)) =
        flags.split_first_chunk::<4>().and_then(|(told, rest)| Some((told, rest.first_chunk::<4>()?)))
    else {
        return true;
    };
    let (told, set) = (u32::from_ne_bytes(*told), u32::from_ne_bytes(*set));
    let is = |flag: u32| told & flag != 0 && set & flag != 0;
    let is_not = |flag: u32| told & flag != 0 && set & flag == 0;
    !is(sta_flag::TDLS_PEER) && !is_not(sta_flag::ASSOCIATED)
}
