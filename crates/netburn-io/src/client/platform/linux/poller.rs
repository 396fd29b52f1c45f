//! The one place where the driver waits.

use std::io;
use std::os::fd::AsFd;
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::epoll::{Epoll, EpollCreateFlags, EpollEvent, EpollFlags, EpollTimeout};
use nix::sys::time::TimeSpec;
use nix::sys::timerfd::{ClockId, Expiration, TimerFd, TimerFlags, TimerSetTimeFlags};

use super::{StopHandle, monotonic_ns};

/// Sockets that one wait reports at most; the others are reported by the next.
const BATCH: usize = 256;
/// Keys of what is not a socket.
const TIMER: u64 = u64::MAX;
const STOP: u64 = u64::MAX - 1;

/// Waits for sockets, for a moment and for a [`StopHandle`], in one call.
///
/// The moment is a timerfd's, on the monotonic clock, absolute: epoll's own timeout is in milliseconds, and the
/// timerfd is neither rounded nor subject to timer slack.
#[derive(Debug)]
pub(crate) struct Poller {
    epoll: Epoll,
    timer: TimerFd,
    /// What the timer was last set to.
    armed: Option<u64>,
    ready: Vec<EpollEvent>,
    count: usize,
}

/// What a socket is ready for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Readiness {
    /// The key that the socket was added under.
    pub(crate) key: u64,
    /// There is something to read, the other end has closed, or the connection is broken: reading will tell.
    pub(crate) readable: bool,
    /// There is room to write, or a connection attempt is over.
    pub(crate) writable: bool,
}

impl Poller {
    /// Waits for `stop` and, so far, for no socket.
    pub(crate) fn new(stop: &StopHandle) -> io::Result<Self> {
        let epoll = Epoll::new(EpollCreateFlags::EPOLL_CLOEXEC)?;
        let timer = TimerFd::new(ClockId::CLOCK_MONOTONIC, TimerFlags::TFD_NONBLOCK | TimerFlags::TFD_CLOEXEC)?;
        epoll.add(&timer, EpollEvent::new(EpollFlags::EPOLLIN, TIMER))?;
        epoll.add(stop, EpollEvent::new(EpollFlags::EPOLLIN, STOP))?;
        Ok(Self { epoll, timer, armed: None, ready: vec![EpollEvent::empty(); BATCH], count: 0 })
    }

    /// Adds a socket under a key below `u64::MAX - 1`. It leaves the poller when it is closed.
    pub(crate) fn add(&self, socket: impl AsFd, key: u64, to_write: bool) -> io::Result<()> {
        Ok(self.epoll.add(socket, EpollEvent::new(interest(to_write), key))?)
    }

    /// Changes whether room to write is waited for as well.
    pub(crate) fn change(&self, socket: impl AsFd, key: u64, to_write: bool) -> io::Result<()> {
        Ok(self.epoll.modify(socket, &mut EpollEvent::new(interest(to_write), key))?)
    }

    /// No longer waits for `stop`, which stays raised.
    pub(crate) fn forget(&self, stop: &StopHandle) -> io::Result<()> {
        Ok(self.epoll.delete(stop)?)
    }

    /// Returns at the first of: a socket is ready, `stop` was raised, the monotonic clock reads `until`.
    pub(crate) fn wait(&mut self, until: u64) -> io::Result<()> {
        self.count = 0;
        let timeout = if until <= monotonic_ns() {
            EpollTimeout::ZERO
        } else {
            if self.armed != Some(until) {
                // Setting a timer also clears its expiry, so it is never read.
                let at = Expiration::OneShot(TimeSpec::from_duration(Duration::from_nanos(until)));
                self.timer.set(at, TimerSetTimeFlags::TFD_TIMER_ABSTIME)?;
                self.armed = Some(until);
            }
            EpollTimeout::NONE
        };
        match self.epoll.wait(&mut self.ready, timeout) {
            Ok(count) => self.count = count,
            Err(Errno::EINTR) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    /// Whether the last wait may have left out a socket that was ready.
    pub(crate) const fn was_full(&self) -> bool {
        self.count == BATCH
    }

    /// How many there are of [`ready`](Self::ready).
    pub(crate) const fn count(&self) -> usize {
        self.count
    }

    /// The `index`-th thing that the last wait reported; `None` where it was no socket.
    pub(crate) fn ready(&self, index: usize) -> Option<Readiness> {
        let event = self.ready.get(index)?;
        let key = event.data();
        if key == TIMER || key == STOP {
            return None;
        }
        let broken = EpollFlags::EPOLLERR | EpollFlags::EPOLLHUP;
        let flags = event.events();
        Some(Readiness {
            key,
            readable: flags.intersects(EpollFlags::EPOLLIN | broken),
            writable: flags.intersects(EpollFlags::EPOLLOUT | broken),
        })
    }
}

fn interest(to_write: bool) -> EpollFlags {
    if to_write { EpollFlags::EPOLLIN | EpollFlags::EPOLLOUT } else { EpollFlags::EPOLLIN }
}
