//! What happened, in the order it happened: the events of a run, as they stand in a run file.
//!
//! The types here are the file format and travel between hosts: they are versioned by [`FORMAT`], and files of
//! every earlier version stay readable. Times are [`Moment`]s of the run; wall time stands in the header
//! only, as a label. What cannot be known is absent, never zero.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::plan::Plan;
use crate::samples::Samples;
use crate::time::{Moment, as_nanos};

/// The version of the run file that this program writes.
pub const FORMAT: u32 = 1;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum RunEvent {
    /// The run begins: always the first event of a file.
    Opened(Box<Header>),
    /// What is known of a host: kernel, processor, network, versions. Keys are free; see docs/METHOD.md.
    Environment {
        /// Which host: `controller`, `server`, or `client NAME`.
        host: String,
        /// What is known of it.
        facts: BTreeMap<String, String>,
    },
    /// A client's clock was compared with the controller's.
    Clock(ClockRecord),
    /// A client came into another state.
    Client {
        /// Index into the plan's clients.
        client: u32,
        /// The state it is in now.
        state: ClientState,
        /// When, where the run had started; the controller's clock.
        at: Option<Moment>,
    },
    /// A second of one application.
    Interval(Box<IntervalRecord>),
    /// One operation, where the plan asks for them all.
    Operation(OperationRecord),
    /// A second of a client's own effort.
    Usage(UsageRecord),
    /// What the server saw of an application.
    Witness(WitnessRecord),
    /// A second of the server's own effort.
    ServerUsage(ServerUsageRecord),
    /// The server could not be asked for its account, or was gone by the end.
    ServerLost {
        /// What was tried and what came of it, in words.
        reason: String,
    },
    /// Counters of a shaped link over the whole run.
    Link(LinkRecord),
    /// Events or samples were dropped, because a queue was full.
    Dropped {
        /// Index into the plan's clients.
        client: u32,
        /// How many.
        events: u64,
    },
    /// Single operations were left out of the file to bound its size. They are in every figure all the same.
    OperationsLeftOut {
        /// How many.
        operations: u64,
    },
    /// The run ended: the last event of a whole file.
    Closed {
        /// How it ended.
        ending: Ending,
    },
}

/// What stands at the head of a run file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The file's version: [`FORMAT`].
    pub format: u32,
    /// The program that wrote it, with its version.
    pub program: String,
    /// The run's own random name.
    pub run: String,
    /// When the run was started, by the controller's wall clock, RFC 3339. A label.
    pub started_at: String,
    /// Whether replies could be proven to come from our own server.
    pub verified_server: bool,
    /// The server, as the clients name it.
    pub server: String,
    /// Names the plan.
    pub digest: String,
    /// What was asked.
    pub plan: Plan,
    /// The scenario as its author wrote it, where there was one.
    pub scenario: Option<String>,
    /// What is true of the whole set-up and belongs into every report, as sentences ("Nothing was shaped.").
    pub remarks: Vec<String>,
}

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

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ending", rename_all = "snake_case")]
pub enum Ending {
    /// It did what was asked.
    Finished,
    /// A person or a signal stopped it early.
    Interrupted {
        /// When the load was stopped.
        at: Moment,
        /// By what, in words.
        by: String,
    },
    /// It could not go on.
    Failed {
        /// Why, in words.
        reason: String,
    },
}
