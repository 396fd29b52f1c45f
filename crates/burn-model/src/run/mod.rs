//! The fold of a run's events: the one way from what happened to anything that is shown of it.

mod alongside;
mod application;
mod beside;
mod coarse;
mod control;
mod doubts;
mod figures;
mod second;
mod start;
mod times;
mod window;

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;

use crate::distribution::Distribution;
use crate::plan::Plan;
use crate::record::{
    ClientState, ClockRecord, DeviceRecord, Ending, Header, IntervalRecord, LinkRecord, RunEvent, ServerUsageRecord,
    UsageRecord, WitnessRecord,
};
use crate::time::Moment;

pub use alongside::{RoamEffect, SeenRange, TelemetrySummary, TransportSummary, WifiChannel, WifiSummary};
pub(crate) use application::Application;
use beside::Beside;
pub(crate) use coarse::bucket as coarse_bucket;
pub use control::{ControlTraffic, ControlledLink};
pub use figures::{Figure, Recent, SecondSummary};
pub(crate) use second::{CohortCounts, Second, View};
pub use start::StartSkew;
pub use times::SecondTimes;
pub(crate) use window::{Cut, JudgedWindow};

/// Records may be of so many seconds after the plan's last one: an agent that was held up tells late. What is past
/// that is nonsense, and not kept.
const SLACK_SECONDS: u64 = 60;

/// A run, as far as it is known. Bounded memory: per client, application and second a few counters, and one
/// distribution of each figure per application. What it takes never grows by more than the events themselves do.
#[derive(Clone, Debug, Default)]
pub struct RunRecord {
    header: Option<Box<Header>>,
    environments: BTreeMap<String, BTreeMap<String, String>>,
    clients: Vec<Client>,
    devices: Vec<DeviceRecord>,
    clocks: Vec<ClockRecord>,
    links: Vec<LinkRecord>,
    server_usage: Vec<ServerUsageRecord>,
    server_lost: Option<String>,
    /// Seconds whose operations go into the distributions.
    settling: Range<u64>,
    /// Nothing is kept of seconds after this one.
    last_second: u64,
    ending: Option<Ending>,
    torn_bytes: Option<u64>,
    operations_left_out: u64,
    strays: Strays,
}

/// What is known of one client.
#[derive(Clone, Debug, Default)]
pub(crate) struct Client {
    state: Option<ClientState>,
    pub(crate) start_lateness: Option<Duration>,
    pub(crate) lost: Option<Lost>,
    /// When its load ended, where that was before the plan's end.
    stopped_at: Option<Moment>,
    pub(crate) dropped: u64,
    /// Processor time of the measuring thread by second, as a share of one core.
    pub(crate) driver_cpu: BTreeMap<u64, f64>,
    pub(crate) applications: Vec<Application>,
    /// What the server saw, by application.
    pub(crate) witness: Vec<Vec<WitnessRecord>>,
    /// Why the server's account of it could not be had.
    pub(crate) witness_lost: Option<String>,
    beside: Beside,
}

/// A client that went away.
#[derive(Clone, Debug)]
pub(crate) struct Lost {
    pub(crate) reason: String,
    at: Option<Moment>,
    /// The first second of which it had not told.
    known_until: u64,
}

/// Events that make no sense where they stand.
#[derive(Clone, Debug, Default)]
pub(crate) struct Strays {
    pub(crate) count: u64,
    /// What was wrong with the first one.
    pub(crate) first: Option<String>,
}

impl RunRecord {
    /// A run of which nothing is known yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next event. Events of a broken or hostile file are taken as far as they make sense; what does not
    /// (an index out of the plan, a tally that does not add up) is counted as a doubt, never a panic.
    pub fn apply(&mut self, event: &RunEvent) {
        match event {
            RunEvent::Opened(header) => self.open(header),
            _ if self.header.is_none() => self.strays.note("an event before the run was opened"),
            _ if self.ending.is_some() => self.strays.note("an event after the run was closed"),
            RunEvent::Environment { host, facts } => {
                self.environments.entry(host.clone()).or_default().extend(facts.clone());
            }
            RunEvent::Clock(clock) => {
                if self.client(clock.client, "a clock comparison").is_some() {
                    self.clocks.push(*clock);
                }
            }
            RunEvent::Client { client, state, at } => self.enter(*client, state, *at),
            RunEvent::Interval(record) => self.take_interval(record),
            RunEvent::Operation(_) => {}
            RunEvent::Usage(usage) => self.take_usage(usage),
            RunEvent::Witness(witness) => self.take_witness(witness),
            RunEvent::ServerUsage(usage) => self.server_usage.push(*usage),
            RunEvent::ServerLost { client: None, reason } => {
                self.server_lost.get_or_insert_with(|| reason.clone());
            }
            RunEvent::ServerLost { client: Some(client), reason } => {
                if let Some(client) = self.client(*client, "the loss of a server's account") {
                    client.witness_lost.get_or_insert_with(|| reason.clone());
                }
            }
            RunEvent::Device(device) => self.take_device(device),
            RunEvent::Telemetry(record) => self.take_telemetry(record),
            RunEvent::Roam(roam) => self.take_roam(roam),
            RunEvent::Control(control) => self.take_control(control),
            RunEvent::Solo(solo) => self.take_solo(solo),
            RunEvent::Link(link) => self.links.push(link.clone()),
            RunEvent::Dropped { client, events } => {
                if let Some(client) = self.client(*client, "a count of dropped events") {
                    client.dropped = client.dropped.saturating_add(*events);
                }
            }
            RunEvent::OperationsLeftOut { operations } => {
                self.operations_left_out = self.operations_left_out.saturating_add(*operations);
            }
            RunEvent::Closed { ending } => self.ending = Some(ending.clone()),
        }
    }

