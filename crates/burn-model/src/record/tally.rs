//! How many operations were where, and why some came to nothing.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// How many operations were where.
///
/// Conservation: `in_flight_before + scheduled = completed + failed + timed out + not sent + in_flight_after`.
/// "In flight" counts those that wait for a slot too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Under way or waiting when the interval began.
    pub in_flight_before: u64,
    /// Became due in it.
    pub scheduled: u64,
    /// Completed in it.
    pub completed: u64,
    /// Failed in it, by cause.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub failed: BTreeMap<FailureCause, u64>,
    /// Ran past their deadline in it.
    pub timed_out: u64,
    /// Were given up unsent in it, by reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub not_sent: BTreeMap<NotSentReason, u64>,
    /// Under way or waiting when the interval ended.
    pub in_flight_after: u64,
}

impl Tally {
    /// All failures, whatever the cause.
    #[must_use]
    pub fn failures(&self) -> u64 {
        self.failed.values().fold(0, |sum, n| sum.saturating_add(*n))
    }

    /// All that were never sent, whatever the reason.
    #[must_use]
    pub fn unsent(&self) -> u64 {
        self.not_sent.values().fold(0, |sum, n| sum.saturating_add(*n))
    }

    /// Whether nothing vanished and nothing came from nowhere.
    #[must_use]
    pub fn is_conserved(&self) -> bool {
        let before = u128::from(self.in_flight_before) + u128::from(self.scheduled);
        let after = u128::from(self.completed)
            + u128::from(self.failures())
            + u128::from(self.timed_out)
            + u128::from(self.unsent())
            + u128::from(self.in_flight_after);
        before == after
    }
}

/// Why an operation failed: what the network or the other end did. Never a reason to stop the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureCause {
    /// No connection could be made.
    Connect,
    /// The connection broke before any byte of the reply.
    Disconnected,
    /// The reply was cut short.
    Truncated,
    /// The reply was an error (an HTTP status other than the one expected).
    Status,
    /// The reply was not of the size that was asked for.
    WrongSize,
    /// The reply did not carry the run's token: somebody else answered.
    WrongServer,
    /// The reply was not to be understood.
    Protocol,
}

impl FailureCause {
    /// All causes.
    pub const ALL: [Self; 7] = [
        Self::Connect,
        Self::Disconnected,
        Self::Truncated,
        Self::Status,
        Self::WrongSize,
        Self::WrongServer,
        Self::Protocol,
    ];

    /// In words, for a report: "N operations failed: …".
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Connect => "no connection could be made",
            Self::Disconnected => "the connection broke before a reply",
            Self::Truncated => "the reply was cut short",
            Self::Status => "the reply was an error",
            Self::WrongSize => "the reply had the wrong size",
            Self::WrongServer => "the reply did not come from our server",
            Self::Protocol => "the reply could not be understood",
        }
    }
}

/// Why an operation was never sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotSentReason {
    /// The run ended while it waited for a slot.
    RunEnded,
    /// The client was stopped.
    Stopped,
    /// The client could not get a socket.
    NoSocket,
}
