//! A household's network on one Linux machine: a server, access points with one or more radios, and stations,
//! each in a network namespace of its own.
//!
//! ```text
//!                      radio0 ┌ AP 0 ┐── station 0     radioN: egress to the stations, shaped (downlink)
//! server ──── hub ─────────▶  │bridge│── station 1     hub:    egress of the AP to the hub, shaped (uplink)
//!            router ───────▶  └ AP 1 ┘── station 2     every other link is as fast as the machine
//! ```
//!
//! All that a radio sends passes *one* token bucket with *one* drop-tail queue, whichever station it is for, so a
//! shared radio is shared in fact. The uplink is shaped alike, by a bucket of its own.
//!
//! What this is not: a model of Wi-Fi. The bucket knows bytes, not airtime. There is no contention between the two
//! directions, no retransmission, no rate adaptation, no aggregation, no fairness between stations, and no
//! propagation delay. Every station of a radio is equally near.
//!
//! Invariant: nothing outlives its holders. The namespaces have no name and are held by file descriptors alone; when
//! the last process that holds or inhabits them is gone, whatever ended it, the kernel removes them with all their
//! links and queues. See `docs/decisions/0004-lab.md`.

mod counters;
mod error;
mod iproute;
mod lab;
mod namespace;
mod privilege;
mod queue;
mod settings;
mod spec;
mod topology;

pub use counters::RadioCounters;
pub use error::LabError;
pub use lab::{Host, Lab};
pub use namespace::end_with_spawning_thread;
pub use privilege::{enter_user_namespace, needs_user_namespace};
pub use settings::CongestionControl;
pub use spec::{LabSpec, RadioSpec, SpecError, StationSpec};
