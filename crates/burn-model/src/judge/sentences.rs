//! What is said of a goal, in sentences that need no statistics to be read.

use std::time::Duration;

use super::evidence::Evidence;
use super::judgement::{GoalJudgement, GoalOutcome, Reading};
use crate::goal::Bound;
use crate::numbers::percent;
use crate::record::Tally;
use crate::units::{BitRate, format_bound, format_count, format_duration};

/// What became of a goal, as a sentence without its full stop; `None` where it was met.
pub(crate) fn of_goal(judged: &GoalJudgement) -> Option<String> {
    match judged.outcome {
        GoalOutcome::Met => None,
        GoalOutcome::CannotTell => {
            let because = judged.because.as_deref().unwrap_or("the run does not show it");
            Some(format!("whether {} cannot be told: {because}", wish(&judged.goal.bound)))
        }
        GoalOutcome::Missed => {
            Some(format!("{} ({})", miss(judged), if judged.bad_passed { "fail" } else { "marginal" }))
        }
    }
}

/// A goal, as what it wishes for.
fn wish(bound: &Bound) -> String {
    match bound {
        Bound::ResponseTime { quantile, good, .. } => {
            format!("{} of operations take at most {}", percent(*quantile), format_bound(*good))
        }
        Bound::FailedShare { good, .. } if *good <= 0.0 => "no operation fails".to_owned(),
        Bound::FailedShare { good, .. } => format!("at most {} of operations fail", percent(*good)),
        Bound::WindowGoodput { window, floor } => {
            format!("no {} window carries less than {}", format_bound(*window), rate(floor.as_mbps()))
        }
        Bound::StallRatio { good, .. } if *good <= 0.0 => "playback never stalls".to_owned(),
        Bound::StallRatio { good, .. } => format!("playback stalls for at most {} of the time", percent(*good)),
        Bound::StartupTime { good, .. } => format!("playback starts within {}", format_bound(*good)),
    }
}

/// What was missed, and by how much.
fn miss(judged: &GoalJudgement) -> String {
    match judged.goal.bound {
        Bound::ResponseTime { quantile, good, bad } => missed_time(judged, quantile, good, bad),
        Bound::FailedShare { good, .. } => {
            let observed = judged.observed.map_or_else(String::new, percent);
            let allowed = if good <= 0.0 { "none may".to_owned() } else { format!("{} may", percent(good)) };
            format!("{observed} of {} failed, where {allowed}", operations(judged.n))
        }
        Bound::WindowGoodput { window, floor } => {
            let lowest = judged.observed.map_or_else(String::new, |bps| rate(bps / 1e6));
            format!(
                "the lowest {} window read {lowest}, under its floor of {}",
                format_bound(window),
                BitRate::to_string(&floor)
            )
        }
        Bound::StallRatio { good, .. } => match judged.observed {
            Some(ratio) => {
                format!("playback stood still for {} of the time, where {} may be", percent(ratio), percent(good))
            }
            None => "playback never started".to_owned(),
        },
        Bound::StartupTime { good, .. } => match judged.reading {
            Some(Reading::Value(startup)) => {
                format!("playback started after {}, over its goal of {}", format_duration(startup), format_bound(good))
            }
            _ => judged.because.clone().unwrap_or_else(|| "playback never started".to_owned()),
        },
    }
}

fn missed_time(judged: &GoalJudgement, quantile: f64, good: Duration, bad: Duration) -> String {
    let name = quantile_name(quantile);
    let over = judged.interval.map_or_else(String::new, |(lower, _)| {
        format!(
            ": more than {} of its {} took longer, by 95 % confidence, where {} may",
            percent(lower),
            operations(judged.n),
            percent(1.0 - quantile)
        )
    });
    let limit = if judged.bad_passed {
        format!("its limit of {}", format_bound(bad))
    } else {
        format!("its goal of {}", format_bound(good))
    };
    let reading = match judged.reading {
        Some(Reading::Value(value)) if value > if judged.bad_passed { bad } else { good } => {
            format!("{name} was {}, over {limit}", format_duration(value))
        }
        Some(Reading::Unsuccessful) => format!("{name} falls on operations that never completed, over {limit}"),
        Some(Reading::Overflow) => format!("{name} was over an hour, over {limit}"),
        _ => format!("{name} is over {limit}"),
    };
    // The lower bound in `over` is of the good bound.
    let over = if judged.bad_passed { String::new() } else { over };
    let past_bad = match judged.reading {
        Some(Reading::Value(value)) => value > bad,
        Some(Reading::Unsuccessful | Reading::Overflow) => true,
        _ => false,
    };
    let unsure = if past_bad && !judged.bad_passed {
        format!(
            "; it reads past its limit of {} too, but on samples worth only {}, too few to say so",
            format_bound(bad),
            independent(judged.effective_n)
        )
    } else {
        String::new()
    };
    format!("{reading}{over}{unsure}")
}

