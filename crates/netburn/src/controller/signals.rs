//! What a person or the system wants: that the run ends.

use anyhow::{Context, Result};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The wish that a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Somebody said so; who says it twice does not want to wait.
    End(&'static str),
    /// The terminal was closed. A shell and the kernel both tell of it: a second time is no second wish.
    HungUp,
}

impl Wish {
    pub(crate) const fn by(self) -> &'static str {
        match self {
            Self::End(by) => by,
            Self::HungUp => "SIGHUP (the terminal was closed)",
        }
    }
}

/// Hears wishes, for as long as the controller lives.
#[derive(Debug)]
pub(crate) struct Signals {
    interrupt: Signal,
    terminate: Signal,
    /// None where whoever started this program wants it to outlive the terminal, as `nohup` does.
    hangup: Option<Signal>,
}

impl Signals {
    pub(crate) fn listen() -> Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt()).context("cannot listen for Ctrl-C")?,
            terminate: signal(SignalKind::terminate()).context("cannot listen for SIGTERM")?,
            hangup: if ignores_hangup() { None } else { signal(SignalKind::hangup()).ok() },
        })
    }

    /// The next wish.
    pub(crate) async fn next(&mut self) -> Wish {
        let Self { interrupt, terminate, hangup } = self;
        let hung_up = async {
            match hangup {
                Some(hangup) => {
                    hangup.recv().await;
                }
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = interrupt.recv() => Wish::End("Ctrl-C"),
            _ = terminate.recv() => Wish::End("SIGTERM"),
            () = hung_up => Wish::HungUp,
        }
    }
}

fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    // Signal n is bit n - 1, and SIGHUP is 1.
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}
