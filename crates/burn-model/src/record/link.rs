//! What the kernel counted on a shaped link.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::time::as_nanos;

/// Counters of a shaped link over the run, as the kernel counted them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkRecord {
    /// The link's name: the radio's.
    pub name: String,
    /// Indexes of the plan's clients behind it.
    pub clients: Vec<u32>,
    /// What it was shaped to, bits per second, towards the clients.
    pub rate_bps: u64,
    /// How long its queue may become.
    #[serde(with = "as_nanos", rename = "queue_ns")]
    pub queue: Duration,
    /// Bytes that went through towards the clients, with all headers.
    pub bytes: u64,
    /// Packets that went through.
    pub packets: u64,
    /// Packets dropped, because the queue was full.
    pub drops: u64,
}
