//! One population's second: what happened in it, as it goes into the run file.

use std::collections::BTreeMap;
use std::time::Duration;

use burn_model::goal::Bound;
use burn_model::plan::{Arrival, Population};
use burn_model::record::{Cohort, IntervalRecord, Outcome, PlaybackRecord, Tally};
use burn_model::time::Moment;

use crate::operation::Completion;
use crate::schedule::Grid;

/// What is known of an operation when it ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stamps {
    pub(crate) scheduled_at: Moment,
    /// When it had a slot as well.
    pub(crate) ready_at: Moment,
    pub(crate) sent_at: Option<Moment>,
    pub(crate) first_byte_at: Option<Moment>,
}

/// Counts one second after the other.
#[derive(Debug)]
pub(crate) struct Recorder {
    client: u32,
    population: u32,
    second: u64,
    tally: Tally,
    /// Under way or waiting now.
    in_flight: u64,
    bytes: u64,
    periods: Option<Periods>,
    cohorts: BTreeMap<u64, Cohort>,
}

impl Recorder {
    pub(crate) fn new(client: u32, number: u32, population: &Population) -> Self {
        Self {
            client,
            population: number,
            second: 0,
            tally: Tally::default(),
            in_flight: 0,
            bytes: 0,
            periods: Periods::of(population),
            cohorts: BTreeMap::new(),
        }
    }

    /// The second that is being counted.
    pub(crate) const fn second(&self) -> u64 {
        self.second
    }

    /// So many operations became due.
    pub(crate) const fn scheduled(&mut self, count: u64) {
        self.tally.scheduled = self.tally.scheduled.saturating_add(count);
        self.in_flight = self.in_flight.saturating_add(count);
    }

    /// An operation completed at `received_at`.
    pub(crate) fn completed(&mut self, stamps: Stamps, received_at: Moment, completion: Completion) {
        self.tally.completed += 1;
        self.in_flight = self.in_flight.saturating_sub(1);
        let response_time = received_at.since(stamps.scheduled_at);
        let mut clients_share = completion.receive_lateness.unwrap_or_default();
        let cohort = self.cohort(stamps.scheduled_at);
        cohort.response_time.record(response_time);
        cohort.slot_wait.record(stamps.ready_at.since(stamps.scheduled_at));
        // What was not stamped is absent, not zero.
        if let Some(sent_at) = stamps.sent_at {
            let driver_lateness = sent_at.since(stamps.ready_at);
            cohort.service_time.record(received_at.since(sent_at));
            cohort.driver_lateness.record(driver_lateness);
            clients_share = clients_share.saturating_add(driver_lateness);
        }
        if let Some(receive_lateness) = completion.receive_lateness {
            cohort.receive_lateness.record(receive_lateness);
        }
        if let Some(server_time) = completion.server_time {
            cohort.server_time.record(server_time);
        }
        let servers_share = completion.server_time.unwrap_or(Duration::ZERO);
        cohort.response_time_less_client.record(response_time.saturating_sub(clients_share));
        cohort.response_time_less_server.record(response_time.saturating_sub(servers_share));
    }

    /// So many operations, all due in the second of `scheduled_at`, ended without success.
    pub(crate) fn unsuccessful(&mut self, scheduled_at: Moment, outcome: Outcome, count: u64) {
        let counter = match outcome {
            // Completions carry times and go the other way.
            Outcome::Completed => return,
            Outcome::Failed(cause) => self.tally.failed.entry(cause).or_default(),
            Outcome::TimedOut => &mut self.tally.timed_out,
            Outcome::NotSent(reason) => self.tally.not_sent.entry(reason).or_default(),
        };
        *counter = counter.saturating_add(count);
        self.in_flight = self.in_flight.saturating_sub(count);
        let cohort = self.cohort(scheduled_at);
        cohort.unsuccessful = cohort.unsuccessful.saturating_add(count);
    }

    /// Payload arrived.
    pub(crate) fn bytes(&mut self, now: Moment, bytes: u64) {
        self.bytes = self.bytes.saturating_add(bytes);
        if let Some(periods) = &mut self.periods {
            periods.bytes(now, bytes);
        }
    }

    /// Closes the second, and opens the next one.
    pub(crate) fn close(&mut self, playback: Option<PlaybackRecord>) -> IntervalRecord {
        let mut tally =
            std::mem::replace(&mut self.tally, Tally { in_flight_before: self.in_flight, ..Tally::default() });
        tally.in_flight_after = self.in_flight;
        let record = IntervalRecord {
            client: self.client,
            population: self.population,
            second: self.second,
            tally,
            bytes: std::mem::take(&mut self.bytes),
            periods: self.periods.as_mut().map(Periods::take).unwrap_or_default(),
            cohorts: std::mem::take(&mut self.cohorts).into_values().collect(),
            playback,
        };
        self.second += 1;
        record
    }

    /// Whether nothing has happened in this second yet.
    pub(crate) fn is_idle(&self) -> bool {
        self.tally.scheduled == 0 && self.bytes == 0 && self.cohorts.is_empty()
    }

    fn cohort(&mut self, scheduled_at: Moment) -> &mut Cohort {
        let scheduled_second = scheduled_at.second();
        self.cohorts.entry(scheduled_second).or_insert_with(|| Cohort { scheduled_second, ..Cohort::default() })
    }
}

/// Bytes by period of a constant schedule.
#[derive(Debug)]
struct Periods {
    grid: Grid,
    /// The period that time is in, where the first one has begun.
    current: Option<u64>,
    /// When the next one begins.
    next_at: Moment,
    counts: Vec<(u64, u64)>,
}

impl Periods {
    /// A counter, where a goal of the population needs one.
    fn of(population: &Population) -> Option<Self> {
        let Arrival::Constant { rate, phase } = population.arrival else { return None };
        let needed = population.goals.iter().any(|goal| matches!(goal.bound, Bound::WindowGoodput { .. }));
        let grid = Grid::new(rate, phase);
        needed.then(|| Self { grid, current: None, next_at: grid.at(0), counts: Vec::new() })
    }

    fn bytes(&mut self, now: Moment, bytes: u64) {
        if now >= self.next_at {
            let begun = self.grid.due_through(now);
            self.current = begun.checked_sub(1);
            self.next_at = self.grid.at(begun);
        }
        let Some(current) = self.current else { return };
        match self.counts.last_mut() {
            Some((period, count)) if *period == current => *count = count.saturating_add(bytes),
            _ => self.counts.push((current, bytes)),
        }
    }

    fn take(&mut self) -> Vec<(u64, u64)> {
        std::mem::take(&mut self.counts)
    }
}
