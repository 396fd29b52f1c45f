//! Streams: goodput in windows, and what the playback model saw.

use std::time::Duration;

use super::evidence::Evidence;
use super::judgement::StreamSummary;
use crate::goal::{Bound, Goal};
use crate::numbers::float;
use crate::plan::{Arrival, Rate};
use crate::time::{Moment, nanos};

/// Windows slide by one period of the schedule, or by more where that would make more windows than this.
const MOST_WINDOWS: u64 = 1_000_000;

/// Goodput in the windows of a constant schedule that lie wholly in the judged time.
pub(crate) struct Windows {
    /// How many there are. They overlap: each begins one period after the last.
    pub(crate) count: u64,
    /// How many lie side by side.
    pub(crate) apart: u64,
    /// The time that they cover together.
    pub(crate) covered: Duration,
    /// The least goodput of any, bits per second.
    pub(crate) lowest_bps: Option<f64>,
    /// The greatest.
    pub(crate) highest_bps: Option<f64>,
    grid: Grid,
    /// Each window's first period and payload, in order.
    payload: Vec<(u64, u64)>,
}

/// Periods of a constant schedule.
#[derive(Clone, Copy)]
struct Grid {
    rate: Rate,
    phase: Duration,
    /// Periods in a window.
    periods: u64,
    /// How long a window is.
    length: Duration,
}

impl Grid {
    /// When a period begins.
    fn at(self, period: u64) -> Moment {
        Moment::START + self.phase + self.rate.offset(period)
    }

    /// How many periods begin before `moment`.
    fn begun_before(self, moment: Moment) -> u64 {
        let since = u128::from(nanos(moment.since(Moment::START + self.phase)));
        let begun = (since * u128::from(self.rate.operations)).div_ceil(u128::from(self.rate.per_ns.max(1)));
        u64::try_from(begun).unwrap_or(u64::MAX)
    }
}

impl Windows {
    /// The windows of an application; `None` where its schedule has none.
    pub(crate) fn of(evidence: &Evidence<'_>, window: Duration) -> Option<Self> {
        let Arrival::Constant { rate, phase } = evidence.population.arrival else { return None };
        let (periods, length) = evidence.population.goodput_window(window)?;
        let grid = Grid { rate, phase, periods, length };
        let (from, to) = evidence.window.moments();
        let first = grid.begun_before(from);
        // The period that begins at or after `to` ends the last one before it, but only where it begins at `to`.
        let begun = grid.begun_before(to);
        let end = if grid.at(begun) > to { begun.saturating_sub(1) } else { begun };
        let whole = end.saturating_sub(first);
        let mut windows = Self {
            count: 0,
            apart: whole / periods,
            covered: if whole >= periods { grid.at(end).since(grid.at(first)) } else { Duration::ZERO },
            lowest_bps: None,
            highest_bps: None,
            grid,
            payload: Vec::new(),
        };
        if length.is_zero() || whole < periods {
            return Some(windows);
        }
        windows.slide(evidence, first, end);
        let bps = |bytes: u64| float(bytes) * 8.0 / length.as_secs_f64();
        windows.count = u64::try_from(windows.payload.len()).unwrap_or(u64::MAX);
        windows.lowest_bps = windows.payload.iter().map(|(_, bytes)| *bytes).min().map(bps);
        windows.highest_bps = windows.payload.iter().map(|(_, bytes)| *bytes).max().map(bps);
        Some(windows)
    }

    /// Adds up the payload of each window: what enters at its end is added, what leaves at its beginning taken off.
    fn slide(&mut self, evidence: &Evidence<'_>, first: u64, end: u64) {
        let periods = self.grid.periods;
        let last = end.saturating_sub(periods);
        let step = (last - first).div_ceil(MOST_WINDOWS).max(1);
        let mut entering = evidence.application.periods(first..end).peekable();
        let mut leaving = evidence.application.periods(first..end).peekable();
        let mut payload = 0_u128;
        let mut period = first;
        while period <= last {
            while let Some((_, bytes)) = entering.next_if(|(at, _)| *at < period.saturating_add(periods)) {
                payload += u128::from(bytes);
            }
            while let Some((_, bytes)) = leaving.next_if(|(at, _)| *at < period) {
                payload -= u128::from(bytes);
            }
            self.payload.push((period, u64::try_from(payload).unwrap_or(u64::MAX)));
            period = period.saturating_add(step);
        }
    }

