//! Everything that is asked of the operating system beyond portable sockets, in one small place.
//!
//! Another system needs: a [`Poller`] that waits for sockets, a [`StopHandle`] and a moment of the monotonic clock, all
//! at once (kqueue has the three in one call; Windows has waitable timers); a [`Receiver`], which may be plain
//! reads without stamps; and the readings of [`effort`], which may be absent.

#[cfg(target_os = "linux")]
mod linux;

#[cfg(target_os = "linux")]
pub use linux::StopHandle;
#[cfg(target_os = "linux")]
pub(crate) use linux::{
    DISCARD_BYTES, Poller, Readiness, Receiver, effort, is_lack_of_sockets, monotonic_ns, send, stamp_arrivals,
};

#[cfg(not(target_os = "linux"))]
compile_error!(
    "netburn's client runs on Linux so far: give crates/netburn-io/src/client/platform a module for this system"
);
