//! A connection that is lost while the load goes on: what was measured meanwhile arrives, once.

use std::collections::BTreeMap;
use std::time::Duration;

use burn_model::record::{IntervalRecord, RunEvent};
use netburn::control::message::{Assignment, FromAgent, Source, ToAgent};
use netburn::fleet::lobby::{Lobby, Manners};
use netburn::scenario;
use netburn_io::protocol::RunToken;
use netburn_io::server::{Live, Policy, Server, ServerOptions};
use tokio::sync::mpsc::UnboundedReceiver;

use super::relay::{Network, Relay};
use super::support::{ANY_PORT, Agent, Device, by_way_of, joined, left, link_for, lobby, soon, until_it_is};

/// 50 exchanges of 1000 bytes a second, for 1 + 6 s: 350 of them, 350,000 bytes.
const SCENARIO: &str = concat!(
    r#"
name = "light"
duration = "6 s"
warm_up = "1 s"

[[client]]
name = "tv"
run = ["exchange"]

"#,
    include_str!("../../shared/exchange.toml")
);

/// A back-end server in this process.
fn server() -> (String, Live) {
    let options = ServerOptions {
        listen: ANY_PORT,
        policy: Policy::default(),
        congestion: None,
        program: "test 1".to_owned(),
        environment: BTreeMap::new(),
        door: None,
    };
    let server = Server::bind(options).unwrap();
    let url = format!("http://{}", server.local_addr());
    let live = server.live();
    tokio::spawn(server.run(std::future::pending()));
    (url, live)
}

/// A device that joins through a relay.
struct Scene {
    lobby: Lobby,
    relay: Relay,
    device: Device,
    agent: Agent,
    notes: UnboundedReceiver<String>,
}

async fn scene(manners: Manners) -> Scene {
    let mut lobby = lobby(&["tv"], manners).await;
    let link = link_for(&lobby, "tv");
    let relay = Relay::to(link.host.parse().unwrap()).await;
    let device = Device::join(&by_way_of(&link, relay.address).to_string(), &[]);
    let mut tv = joined(&mut lobby).await;
    let notes = tv.link.notes.take().unwrap();
    let mut agent = Agent::new(tv.link);
    agent.hello().await;
    Scene { lobby, relay, device, agent, notes }
}

async fn noted(notes: &mut UnboundedReceiver<String>, what: &str) {
    let note = soon(what, notes.recv()).await.unwrap();
    assert!(note.contains(what), "{note}");
}

/// Gives the agent its task and the word to start.
async fn start(agent: &mut Agent, url: String) {
    let plan = scenario::parse("s.toml", SCENARIO).unwrap().plan;
    let source = Source::Server { url, token: RunToken::from_bits(7) };
    let assignment = Assignment { plan, clients: vec![0], connections: 1, asks_server: true, source };
    agent.say(&ToAgent::Prepare(Box::new(assignment))).await;
    assert!(matches!(agent.hear().await, Some(FromAgent::Ready { .. })));
    agent.say(&ToAgent::Probe { id: 1 }).await;
    let Some(FromAgent::Reading { now_ns, .. }) = agent.hear().await else { panic!("no reading") };
    agent.say(&ToAgent::Start { at_ns: now_ns + 100_000_000 }).await;
}

/// Waits until the server has answered so many more requests: the load goes on.
async fn load_goes_on(live: &Live, more: u64) {
    let before = live.so_far().requests;
    until_it_is("the load to go on", || live.so_far().requests >= before + more).await;
}

/// Everything that is told until the agent is done.
async fn told(agent: &mut Agent) -> Vec<RunEvent> {
    let mut all = Vec::new();
    loop {
        match agent.hear().await {
            Some(FromAgent::Events { events }) => all.extend(events),
            Some(FromAgent::Done) => return all,
            other => panic!("{other:?}"),
        }
    }
}

fn intervals(events: &[RunEvent]) -> Vec<&IntervalRecord> {
    let interval = |event: &'_ RunEvent| matches!(event, RunEvent::Interval(_));
    let intervals = events.iter().filter(|event| interval(event));
    intervals.filter_map(|event| if let RunEvent::Interval(record) = event { Some(&**record) } else { None }).collect()
}

/// Each second once and in order, each beginning where the one before has ended, and every operation and byte in one.
fn assert_whole(events: &[RunEvent], live: &Live) {
    let seconds = intervals(events);
    assert!(seconds.iter().zip(0..).all(|(record, second)| record.second == second), "{seconds:#?}");
    let mut in_flight = 0;
    for record in &seconds {
        let tally = &record.tally;
        assert_eq!(tally.in_flight_before, in_flight);
        let ended = tally.completed + tally.failures() + tally.timed_out + tally.unsent();
        assert_eq!(tally.in_flight_before + tally.scheduled, ended + tally.in_flight_after);
        in_flight = tally.in_flight_after;
    }
    assert_eq!(in_flight, 0);
    assert_eq!(seconds.iter().map(|record| record.tally.scheduled).sum::<u64>(), 350);
    assert_eq!(seconds.iter().map(|record| record.bytes).sum::<u64>(), 350_000);
    assert_eq!(live.so_far().payload_bytes, 350_000);
    assert!(!events.iter().any(|event| matches!(event, RunEvent::Dropped { .. })));
}

