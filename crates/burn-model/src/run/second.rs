//! What is kept of a second of one application.

use std::collections::BTreeMap;
use std::time::Duration;

use super::coarse::Coarse;
use super::times::KeptTimes;
use crate::goal::Bound;
use crate::plan::Population;
use crate::record::{Cohort, FailureCause, NotSentReason, PlaybackRecord, Tally};
use crate::samples::Samples;
use crate::time::nanos;

/// Response time as it was, or as it would have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    /// As it was.
    Measured,
    /// With the client's own lateness taken out.
    LessClient,
    /// With the server's time taken out.
    LessServer,
}

/// A second of one application.
#[derive(Clone, Debug, Default)]
pub(crate) struct Second {
    /// What happened in it.
    pub(crate) happened: Happened,
    /// What became of the operations that were scheduled in it.
    pub(crate) cohort: CohortCounts,
    /// How long those took, once their values are gone.
    pub(crate) times: Option<KeptTimes>,
}

impl Second {
    /// Reads the values of the operations scheduled in it, before they go; or takes those that ended even later.
    pub(crate) fn settle(&mut self, response_time: &Samples, service_time: &Samples) {
        match &mut self.times {
            Some(times) => times.add_late(response_time),
            None => self.times = Some(KeptTimes::read(response_time, service_time, self.happened.scheduled)),
        }
    }
}

/// What happened in a second, whenever the operations were scheduled.
#[derive(Clone, Debug, Default)]
pub(crate) struct Happened {
    pub(crate) bytes: u64,
    pub(crate) scheduled: u64,
    pub(crate) failed: BTreeMap<FailureCause, u64>,
    pub(crate) timed_out: u64,
    pub(crate) not_sent: BTreeMap<NotSentReason, u64>,
    /// Few applications play anything, and each pays for the room.
    pub(crate) playback: Option<Box<PlaybackRecord>>,
}

/// What became of the operations that were scheduled in a second.
#[derive(Clone, Debug, Default)]
pub(crate) struct CohortCounts {
    pub(crate) completed: u64,
    pub(crate) unsuccessful: u64,
    /// How many of the completed took longer than each bound, by [`View`]; bounds behind the last that anything took longer than are
    /// left out, which in most seconds are all.
    over: Vec<[u64; 3]>,
    /// The response times of the completed.
    pub(crate) coarse: Coarse,
    /// Driver and receive lateness, summed.
    pub(crate) client_time: Duration,
    /// Server time, summed.
    pub(crate) server_time: Duration,
}

impl Happened {
    pub(crate) fn add(&mut self, tally: &Tally, bytes: u64, playback: Option<PlaybackRecord>) {
        self.bytes = self.bytes.saturating_add(bytes);
        self.scheduled = self.scheduled.saturating_add(tally.scheduled);
        add_counts(&mut self.failed, &tally.failed);
        self.timed_out = self.timed_out.saturating_add(tally.timed_out);
        add_counts(&mut self.not_sent, &tally.not_sent);
        self.playback = playback.map(Box::new).or_else(|| self.playback.take());
    }
}

impl CohortCounts {
    pub(crate) fn add(&mut self, cohort: &Cohort, bounds: &[Duration]) {
        self.completed = self.completed.saturating_add(cohort.response_time.len());
        self.unsuccessful = self.unsuccessful.saturating_add(cohort.unsuccessful);
        let views = [&cohort.response_time, &cohort.response_time_less_client, &cohort.response_time_less_server];
        for (place, bound) in bounds.iter().enumerate() {
            let over = views.map(|samples| samples.over(*bound));
            if over == [0; 3] {
                continue;
            }
            if self.over.len() <= place {
                self.over.resize(place + 1, [0; 3]);
            }
            if let Some(counts) = self.over.get_mut(place) {
                for (count, more) in counts.iter_mut().zip(over) {
                    *count = count.saturating_add(more);
                }
            }
        }
        self.coarse.add(&cohort.response_time);
        let client_time = sum(&cohort.driver_lateness).saturating_add(sum(&cohort.receive_lateness));
        self.client_time = self.client_time.saturating_add(client_time);
        self.server_time = self.server_time.saturating_add(sum(&cohort.server_time));
    }

    /// How many of the completed operations took longer than the bound of this number.
    pub(crate) fn over(&self, bound: usize, view: View) -> u64 {
        let column = match view {
            View::Measured => 0,
            View::LessClient => 1,
            View::LessServer => 2,
        };
        self.over.get(bound).map_or(0, |counts| counts[column])
    }

    /// How many operations are known to have ended.
    pub(crate) const fn ended(&self) -> u64 {
        self.completed.saturating_add(self.unsuccessful)
    }
}

/// The response-time bounds of a population's goals, rising, each once.
pub(crate) fn response_time_bounds(population: &Population) -> Vec<Duration> {
    let mut bounds: Vec<Duration> = population
        .goals
        .iter()
        .filter_map(|goal| match goal.bound {
            Bound::ResponseTime { good, bad, .. } => Some([good, bad]),
            _ => None,
        })
        .flatten()
        .collect();
    bounds.sort_unstable();
    bounds.dedup();
    bounds
}

fn add_counts<K: Ord + Copy>(to: &mut BTreeMap<K, u64>, from: &BTreeMap<K, u64>) {
    for (key, n) in from {
        let count = to.entry(*key).or_default();
        *count = count.saturating_add(*n);
    }
}

/// Values added up, to the grain of their buckets. What is past the top counts as the top.
fn sum(samples: &Samples) -> Duration {
    let kept = samples.iter().fold(0_u64, |sum, (value, n)| sum.saturating_add(nanos(value).saturating_mul(n)));
    Duration::from_nanos(kept.saturating_add(nanos(crate::samples::TOP).saturating_mul(samples.overflow())))
}
