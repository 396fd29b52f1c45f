//! What happened, in the order it happened: the events of a run, as they stand in a run file.
//!
//! The types here are the file format and travel between hosts: they are versioned by [`FORMAT`], and files of
//! every earlier version stay readable. Times are [`Moment`]s of the run; wall time stands in the header
//! only, as a label. What cannot be known is absent, never zero.

mod client;
mod effort;
mod interval;
mod link;
mod operation;
mod tally;
mod telemetry;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::plan::Plan;
use crate::time::Moment;

pub use client::{ClientState, ClockRecord, Phase};
pub use effort::{ServerUsageRecord, UsageRecord, WitnessRecord};
pub use interval::{Cohort, IntervalRecord, PlaybackRecord};
pub use link::LinkRecord;
pub use operation::{OperationRecord, Outcome};
pub use tally::{FailureCause, NotSentReason, Tally};
pub use telemetry::{
    AccessPoint, ConnectionsRecord, ControlRecord, DeviceRecord, InterfaceRecord, RoamRecord, RoamSeen, SoloRecord,
    TelemetryRecord, WifiRecord,
};

/// The version of the run file that this program writes.
///
/// Version 2 added devices, telemetry, roams, control traffic and solo rates, what `TCP_INFO` says in a server's account,
/// and whose account it was that could not be had.
pub const FORMAT: u32 = 2;

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
    /// One device that takes part, and which clients it plays. (From version 2 on.)
    Device(DeviceRecord),
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
    /// A second of a device's interface, connections and radio. (From version 2 on.)
    Telemetry(Box<TelemetryRecord>),
    /// A device changed its access point. (From version 2 on.)
    Roam(RoamRecord),
    /// What controller and agent said to each other while the load ran. (From version 2 on.)
    Control(ControlRecord),
    /// What an application got alone, before the joint run. (From version 2 on.)
    Solo(SoloRecord),
    /// What the server saw of an application.
    Witness(Box<WitnessRecord>),
    /// A second of the server's own effort.
    ServerUsage(ServerUsageRecord),
    /// The server could not be asked for its account, or was gone by the end.
    ServerLost {
        /// Index into the plan's clients: whose account it was. Absent: the server itself was gone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        client: Option<u32>,
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
