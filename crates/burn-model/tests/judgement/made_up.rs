//! A made-up run: operations and bytes by hand, records as an engine would write them.

use std::collections::BTreeMap;
use std::time::Duration;

use burn_model::goal::{Bound, Counts, Goal};
use burn_model::judge::{ApplicationJudgement, Judgement, judge};
use burn_model::plan::{Arrival, ClientPlan, Operation, Plan, Population, Rate};
use burn_model::record::{
    ClientState, ClockRecord, Cohort, Ending, FORMAT, FailureCause, Header, IntervalRecord, Phase, PlaybackRecord,
    RunEvent,
};
use burn_model::run::RunRecord;
use burn_model::time::Moment;
use burn_model::units::BitRate;

pub(crate) const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

pub(crate) const fn s(s: u64) -> Duration {
    Duration::from_secs(s)
}

/// One operation of a made-up run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Op {
    pub(crate) at: Duration,
    /// How long it took; `None` where it failed, after `ends_after`.
    pub(crate) took: Option<Duration>,
    pub(crate) ends_after: Duration,
    pub(crate) driver_lateness: Duration,
    pub(crate) server_time: Duration,
    pub(crate) cause: FailureCause,
}

impl Op {
    pub(crate) const fn took(at: Duration, took: Duration) -> Self {
        Self {
            at,
            took: Some(took),
            ends_after: took,
            driver_lateness: Duration::ZERO,
            server_time: Duration::ZERO,
            cause: FailureCause::Status,
        }
    }

    pub(crate) const fn failed(at: Duration) -> Self {
        Self { took: None, ..Self::took(at, Duration::ZERO) }
    }
}

/// `per_second` operations in each of `seconds`, evenly spaced, each taking what `took` says of its schedule.
pub(crate) fn steady(per_second: u64, seconds: u64, took: impl Fn(Duration) -> Option<Duration>) -> Vec<Op> {
    let period = Duration::from_nanos(1_000_000_000 / per_second);
    let due = (0..per_second * seconds).map(|i| period * u32::try_from(i).unwrap());
    due.map(|at| took(at).map_or(Op::failed(at), |took| Op::took(at, took))).collect()
}

/// An operation of 50 each second, as a call makes them, with one outage: what is due in it is answered at its end.
pub(crate) fn outage(from: Duration, lasts: Duration) -> impl Fn(Duration) -> Option<Duration> {
    move |at| {
        let until = from + lasts;
        Some(if (from..until).contains(&at) { until - at } else { ms(2) })
    }
}

pub(crate) fn response_time(quantile: f64, good: u64, bad: u64) -> Goal {
    Goal { bound: Bound::ResponseTime { quantile, good: ms(good), bad: ms(bad) }, counts: Counts::Verdict }
}

pub(crate) fn voip_goals() -> Vec<Goal> {
    vec![response_time(0.95, 150, 400), response_time(0.99, 200, 500)]
}

pub(crate) fn population(name: &str, goals: Vec<Goal>) -> Population {
    Population {
        name: name.into(),
        arrival: Arrival::Constant { rate: Rate::per_second(50), phase: Duration::ZERO },
        operation: Operation { parts: 1, part_bytes: 2500 },
        in_flight: 500,
        deadline: s(10),
        drain: s(5),
        goals,
        media: None,
    }
}

pub(crate) fn client(name: &str, populations: Vec<Population>) -> ClientPlan {
    ClientPlan { name: name.into(), populations }
}

/// A run under construction. It ends well, with every client on time, unless something else is said.
pub(crate) struct MadeUp {
    plan: Plan,
    pub(crate) verified_server: bool,
    pub(crate) started_at: String,
    pub(crate) ending: Option<Ending>,
    pub(crate) start_lateness: Duration,
    pub(crate) clock_uncertainty: Duration,
    records: Vec<IntervalRecord>,
    pub(crate) more: Vec<RunEvent>,
}

impl MadeUp {
    pub(crate) fn new(warm_up: u64, duration: u64, clients: Vec<ClientPlan>) -> Self {
        let plan = Plan {
            name: "made up".into(),
            seed: 1,
            warm_up: s(warm_up),
            duration: s(duration),
            keep_operations: false,
            clients,
        };
        plan.validate().unwrap();
        Self {
            plan,
            verified_server: true,
            started_at: "2026-01-01T00:00:00Z".into(),
            ending: Some(Ending::Finished),
            start_lateness: Duration::ZERO,
            clock_uncertainty: Duration::from_micros(50),
            records: Vec::new(),
            more: Vec::new(),
        }
    }

    /// A call of one client.
    pub(crate) fn call(warm_up: u64, duration: u64, ops: &[Op]) -> Self {
        let mut run = Self::new(warm_up, duration, vec![client("phone", vec![population("voip", voip_goals())])]);
        run.operations(0, 0, ops);
        run
    }

    /// How many seconds an engine would tell of.
    fn seconds(&self) -> u64 {
        (self.plan.end() + self.plan.drain()).second()
    }

