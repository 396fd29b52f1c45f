//! One operation with all its stamps.

use serde::{Deserialize, Serialize};

use super::{FailureCause, NotSentReason};
use crate::time::Moment;

/// One operation with all its stamps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperationRecord {
    /// Index into the plan's clients.
    pub client: u32,
    /// Index into the client's populations.
    pub population: u32,
    /// The operation's number in its population, from 0.
    pub index: u64,
    /// When the plan wanted it.
    pub scheduled_at: Moment,
    /// When a slot was free for it as well.
    pub ready_at: Option<Moment>,
    /// When it was sent.
    pub sent_at: Option<Moment>,
    /// When the first byte of the first reply came.
    pub first_byte_at: Option<Moment>,
    /// When its last byte came, or when it ended otherwise.
    pub ended_at: Moment,
    /// How long its last byte lay in the kernel before the program saw it.
    pub receive_lateness_ns: Option<u64>,
    /// What the server says it cost.
    pub server_time_ns: Option<u64>,
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", content = "cause", rename_all = "snake_case")]
pub enum Outcome {
    /// Every byte came, from the right server, in time.
    Completed,
    /// It failed.
    Failed(FailureCause),
    /// It ran past its deadline.
    TimedOut,
    /// It was never sent.
    NotSent(NotSentReason),
}
