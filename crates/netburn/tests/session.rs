//! The controller's session in virtual time: no process, no socket, no clock.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::time::Duration;

use burn_model::plan::{Arrival, ClientPlan, Operation, Plan, Population};
use burn_model::record::{ClientState, ClockRecord, Ending, Phase, RunEvent, ServerUsageRecord, UsageRecord};
use burn_model::time::Moment;
use netburn::control::message::{FromAgent, Source, ToAgent};
use netburn::control::session::{Action, Attendance, Part, Session};
use netburn_io::protocol::RunToken;

const MS: u64 = 1_000_000;
const S: u64 = 1000 * MS;

/// Agents in virtual time: each answers after its own delay, by a clock that is off by its own offset.
struct Household {
    session: Session,
    now: u64,
    /// Answers under way: when they arrive, from whom, what.
    under_way: Vec<(u64, usize, FromAgent)>,
    recorded: Vec<RunEvent>,
    started: Vec<Option<u64>>,
    dismissed: Vec<usize>,
    released: Vec<usize>,
    delay: Vec<u64>,
    offset: Vec<u64>,
    dead: Vec<bool>,
    load: u64,
}

impl Household {
    /// Devices that play one client each.
    fn new(clients: usize, load_s: u64) -> Self {
        Self::of(&vec![1; clients], load_s, Attendance::Everybody, &[])
    }

