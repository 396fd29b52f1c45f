//! What the engine has to say, until the driver takes it.

use std::collections::VecDeque;

use burn_model::record::{IntervalRecord, OperationRecord, RunEvent};

use crate::operation::OperationId;

/// How many operation records wait for the driver at most; further ones are left out and counted. Interval records are
/// never left out: the length of the plan bounds them.
const MOST_OPERATIONS: usize = 65_536;

/// Events for the run file, and operations that the driver must give up.
#[derive(Debug)]
pub(crate) struct Outbox {
    keep_operations: bool,
    events: VecDeque<RunEvent>,
    /// Operation records among the events.
    operations: usize,
    /// Operation records left out since the last event said so.
    left_out: u64,
    abandoned: VecDeque<OperationId>,
}

impl Outbox {
    pub(crate) const fn new(keep_operations: bool) -> Self {
        Self { keep_operations, events: VecDeque::new(), operations: 0, left_out: 0, abandoned: VecDeque::new() }
    }

    pub(crate) fn interval(&mut self, record: IntervalRecord) {
        self.events.push_back(RunEvent::Interval(Box::new(record)));
    }

    pub(crate) fn operation(&mut self, record: OperationRecord) {
        if self.has_room() {
            self.operations += 1;
            self.events.push_back(RunEvent::Operation(record));
        } else {
            self.leave_out(1);
        }
    }

    /// Counts operation records that nobody needs to make, because there is no room for them.
    pub(crate) const fn leave_out(&mut self, count: u64) {
        if self.keep_operations {
            self.left_out = self.left_out.saturating_add(count);
        }
    }

    /// Says how many operation records were left out since it was last said, if any were.
    pub(crate) fn say_left_out(&mut self) {
        if self.left_out > 0 {
            let operations = std::mem::take(&mut self.left_out);
            self.events.push_back(RunEvent::OperationsLeftOut { operations });
        }
    }

    pub(crate) fn abandon(&mut self, id: OperationId) {
        self.abandoned.push_back(id);
    }

    pub(crate) fn take_event(&mut self) -> Option<RunEvent> {
        let event = self.events.pop_front()?;
        if matches!(event, RunEvent::Operation(_)) {
            self.operations = self.operations.saturating_sub(1);
        }
        Some(event)
    }

    pub(crate) fn take_abandoned(&mut self) -> Option<OperationId> {
        self.abandoned.pop_front()
    }

    /// Whether an operation record would be kept.
    pub(crate) const fn has_room(&self) -> bool {
        self.keep_operations && self.operations < MOST_OPERATIONS
    }

    /// Whether every event has been taken.
    pub(crate) fn is_empty(&self) -> bool {
        self.events.is_empty()
    }
}
