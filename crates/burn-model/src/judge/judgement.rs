//! What a judgement consists of: verdicts, figures, and what each goal came to. Nothing here decides.

use std::time::Duration;

use crate::goal::{Bound, Goal};
use crate::numbers::float;
use crate::record::Tally;
use crate::time::Moment;

/// How good it was. Ordered from best to worst: the worst of its applications is the run's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Every goal was met.
    Pass,
    /// A goal was missed, but its bad bound was not passed.
    Marginal,
    /// The run cannot tell.
    Inconclusive,
    /// A bad bound was passed.
    Fail,
}

/// Everything that a report says.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The worst of the applications'.
    pub verdict: Verdict,
    /// Why, in plain sentences, the weightiest first.
    pub reasons: Vec<String>,
    /// The time that was judged: operations scheduled from `from` on and before `to`.
    pub window: (Moment, Moment),
    /// Each application of each client, in the plan's order.
    pub applications: Vec<ApplicationJudgement>,
    /// What was in doubt about the tester itself, in plain sentences. Empty where everything checked out.
    pub doubts: Vec<String>,
    /// What was checked about the tester and found in order, in plain sentences.
    pub checks: Vec<String>,
    /// What the reader should bear in mind, in plain sentences.
    pub cautions: Vec<String>,
    /// Payload that all clients received in the window, bits per second.
    pub goodput_bps: f64,
}

/// One application of one client.
#[derive(Clone, Debug, PartialEq)]
pub struct ApplicationJudgement {
    /// The client's name.
    pub client: String,
    /// The application's name.
    pub name: String,
    /// Whether its arrivals wait for replies.
    pub closed: bool,
    /// How good it was; `None` where it has no goals.
    pub verdict: Option<Verdict>,
    /// 0 to 100 after draft-ietf-ippm-qoo; `None` where there are no goals or too few samples.
    pub score: Option<f64>,
    /// Index into `goals` of the one that decided.
    pub decided_by: Option<usize>,
    /// Why, in plain sentences.
    pub reasons: Vec<String>,
    /// Payload received in the window, bits per second.
    pub goodput_bps: f64,
    /// Its share of the payload that all applications received, in \[0, 1\]; `None` where nothing was received.
    pub share: Option<f64>,
    /// What became of the operations scheduled in the window.
    pub operations: Operations,
    /// received − scheduled: what the person feels.
    pub response_time: Summary,
    /// received − sent.
    pub service_time: Summary,
    /// ready − scheduled.
    pub slot_wait: Summary,
    /// sent − ready.
    pub driver_lateness: Summary,
    /// received by the program − arrived at the host.
    pub receive_lateness: Summary,
    /// What the server says each reply cost it.
    pub server_time: Summary,
    /// Each goal, judged.
    pub goals: Vec<GoalJudgement>,
    /// What the playback model saw, where there is one.
    pub stream: Option<StreamSummary>,
    /// Who else than the network was the limit, where somebody was.
    pub limited_by: Option<Limit>,
    /// Whether its record, or who made it, is in doubt: then its figures may be anybody's, and its goals cannot be told.
    pub in_doubt: bool,
    /// What it kept of what it had while its client was alone, where that was measured. No part of the verdict.
    pub fair_share: Option<FairShare>,
}

/// Who was the limit, where it was not the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The client.
    Client,
    /// The server.
    Server,
}

/// What became of the operations scheduled in the window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    /// The counts: `in_flight_before` is zero, `in_flight_after` counts those still under way when the run ended.
    pub tally: Tally,
}

impl ApplicationJudgement {
    /// The share of operations that failed, timed out or were never sent, in \[0, 1\]: the figure of the goal on it, and
    /// where there is none, of the operations whose end is known. `None` where there are none.
    #[must_use]
    pub fn failed_share(&self) -> Option<f64> {
        let judged = self.goals.iter().find(|judged| matches!(judged.goal.bound, Bound::FailedShare { .. }));
        judged.map_or_else(|| self.operations.failed_share(), |judged| judged.observed)
    }
}

