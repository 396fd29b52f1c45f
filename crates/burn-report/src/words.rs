//! The words that reports use for verdicts and goals, the same ones everywhere.

use std::time::Duration;

use burn_model::brief::FigureBrief;
use burn_model::compare::{Answer, RunFigure};
use burn_model::goal::{Bound, Goal};
use burn_model::judge::{ApplicationJudgement, GoalJudgement, GoalOutcome, Limit, Reading, Verdict};
use burn_model::units::format_bound;

use crate::numbers::{ABSENT, bound_rate, digits, percent, rate, reading};

/// A verdict as machines read it.
pub const fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "pass",
        Verdict::Marginal => "marginal",
        Verdict::Inconclusive => "inconclusive",
        Verdict::Fail => "fail",
    }
}

/// A verdict as people read it: a failure stands out without colour too.
pub(crate) const fn verdict_shown(shown: Verdict) -> &'static str {
    match shown {
        Verdict::Fail => "FAIL",
        other => verdict(other),
    }
}

/// An outcome as machines read it.
pub(crate) const fn outcome(outcome: GoalOutcome) -> &'static str {
    match outcome {
        GoalOutcome::Met => "met",
        GoalOutcome::Missed => "missed",
        GoalOutcome::CannotTell => "cannot_tell",
    }
}

/// Who was the limit, as machines read it.
pub(crate) const fn limit(limit: Limit) -> &'static str {
    match limit {
        Limit::Client => "client",
        Limit::Server => "server",
    }
}

/// The band of a frequency in MHz, as people name it; `None` for one that Wi-Fi in houses does not use.
pub(crate) const fn band(frequency_mhz: u32) -> Option<&'static str> {
    // 6 GHz begins at 5925 MHz (IEEE 802.11-2020 with 802.11ax, Annex E).
    match frequency_mhz {
        2_400..=2_500 => Some("2.4 GHz"),
        4_900..5_925 => Some("5 GHz"),
        5_925..=7_125 => Some("6 GHz"),
        _ => None,
    }
}

/// A quantile's usual name: 0.95 is `p95`, 0.999 is `p99.9`.
pub(crate) fn quantile(quantile: f64) -> String {
    // Four decimals of a percent: 0.29 × 100 is not 29 in binary.
    let percent = format!("{:.4}", quantile * 100.0);
    format!("p{}", percent.trim_end_matches('0').trim_end_matches('.'))
}

/// The dimension of a goal as machines read it: `response_time p95`, `failed_share`.
pub(crate) fn dimension(goal: &Goal) -> String {
    match goal.bound {
        Bound::ResponseTime { quantile: q, .. } => format!("{} {}", goal.bound.metric(), quantile(q)),
        _ => goal.bound.metric().to_owned(),
    }
}

/// A figure against its goal: `p95 812 ms, goal 500 ms`.
pub(crate) fn figure_and_goal(judged: &GoalJudgement) -> String {
    format!("{}, goal {}", figure(judged), good(&judged.goal.bound))
}

/// A goal's figure with what it is of: `p95 812 ms`, `2.31 % failed`, `slowest 4 s 18.9 Mbps`.
pub(crate) fn figure(judged: &GoalJudgement) -> String {
    let value = value(judged);
    match judged.goal.bound {
        Bound::ResponseTime { quantile: q, .. } => format!("{} {value}", quantile(q)),
        Bound::FailedShare { .. } => format!("{value} failed"),
        Bound::WindowGoodput { window, .. } => format!("slowest {} {value}", format_bound(window)),
        Bound::StallRatio { .. } => format!("stalled {value}"),
        Bound::StartupTime { .. } => format!("start-up {value}"),
    }
}

/// A goal's good bound, with its unit.
pub(crate) fn good(bound: &Bound) -> String {
    match bound {
        Bound::ResponseTime { good, .. } | Bound::StartupTime { good, .. } => format_bound(*good),
        Bound::FailedShare { good, .. } | Bound::StallRatio { good, .. } => percent(*good),
        Bound::WindowGoodput { floor, .. } => bound_rate(floor.as_mbps() * 1e6),
    }
}

/// A goal's bad bound, with its unit; a floor has none beside itself.
pub(crate) fn bad(bound: &Bound) -> Option<String> {
    match bound {
        Bound::ResponseTime { bad, .. } | Bound::StartupTime { bad, .. } => Some(format_bound(*bad)),
        Bound::FailedShare { bad, .. } | Bound::StallRatio { bad, .. } => Some(percent(*bad)),
        Bound::WindowGoodput { .. } => None,
    }
}

/// The observed figure: nobody should read "p95 500 ms, goal 500 ms, missed".
pub(crate) fn value(judged: &GoalJudgement) -> String {
    if let Some(special @ (Reading::TooFew | Reading::Unsuccessful | Reading::Overflow)) = judged.reading {
        return reading(special);
    }
    judged.observed.map_or_else(|| ABSENT.to_owned(), |observed| value_beside(&judged.goal.bound, observed))
}

