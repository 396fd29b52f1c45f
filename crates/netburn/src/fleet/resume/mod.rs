//! A stream of bytes in each direction that outlives its connections: what was said arrives once and in order, however
//! often the connection between the two ends is lost and made anew.
//!
//! Each end keeps what it has said until the other has acknowledged it. After a reconnect both tell how far they have
//! heard ([`Resumable::heard`]), and go on from there. Positions count bytes from the beginning of the stream; the end of
//! the stream takes one position too, so that it can be acknowledged (as in TCP, RFC 9293 §3.4).
//!
//! Pure: `now` is nanoseconds on any monotonic clock. [`conversation`] puts WebSockets under it. It knows nothing of
//! what the bytes mean.

pub mod conversation;
mod piece;

use std::collections::VecDeque;
use std::time::Duration;

use burn_model::time::nanos;

pub use piece::{LONGEST_MESSAGE, PIECE};

use piece::Piece;

/// How many unacknowledged bytes an end keeps. Who says more waits: an agent's own queue is bounded, and counts what
/// it leaves out, so that a long gap costs single operations first. 16 MiB are some 15 minutes of 20 clients' seconds.
pub const ROOM: usize = 16 << 20;

/// How long an acknowledgement may wait for something to travel with.
const ACKNOWLEDGEMENT_DELAY: Duration = Duration::from_millis(40);
/// How much may be heard before it is acknowledged without waiting.
const ACKNOWLEDGE_AT_ONCE: u64 = 4 * PIECE as u64;

/// What the peer says cannot be: the stream cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// It skips what was not heard here.
    #[error("bytes from {begin} on came where {heard} were heard: some are missing")]
    Gap {
        /// Where the message begins.
        begin: u64,
        /// How far was heard.
        heard: u64,
    },
    /// It has heard what was never said, or has forgotten what it had acknowledged.
    #[error("the other end claims to have heard {claimed} bytes; {acknowledged} to {said} are possible")]
    Impossible {
        /// How far it claims to have heard.
        claimed: u64,
        /// What it had acknowledged before.
        acknowledged: u64,
        /// What was said.
        said: u64,
    },
    /// It goes on after its end.
    #[error("bytes came after the end of the stream")]
    AfterEnd,
    /// It is no message of this layer.
    #[error("a message of {0} bytes that is none of this stream's")]
    Malformed(usize),
}

/// What a message brought that was not heard before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fresh<'a> {
    /// The bytes that come next.
    pub bytes: &'a [u8],
    /// The peer's stream ends after them.
    pub ended: bool,
}

/// One end of the two streams.
#[derive(Debug, Default)]
pub struct Resumable {
    /// Said and not yet acknowledged, from position `acknowledged` on.
    kept: VecDeque<u8>,
    acknowledged: u64,
    /// How far was sent on the present connection.
    sent: u64,
    /// How far was ever sent.
    said: u64,
    /// Where our stream ends, once it does.
    end: Option<u64>,
    heard: u64,
    peer_ended: bool,
    /// How far the peer was told that we have heard.
    told: u64,
    acknowledge_at: Option<u64>,
}

impl Resumable {
    /// How many bytes may be said now; none after [`finish`](Self::finish).
    #[must_use]
    pub fn room(&self) -> usize {
        if self.end.is_some() { 0 } else { ROOM.saturating_sub(self.kept.len()) }
    }

    /// Says as many of the bytes as there is room for, and returns how many.
    pub fn say(&mut self, bytes: &[u8]) -> usize {
        let taken = bytes.get(..self.room()).unwrap_or(bytes);
        self.kept.extend(taken);
        taken.len()
    }

    /// Ends our stream after what was said.
    pub fn finish(&mut self) {
        if self.end.is_none() {
            self.end = Some(self.acknowledged + self.kept.len() as u64);
        }
    }

    /// How far was heard, for the other end to go on from.
    #[must_use]
    pub const fn heard(&self) -> u64 {
        self.heard
    }

