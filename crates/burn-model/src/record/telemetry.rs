//! What a device's interface, connections and radio did beside the load, second by second.
//!
//! None of it enters a verdict; it is there to explain one. Counters are of what happened within the second; where a
//! counter ran back, was not to be read, or the interface became another one, the figure is absent. Definitions and limits
//! of each figure: docs/METHOD.md.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::time::{Moment, as_nanos};

/// One device of a run: an agent, and the clients that it plays.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceRecord {
    /// What the scenario calls it.
    pub name: String,
    /// How it is reached, for people: `local`, `lab 5ghz`, `ssh me@tv-room`, `join`.
    pub via: String,
    /// Indexes into the plan's clients.
    pub clients: Vec<u32>,
}

/// A second of a device, as far as its agent could see. Several records of one client and second complete each other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TelemetryRecord {
    /// Index into the plan's clients: for interface and radio the device's first one, for connections the one that holds
    /// them.
    pub client: u32,
    /// The second of the run.
    pub second: u64,
    /// The interface towards the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interface: Option<InterfaceRecord>,
    /// The client's connections to the server, as the client's own kernel sees them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connections: Option<ConnectionsRecord>,
    /// The radio, where the interface has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wifi: Option<WifiRecord>,
}

/// Counters of a network interface within one second, as the kernel counts them (`/sys/class/net/NAME/statistics`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InterfaceRecord {
    /// The interface's name.
    pub name: String,
    /// Bytes received, with link headers.
    pub rx_bytes: u64,
    /// Bytes sent, with link headers.
    pub tx_bytes: u64,
    /// Packets received.
    pub rx_packets: u64,
    /// Packets sent.
    pub tx_packets: u64,
    /// Packets received broken.
    pub rx_errors: u64,
    /// Packets that could not be sent.
    pub tx_errors: u64,
    /// Packets received whole and thrown away on this host.
    pub rx_dropped: u64,
    /// Packets thrown away on this host before they were sent.
    pub tx_dropped: u64,
}

/// What one end's kernel says of some TCP connections (`TCP_INFO`) at the end of a second.
///
/// Round-trip times and the window are known only to the end that sends: at the server they tell of the way down, at
/// a client of its small requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConnectionsRecord {
    /// Connections open.
    pub open: u32,
    /// Of these, how many were asked; the figures are theirs.
    pub sampled: u32,
    /// The smoothed round-trip time (`tcpi_rtt`): the median of the connections, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rtt_us: Option<u64>,
    /// The greatest of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_rtt_us: Option<u64>,
    /// The least round trip that any of the connections has seen lately (`tcpi_min_rtt`), in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_rtt_us: Option<u64>,
    /// The receiver's estimate of the round-trip time (`tcpi_rcv_rtt`): the median, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receiver_rtt_us: Option<u64>,
    /// Segments with data sent within the second (`tcpi_data_segs_out`), those sent again included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub segments: Option<u64>,
    /// Segments sent again within the second (`tcpi_total_retrans`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retransmits: Option<u64>,
    /// How fast one connection's data was delivered most recently (`tcpi_delivery_rate`): the median, bits per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delivery_rate_bps: Option<u64>,
    /// The congestion window (`tcpi_snd_cwnd`): the median, in segments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwnd: Option<u64>,
}

/// What a station's radio says of its access point.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WifiRecord {
    /// The network's name, with whatever a terminal could take for an order escaped.
    pub ssid: String,
    /// The access point's own address.
    pub bssid: String,
    /// Middle of the primary channel, in MHz.
    pub frequency_mhz: u32,
    /// The primary channel's number in its band.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<u32>,
    /// Width of the channel in use, in MHz.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width_mhz: Option<u32>,
    /// Strength of the last frame received, in dBm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal_dbm: Option<i32>,
    /// The driver's moving average of it, in dBm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal_average_dbm: Option<i32>,
    /// The rate of the last frame received, bits per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rx_bps: Option<u64>,
    /// What kind of rate that is: `HE-MCS 9, 2 streams`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rx_kind: Option<String>,
    /// The rate of the last frame sent, bits per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tx_bps: Option<u64>,
    /// What kind of rate that is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tx_kind: Option<String>,
    /// Frames that were sent again within the second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retries: Option<u64>,
    /// Frames given up within the second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<u64>,
    /// Times that the access point's beacons were missed within the second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beacon_loss: Option<u64>,
}

/// A station went from one access point to another, or lost its own, or found one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoamRecord {
    /// Index into the plan's clients: the device's first.
    pub client: u32,
    /// When it was seen.
    pub at: Moment,
    /// How.
    pub seen: RoamSeen,
    /// Where it was; absent: at none.
    pub from: Option<AccessPoint>,
    /// Where it is; absent: at none.
    pub to: Option<AccessPoint>,
}

/// How a roam was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoamSeen {
    /// The kernel told, as it happened.
    Event,
    /// The access point was another one than a second before.
    Changed,
}

/// An access point's radio, as a roam names it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct AccessPoint {
    /// Its address.
    pub bssid: String,
    /// Middle of its primary channel, in MHz, where that is known.
    pub frequency_mhz: Option<u32>,
}

/// What the controller and one device's agent said to each other while the load ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ControlRecord {
    /// Index into the plan's clients: the device's first.
    pub client: u32,
    /// Bytes of messages towards the agent.
    pub to_agent_bytes: u64,
    /// Bytes of messages from it.
    pub from_agent_bytes: u64,
    /// Over how long.
    #[serde(with = "as_nanos", rename = "span_ns")]
    pub span: Duration,
}

/// What an application got while its client was alone, before the joint run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SoloRecord {
    /// Index into the plan's clients.
    pub client: u32,
    /// Index into the client's populations.
    pub population: u32,
    /// Its goodput, bits per second.
    pub goodput_bps: u64,
    /// Its payload in each judged second, in order, which shows how sure the rate is. Empty where that is not known.
    #[serde(default)]
    pub bytes_by_second: Vec<u64>,
}