    /// Devices that play so many clients each; some of them are not there.
    fn of(clients_of: &[usize], load_s: u64, attendance: Attendance, absent: &[usize]) -> Self {
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
            session: Session::new(plan, parts.collect(), attendance, now),
            now,
            under_way: vec![],
            recorded: vec![],
            started: vec![None; devices],
            dismissed: vec![],
            released: vec![],
            delay: vec![MS; devices],
            offset: (0..devices as u64).map(|i| i * 3600 * S).collect(),
            dead: vec![false; devices],
            load: load_s * S,
        }
    }

    fn say(&mut self, client: usize, after: u64, message: FromAgent) {
        self.under_way.push((self.now + after + self.delay[client], client, message));
    }

    /// Carries out what the session wants, and lets the agents answer.
    fn settle(&mut self) {
        while let Some(action) = self.session.poll_action() {
            match action {
                Action::Record(event) => self.recorded.push(event),
                Action::Dismiss(client) => self.dismissed.push(client),
                Action::Send(client, _) if self.dead[client] => {}
                Action::Send(client, ToAgent::Probe { id }) => {
                    let now_ns = self.now + self.delay[client] + self.offset[client];
                    self.say(client, self.delay[client], FromAgent::Reading { id, now_ns });
                }
                Action::Send(client, ToAgent::Prepare(_)) => {
                    self.say(
                        client,
                        10 * MS,
                        FromAgent::Ready { facts: BTreeMap::new(), server_facts: BTreeMap::new() },
                    );
                }
                Action::Send(client, ToAgent::Start { at_ns }) => {
                    let at = at_ns - self.offset[client];
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
    fn run_until(&mut self, until: u64) {
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

    fn run(&mut self) {
        self.run_until(u64::MAX);
    }

    fn lost(&self) -> Vec<(u32, &str)> {
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

#[test]
fn clients_whose_clocks_are_hours_apart_start_at_the_same_moment() {
    let mut household = Household::new(4, 10);
    household.delay = vec![MS, 5 * MS, 20 * MS, 0];
    household.run();
    let start = household.session.started_at().unwrap();
    // Each way takes the same time, so the middle of a round trip is exact and so is the start.
    assert_eq!(household.started, [Some(start); 4]);
    assert_eq!(household.session.ending(), Ending::Finished);
    let uncertainties: Vec<_> = household
        .recorded
        .iter()
        .filter_map(|event| match event {
            RunEvent::Clock(ClockRecord { client: 2, uncertainty, phase: Phase::Before, .. }) => Some(*uncertainty),
            _ => None,
        })
        .collect();
    // Client 2 has 20 ms each way in the harness, and 20 ms more for the answer: half of 60 ms at most.
    assert!(uncertainties.iter().all(|u| *u <= Duration::from_millis(30)), "{uncertainties:?}");
    assert_eq!(uncertainties.len(), 1);
}

#[test]
fn every_client_is_compared_before_and_after_the_load() {
    let mut household = Household::new(3, 5);
    household.run();
    let phases =
        |phase| household.recorded.iter().filter(|e| matches!(e, RunEvent::Clock(c) if c.phase == phase)).count();
    assert_eq!((phases(Phase::Before), phases(Phase::After)), (3, 3));
    assert_eq!((household.released.len(), household.dismissed.len()), (3, 0), "each waits for another task");
}

#[test]
fn a_client_that_falls_silent_is_lost_after_five_seconds_and_the_others_finish() {
    let mut household = Household::new(3, 30);
    household.run_until(household.now + 10 * S);
    let start = household.session.started_at().unwrap();
    household.dead[1] = true;
    household.run();
    assert_eq!(household.lost(), [(1, "nothing was heard of it for 5 s")]);
    let lost_at = household.recorded.iter().find_map(|event| match event {
        RunEvent::Client { client: 1, state: ClientState::Lost { .. }, at } => *at,
        _ => None,
    });
    // Its last words came in the second before 10 s after the beginning; five seconds later it is given up.
    let since_start = 1010 * S - start;
    let last_heard = since_start - since_start % S + MS;
    assert_eq!(lost_at, Some(Moment::from_nanos(last_heard + 5 * S)));
    assert_eq!(household.session.ending(), Ending::Finished);
    let done = household.recorded.iter().filter(|e| matches!(e, RunEvent::Client { state: ClientState::Done, .. }));
    assert_eq!(done.count(), 2);
}

#[test]
fn a_run_does_not_start_without_everybody() {
    let mut household = Household::new(2, 5);
    household.dead[1] = true;
    household.run();
    assert_eq!(household.session.started_at(), None);
    assert_eq!(
        household.session.not_started().unwrap().to_string(),
        "client 'c1': it did not say in time whether it reaches the server"
    );
    assert!(matches!(household.session.ending(), Ending::Failed { .. }));
}

#[test]
fn a_stop_ends_the_load_and_still_hears_everybody_out() {
    let mut household = Household::new(2, 60);
    household.run_until(household.now + 10 * S);
    let start = household.session.started_at().unwrap();
    household.now += S / 2;
    household.session.stop("Ctrl-C", household.now);
    let at = Moment::from_nanos(household.now - start);
    household.run();
    assert_eq!(household.lost(), []);
    assert_eq!(household.session.ending(), Ending::Interrupted { at, by: "Ctrl-C".into() });
    let after = household.recorded.iter().filter(|e| matches!(e, RunEvent::Clock(c) if c.phase == Phase::After));
    assert_eq!(after.count(), 2);
}

#[test]
fn a_stop_after_the_load_is_remembered_though_the_run_has_finished() {
    let mut household = Household::new(1, 5);
    household.run_until(household.now + S);
    let start = household.session.started_at().unwrap();
    assert!(!household.session.is_stopping());
    household.session.stop("Ctrl-C", start + 6 * S);
    assert_eq!(household.session.ending(), Ending::Finished);
    assert!(household.session.is_stopping(), "a second Ctrl-C is the second one here too");
}

#[test]
fn a_client_that_talks_on_and_on_after_the_load_is_lost_all_the_same() {
    let mut household = Household::new(1, 5);
    household.run_until(household.now + S);
    let start = household.session.started_at().unwrap();
    household.under_way.clear();
    for second in 1..60 {
        household.under_way.push((start + second * S, 0, FromAgent::Events { events: vec![] }));
    }
    household.run();
    assert_eq!(household.lost(), [(0, "it did not finish in time after the load")]);
    // 5 s of load, 2 s of drain, 15 s to say farewell. What comes in at that very moment is heard first.
    assert_eq!(household.now, start + 22 * S);
}

#[test]
fn a_stop_before_the_start_is_not_a_run() {
    let mut household = Household::new(2, 60);
    household.session.stop("Ctrl-C", household.now);
    assert_eq!(household.session.not_started().unwrap().to_string(), "Ctrl-C before the load started");
    assert!(household.session.is_over());
}

#[test]
fn three_devices_ask_the_server_for_its_account_so_that_it_is_told_where_the_first_is_lost() {
    let mut household = Household::new(5, 10);
    let mut asks = Vec::new();
    while let Some(action) = household.session.poll_action() {
        if let Action::Send(device, ToAgent::Prepare(task)) = action {
            asks.push((device, task.asks_server));
        }
    }
    assert_eq!(asks, [(0, true), (1, true), (2, true), (3, false), (4, false)]);
}

#[test]
fn an_agent_cannot_speak_for_another_one() {
    let mut household = Household::new(2, 5);
    household.run_until(household.now + S);
    let usage = |client| {
        RunEvent::Usage(UsageRecord { client, second: 0, driver_cpu: 0.5, machine_cpu: None, resident_bytes: None })
    };
    let forged = RunEvent::Closed { ending: Ending::Finished };
    household.session.handle_message(1, FromAgent::Events { events: vec![usage(0), usage(1), forged] }, household.now);
    household.run();
    let reported: Vec<_> =
        household.recorded.iter().filter(|e| matches!(e, RunEvent::Usage(_) | RunEvent::Closed { .. })).collect();
    assert_eq!(reported, [&usage(1)]);
}

#[test]
fn the_servers_account_is_heard_from_one_device_alone() {
    let mut household = Household::new(2, 5);
    household.run_until(household.now + S);
    let usage = |second| {
        RunEvent::ServerUsage(ServerUsageRecord {
            from: Moment::from_secs(second),
            to: Moment::from_secs(second + 1),
            busiest_thread_cpu: 0.1,
            machine_cpu: None,
            longest_pause: Duration::ZERO,
        })
    };
    for (device, second) in [(1, 0), (0, 0), (1, 1)] {
        household.session.handle_message(device, FromAgent::Events { events: vec![usage(second)] }, household.now);
    }
    household.run();
    let heard: Vec<_> = household.recorded.iter().filter(|event| matches!(event, RunEvent::ServerUsage(_))).collect();
    assert_eq!(heard, [&usage(0), &usage(1)], "of the device that told first");
}

#[test]
fn words_out_of_turn_cost_an_agent_its_place() {
    let mut household = Household::new(1, 5);
    household.session.handle_message(0, FromAgent::Done, household.now);
    assert_eq!(household.session.not_started().unwrap().to_string(), "client 'c0': it sent 'done' out of turn");
}
