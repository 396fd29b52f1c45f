//! What the kernel says of one connection, credited to the application that uses it.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use burn_model::time::nanos;
use tokio::net::TcpStream;

use super::account::Account;
use super::locked;
use crate::tcp_figures::Counters;
use crate::tcp_info::TcpInfo;

/// A connection under watch.
#[derive(Debug)]
pub(super) struct Tap {
    seen: Mutex<Seen>,
}

#[derive(Debug)]
struct Seen {
    /// `None` once the connection has ended.
    stream: Option<Arc<TcpStream>>,
    account: Option<Arc<Account>>,
    limits: Limits,
    counters: Counters,
}

/// Times since the connection began, in nanoseconds; see [`TcpInfo`].
#[derive(Clone, Copy, Debug, Default)]
struct Limits {
    busy: u64,
    rwnd: u64,
    sndbuf: u64,
}

impl Tap {
    pub(super) fn on(stream: Arc<TcpStream>) -> Self {
        Self {
            seen: Mutex::new(Seen {
                stream: Some(stream),
                account: None,
                limits: Limits::default(),
                counters: Counters::default(),
            }),
        }
    }

    /// From now on the connection serves another account; what was so far belongs to the one before.
    pub(super) fn credit(&self, account: Option<Arc<Account>>) {
        let mut seen = locked(&self.seen);
        seen.sample();
        seen.account = account;
    }

    /// Credits what happened since the last sample, and how the connection stands in this round of samples.
    pub(super) fn sample(&self, round: u64) {
        let mut seen = locked(&self.seen);
        if let Some(info) = seen.sample()
            && let Some(account) = &seen.account
        {
            account.stand(round, &info);
        }
    }

    /// Takes a last sample and lets go of the socket, so that it closes when its owner closes it.
    pub(super) fn end(&self) {
        let mut seen = locked(&self.seen);
        seen.sample();
        seen.stream = None;
        seen.account = None;
    }
}

impl Seen {
    fn sample(&mut self) -> Option<TcpInfo> {
        let info = TcpInfo::of(self.stream.as_ref()?).ok()?;
        let now = Limits {
            busy: info.busy().map_or(0, nanos),
            rwnd: info.rwnd_limited().map_or(0, nanos),
            sndbuf: info.sndbuf_limited().map_or(0, nanos),
        };
        let before = std::mem::replace(&mut self.limits, now);
        let counters = Counters::of(&info);
        let counted = counters.since(std::mem::replace(&mut self.counters, counters));
        if let Some(account) = &self.account {
            account.busy.fetch_add(now.busy.saturating_sub(before.busy), Ordering::Relaxed);
            account.rwnd_limited.fetch_add(now.rwnd.saturating_sub(before.rwnd), Ordering::Relaxed);
            account.sndbuf_limited.fetch_add(now.sndbuf.saturating_sub(before.sndbuf), Ordering::Relaxed);
            account.count(counted);
        }
        Some(info)
    }
}
