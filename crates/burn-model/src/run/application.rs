//! The fold of one application of one client.

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;

use super::doubts::Breaks;
use super::second::{Second, response_time_bounds};
use super::times::{KeptTimes, SecondTimes};
use super::{Figure, Recent};
use crate::distribution::Distribution;
use crate::plan::Population;
use crate::record::{Cohort, IntervalRecord};
use crate::samples::Samples;

/// For so many seconds after they were scheduled, operations are kept by second before they go into the one
/// distribution of the run. Which seconds are judged may still change for so long: a client that is lost, or a
/// person who stops the run, is noticed a little later than it happens.
const UNSETTLED_SECONDS: u64 = 20;

/// What is known of one application.
#[derive(Clone, Debug)]
pub(crate) struct Application {
    bounds: Vec<Duration>,
    seconds: BTreeMap<u64, Second>,
    /// Payload by period of a constant schedule.
    periods: BTreeMap<u64, u64>,
    unsettled: BTreeMap<u64, Figures<Samples>>,
    settled: Figures<Distribution>,
    /// Seconds whose operations are in `settled`: from the first to after the last.
    settled_seconds: Option<Range<u64>>,
    latest_scheduled: u64,
    recent: Option<Recent>,
    startup: Option<Duration>,
    bytes: u64,
    pub(crate) breaks: Breaks,
}

/// One of something for each figure.
#[derive(Clone, Debug, Default)]
struct Figures<T>([T; Figure::ALL.len()]);

impl<T> Figures<T> {
    const fn get(&self, figure: Figure) -> &T {
        &self.0[figure as usize]
    }
}

impl Application {
    pub(super) fn new(population: &Population) -> Self {
        Self {
            bounds: response_time_bounds(population),
            seconds: BTreeMap::new(),
            periods: BTreeMap::new(),
            unsettled: BTreeMap::new(),
            settled: Figures::default(),
            settled_seconds: None,
            latest_scheduled: 0,
            recent: None,
            startup: None,
            bytes: 0,
            breaks: Breaks::default(),
        }
    }

    /// Takes a record. Seconds of `settling` go into the distributions.
    pub(super) fn apply(&mut self, record: &IntervalRecord, settling: &Range<u64>) {
        self.breaks.check(record);
        let second = self.seconds.entry(record.second).or_default();
        second.happened.add(&record.tally, record.bytes, record.playback);
        self.bytes = self.bytes.saturating_add(record.bytes);
        for (period, bytes) in &record.periods {
            let count = self.periods.entry(*period).or_default();
            *count = count.saturating_add(*bytes);
        }
        let startup = record.playback.and_then(|playback| playback.startup_ns);
        self.startup = self.startup.or(startup.map(Duration::from_nanos));
        if record.tally.scheduled > 0 {
            self.latest_scheduled = self.latest_scheduled.max(record.second);
        }
        let mut response_time = Samples::default();
        for cohort in record.cohorts.iter().filter(|cohort| cohort.scheduled_second <= record.second) {
            response_time.merge(&cohort.response_time);
            self.take(cohort);
        }
        self.recent = Some(Recent {
            second: record.second,
            in_flight: record.tally.in_flight_after,
            bytes: record.bytes,
            completed: record.tally.completed,
            unsuccessful: unsuccessful(record),
            response_time,
        });
        self.settle(settling);
    }

    fn take(&mut self, cohort: &Cohort) {
        self.seconds.entry(cohort.scheduled_second).or_default().cohort.add(cohort, &self.bounds);
        let figures = self.unsettled.entry(cohort.scheduled_second).or_default();
        for figure in Figure::ALL {
            figures.0[figure as usize].merge(figure.of(cohort));
        }
    }

    /// Moves what is old enough into the distributions of the run.
    fn settle(&mut self, settling: &Range<u64>) {
        let before = self.latest_scheduled.saturating_sub(UNSETTLED_SECONDS);
        while let Some(entry) = self.unsettled.first_entry().filter(|entry| *entry.key() < before) {
            let (second, figures) = entry.remove_entry();
            self.seconds
                .entry(second)
                .or_default()
                .settle(figures.get(Figure::ResponseTime), figures.get(Figure::ServiceTime));
            if !settling.contains(&second) {
                continue;
            }
            for (total, samples) in self.settled.0.iter_mut().zip(&figures.0) {
                total.add(samples);
            }
            let seconds = self.settled_seconds.get_or_insert(second..second + 1);
            *seconds = seconds.start.min(second)..seconds.end.max(second + 1);
        }
    }

    /// How long the operations that were scheduled in a second took.
    pub(crate) fn times(&self, second: u64) -> SecondTimes {
        let Some(counts) = self.seconds.get(&second) else { return SecondTimes::default() };
        let unsettled = self.unsettled.get(&second).map(|figures| {
            let ranked = counts.happened.scheduled;
            KeptTimes::read(figures.get(Figure::ResponseTime), figures.get(Figure::ServiceTime), ranked)
        });
        counts.times.as_ref().or(unsettled.as_ref()).map(KeptTimes::figures).unwrap_or_default()
    }

    /// The distribution of a figure over the operations scheduled in `judged`. Where fewer seconds turned out to be
    /// judged than were settled, it is of those too: see [`Self::settled_outside`].
    pub(crate) fn distribution(&self, figure: Figure, judged: &Range<u64>) -> Distribution {
        let mut total = self.settled.get(figure).clone();
        for (_, figures) in self.unsettled.range(judged.start..judged.end.max(judged.start)) {
            total.add(figures.get(figure));
        }
        total
    }

    /// How many seconds outside of `judged` the distributions hold.
    pub(crate) fn settled_outside(&self, judged: &Range<u64>) -> u64 {
        let Some(settled) = &self.settled_seconds else { return 0 };
        let inside = settled.end.min(judged.end).saturating_sub(settled.start.max(judged.start));
        (settled.end - settled.start).saturating_sub(inside)
    }

    pub(crate) fn bounds(&self) -> &[Duration] {
        &self.bounds
    }

    /// Every known second within `range`, rising.
    pub(crate) fn seconds(&self, range: Range<u64>) -> impl Iterator<Item = (u64, &Second)> {
        self.seconds.range(range.start..range.end.max(range.start)).map(|(second, counts)| (*second, counts))
    }

    /// Payload of each second of `range`, 0 where there was none.
    pub(crate) fn payload(&self, range: Range<u64>) -> Vec<u64> {
        let length = usize::try_from(range.end.saturating_sub(range.start)).unwrap_or(0);
        let mut payload = vec![0; length];
        for (second, counts) in self.seconds(range.clone()) {
            if let Some(place) = usize::try_from(second - range.start).ok().and_then(|place| payload.get_mut(place)) {
                *place = counts.happened.bytes;
            }
        }
        payload
    }

    /// Payload by period of a constant schedule, rising; periods without any are left out.
    pub(crate) fn periods(&self, range: Range<u64>) -> impl Iterator<Item = (u64, u64)> {
        self.periods.range(range.start..range.end.max(range.start)).map(|(period, bytes)| (*period, *bytes))
    }

    pub(crate) const fn startup(&self) -> Option<Duration> {
        self.startup
    }

    /// Payload of the whole run, warm-up and drain included.
    pub(crate) const fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) const fn recent(&self) -> Option<&Recent> {
        self.recent.as_ref()
    }

    /// The first second of which nothing is known.
    pub(crate) const fn known_until(&self) -> u64 {
        self.breaks.next_second()
    }
}

fn unsuccessful(record: &IntervalRecord) -> u64 {
    record.tally.failures().saturating_add(record.tally.timed_out).saturating_add(record.tally.unsent())
}
