//! The agent: does one client's part of a run, and says what happened.
//!
//! It speaks framed messages over a pair of byte streams, opens no port, and does only what its plan allows within
//! its own bounds. When its controller goes away, it ends at once. Three threads beside the first: one hears the
//! controller (and answers clock probes right there, so that nothing delays them), one drives the load, one
//! writes. The queue between the last two is bounded, and what it drops is counted.

mod outgoing;

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use burn_load::engine::Engine;
use burn_model::plan::Plan;
use burn_model::record::RunEvent;
use netburn_io::client::{self, DriveOptions, RequestKind, StopHandle, Target};

use crate::control::frame::{self, Decoder};
use crate::control::message::{Assignment, FromAgent, Source, ToAgent, VERSION};
use crate::facts::{self, Interface};
use outgoing::Outgoing;

/// How long the server may take to greet.
const PREFLIGHT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long it may take to give its account after the load.
const WITNESS_TIMEOUT: Duration = Duration::from_secs(5);

/// Runs an agent over these streams until its controller closes them, or all is done and told.
///
/// # Errors
/// Where the streams break before the agent is done. There is nobody left to tell then.
pub fn run(input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> io::Result<()> {
    let epoch = Instant::now();
    let stop = StopHandle::new()?;
    let writer = Writer(Arc::new(Mutex::new(output)));
    writer.say(&FromAgent::Hello { version: VERSION, program: facts::PROGRAM.to_owned() })?;

    let (give, orders) = channel();
    let (end, ended) = channel();
    {
        let (writer, stop, end) = (writer.clone(), stop.clone(), end.clone());
        thread::spawn(move || {
            hear(input, epoch, &writer, &stop, &give);
            end.send(End::Alone)
        });
    }
    thread::spawn(move || {
        let done = catch_unwind(AssertUnwindSafe(|| work(epoch, &writer, &stop, &orders)));
        end.send(End::Worked(done.unwrap_or_else(|_| Err(io::Error::other("the working thread failed")))))
    });
    // When the work is done the controller still compares clocks, and ends the agent by closing the stream. When it
    // closes the stream before, nobody hears of the work any more, and whatever it waits for is left waiting.
    while let Ok(End::Worked(done)) = ended.recv() {
        done?;
    }
    Ok(())
}

/// Why an agent may have come to its end.
enum End {
    /// The controller is gone.
    Alone,
    /// The task is done, or its telling broke off.
    Worked(io::Result<()>),
}

/// The one place that writes frames.
struct Writer<W>(Arc<Mutex<W>>);

impl<W> Clone for Writer<W> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<W: Write> Writer<W> {
    fn say(&self, message: &FromAgent) -> io::Result<()> {
        self.write(&frame::encode(message).map_err(io::Error::other)?)
    }

    fn write(&self, frame: &[u8]) -> io::Result<()> {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        output.write_all(frame)?;
        output.flush()
    }
}

/// What the hearing thread hands on.
enum Order {
    Prepare(Box<Assignment>),
    Start(u64),
}

/// Hears the controller until it goes away.
fn hear<W: Write>(mut input: impl Read, epoch: Instant, writer: &Writer<W>, stop: &StopHandle, orders: &Sender<Order>) {
    let mut decoder = Decoder::default();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match input.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Ok(0) | Err(_) => break,
            Ok(n) => decoder.push(buffer.get(..n).unwrap_or_default()),
        }
        loop {
            let heard = match decoder.poll() {
                Ok(Some(ToAgent::Probe { id })) => writer.say(&FromAgent::Reading { id, now_ns: since(epoch) }).is_ok(),
                Ok(Some(ToAgent::Prepare(assignment))) => orders.send(Order::Prepare(assignment)).is_ok(),
                Ok(Some(ToAgent::Start { at_ns })) => orders.send(Order::Start(at_ns)).is_ok(),
                Ok(Some(ToAgent::Stop)) => {
                    stop.stop();
                    true
                }
                Ok(None) => break,
                Err(_) => false,
            };
            if !heard {
                stop.stop();
                return;
            }
        }
    }
    // The controller is gone: whatever the load would still say, nobody hears it.
    stop.stop();
}

/// Takes the task, does it, tells it.
fn work<W: Write + Send + 'static>(
    epoch: Instant,
    writer: &Writer<W>,
    stop: &StopHandle,
    orders: &Receiver<Order>,
) -> io::Result<()> {
    let Ok(Order::Prepare(assignment)) = orders.recv() else { return Ok(()) };
    let (options, engine) = match prepare(&assignment, epoch) {
        Ok((options, engine, server_facts)) => {
            let facts = facts::collect(Interface::Towards(options.target.address));
            writer.say(&FromAgent::Ready { facts, server_facts })?;
            (options, engine)
        }
        Err(reason) => return writer.say(&FromAgent::Refused { reason }),
    };
    let Ok(Order::Start(at_ns)) = orders.recv() else { return Ok(()) };
    let options = DriveOptions { start: epoch + Duration::from_nanos(at_ns), ..options };
    load(&assignment, &options, engine, writer, stop)?;
    writer.say(&FromAgent::Done)
}

