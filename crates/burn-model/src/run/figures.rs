//! What a fold shows of an application, in short.

use super::SecondTimes;
use crate::record::{Cohort, PlaybackRecord};
use crate::samples::Samples;

/// The figures that are kept as distributions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// received − scheduled.
    ResponseTime,
    /// received − sent.
    ServiceTime,
    /// ready − scheduled.
    SlotWait,
    /// sent − ready.
    DriverLateness,
    /// received by the program − arrived at the host.
    ReceiveLateness,
    /// What the server says each reply cost it.
    ServerTime,
}

impl Figure {
    /// All figures.
    pub const ALL: [Self; 6] = [
        Self::ResponseTime,
        Self::ServiceTime,
        Self::SlotWait,
        Self::DriverLateness,
        Self::ReceiveLateness,
        Self::ServerTime,
    ];

    pub(super) const fn of(self, cohort: &Cohort) -> &Samples {
        match self {
            Self::ResponseTime => &cohort.response_time,
            Self::ServiceTime => &cohort.service_time,
            Self::SlotWait => &cohort.slot_wait,
            Self::DriverLateness => &cohort.driver_lateness,
            Self::ReceiveLateness => &cohort.receive_lateness,
            Self::ServerTime => &cohort.server_time,
        }
    }
}

/// The last whole second that is known of an application: for a live view.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recent {
    /// The second of the run.
    pub second: u64,
    /// How many operations were under way or waiting when it ended.
    pub in_flight: u64,
    /// Payload bytes that arrived in it.
    pub bytes: u64,
    /// Operations that completed in it.
    pub completed: u64,
    /// Operations that failed, timed out or were given up in it.
    pub unsuccessful: u64,
    /// The response times of those that completed in it.
    pub response_time: Samples,
}

/// A second of an application, in short.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SecondSummary {
    /// The second of the run.
    pub second: u64,
    /// Payload bytes that arrived in it.
    pub bytes: u64,
    /// Operations that were scheduled in it.
    pub scheduled: u64,
    /// Of those, how many completed, whenever that was.
    pub completed: u64,
    /// Of those, how many failed, timed out or were given up, whenever that was.
    pub unsuccessful: u64,
    /// Of those that completed, how many took longer than each bound, in the order of
    /// [`RunRecord::response_time_bounds`](super::RunRecord::response_time_bounds).
    pub over: Vec<u64>,
    /// How long those took that were scheduled in it.
    pub times: SecondTimes,
    /// Operations that failed in it, whenever they were scheduled.
    pub failed: u64,
    /// Operations that ran past their deadline in it, whenever they were scheduled.
    pub timed_out: u64,
    /// Operations that were given up unsent in it, whenever they were scheduled.
    pub not_sent: u64,
    /// What the player did in it, where there is one.
    pub playback: Option<PlaybackRecord>,
}
