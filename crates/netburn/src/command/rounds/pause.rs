//! A person is asked to change something, and waited for.

use std::io::{IsTerminal, Write, stderr, stdin};
use std::os::fd::AsFd;

use anyhow::{Context, Result, bail};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};

/// What the person wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// It is done: go on.
    GoOn,
    /// No more runs.
    Enough,
}

/// Whether there is a person who could be asked.
pub(super) fn is_possible() -> bool {
    stdin().is_terminal() && stderr().is_terminal()
}

/// Asks, and waits for as long as it takes.
///
/// # Errors
/// Where the terminal cannot be read, or is gone.
pub(super) fn ask(question: &str) -> Result<Reply> {
    // The run before this question has taken the signals over for good, and nobody would act on them here. While they are held
    // back they can be read like any other input. Whoever asked may not have a second thread: see `controller::execute`.
    let held = Held::back()?;
    let _ = write!(stderr(), "{question} ");
    let stdin = stdin();
    let mut sources =
        [PollFd::new(held.signals.as_fd(), PollFlags::POLLIN), PollFd::new(stdin.as_fd(), PollFlags::POLLIN)];
    loop {
        match poll(&mut sources, PollTimeout::NONE) {
            Ok(_) => break,
            Err(Errno::EINTR) => {}
            Err(error) => return Err(error).context("cannot wait for the terminal"),
        }
    }
    if sources[0].any().unwrap_or(false) {
        let _ = writeln!(stderr());
        return Ok(Reply::Enough);
    }
    let mut line = String::new();
    // A terminal is readable once a whole line stands there, or when it is gone.
    if stdin.read_line(&mut line).is_err() {
        bail!("the terminal is gone");
    }
    let enough = line.is_empty() || line.trim().eq_ignore_ascii_case("q");
    Ok(if enough { Reply::Enough } else { Reply::GoOn })
}

/// Signals that end a run, held back from this thread until this is dropped.
struct Held {
    before: SigSet,
    signals: SignalFd,
}

impl Held {
    fn back() -> Result<Self> {
        let ends = SigSet::from_iter([Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP]);
        let signals = SignalFd::with_flags(&ends, SfdFlags::SFD_CLOEXEC).context("cannot listen for Ctrl-C")?;
        let before =
            ends.thread_swap_mask(nix::sys::signal::SigmaskHow::SIG_BLOCK).context("cannot listen for Ctrl-C")?;
        Ok(Self { before, signals })
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // What came meanwhile was the answer: it shall not end the next run too.
        while let Ok(true) =
            poll(&mut [PollFd::new(self.signals.as_fd(), PollFlags::POLLIN)], PollTimeout::ZERO).map(|n| n > 0)
        {
            if self.signals.read_signal().is_err() {
                break;
            }
        }
        let _ = self.before.thread_set_mask();
    }
}
