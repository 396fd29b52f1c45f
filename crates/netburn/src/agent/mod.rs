//! The agent: plays one or several clients of a run, and says what happened.
//!
//! It speaks framed messages over a pair of byte streams, opens no port, and does only what its plan allows within
//! its own bounds. It takes one task after the other until its controller goes away; then it ends at once. Threads: one
//! hears the controller (and answers clock probes right there, so that nothing delays them), one does the task; for each
//! client one more drives the load and one writes. The queue between those two is bounded, and what it drops is counted.

mod outgoing;
mod policy;
mod task;

use std::io::{self, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use netburn_io::client::StopHandle;

use crate::control::frame::{self, Decoder, FrameError, Packer};
use crate::control::message::{Assignment, FromAgent, ToAgent, VERSION};
use crate::facts::{self, CpuWatch, Interface};
pub use policy::{Policy, Refusal};
use task::Task;

/// Runs an agent over these streams until its controller closes them.
///
/// # Errors
/// Where the streams break before the agent is done. There is nobody left to tell then.
pub fn run(input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> io::Result<()> {
    let epoch = Instant::now();
    let cpu = CpuWatch::start();
    let writer = Writer::new(output);
    let facts = facts::collect(Interface::Unknown);
    writer.say(&FromAgent::Hello { version: VERSION, program: facts::PROGRAM.to_owned(), facts })?;

    let (give, orders) = channel();
    let (end, ended) = channel();
    {
        let (writer, end) = (writer.clone(), end.clone());
        thread::spawn(move || {
            let heard = hear(input, epoch, &writer, &give);
            end.send(heard)
        });
    }
    thread::spawn(move || {
        let done = catch_unwind(AssertUnwindSafe(|| work(epoch, cpu, &writer, &orders)));
        end.send(done.unwrap_or_else(|_| Err(io::Error::other("the working thread failed"))))
    });
    // Whichever ends first: when the controller closes the stream, nobody hears of the work any more, and whatever it
    // waits for is left waiting.
    ended.recv().unwrap_or(Ok(()))
}

/// The one place that writes frames.
struct Writer<W>(Arc<Mutex<(W, Packer)>>);

impl<W> Clone for Writer<W> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<W: Write> Writer<W> {
    fn new(output: W) -> Self {
        Self(Arc::new(Mutex::new((output, Packer::default()))))
    }

    fn say(&self, message: &FromAgent) -> io::Result<()> {
        self.put(message).map_err(io::Error::other)?
    }

    /// Writes a message; tells apart whether it makes no frame or could not be written. What the load tells is
    /// compressed: it shares the network with the load. Everything else is small, or soon to be answered.
    fn put(&self, message: &FromAgent) -> Result<io::Result<()>, FrameError> {
        let mut locked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (output, packer) = &mut *locked;
        let frame = match message {
            FromAgent::Events { .. } => packer.encode(message)?,
            _ => frame::encode(message)?,
        };
        Ok(output.write_all(&frame).and_then(|()| output.flush()))
    }
}

/// What the hearing thread hands on.
enum Order {
    /// The task, and what ends its load.
    Prepare(Box<Assignment>, StopHandle),
    Start(u64),
    Release,
}

/// Hears the controller until it goes away.
fn hear<W: Write>(mut input: impl Read, epoch: Instant, writer: &Writer<W>, orders: &Sender<Order>) -> io::Result<()> {
    let mut decoder = Decoder::default();
    let mut buffer = vec![0; 64 * 1024];
    let mut stop = StopHandle::new()?;
    let heard = loop {
        match input.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Ok(0) | Err(_) => break Ok(()),
            Ok(n) => decoder.push(buffer.get(..n).unwrap_or_default()),
        }
        if let Err(error) = obey(&mut decoder, &mut stop, epoch, writer, orders) {
            break Err(error);
        }
    };
    // The controller is gone, or is none: whatever the load would still say, nobody hears it.
    stop.stop();
    heard
}

/// Does or hands on all that has been heard.
fn obey<W: Write>(
    decoder: &mut Decoder,
    stop: &mut StopHandle,
    epoch: Instant,
    writer: &Writer<W>,
    orders: &Sender<Order>,
) -> io::Result<()> {
    let nobody_works = |_| io::Error::other("there is nobody left to do what the controller orders");
    while let Some(message) = decoder.poll().map_err(io::Error::other)? {
        match message {
            ToAgent::Probe { id } => writer.say(&FromAgent::Reading { id, now_ns: since(epoch) })?,
            ToAgent::Prepare(assignment) => {
                *stop = StopHandle::new()?;
                orders.send(Order::Prepare(assignment, stop.clone())).map_err(nobody_works)?;
            }
            ToAgent::Start { at_ns } => orders.send(Order::Start(at_ns)).map_err(nobody_works)?,
            ToAgent::Stop => stop.stop(),
            ToAgent::Release => orders.send(Order::Release).map_err(nobody_works)?,
        }
    }
    Ok(())
}

/// Does one task after the other, and tells of each.
fn work<W: Write + Send + 'static>(
    epoch: Instant,
    cpu: CpuWatch,
    writer: &Writer<W>,
    orders: &Receiver<Order>,
) -> io::Result<()> {
    let out_of_turn = || io::Error::other("the controller gave an order out of turn");
    let mut ready = None;
    while let Ok(order) = orders.recv() {
        match (order, ready.take()) {
            (Order::Prepare(assignment, stop), None) => match Task::prepare(*assignment, stop) {
                Ok(task) => {
                    let (mut facts, server_facts) = (task.facts(), task.server_facts());
                    if let Some(free) = cpu.free() {
                        facts.insert("cpu_free".to_owned(), format!("{free} %"));
                    }
                    writer.say(&FromAgent::Ready { facts, server_facts })?;
                    ready = Some(task);
                }
                Err(reason) => writer.say(&FromAgent::Refused { reason })?,
            },
            (Order::Start(at_ns), Some(task)) => {
                let start = epoch.checked_add(Duration::from_nanos(at_ns)).ok_or_else(out_of_turn)?;
                task.run(start, writer)?;
                writer.say(&FromAgent::Done)?;
            }
            (Order::Release, _) => {}
            (Order::Prepare(..), Some(_)) | (Order::Start(_), None) => return Err(out_of_turn()),
        }
    }
    Ok(())
}