/// Checks the task and reaches the server.
fn prepare(
    assignment: &Assignment,
    epoch: Instant,
) -> Result<(DriveOptions, Engine, BTreeMap<String, String>), String> {
    assignment.plan.validate().map_err(|error| format!("its plan is out of bounds: {error}"))?;
    let engine = usize::try_from(assignment.client).ok().and_then(|client| Engine::new(&assignment.plan, client));
    let engine = engine.ok_or_else(|| "its plan has no such client".to_owned())?;
    let (target, server_facts) = match &assignment.source {
        Source::Server { url, token } => {
            let (address, host) = client::resolve(url).map_err(|error| error.to_string())?;
            let target = Target { address, host, request: RequestKind::Generated { token: *token } };
            let hello = client::preflight(&target, PREFLIGHT_TIMEOUT).map_err(|error| error.to_string())?;
            let wanted = assignment.plan.clients.iter().flat_map(|client| &client.populations);
            if let Some(population) = wanted.into_iter().find(|p| p.operation.part_bytes > hello.max_reply_bytes) {
                return Err(format!(
                    "the server gives {} bytes in one reply at most; '{}' wants {}: raise the server's --max-reply",
                    hello.max_reply_bytes, population.name, population.operation.part_bytes
                ));
            }
            let connections = connections(&assignment.plan);
            if connections > u64::from(hello.max_connections) {
                return Err(format!(
                    "the server takes {} connections at most; the plan may need {connections}: raise the server's --max-connections",
                    hello.max_connections
                ));
            }
            let mut facts = hello.environment;
            facts.insert("program".to_owned(), hello.program);
            (target, facts)
        }
        Source::Url { url, status, bytes } => {
            let target = client::learn_url(url, PREFLIGHT_TIMEOUT).map_err(|error| error.to_string())?;
            if !matches!(target.request, RequestKind::Url { status: now, bytes: size, .. } if (now, size) == (*status, *bytes))
            {
                return Err(format!(
                    "{url} gives another reply now than a moment ago, so its size cannot be relied on"
                ));
            }
            (target, BTreeMap::new())
        }
    };
    let options = DriveOptions {
        target,
        client: assignment.client,
        start: epoch,
        pipelining: matches!(assignment.source, Source::Server { .. }),
    };
    Ok((options, engine, server_facts))
}

/// The most connections that all clients of a plan may hold against our own server at once.
fn connections(plan: &Plan) -> u64 {
    let populations = plan.clients.iter().flat_map(|client| &client.populations);
    populations.map(client::connections_needed).sum()
}

/// Drives the load and tells what happens, then what the server says of it.
fn load<W: Write + Send + 'static>(
    assignment: &Assignment,
    options: &DriveOptions,
    engine: Engine,
    writer: &Writer<W>,
    stop: &StopHandle,
) -> io::Result<()> {
    let (mut outgoing, telling) = Outgoing::start(writer.clone());
    let driven = client::drive(engine, options, stop, &mut |event| outgoing.post(event));
    if let Err(error) = driven {
        // What the network does is a result; this is the client's own failure, and the controller will call it lost.
        let _ = outgoing.finish(assignment.client, telling);
        return writer.say(&FromAgent::Refused { reason: error.to_string() });
    }
    if let Source::Server { .. } = assignment.source {
        let include_server = assignment.client == 0;
        match client::fetch_witness(&options.target, options.start, assignment.client, include_server, WITNESS_TIMEOUT)
        {
            Ok(account) => account.into_iter().for_each(|event| outgoing.post_at_leisure(event)),
            Err(error) => outgoing.post_at_leisure(RunEvent::ServerLost { reason: error.to_string() }),
        }
    }
    outgoing.finish(assignment.client, telling)
}

fn since(epoch: Instant) -> u64 {
    u64::try_from(epoch.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream on which nothing comes any more, closed by dropping the other end.
    struct Silent(Receiver<()>);

    impl Read for Silent {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            let _ = self.0.recv();
            Ok(0)
        }
    }

    /// A stream that takes no more than a hello: it tells when the next frame comes, and never finishes taking it.
    struct Stuck {
        frames: u32,
        reached: Sender<()>,
        never: Receiver<()>,
    }

    impl Write for Stuck {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.frames += 1;
            if self.frames > 1 {
                let _ = self.reached.send(());
                let _ = self.never.recv();
            }
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn an_agent_whose_controller_goes_away_waits_for_nothing_else() {
        // The plan has no client 1, which the agent would say, but cannot.
        let names = ["voip".to_owned()];
        let url = "http://127.0.0.1".to_owned();
        let plan = crate::scenario::single_client(&names, url.clone(), Duration::from_secs(20), 1).unwrap().plan;
        let source = Source::Server { url, token: netburn_io::protocol::RunToken::from_bits(1) };
        let order = ToAgent::Prepare(Box::new(Assignment { plan, client: 1, source }));
        let order = frame::encode(&order).unwrap();
        let (controller, silence) = channel();
        let (reached, stuck) = channel();
        let (_kept, never) = channel();
        let agent = thread::spawn(move || {
            run(io::Cursor::new(order).chain(Silent(silence)), Stuck { frames: 0, reached, never })
        });
        stuck.recv().unwrap();
        drop(controller);
        agent.join().unwrap().unwrap();
    }
}
