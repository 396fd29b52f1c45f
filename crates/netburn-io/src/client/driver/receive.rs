//! From bytes in the kernel to what became of an operation.

use std::io;
use std::time::Duration;

use burn_load::operation::Completion;
use burn_model::record::FailureCause;
use burn_model::time::Moment;

use super::super::platform::{DISCARD_BYTES, Readiness};
use super::super::reply::{End, Expected, Step};
use super::super::target::RequestKind;
use super::Driver;
use super::connection::Key;

/// Bytes that one read takes where a head is due. Small, so that the read that carries a head seldom carries the end of
/// the body too: then the end has a kernel stamp of its own.
const HEAD_READ: usize = 1024;
/// Bytes that are taken from one connection before the others and the engine have their turn.
const TURN_BYTES: u64 = 1024 * 1024;

impl Driver<'_> {
    /// A socket is ready.
    pub(super) fn serve(&mut self, ready: Readiness) {
        let key = Key::from_bits(ready.key);
        let Some(connection) = self.connections.get_mut(key) else { return };
        if ready.writable && connection.is_connecting {
            if !matches!(connection.socket.take_error(), Ok(None)) {
                return self.lose(key, None);
            }
            connection.is_connecting = false;
        }
        if ready.writable {
            self.flush(key);
        }
        if ready.readable {
            self.receive(key);
        }
    }

    /// Reads what there is, within bounds.
    fn receive(&mut self, key: Key) {
        let Some(connection) = self.connections.get_mut(key) else { return };
        if connection.is_connecting {
            return;
        }
        if connection.unread_in_wake.is_none_or(|wake| wake + 1 != self.wake) {
            // The wake-up before this one did not leave anything here unread: it was empty then.
            connection.empty_at = connection.empty_at.max(self.previous_wake_at);
        }
        let mut buffer = [0; HEAD_READ];
        let mut budget = TURN_BYTES;
        loop {
            let Some(connection) = self.connections.get_mut(key) else { return };
            let body = connection.reader.body_to_come();
            let read = if body > 0 {
                self.receiver.discard(&connection.socket, body)
            } else {
                self.receiver.read(&connection.socket, &mut buffer)
            };
            let now = self.clock.now();
            let read = match read {
                Ok(read) if read.bytes > 0 => read,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    connection.empty_at = now;
                    return;
                }
                _ => return self.lose(key, None),
            };
            connection.last_byte_at = Some(now);
            // A stepped wall clock must not invent lateness: nothing lay here when the socket was last seen empty.
            let lateness = read.waited.map(|waited| waited.min(now.since(connection.empty_at)));
            let bytes = u64::try_from(read.bytes).unwrap_or(u64::MAX);
            let input = if body > 0 {
                let step = connection.reader.skip(bytes);
                self.take_step(key, step, now, lateness);
                &[]
            } else {
                buffer.get(..read.bytes).unwrap_or_default()
            };
            let ended = self.take(key, input, now, lateness);
            budget = budget.saturating_sub(bytes);
            let Some(connection) = self.connections.get_mut(key) else { return };
            let asked = if body > 0 { body.min(DISCARD_BYTES) } else { HEAD_READ as u64 };
            if bytes < asked {
                connection.empty_at = now;
                return;
            }
            // After the end of a reply there is most often nothing more: the next wake-up will tell, at the same price
            // as a read in vain.
            if ended || budget == 0 {
                connection.unread_in_wake = Some(self.wake);
                return;
            }
        }
    }

    /// Works through bytes that were read. Whether a reply ended in them.
    fn take(&mut self, key: Key, mut input: &[u8], now: Moment, lateness: Option<Duration>) -> bool {
        let mut ended = false;
        loop {
            let Some(connection) = self.connections.get_mut(key) else { return ended };
            let Some(request) = connection.requests.front() else {
                if !input.is_empty() {
                    // Bytes that nobody asked for: whatever follows on this connection would be misread.
                    self.close(key);
                }
                return ended;
            };
            let status = match self.options.target.request {
                RequestKind::Generated { .. } => 200,
                RequestKind::Url { status, .. } => status,
            };
            let expected = Expected { status, bytes: request.bytes, token: self.token.as_deref() };
            if let Some(id) = request.operation
                && let Some(flight) = self.flights.get_mut(id)
                && !flight.has_begun
                && !input.is_empty()
            {
                flight.has_begun = true;
                self.engine.handle_first_byte(id, now);
            }
            let step = connection.reader.advance(&mut input, &expected);
            ended |= matches!(step, Step::End(_));
            if step == Step::More {
                return ended;
            }
            self.take_step(key, step, now, lateness);
        }
    }

    fn take_step(&mut self, key: Key, step: Step, now: Moment, lateness: Option<Duration>) {
        let Some(connection) = self.connections.get_mut(key) else { return };
        match step {
            Step::More | Step::Head(None) | Step::Payload(0) => {}
            Step::Payload(bytes) => self.engine.handle_bytes(connection.population, now, bytes),
            Step::Head(Some(cause)) => self.fail_first(key, cause),
            Step::Broken(cause) => self.lose(key, Some(cause)),
            Step::End(end) => self.end_first(key, end, now, lateness),
        }
    }

    /// The reply that is coming in is wrong; the connection may still be good.
    fn fail_first(&mut self, key: Key, cause: FailureCause) {
        let Some(connection) = self.connections.get_mut(key) else { return };
        let Some(id) = connection.requests.front_mut().and_then(|request| request.operation.take()) else { return };
        connection.wanted = connection.wanted.saturating_sub(1);
        self.fail(id, cause);
    }

    /// The reply that was coming in is whole.
    fn end_first(&mut self, key: Key, end: End, now: Moment, lateness: Option<Duration>) {
        let Some(connection) = self.connections.get_mut(key) else { return };
        let Some(request) = connection.requests.pop_front() else { return };
        connection.has_replied = true;
        if let Some(id) = request.operation {
            connection.wanted = connection.wanted.saturating_sub(1);
            if let Some(flight) = self.flights.get_mut(id) {
                // What another host says is bounded by what was seen here.
                let server_time = end.server_time.map(|time| time.min(now.since(request.sent_at)));
                flight.server_time = flight.server_time.max(server_time);
                flight.left = flight.left.saturating_sub(1);
                if flight.left == 0 {
                    let server_time = flight.server_time;
                    self.complete(id, now, Completion { receive_lateness: lateness, server_time });
                }
            }
        }
        let Some(connection) = self.connections.get_mut(key) else { return };
        if !end.keep {
            // RFC 9112 §9.6: nothing after this reply will be answered here.
            self.lose(key, None);
        } else if connection.is_retired && connection.wanted == 0 {
            self.close(key);
        } else if connection.requests.is_empty() {
            self.rest(key);
        }
    }
}