    /// Adds what an application did.
    pub(crate) fn operations(&mut self, client: u32, population: u32, ops: &[Op]) {
        let bytes_each = 2500;
        let second = |moment: Duration| moment.as_secs();
        let mut in_flight = 0;
        for now in 0..self.seconds() {
            let mut record = IntervalRecord { client, population, second: now, ..IntervalRecord::default() };
            record.tally.in_flight_before = in_flight;
            record.tally.scheduled = ops.iter().filter(|op| second(op.at) == now).count() as u64;
            let mut cohorts: BTreeMap<u64, Cohort> = BTreeMap::new();
            for op in ops.iter().filter(|op| second(op.at + op.ends_after) == now) {
                let cohort = cohorts.entry(second(op.at)).or_default();
                cohort.scheduled_second = second(op.at);
                match op.took {
                    None => {
                        cohort.unsuccessful += 1;
                        *record.tally.failed.entry(op.cause).or_default() += 1;
                    }
                    Some(took) => {
                        record.tally.completed += 1;
                        record.bytes += bytes_each;
                        cohort.response_time.record(took);
                        cohort.service_time.record(took.saturating_sub(op.driver_lateness));
                        cohort.slot_wait.record(Duration::ZERO);
                        cohort.driver_lateness.record(op.driver_lateness);
                        cohort.server_time.record(op.server_time);
                        cohort.response_time_less_client.record(took.saturating_sub(op.driver_lateness));
                        cohort.response_time_less_server.record(took.saturating_sub(op.server_time));
                    }
                }
            }
            record.cohorts = cohorts.into_values().collect();
            let ended: u64 = record.tally.completed + record.tally.failures();
            in_flight = in_flight + record.tally.scheduled - ended;
            record.tally.in_flight_after = in_flight;
            self.records.push(record);
        }
    }

    /// Adds a stream: payload by period, and what the player did in each second.
    pub(crate) fn stream(
        &mut self,
        client: u32,
        population: u32,
        period: Duration,
        payload: &[u64],
        playback: impl Fn(u64) -> PlaybackRecord,
    ) {
        for now in 0..self.seconds() {
            let mut record = IntervalRecord { client, population, second: now, ..IntervalRecord::default() };
            // Each period's payload at its end: nothing is judged by the second here.
            for (i, bytes) in (0_u64..).zip(payload) {
                if (period * u32::try_from(i).unwrap()).as_secs() == now {
                    record.periods.push((i, *bytes));
                    record.bytes += bytes;
                }
            }
            record.playback = Some(playback(now));
            self.records.push(record);
        }
    }

    /// Adds a download of this goodput, without operations that end.
    pub(crate) fn download(&mut self, client: u32, population: u32, goodput: BitRate) {
        for second in 0..self.seconds() {
            let bytes = if second < self.plan.end().second() { goodput.as_bps() / 8 } else { 0 };
            self.records.push(IntervalRecord { client, population, second, bytes, ..IntervalRecord::default() });
        }
    }

    /// The records, to break some.
    pub(crate) const fn records(&mut self) -> &mut Vec<IntervalRecord> {
        &mut self.records
    }

    pub(crate) fn events(&self) -> Vec<RunEvent> {
        let mut events = vec![RunEvent::Opened(Box::new(Header {
            format: FORMAT,
            program: "netburn 0.0.0".into(),
            run: "00".into(),
            started_at: self.started_at.clone(),
            verified_server: self.verified_server,
            server: "http://localhost:1".into(),
            digest: self.plan.digest(),
            plan: self.plan.clone(),
            scenario: None,
            remarks: vec![],
        }))];
        let start_lateness = self.start_lateness;
        let lost = |client: u32| {
            let of_client = |event: &RunEvent| matches!(event, RunEvent::Client { client: other, state: ClientState::Lost { .. }, .. } if *other == client);
            self.more.iter().any(of_client)
        };
        for client in 0..u32::try_from(self.plan.clients.len()).unwrap() {
            let uncertainty = self.clock_uncertainty;
            events.push(RunEvent::Clock(ClockRecord {
                client,
                offset_ns: 5,
                uncertainty,
                phase: Phase::Before,
                from_start_ns: Some(0),
            }));
            events.push(state(client, ClientState::Running { start_lateness }, Some(Moment::START)));
        }
        let mut records = self.records.clone();
        records.sort_by_key(|record| record.second);
        events.extend(records.into_iter().map(|record| RunEvent::Interval(Box::new(record))));
        events.extend(self.more.iter().cloned());
        for client in 0..u32::try_from(self.plan.clients.len()).unwrap() {
            if !lost(client) {
                events.push(state(client, ClientState::Done, Some(self.plan.end() + s(1))));
            }
        }
        events.extend(self.ending.clone().map(|ending| RunEvent::Closed { ending }));
        events
    }

    pub(crate) fn record(&self) -> RunRecord {
        let mut run = RunRecord::new();
        self.events().iter().for_each(|event| run.apply(event));
        run
    }

    pub(crate) fn judge(&self) -> Judgement {
        judge(&self.record())
    }

    /// The only application.
    pub(crate) fn judge_one(&self) -> ApplicationJudgement {
        let mut applications = self.judge().applications;
        assert_eq!(applications.len(), 1);
        applications.remove(0)
    }
}

pub(crate) fn state(client: u32, state: ClientState, at: Option<Moment>) -> RunEvent {
    RunEvent::Client { client, state, at }
}
