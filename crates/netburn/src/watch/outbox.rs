//! Alarms on their way: one at a time, and none is lost before it was delivered or a later one says it too.
//!
//! Pure: time is an argument, and trying to deliver is the caller's. What always holds: while one is being delivered it stays
//! as it is; what is raised meanwhile waits; an alarm that could not be delivered is joined with what waits, the later news
//! of a subject in place of the earlier.

use std::time::Duration;

use super::alarm::Alarm;

/// How long after the n-th failed try the next one is made; the last goes on for ever.
const PAUSES: [Duration; 5] = [
    Duration::from_secs(5),
    Duration::from_secs(30),
    Duration::from_secs(120),
    Duration::from_secs(600),
    Duration::from_secs(3600),
];

/// Alarms for one receiver.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outbox {
    waiting: Option<Alarm>,
    on_its_way: Option<Alarm>,
    /// Failed tries since the last delivery.
    failed: usize,
    not_before: Duration,
}

impl Outbox {
    /// With what was not delivered before a restart.
    pub(crate) fn with(waiting: Option<Alarm>) -> Self {
        Self { waiting, ..Self::default() }
    }

    /// Takes an alarm. News are tried at once, also where older ones failed a moment ago.
    pub(crate) fn put(&mut self, alarm: Alarm, now: Duration) {
        self.waiting = Some(match self.waiting.take() {
            Some(earlier) => alarm.after(earlier),
            None => alarm,
        });
        self.failed = 0;
        self.not_before = now;
    }

    /// When [`Self::begin`] has something to give.
    pub(crate) fn poll_timeout(&self) -> Option<Duration> {
        (self.waiting.is_some() && self.on_its_way.is_none()).then_some(self.not_before)
    }

    /// The alarm to deliver now.
    pub(crate) fn begin(&mut self, now: Duration) -> Option<Alarm> {
        if self.poll_timeout().is_none_or(|due| due > now) {
            return None;
        }
        self.on_its_way = self.waiting.take();
        self.on_its_way.clone()
    }

    /// It has arrived.
    pub(crate) fn handle_delivered(&mut self) {
        self.on_its_way = None;
        self.failed = 0;
    }

    /// It has not; it is tried again after a pause, which is returned.
    pub(crate) fn handle_failed(&mut self, now: Duration) -> Duration {
        let pause = PAUSES.get(self.failed).or(PAUSES.last()).copied().unwrap_or_default();
        self.failed += 1;
        // What was raised meanwhile is news, and need not wait.
        let news = self.waiting.is_some();
        self.waiting = self.not_delivered();
        self.on_its_way = None;
        self.not_before = if news { now } else { now.saturating_add(pause) };
        pause
    }

    /// All that is not known to have arrived, as one alarm: what is kept over a restart.
    pub(crate) fn not_delivered(&self) -> Option<Alarm> {
        match (&self.on_its_way, &self.waiting) {
            (Some(earlier), Some(later)) => Some(later.clone().after(earlier.clone())),
            (one, other) => one.clone().or_else(|| other.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::alarm::tests::alarm;
    use crate::watch::condition::Condition::{Bad, Good};

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn an_alarm_is_delivered_once() {
        let mut outbox = Outbox::default();
        assert_eq!(outbox.begin(s(1)), None);
        outbox.put(alarm(&[("tv", Bad)]), s(1));
        assert_eq!(outbox.poll_timeout(), Some(s(1)));
        assert_eq!(outbox.begin(s(1)), Some(alarm(&[("tv", Bad)])));
        assert_eq!((outbox.poll_timeout(), outbox.begin(s(9))), (None, None), "it is on its way");
        outbox.handle_delivered();
        assert_eq!((outbox.poll_timeout(), outbox.not_delivered()), (None, None));
    }

    #[test]
    fn one_that_does_not_arrive_is_kept_and_tried_again_ever_more_seldom() {
        let mut outbox = Outbox::default();
        outbox.put(alarm(&[("tv", Bad)]), s(0));
        let mut now = s(0);
        let mut tried = Vec::new();
        for _ in 0..7 {
            now = outbox.poll_timeout().unwrap();
            tried.push(now.as_secs());
            assert!(outbox.begin(now).is_some());
            outbox.handle_failed(now);
        }
        // 5, then 30, 120, 600, 3600 and 3600 later.
        assert_eq!(tried, [0, 5, 35, 155, 755, 4355, 7955]);
        assert_eq!(outbox.not_delivered(), Some(alarm(&[("tv", Bad)])));
        assert_eq!(outbox.begin(now), None, "its pause is not over");
    }

    #[test]
    fn later_news_take_the_place_of_earlier_ones_of_the_same_subject_and_leave_the_others() {
        let mut outbox = Outbox::default();
        outbox.put(alarm(&[("tv", Bad), ("phone", Bad)]), s(0));
        outbox.begin(s(0));
        outbox.put(alarm(&[("tv", Good)]), s(1));
        outbox.handle_failed(s(2));
        // At once: it has news.
        assert_eq!(outbox.begin(s(2)).unwrap().changes, alarm(&[("phone", Bad), ("tv", Good)]).changes);
    }

    #[test]
    fn what_is_raised_while_another_is_delivered_follows_it_alone() {
        let mut outbox = Outbox::default();
        outbox.put(alarm(&[("tv", Bad)]), s(0));
        outbox.begin(s(0));
        outbox.put(alarm(&[("phone", Bad)]), s(1));
        outbox.handle_delivered();
        assert_eq!(outbox.begin(s(1)), Some(alarm(&[("phone", Bad)])));
    }
}
