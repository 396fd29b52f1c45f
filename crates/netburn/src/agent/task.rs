//! One task of an agent: some clients of a run, from the plan to the last word.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use burn_load::engine::Engine;
use burn_model::record::{ClientState, RunEvent};
use burn_model::time::Moment;
use netburn_io::client::{self, DriveOptions, RequestKind, StopHandle, Target};

use super::outgoing::Outgoing;
use super::{Policy, Writer};
use crate::control::message::{Assignment, Source};
use crate::facts::{self, Interface};
use crate::telemetry::Watch;

/// How long the server may take to greet.
const PREFLIGHT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long it may take to give its account after the load.
const WITNESS_TIMEOUT: Duration = Duration::from_secs(5);

/// Clients that can start at any moment: the plan is in bounds, and the server answers.
pub(super) struct Task {
    /// Each with its number in the run.
    clients: Vec<(u32, Engine)>,
    target: Target,
    server_facts: BTreeMap<String, String>,
    /// Whether the server is ours, which proves itself, takes requests ahead of replies, and gives an account.
    is_ours: bool,
    asks_server: bool,
    stop: StopHandle,
    /// When nothing of the load is left.
    until: Moment,
}

impl Task {
    /// Checks the task and reaches the server; otherwise says why not.
    pub(super) fn prepare(assignment: Assignment, stop: StopHandle) -> Result<Self, String> {
        let clients = engines(&assignment)?;
        let (target, server_facts) = match &assignment.source {
            Source::Server { url, token } => {
                let (address, host) = client::resolve(url).map_err(|error| error.to_string())?;
                let target = Target { address, host, request: RequestKind::Generated { token: *token } };
                let facts = greet(&target, &assignment)?;
                (target, facts)
            }
            Source::Url { url, status, bytes } => (same_as_before(url, *status, *bytes)?, BTreeMap::new()),
        };
        let until = assignment.plan.end() + assignment.plan.drain();
        let is_ours = matches!(assignment.source, Source::Server { .. });
        Ok(Self { clients, target, server_facts, is_ours, asks_server: assignment.asks_server, stop, until })
    }

    /// What is known of this host, and of the interface that the load will leave by.
    pub(super) fn facts(&self) -> BTreeMap<String, String> {
        facts::collect(Interface::Towards(self.server()))
    }

    /// What the server says of its own host.
    pub(super) fn server_facts(&self) -> BTreeMap<String, String> {
        self.server_facts.clone()
    }

    pub(super) const fn server(&self) -> SocketAddr {
        self.target.address
    }

    /// Drives all clients at once, each by threads of its own, and tells what happens.
    pub(super) fn run<W: Write + Send + 'static>(self, start: Instant, writer: &Writer<W>) -> io::Result<()> {
        let Self { clients, target, is_ours, asks_server, stop, until, .. } = self;
        let first = clients.first().map(|(client, _)| *client);
        let (watched, ended) = channel();
        let watching = first.map(|client| {
            let watch = Watch { client, server: target.address, start, until };
            let writer = writer.clone();
            thread::Builder::new().name("telemetry".to_owned()).spawn(move || keep_watch(watch, &ended, writer))
        });
        let running: Vec<_> = clients
            .into_iter()
            .map(|(client, engine)| {
                let part = ClientTask {
                    options: DriveOptions { target: target.clone(), client, start, pipelining: is_ours },
                    is_ours,
                    asks_server: asks_server && Some(client) == first,
                };
                let (stop, writer) = (stop.clone(), writer.clone());
                thread::Builder::new().name(format!("client {client}")).spawn(move || part.run(engine, &stop, &writer))
            })
            .collect();
        let ended = running.into_iter().map(|running| {
            running?.join().unwrap_or_else(|_| Err(io::Error::other("the thread that drives a client failed")))
        });
        // All are waited for, whatever became of the first.
        let ended = ended.fold(Ok(()), Result::and);
        drop(watched);
        let watched = watching.map_or(Ok(()), |watching| {
            watching?.join().unwrap_or_else(|_| Err(io::Error::other("the thread that watches the device failed")))
        });
        ended.and(watched)
    }
}

