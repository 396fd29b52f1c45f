//! One connection, from its first request to its end.
//!
//! Requests are answered in order. The next bytes are read only when all replies to the earlier ones are with the
//! kernel, so that a peer that sends without reading is held up by TCP, and one connection takes one buffer of memory.
//!
//! **Server time** of a reply starts when its request arrived, or when the reply before it was wholly handed over,
//! whichever is later: a request that waits behind a reply which the peer or the network does not take waits for them,
//! not for the server. It ends when the head is written, just before the first write. A wait of that write itself for
//! room in the socket's buffer is the network's, and is not in it.

use std::io::{ErrorKind, IoSlice};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::{Instant, sleep_until, timeout, timeout_at};

use super::account::Account;
use super::arrival::Arrivals;
use super::door::TLS_HANDSHAKE;
use super::input::Input;
use super::outgoing::{Head, Outgoing, WRITE_PIECES};
use super::payload::Cursor;
use super::request::{Parsed, Refusal, Request, Route, parse};
use super::socket::Socket;
use super::tally::Tally;
use super::tap::Tap;
use super::{Policy, Shared, TELLING_PATIENCE};
use crate::protocol::{self, Hello, Label, RunToken};
use crate::tcp_info::TcpInfo;

/// Other connections may run after so many bytes even where the peer takes all we have, which is a millisecond's work.
/// With several worker threads each such turn costs about as much as sending 1 MiB, so they are not shorter.
const TURN_BYTES: usize = 8 << 20;
/// The least room for requests; more than one head, so that pipelined ones are read together.
const BUFFER_BYTES: usize = 16 << 10;

/// Serves one connection until it ends.
pub(super) async fn serve(socket: Socket, shared: Arc<Shared>, stopping: watch::Receiver<bool>) {
    let mut connection = Connection::new(socket, shared, stopping);
    let end = connection.exchange().await;
    let Connection { watched, socket, shared, input, .. } = connection;
    drop(watched);
    match end {
        End::Done => {}
        End::Refused => socket.close_after_last_words().await,
        End::CutOff => {
            Tally::add(&shared.tally.cut_off, 1);
            socket.reset();
        }
        End::NotForUs => {
            let taken = shared.door.as_ref().map(|door| door.hand_over(&**socket.stream(), input.bytes()));
            if matches!(taken, Some(Ok(()))) {
                Tally::add(&shared.tally.handed_over, 1);
            }
        }
    }
}

/// How a connection ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// Nothing is left to say, or nobody to say it to.
    Done,
    /// The peer was refused, and may still be sending.
    Refused,
    /// The peer does not read.
    CutOff,
    /// The peer speaks TLS, and there is a door for that.
    NotForUs,
}

/// What the buffered requests led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answered {
    /// No whole request is left.
    All,
    /// Replies must go out before the next request is looked at.
    Some,
    /// The connection ends with the queued replies.
    Last(End),
}

#[derive(Debug)]
struct Connection {
    socket: Socket,
    shared: Arc<Shared>,
    stopping: watch::Receiver<bool>,
    input: Input,
    outgoing: Outgoing,
    cursor: Cursor,
    /// When the last reply was wholly handed over.
    handed_over_at: u64,
    /// Bytes handed over so far.
    handed: u64,
    /// Since when a reply waits for the peer, and what it had taken by then.
    waiting: Option<(Instant, u64)>,
    owner: (Option<RunToken>, Option<Label>),
    account: Option<Arc<Account>>,
    watched: Watched,
    /// Held while a witness's account is on its way.
    telling: Option<OwnedSemaphorePermit>,
}

impl Connection {
    fn new(socket: Socket, shared: Arc<Shared>, stopping: watch::Receiver<bool>) -> Self {
        let tap = Arc::new(Tap::on(Arc::clone(socket.stream())));
        let watched = Watched { id: shared.witness.watch(Arc::clone(&tap)), tap, shared: Arc::clone(&shared) };
        let room = shared.policy.max_header_bytes.max(BUFFER_BYTES);
        Self {
            cursor: shared.pool.cursor(),
            socket,
            shared,
            stopping,
            input: Input::with_room(room),
            outgoing: Outgoing::default(),
            handed_over_at: 0,
            handed: 0,
            waiting: None,
            owner: (None, None),
            account: None,
            watched,
            telling: None,
        }
    }

    async fn exchange(&mut self) -> End {
        loop {
            let answered = self.answer().await;
            if let Err(end) = self.hand_over().await {
                return end;
            }
            let result = match answered {
                Answered::Some => Ok(()),
                Answered::All => self.receive().await,
                Answered::Last(end) => Err(end),
            };
            if let Err(end) = result {
                return end;
            }
        }
    }

