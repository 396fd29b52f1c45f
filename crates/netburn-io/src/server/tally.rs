//! What the server counts of itself.

use std::sync::atomic::{AtomicU64, Ordering};

/// What a server did, from its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Connections served.
    pub connections: u64,
    /// Connections told 503, because all places were taken.
    pub turned_away: u64,
    /// Connections cut off, because the peer did not finish its request or did not take its reply in time.
    pub cut_off: u64,
    /// Connections that began with TLS and went through the door.
    pub handed_over: u64,
    /// Connections ended by a shutdown that had waited long enough.
    pub interrupted: u64,
    /// Connections whose task broke: a fault of this program.
    pub broken: u64,
    /// Failed attempts to accept a connection, such as for want of file descriptors.
    pub accept_errors: u64,
    /// Requests with a valid frame.
    pub requests: u64,
    /// Requests that were answered with an error, and what was no request at all.
    pub refused_requests: u64,
    /// Bytes of payload handed to the kernel.
    pub payload_bytes: u64,
}

/// [`Summary`] while it is being counted.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) connections: AtomicU64,
    pub(super) turned_away: AtomicU64,
    pub(super) cut_off: AtomicU64,
    pub(super) handed_over: AtomicU64,
    pub(super) interrupted: AtomicU64,
    pub(super) broken: AtomicU64,
    pub(super) accept_errors: AtomicU64,
    pub(super) requests: AtomicU64,
    pub(super) refused_requests: AtomicU64,
    pub(super) payload_bytes: AtomicU64,
}

impl Tally {
    pub(super) fn add(counter: &AtomicU64, count: u64) {
        counter.fetch_add(count, Ordering::Relaxed);
    }

    pub(super) fn summary(&self) -> Summary {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Summary {
            connections: read(&self.connections),
            turned_away: read(&self.turned_away),
            cut_off: read(&self.cut_off),
            handed_over: read(&self.handed_over),
            interrupted: read(&self.interrupted),
            broken: read(&self.broken),
            accept_errors: read(&self.accept_errors),
            requests: read(&self.requests),
            refused_requests: read(&self.refused_requests),
            payload_bytes: read(&self.payload_bytes),
        }
    }
}
