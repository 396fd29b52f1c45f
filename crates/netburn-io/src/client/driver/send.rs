//! From a dispatch to bytes in the kernel: which connection, and what when there is none.

use std::io;

use burn_load::operation::{Completion, Dispatch, OperationId};
use burn_model::plan::{Operation, Population};
use burn_model::record::{FailureCause, NotSentReason};
use burn_model::time::Moment;
use socket2::{Domain, Protocol, SockAddr, Socket, Type};

use super::super::platform::{self, is_lack_of_sockets};
use super::super::request;
use super::Driver;
use super::connection::{Connection, Key, Request};
use crate::protocol::Label;

/// Objects of at most this many bytes are pipelined: one of them does not hold up the next for long.
const PIPELINED_BYTES: u64 = 64 * 1024;
/// Replies that a pipelined connection may owe at most.
const MAX_OWED: usize = 4096;

/// Why no connection could be begun.
enum NoConnection {
    /// This host has none to give.
    NoSocket,
    /// The other end, or the way to it, refused at once.
    Refused,
}

/// The most connections that a population may hold against our own server at once.
#[must_use]
pub fn connections_needed(population: &Population) -> u64 {
    let Operation { parts, part_bytes } = population.operation;
    if is_pipelined(parts, part_bytes) { 1 } else { u64::from(parts) * u64::from(population.in_flight) }
}

/// Whether operations of such pieces share one connection, where the server is known to take that.
const fn is_pipelined(parts: u32, bytes: u64) -> bool {
    parts <= 1 && bytes <= PIPELINED_BYTES
}

