//! How a verdict is shown: a word, a shape and a colour, each of which says it alone.

use burn_model::compare::Answer;
use burn_model::judge::{ApplicationJudgement, GoalOutcome, Verdict};

use crate::words;

/// A verdict, or an outcome, as a page shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sign {
    /// The word.
    pub(super) word: &'static str,
    /// Which shape and colour: a class, and the end of a symbol's name.
    pub(super) kind: &'static str,
}

const fn sign(word: &'static str, kind: &'static str) -> Sign {
    Sign { word, kind }
}

impl Sign {
    pub(super) const fn of(verdict: Verdict) -> Self {
        let kind = match verdict {
            Verdict::Pass => "pass",
            Verdict::Marginal => "marginal",
            Verdict::Inconclusive => "inconclusive",
            Verdict::Fail => "fail",
        };
        sign(words::verdict(verdict), kind)
    }

    pub(super) fn of_application(application: &ApplicationJudgement) -> Self {
        application.verdict.map_or(sign("no goals", "none"), Self::of)
    }

    pub(super) const fn of_outcome(outcome: GoalOutcome, bad_passed: bool) -> Self {
        match (outcome, bad_passed) {
            (GoalOutcome::Met, _) => sign("met", "pass"),
            (GoalOutcome::Missed, false) => sign("missed", "marginal"),
            (GoalOutcome::Missed, true) => sign("past its limit", "fail"),
            (GoalOutcome::CannotTell, _) => sign("cannot tell", "inconclusive"),
        }
    }

    pub(super) const fn of_fairness(outcome: GoalOutcome) -> Self {
        match outcome {
            GoalOutcome::Met => sign("fair", "pass"),
            GoalOutcome::Missed => sign("not fair", "fail"),
            GoalOutcome::CannotTell => sign("cannot tell", "inconclusive"),
        }
    }

    pub(super) const fn of_answer(answer: Answer) -> Self {
        match answer {
            Answer::Better => sign("better", "pass"),
            Answer::Worse => sign("worse", "fail"),
            Answer::CannotTell => sign("cannot tell", "inconclusive"),
        }
    }
}
