//! Linux: epoll, timerfd, eventfd, MSG_TRUNC, SO_TIMESTAMPNS.

pub(crate) mod effort;
mod poller;
mod socket;
mod stop;

use std::time::Duration;

use burn_model::time::nanos;
use nix::time::{ClockId, clock_gettime};

pub(crate) use poller::{Poller, Readiness};
pub(crate) use socket::{DISCARD_BYTES, Receiver, is_lack_of_sockets, send, stamp_arrivals};
pub use stop::StopHandle;

/// The kernel's monotonic clock, in nanoseconds. The same clock that [`std::time::Instant`] reads.
pub(crate) fn monotonic_ns() -> u64 {
    clock(ClockId::CLOCK_MONOTONIC)
}

/// A clock's reading in nanoseconds. The clocks that are asked for here exist on every Linux; a reading that could not
/// be made would be 0.
fn clock(id: ClockId) -> u64 {
    clock_gettime(id).map(Duration::from).map_or(0, nanos)
}
