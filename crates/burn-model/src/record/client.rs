//! Of a client as a whole: its state, and its clock.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::time::as_nanos;

/// A comparison of a client's clock with the controller's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockRecord {
    /// Index into the plan's clients.
    pub client: u32,
    /// The client's monotonic clock less the controller's, in nanoseconds.
    pub offset_ns: i64,
    /// The true offset lies within this of `offset_ns`: half the least round trip seen.
    #[serde(with = "as_nanos", rename = "uncertainty_ns")]
    pub uncertainty: Duration,
    /// Whether this was measured before the load or after it.
    pub phase: Phase,
    /// How long before the start, or after it, the best exchange was; absent in files of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_start_ns: Option<u64>,
}

/// Before or after the load.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Before the load started.
    Before,
    /// After it ended.
    After,
}

/// A client's state, as a person would name it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum ClientState {
    /// It has answered.
    Joined,
    /// It has its plan, has reached the server, and waits for the start.
    Armed,
    /// The load has started.
    Running {
        /// How late its load started by its own clock.
        #[serde(with = "as_nanos", rename = "start_lateness_ns")]
        start_lateness: Duration,
    },
    /// The load has ended; operations under way may finish.
    Draining,
    /// It has told all it knows.
    Done,
    /// It is gone, or of no use.
    Lost {
        /// Why, in words.
        reason: String,
    },
}
