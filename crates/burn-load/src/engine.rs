//! The engine: one client's populations, from schedule to record.

use std::time::Duration;

use burn_model::plan::{Operation, Plan};
use burn_model::record::{FailureCause, NotSentReason, RunEvent};
use burn_model::time::Moment;

/// Names an operation while it is under way. Never used twice in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OperationId(u64);

/// An operation that is to be sent now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dispatch {
    /// Its name in all further calls.
    pub id: OperationId,
    /// Index into the client's populations.
    pub population: usize,
    /// What it is.
    pub operation: Operation,
    /// When the plan wanted it.
    pub scheduled_at: Moment,
}

/// What a driver knows of a completed operation beyond its moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// How long its last byte lay in the kernel before the driver saw it, where the kernel told.
    pub receive_lateness: Option<Duration>,
    /// What the server says the reply cost it (the longest of its parts), where it said.
    pub server_time: Option<Duration>,
}

/// One client's part of a run.
#[derive(Debug)]
pub struct Engine {}

impl Engine {
    /// An engine for client number `client` of a plan that was [validated](Plan::validate); `None` where the
    /// plan has no such client.
    #[must_use]
    pub fn new(_plan: &Plan, _client: usize) -> Option<Self> {
        todo!()
    }

    /// When [`handle_timeout`](Self::handle_timeout) must be called next; `None` once the run is over. Ask again
    /// after every other call.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<Moment> {
        todo!()
    }

    /// Time has passed: takes every arrival that is due, times out what is past its deadline, closes seconds.
    pub fn handle_timeout(&mut self, _now: Moment) {
        todo!()
    }

    /// The next operation that should be sent now, if any: call until `None` after each call that takes `now`.
    pub fn poll_dispatch(&mut self, _now: Moment) -> Option<Dispatch> {
        todo!()
    }

    /// The next operation that the driver must give up (past its deadline, or cut by the end), if any: call until
    /// `None` likewise. The engine has already counted it; nothing said of it later is heard.
    pub fn poll_abandon(&mut self) -> Option<OperationId> {
        todo!()
    }

    /// The next event for the run file, if any: call until `None` likewise.
    pub fn poll_event(&mut self) -> Option<RunEvent> {
        todo!()
    }

    /// The driver has handed the (first part of the) request to the kernel.
    pub fn handle_sent(&mut self, _id: OperationId, _now: Moment) {
        todo!()
    }

    /// The first byte of the first reply has come.
    pub fn handle_first_byte(&mut self, _id: OperationId, _now: Moment) {
        todo!()
    }

    /// Payload has come, complete or not; of an operation that was given up it still counts as bytes of the
    /// population.
    pub fn handle_bytes(&mut self, _population: usize, _now: Moment, _bytes: u64) {
        todo!()
    }

    /// Every byte has come.
    pub fn handle_completed(&mut self, _id: OperationId, _now: Moment, _completion: Completion) {
        todo!()
    }

    /// The operation failed.
    pub fn handle_failed(&mut self, _id: OperationId, _now: Moment, _cause: FailureCause) {
        todo!()
    }

    /// The driver could not send it.
    pub fn handle_not_sent(&mut self, _id: OperationId, _now: Moment, _reason: NotSentReason) {
        todo!()
    }

    /// Ends the load now, as if the plan had ended here; what is under way may finish within its drain.
    pub fn stop(&mut self, _now: Moment) {
        todo!()
    }

    /// Whether the run is over and every event has been given out.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        todo!()
    }
}
