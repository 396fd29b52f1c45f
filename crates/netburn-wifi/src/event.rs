//! What happens to a connection while it is watched.

use crate::MacAddress;

/// Something that the kernel told about the interface, at the moment when it happened.
///
/// A roam shows in one of two ways. Where the driver roams by itself, it is [`Roamed`](Self::Roamed). Where a program such
/// as wpa_supplicant decides and the kernel's own stack does the work, it is a [`Disconnected`](Self::Disconnected)
/// that is not by the access point, and soon after it a [`Connected`](Self::Connected) with another BSSID.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// From one access point to another without a break in between.
    Roamed {
        /// The access point that it is connected to now.
        bssid: MacAddress,
    },
    /// A connection was made.
    Connected {
        /// The access point that it is connected to now.
        bssid: MacAddress,
    },
    /// The connection ended.
    Disconnected {
        /// The reason code (IEEE 802.11-2020, 9.4.1.7), where there was one.
        reason: Option<u16>,
        /// Whether the access point ended it.
        by_ap: bool,
    },
    /// The signal fell below what a connection manager asked to be told of.
    SignalLow {
        /// The level in dBm, where the driver told it.
        dbm: Option<i32>,
    },
    /// The access point's beacons no longer arrive.
    BeaconLoss,
    /// The kernel had more to tell than we took in time, and dropped some of it: ask the [`Radio`](crate::Radio) what the
    /// interface is connected to now.
    Missed,
}
