//! Goals: what a person needs of an application, as two bounds on a figure.
//!
//! `good` is where the experience is as good as it gets (the draft's *requirement for optimal performance*);
//! beyond `bad` it is useless (its *critical point of unacceptable performance*):
//! draft-ietf-ippm-qoo §3. A goal is met at `good` or better, and missed beyond; a verdict is a failure when
//! `bad` is passed. A goal holds numbers only; how one is judged is in `judge`.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::time::as_nanos;
use crate::units::BitRate;

/// One goal of an application.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Goal {
    /// The figure and its bounds.
    #[serde(flatten)]
    pub bound: Bound,
    /// What the goal decides.
    pub counts: Counts,
}

/// What a goal decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Counts {
    /// The verdict and the score.
    Verdict,
    /// The score alone: too rare an event for a run of minutes to judge.
    Score,
}

/// A figure with its bounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "metric", rename_all = "snake_case")]
pub enum Bound {
    /// "At most `1 - quantile` of the operations take longer than the bound", response time.
    ResponseTime {
        /// Which quantile, as a fraction in (0, 1): 0.95 is p95.
        quantile: f64,
        /// As good as it gets.
        #[serde(with = "as_nanos", rename = "good_ns")]
        good: Duration,
        /// Useless beyond.
        #[serde(with = "as_nanos", rename = "bad_ns")]
        bad: Duration,
    },
    /// The share of operations that did not complete, in \[0, 1\].
    FailedShare {
        /// As good as it gets.
        good: f64,
        /// Useless beyond.
        bad: f64,
    },
    /// No window of the given length carries less than `floor`, counting bytes as they arrive.
    ///
    /// A floor has no second bound: under it the score is 0 and the verdict a failure.
    WindowGoodput {
        /// Length of a window. It is rounded up to whole periods of the population's schedule, so that the
        /// grid of objects and the grid of windows do not beat against each other.
        #[serde(with = "as_nanos", rename = "window_ns")]
        window: Duration,
        /// The least goodput of any window.
        floor: BitRate,
    },
    /// Time stalled over time played and stalled, of the playback model, in \[0, 1\].
    StallRatio {
        /// As good as it gets.
        good: f64,
        /// Useless beyond.
        bad: f64,
    },
    /// From the first operation's schedule to the start of playback.
    StartupTime {
        /// As good as it gets.
        #[serde(with = "as_nanos", rename = "good_ns")]
        good: Duration,
        /// Useless beyond.
        #[serde(with = "as_nanos", rename = "bad_ns")]
        bad: Duration,
    },
}

impl Bound {
    /// The figure's name in the metric catalogue, in scenario files and in reports.
    #[must_use]
    pub const fn metric(&self) -> &'static str {
        match self {
            Self::ResponseTime { .. } => "response_time",
            Self::FailedShare { .. } => "failed_share",
            Self::WindowGoodput { .. } => "window_goodput",
            Self::StallRatio { .. } => "stall_ratio",
            Self::StartupTime { .. } => "startup_time",
        }
    }
}
