//! What the measuring examples have in common: their arguments, a plan, and the sum of what its runs gave.

use std::collections::BTreeMap;
use std::thread;
use std::time::{Duration, Instant};

use burn_load::engine::Engine;
use burn_model::plan::{Arrival, ClientPlan, Operation, Plan, Population};
use burn_model::record::{RunEvent, Tally};
use burn_model::samples::Samples;
use netburn_io::client::{DriveOptions, StopHandle, Target, drive, learn_url};

/// Whatever can go wrong before there is a figure.
pub(crate) type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Workloads that one client runs at most; more are spread over clients, each with a thread.
const POPULATIONS: usize = 64;

/// `--name value` pairs.
pub(crate) struct Arguments(BTreeMap<String, String>);

impl Arguments {
    pub(crate) fn read(known: &[&str]) -> Result<Self, Failure> {
        let mut all = BTreeMap::new();
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let name = word.strip_prefix("--").filter(|name| known.contains(name));
            let name = name.ok_or_else(|| format!("'{word}' is none of --{}", known.join(", --")))?;
            let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
            all.insert(name.to_owned(), value);
        }
        Ok(Self(all))
    }

    pub(crate) fn text(&self, name: &str) -> Result<&str, Failure> {
        Ok(self.0.get(name).ok_or_else(|| format!("--{name} is missing"))?)
    }

    pub(crate) fn number(&self, name: &str, default: Option<u64>) -> Result<u64, Failure> {
        match (self.0.get(name), default) {
            (Some(text), _) => Ok(text.parse().map_err(|_| format!("--{name} takes a whole number, not '{text}'"))?),
            (None, Some(default)) => Ok(default),
            (None, None) => Err(format!("--{name} is missing").into()),
        }
    }

    /// The URL that is fetched, with the size that it must have.
    pub(crate) fn target(&self) -> Result<(Target, u64), Failure> {
        let (url, bytes) = (self.text("url")?, self.number("bytes", None)?);
        let target = learn_url(url, Duration::from_secs(5))?;
        match target.request {
            netburn_io::client::RequestKind::Url { bytes: learned, .. } if learned == bytes => Ok((target, bytes)),
            _ => Err(format!("{url} does not give {bytes} bytes").into()),
        }
    }
}

/// One application that fetches one object at a time, or one every so often.
pub(crate) fn population(index: u64, arrival: Arrival, bytes: u64, in_flight: u32) -> Population {
    Population {
        name: format!("p{index}"),
        arrival,
        operation: Operation { parts: 1, part_bytes: bytes },
        in_flight,
        deadline: Duration::from_secs(60),
        drain: Duration::ZERO,
        goals: vec![],
        media: None,
    }
}

/// What the runs of all clients gave together.
#[derive(Default)]
pub(crate) struct Sum {
    pub(crate) bytes: u64,
    pub(crate) completed: u64,
    pub(crate) failed: u64,
    pub(crate) not_sent: u64,
    pub(crate) driver_lateness: Samples,
    pub(crate) receive_lateness: Samples,
    pub(crate) service_time: Samples,
    /// Processor time of the driving threads, in cores.
    pub(crate) cpu: f64,
    pub(crate) resident_bytes: u64,
}

impl Sum {
    /// Drives these populations for `length`, spread over as many clients as they need.
    pub(crate) fn of(target: &Target, populations: Vec<Population>, length: Duration) -> Result<Self, Failure> {
        let mut rest = populations;
        let mut plan = Plan {
            name: "bench".into(),
            seed: 1,
            warm_up: Duration::ZERO,
            duration: length,
            keep_operations: false,
            clients: Vec::new(),
        };
        while !rest.is_empty() {
            let populations = rest.drain(..rest.len().min(POPULATIONS)).collect();
            plan.clients.push(ClientPlan { name: format!("c{}", plan.clients.len()), populations });
        }
        plan.validate()?;
        let start = Instant::now() + Duration::from_millis(50);
        let sums: Vec<Result<Self, Failure>> = thread::scope(|scope| {
            let clients = 1..u32::try_from(plan.clients.len()).unwrap_or(u32::MAX);
            let others: Vec<_> = clients
                .map(|client| {
                    scope.spawn({
                        let plan = &plan;
                        move || Self::of_client(target, plan, client, start)
                    })
                })
                .collect();
            let first = Self::of_client(target, &plan, 0, start);
            let joined =
                others.into_iter().map(|other| other.join().unwrap_or_else(|_| Err("a client panicked".into())));
            std::iter::once(first).chain(joined).collect()
        });
        sums.into_iter().try_fold(Self::default(), |mut all, one| {
            all.add(&one?);
            Ok(all)
        })
    }

    fn of_client(target: &Target, plan: &Plan, client: u32, start: Instant) -> Result<Self, Failure> {
        let engine =
            usize::try_from(client).ok().and_then(|client| Engine::new(plan, client)).ok_or("no such client")?;
        let options = DriveOptions { target: target.clone(), client, start, pipelining: true };
        let mut sum = Self::default();
        let mut seconds = 0_u32;
        drive(engine, &options, &StopHandle::new()?, &mut |event| match event {
            RunEvent::Interval(interval) => {
                sum.bytes += interval.bytes;
                sum.count(&interval.tally);
                for cohort in &interval.cohorts {
                    sum.driver_lateness.merge(&cohort.driver_lateness);
                    sum.receive_lateness.merge(&cohort.receive_lateness);
                    sum.service_time.merge(&cohort.service_time);
                }
            }
            RunEvent::Usage(usage) => {
                seconds += 1;
                sum.cpu += usage.driver_cpu;
                sum.resident_bytes = sum.resident_bytes.max(usage.resident_bytes.unwrap_or(0));
            }
            _ => {}
        })?;
        sum.cpu /= f64::from(seconds.max(1));
        Ok(sum)
    }

    fn count(&mut self, tally: &Tally) {
        self.completed += tally.completed;
        self.failed += tally.failures() + tally.timed_out;
        self.not_sent += tally.unsent();
    }

    fn add(&mut self, other: &Self) {
        self.bytes += other.bytes;
        self.completed += other.completed;
        self.failed += other.failed;
        self.not_sent += other.not_sent;
        self.driver_lateness.merge(&other.driver_lateness);
        self.receive_lateness.merge(&other.receive_lateness);
        self.service_time.merge(&other.service_time);
        self.cpu += other.cpu;
        self.resident_bytes = self.resident_bytes.max(other.resident_bytes);
    }
}
