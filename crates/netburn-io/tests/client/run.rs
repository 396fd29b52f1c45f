//! Plans for tests, and what a run of one gave.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use burn_load::engine::Engine;
use burn_model::plan::{Arrival, ClientPlan, Operation, Plan, Population, Rate};
use burn_model::record::{
    ClientState, FailureCause, IntervalRecord, NotSentReason, OperationRecord, Outcome, RunEvent, Tally,
    TelemetryRecord, UsageRecord,
};
use netburn_io::client::{DriveOptions, RequestKind, StopHandle, Target, drive};
use netburn_io::protocol::RunToken;

pub(crate) const TOKEN: RunToken = RunToken::from_bits(0x5eed);

/// One application, with every operation kept.
pub(crate) fn population(arrival: Arrival, parts: u32, part_bytes: u64, in_flight: u32) -> Population {
    Population {
        name: "t".into(),
        arrival,
        operation: Operation { parts, part_bytes },
        in_flight,
        deadline: Duration::from_secs(5),
        drain: Duration::from_secs(5),
        goals: vec![],
        media: None,
    }
}

pub(crate) const fn every_second(operations: u64) -> Arrival {
    Arrival::Constant { rate: Rate::per_second(operations), phase: Duration::ZERO }
}

pub(crate) const fn back_to_back(people: u32) -> Arrival {
    Arrival::Closed { people, reading_time: Duration::ZERO }
}

pub(crate) fn plan(populations: Vec<Population>) -> Plan {
    let plan = Plan {
        name: "t".into(),
        seed: 1,
        warm_up: Duration::ZERO,
        duration: Duration::from_secs(1),
        keep_operations: true,
        clients: vec![ClientPlan { name: "c".into(), populations }],
    };
    plan.validate().unwrap();
    plan
}

pub(crate) fn target(address: SocketAddr) -> Target {
    Target { address, host: address.to_string(), request: RequestKind::Generated { token: TOKEN } }
}

/// What a run gave.
pub(crate) struct Run {
    pub(crate) start: Instant,
    pub(crate) intervals: Vec<IntervalRecord>,
    pub(crate) operations: Vec<OperationRecord>,
    pub(crate) usage: Vec<UsageRecord>,
    pub(crate) telemetry: Vec<TelemetryRecord>,
    pub(crate) start_lateness: Option<Duration>,
}

impl Run {
    /// Runs one population against a server until so many operations have ended, however fast the machine is.
    pub(crate) fn until(ended: usize, address: SocketAddr, population: Population, pipelining: bool) -> Self {
        let mut plan = plan(vec![population]);
        plan.duration = Duration::from_secs(3600);
        Self::of_plan(&plan, ended, &target(address), pipelining, &StopHandle::new().unwrap())
    }

    /// Runs a plan until it ends, or so many operations have ended. Whatever happens, nothing may vanish on the way.
    pub(crate) fn of_plan(plan: &Plan, ended: usize, target: &Target, pipelining: bool, stop: &StopHandle) -> Self {
        let start = Instant::now() + Duration::from_millis(20);
        let mut run = Self {
            start,
            intervals: vec![],
            operations: vec![],
            usage: vec![],
            telemetry: vec![],
            start_lateness: None,
        };
        let options = DriveOptions { target: target.clone(), client: 0, start, pipelining };
        drive(Engine::new(plan, 0).unwrap(), &options, stop, &mut |event| match event {
            RunEvent::Interval(interval) => run.intervals.push(*interval),
            RunEvent::Operation(operation) => {
                run.operations.push(operation);
                if run.operations.len() == ended {
                    stop.stop();
                }
            }
            RunEvent::Usage(usage) => run.usage.push(usage),
            RunEvent::Telemetry(record) => run.telemetry.push(*record),
            RunEvent::Client { state: ClientState::Running { start_lateness }, .. } => {
                assert!(run.start_lateness.replace(start_lateness).is_none(), "a run starts once");
            }
            other => panic!("a driver does not say {other:?}"),
        })
        .unwrap();
        run.operations.sort_by_key(|operation| (operation.population, operation.index));
        for interval in &run.intervals {
            assert!(interval.tally.is_conserved(), "{interval:?}");
        }
        run
    }

    fn tallies(&self) -> impl Iterator<Item = &Tally> {
        self.intervals.iter().map(|interval| &interval.tally)
    }

    pub(crate) fn scheduled(&self) -> u64 {
        self.tallies().map(|tally| tally.scheduled).sum()
    }

    /// How many were begun: all but those that waited for another one when the run was ended.
    pub(crate) fn begun(&self) -> u64 {
        self.scheduled() - self.tallies().map(Tally::unsent).sum::<u64>()
    }

    pub(crate) fn completed(&self) -> u64 {
        self.tallies().map(|tally| tally.completed).sum()
    }

    pub(crate) fn timed_out(&self) -> u64 {
        self.tallies().map(|tally| tally.timed_out).sum()
    }

    pub(crate) fn failed(&self, cause: FailureCause) -> u64 {
        self.tallies().filter_map(|tally| tally.failed.get(&cause)).sum()
    }

    pub(crate) fn not_sent(&self, reason: NotSentReason) -> u64 {
        self.tallies().filter_map(|tally| tally.not_sent.get(&reason)).sum()
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.intervals.iter().map(|interval| interval.bytes).sum()
    }

    /// How many times stand in the record, of whatever kind.
    pub(crate) fn samples(&self) -> u64 {
        let cohorts = self.intervals.iter().flat_map(|interval| &interval.cohorts);
        cohorts
            .map(|c| {
                let all = [
                    &c.response_time,
                    &c.service_time,
                    &c.slot_wait,
                    &c.driver_lateness,
                    &c.receive_lateness,
                    &c.server_time,
                    &c.response_time_less_client,
                    &c.response_time_less_server,
                ];
                all.iter().map(|samples| samples.len()).sum::<u64>()
            })
            .sum()
    }

    pub(crate) fn completed_operations(&self) -> impl Iterator<Item = &OperationRecord> {
        self.operations.iter().filter(|operation| operation.outcome == Outcome::Completed)
    }
}