/// A value beside the bound that it is held against. Where it differs from the good one but would read the same, it gets the
/// digits that tell them apart.
pub(crate) fn value_beside(bound: &Bound, observed: f64) -> String {
    if !observed.is_finite() {
        return ABSENT.to_owned();
    }
    let (shown, bound, unit, scale) = match *bound {
        Bound::ResponseTime { good, .. } | Bound::StartupTime { good, .. } => {
            let shown = reading(Reading::Value(from_nanos(observed)));
            let bound = good.as_secs_f64() * 1e9;
            if bound < 1e9 { (shown, bound, "ms", 1e6) } else { (shown, bound, "s", 1e9) }
        }
        Bound::FailedShare { good, .. } | Bound::StallRatio { good, .. } => (percent(observed), good, "%", 0.01),
        Bound::WindowGoodput { floor, .. } => (rate(observed), floor.as_mbps() * 1e6, "Mbps", 1e6),
    };
    let (observed, bound) = (observed / scale, bound / scale);
    let reads_the_same = |significant| as_read(observed, significant) == as_read(bound, significant);
    if (observed - bound).abs() <= f64::EPSILON * bound.abs() || !reads_the_same(3) {
        return shown;
    }
    let significant = (4..=9).find(|significant| !reads_the_same(*significant)).unwrap_or(9);
    format!("{} {unit}", digits(observed, significant))
}

fn as_read(value: f64, significant: usize) -> Option<f64> {
    digits(value, significant).parse().ok()
}

/// A number of nanoseconds that came as a figure; what is not a duration becomes the nearest that is.
fn from_nanos(nanos: f64) -> Duration {
    Duration::try_from_secs_f64((nanos / 1e9).max(0.0)).unwrap_or(Duration::MAX)
}

/// How the second of two set-ups is, as people read it.
pub(crate) const fn answer_shown(answer: Answer) -> &'static str {
    match answer {
        Answer::Better => "better",
        Answer::Worse => "WORSE",
        Answer::CannotTell => "cannot tell",
    }
}

/// The same, as machines read it.
pub(crate) const fn answer(answer: Answer) -> &'static str {
    match answer {
        Answer::Better => "better",
        Answer::Worse => "worse",
        Answer::CannotTell => "cannot_tell",
    }
}

/// The figure that runs are compared by.
pub(crate) fn run_figure(figure: &RunFigure) -> String {
    match figure {
        RunFigure::Goodput => "goodput".to_owned(),
        RunFigure::Goal(Bound::ResponseTime { quantile: q, .. }) => quantile(*q),
        RunFigure::Goal(Bound::FailedShare { .. }) => "failed".to_owned(),
        RunFigure::Goal(Bound::WindowGoodput { window, .. }) => format!("slowest {}", format_bound(*window)),
        RunFigure::Goal(Bound::StallRatio { .. }) => "stalled".to_owned(),
        RunFigure::Goal(Bound::StartupTime { .. }) => "start-up".to_owned(),
    }
}

/// The unit in which machines read it, and how many of the model's own make one.
pub(crate) const fn unit(figure: &RunFigure) -> (&'static str, f64) {
    match figure {
        RunFigure::Goodput | RunFigure::Goal(Bound::WindowGoodput { .. }) => ("mbps", 1e6),
        RunFigure::Goal(Bound::FailedShare { .. } | Bound::StallRatio { .. }) => ("share", 1.0),
        RunFigure::Goal(Bound::ResponseTime { .. } | Bound::StartupTime { .. }) => ("ms", 1e6),
    }
}

/// A value of it, with its unit.
pub(crate) fn run_value(figure: &RunFigure, value: f64) -> String {
    if value.is_infinite() {
        return "failed".to_owned();
    }
    match figure {
        RunFigure::Goodput | RunFigure::Goal(Bound::WindowGoodput { .. }) => rate(value),
        RunFigure::Goal(Bound::FailedShare { .. } | Bound::StallRatio { .. }) => percent(value),
        RunFigure::Goal(Bound::ResponseTime { .. } | Bound::StartupTime { .. }) => {
            reading(Reading::Value(from_nanos(value)))
        }
    }
}

/// A figure that was kept, against its goal where it has one: `p95 812 ms, goal 500 ms`.
pub(crate) fn kept_figure(kept: &FigureBrief) -> String {
    let RunFigure::Goal(bound) = &kept.figure else {
        return kept.value.map_or_else(|| ABSENT.to_owned(), |value| run_value(&kept.figure, value));
    };
    let value = match kept.value {
        Some(value) if value.is_finite() => value_beside(bound, value),
        Some(_) => "failed".to_owned(),
        None => ABSENT.to_owned(),
    };
    // A share reads before what it is of, everything else after it.
    match bound {
        Bound::FailedShare { .. } => format!("{value} failed, goal {}", good(bound)),
        _ => format!("{} {value}, goal {}", run_figure(&kept.figure), good(bound)),
    }
}