    /// The times of the windows under a goal's floor, merged where they overlap.
    pub(crate) fn under_floor(&self, goal: &Goal) -> Vec<(Moment, Moment)> {
        let Bound::WindowGoodput { floor, .. } = goal.bound else { return Vec::new() };
        // In whole numbers, so that a window at the floor is not under it by a rounding.
        let needed = u128::from(floor.as_bps()) * u128::from(nanos(self.grid.length));
        let mut times: Vec<(Moment, Moment)> = Vec::new();
        for (period, _) in self.payload.iter().filter(|(_, bytes)| u128::from(*bytes) * 8_000_000_000 < needed) {
            let (from, to) = (self.grid.at(*period), self.grid.at(period.saturating_add(self.grid.periods)));
            match times.last_mut() {
                Some(last) if last.1 >= from => last.1 = to,
                _ => times.push((from, to)),
            }
        }
        times
    }
}

/// What the playback model saw in the judged time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Playback {
    pub(crate) played: Duration,
    pub(crate) stalled: Duration,
    pub(crate) stalls: u64,
    pub(crate) lowest_buffer: Option<Duration>,
    /// How much of the judged time a stream that never started had for it.
    pub(crate) waited: Duration,
}

impl Playback {
    pub(crate) fn of(evidence: &Evidence<'_>) -> Self {
        let mut all = Self::default();
        for (_, second) in evidence.application.seconds(evidence.window.seconds.clone()) {
            let Some(playback) = &second.happened.playback else { continue };
            all.played = all.played.saturating_add(playback.played);
            all.stalled = all.stalled.saturating_add(playback.stalled);
            all.stalls = all.stalls.saturating_add(playback.stalls);
            let level = playback.lowest_buffer_ns.map(Duration::from_nanos);
            all.lowest_buffer = [all.lowest_buffer, level].into_iter().flatten().min();
        }
        if evidence.application.startup().is_none() {
            let (from, to) = evidence.window.moments();
            all.waited = to.since(from.max(Moment::START + first_schedule(evidence)));
        }
        all
    }

    /// How long a stream that never started was waited for, in the whole run.
    pub(crate) fn waited_in_run(evidence: &Evidence<'_>) -> Duration {
        evidence.load_end().since(Moment::START + first_schedule(evidence))
    }

    /// Stalled over played and stalled; `None` where it did neither.
    pub(crate) fn ratio(&self) -> Option<f64> {
        let watched = self.played.saturating_add(self.stalled);
        (!watched.is_zero()).then(|| self.stalled.as_secs_f64() / watched.as_secs_f64())
    }
}

/// A stream in short; `None` where the application is none.
pub(crate) fn summary(evidence: &Evidence<'_>) -> Option<StreamSummary> {
    let window = evidence.population.goals.iter().find_map(|goal| match goal.bound {
        Bound::WindowGoodput { window, .. } => Some(window),
        _ => None,
    });
    if evidence.population.media.is_none() && window.is_none() {
        return None;
    }
    let windows = window.and_then(|window| Windows::of(evidence, window));
    let playback = Playback::of(evidence);
    Some(StreamSummary {
        startup: evidence.application.startup(),
        stalls: playback.stalls,
        stalled: playback.stalled,
        stall_ratio: playback.ratio(),
        lowest_buffer: playback.lowest_buffer,
        lowest_window_bps: windows.as_ref().and_then(|windows| windows.lowest_bps),
        highest_window_bps: windows.as_ref().and_then(|windows| windows.highest_bps),
    })
}

/// When a stream's first operation is due.
pub(crate) fn first_schedule(evidence: &Evidence<'_>) -> Duration {
    match evidence.population.arrival {
        Arrival::Constant { phase, .. } => phase,
        Arrival::Poisson { .. } | Arrival::Closed { .. } => Duration::ZERO,
    }
}
