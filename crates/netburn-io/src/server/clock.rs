//! The server's monotonic clock, and the pulse that tells when the server itself stood still.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use burn_model::time::nanos;
use nix::time::{ClockId, clock_gettime};

use super::locked;

/// How often the pulse beats. A pause shorter than two beats is not told from a late wake-up.
const BEAT: Duration = Duration::from_millis(10);
/// The runtime's timers are of this grain, so that a wake-up that late is on time.
const GRAIN: Duration = Duration::from_millis(1);

/// Nanoseconds since the server started, on a monotonic clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    zero: Instant,
}

impl Clock {
    pub(super) fn start() -> Self {
        Self { zero: Instant::now() }
    }

    pub(super) fn now(self) -> u64 {
        nanos(self.zero.elapsed())
    }

    fn instant(self, at: u64) -> tokio::time::Instant {
        (self.zero + Duration::from_nanos(at)).into()
    }
}

/// Wall time in nanoseconds since 1970, only to compare with the kernel's stamps; `None` where the clock cannot be
/// read.
pub(super) fn wall_now() -> Option<i128> {
    let now = clock_gettime(ClockId::CLOCK_REALTIME).ok()?;
    Some(i128::from(now.tv_sec()) * 1_000_000_000 + i128::from(now.tv_nsec()))
}

/// A stretch in which the server did not run, by [`Clock`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pause {
    pub(super) from: u64,
    pub(super) to: u64,
}

/// A timer of the server's own runtime, which is late whenever the server is.
#[derive(Debug)]
pub(super) struct Pulse {
    clock: Clock,
    last_beat: AtomicU64,
    /// The longest lateness since it was last taken.
    longest: AtomicU64,
    last_pause: Mutex<Pause>,
}

impl Pulse {
    pub(super) fn new(clock: Clock) -> Self {
        Self {
            clock,
            last_beat: AtomicU64::new(clock.now()),
            longest: AtomicU64::new(0),
            last_pause: Mutex::new(Pause::default()),
        }
    }

    /// Beats for ever.
    pub(super) async fn beat(&self) {
        loop {
            let before = self.clock.now();
            let due = before + nanos(BEAT);
            tokio::time::sleep_until(self.clock.instant(due)).await;
            self.woke(before, due, self.clock.now());
        }
    }

    /// The latest pause that ended after `since`, or that is not yet known to be over at `now`.
    ///
    /// The second case is that of a task that runs before the pulse after a pause, and finds no beat where there
    /// should have been two.
    pub(super) fn pause_since(&self, since: u64, now: u64) -> Option<Pause> {
        let last_beat = self.last_beat.load(Ordering::Acquire);
        if now.saturating_sub(last_beat) > 2 * nanos(BEAT) {
            return Some(Pause { from: last_beat, to: now });
        }
        let pause = *locked(&self.last_pause);
        (pause.to > since).then_some(pause)
    }

    /// The longest lateness of a beat since the last [`Pulse::take_longest`].
    pub(super) fn longest(&self) -> u64 {
        self.longest.load(Ordering::Relaxed)
    }

    pub(super) fn take_longest(&self) -> u64 {
        self.longest.swap(0, Ordering::Relaxed)
    }

    fn woke(&self, before: u64, due: u64, now: u64) {
        let late = now.saturating_sub(due + nanos(GRAIN));
        self.longest.fetch_max(late, Ordering::Relaxed);
        if late > nanos(BEAT) {
            *locked(&self.last_pause) = Pause { from: before, to: now };
        }
        self.last_beat.store(now, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    fn pulse() -> Pulse {
        let pulse = Pulse::new(Clock::start());
        pulse.last_beat.store(0, Ordering::Release);
        pulse
    }

    #[test]
    fn a_late_beat_is_a_pause_from_the_beat_before_to_the_wake_up() {
        let pulse = pulse();
        pulse.woke(0, 10 * MS, 310 * MS);
        assert_eq!(pulse.pause_since(5 * MS, 311 * MS), Some(Pause { from: 0, to: 310 * MS }));
        assert_eq!(pulse.pause_since(310 * MS, 311 * MS), None, "all of it is before what is asked about");
        // 310 − 10 − 1 ms of the timer's grain.
        assert_eq!(pulse.take_longest(), 299 * MS);
        assert_eq!(pulse.take_longest(), 0);
    }

    #[test]
    fn a_missing_beat_is_a_pause_before_the_pulse_itself_wakes() {
        let pulse = pulse();
        assert_eq!(pulse.pause_since(0, 20 * MS), None, "two beats may be missing");
        assert_eq!(pulse.pause_since(0, 300 * MS), Some(Pause { from: 0, to: 300 * MS }));
    }

    #[test]
    fn a_timer_that_wakes_within_its_grain_is_on_time() {
        let pulse = pulse();
        pulse.woke(0, 10 * MS, 11 * MS);
        assert_eq!(pulse.longest(), 0);
        assert_eq!(pulse.pause_since(0, 12 * MS), None);
    }
}
