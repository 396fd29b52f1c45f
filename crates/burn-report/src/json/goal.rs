//! A judged goal in the JSON document: bounds and figure in the unit that `unit` names.

use burn_model::goal::{Bound, Counts};
use burn_model::judge::{GoalJudgement, Reading};
use serde::Serialize;

use crate::json::{millis, round, seconds};
use crate::words;

#[derive(Serialize)]
pub(super) struct Goal {
    metric: &'static str,
    quantile: Option<f64>,
    window_s: Option<f64>,
    unit: &'static str,
    good: Option<f64>,
    bad: Option<f64>,
    counts: &'static str,
    observed: Option<f64>,
    reading: Option<&'static str>,
    outcome: &'static str,
    bad_passed: bool,
    n: u64,
    effective_n: Option<f64>,
    interval: Option<[f64; 2]>,
    needed: Option<u64>,
    score: Option<f64>,
    because: Option<String>,
}

impl Goal {
    pub(super) fn of(judged: &GoalJudgement) -> Self {
        let measure = Measure::of(&judged.goal.bound);
        let interval = judged.interval.and_then(|(low, high)| Some([round(low)?, round(high)?]));
        Self {
            metric: judged.goal.bound.metric(),
            quantile: measure.quantile,
            window_s: measure.window_s,
            unit: measure.unit,
            good: round(measure.good),
            bad: round(measure.bad),
            counts: match judged.goal.counts {
                Counts::Verdict => "verdict",
                Counts::Score => "score",
            },
            observed: judged.observed.and_then(|figure| round(figure / measure.base)),
            reading: judged.reading.map(reading),
            outcome: words::outcome(judged.outcome),
            bad_passed: judged.bad_passed,
            n: judged.n,
            effective_n: round(judged.effective_n),
            interval,
            needed: judged.needed,
            score: judged.score.and_then(round),
            because: judged.because.clone(),
        }
    }
}

/// A goal's bounds in the unit that its metric is written in.
struct Measure {
    unit: &'static str,
    /// How many of the judgement's units (nanoseconds, shares, bits per second) make one of `unit`.
    base: f64,
    good: f64,
    bad: f64,
    quantile: Option<f64>,
    window_s: Option<f64>,
}

impl Measure {
    fn of(bound: &Bound) -> Self {
        let share = |good, bad| Self { unit: "ratio", base: 1.0, good, bad, quantile: None, window_s: None };
        match *bound {
            Bound::ResponseTime { quantile, good, bad } => Self {
                unit: "ms",
                base: 1e6,
                good: millis(good),
                bad: millis(bad),
                quantile: Some(quantile),
                window_s: None,
            },
            Bound::FailedShare { good, bad } | Bound::StallRatio { good, bad } => share(good, bad),
            // Under its floor a stream is as bad as it gets, so the floor is both bounds.
            Bound::WindowGoodput { window, floor } => Self {
                unit: "mbps",
                base: 1e6,
                good: floor.as_mbps(),
                bad: floor.as_mbps(),
                quantile: None,
                window_s: round(seconds(window)),
            },
            Bound::StartupTime { good, bad } => {
                Self { unit: "s", base: 1e9, good: seconds(good), bad: seconds(bad), quantile: None, window_s: None }
            }
        }
    }
}

const fn reading(reading: Reading) -> &'static str {
    match reading {
        Reading::TooFew => "too_few",
        Reading::Value(_) => "value",
        Reading::Unsuccessful => "unsuccessful",
        Reading::Overflow => "overflow",
    }
}
