//! The run's own time line on this host's monotonic clock.

use std::time::Instant;

use burn_model::time::{Moment, nanos};

use super::platform;

/// Turns readings of the kernel's monotonic clock into moments of the run, and back.
///
/// The kernel timer needs absolute readings of that clock, and [`Instant`] does not give its own away, so the two
/// are compared once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    /// The kernel's monotonic clock at the run's start, in nanoseconds.
    start: u64,
}

impl Clock {
    /// The time line whose [`Moment::START`] is `start`.
    pub(crate) fn starting_at(start: Instant) -> Self {
        // Both read the same kernel clock, one after the other; a thread that was put aside between the two readings
        // would shift the whole time line. Of some pairs the one read in the least time is the truest.
        let mut best = (u64::MAX, 0, start);
        for _ in 0..8 {
            let before = platform::monotonic_ns();
            let instant = Instant::now();
            let spread = platform::monotonic_ns().saturating_sub(before);
            if spread < best.0 {
                best = (spread, before + spread / 2, instant);
            }
        }
        let (_, kernel, instant) = best;
        let start = match start.checked_duration_since(instant) {
            Some(ahead) => kernel.saturating_add(nanos(ahead)),
            None => kernel.saturating_sub(nanos(instant.duration_since(start))),
        };
        Self { start }
    }

    /// The moment it is; [`Moment::START`] before the start.
    pub(crate) fn now(self) -> Moment {
        Moment::from_nanos(platform::monotonic_ns().saturating_sub(self.start))
    }

    /// Whether the run has started.
    pub(crate) fn has_started(self) -> bool {
        platform::monotonic_ns() >= self.start
    }

    /// The reading of the kernel's monotonic clock at `moment`, in nanoseconds.
    pub(crate) const fn reading_at(self, moment: Moment) -> u64 {
        self.start.saturating_add(moment.as_nanos())
    }
}