    /// The end of the file was not a whole event and was dropped.
    pub const fn note_torn(&mut self, dropped_bytes: u64) {
        self.torn_bytes = Some(dropped_bytes);
    }

    /// What stands at the head of the file.
    #[must_use]
    pub fn header(&self) -> Option<&Header> {
        self.header.as_deref()
    }

    /// What was asked.
    #[must_use]
    pub fn plan(&self) -> Option<&Plan> {
        self.header().map(|header| &header.plan)
    }

    /// What is known of each host.
    #[must_use]
    pub const fn environments(&self) -> &BTreeMap<String, BTreeMap<String, String>> {
        &self.environments
    }

    /// The last state that a client reported.
    #[must_use]
    pub fn client_state(&self, client: usize) -> Option<&ClientState> {
        self.clients.get(client)?.state.as_ref()
    }

    /// How late a client's load started by its own clock, where it started.
    #[must_use]
    pub fn start_lateness(&self, client: usize) -> Option<Duration> {
        self.clients.get(client)?.start_lateness
    }

    /// Every comparison of a client's clock with the controller's.
    #[must_use]
    pub fn clocks(&self) -> &[ClockRecord] {
        &self.clocks
    }

    /// Counters of the shaped links.
    #[must_use]
    pub fn links(&self) -> &[LinkRecord] {
        &self.links
    }

    /// How the run ended, where the file says so.
    #[must_use]
    pub const fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    /// The last whole second that is known of an application.
    #[must_use]
    pub fn recent(&self, client: usize, population: usize) -> Option<Recent> {
        self.application(client, population)?.recent().cloned()
    }

    /// The response-time bounds of an application's goals, rising, each once.
    #[must_use]
    pub fn response_time_bounds(&self, client: usize, population: usize) -> &[Duration] {
        self.application(client, population).map_or(&[], Application::bounds)
    }

    /// Every second that is known of an application, rising; seconds of which nothing is known are left out.
    pub fn seconds(&self, client: usize, population: usize) -> impl Iterator<Item = SecondSummary> + '_ {
        self.seconds_within(client, population, 0..u64::MAX)
    }

    /// The same, for the seconds of a range alone.
    pub fn seconds_within(
        &self,
        client: usize,
        population: usize,
        range: Range<u64>,
    ) -> impl Iterator<Item = SecondSummary> + '_ {
        let application = self.application(client, population);
        application.into_iter().flat_map(move |application| {
            let bounds = application.bounds().len();
            application.seconds(range.clone()).map(move |(second, counts)| SecondSummary {
                second,
                bytes: counts.happened.bytes,
                scheduled: counts.happened.scheduled,
                completed: counts.cohort.completed,
                unsuccessful: counts.cohort.unsuccessful,
                over: (0..bounds).map(|bound| counts.cohort.over(bound, View::Measured)).collect(),
                times: application.times(second),
                failed: counts.happened.failed.values().fold(0, |sum, n| sum.saturating_add(*n)),
                timed_out: counts.happened.timed_out,
                not_sent: counts.happened.not_sent.values().fold(0, |sum, n| sum.saturating_add(*n)),
                playback: counts.happened.playback.as_deref().copied(),
            })
        })
    }

    /// The payload that a client received in each second, by all its applications, by rising second; seconds of which nothing
    /// is known are left out. In bytes.
    #[must_use]
    pub fn client_payload(&self, client: usize) -> BTreeMap<u64, u64> {
        let mut payload: BTreeMap<u64, u64> = BTreeMap::new();
        let applications = self.clients.get(client).map_or(&[][..], |client| &client.applications);
        for (second, counts) in applications.iter().flat_map(|application| application.seconds(0..u64::MAX)) {
            let sum = payload.entry(second).or_default();
            *sum = sum.saturating_add(counts.happened.bytes);
        }
        payload
    }

    /// Why a client was lost, and when, where it was; the moment is absent where the run had not begun.
    #[must_use]
    pub fn lost(&self, client: usize) -> Option<(&str, Option<Moment>)> {
        let lost = self.clients.get(client)?.lost.as_ref()?;
        Some((&lost.reason, lost.at))
    }

    /// The distribution of a figure over the operations that were scheduled in the judged time and completed.
    #[must_use]
    pub fn distribution(&self, client: usize, population: usize, figure: Figure) -> Option<Distribution> {
        Some(self.application(client, population)?.distribution(figure, &self.judged_window().seconds))
    }

    pub(crate) fn application(&self, client: usize, population: usize) -> Option<&Application> {
        self.clients.get(client)?.applications.get(population)
    }

    pub(crate) fn clients(&self) -> &[Client] {
        &self.clients
    }

    pub(crate) fn server_usage(&self) -> &[ServerUsageRecord] {
        &self.server_usage
    }

    pub(crate) fn server_lost(&self) -> Option<&str> {
        self.server_lost.as_deref()
    }

    pub(crate) const fn operations_left_out(&self) -> u64 {
        self.operations_left_out
    }

    pub(crate) const fn torn_bytes(&self) -> Option<u64> {
        self.torn_bytes
    }

    pub(crate) const fn strays(&self) -> &Strays {
        &self.strays
    }
}

