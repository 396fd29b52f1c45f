//! A client's own effort, second by second: the figures that tell whether the tester was the limit.

use burn_model::record::UsageRecord;
use burn_model::time::{Moment, nanos};

use super::platform::effort;
use crate::processors::{Processors, share};

/// Turns running totals into a record for each second.
#[derive(Debug)]
pub(crate) struct UsageMeter {
    client: u32,
    /// The second that is being measured.
    second: u64,
    since: Moment,
    thread_cpu: u64,
    machine: Option<Processors>,
}

impl UsageMeter {
    /// Starts measuring.
    pub(crate) fn new(client: u32, now: Moment) -> Self {
        Self {
            client,
            second: now.second(),
            since: now,
            thread_cpu: effort::thread_cpu_ns(),
            machine: Processors::read(),
        }
    }

    /// When the second that is being measured is over.
    pub(crate) const fn due(&self) -> Moment {
        Moment::from_secs(self.second.saturating_add(1))
    }

    /// The record of the second being measured, or of as much of it as has passed; then starts on the next.
    pub(crate) fn take(&mut self, now: Moment) -> UsageRecord {
        let (thread_cpu, machine) = (effort::thread_cpu_ns(), Processors::read());
        let record = UsageRecord {
            client: self.client,
            second: self.second,
            driver_cpu: share(thread_cpu.saturating_sub(self.thread_cpu), nanos(now.since(self.since))).unwrap_or(0.0),
            machine_cpu: machine.zip(self.machine).and_then(|(now, before)| now.busy_since(before)),
            resident_bytes: effort::resident_bytes(),
        };
        *self = Self { client: self.client, second: now.second(), since: now, thread_cpu, machine };
        record
    }

    /// The record of the last part of a second, where it is long enough to mean anything.
    pub(crate) fn finish(mut self, now: Moment) -> Option<UsageRecord> {
        (now.since(self.since).as_millis() >= 100).then(|| self.take(now))
    }
}
