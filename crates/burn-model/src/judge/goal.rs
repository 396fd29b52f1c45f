//! A goal, held against what a run saw of it.

use std::time::Duration;

use super::evidence::{Evidence, quantile, total};
use super::judgement::{GoalJudgement, GoalOutcome, Reading};
use super::sentences::operations;
use super::share::Share;
use super::stream::{Playback, Windows};
use crate::binomial;
use crate::goal::{Bound, Goal};
use crate::numbers::{duration_figure, float};
use crate::run::{Figure, View};
use crate::samples::TOP;
use crate::score;
use crate::units::{format_bound, format_duration};

/// A goal of "none" is a statement about the run itself; with fewer operations the run is too small to make it.
const LEAST_OPERATIONS: u64 = 20;
/// The shortest playback, and the shortest time in windows, from which anything is said.
const LEAST_PLAYBACK: Duration = Duration::from_secs(10);
const LEAST_IN_WINDOWS: Duration = Duration::from_secs(8);

/// Judges a goal by response times as they were, or as they would have been with a perfect client or server.
pub(crate) fn judge(goal: &Goal, evidence: &Evidence<'_>, view: View) -> GoalJudgement {
    match goal.bound {
        Bound::ResponseTime { quantile, good, bad } => response_time(goal, evidence, view, quantile, good, bad),
        Bound::FailedShare { good, bad } => failed_share(goal, &evidence.lost(), good, bad),
        Bound::WindowGoodput { window, .. } => window_goodput(goal, Windows::of(evidence, window).as_ref()),
        Bound::StallRatio { good, bad } => stall_ratio(goal, &Playback::of(evidence), good, bad),
        Bound::StartupTime { good, bad } => startup_time(goal, evidence, good, bad),
    }
}

/// A judgement that says nothing yet.
fn blank(goal: &Goal) -> GoalJudgement {
    GoalJudgement {
        goal: goal.clone(),
        observed: None,
        reading: None,
        outcome: GoalOutcome::CannotTell,
        bad_passed: false,
        n: 0,
        over: None,
        effective_n: 0.0,
        interval: None,
        needed: None,
        score: None,
        because: None,
        limited_by: None,
    }
}

fn response_time(
    goal: &Goal,
    evidence: &Evidence<'_>,
    view: View,
    q: f64,
    good: Duration,
    bad: Duration,
) -> GoalJudgement {
    let allowed = 1.0 - q;
    let over_good = Share::of(&evidence.over(good, view));
    let over_bad = Share::of(&evidence.over(bad, view));
    let bad_passed = over_bad.lower > allowed;
    let outcome = if bad_passed { GoalOutcome::Missed } else { over_good.outcome(allowed) };
    let lost = total(&evidence.lost()).1;
    let reading = quantile(&evidence.distribution(Figure::ResponseTime), lost, q);
    let observed = match reading {
        Reading::Value(value) => Some(duration_figure(value)),
        Reading::TooFew | Reading::Unsuccessful | Reading::Overflow => None,
    };
    let score = match reading {
        Reading::TooFew => None,
        Reading::Unsuccessful => Some(0.0),
        Reading::Overflow => Some(score::linear(duration_figure(TOP), duration_figure(good), duration_figure(bad))),
        Reading::Value(value) => {
            Some(score::linear(duration_figure(value), duration_figure(good), duration_figure(bad)))
        }
    };
    let cannot_tell = outcome == GoalOutcome::CannotTell;
    GoalJudgement {
        observed,
        reading: Some(reading),
        outcome,
        bad_passed,
        n: over_good.n,
        over: Some(over_good.k),
        effective_n: over_good.effective_n,
        interval: (over_good.n > 0).then_some((over_good.lower, over_good.upper)),
        needed: cannot_tell.then(|| binomial::samples_needed(allowed)).flatten(),
        score,
        because: cannot_tell.then(|| over_good.doubt(allowed, &format!("took longer than {}", format_bound(good)))),
        ..blank(goal)
    }
}

