//! What is counted for one application of one run within a second.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::locked;
use crate::protocol::{ApplicationSecond, Label};
use crate::tcp_figures::{Counters, TcpFigures};
use crate::tcp_info::TcpInfo;

/// What is counted for one application of one run since its last second ended.
#[derive(Debug, Default)]
pub(super) struct Account {
    /// When the counting began.
    from: AtomicU64,
    pub(super) replies: AtomicU64,
    pub(super) bytes: AtomicU64,
    pub(super) busy: AtomicU64,
    pub(super) rwnd_limited: AtomicU64,
    pub(super) sndbuf_limited: AtomicU64,
    connections: Mutex<Connections>,
}

/// What the kernel says of an application's connections.
#[derive(Clone, Debug, Default)]
struct Connections {
    /// Since the last second ended.
    counted: Counters,
    /// Which round of samples `standing` comes from.
    round: u64,
    standing: TcpFigures,
}

impl Account {
    pub(super) fn at(from: u64) -> Self {
        Self { from: AtomicU64::new(from), ..Self::default() }
    }

    /// A connection has counted this since its last sample.
    pub(super) fn count(&self, counted: Counters) {
        locked(&self.connections).counted.add(counted);
    }

    /// A connection stands so in this round of samples. A later round takes the place of an earlier one.
    pub(super) fn stand(&self, round: u64, info: &TcpInfo) {
        let mut connections = locked(&self.connections);
        if connections.round < round {
            connections.round = round;
            connections.standing = TcpFigures::default();
        }
        if connections.round == round {
            connections.standing.take(info);
        }
    }

    /// What was counted since the last second ended.
    pub(super) fn peek(&self, label: Label, to_ns: u64) -> ApplicationSecond {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let connections = locked(&self.connections).clone();
        self.second(label, read(&self.from), to_ns, connections, read)
    }

    /// The same; from now on the next second is counted.
    pub(super) fn end(&self, label: Label, to_ns: u64) -> ApplicationSecond {
        let connections = {
            let mut kept = locked(&self.connections);
            let next = Connections { round: kept.round, ..Connections::default() };
            std::mem::replace(&mut *kept, next)
        };
        self.second(label, self.from.swap(to_ns, Ordering::Relaxed), to_ns, connections, |counter| {
            counter.swap(0, Ordering::Relaxed)
        })
    }

    fn second(
        &self,
        label: Label,
        from_ns: u64,
        to_ns: u64,
        connections: Connections,
        read: impl Fn(&AtomicU64) -> u64,
    ) -> ApplicationSecond {
        let Connections { counted, standing, .. } = connections;
        let is_known = !standing.is_empty() || counted != Counters::default();
        ApplicationSecond {
            label,
            from_ns,
            to_ns,
            replies: read(&self.replies),
            bytes: read(&self.bytes),
            busy_ns: read(&self.busy),
            rwnd_limited_ns: read(&self.rwnd_limited),
            sndbuf_limited_ns: read(&self.sndbuf_limited),
            connections: is_known.then(|| standing.record(counted)),
        }
    }
}

/// Whether anything happened in it. That connections stood open is nothing.
pub(super) fn has_content(second: &ApplicationSecond) -> bool {
    let ApplicationSecond { replies, bytes, busy_ns, rwnd_limited_ns, sndbuf_limited_ns, .. } = second;
    [replies, bytes, busy_ns, rwnd_limited_ns, sndbuf_limited_ns].into_iter().any(|&count| count > 0)
}