#[tokio::test]
async fn what_is_measured_while_the_connection_is_cut_arrives_once_when_it_is_back() {
    let (url, live) = server();
    let Scene { lobby, relay, device, mut agent, mut notes } = scene(Manners::default()).await;
    start(&mut agent, url).await;
    let mut events = Vec::new();
    // The second in which it started has been told.
    while intervals(&events).is_empty() {
        match agent.hear().await {
            Some(FromAgent::Events { events: more }) => events.extend(more),
            other => panic!("{other:?}"),
        }
    }
    lobby.close_to_newcomers();
    for id in 2..4 {
        relay.now(Network::IsCut);
        noted(&mut notes, "was lost").await;
        load_goes_on(&live, 60).await;
        relay.now(Network::Works);
        noted(&mut notes, "is back").await;
        // Its welcome may still be under way: an answer comes from a device that knows that it is back.
        agent.say(&ToAgent::Probe { id }).await;
        loop {
            match agent.hear().await {
                Some(FromAgent::Events { events: more }) => events.extend(more),
                Some(FromAgent::Reading { id: answered, .. }) => break assert_eq!(answered, id),
                other => panic!("{other:?}"),
            }
        }
    }
    events.extend(told(&mut agent).await);
    assert_whole(&events, &live);
    drop(agent);
    let ended = device.end().await;
    assert_eq!(ended.code, Some(0), "{}", ended.said);
    assert_eq!(ended.said.matches("The connection is back.").count(), 2, "{}", ended.said);
}

#[tokio::test]
async fn a_network_that_only_stalls_for_a_moment_loses_nothing_and_nobody() {
    let Scene { relay, mut agent, mut notes, device: _device, lobby: _lobby } = scene(Manners::default()).await;
    agent.probe(0).await;
    relay.now(Network::Stalls);
    for id in 1..=3 {
        agent.say(&ToAgent::Probe { id }).await;
    }
    relay.now(Network::Works);
    for wanted in 1..=3 {
        let Some(FromAgent::Reading { id, .. }) = agent.hear().await else { panic!("no reading") };
        assert_eq!(id, wanted);
    }
    assert!(notes.try_recv().is_err());
}

#[tokio::test]
async fn a_network_that_stalls_for_long_is_held_for_lost_and_what_was_said_arrives_by_another_connection() {
    let Scene { relay, mut agent, mut notes, device: _device, lobby: _lobby } = scene(Manners::default()).await;
    relay.now(Network::Stalls);
    agent.say(&ToAgent::Probe { id: 1 }).await;
    noted(&mut notes, "was lost").await;
    relay.now(Network::Works);
    noted(&mut notes, "is back").await;
    let Some(FromAgent::Reading { id: 1, .. }) = agent.hear().await else { panic!("no reading") };
    agent.probe(2).await;
}

#[tokio::test]
async fn a_device_that_was_given_up_stops_when_it_comes_back() {
    let (url, live) = server();
    let manners = Manners { grace: Duration::ZERO, ..Manners::default() };
    let Scene { mut lobby, relay, device, mut agent, .. } = scene(manners).await;
    start(&mut agent, url).await;
    load_goes_on(&live, 20).await;
    relay.now(Network::IsCut);
    let (slot, why) = left(&mut lobby).await;
    assert_eq!(slot, 0);
    assert!(why.contains("did not come back"), "{why}");
    relay.now(Network::Works);
    let ended = device.end().await;
    assert_eq!(ended.code, Some(4), "{}", ended.said);
    assert!(ended.said.contains("the controller is gone"), "{}", ended.said);
}

#[tokio::test]
async fn a_controller_that_dies_leaves_no_load_behind() {
    let (url, live) = server();
    // Straight to the lobby: nobody hides that its port is closed.
    let mut lobby = lobby(&["tv"], Manners::default()).await;
    let device = Device::join(&link_for(&lobby, "tv").to_string(), &[]);
    let mut agent = Agent::new(joined(&mut lobby).await.link);
    agent.hello().await;
    start(&mut agent, url).await;
    load_goes_on(&live, 20).await;
    drop((lobby, agent));
    let ended = device.end().await;
    assert_eq!(ended.code, Some(4), "{}", ended.said);
    // It did not wait for somebody to come back.
    assert!(ended.said.contains("nobody listens"), "{}", ended.said);
    until_it_is("what the server held to be free", || live.open_connections() == 0).await;
}