impl Driver<'_> {
    /// Sends an operation, all its pieces at once.
    pub(super) fn dispatch(&mut self, dispatch: Dispatch) {
        let Dispatch { id, population, operation, .. } = dispatch;
        // The operation counts as sent from here on: what follows (connecting, writing) is the network's time.
        let now = self.clock.now();
        let mut parts = self.flights.list();
        for _ in 0..operation.parts.max(1) {
            match self.connection_for(population, operation, now) {
                Ok(key) => parts.push(key),
                Err(why) => {
                    for key in parts.drain(..) {
                        self.rest(key);
                    }
                    self.flights.recycle(parts);
                    match why {
                        NoConnection::NoSocket => self.engine.handle_not_sent(id, now, NotSentReason::NoSocket),
                        NoConnection::Refused => {
                            self.engine.handle_sent(id, now);
                            self.engine.handle_failed(id, self.clock.now(), FailureCause::Connect);
                        }
                    }
                    return;
                }
            }
        }
        self.engine.handle_sent(id, now);
        let state = self.population(population);
        state.overlapped |= state.under_way > 0;
        state.under_way += 1;
        let bytes = self.options.target.expected_bytes(operation.part_bytes);
        let mut keys = self.flights.list();
        keys.extend_from_slice(&parts);
        self.flights.begin(id, population, parts);
        for key in keys.drain(..) {
            if self.flights.get_mut(id).is_none() {
                // A piece before this one has failed already.
                self.rest(key);
                continue;
            }
            let request = Request { operation: Some(id), bytes, sent_at: now, is_repeated: false };
            self.ask(key, request, operation.part_bytes);
        }
        self.flights.recycle(keys);
    }

    /// The engine has given an operation up.
    pub(super) fn abandon(&mut self, id: OperationId) {
        self.end(id);
    }

    /// An operation has all its pieces.
    pub(super) fn complete(&mut self, id: OperationId, now: Moment, completion: Completion) {
        if self.end(id) {
            self.engine.handle_completed(id, now, completion);
        }
    }

    /// An operation failed.
    pub(super) fn fail(&mut self, id: OperationId, cause: FailureCause) {
        if self.end(id) {
            self.engine.handle_failed(id, self.clock.now(), cause);
        }
    }

    /// Forgets an operation, and gives up what is left of its pieces. Whether it was under way.
    fn end(&mut self, id: OperationId) -> bool {
        let Some(flight) = self.flights.end(id) else { return false };
        let state = self.population(flight.population);
        state.under_way = state.under_way.saturating_sub(1);
        for key in &flight.parts {
            self.release(*key, id);
        }
        self.flights.recycle(flight.parts);
        true
    }

    /// Nobody waits for an operation's reply on this connection any more.
    fn release(&mut self, key: Key, id: OperationId) {
        let Some(connection) = self.connections.get_mut(key) else { return };
        let Some(request) = connection.requests.iter_mut().find(|request| request.operation == Some(id)) else {
            return;
        };
        request.operation = None;
        connection.wanted = connection.wanted.saturating_sub(1);
        let silent = connection.last_byte_at.is_none_or(|last| last <= request.sent_at);
        let (population, pipelined) = (connection.population, connection.is_pipelined);
        if !(pipelined && self.population(population).overlapped) {
            self.close(key);
        } else if silent {
            // A whole deadline without a sign of life: whoever sits there would dial again.
            self.retire(key);
        }
    }

    /// Gives a connection no further requests, and closes it once nobody waits for a reply on it.
    fn retire(&mut self, key: Key) {
        let Some(connection) = self.connections.get_mut(key) else { return };
        connection.is_retired = true;
        let (population, wanted) = (connection.population, connection.wanted);
        let pipeline = &mut self.population(population).pipeline;
        if *pipeline == Some(key) {
            *pipeline = None;
        }
        if wanted == 0 {
            self.close(key);
        }
    }

    /// Closes a connection on which nobody waits for a reply.
    pub(super) fn close(&mut self, key: Key) {
        self.take_out(key);
    }

    /// Takes a connection out of all lists; dropping it closes it.
    pub(super) fn take_out(&mut self, key: Key) -> Option<Connection> {
        let connection = self.connections.remove(key)?;
        let pipeline = &mut self.population(connection.population).pipeline;
        if *pipeline == Some(key) {
            *pipeline = None;
        }
        Some(connection)
    }

    /// A connection without a request may take the next one.
    pub(super) fn rest(&mut self, key: Key) {
        let Some(connection) = self.connections.get_mut(key) else { return };
        if !connection.is_pipelined {
            let population = connection.population;
            self.population(population).idle.push(key);
        }
    }

    /// A connection for one piece: a kept one, or a new one.
    fn connection_for(&mut self, population: usize, operation: Operation, now: Moment) -> Result<Key, NoConnection> {
        let bytes = self.options.target.expected_bytes(operation.part_bytes);
        if self.options.pipelining && is_pipelined(operation.parts, bytes) {
            return self.pipeline_for(population, now);
        }
        while let Some(key) = self.population(population).idle.pop() {
            if self.connections.get_mut(key).is_some() {
                return Ok(key);
            }
        }
        self.open(population, false, now)
    }

    /// The connection that takes a population's pipelined requests.
    fn pipeline_for(&mut self, population: usize, now: Moment) -> Result<Key, NoConnection> {
        if let Some(key) = self.population(population).pipeline {
            match self.connections.get_mut(key).map(|connection| connection.requests.len()) {
                Some(owed) if owed < MAX_OWED => return Ok(key),
                _ => self.retire(key),
            }
        }
        let key = self.open(population, true, now)?;
        self.population(population).pipeline = Some(key);
        Ok(key)
    }

    /// Begins a new connection.
    fn open(&mut self, population: usize, is_pipelined: bool, now: Moment) -> Result<Key, NoConnection> {
        let address = self.options.target.address;
        let begin = || -> io::Result<Socket> {
            let socket = Socket::new(Domain::for_address(address), Type::STREAM.nonblocking(), Some(Protocol::TCP))?;
            socket.set_tcp_nodelay(true)?;
            platform::stamp_arrivals(&socket);
            match socket.connect(&SockAddr::from(address)) {
                Err(error) if !is_under_way(&error) => Err(error),
                _ => Ok(socket),
            }
        };
        let refused = |error| if is_lack_of_sockets(&error) { NoConnection::NoSocket } else { NoConnection::Refused };
        let socket = begin().map_err(refused)?;
        let key = self.connections.next_key();
        self.poller.add(&socket, key.bits(), true).map_err(refused)?;
        self.connections.put(key, Connection::new(socket, population, is_pipelined, now));
        Ok(key)
    }

    /// Puts a request on a connection.
    fn ask(&mut self, key: Key, request: Request, part_bytes: u64) {
        let Some(connection) = self.connections.get_mut(key) else { return };
        let population = connection.population;
        connection.requests.push_back(request);
        connection.wanted += 1;
        let (is_connecting, is_pipelined) = (connection.is_connecting, connection.is_pipelined);
        self.write_out(population, part_bytes);
        // Both exist: the lines above have just used them.
        if let (Some(connection), Some(state)) = (self.connections.get_mut(key), self.populations.get(population)) {
            connection.outgoing.extend_from_slice(&state.request);
        }
        if is_connecting {
            return;
        }
        if !is_pipelined {
            return self.flush(key);
        }
        // Requests that are due at once share a write: a driver that woke up late catches up the sooner.
        if let Some(other) = self.unflushed.replace(key)
            && other != key
        {
            self.flush(other);
        }
    }

    /// Makes sure that the population's request is written out for this size of piece.
    fn write_out(&mut self, population: usize, part_bytes: u64) {
        if self.population(population).request_bytes == Some(part_bytes) {
            return;
        }
        let label = Label { client: self.options.client, population: u32::try_from(population).unwrap_or(u32::MAX) };
        let request = request::for_part(&self.options.target, label, part_bytes);
        let state = self.population(population);
        state.request = request;
        state.request_bytes = Some(part_bytes);
    }

    /// Hands the kernel as much as it takes.
    pub(super) fn flush(&mut self, key: Key) {
        let Some(connection) = self.connections.get_mut(key) else { return };
        while !connection.outgoing.is_empty() {
            match platform::send(&connection.socket, &connection.outgoing) {
                Ok(taken) => {
                    connection.outgoing.drain(..taken.min(connection.outgoing.len()));
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(_) => return self.lose(key, None),
            }
        }
        let waits = !connection.outgoing.is_empty();
        if waits != connection.waits_to_write {
            connection.waits_to_write = waits;
            // Fails only for a socket that the poller does not know, and it was added when it was made.
            let _ = self.poller.change(&connection.socket, key.bits(), waits);
        }
    }

    /// A connection is lost. The reply that was coming in fails with `cause`, or as what it looks like; what had
    /// not begun to be answered is asked for once more, where that is right.
    ///
    /// RFC 9112 §9.3.1: a kept connection may be closed by its server just as a request is on its way, and an
    /// idempotent request may then be sent again by itself; §9.3.2 says the same of requests that were pipelined
    /// behind others. Each is asked for again once, and on a fresh connection only. No stamp moves.
    pub(super) fn lose(&mut self, key: Key, cause: Option<FailureCause>) {
        let Some(connection) = self.take_out(key) else { return };
        let begun = connection.reader.is_within_reply();
        for (index, request) in connection.requests.iter().enumerate() {
            let Some(id) = request.operation else { continue };
            let is_first = index == 0;
            let unanswered = !(is_first && (begun || cause.is_some()));
            if connection.has_replied && unanswered && !request.is_repeated {
                self.repeat(&connection, id, *request);
                continue;
            }
            self.fail(
                id,
                match cause {
                    Some(cause) if is_first => cause,
                    _ if connection.is_connecting => FailureCause::Connect,
                    _ if is_first && begun => FailureCause::Truncated,
                    _ => FailureCause::Disconnected,
                },
            );
        }
    }

    /// Asks once more for what was lost with a kept connection, on a fresh one.
    fn repeat(&mut self, lost: &Connection, id: OperationId, request: Request) {
        let now = self.clock.now();
        let part_bytes = self.population(lost.population).request_bytes.unwrap_or(request.bytes);
        let fresh = if lost.is_pipelined {
            self.pipeline_for(lost.population, now)
        } else {
            self.open(lost.population, false, now)
        };
        match fresh {
            Ok(key) => {
                if let Some(flight) = self.flights.get_mut(id) {
                    flight.parts.push(key);
                }
                self.ask(key, Request { is_repeated: true, ..request }, part_bytes);
            }
            Err(NoConnection::Refused) => self.fail(id, FailureCause::Connect),
            Err(NoConnection::NoSocket) => self.fail(id, FailureCause::Disconnected),
        }
    }
}

fn is_under_way(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::WouldBlock || error.raw_os_error() == Some(nix::errno::Errno::EINPROGRESS as i32)
}
