//! What an engine said of a run, with the laws that hold in every run.

use std::collections::BTreeMap;
use std::time::Duration;

use burn_model::record::{
    Cohort, FailureCause, IntervalRecord, NotSentReason, OperationRecord, Outcome, RunEvent, Tally,
};
use burn_model::samples::Samples;

#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) intervals: Vec<IntervalRecord>,
    pub(crate) operations: Vec<OperationRecord>,
    pub(crate) left_out: u64,
}

impl Seen {
    /// Sorts the events of a run that is over, and holds them against the laws.
    pub(crate) fn of(events: Vec<RunEvent>) -> Self {
        let mut seen = Self::default();
        for event in events {
            match event {
                RunEvent::Interval(record) => seen.intervals.push(*record),
                RunEvent::Operation(record) => seen.operations.push(record),
                RunEvent::OperationsLeftOut { operations } => seen.left_out += operations,
                other => panic!("an engine has nothing to say about {other:?}"),
            }
        }
        seen.check();
        seen
    }

    /// The records of one population.
    pub(crate) fn of_population(&self, population: u32) -> impl Iterator<Item = &IntervalRecord> {
        self.intervals.iter().filter(move |record| record.population == population)
    }

    /// All tallies of a population in one.
    pub(crate) fn total(&self, population: u32) -> Tally {
        let mut total = Tally::default();
        for record in self.of_population(population) {
            total.scheduled += record.tally.scheduled;
            total.completed += record.tally.completed;
            total.timed_out += record.tally.timed_out;
            for (cause, n) in &record.tally.failed {
                *total.failed.entry(*cause).or_default() += n;
            }
            for (reason, n) in &record.tally.not_sent {
                *total.not_sent.entry(*reason).or_default() += n;
            }
            total.in_flight_after = record.tally.in_flight_after;
        }
        total
    }

    /// All cohorts of a population in one.
    pub(crate) fn cohorts(&self, population: u32) -> Cohort {
        let mut total = Cohort::default();
        for cohort in self.of_population(population).flat_map(|record| &record.cohorts) {
            total.unsuccessful += cohort.unsuccessful;
            total.response_time.merge(&cohort.response_time);
            total.service_time.merge(&cohort.service_time);
            total.slot_wait.merge(&cohort.slot_wait);
            total.driver_lateness.merge(&cohort.driver_lateness);
            total.receive_lateness.merge(&cohort.receive_lateness);
            total.server_time.merge(&cohort.server_time);
            total.response_time_less_client.merge(&cohort.response_time_less_client);
            total.response_time_less_server.merge(&cohort.response_time_less_server);
        }
        total
    }

    /// All payload of a population.
    pub(crate) fn bytes(&self, population: u32) -> u64 {
        self.of_population(population).map(|record| record.bytes).sum()
    }

    /// The response times of all that completed, in the order of their schedule.
    pub(crate) fn response_times(&self) -> Vec<Duration> {
        let mut completed: Vec<_> = self.operations.iter().filter(|o| o.outcome == Outcome::Completed).collect();
        completed.sort_by_key(|operation| operation.index);
        completed.into_iter().map(|operation| operation.ended_at.since(operation.scheduled_at)).collect()
    }

    fn check(&self) {
        let mut last: BTreeMap<u32, &IntervalRecord> = BTreeMap::new();
        for record in &self.intervals {
            let place = format!("population {}, second {}", record.population, record.second);
            assert!(record.tally.is_conserved(), "{place}: {:?}", record.tally);
            match last.insert(record.population, record) {
                Some(before) => {
                    assert_eq!(record.second, before.second + 1, "{place}: a second is missing");
                    assert_eq!(record.tally.in_flight_before, before.tally.in_flight_after, "{place}");
                }
                None => assert_eq!((record.second, record.tally.in_flight_before), (0, 0), "{place}"),
            }
            let completed: u64 = record.cohorts.iter().map(|cohort| cohort.response_time.len()).sum();
            let unsuccessful: u64 = record.cohorts.iter().map(|cohort| cohort.unsuccessful).sum();
            assert_eq!(completed, record.tally.completed, "{place}: cohorts hold what completed");
            let ended_otherwise = record.tally.failures() + record.tally.timed_out + record.tally.unsent();
            assert_eq!(unsuccessful, ended_otherwise, "{place}: cohorts hold what did not complete");
            assert!(record.cohorts.iter().all(|cohort| cohort.scheduled_second <= record.second), "{place}");
            let periods: u64 = record.periods.iter().map(|(_, bytes)| bytes).sum();
            assert!(periods <= record.bytes, "{place}: bytes of periods are bytes of the second");
        }
    }
}

/// Values as the record keeps them.
pub(crate) fn samples(values: impl IntoIterator<Item = Duration>) -> Samples {
    let mut samples = Samples::default();
    for value in values {
        samples.record(value);
    }
    samples
}

pub(crate) fn failures(cause: FailureCause, n: u64) -> BTreeMap<FailureCause, u64> {
    BTreeMap::from([(cause, n)])
}

pub(crate) fn unsent(reason: NotSentReason, n: u64) -> BTreeMap<NotSentReason, u64> {
    BTreeMap::from([(reason, n)])
}
