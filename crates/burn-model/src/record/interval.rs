//! A second of one application.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Tally;
use crate::samples::Samples;
use crate::time::as_nanos;

/// A second of one application on one client.
///
/// The [tally](Tally) and the bytes belong to the second in which things *happened*. Times belong to the second in
/// which the operation was *scheduled*, which may be an earlier one: [`Cohort`]. Adding up the cohorts of all
/// records of a second gives that second's operations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct IntervalRecord {
    /// Index into the plan's clients.
    pub client: u32,
    /// Index into the client's populations.
    pub population: u32,
    /// The second of the run, counted from 0.
    pub second: u64,
    /// What happened to how many operations.
    pub tally: Tally,
    /// Payload bytes that arrived, of whatever operation, completed or not.
    pub bytes: u64,
    /// Payload bytes by period of a constant schedule: `(i, bytes)` for the time from the `i`-th operation's
    /// schedule to the next one's. Kept where windows of goodput are judged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub periods: Vec<(u64, u64)>,
    /// Operations that ended in this second, by the second they were scheduled in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cohorts: Vec<Cohort>,
    /// What the playback model did, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub playback: Option<PlaybackRecord>,
}

/// Operations that were scheduled in one second and whose end is now known.
///
/// An operation that did not complete has no times; it is counted in `unsuccessful` and ranks as worse than any
/// that did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cohort {
    /// The second in which they were scheduled.
    pub scheduled_second: u64,
    /// Failed, timed out or never sent.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unsuccessful: u64,
    /// received − scheduled.
    pub response_time: Samples,
    /// received − sent.
    pub service_time: Samples,
    /// ready − scheduled.
    pub slot_wait: Samples,
    /// sent − ready: the tester's own lateness.
    pub driver_lateness: Samples,
    /// received by the program − arrived at this host, where the kernel told: the tester's own lateness too.
    #[serde(default, skip_serializing_if = "Samples::is_empty")]
    pub receive_lateness: Samples,
    /// What the server says each reply cost it.
    #[serde(default, skip_serializing_if = "Samples::is_empty")]
    pub server_time: Samples,
    /// Response time less driver and receive lateness: had the client been perfect.
    pub response_time_less_client: Samples,
    /// Response time less server time: had the server been perfect. Without server times, equal to response time.
    pub response_time_less_server: Samples,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
const fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// What the playback model did in one second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaybackRecord {
    /// How long it played.
    #[serde(with = "as_nanos", rename = "played_ns")]
    pub played: Duration,
    /// How long it stood still after playback had once started.
    #[serde(with = "as_nanos", rename = "stalled_ns")]
    pub stalled: Duration,
    /// How many stalls began.
    pub stalls: u64,
    /// The lowest level of the buffer after playback had once started, as media time.
    pub lowest_buffer_ns: Option<u64>,
    /// Set in the second in which playback first started: how long that took from the first schedule.
    pub startup_ns: Option<u64>,
}