impl Operations {
    /// The share of those whose end is known that did not complete; `None` where no end is known.
    fn failed_share(&self) -> Option<f64> {
        let lost = self.tally.failures().saturating_add(self.tally.timed_out).saturating_add(self.tally.unsent());
        let ended = self.tally.completed.saturating_add(lost);
        (ended > 0).then(|| float(lost) / float(ended))
    }
}

/// The distribution of a duration, in short.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// How many operations it is of, those that did not complete included where they rank.
    pub n: u64,
    /// The median.
    pub p50: Reading,
    /// 95 % were no longer.
    pub p95: Reading,
    /// 99 % were no longer.
    pub p99: Reading,
    /// The longest.
    pub max: Reading,
}

/// A quantile, where there is one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// Too few samples to say.
    #[default]
    TooFew,
    /// The value.
    Value(Duration),
    /// The quantile falls on operations that never completed: worse than any value.
    Unsuccessful,
    /// The quantile falls past the top of what is kept apart (an hour).
    Overflow,
}

/// A goal, judged.
#[derive(Clone, Debug, PartialEq)]
pub struct GoalJudgement {
    /// The goal.
    pub goal: Goal,
    /// The figure: nanoseconds, a share, or bits per second, as the goal's bounds are. `None` where too few
    /// samples, or no number, would say it.
    pub observed: Option<f64>,
    /// The same figure where it is a quantile of a duration.
    pub reading: Option<Reading>,
    /// Met, missed, or not to be told.
    pub outcome: GoalOutcome,
    /// Whether the bad bound was shown to be passed.
    pub bad_passed: bool,
    /// How many samples the figure is of.
    pub n: u64,
    /// Where the samples are operations: how many of them took longer than the good bound or did not complete; of a goal on
    /// failures, how many did not complete.
    pub over: Option<u64>,
    /// How many independent ones they are worth.
    pub effective_n: f64,
    /// One-sided 95 % bounds, lower and upper, on the share of operations over the good bound.
    pub interval: Option<(f64, f64)>,
    /// Where it cannot be told: how many operations (none over) would have told.
    pub needed: Option<u64>,
    /// The goal's own score, 0 to 100.
    pub score: Option<f64>,
    /// Why it cannot be told, where it cannot.
    pub because: Option<String>,
    /// Who else than the network was the limit, where that is why.
    pub limited_by: Option<Limit>,
}

/// Whether a goal was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoalOutcome {
    /// Shown to be met.
    Met,
    /// Shown to be missed.
    Missed,
    /// The run cannot tell.
    CannotTell,
}

/// What the playback model saw in the window.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StreamSummary {
    /// From the first schedule to the first picture; `None` where playback never started. The one figure that is
    /// taken from the whole run: a stream starts once.
    pub startup: Option<Duration>,
    /// How many stalls began.
    pub stalls: u64,
    /// How long it stood still.
    pub stalled: Duration,
    /// Stalled over played and stalled; `None` where it never played.
    pub stall_ratio: Option<f64>,
    /// The lowest level of the buffer, as media time.
    pub lowest_buffer: Option<Duration>,
    /// The least goodput of any whole window, bits per second; `None` where there was no whole window.
    pub lowest_window_bps: Option<f64>,
    /// The greatest, likewise.
    pub highest_window_bps: Option<f64>,
}

/// What an application kept, together with the others, of what it had while its client was alone.
#[derive(Clone, Debug, PartialEq)]
pub struct FairShare {
    /// Goodput alone, bits per second.
    pub solo_bps: f64,
    /// Goodput together with the others, bits per second.
    pub together_bps: f64,
    /// Together over alone; `None` where it had nothing alone.
    pub ratio: Option<f64>,
    /// The least ratio that is fair: 0.90/N.
    pub bound: f64,
    /// N: the clients that took part in the joint run.
    pub clients: u64,
    /// One-sided 95 % bounds on the ratio, lower and upper (infinite where what it had alone is not known from zero).
    pub interval: Option<(f64, f64)>,
    /// Met where the lower bound is fair, missed where the upper one is not.
    pub outcome: GoalOutcome,
    /// Why it cannot be told, where it cannot.
    pub because: Option<String>,
}
