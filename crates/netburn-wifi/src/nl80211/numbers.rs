//! The numbers of nl80211, each under the name that it has in the kernel's `include/uapi/linux/nl80211.h` (the first ones:
//! `genetlink.h`). They are part of the kernel's promise to programs and never change.

/// `GENL_ID_CTRL`: the family that knows the numbers of the others.
pub(crate) const GENL_ID_CTRL: u16 = 16;
pub(crate) const CTRL_CMD_NEWFAMILY: u8 = 1;
pub(crate) const CTRL_CMD_GETFAMILY: u8 = 3;
pub(crate) const CTRL_ATTR_FAMILY_ID: u16 = 1;
pub(crate) const CTRL_ATTR_FAMILY_NAME: u16 = 2;
pub(crate) const CTRL_ATTR_MCAST_GROUPS: u16 = 7;
pub(crate) const CTRL_ATTR_MCAST_GRP_NAME: u16 = 1;
pub(crate) const CTRL_ATTR_MCAST_GRP_ID: u16 = 2;

/// `NL80211_GENL_NAME`.
pub(crate) const FAMILY: &str = "nl80211";
/// `NL80211_MULTICAST_GROUP_MLME`: connections made, moved and ended.
pub(crate) const GROUP_MLME: &str = "mlme";

/// `enum nl80211_commands`.
pub(crate) mod command {
    pub(crate) const GET_INTERFACE: u8 = 5;
    pub(crate) const NEW_INTERFACE: u8 = 7;
    pub(crate) const GET_STATION: u8 = 17;
    pub(crate) const NEW_STATION: u8 = 19;
    pub(crate) const GET_SCAN: u8 = 32;
    pub(crate) const NEW_SCAN_RESULTS: u8 = 34;
    pub(crate) const CONNECT: u8 = 46;
    pub(crate) const ROAM: u8 = 47;
    pub(crate) const DISCONNECT: u8 = 48;
    pub(crate) const GET_POWER_SAVE: u8 = 62;
    pub(crate) const NOTIFY_CQM: u8 = 64;
}

/// `enum nl80211_attrs`: `NL80211_ATTR_…`.
pub(crate) mod attr {
    pub(crate) const IFINDEX: u16 = 3;
    pub(crate) const IFNAME: u16 = 4;
    pub(crate) const IFTYPE: u16 = 5;
    pub(crate) const MAC: u16 = 6;
    pub(crate) const STA_INFO: u16 = 21;
    pub(crate) const WIPHY_FREQ: u16 = 38;
    pub(crate) const BSS: u16 = 47;
    pub(crate) const SSID: u16 = 52;
    pub(crate) const REASON_CODE: u16 = 54;
    pub(crate) const TIMED_OUT: u16 = 65;
    pub(crate) const DISCONNECTED_BY_AP: u16 = 71;
    pub(crate) const STATUS_CODE: u16 = 72;
    pub(crate) const PS_STATE: u16 = 93;
    pub(crate) const CQM: u16 = 94;
    pub(crate) const CHANNEL_WIDTH: u16 = 159;
    pub(crate) const MLO_LINKS: u16 = 312;
}

/// `enum nl80211_iftype`: `NL80211_IFTYPE_…`.
pub(crate) mod iftype {
    pub(crate) const STATION: u32 = 2;
    pub(crate) const P2P_CLIENT: u32 = 8;
}

/// `enum nl80211_sta_info`: `NL80211_STA_INFO_…`.
pub(crate) mod sta_info {
    pub(crate) const RX_BYTES: u16 = 2;
    pub(crate) const TX_BYTES: u16 = 3;
    pub(crate) const SIGNAL: u16 = 7;
    pub(crate) const TX_BITRATE: u16 = 8;
    pub(crate) const TX_RETRIES: u16 = 11;
    pub(crate) const TX_FAILED: u16 = 12;
    pub(crate) const SIGNAL_AVG: u16 = 13;
    pub(crate) const RX_BITRATE: u16 = 14;
    pub(crate) const CONNECTED_TIME: u16 = 16;
    pub(crate) const STA_FLAGS: u16 = 17;
    pub(crate) const BEACON_LOSS: u16 = 18;
    pub(crate) const RX_BYTES64: u16 = 23;
    pub(crate) const TX_BYTES64: u16 = 24;
}

/// `enum nl80211_sta_flags`: `NL80211_STA_FLAG_…`, as bits of `struct nl80211_sta_flag_update`.
pub(crate) mod sta_flag {
    pub(crate) const TDLS_PEER: u32 = 1 << 6;
    pub(crate) const ASSOCIATED: u32 = 1 << 7;
}

/// `enum nl80211_rate_info`: `NL80211_RATE_INFO_…`.
pub(crate) mod rate_info {
    pub(crate) const BITRATE: u16 = 1;
    pub(crate) const MCS: u16 = 2;
    pub(crate) const WIDTH_40: u16 = 3;
    pub(crate) const SHORT_GI: u16 = 4;
    pub(crate) const BITRATE32: u16 = 5;
    pub(crate) const VHT_MCS: u16 = 6;
    pub(crate) const VHT_NSS: u16 = 7;
    pub(crate) const WIDTH_80: u16 = 8;
    pub(crate) const WIDTH_80P80: u16 = 9;
    pub(crate) const WIDTH_160: u16 = 10;
    pub(crate) const WIDTH_10: u16 = 11;
    pub(crate) const WIDTH_5: u16 = 12;
    pub(crate) const HE_MCS: u16 = 13;
    pub(crate) const HE_NSS: u16 = 14;
    pub(crate) const HE_GI: u16 = 15;
    pub(crate) const WIDTH_320: u16 = 18;
    pub(crate) const EHT_MCS: u16 = 19;
    pub(crate) const EHT_NSS: u16 = 20;
    pub(crate) const EHT_GI: u16 = 21;
}

/// `enum nl80211_bss`: `NL80211_BSS_…`.
pub(crate) mod bss {
    pub(crate) const BSSID: u16 = 1;
    pub(crate) const FREQUENCY: u16 = 2;
    pub(crate) const CAPABILITY: u16 = 5;
    pub(crate) const INFORMATION_ELEMENTS: u16 = 6;
    pub(crate) const STATUS: u16 = 9;
    pub(crate) const BEACON_IES: u16 = 11;
    /// `NL80211_BSS_STATUS_ASSOCIATED`.
    pub(crate) const STATUS_ASSOCIATED: u32 = 1;
}

/// `enum nl80211_attr_cqm`: `NL80211_ATTR_CQM_…`.
pub(crate) mod cqm {
    pub(crate) const RSSI_THRESHOLD_EVENT: u16 = 3;
    pub(crate) const BEACON_LOSS_EVENT: u16 = 8;
    pub(crate) const RSSI_LEVEL: u16 = 9;
    /// `NL80211_CQM_RSSI_THRESHOLD_EVENT_LOW`.
    pub(crate) const RSSI_LOW: u32 = 0;
    /// `NL80211_CQM_RSSI_BEACON_LOSS_EVENT`.
    pub(crate) const RSSI_BEACON_LOSS: u32 = 2;
}