/// Judges the share of operations that did not complete.
pub(super) fn failed_share(goal: &Goal, lost: &[(u64, u64)], good: f64, bad: f64) -> GoalJudgement {
    let share = Share::of(lost);
    let none_may = good <= 0.0;
    let (outcome, needed, because) = if none_may {
        match share.k {
            1.. => (GoalOutcome::Missed, None, None),
            0 if share.n >= LEAST_OPERATIONS => (GoalOutcome::Met, None, None),
            0 => {
                let because =
                    format!("it saw {}; {LEAST_OPERATIONS} are the least that say anything", operations(share.n));
                (GoalOutcome::CannotTell, Some(LEAST_OPERATIONS), Some(because))
            }
        }
    } else {
        match share.outcome(good) {
            GoalOutcome::CannotTell => {
                let because = share.doubt(good, "failed");
                (GoalOutcome::CannotTell, binomial::samples_needed(good), Some(because))
            }
            told => (told, None, None),
        }
    };
    // By chance alone one failure in a few operations looks like a great share: the bad bound must be shown to be
    // passed.
    let bad_passed = share.k > 0 && share.lower > bad;
    GoalJudgement {
        observed: share.observed(),
        outcome: if bad_passed { GoalOutcome::Missed } else { outcome },
        bad_passed,
        n: share.n,
        over: Some(share.k),
        effective_n: share.effective_n,
        interval: (share.n > 0).then_some((share.lower, share.upper)),
        needed: needed.filter(|_| !bad_passed),
        because: because.filter(|_| !bad_passed),
        score: share.observed().map(|observed| score::linear(observed, good, bad)),
        ..blank(goal)
    }
}

fn window_goodput(goal: &Goal, windows: Option<&Windows>) -> GoalJudgement {
    let Some(windows) = windows.filter(|windows| windows.count > 0) else {
        let because = "the judged time holds no whole window".to_owned();
        return GoalJudgement { because: Some(because), ..blank(goal) };
    };
    let missed = !windows.under_floor(goal).is_empty();
    let enough = windows.apart >= 2 && windows.covered >= LEAST_IN_WINDOWS;
    let outcome = match (missed, enough) {
        (true, _) => GoalOutcome::Missed,
        (false, true) => GoalOutcome::Met,
        (false, false) => GoalOutcome::CannotTell,
    };
    let because = format!(
        "the judged time holds {} of whole windows; at least two windows and {} are needed",
        format_duration(windows.covered),
        format_bound(LEAST_IN_WINDOWS)
    );
    GoalJudgement {
        observed: windows.lowest_bps,
        outcome,
        // A floor is its own bad bound.
        bad_passed: missed,
        n: windows.count,
        effective_n: float(windows.apart),
        score: Some(score::held(!missed)),
        because: (outcome == GoalOutcome::CannotTell).then_some(because),
        ..blank(goal)
    }
}

fn stall_ratio(goal: &Goal, playback: &Playback, good: f64, bad: f64) -> GoalJudgement {
    let watched = playback.played.saturating_add(playback.stalled);
    let Some(ratio) = playback.ratio() else {
        // Whoever waited for the first picture all the time has not seen a smooth film.
        let hopeless = playback.waited >= LEAST_PLAYBACK;
        return GoalJudgement {
            outcome: if hopeless { GoalOutcome::Missed } else { GoalOutcome::CannotTell },
            bad_passed: hopeless,
            score: hopeless.then_some(0.0),
            because: Some("playback never started".to_owned()),
            ..blank(goal)
        };
    };
    let outcome = if ratio > good {
        GoalOutcome::Missed
    } else if watched >= LEAST_PLAYBACK {
        GoalOutcome::Met
    } else {
        GoalOutcome::CannotTell
    };
    let because = format!(
        "only {} were watched; {} are the least that say anything",
        format_bound(watched),
        format_bound(LEAST_PLAYBACK)
    );
    GoalJudgement {
        observed: Some(ratio),
        outcome,
        bad_passed: ratio > bad,
        n: watched.as_secs(),
        effective_n: float(watched.as_secs()),
        score: Some(score::linear(ratio, good, bad)),
        because: (outcome == GoalOutcome::CannotTell).then_some(because),
        ..blank(goal)
    }
}

fn startup_time(goal: &Goal, evidence: &Evidence<'_>, good: Duration, bad: Duration) -> GoalJudgement {
    // A stream starts once, and may do so in the warm-up: the whole run counts.
    let Some(startup) = evidence.application.startup() else {
        let waited = Playback::waited_in_run(evidence);
        let missed = waited > good;
        let bad_passed = waited > bad;
        let because = format!("playback had not started after {}", format_duration(waited));
        return GoalJudgement {
            outcome: if missed { GoalOutcome::Missed } else { GoalOutcome::CannotTell },
            bad_passed,
            n: 1,
            effective_n: 1.0,
            score: missed.then_some(0.0),
            because: Some(because),
            ..blank(goal)
        };
    };
    GoalJudgement {
        observed: Some(duration_figure(startup)),
        reading: Some(Reading::Value(startup)),
        outcome: if startup <= good { GoalOutcome::Met } else { GoalOutcome::Missed },
        bad_passed: startup > bad,
        n: 1,
        effective_n: 1.0,
        score: Some(score::linear(duration_figure(startup), duration_figure(good), duration_figure(bad))),
        ..blank(goal)
    }
}
