//! The controller's side of a run, as a state machine: who is ready, when to start, who is lost.
//!
//! Its peers are devices: agents that said hello already, each of which plays one or several of the plan's clients. It is
//! driven from outside like the load engine: `now` is the controller's monotonic clock in nanoseconds, and
//! what it wants done comes out of [`Session::poll_action`]. It never waits for anything without a deadline,
//! and a device that vanishes never stops the others.
//!
//! The way of a run: each device gets its task and reaches the server; when all are ready the clocks are compared, so that
//! they have little time left to drift apart; all start at one moment; each tells what happened, and its clock is
//! compared once more.

mod comparing;
mod peer;

use std::collections::VecDeque;
use std::ops::Range;
use std::time::Duration;

use burn_model::plan::Plan;
use burn_model::record::{ClientState, Ending, Phase, RunEvent};
use burn_model::time::{Moment, nanos};

use super::message::{Assignment, FromAgent, Source, ToAgent};
use super::testimony;
use peer::{Peer, Stage};

/// How long it may take to reach the server.
const READY_DEADLINE: Duration = Duration::from_secs(20);
/// From the order to start to the start, at least: long enough for the order to get through on any ordinary link.
const LEAD: Duration = Duration::from_millis(500);
/// For each device some more: where many agents share a processor, each needs its time to get ready.
const LEAD_OF_A_DEVICE: Duration = Duration::from_millis(5);
/// A link whose probes took longer gets so many of its longest round trips: the order takes half of one, where the link is
/// no worse than it was.
const LEAD_ROUND_TRIPS: u32 = 4;
/// More than this is not waited for anybody; an order that comes too late shows as a late start.
const LONGEST_LEAD: Duration = Duration::from_secs(10);
/// How long an agent may take after its drain to fetch the server's account and say that it is done.
const FAREWELL_DEADLINE: Duration = Duration::from_secs(15);

/// So many devices ask the server for its account of itself. One is heard; the others are there where that one is lost.
const SERVER_ASKED_BY: usize = 3;

/// One device's part of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What the device is called.
    pub name: String,
    /// Which of the plan's clients it plays.
    pub clients: Range<usize>,
    /// Where its bytes come from: the server under the name by which this device reaches it.
    pub source: Source,
    /// Silent for this long under load, it is lost.
    pub patience: Duration,
    /// Why the device is not there, where the run goes on without it.
    pub absent: Option<String>,
}

/// Whether a run may start when a device turns out to be of no use before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attendance {
    /// It would not be the run that was asked for.
    Everybody,
    /// Whoever is there starts; the others are lost from the beginning.
    WhoeverIsThere,
}

/// What the controller should do next.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Send this to a device's agent.
    Send(usize, ToAgent),
    /// Write this to the run file.
    Record(RunEvent),
    /// Let go of a device's agent; whatever it still says is not heard.
    Dismiss(usize),
}

/// Why a run never started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotStarted(pub String);

/// The controller's side of one run.
#[derive(Debug)]
pub struct Session {
    plan: Plan,
    /// Of all populations of all clients: asked for at every message.
    drain: Duration,
    attendance: Attendance,
    peers: Vec<Peer>,
    /// Devices that wait for their clocks to be compared: too many at once would only measure each other.
    to_compare: VecDeque<usize>,
    comparing: usize,
    actions: VecDeque<Action>,
    started_at: Option<u64>,
    /// Whether the load has ended, and only what is under way may still finish.
    drains: bool,
    /// Who told the server's account of itself first: it is heard on, and no other.
    server_told_by: Option<usize>,
    stopped: Option<(u64, String)>,
    not_started: Option<NotStarted>,
}

impl Session {
    /// A session of a valid plan, whose clients are each played by one of these devices.
    #[must_use]
    pub fn new(plan: Plan, parts: Vec<Part>, attendance: Attendance, now: u64) -> Self {
        let drain = plan.drain();
        let peers = parts.into_iter().map(|part| Peer::new(part, &plan)).collect();
        let mut session = Self {
            plan,
            drain,
            attendance,
            peers,
            to_compare: VecDeque::new(),
            comparing: 0,
            actions: VecDeque::new(),
            started_at: None,
            server_told_by: None,
            drains: false,
            stopped: None,
            not_started: None,
        };
        session.call(now);
        session
    }

