//! When the next run starts: on a fixed grid, and once more soon after where something wants confirming.
//!
//! Pure: time is an argument, a `Duration` since the watch began, and nothing here waits. What always holds: slot `k` is at
//! `k × every`, computed from `k` and never accumulated; one run at a time; a run that took longer than its slot skips those
//! that passed, and they are counted, so that nothing ever piles up.

use std::time::Duration;

/// What lies at least between two runs, so that the one does not measure what the other left behind.
pub(crate) const REST: Duration = Duration::from_secs(1);

/// How many confirming runs follow one another between two slots. Where they cannot tell, the next slot's run confirms.
const MOST_CONFIRMING: u32 = 3;

/// Why a run starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Occasion {
    /// A slot of the grid has come.
    Slot,
    /// The run before saw a change that nobody is told of yet.
    Confirming,
}

/// The interval is too short for the scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooOften {
    /// The least interval that would do.
    pub(crate) least: Duration,
}

/// When runs start.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    every: Duration,
    confirm_after: Duration,
    /// The first slot that has neither begun nor been skipped.
    slot: u64,
    skipped: u64,
    /// When a confirming run is due, where one is wanted.
    confirming_at: Option<Duration>,
    /// Confirming runs since the last slot began.
    confirming: u32,
}

impl Schedule {
    /// A grid whose first slot is at zero. `run` is how long a run of the scenario takes as planned.
    ///
    /// # Errors
    /// Where runs would not fit between slots.
    pub(crate) fn new(every: Duration, confirm_after: Duration, run: Duration) -> Result<Self, TooOften> {
        let least = run.saturating_add(REST);
        if every < least {
            return Err(TooOften { least });
        }
        Ok(Self { every, confirm_after, slot: 0, skipped: 0, confirming_at: None, confirming: 0 })
    }

    /// When the next run starts, and why.
    pub(crate) fn next(&self) -> (Duration, Occasion) {
        let slot = self.at(self.slot);
        match self.confirming_at {
            Some(at) if at < slot => (at, Occasion::Confirming),
            // The grid's own run confirms just as well.
            _ => (slot, Occasion::Slot),
        }
    }

    /// The next run has started.
    pub(crate) const fn handle_start(&mut self, occasion: Occasion) {
        self.confirming_at = None;
        match occasion {
            Occasion::Slot => {
                self.slot += 1;
                self.confirming = 0;
            }
            Occasion::Confirming => self.confirming += 1,
        }
    }

    /// It has ended; `open` where it, or one before it, saw a change that is not confirmed yet.
    pub(crate) fn handle_end(&mut self, now: Duration, open: bool) {
        let rested = now.saturating_add(REST);
        // The first slot that is not before the rest is over.
        let free = u64::try_from(rested.as_nanos().div_ceil(self.every.as_nanos().max(1))).unwrap_or(u64::MAX);
        let passed = free.saturating_sub(self.slot);
        self.skipped = self.skipped.saturating_add(passed);
        self.slot += passed;
        let wanted = open && self.confirming < MOST_CONFIRMING;
        self.confirming_at = wanted.then(|| now.saturating_add(self.confirm_after.max(REST)));
    }

    /// How many slots passed while a run went on.
    pub(crate) const fn skipped(&self) -> u64 {
        self.skipped
    }

