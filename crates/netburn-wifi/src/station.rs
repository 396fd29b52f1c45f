//! What an interface is connected to.

use std::time::Duration;

use crate::{Band, Bitrate, MacAddress, Ssid};

/// A connection to an access point, as the kernel knows it at one moment. Counters count since the connection was made;
/// what the driver does not tell is absent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Station {
    /// The network's name.
    pub ssid: Ssid,
    /// The access point's radio. On a connection over several links (Wi-Fi 7), that of one of them.
    pub bssid: MacAddress,
    /// The middle of the primary channel, in MHz (`NL80211_ATTR_WIPHY_FREQ`).
    pub frequency_mhz: u32,
    /// The band of that frequency.
    pub band: Band,
    /// The number of the primary channel.
    pub channel: Option<u32>,
    /// How wide the channel is, in MHz (`NL80211_ATTR_CHANNEL_WIDTH`).
    pub width_mhz: Option<u32>,
    /// The signal of the last frame that was received, in dBm (`NL80211_STA_INFO_SIGNAL`).
    pub signal_dbm: Option<i32>,
    /// The same, as a moving average (`NL80211_STA_INFO_SIGNAL_AVG`).
    pub signal_average_dbm: Option<i32>,
    /// The rate at which the access point's last data frame was sent to us (`NL80211_STA_INFO_RX_BITRATE`).
    pub rx: Option<Bitrate>,
    /// The rate at which we last sent (`NL80211_STA_INFO_TX_BITRATE`).
    pub tx: Option<Bitrate>,
    /// Frames that we had to send again (`NL80211_STA_INFO_TX_RETRIES`).
    pub tx_retries: Option<u64>,
    /// Frames that we gave up (`NL80211_STA_INFO_TX_FAILED`).
    pub tx_failed: Option<u64>,
    /// How often the access point's beacons stayed away (`NL80211_STA_INFO_BEACON_LOSS`).
    pub beacon_loss: Option<u64>,
    /// Bytes received, with their Wi-Fi headers (`NL80211_STA_INFO_RX_BYTES64`).
    pub rx_bytes: Option<u64>,
    /// Bytes sent, with their Wi-Fi headers (`NL80211_STA_INFO_TX_BYTES64`).
    pub tx_bytes: Option<u64>,
    /// For how long it has been connected, in whole seconds (`NL80211_STA_INFO_CONNECTED_TIME`).
    pub connected: Option<Duration>,
}