/// An application with its client: `laptop browsing`.
pub(crate) fn title(application: &ApplicationJudgement) -> String {
    format!("{} {}", application.client, application.name)
}

/// `a`, `a and b`, `a, b and c`; past four names, the rest by number.
pub(crate) fn list(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] if names.len() <= 4 => format!("{} and {last}", first.join(", ")),
        [first @ .., _] => {
            let shown: Vec<&str> = first.iter().take(3).map(String::as_str).collect();
            format!("{} and {} more", shown.join(", "), names.len() - shown.len())
        }
    }
}

/// `1 stall`, `2 stalls`.
pub(crate) fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", crate::numbers::count(n), if n == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use burn_model::goal::Counts;
    use burn_model::units::BitRate;

    use super::*;

    fn judged(bound: Bound, observed: f64) -> GoalJudgement {
        GoalJudgement {
            goal: Goal { bound, counts: Counts::Verdict },
            observed: Some(observed),
            reading: None,
            outcome: GoalOutcome::Missed,
            bad_passed: false,
            n: 100,
            over: None,
            effective_n: 100.0,
            interval: None,
            needed: None,
            score: None,
            because: None,
            limited_by: None,
        }
    }

    fn p95(observed: f64) -> GoalJudgement {
        let (good, bad) = (Duration::from_millis(500), Duration::from_millis(2500));
        judged(Bound::ResponseTime { quantile: 0.95, good, bad }, observed)
    }

    #[test]
    fn each_kind_of_goal_reads_as_a_figure_against_its_bound() {
        let shares = (0.0, 0.02);
        let floor = Bound::WindowGoodput { window: Duration::from_secs(4), floor: BitRate::from_mbps(20) };
        let startup = Bound::StartupTime { good: Duration::from_secs(2), bad: Duration::from_secs(10) };
        for (judged, text) in [
            (p95(812e6), "p95 812 ms, goal 500 ms"),
            (judged(Bound::FailedShare { good: shares.0, bad: shares.1 }, 0.0231), "2.31 % failed, goal 0 %"),
            (judged(floor, 18.93e6), "slowest 4 s 18.9 Mbps, goal 20 Mbps"),
            (judged(Bound::StallRatio { good: 0.0, bad: 0.01 }, 0.032), "stalled 3.2 %, goal 0 %"),
            (judged(startup, 2.31e9), "start-up 2.31 s, goal 2 s"),
        ] {
            assert_eq!(figure_and_goal(&judged), text);
        }
    }

    #[test]
    fn a_figure_just_past_its_bound_does_not_read_as_the_bound() {
        assert_eq!(figure_and_goal(&p95(500.4e6)), "p95 500.4 ms, goal 500 ms");
        assert_eq!(figure_and_goal(&p95(500.04e6)), "p95 500.04 ms, goal 500 ms");
        assert_eq!(figure_and_goal(&p95(500e6)), "p95 500 ms, goal 500 ms", "at the bound it does");
        let floor = Bound::WindowGoodput { window: Duration::from_secs(4), floor: BitRate::from_mbps(20) };
        assert_eq!(figure_and_goal(&judged(floor, 19.98e6)), "slowest 4 s 19.98 Mbps, goal 20 Mbps");
    }

    #[test]
    fn a_quantile_that_fell_on_failures_reads_as_failed() {
        let judged = GoalJudgement { observed: None, reading: Some(Reading::Unsuccessful), ..p95(0.0) };
        assert_eq!(figure_and_goal(&judged), "p95 failed, goal 500 ms");
        let judged = GoalJudgement { observed: None, reading: None, ..p95(0.0) };
        assert_eq!(figure_and_goal(&judged), "p95 –, goal 500 ms");
    }

    #[test]
    fn quantiles_have_their_usual_names() {
        for (q, name) in [(0.5, "p50"), (0.95, "p95"), (0.29, "p29"), (0.999, "p99.9")] {
            assert_eq!(quantile(q), name);
        }
        assert_eq!(dimension(&p95(0.0).goal), "response_time p95");
    }

    #[test]
    fn lists_read_as_a_person_says_them() {
        let names: Vec<String> = ["a", "b", "c", "d", "e"].map(String::from).to_vec();
        let lists = ["", "a", "a and b", "a, b and c", "a, b, c and d", "a, b, c and 2 more"];
        for (n, text) in lists.iter().enumerate() {
            assert_eq!(list(&names[..n]), *text);
        }
    }
}
