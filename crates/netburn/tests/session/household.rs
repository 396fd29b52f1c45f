//! Devices in virtual time.

use std::collections::BTreeMap;
use std::time::Duration;

use burn_model::plan::{Arrival, ClientPlan, Operation, Plan, Population};
use burn_model::record::{ClientState, FORMAT, Header, RunEvent};
use burn_model::run::RunRecord;
use burn_model::time::Moment;
use netburn::control::message::{FromAgent, Source, ToAgent};
use netburn::control::session::{Action, Attendance, Part, Session};
use netburn_io::protocol::RunToken;

pub(crate) const MS: u64 = 1_000_000;
pub(crate) const S: u64 = 1000 * MS;

/// Agents in virtual time: each answers after its own delay, by a clock that is off by its own offset.
pub(crate) struct Household {
    pub(crate) plan: Plan,
    pub(crate) session: Session,
    pub(crate) now: u64,
    /// Answers under way: when they arrive, from whom, what.
    pub(crate) under_way: Vec<(u64, usize, FromAgent)>,
    pub(crate) recorded: Vec<RunEvent>,
    pub(crate) started: Vec<Option<u64>>,
    pub(crate) dismissed: Vec<usize>,
    pub(crate) released: Vec<usize>,
    /// What a message takes from the device to the controller.
    pub(crate) delay: Vec<u64>,
    /// What it takes the other way.
    pub(crate) delay_there: Vec<u64>,
    pub(crate) offset: Vec<u64>,
    /// How much faster each device's clock runs than the controller's, in parts per million.
    pub(crate) drift_ppm: Vec<i64>,
    pub(crate) dead: Vec<bool>,
    pub(crate) load: u64,
}

impl Household {
    /// Devices that play one client each.
    pub(crate) fn new(clients: usize, load_s: u64) -> Self {
        Self::of(&vec![1; clients], load_s, Attendance::Everybody, &[])
    }

    /// Devices that play so many clients each; some of them are not there.
    pub(crate) fn of(clients_of: &[usize], load_s: u64, attendance: Attendance, absent: &[usize]) -> Self {
        let (clients, devices) = (clients_of.iter().sum(), clients_of.len());
        let population = Population {
            name: "browsing".into(),
            arrival: Arrival::Closed { people: 1, reading_time: Duration::from_secs(1) },
            operation: Operation { parts: 1, part_bytes: 1000 },
            in_flight: 1,
            deadline: Duration::from_secs(10),
            drain: Duration::from_secs(2),
            goals: vec![],
            media: None,
        };
        let clients_plan =
            (0..clients).map(|i| ClientPlan { name: format!("c{i}"), populations: vec![population.clone()] }).collect();
        let plan = Plan {
            name: "t".into(),
            seed: 1,
            warm_up: Duration::ZERO,
            duration: Duration::from_secs(load_s),
            keep_operations: false,
            clients: clients_plan,
        };
        let source = Source::Server { url: "http://127.0.0.1:1".into(), token: RunToken::from_bits(1) };
        let now = 1000 * S;
        let mut first = 0;
        let parts = clients_of.iter().enumerate().map(|(device, clients)| {
            first += clients;
            Part {
                name: format!("c{device}"),
                clients: first - clients..first,
                source: source.clone(),
                patience: Duration::from_secs(5),
                absent: absent.contains(&device).then(|| "it did not join".to_owned()),
            }
        });
        Self {
            session: Session::new(plan.clone(), parts.collect(), attendance, now),
            plan,
            now,
            under_way: vec![],
            recorded: vec![],
            started: vec![None; devices],
            dismissed: vec![],
            released: vec![],
            delay: vec![MS; devices],
            delay_there: vec![MS; devices],
            drift_ppm: vec![0; devices],
            offset: (0..devices as u64).map(|i| i * 3600 * S).collect(),
            dead: vec![false; devices],
            load: load_s * S,
        }
    }

    /// What a device's clock reads at a moment of the controller's.
    pub(crate) fn reading(&self, client: usize, at: u64) -> u64 {
        let since = i128::from(at) - i128::from(1000 * S);
        let drifted = since * i128::from(self.drift_ppm[client]) / 1_000_000;
        u64::try_from(i128::from(at) + i128::from(self.offset[client]) + drifted).unwrap()
    }

