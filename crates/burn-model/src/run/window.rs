//! Which seconds of a run are judged: whole seconds, after the warm-up, in which every client was active.

use std::ops::Range;
use std::time::Duration;

use super::RunRecord;
use crate::record::Ending;
use crate::time::{Moment, nanos};

/// A client that starts or stops so little off its time was active all the same. What it sent late shows as
/// driver lateness.
const ON_TIME: Duration = Duration::from_millis(100);

/// The time that is judged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct JudgedWindow {
    /// Whole seconds of the run.
    pub(crate) seconds: Range<u64>,
    /// What made it shorter than the plan has it.
    pub(crate) cuts: Vec<Cut>,
}

/// What made the judged time shorter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// A client began late.
    Late {
        /// Index into the plan's clients.
        client: usize,
        /// The first whole second of its load.
        from: u64,
    },
    /// A client never began.
    Absent {
        /// Index into the plan's clients.
        client: usize,
    },
    /// A client was lost.
    Lost {
        /// Index into the plan's clients.
        client: usize,
        /// The end of the last whole second of which it told.
        to: u64,
    },
    /// A client ended before its time.
    Early {
        /// Index into the plan's clients.
        client: usize,
        /// The end of its last whole second.
        to: u64,
    },
    /// Somebody stopped the run.
    Interrupted {
        /// The end of the last whole second.
        to: u64,
    },
    /// The record ends there.
    Unfinished {
        /// The end of the last whole second that every client told of.
        to: u64,
    },
}

impl JudgedWindow {
    /// How long it is.
    pub(crate) const fn length(&self) -> Duration {
        Duration::from_secs(self.seconds.end.saturating_sub(self.seconds.start))
    }

    /// From when to when.
    pub(crate) const fn moments(&self) -> (Moment, Moment) {
        (Moment::from_secs(self.seconds.start), Moment::from_secs(self.seconds.end))
    }
}

impl RunRecord {
    /// The time that is judged, as far as it is known now.
    pub(crate) fn judged_window(&self) -> JudgedWindow {
        let mut window = self.settling_window();
        for (number, client) in self.clients.iter().enumerate() {
            if client.lost.is_none() && client.start_lateness.is_none() && client.known_until() == 0 {
                window.end_at(0, |_| Cut::Absent { client: number });
            }
        }
        match &self.ending {
            Some(Ending::Finished) => {}
            Some(Ending::Interrupted { at, .. }) => {
                // Then clients end early because they were told to.
                window.cuts.retain(|cut| !matches!(cut, Cut::Early { to, .. } if *to >= at.second()));
                window.end_at(at.second(), |to| Cut::Interrupted { to });
            }
            None | Some(Ending::Failed { .. }) => {
                let told = self.clients.iter().filter(|client| client.lost.is_none()).map(super::Client::known_until);
                if let Some(to) = told.filter(|to| *to > 0).min() {
                    window.end_at(to, |to| Cut::Unfinished { to });
                }
            }
        }
        window.seconds.end = window.seconds.end.max(window.seconds.start);
        window
    }

    /// The time that will be judged at most, by what is known of the clients' beginnings and ends. It only ever
    /// shrinks while a run goes on.
    pub(super) fn settling_window(&self) -> JudgedWindow {
        let Some(plan) = self.plan() else { return JudgedWindow::default() };
        let from = nanos(plan.judged_from().since_start()).div_ceil(1_000_000_000);
        let mut window = JudgedWindow { seconds: from..plan.end().second(), cuts: Vec::new() };
        for (number, client) in self.clients.iter().enumerate() {
            // Who was left out before the start takes nothing from the others: there was no time with him.
            if let Some(lost) = client.lost.as_ref().filter(|_| !client.was_left_out()) {
                let to = lost.at.map_or(lost.known_until, Moment::second).min(lost.known_until);
                let began = client.start_lateness.is_some() || lost.known_until > 0;
                window.end_at(to, |to| {
                    if began { Cut::Lost { client: number, to } } else { Cut::Absent { client: number } }
                });
            }
            if let Some(lateness) = client.start_lateness.filter(|lateness| *lateness > ON_TIME) {
                let from = nanos(lateness).div_ceil(1_000_000_000);
                if from > window.seconds.start {
                    window.seconds.start = from;
                    window.cuts.push(Cut::Late { client: number, from });
                }
            }
            if let Some(stopped) = client.stopped_at {
                window.end_at((stopped + ON_TIME).second(), |to| Cut::Early { client: number, to });
            }
        }
        window
    }
}

impl JudgedWindow {
    fn end_at(&mut self, to: u64, cut: impl Fn(u64) -> Cut) {
        if to < self.seconds.end {
            self.seconds.end = to;
            self.cuts.push(cut(to));
        }
    }
}
