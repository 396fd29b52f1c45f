//! The controller's side of a run, as a state machine: who has joined, who is ready, when to start, who is lost.
//!
//! It is driven from outside like the load engine: `now` is the controller's monotonic clock in nanoseconds, and
//! what it wants done comes out of [`Session::poll_action`]. It never waits for anything without a deadline,
//! and a client that vanishes never stops the others.

use std::collections::VecDeque;
use std::time::Duration;

use burn_model::clock::Comparison;
use burn_model::plan::Plan;
use burn_model::record::{ClientState, ClockRecord, Ending, Phase, RunEvent};
use burn_model::time::{Moment, nanos};

use super::message::{Assignment, FromAgent, Source, ToAgent, VERSION};

/// How long an agent may take to say hello, and to have its clock compared.
const HELLO_DEADLINE: Duration = Duration::from_secs(15);
/// How many exchanges make a comparison of clocks.
const EXCHANGES: u32 = 10;
/// How long it may take to reach the server.
const READY_DEADLINE: Duration = Duration::from_secs(20);
/// From the order to start to the start: long enough for the order to get through everywhere.
const LEAD: Duration = Duration::from_millis(500);
/// An agent under load reports each second; silent for this long, it is lost.
const SILENCE_DEADLINE: Duration = Duration::from_secs(5);
/// How long an agent may take after its drain to fetch the server's account and say that it is done.
const FAREWELL_DEADLINE: Duration = Duration::from_secs(15);

/// What the controller should do next.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Send this to a client's agent.
    Send(usize, ToAgent),
    /// Write this to the run file.
    Record(RunEvent),
    /// Let go of a client's agent; whatever it still says is not heard.
    Dismiss(usize),
}

/// Why a run never started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotStarted(pub String);

/// Where one client stands.
#[derive(Clone, Debug, PartialEq)]
enum Stage {
    /// Nothing was heard of it yet.
    Expected { until: u64 },
    /// Its clock is being compared, before or after the load.
    Probing { phase: Phase, sent: u32, sent_at: u64, best: Option<Comparison>, until: u64 },
    /// It has its task.
    Preparing { until: u64 },
    /// It waits for the start.
    Armed,
    /// It has been told when to start.
    Loading { heard: u64 },
    /// All is known of it.
    Finished,
    /// It is gone.
    Lost,
}

#[derive(Debug)]
struct Peer {
    stage: Stage,
    clock: Option<Comparison>,
}

/// The controller's side of one run.
#[derive(Debug)]
pub struct Session {
    plan: Plan,
    source: Source,
    peers: Vec<Peer>,
    actions: VecDeque<Action>,
    started_at: Option<u64>,
    stopped: Option<(u64, String)>,
    not_started: Option<NotStarted>,
}

impl Session {
    /// A session that expects one agent for each of the plan's clients.
    #[must_use]
    pub fn new(plan: Plan, source: Source, now: u64) -> Self {
        let until = now.saturating_add(nanos(HELLO_DEADLINE));
        let peers = plan.clients.iter().map(|_| Peer { stage: Stage::Expected { until }, clock: None }).collect();
        Self { plan, source, peers, actions: VecDeque::new(), started_at: None, stopped: None, not_started: None }
    }

    /// The next thing to do, if any. Ask until `None` after every other call.
    pub fn poll_action(&mut self) -> Option<Action> {
        self.actions.pop_front()
    }