impl RunRecord {
    fn open(&mut self, header: &Header) {
        if self.header.is_some() {
            self.strays.note("the run was opened twice");
            return;
        }
        // Everything that follows counts on the bounds of a valid plan.
        if let Err(error) = header.plan.validate() {
            self.strays.note(&format!("the plan is out of bounds: {error}"));
            return;
        }
        let of_client = |client: &crate::plan::ClientPlan| Client {
            applications: client.populations.iter().map(Application::new).collect(),
            witness: vec![Vec::new(); client.populations.len()],
            ..Client::default()
        };
        self.clients = header.plan.clients.iter().map(of_client).collect();
        let drained = header.plan.end() + header.plan.drain();
        self.last_second = drained.second().saturating_add(SLACK_SECONDS);
        self.header = Some(Box::new(header.clone()));
        self.settling = self.settling_window().seconds;
    }

    fn enter(&mut self, client: u32, state: &ClientState, at: Option<Moment>) {
        let end = self.plan().map_or(Moment::NEVER, Plan::end);
        let Some(client) = self.client(client, "a client's state") else { return };
        match state {
            ClientState::Joined | ClientState::Armed => {}
            ClientState::Running { start_lateness } => {
                client.start_lateness.get_or_insert(*start_lateness);
            }
            ClientState::Draining | ClientState::Done => {
                let stopped_at = at.filter(|at| *at < end);
                client.stopped_at = client.stopped_at.or(stopped_at);
            }
            // Whoever has told all it knows may go.
            ClientState::Lost { .. } if matches!(client.state, Some(ClientState::Done)) => return,
            ClientState::Lost { reason } => {
                let known_until = client.known_until();
                client.lost.get_or_insert_with(|| Lost { reason: reason.clone(), at, known_until });
            }
        }
        client.state = Some(state.clone());
        self.settling = self.settling_window().seconds;
    }

    fn take_interval(&mut self, record: &IntervalRecord) {
        if !self.is_near(record.second) {
            return self.strays.note("a second far past the end of the run");
        }
        let settling = self.settling.clone();
        let Some(client) = self.client(record.client, "a second") else { return };
        match client.applications.get_mut(index(record.population)) {
            Some(application) => application.apply(record, &settling),
            None => self.strays.note("a second of an application that the plan does not have"),
        }
    }

    fn take_usage(&mut self, usage: &UsageRecord) {
        if !self.is_near(usage.second) {
            return self.strays.note("a client's effort far past the end of the run");
        }
        if let Some(client) = self.client(usage.client, "a client's effort") {
            client.driver_cpu.insert(usage.second, usage.driver_cpu);
        }
    }

    fn take_witness(&mut self, witness: &WitnessRecord) {
        let Some(client) = self.client(witness.client, "a server's account") else { return };
        if let Some(connections) = &witness.connections {
            client.beside.transport.take(connections);
        }
        match client.witness.get_mut(index(witness.population)) {
            Some(rows) => rows.push(*witness),
            None => self.strays.note("a server's account of an application that the plan does not have"),
        }
    }

    /// The client of this number; where there is none, that is noted.
    fn client(&mut self, client: u32, what: &str) -> Option<&mut Client> {
        let found = self.clients.get_mut(index(client));
        if found.is_none() {
            self.strays.note(&format!("{what} of a client that the plan does not have"));
        }
        found
    }

    fn is_near(&self, second: u64) -> bool {
        second <= self.last_second
    }
}

impl Client {
    /// Whether it was lost before the run had started, and the others went on without it.
    pub(crate) fn was_left_out(&self) -> bool {
        let never_began = self.start_lateness.is_none() && self.known_until() == 0;
        never_began && self.lost.as_ref().is_some_and(|lost| lost.at.is_none())
    }

    /// The first second of which not every application has told.
    pub(crate) fn known_until(&self) -> u64 {
        self.applications.iter().map(Application::known_until).min().unwrap_or(0)
    }
}

impl Strays {
    fn note(&mut self, what: &str) {
        self.count = self.count.saturating_add(1);
        self.first.get_or_insert_with(|| what.to_owned());
    }
}

fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