    /// The moment of the controller's clock at which a device's clock reads this.
    pub(crate) fn moment_of(&self, client: usize, reading: u64) -> u64 {
        let since = i128::from(reading) - i128::from(self.offset[client]) - i128::from(1000 * S);
        let own = since * 1_000_000 / (1_000_000 + i128::from(self.drift_ppm[client]));
        u64::try_from(own + i128::from(1000 * S)).unwrap()
    }

    pub(crate) fn say(&mut self, client: usize, after: u64, message: FromAgent) {
        self.under_way.push((self.now + after + self.delay[client], client, message));
    }

    /// Carries out what the session wants, and lets the agents answer.
    pub(crate) fn settle(&mut self) {
        while let Some(action) = self.session.poll_action() {
            match action {
                Action::Record(event) => self.recorded.push(event),
                Action::Dismiss(client) => self.dismissed.push(client),
                Action::Send(client, _) if self.dead[client] => {}
                Action::Send(client, ToAgent::Probe { id }) => {
                    let there = self.delay_there[client];
                    let now_ns = self.reading(client, self.now + there);
                    self.say(client, there, FromAgent::Reading { id, now_ns });
                }
                Action::Send(client, ToAgent::Prepare(_)) => {
                    self.say(
                        client,
                        10 * MS,
                        FromAgent::Ready { facts: BTreeMap::new(), server_facts: BTreeMap::new() },
                    );
                }
                Action::Send(client, ToAgent::Start { at_ns }) => {
                    // Its own clock tells it when; an order that comes too late is carried out at once.
                    let at = self.moment_of(client, at_ns).max(self.now + self.delay_there[client]);
                    self.started[client] = Some(at);
                    let wait = at - self.now;
                    let running = ClientState::Running { start_lateness: Duration::ZERO };
                    let event = RunEvent::Client {
                        client: u32::try_from(client).unwrap(),
                        state: running,
                        at: Some(Moment::START),
                    };
                    self.say(client, wait, FromAgent::Events { events: vec![event] });
                    for second in 1..=self.load / S {
                        self.say(client, wait + second * S, FromAgent::Events { events: vec![] });
                    }
                    self.say(client, wait + self.load + S, FromAgent::Done);
                }
                Action::Send(client, ToAgent::Release) => self.released.push(client),
                Action::Send(client, ToAgent::Stop) => {
                    self.under_way.retain(|(_, from, _)| *from != client);
                    self.say(client, S, FromAgent::Done);
                }
            }
        }
    }

    /// Runs until the session is over or `until`.
    pub(crate) fn run_until(&mut self, until: u64) {
        self.settle();
        while !self.session.is_over() {
            let next =
                self.under_way.iter().enumerate().filter(|(_, m)| !self.dead[m.1]).min_by_key(|(i, m)| (m.0, *i));
            let message = next.map(|(i, m)| (i, m.0));
            let timeout = self.session.poll_timeout();
            match (message, timeout) {
                (Some((i, at)), timeout) if timeout.is_none_or(|t| at <= t) => {
                    if at > until {
                        return;
                    }
                    self.now = at;
                    let (_, client, message) = self.under_way.remove(i);
                    self.session.handle_message(client, message, at);
                }
                (_, Some(at)) => {
                    if at > until {
                        return;
                    }
                    self.now = at;
                    self.session.handle_timeout(at);
                }
                (_, None) => return,
            }
            self.settle();
        }
    }

    pub(crate) fn run(&mut self) {
        self.run_until(u64::MAX);
    }

    /// What the events recorded so far say of the run.
    pub(crate) fn record(&self) -> RunRecord {
        let mut run = RunRecord::new();
        run.apply(&RunEvent::Opened(Box::new(Header {
            format: FORMAT,
            program: "netburn t".into(),
            run: "00".into(),
            started_at: "2026-01-01T00:00:00Z".into(),
            verified_server: true,
            server: "http://127.0.0.1:1".into(),
            digest: self.plan.digest(),
            plan: self.plan.clone(),
            scenario: None,
            remarks: vec![],
        })));
        self.recorded.iter().for_each(|event| run.apply(event));
        run
    }

    pub(crate) fn lost(&self) -> Vec<(u32, &str)> {
        self.recorded
            .iter()
            .filter_map(|event| match event {
                RunEvent::Client { client, state: ClientState::Lost { reason }, .. } => {
                    Some((*client, reason.as_str()))
                }
                _ => None,
            })
            .collect()
    }
}
