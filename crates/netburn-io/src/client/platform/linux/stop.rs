//! Stopping a run from another thread or from a signal handler's thread.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::sys::eventfd::{EfdFlags, EventFd};

/// Ends the load of a running [`drive`](crate::client::drive) from anywhere. Clones are the same handle.
#[derive(Clone, Debug)]
pub struct StopHandle {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    stopped: AtomicBool,
    wake: EventFd,
}

impl StopHandle {
    /// A handle that nobody has stopped yet.
    ///
    /// # Errors
    /// Where the system has no file descriptor left.
    pub fn new() -> io::Result<Self> {
        let wake = EventFd::from_flags(EfdFlags::EFD_CLOEXEC | EfdFlags::EFD_NONBLOCK)?;
        Ok(Self { shared: Arc::new(Shared { stopped: AtomicBool::new(false), wake }) })
    }

    /// Ends the load now: nothing further is sent, and what is under way may finish within its drain. Returns at once,
    /// and may be called at any time and more than once.
    pub fn stop(&self) {
        self.shared.stopped.store(true, Ordering::Release);
        // The one way this fails is a counter near 2^64, and then the loop is awake already.
        let _ = self.shared.wake.write(1);
    }

    /// Whether [`stop`](Self::stop) was called.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.shared.stopped.load(Ordering::Acquire)
    }
}

impl AsFd for StopHandle {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.shared.wake.as_fd()
    }
}
