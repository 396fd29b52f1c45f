use std::cmp::Ordering;
use std::time::Duration;

use super::*;
use crate::brief::FigureBrief;
use crate::goal::Bound;

fn p95() -> RunFigure {
    let (good, bad) = (Duration::from_millis(150), Duration::from_millis(400));
    RunFigure::Goal(Bound::ResponseTime { quantile: 0.95, good, bad })
}

fn run(day: usize, digest: &str, value: Option<f64>, doubted: bool) -> Brief {
    let call = ApplicationBrief {
        client: "phone".to_owned(),
        name: "voip".to_owned(),
        verdict: Some(Verdict::Pass),
        score: Some(100.0),
        goodput_bps: 1e6,
        figures: vec![FigureBrief { figure: p95(), value, doubted }],
        decided_by: Some(0),
    };
    Brief {
        run: format!("run{day}"),
        scenario: "evening".to_owned(),
        digest: digest.to_owned(),
        started_at: format!("2026-11-{day:02}T20:00:00Z"),
        program: "netburn 0.1.0".to_owned(),
        judged: Duration::from_secs(60),
        ending: None,
        verdict: Verdict::Pass,
        score: Some(100.0),
        applications: vec![call],
    }
}

fn trend_of(values: &[f64]) -> ApplicationTrend {
    let runs: Vec<Brief> = values.iter().enumerate().map(|(i, value)| run(i + 1, "d", Some(*value), false)).collect();
    trends(&runs).remove(0).applications.remove(0)
}

#[test]
fn four_good_runs_and_then_four_bad_ones_are_worse_since_the_fifth() {
    let trend = trend_of(&[10.0, 12.0, 11.0, 13.0, 30.0, 31.0, 29.0, 35.0]);
    let change = &trend.change;
    assert_eq!(change.answer, Answer::Worse);
    assert_eq!(change.since.as_deref(), Some("2026-11-05T20:00:00Z"));
    assert_eq!(change.runs, (4, 4));
    let test = change.test.unwrap();
    // Wholly apart: this deal and its mirror of the 70 ways to choose four of eight.
    assert!((test.p - 2.0 / 70.0).abs() < 1e-12 && test.second_is == Ordering::Greater, "{test:?}");
    // Sorted: 10 11 12 13 29 30 31 35; the middle of 13 and 29 is 21.
    assert_eq!(trend.beyond_goal, Some(0), "all are nanoseconds, and the goal is 150 ms");
    assert_eq!((trend.median, trend.best, trend.worst), (Some(21.0), Some(10.0), Some(35.0)));
}

#[test]
fn an_odd_run_belongs_to_the_earlier_half_and_seven_are_too_few() {
    let change = trend_of(&[10.0, 12.0, 11.0, 13.0, 12.0, 30.0, 31.0, 29.0, 35.0]).change;
    assert_eq!((change.runs, change.answer), ((5, 4), Answer::Worse));
    let few = trend_of(&[10.0, 12.0, 11.0, 13.0, 30.0, 31.0, 29.0]).change;
    assert_eq!((few.runs, few.answer), ((4, 3), Answer::CannotTell));
    assert!(few.because.unwrap().starts_with("7 runs tell the figure, and 8 are the least"));
}

#[test]
fn runs_in_which_the_tester_was_the_limit_or_nothing_could_be_told_are_shown_but_not_tested() {
    let mut runs: Vec<Brief> = (1..=8).map(|day| run(day, "d", Some(10.0), false)).collect();
    runs.push(run(9, "d", Some(500.0), true));
    runs.push(run(10, "d", None, false));
    let trend = trends(&runs).remove(0).applications.remove(0);
    assert_eq!((trend.change.left_out, trend.change.runs), (2, (4, 4)));
    assert_eq!((trend.worst, trend.values.last()), (Some(500.0), Some(&None)));
    assert_eq!(trend.change.answer, Answer::CannotTell, "eight equal values show no change");
}

#[test]
fn runs_that_were_asked_something_else_stand_apart_and_the_last_question_comes_first() {
    let runs = [run(1, "a", Some(1.0), false), run(2, "b", Some(2.0), false), run(3, "a", Some(f64::INFINITY), false)];
    let trends = trends(&runs);
    let digests: Vec<(&str, usize)> = trends.iter().map(|one| (one.digest.as_str(), one.runs.len())).collect();
    assert_eq!(digests, [("a", 2), ("b", 1)]);
    // What never completed is worse than any number, and has no middle with one.
    assert_eq!(trends[0].applications[0].values, [Some(1.0), Some(f64::INFINITY)]);
    assert_eq!(trends[0].applications[0].worst, Some(f64::INFINITY));
}

#[test]
fn the_test_takes_the_latest_sixty_four_runs_and_says_how_many_are_too_old() {
    let change = trend_of(&[1.0; 70]).change;
    assert_eq!((change.runs, change.too_old), ((32, 32), 6));
}

#[test]
fn of_nothing_there_is_no_trend() {
    assert_eq!(trends(&[]), []);
}