    /// When [`handle_timeout`](Self::handle_timeout) must be called next.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<u64> {
        self.peers.iter().filter_map(|peer| self.deadline(peer)).map(|(at, _)| at).min()
    }

    /// Time has passed.
    pub fn handle_timeout(&mut self, now: u64) {
        for client in 0..self.peers.len() {
            if let Some((at, what)) = self.deadline(&self.peers[client])
                && at <= now
            {
                self.lose(client, now, what.to_owned());
            }
        }
        self.advance(now);
    }

    /// A client's agent has said something.
    pub fn handle_message(&mut self, client: usize, message: FromAgent, now: u64) {
        let Some(peer) = self.peers.get_mut(client) else { return };
        if let Stage::Loading { heard } = &mut peer.stage {
            *heard = now;
        }
        match (message, &peer.stage) {
            (_, Stage::Lost | Stage::Finished) => {}
            (FromAgent::Hello { version, program }, Stage::Expected { .. }) => {
                if version == VERSION {
                    self.enter(client, ClientState::Joined, now);
                    self.probe(client, Phase::Before, now);
                } else {
                    self.lose(
                        client,
                        now,
                        format!(
                            "it runs {program}, whose control messages are version {version}; this is version {VERSION}"
                        ),
                    );
                }
            }
            (FromAgent::Reading { id, now_ns }, Stage::Probing { .. }) => self.compare(client, id, now_ns, now),
            (FromAgent::Ready { facts, server_facts }, Stage::Preparing { .. }) => {
                peer.stage = Stage::Armed;
                let host = format!("client {}", self.plan.clients[client].name);
                self.record(RunEvent::Environment { host, facts });
                if client == 0 && !server_facts.is_empty() {
                    self.record(RunEvent::Environment { host: "server".to_owned(), facts: server_facts });
                }
                self.enter(client, ClientState::Armed, now);
            }
            (FromAgent::Refused { reason }, _) => self.lose(client, now, reason),
            (FromAgent::Events { events }, Stage::Loading { .. }) => {
                for event in events {
                    if may_report(&event, client) {
                        self.record(event);
                    }
                }
            }
            (FromAgent::Done, Stage::Loading { .. }) => {
                self.enter(client, ClientState::Done, now);
                self.probe(client, Phase::After, now);
            }
            (message, _) => {
                let name =
                    serde_json::to_value(&message).ok().and_then(|value| value["message"].as_str().map(str::to_owned));
                self.lose(client, now, format!("it sent '{}' out of turn", name.unwrap_or_default()));
            }
        }
        self.advance(now);
    }

    /// A client's agent is gone, or its stream cannot be read on.
    pub fn handle_gone(&mut self, client: usize, reason: String, now: u64) {
        if self.peers.get(client).is_some_and(|peer| !matches!(peer.stage, Stage::Lost | Stage::Finished)) {
            self.lose(client, now, reason);
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
        for client in 0..self.peers.len() {
            if matches!(self.peers[client].stage, Stage::Loading { .. }) {
                self.actions.push_back(Action::Send(client, ToAgent::Stop));
            }
        }
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

    /// When a client is given up, and why.
    fn deadline(&self, peer: &Peer) -> Option<(u64, &'static str)> {
        let after = |at: u64, time: Duration| at.saturating_add(nanos(time));
        match peer.stage {
            Stage::Expected { until } => Some((until, "nothing was heard of it")),
            Stage::Probing { until, .. } => Some((until, "it stopped answering while its clock was compared")),
            Stage::Preparing { until } => Some((until, "it did not say in time whether it reaches the server")),
            Stage::Loading { heard } => {
                // From its last second on it drains, fetches the server's account, and is silent meanwhile.
                let load_ends = self
                    .stopped
                    .as_ref()
                    .map_or(self.plan.end(), |(at, _)| self.moment(*at).unwrap_or(Moment::START).min(self.plan.end()));
                let last = after(self.started_at?, load_ends.since_start() + self.plan.drain());
                let silent = after(heard.max(self.started_at?), SILENCE_DEADLINE);
                if silent < last {
                    Some((silent, "nothing was heard of it for 5 s"))
                } else {
                    // However much it still says: otherwise one that never ends would never let the run end.
                    Some((after(last, FAREWELL_DEADLINE), "it did not finish in time after the load"))
                }
            }
            Stage::Armed | Stage::Finished | Stage::Lost => None,
        }
    }

    /// Begins to compare a client's clock.
    fn probe(&mut self, client: usize, phase: Phase, now: u64) {
        let until = now.saturating_add(nanos(HELLO_DEADLINE));
        self.peers[client].stage = Stage::Probing { phase, sent: 1, sent_at: now, best: None, until };
        self.actions.push_back(Action::Send(client, ToAgent::Probe { id: 1 }));
    }

    /// Takes a reading of a client's clock; asks for the next one, or goes on.
    fn compare(&mut self, client: usize, id: u64, there: u64, now: u64) {
        let Stage::Probing { phase, sent, sent_at, best, .. } = &mut self.peers[client].stage else { return };
        if id != u64::from(*sent) {
            self.lose(client, now, "it answered a clock probe that was not asked".to_owned());
            return;
        }
        let seen = Comparison::of(*sent_at, there, now);
        let least = best.map_or(seen, |best| best.min(seen));
        if *sent < EXCHANGES {
            *best = Some(least);
            *sent += 1;
            *sent_at = now;
            let id = u64::from(*sent);
            self.actions.push_back(Action::Send(client, ToAgent::Probe { id }));
            return;
        }
        let phase = *phase;
        self.record(RunEvent::Clock(ClockRecord {
            client: index(client),
            offset_ns: least.offset_ns,
            uncertainty: least.uncertainty,
            phase,
        }));
        match phase {
            Phase::Before => {
                self.peers[client].clock = Some(least);
                self.peers[client].stage = Stage::Preparing { until: now.saturating_add(nanos(READY_DEADLINE)) };
                let assignment =
                    Assignment { plan: self.plan.clone(), client: index(client), source: self.source.clone() };
                self.actions.push_back(Action::Send(client, ToAgent::Prepare(Box::new(assignment))));
            }
            Phase::After => {
                self.peers[client].stage = Stage::Finished;
                self.actions.push_back(Action::Dismiss(client));
            }
        }
    }

    /// Starts the load once everybody is ready.
    fn advance(&mut self, now: u64) {
        if self.started_at.is_some()
            || self.not_started.is_some()
            || !self.peers.iter().all(|peer| peer.stage == Stage::Armed)
        {
            return;
        }
        let at = now.saturating_add(nanos(LEAD));
        self.started_at = Some(at);
        for (client, peer) in self.peers.iter_mut().enumerate() {
            let at_ns = peer.clock.map_or(at, |clock| clock.there(at));
            peer.stage = Stage::Loading { heard: at };
            self.actions.push_back(Action::Send(client, ToAgent::Start { at_ns }));
        }
    }

    /// Gives a client up. Before the start that ends the run: it would not be the run that was asked for.
    fn lose(&mut self, client: usize, now: u64, reason: String) {
        self.peers[client].stage = Stage::Lost;
        self.enter(client, ClientState::Lost { reason: reason.clone() }, now);
        self.actions.push_back(Action::Dismiss(client));
        if self.started_at.is_none() {
            self.abandon(format!("client '{}': {reason}", self.plan.clients[client].name));
        }
    }

    fn abandon(&mut self, reason: String) {
        if self.not_started.is_none() {
            self.not_started = Some(NotStarted(reason));
        }
    }

    fn enter(&mut self, client: usize, state: ClientState, now: u64) {
        let at = self.moment(now);
        self.record(RunEvent::Client { client: index(client), state, at });
    }

    fn record(&mut self, event: RunEvent) {
        self.actions.push_back(Action::Record(event));
    }

    /// A moment of the controller's clock on the run's time line; `None` before the run has one.
    fn moment(&self, now: u64) -> Option<Moment> {
        Some(Moment::from_nanos(now.saturating_sub(self.started_at?)))
    }
}

/// Whether an event is one that this client's agent may report: its own doings, and what the server told it.
fn may_report(event: &RunEvent, client: usize) -> bool {
    let own = |of: u32| of == index(client);
    match event {
        RunEvent::Interval(interval) => own(interval.client),
        RunEvent::Operation(operation) => own(operation.client),
        RunEvent::Usage(usage) => own(usage.client),
        RunEvent::Witness(witness) => own(witness.client),
        RunEvent::Dropped { client, .. } => own(*client),
        RunEvent::Client { client, state: ClientState::Running { .. } | ClientState::Draining, .. } => own(*client),
        RunEvent::ServerUsage(_) | RunEvent::ServerLost { .. } | RunEvent::OperationsLeftOut { .. } => true,
        RunEvent::Opened(_)
        | RunEvent::Environment { .. }
        | RunEvent::Clock(_)
        | RunEvent::Client { .. }
        | RunEvent::Link(_)
        | RunEvent::Closed { .. } => false,
    }
}

fn index(client: usize) -> u32 {
    // A plan has at most 1000 clients.
    u32::try_from(client).unwrap_or(u32::MAX)
}
