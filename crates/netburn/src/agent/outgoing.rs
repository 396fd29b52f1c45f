//! What an agent has to tell, on its way from the thread that measures to the thread that writes.
//!
//! The queue between the two is bounded and never waited for while the load runs. Single operations may take only a part
//! of it, so that however many there are, the seconds that every figure comes from find room. Its memory is taken as it
//! fills: an agent may play many clients, and a machine many agents.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use burn_model::record::RunEvent;

use super::Writer;
use crate::control::frame::FrameError;
use crate::control::message::FromAgent;

/// Events that may wait to be written. A second of one client is a handful; single operations are more.
const QUEUE: usize = 16_384;
/// How many of them may be single operations.
const OPERATIONS: usize = QUEUE / 4 * 3;

/// The measuring thread's end of the queue.
#[derive(Debug)]
pub(super) struct Outgoing {
    queue: Sender<RunEvent>,
    waiting: Arc<Waiting>,
    /// Single operations that found no room.
    left_out: u64,
    /// Other events that found none.
    dropped: u64,
}

/// How many events wait.
#[derive(Debug, Default)]
struct Waiting {
    all: AtomicUsize,
    operations: AtomicUsize,
}

impl Waiting {
    fn add(&self, event: &RunEvent) {
        self.all.fetch_add(1, Ordering::Relaxed);
        if is_operation(event) {
            self.operations.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn take(&self, batch: &[RunEvent]) {
        self.all.fetch_sub(batch.len(), Ordering::Relaxed);
        self.operations.fetch_sub(batch.iter().filter(|event| is_operation(event)).count(), Ordering::Relaxed);
    }

    /// Whether there is room for one more event. Only one thread adds, so it stays true until it does.
    fn has_room(&self, event: &RunEvent) -> bool {
        let operations_fit = !is_operation(event) || self.operations.load(Ordering::Relaxed) < OPERATIONS;
        operations_fit && self.all.load(Ordering::Relaxed) < QUEUE
    }
}

const fn is_operation(event: &RunEvent) -> bool {
    matches!(event, RunEvent::Operation(_))
}

impl Outgoing {
    /// A queue, and the thread that writes what goes into it.
    pub(super) fn start<W: Write + Send + 'static>(writer: Writer<W>) -> (Self, JoinHandle<io::Result<()>>) {
        let (outgoing, events) = Self::new();
        let waiting = Arc::clone(&outgoing.waiting);
        (outgoing, thread::spawn(move || tell(&events, &waiting, &writer)))
    }

    fn new() -> (Self, Receiver<RunEvent>) {
        let (queue, events) = channel();
        (Self { queue, waiting: Arc::default(), left_out: 0, dropped: 0 }, events)
    }

    /// Queues an event without ever waiting for the writer; what does not fit is counted.
    pub(super) fn post(&mut self, event: RunEvent) {
        if self.waiting.has_room(&event) {
            self.post_at_leisure(event);
        } else if is_operation(&event) {
            self.left_out += 1;
        } else {
            self.dropped += 1;
        }
    }

    /// Queues an event whether there is room or not: for when the load is over. What is told then is in memory
    /// already. Where the telling broke off, its thread says so.
    pub(super) fn post_at_leisure(&self, event: RunEvent) {
        self.waiting.add(&event);
        self.queue.send(event).unwrap_or_default();
    }

    /// Tells what client number `client` could not tell, and waits until all is written.
    pub(super) fn finish(self, client: u32, telling: JoinHandle<io::Result<()>>) -> io::Result<()> {
        if self.left_out > 0 {
            self.post_at_leisure(RunEvent::OperationsLeftOut { operations: self.left_out });
        }
        if self.dropped > 0 {
            self.post_at_leisure(RunEvent::Dropped { client, events: self.dropped });
        }
        drop(self);
        telling.join().unwrap_or_else(|_| Err(io::Error::other("the writing thread failed")))
    }
}

/// Writes events as they come, many in one frame where many wait.
fn tell<W: Write>(events: &Receiver<RunEvent>, waiting: &Waiting, writer: &Writer<W>) -> io::Result<()> {
    while let Ok(event) = events.recv() {
        let mut batch = vec![event];
        batch.extend(events.try_iter().take(255));
        waiting.take(&batch);
        tell_batch(batch, writer)?;
    }
    Ok(())
}

/// Writes events in one frame, or in as many as they need where one cannot hold them.
fn tell_batch<W: Write>(events: Vec<RunEvent>, writer: &Writer<W>) -> io::Result<()> {
    let message = FromAgent::Events { events };
    match (writer.put(&message), message) {
        (Err(FrameError::TooLong(_)), FromAgent::Events { mut events }) if events.len() > 1 => {
            let rest = events.split_off(events.len() / 2);
            tell_batch(events, writer)?;
            tell_batch(rest, writer)
        }
        (written, _) => written.map_err(io::Error::other)?,
    }
}

#[cfg(test)]
mod tests {
    use burn_model::record::{OperationRecord, Outcome};
    use burn_model::time::Moment;

    use super::*;
    use crate::control::frame::Decoder;

    #[test]
    fn however_many_operations_wait_a_second_finds_room() {
        let (mut outgoing, events) = Outgoing::new();
        let operation = RunEvent::Operation(OperationRecord {
            client: 0,
            population: 0,
            index: 0,
            scheduled_at: Moment::START,
            ready_at: None,
            sent_at: None,
            first_byte_at: None,
            ended_at: Moment::START,
            receive_lateness_ns: None,
            server_time_ns: None,
            outcome: Outcome::TimedOut,
        });
        (0..QUEUE).for_each(|_| outgoing.post(operation.clone()));
        let second = RunEvent::ServerLost { client: None, reason: "stands for any other event".into() };
        (0..QUEUE / 4 + 2).for_each(|_| outgoing.post(second.clone()));
        // A quarter of the operations found no room; of the others, two more than the quarter that was left.
        assert_eq!((outgoing.left_out, outgoing.dropped), (4096, 2));
        drop(outgoing);
        assert_eq!(events.iter().filter(|event| *event == second).count(), 4096);
    }

    #[test]
    fn events_that_one_frame_cannot_hold_come_in_several_and_in_order() {
        // Four of 3 MiB, where 8 MiB are the most: two frames of two.
        let events: Vec<_> = ["a", "b", "c", "d"]
            .map(|letter| RunEvent::ServerLost { client: None, reason: letter.repeat(3 << 20) })
            .into();
        let writer = Writer::new(Vec::new());
        tell_batch(events.clone(), &writer).unwrap();
        let mut decoder = Decoder::default();
        decoder.push(&writer.0.lock().unwrap().0);
        let mut frames = Vec::new();
        while let Some(FromAgent::Events { events }) = decoder.poll().unwrap() {
            frames.push(events);
        }
        assert_eq!(frames.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2]);
        assert!(frames.concat() == events, "each comes once, and in its place");
    }

    #[test]
    fn an_event_that_no_frame_can_hold_is_an_error() {
        let writer = Writer::new(Vec::new());
        assert!(tell_batch(vec![RunEvent::ServerLost { client: None, reason: "x".repeat(9 << 20) }], &writer).is_err());
    }
}