    /// Queues replies to the whole requests in the buffer, as many as go into one write.
    async fn answer(&mut self) -> Answered {
        while !self.outgoing.is_full() {
            let waiting = self.input.bytes();
            let limit = self.shared.policy.max_header_bytes;
            let request = match parse(waiting) {
                Parsed::Partial if waiting.is_empty() => return Answered::All,
                Parsed::Partial if waiting.len() < limit => {
                    self.input.partial_since.get_or_insert_with(Instant::now);
                    return Answered::All;
                }
                Parsed::Partial => return self.refuse(Refusal::HeadTooLarge),
                Parsed::Whole(request) if request.len > limit => return self.refuse(Refusal::HeadTooLarge),
                Parsed::Broken(_) if self.is_not_for_us() => return Answered::Last(End::NotForUs),
                Parsed::Broken(refusal) => return self.refuse(refusal),
                Parsed::Whole(request) => request,
            };
            // Bytes of one write belong to one application, and an account tells of everything before it.
            let tells = request.asked == Ok(Route::Witness);
            let new_owner = !tells && self.owner != (request.run, request.label);
            if (new_owner || tells) && !self.outgoing.is_empty() {
                return Answered::Some;
            }
            if new_owner {
                self.credit(&request);
            }
            let arrived = self.input.consume(request.len);
            self.reply(&request, arrived).await;
            if request.close {
                return Answered::Last(if request.asked.is_ok() { End::Done } else { End::Refused });
            }
        }
        Answered::Some
    }

    /// Whether the very first bytes are TLS, and somebody takes those.
    fn is_not_for_us(&self) -> bool {
        let untouched = self.handed == 0 && self.outgoing.is_empty();
        untouched && self.shared.door.is_some() && self.input.bytes().first() == Some(&TLS_HANDSHAKE)
    }

    async fn reply(&mut self, request: &Request, arrived: u64) {
        Tally::add(&self.shared.tally.requests, 1);
        let mut head = Head {
            run: request.run,
            server_time: self.server_time(arrived),
            close: request.close,
            head_only: request.head_only,
        };
        let most = self.shared.policy.max_reply_bytes;
        let refusal = match request.asked {
            Ok(Route::Bytes(size)) if size > most => Some(Refusal::TooManyBytes),
            Ok(Route::Bytes(size)) => {
                if let Some(account) = &self.account {
                    account.replies.fetch_add(1, Ordering::Relaxed);
                }
                self.outgoing.payload(&head, size, &mut self.cursor);
                None
            }
            Ok(Route::Hello) => self.document(&head, serde_json::to_vec(&self.hello()).ok()),
            Ok(Route::Witness) => {
                let document = self.witness(request.run, request.label.map(|label| label.client)).await;
                head.server_time = self.server_time(arrived);
                match document {
                    Ok(document) => self.document(&head, Some(document)),
                    Err(refusal) => Some(refusal),
                }
            }
            Err(refusal) => Some(refusal),
        };
        if let Some(refusal) = refusal {
            Tally::add(&self.shared.tally.refused_requests, 1);
            self.outgoing.refusal(&head, refusal, most);
        }
    }

    fn document(&mut self, head: &Head, document: Option<Vec<u8>>) -> Option<Refusal> {
        match document {
            Some(document) => {
                self.outgoing.json(head, &document);
                None
            }
            None => Some(Refusal::Busy),
        }
    }

    fn hello(&self) -> Hello {
        let Shared { policy, program, environment, clock, .. } = &*self.shared;
        Hello {
            program: program.clone(),
            protocol: protocol::VERSION,
            now_ns: clock.now(),
            max_reply_bytes: policy.max_reply_bytes,
            max_connections: policy.max_connections,
            environment: environment.clone(),
        }
    }

    /// An account can be tens of megabytes, so few are made at once, and not on a thread that serves others.
    async fn witness(&mut self, run: Option<RunToken>, client: Option<u32>) -> Result<Vec<u8>, Refusal> {
        let run = run.ok_or(Refusal::UnknownRun)?;
        let turn = timeout(TELLING_PATIENCE, Arc::clone(&self.shared.telling).acquire_owned());
        let permit = turn.await.ok().and_then(Result::ok).ok_or(Refusal::Busy)?;
        let told = self.shared.witness.tell(run, client, self.shared.pulse.longest()).await;
        let told = told.ok_or(Refusal::UnknownRun)?;
        let written = tokio::task::spawn_blocking(move || serde_json::to_vec(&told)).await;
        self.telling = Some(permit);
        written.ok().and_then(Result::ok).ok_or(Refusal::Busy)
    }

    /// Queues the reply to what cannot be understood; the connection ends with it.
    fn refuse(&mut self, refusal: Refusal) -> Answered {
        Tally::add(&self.shared.tally.refused_requests, 1);
        let head = Head { run: None, server_time: 0, close: true, head_only: false };
        self.outgoing.refusal(&head, refusal, self.shared.policy.max_reply_bytes);
        Answered::Last(End::Refused)
    }