    fn at(&self, slot: u64) -> Duration {
        let nanos = self.every.as_nanos().saturating_mul(u128::from(slot));
        Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn hourly() -> Schedule {
        Schedule::new(s(3600), s(60), s(30)).unwrap()
    }

    /// One run of so many seconds; when it started and why.
    fn one(schedule: &mut Schedule, takes: u64, open: bool) -> (u64, Occasion) {
        let (at, occasion) = schedule.next();
        schedule.handle_start(occasion);
        schedule.handle_end(at + s(takes), open);
        (at.as_secs(), occasion)
    }

    #[test]
    fn runs_start_on_a_fixed_grid_from_the_first_moment_on() {
        let mut schedule = hourly();
        let starts: Vec<u64> = (0..4).map(|_| one(&mut schedule, 30, false).0).collect();
        assert_eq!(starts, [0, 3600, 7200, 10800]);
        assert_eq!(schedule.skipped(), 0);
    }

    #[test]
    fn a_run_that_took_too_long_skips_slots_and_counts_them() {
        let mut schedule = hourly();
        // From 0 to 2 h 30 min: the slots at 1 h and 2 h have passed.
        assert_eq!(one(&mut schedule, 9000, false).0, 0);
        assert_eq!(schedule.skipped(), 2);
        assert_eq!(one(&mut schedule, 30, false).0, 10800);
        assert_eq!(schedule.skipped(), 2);
    }

    #[test]
    fn a_slot_that_would_begin_with_no_rest_after_a_run_is_skipped() {
        let mut schedule = hourly();
        one(&mut schedule, 3600, false);
        assert_eq!((schedule.next(), schedule.skipped()), ((s(7200), Occasion::Slot), 1));
        let mut schedule = hourly();
        one(&mut schedule, 3599, false);
        assert_eq!((schedule.next(), schedule.skipped()), ((s(3600), Occasion::Slot), 0));
    }

    #[test]
    fn what_wants_confirming_is_run_soon_and_the_grid_stays_as_it_was() {
        let mut schedule = hourly();
        assert_eq!(one(&mut schedule, 30, true), (0, Occasion::Slot));
        // 30 s of run, then a minute.
        assert_eq!(one(&mut schedule, 30, false), (90, Occasion::Confirming));
        assert_eq!(one(&mut schedule, 30, false), (3600, Occasion::Slot));
    }

    #[test]
    fn confirming_runs_that_cannot_tell_leave_it_to_the_next_slot() {
        let mut schedule = hourly();
        let why: Vec<(u64, Occasion)> = (0..6).map(|_| one(&mut schedule, 30, true)).collect();
        use Occasion::{Confirming, Slot};
        assert_eq!(
            why,
            [(0, Slot), (90, Confirming), (180, Confirming), (270, Confirming), (3600, Slot), (3690, Confirming)]
        );
    }

    #[test]
    fn a_slot_that_comes_before_the_confirming_run_confirms_in_its_place() {
        let mut schedule = Schedule::new(s(40), s(60), s(30)).unwrap();
        assert_eq!(one(&mut schedule, 30, true), (0, Occasion::Slot));
        assert_eq!(one(&mut schedule, 30, false), (40, Occasion::Slot));
        assert_eq!(one(&mut schedule, 30, false), (80, Occasion::Slot));
    }

    #[test]
    fn an_interval_that_leaves_no_rest_after_a_run_is_refused_with_the_least_that_would_do() {
        assert_eq!(Schedule::new(s(30), s(60), s(30)).unwrap_err(), TooOften { least: s(31) });
        assert!(Schedule::new(s(31), s(60), s(30)).is_ok());
    }

    proptest! {
        #[test]
        fn runs_never_overlap_slots_are_begun_or_skipped_once_each_and_the_grid_never_drifts(
            runs in prop::collection::vec((1_u64..20_000, any::<bool>()), 1..60)
        ) {
            let mut schedule = hourly();
            let mut end = Duration::ZERO;
            let mut begun = 0;
            for (i, (takes_ms, open)) in runs.into_iter().enumerate() {
                let (at, occasion) = schedule.next();
                prop_assert!(i == 0 || at >= end + REST);
                if occasion == Occasion::Slot {
                    prop_assert_eq!(at, s(3600) * u32::try_from(begun + schedule.skipped()).unwrap());
                    begun += 1;
                }
                schedule.handle_start(occasion);
                end = at + Duration::from_millis(takes_ms * 1000);
                schedule.handle_end(end, open);
            }
        }
    }
}