fn since(epoch: Instant) -> u64 {
    u64::try_from(epoch.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

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
        // The plan has one client and not two, which the agent would say, but cannot.
        let names = ["voip".to_owned()];
        let url = "http://127.0.0.1".to_owned();
        let plan = crate::scenario::single_client(&names, url.clone(), Duration::from_secs(20), 1).unwrap().plan;
        let source =
            crate::control::message::Source::Server { url, token: netburn_io::protocol::RunToken::from_bits(1) };
        let task = Assignment { plan, clients: vec![0, 1], connections: 1, asks_server: false, source };
        let order = ToAgent::Prepare(Box::new(task));
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

    /// All messages that need no server, as frames.
    fn orders() -> Vec<u8> {
        let orders = [ToAgent::Probe { id: 7 }, ToAgent::Stop, ToAgent::Release, ToAgent::Start { at_ns: u64::MAX }];
        orders.iter().flat_map(|order| frame::encode(order).unwrap()).collect()
    }

    /// Runs an agent that hears this and then the end of its stream; a panic of the hearing thread is an error here.
    fn hear_all(bytes: Vec<u8>) {
        let (give, _orders) = channel();
        let writer = Writer::new(io::sink());
        // An error is as good an end as any other.
        let _ = hear(io::Cursor::new(bytes.clone()), Instant::now(), &writer, &give);
        let _ = run(io::Cursor::new(bytes), io::sink());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn whatever_an_agent_hears_it_comes_to_its_end(bytes: Vec<u8>) {
            hear_all(bytes);
        }

        #[test]
        fn an_order_with_one_byte_changed_brings_an_agent_to_its_end_too(place: prop::sample::Index, byte: u8) {
            let mut bytes = orders();
            let place = place.index(bytes.len());
            bytes[place] = byte;
            hear_all(bytes);
        }
    }
}
