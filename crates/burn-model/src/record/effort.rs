//! What the run cost those who made it: the clients' own effort, and the server's account.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::ConnectionsRecord;
use crate::time::{Moment, as_nanos};

/// A second of a client's own effort.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct UsageRecord {
    /// Index into the plan's clients.
    pub client: u32,
    /// The second of the run.
    pub second: u64,
    /// Processor time of the thread that does the measuring, as a share of one core.
    pub driver_cpu: f64,
    /// Busy share of all the machine's cores together, where it can be known.
    pub machine_cpu: Option<f64>,
    /// Resident memory of the process, in bytes, where it can be known.
    pub resident_bytes: Option<u64>,
}

/// What the server saw of one application between two moments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WitnessRecord {
    /// Index into the plan's clients.
    pub client: u32,
    /// Index into the client's populations.
    pub population: u32,
    /// From when.
    pub from: Moment,
    /// Until when.
    pub to: Moment,
    /// How far off the moments may be: the comparison of the client's and the server's clocks.
    #[serde(with = "as_nanos", rename = "uncertainty_ns")]
    pub uncertainty: Duration,
    /// Replies begun.
    pub replies: u64,
    /// Bytes handed to the kernel, payload only.
    pub bytes: u64,
    /// How long the connections had something to send (`tcpi_busy_time`).
    #[serde(with = "as_nanos", rename = "busy_ns")]
    pub busy: Duration,
    /// Of that, how long the client's receive window was the limit (`tcpi_rwnd_limited`).
    #[serde(with = "as_nanos", rename = "rwnd_limited_ns")]
    pub rwnd_limited: Duration,
    /// Of that, how long the server's own send buffer was the limit (`tcpi_sndbuf_limited`).
    #[serde(with = "as_nanos", rename = "sndbuf_limited_ns")]
    pub sndbuf_limited: Duration,
    /// What else the server's kernel says of the connections, where it was asked. (From version 2 on.)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connections: Option<ConnectionsRecord>,
}

/// What the server itself had to do between two moments.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ServerUsageRecord {
    /// From when.
    pub from: Moment,
    /// Until when.
    pub to: Moment,
    /// Processor time of the busiest thread, as a share of one core.
    pub busiest_thread_cpu: f64,
    /// Busy share of all the server machine's cores together, where it can be known.
    pub machine_cpu: Option<f64>,
    /// The longest that a ready thread of the server had to wait for a core, or the server stood still.
    #[serde(with = "as_nanos", rename = "longest_pause_ns")]
    pub longest_pause: Duration,
}