/// Tells of the device what happens beside the load.
fn keep_watch<W: Write + Send + 'static>(watch: Watch, ended: &Receiver<()>, writer: Writer<W>) -> io::Result<()> {
    let (mut outgoing, telling) = Outgoing::start(writer);
    watch.keep(ended, &mut |event| outgoing.post(event));
    outgoing.finish(watch.client, telling)
}

/// An engine for each client, each with its number in the run.
fn engines(assignment: &Assignment) -> Result<Vec<(u32, Engine)>, String> {
    let Assignment { plan, clients, .. } = assignment;
    Policy::default().check(assignment).map_err(|refusal| refusal.to_string())?;
    let engines = clients.iter().enumerate().map(|(place, number)| {
        let engine = Engine::numbered(plan, place, *number).ok_or_else(|| "its plan has no such client".to_owned())?;
        Ok((*number, engine))
    });
    engines.collect()
}

/// Greets our own server and sees that it can bear the plan; gives what it says of its host.
fn greet(target: &Target, assignment: &Assignment) -> Result<BTreeMap<String, String>, String> {
    let hello = client::preflight(target, PREFLIGHT_TIMEOUT).map_err(|error| error.to_string())?;
    let wanted = assignment.plan.clients.iter().flat_map(|client| &client.populations);
    if let Some(population) = wanted.into_iter().find(|p| p.operation.part_bytes > hello.max_reply_bytes) {
        return Err(format!(
            "the server gives {} bytes in one reply at most; '{}' wants {}: raise the server's --max-reply",
            hello.max_reply_bytes, population.name, population.operation.part_bytes
        ));
    }
    let connections = assignment.connections;
    if connections > u64::from(hello.max_connections) {
        return Err(format!(
            "the server takes {} connections at most; the plan may need {connections}: raise the server's --max-connections",
            hello.max_connections
        ));
    }
    let mut facts = hello.environment;
    facts.insert("program".to_owned(), hello.program);
    Ok(facts)
}

/// Any web server's page, where it still gives what it gave the controller.
fn same_as_before(url: &str, status: u16, bytes: u64) -> Result<Target, String> {
    let target = client::learn_url(url, PREFLIGHT_TIMEOUT).map_err(|error| error.to_string())?;
    match target.request {
        RequestKind::Url { status: now, bytes: size, .. } if (now, size) == (status, bytes) => Ok(target),
        _ => Err(format!("{url} gives another reply now than a moment ago, so its size cannot be relied on")),
    }
}

/// One client of a task.
struct ClientTask {
    options: DriveOptions,
    is_ours: bool,
    asks_server: bool,
}

impl ClientTask {
    /// Drives the load and tells what happens, then what the server says of it.
    fn run<W: Write + Send + 'static>(&self, engine: Engine, stop: &StopHandle, writer: &Writer<W>) -> io::Result<()> {
        let Self { options, is_ours, asks_server } = self;
        let (mut outgoing, telling) = Outgoing::start(writer.clone());
        match client::drive(engine, options, stop, &mut |event| outgoing.post(event)) {
            Ok(()) if *is_ours => {
                let account = client::fetch_witness(
                    &options.target,
                    options.start,
                    options.client,
                    *asks_server,
                    WITNESS_TIMEOUT,
                );
                match account {
                    Ok(account) => account.into_iter().for_each(|event| outgoing.post_at_leisure(event)),
                    Err(error) => outgoing.post_at_leisure(RunEvent::ServerLost {
                        client: Some(options.client),
                        reason: error.to_string(),
                    }),
                }
            }
            Ok(()) => {}
            // What the network does is a result; this is the client's own failure. The device's other clients go on.
            Err(error) => outgoing.post_at_leisure(RunEvent::Client {
                client: options.client,
                state: ClientState::Lost { reason: error.to_string() },
                at: None,
            }),
        }
        outgoing.finish(options.client, telling)
    }
}