    /// Whether both streams have come to their ends, and both ends know.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.peer_ended && self.end.is_some_and(|end| self.acknowledged > end)
    }

    /// A new connection stands, on which the peer has said how far it had heard.
    ///
    /// # Errors
    /// Where that is impossible: the two are not the ends of one stream.
    pub fn connected(&mut self, peer_heard: u64) -> Result<(), Broken> {
        if peer_heard < self.acknowledged {
            return Err(self.impossible(peer_heard));
        }
        self.acknowledge(peer_heard)?;
        self.sent = self.acknowledged;
        self.told = self.heard;
        self.acknowledge_at = None;
        Ok(())
    }

    /// The next message to send on the present connection, if any. Ask until `None` after every other call.
    pub fn poll_message(&mut self, now: u64) -> Option<Vec<u8>> {
        let sent = usize::try_from(self.sent.saturating_sub(self.acknowledged)).unwrap_or(usize::MAX);
        let from = sent.min(self.kept.len());
        let bytes: Vec<u8> = self.kept.range(from..self.kept.len().min(from + PIECE)).copied().collect();
        let after = self.sent + bytes.len() as u64;
        let ends = self.end == Some(after);
        if bytes.is_empty() && !ends && self.acknowledge_at.is_none_or(|at| at > now) {
            return None;
        }
        let message = Piece { begin: self.sent, heard: self.heard, ends, bytes: &bytes }.encode();
        self.sent = after + u64::from(ends);
        self.said = self.said.max(self.sent);
        self.told = self.heard;
        self.acknowledge_at = None;
        Some(message)
    }

    /// When [`poll_message`](Self::poll_message) should be asked again, where nothing else happens before.
    #[must_use]
    pub const fn poll_timeout(&self) -> Option<u64> {
        self.acknowledge_at
    }

    /// A message came on the present connection.
    ///
    /// # Errors
    /// Where it cannot follow what came before it. Nothing that comes later can be relied on then.
    pub fn handle_message<'a>(&mut self, message: &'a [u8], now: u64) -> Result<Fresh<'a>, Broken> {
        let piece = Piece::decode(message).ok_or(Broken::Malformed(message.len()))?;
        self.acknowledge(piece.heard)?;
        let Some(known) = self.heard.checked_sub(piece.begin) else {
            return Err(Broken::Gap { begin: piece.begin, heard: self.heard });
        };
        let bytes = usize::try_from(known).ok().and_then(|known| piece.bytes.get(known..)).unwrap_or_default();
        let reaches_end = known <= piece.bytes.len() as u64;
        let ended = piece.ends && reaches_end && !self.peer_ended;
        if self.peer_ended && !bytes.is_empty() {
            return Err(Broken::AfterEnd);
        }
        if !bytes.is_empty() || ended {
            self.heard += bytes.len() as u64 + u64::from(ended);
            self.peer_ended |= ended;
            let at_once = ended || self.heard - self.told >= ACKNOWLEDGE_AT_ONCE;
            let due = if at_once { now } else { now.saturating_add(nanos(ACKNOWLEDGEMENT_DELAY)) };
            self.acknowledge_at = Some(self.acknowledge_at.map_or(due, |earlier| earlier.min(due)));
        }
        Ok(Fresh { bytes, ended })
    }

    fn acknowledge(&mut self, peer_heard: u64) -> Result<(), Broken> {
        if peer_heard > self.said {
            return Err(self.impossible(peer_heard));
        }
        // Never more than is kept and the end: that much was said.
        let fresh = peer_heard.saturating_sub(self.acknowledged);
        let bytes = usize::try_from(fresh).unwrap_or(usize::MAX).min(self.kept.len());
        self.kept.drain(..bytes);
        self.acknowledged = self.acknowledged.max(peer_heard);
        Ok(())
    }

    const fn impossible(&self, claimed: u64) -> Broken {
        Broken::Impossible { claimed, acknowledged: self.acknowledged, said: self.said }
    }
}

#[cfg(test)]
mod tests;