    /// What the connection does from here on counts for this request's run and application.
    fn credit(&mut self, request: &Request) {
        self.owner = (request.run, request.label);
        self.account = request.run.and_then(|run| self.shared.witness.account(run, request.label));
        self.watched.tap.credit(self.account.clone());
    }

    fn server_time(&self, arrived: u64) -> u64 {
        self.shared.clock.now().saturating_sub(arrived.max(self.handed_over_at))
    }

    /// Hands all queued replies over to the kernel.
    async fn hand_over(&mut self) -> Result<(), End> {
        if self.outgoing.is_empty() {
            return Ok(());
        }
        let mut turn = 0;
        while !self.outgoing.is_empty() {
            let sent = {
                let mut slices = [IoSlice::new(&[]); WRITE_PIECES];
                let filled = self.outgoing.gather(&self.shared.pool, &mut slices);
                self.socket.send(slices.get(..filled).unwrap_or_default())
            };
            match sent {
                Ok(0) => return Err(End::Done),
                Ok(sent) => {
                    self.count(sent);
                    turn += sent;
                    if turn >= TURN_BYTES {
                        turn = 0;
                        tokio::task::yield_now().await;
                    }
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => self.wait_for_room().await?,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Err(End::Done),
            }
        }
        self.handed_over_at = self.shared.clock.now();
        self.telling = None;
        Ok(())
    }

    fn count(&mut self, sent: usize) {
        self.handed = self.handed.saturating_add(sent as u64);
        let payload = self.outgoing.advance(sent);
        Tally::add(&self.shared.tally.payload_bytes, payload);
        if let Some(account) = &self.account {
            account.bytes.fetch_add(payload, Ordering::Relaxed);
        }
    }

    /// Waits until the kernel takes more, as long as the peer takes enough.
    async fn wait_for_room(&mut self) -> Result<(), End> {
        let Policy { drain_window, min_drain_bytes, .. } = self.shared.policy;
        let (since, taken_then) = match self.waiting {
            Some(waiting) => waiting,
            None => *self.waiting.insert((Instant::now(), self.taken())),
        };
        match timeout_at(since + drain_window, self.socket.writable()).await {
            Ok(writable) => writable.map_err(|_| End::Done),
            Err(_) => {
                let taken = self.taken();
                if taken.saturating_sub(taken_then) < min_drain_bytes {
                    return Err(End::CutOff);
                }
                self.waiting = Some((Instant::now(), taken));
                Ok(())
            }
        }
    }

    /// Bytes that the peer has acknowledged; those handed over where the kernel does not say.
    fn taken(&self) -> u64 {
        TcpInfo::of(self.socket.stream()).ok().and_then(|info| info.bytes_acked()).unwrap_or(self.handed)
    }

    /// Waits for the next request, or more of it.
    async fn receive(&mut self) -> Result<(), End> {
        self.input.make_room();
        self.waiting = None;
        let Policy { idle_timeout, header_timeout, min_drain_bytes, .. } = self.shared.policy;
        let partial = self.input.partial_since;
        let mut taken = 0;
        let mut deadline = partial.map_or_else(|| Instant::now() + idle_timeout, |since| since + header_timeout);
        loop {
            tokio::select! {
                biased;
                read = self.socket.receive(self.input.room()) => {
                    let read = read.map_err(|_| End::Done)?;
                    if read.len == 0 {
                        return Err(End::Done);
                    }
                    let pause = self.shared.pulse.pause_since(read.empty_at, read.at);
                    self.input.filled(read.len, Arrivals::of(&read, pause));
                    return Ok(());
                }
                () = sleep_until(deadline) => {}
                _ = self.stopping.wait_for(|&stop| stop), if partial.is_none() => return Err(End::Done),
            }
            if partial.is_some() {
                Tally::add(&self.shared.tally.cut_off, 1);
                self.refuse(Refusal::HeadTooSlow);
                self.hand_over().await?;
                return Err(End::Refused);
            }
            // What the kernel still holds for a slow peer must go on flowing, or the peer is gone.
            let before = std::mem::replace(&mut taken, self.taken());
            if taken >= self.handed {
                return Err(End::Done);
            }
            if taken.saturating_sub(before) < min_drain_bytes {
                return Err(End::CutOff);
            }
            deadline = Instant::now() + idle_timeout;
        }
    }
}

/// Ends the witness's watch on the connection whatever ends the connection.
#[derive(Debug)]
struct Watched {
    id: u64,
    tap: Arc<Tap>,
    shared: Arc<Shared>,
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.shared.witness.forget(self.id);
    }
}