    /// The next thing to do, if any. Ask until `None` after every other call.
    pub fn poll_action(&mut self) -> Option<Action> {
        self.actions.pop_front()
    }

    /// When [`handle_timeout`](Self::handle_timeout) must be called next.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<u64> {
        let deadlines = self.peers.iter().filter_map(|peer| self.deadline(peer)).map(|(at, _)| at);
        deadlines.chain(self.load_ends_at().filter(|_| !self.drains && !self.is_over())).min()
    }

    /// Time has passed.
    pub fn handle_timeout(&mut self, now: u64) {
        if self.load_ends_at().is_some_and(|end| end <= now) {
            self.drain();
        }
        for device in 0..self.peers.len() {
            if let Some((at, why)) = self.deadline(&self.peers[device])
                && at <= now
            {
                let reason = why.reason(&self.peers[device].part);
                self.lose(device, now, reason);
            }
        }
        self.advance(now);
    }

    /// A device's agent has said something.
    pub fn handle_message(&mut self, device: usize, message: FromAgent, now: u64) {
        let Some(peer) = self.peers.get_mut(device) else { return };
        if let Stage::Loading { heard } = &mut peer.stage {
            *heard = now;
        }
        match (message, &peer.stage) {
            (_, Stage::Lost | Stage::Finished) => {}
            (FromAgent::Ready { facts, server_facts }, Stage::Preparing { .. }) => {
                peer.stage = Stage::Ready;
                let host = format!("client {}", peer.part.name);
                self.record(RunEvent::Environment { host, facts: testimony::facts_of(facts) });
                if !server_facts.is_empty() && self.asks_server() == Some(device) {
                    let facts = testimony::facts_of(server_facts);
                    self.record(RunEvent::Environment { host: "server".to_owned(), facts });
                }
                self.enter(device, &ClientState::Armed, now);
            }
            (FromAgent::Reading { id, now_ns }, Stage::Probing { .. }) => self.take_reading(device, id, now_ns, now),
            (FromAgent::Refused { reason }, _) => self.lose(device, now, testimony::reason_of(&reason)),
            (FromAgent::Events { events }, Stage::Loading { .. }) => self.take_events(device, events, now),
            (FromAgent::Done, Stage::Loading { .. }) => {
                self.enter(device, &ClientState::Done, now);
                self.peers[device].stage = Stage::ToCompare { phase: Phase::After };
                self.to_compare.push_back(device);
            }
            (message, _) => {
                let name =
                    serde_json::to_value(&message).ok().and_then(|value| value["message"].as_str().map(str::to_owned));
                self.lose(device, now, format!("it sent '{}' out of turn", name.unwrap_or_default()));
            }
        }
        self.advance(now);
    }

    /// A device's agent is gone, or its stream cannot be read on.
    pub fn handle_gone(&mut self, device: usize, reason: &str, now: u64) {
        if self.peers.get(device).is_some_and(|peer| !matches!(peer.stage, Stage::Lost | Stage::Finished)) {
            self.lose(device, now, testimony::reason_of(reason));
            self.advance(now);
        }
    }

    /// Ends the load early: what is under way may finish, and everything known is told.
    pub fn stop(&mut self, by: &str, now: u64) {
        if self.stopped.is_some() {
            return;
        }
        self.stopped = Some((now, by.to_owned()));
        if self.started_at.is_none() {
            self.abandon(format!("{by} before the load started"));
        }
        for device in 0..self.peers.len() {
            if matches!(self.peers[device].stage, Stage::Loading { .. }) {
                self.actions.push_back(Action::Send(device, ToAgent::Stop));
            }
        }
        self.drain();
        self.advance(now);
    }

    /// Whether the load was told to end before its time, or what followed it.
    #[must_use]
    pub const fn is_stopping(&self) -> bool {
        self.stopped.is_some()
    }

    /// Whether nothing more is to come.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.not_started.is_some() || self.peers.iter().all(|peer| matches!(peer.stage, Stage::Lost | Stage::Finished))
    }

    /// Why the run never started, where it did not.
    #[must_use]
    pub const fn not_started(&self) -> Option<&NotStarted> {
        self.not_started.as_ref()
    }

    /// When the load starts or started, on the controller's clock.
    #[must_use]
    pub const fn started_at(&self) -> Option<u64> {
        self.started_at
    }

    /// How the run ended, once it is over.
    #[must_use]
    pub fn ending(&self) -> Ending {
        match (&self.not_started, &self.stopped) {
            (Some(NotStarted(reason)), _) => Ending::Failed { reason: reason.clone() },
            (None, Some((at, by))) if self.moment(*at).is_none_or(|at| at < self.plan.end()) => {
                Ending::Interrupted { at: self.moment(*at).unwrap_or(Moment::START), by: by.clone() }
            }
            _ => Ending::Finished,
        }
    }

    /// Says who is there, and gives everybody a task.
    fn call(&mut self, now: u64) {
        let until = now.saturating_add(nanos(READY_DEADLINE));
        let mut may_ask = SERVER_ASKED_BY;
        for device in 0..self.peers.len() {
            match self.peers[device].part.absent.clone() {
                Some(reason) => {
                    self.peers[device].stage = Stage::Lost;
                    self.enter(device, &ClientState::Lost { reason }, now);
                }
                None => {
                    self.enter(device, &ClientState::Joined, now);
                    self.peers[device].stage = Stage::Preparing { until };
                    let assignment = self.assignment(device, may_ask > 0);
                    may_ask = may_ask.saturating_sub(1);
                    self.actions.push_back(Action::Send(device, ToAgent::Prepare(Box::new(assignment))));
                }
            }
        }
        self.advance(now);
    }

    /// The first device that was there at the beginning: of many to whom the server tells its facts, one is heard.
    fn asks_server(&self) -> Option<usize> {
        self.peers.iter().position(|peer| peer.part.absent.is_none())
    }

    fn assignment(&self, device: usize, asks_server: bool) -> Assignment {
        let part = &self.peers[device].part;
        let own = self.plan.clients.get(part.clients.clone()).unwrap_or_default();
        let Plan { ref name, seed, warm_up, duration, keep_operations, .. } = self.plan;
        let plan = Plan { name: name.clone(), seed, warm_up, duration, keep_operations, clients: own.to_vec() };
        let populations = self.plan.clients.iter().flat_map(|client| &client.populations);
        let connections = populations.map(netburn_io::client::connections_needed).sum();
        let clients = part.clients.clone().map(index).collect();
        Assignment { plan, clients, connections, asks_server, source: part.source.clone() }
    }

    /// Goes on to the next step once everybody has done the last one.
    fn advance(&mut self, now: u64) {
        self.compare_next(now);
        if self.started_at.is_some() || self.not_started.is_some() {
            return;
        }
        let is_pending = |peer: &Peer| !matches!(peer.stage, Stage::Ready | Stage::Compared | Stage::Lost);
        if self.peers.iter().any(is_pending) {
            return;
        }
        let lost: Vec<String> = self.peers.iter().filter_map(Peer::loss).collect();
        if (!lost.is_empty() && self.attendance == Attendance::Everybody) || lost.len() == self.peers.len() {
            return self.abandon(lost.join("; "));
        }
        let ready: Vec<usize> = (0..self.peers.len()).filter(|i| self.peers[*i].stage == Stage::Ready).collect();
        if ready.is_empty() {
            return self.start(now);
        }
        for device in ready {
            self.peers[device].stage = Stage::ToCompare { phase: Phase::Before };
            self.to_compare.push_back(device);
        }
        self.compare_next(now);
    }

    /// Tells everybody when to start, each by his own clock.
    fn start(&mut self, now: u64) {
        let present = |peer: &&Peer| peer.stage == Stage::Compared;
        let slowest = self.peers.iter().filter(present).map(|peer| peer.longest_round_trip).max().unwrap_or_default();
        let devices = u32::try_from(self.peers.len()).unwrap_or(u32::MAX);
        let lead = LEAD.saturating_add(LEAD_OF_A_DEVICE.saturating_mul(devices));
        let lead = lead.max(slowest * LEAD_ROUND_TRIPS).min(LONGEST_LEAD);
        let at = now.saturating_add(nanos(lead));
        self.started_at = Some(at);
        for device in 0..self.peers.len() {
            let peer = &mut self.peers[device];
            let (Stage::Compared, Some(clock)) = (&peer.stage, peer.clock) else { continue };
            peer.stage = Stage::Loading { heard: at };
            let order = ToAgent::Start { at_ns: clock.best.there(at) };
            self.actions.push_back(Action::Send(device, order));
            self.record_clock(device, clock, Phase::Before);
        }
    }

    /// When the load ends or ended, on the controller's clock; `None` before it has a start.
    #[must_use]
    pub fn load_ends_at(&self) -> Option<u64> {
        let planned = self.started_at?.saturating_add(self.plan.end().as_nanos());
        Some(self.stopped.as_ref().map_or(planned, |(at, _)| planned.min(*at)))
    }

    /// The load has ended everywhere; what is under way may finish.
    fn drain(&mut self) {
        let Some(end) = self.load_ends_at().filter(|_| !self.drains) else { return };
        self.drains = true;
        for device in 0..self.peers.len() {
            if matches!(self.peers[device].stage, Stage::Loading { .. }) {
                self.enter(device, &ClientState::Draining, end);
            }
        }
    }

    fn take_events(&mut self, device: usize, events: Vec<RunEvent>, now: u64) {
        for event in events {
            let peer = &mut self.peers[device];
            if !matches!(event, RunEvent::Operation(_)) {
                let Some(left) = peer.allowance.checked_sub(1) else {
                    return self.lose(device, now, "it tells more than its part of the plan can hold".to_owned());
                };
                peer.allowance = left;
            }
            let Some(event) = testimony::admit(event, &self.plan, &peer.part.clients) else { continue };
            // Several ask for it, and each is told the same.
            if matches!(event, RunEvent::ServerUsage(_)) && *self.server_told_by.get_or_insert(device) != device {
                continue;
            }
            let event = match event {
                // It does not know the controller's clock.
                RunEvent::Client { client, state: state @ ClientState::Lost { .. }, at } => {
                    peer.given_up.insert(client);
                    RunEvent::Client { client, state, at: at.or(self.moment(now)) }
                }
                event => event,
            };
            self.record(event);
        }
    }

    /// Gives a device up. Before the start that may end the run: once all others have said whether they are of use.
    fn lose(&mut self, device: usize, now: u64, reason: String) {
        let peer = &mut self.peers[device];
        if matches!(peer.stage, Stage::Probing(_)) {
            self.comparing = self.comparing.saturating_sub(1);
        }
        peer.stage = Stage::Lost;
        peer.part.absent = Some(reason.clone());
        self.to_compare.retain(|waiting| *waiting != device);
        self.enter(device, &ClientState::Lost { reason }, now);
        self.actions.push_back(Action::Dismiss(device));
    }

    fn abandon(&mut self, reason: String) {
        if self.not_started.is_none() {
            self.not_started = Some(NotStarted(reason));
        }
    }

    /// Records a state of all clients that a device plays, but for those that it gave up itself.
    fn enter(&mut self, device: usize, state: &ClientState, now: u64) {
        let at = self.moment(now);
        let peer = &self.peers[device];
        let clients = peer.part.clients.clone().map(index).filter(|client| !peer.given_up.contains(client));
        let events: Vec<_> = clients.map(|client| RunEvent::Client { client, state: state.clone(), at }).collect();
        events.into_iter().for_each(|event| self.record(event));
    }

    fn record(&mut self, event: RunEvent) {
        self.actions.push_back(Action::Record(event));
    }

    /// A moment of the controller's clock on the run's time line; `None` before the run has one.
    fn moment(&self, now: u64) -> Option<Moment> {
        Some(Moment::from_nanos(now.saturating_sub(self.started_at?)))
    }
}

fn index(client: usize) -> u32 {
    // A plan has at most 1000 clients.
    u32::try_from(client).unwrap_or(u32::MAX)
}
