//! What is said of a goal: the figure against it, and what that stands on.

use burn_model::goal::{Bound, Counts};
use burn_model::judge::{GoalJudgement, GoalOutcome};

use crate::layout::glue;
use crate::numbers::{percent, score};
use crate::words::{bad, counted, figure_and_goal, good};

/// A goal with its evidence: figure, bounds, outcome, samples and what they are worth, interval, score.
pub(crate) fn goal(judged: &GoalJudgement, decided: bool) -> String {
    let mut said = vec![format!("{}: {}", glue(&figure_and_goal(judged)).replace(",\u{A0}", ", "), outcome(judged))];
    said.extend(evidence(judged));
    if let Some(value) = judged.score {
        said.push(format!("score {}", score(Some(value))));
    }
    match (decided, judged.goal.counts) {
        (true, _) => said.push("this one decided".to_owned()),
        (false, Counts::Score) => said.push("counts for the score only".to_owned()),
        (false, Counts::Verdict) => {}
    }
    said.join("; ")
}

/// What a goal's outcome stands on: why it cannot be told, samples and what they are worth, and the interval.
pub(crate) fn evidence(judged: &GoalJudgement) -> Vec<String> {
    let because = match (&judged.because, judged.needed) {
        // The reason names what would have told, where that is a number.
        (Some(because), _) => Some(because.clone()),
        (None, Some(needed)) => Some(format!("{} would have told", counted(needed, "operation", "operations"))),
        (None, None) => None,
    };
    [because, samples(judged), interval(judged)].into_iter().flatten().collect()
}

/// The one-sided 95 % bounds on the share of operations over the good bound, beside what the goal allows.
fn interval(judged: &GoalJudgement) -> Option<String> {
    let (low, high) = judged.interval?;
    let range = format!("{} to {}", glue(&percent(low)), glue(&percent(high)));
    match judged.goal.bound {
        Bound::ResponseTime { quantile, .. } => {
            let allowed = glue(&percent(1.0 - quantile));
            Some(format!("{range} of all over {}, {allowed} allowed", glue(&good(&judged.goal.bound))))
        }
        Bound::FailedShare { .. } => Some(format!("{range} of all fail")),
        Bound::WindowGoodput { .. } | Bound::StallRatio { .. } | Bound::StartupTime { .. } => None,
    }
}

fn outcome(judged: &GoalJudgement) -> String {
    let bound = bad(&judged.goal.bound).map(|bound| glue(&bound));
    match (judged.outcome, judged.bad_passed, bound) {
        (GoalOutcome::Met, ..) => "met".to_owned(),
        (GoalOutcome::CannotTell, ..) => "cannot tell".to_owned(),
        (GoalOutcome::Missed, true, Some(bound)) => format!("missed, and worse than {bound}"),
        (GoalOutcome::Missed, false, Some(bound)) => format!("missed, but not shown worse than {bound}"),
        (GoalOutcome::Missed, _, None) => "missed".to_owned(),
    }
}

/// How many samples there were, and how many independent ones they are worth.
fn samples(judged: &GoalJudgement) -> Option<String> {
    let plain = match judged.goal.bound {
        Bound::ResponseTime { .. } | Bound::FailedShare { .. } => counted(judged.n, "sample", "samples"),
        Bound::WindowGoodput { .. } => counted(judged.n, "window", "windows"),
        Bound::StallRatio { .. } | Bound::StartupTime { .. } => return None,
    };
    if !judged.effective_n.is_finite() || judged.effective_n < 0.0 {
        return Some(plain);
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates, and is not negative")]
    let effective = judged.effective_n.floor() as u64;
    let worth = if effective < judged.n {
        format!(", worth {}", counted(effective, "independent one", "independent ones"))
    } else {
        String::new()
    };
    Some(format!("{plain}{worth}"))
}