/// `1 operation`, `2 operations`.
pub(crate) fn operations(n: u64) -> String {
    format!("{} operation{}", format_count(n), if n == 1 { "" } else { "s" })
}

/// What became of the operations that did not complete, by cause; `None` where all did.
pub(crate) fn failures(tally: &Tally) -> Option<String> {
    let lost = tally.failures().saturating_add(tally.timed_out).saturating_add(tally.unsent());
    if lost == 0 {
        return None;
    }
    let mut causes: Vec<(u64, String)> =
        tally.failed.iter().map(|(cause, n)| (*n, format!("{} {}", cause.describe(), times(*n)))).collect();
    if tally.timed_out > 0 {
        causes.push((tally.timed_out, format!("{} ran past the deadline", format_count(tally.timed_out))));
    }
    if tally.unsent() > 0 {
        causes.push((tally.unsent(), format!("{} never sent", were(tally.unsent()))));
    }
    causes.sort_by_key(|(n, _)| std::cmp::Reverse(*n));
    let causes: Vec<String> = causes.into_iter().map(|(_, words)| words).collect();
    let (lost, all) = (format_count(lost), operations(tally.scheduled));
    Some(format!("{lost} of {all} did not complete: {}", causes.join(", ")))
}

/// `1 independent one`, `12 independent ones`.
pub(crate) fn independent(effective_n: f64) -> String {
    let n = format!("{effective_n:.0}");
    let ones = if n == "1" { "one" } else { "ones" };
    let n = n.parse().map(format_count).unwrap_or(n);
    format!("{n} independent {ones}")
}

fn times(n: u64) -> String {
    if n == 1 { "once".to_owned() } else { format!("{} times", format_count(n)) }
}

fn were(n: u64) -> String {
    format!("{} {}", format_count(n), if n == 1 { "was" } else { "were" })
}

/// What to bear in mind of one application, in whole sentences.
pub(crate) fn cautions(evidence: &Evidence<'_>, title: &str) -> Vec<String> {
    let mut cautions = Vec::new();
    if evidence.population.is_closed() {
        cautions.push(format!(
            "{title} is closed: each operation waits for the one before it, so trouble also makes for fewer operations \
             that could show it."
        ));
    }
    let outside = evidence.application.settled_outside(&evidence.window.seconds);
    if outside > 0 {
        let more = if outside == 1 {
            "one more second than was".to_owned()
        } else {
            format!("{outside} more seconds than were")
        };
        cautions.push(format!("The percentiles of {title} are of {more} judged."));
    }
    cautions
}

/// A quantile's usual name: 0.95 is `p95`, 0.999 is `p99.9`.
fn quantile_name(quantile: f64) -> String {
    let percent = format!("{:.4}", quantile * 100.0);
    format!("p{}", percent.trim_end_matches('0').trim_end_matches('.'))
}

fn rate(mbps: f64) -> String {
    let text = if mbps >= 100.0 {
        format!("{mbps:.0}")
    } else if mbps >= 10.0 {
        format!("{mbps:.1}")
    } else {
        format!("{mbps:.2}")
    };
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text} Mbps")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::record::{FailureCause, NotSentReason};

    #[test]
    fn one_of_a_thing_is_not_said_like_many() {
        let tally = |n| Tally {
            scheduled: n + n + n,
            failed: BTreeMap::from([(FailureCause::Connect, n)]),
            timed_out: n,
            not_sent: BTreeMap::from([(NotSentReason::RunEnded, n)]),
            ..Tally::default()
        };
        let said = |n| failures(&tally(n)).unwrap();
        let connect = FailureCause::Connect.describe();
        assert_eq!(
            said(1),
            format!("3 of 3 operations did not complete: {connect} once, 1 ran past the deadline, 1 was never sent")
        );
        assert_eq!(
            said(2),
            format!(
                "6 of 6 operations did not complete: {connect} 2 times, 2 ran past the deadline, 2 were never sent"
            )
        );
        assert_eq!([operations(0), operations(1), operations(59)], ["0 operations", "1 operation", "59 operations"]);
        assert_eq!([independent(0.6), independent(11.6)], ["1 independent one", "12 independent ones"]);
    }

    #[test]
    fn shares_and_bounds_claim_no_digits_that_nobody_measured() {
        for (share, text) in [(0.05, "5 %"), (0.012, "1.2 %"), (0.0025, "0.25 %"), (0.26, "26 %"), (0.0, "0 %")] {
            assert_eq!(percent(share), text);
        }
        assert_eq!(format_bound(Duration::from_secs(8)), "8 s");
    }
}
