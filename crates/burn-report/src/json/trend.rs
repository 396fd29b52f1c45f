//! How a scenario's runs fared with time, as one JSON document.

use burn_model::judge::Verdict;
use burn_model::trend::{ApplicationTrend, Change, Trend, TrendRun};
use serde::Serialize;

use super::kept::{Figure, bounds};
use super::{FORMAT, round, share, write};
use crate::words::{answer, unit, verdict};

/// The document of a scenario's trends: one for each question, the one that was asked last first.
#[must_use]
pub fn render_trends(scenario: &str, folder: &str, trends: &[Trend]) -> String {
    let trends = trends.iter().map(Question::of).collect();
    write(&Document { format: FORMAT, error: None, exit_code: 0, scenario, folder, trends })
}

#[derive(Serialize)]
struct Document<'a> {
    format: u32,
    error: Option<&'a str>,
    exit_code: u8,
    scenario: &'a str,
    folder: &'a str,
    trends: Vec<Question<'a>>,
}

#[derive(Serialize)]
struct Question<'a> {
    digest: &'a str,
    runs: Vec<Run<'a>>,
    applications: Vec<Application<'a>>,
}

#[derive(Serialize)]
struct Run<'a> {
    id: &'a str,
    started_at: &'a str,
    verdict: &'static str,
}

#[derive(Serialize)]
struct Application<'a> {
    client: &'a str,
    name: &'a str,
    metric: &'static str,
    quantile: Option<String>,
    unit: &'static str,
    less_is_better: bool,
    good: Option<f64>,
    bad: Option<f64>,
    values: Vec<Figure>,
    verdicts: Vec<Option<&'static str>>,
    median: Figure,
    best: Figure,
    worst: Figure,
    beyond_goal: Option<usize>,
    decided_otherwise: usize,
    change: Changed<'a>,
}

#[derive(Serialize)]
struct Changed<'a> {
    since: Option<&'a str>,
    earlier_runs: usize,
    later_runs: usize,
    left_out: usize,
    too_old: usize,
    answer: &'static str,
    change: Option<f64>,
    interval: Option<(f64, f64)>,
    p: Option<f64>,
    because: Option<&'a str>,
}

impl<'a> Question<'a> {
    fn of(trend: &'a Trend) -> Self {
        let run = |run: &'a TrendRun| Run { id: &run.run, started_at: &run.started_at, verdict: verdict(run.verdict) };
        Self {
            digest: &trend.digest,
            runs: trend.runs.iter().map(run).collect(),
            applications: trend.applications.iter().map(Application::of).collect(),
        }
    }
}

impl<'a> Application<'a> {
    fn of(trend: &'a ApplicationTrend) -> Self {
        let (unit, scale) = unit(&trend.figure);
        let (metric, quantile, good, bad) = bounds(&trend.figure);
        let scaled = |bound: Option<f64>| bound.and_then(|bound| round(bound / scale));
        let figure = |value: Option<f64>| Figure::of(value, scale);
        Self {
            client: &trend.client,
            name: &trend.name,
            metric,
            quantile,
            unit,
            less_is_better: trend.figure.less_is_better(),
            good: scaled(good),
            bad: scaled(bad),
            values: trend.values.iter().copied().map(figure).collect(),
            verdicts: trend.verdicts.iter().map(|given: &Option<Verdict>| given.map(verdict)).collect(),
            median: figure(trend.median),
            best: figure(trend.best),
            worst: figure(trend.worst),
            beyond_goal: trend.beyond_goal,
            decided_otherwise: trend.decided_otherwise,
            change: Changed::of(&trend.change, scale),
        }
    }
}

impl<'a> Changed<'a> {
    fn of(change: &'a Change, scale: f64) -> Self {
        let shift = change.test.and_then(|test| test.shift);
        let interval = shift.and_then(|shift| shift.interval);
        Self {
            since: change.since.as_deref(),
            earlier_runs: change.runs.0,
            later_runs: change.runs.1,
            left_out: change.left_out,
            too_old: change.too_old,
            answer: answer(change.answer),
            change: shift.and_then(|shift| round(shift.estimate / scale)),
            interval: interval.and_then(|(low, high)| round(low / scale).zip(round(high / scale))),
            p: change.test.map(|test| share(test.p)),
            because: change.because.as_deref(),
        }
    }
}
