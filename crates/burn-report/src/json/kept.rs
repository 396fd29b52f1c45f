//! Runs that were kept as one JSON document.

use burn_model::brief::{ApplicationBrief, FigureBrief};
use burn_model::compare::RunFigure;
use burn_model::goal::Bound;
use burn_model::record::Ending;
use serde::Serialize;

use super::{FORMAT, mbps, round, seconds, write};
use crate::kept::KeptRun;
use crate::words::{quantile, unit, verdict};

/// A list of runs, and what stands beside it.
#[derive(Clone, Copy, Debug)]
pub struct Listing<'a> {
    /// The folder that they are in.
    pub folder: &'a str,
    /// How many runs the filters pick; the list may hold fewer.
    pub total: usize,
    /// The runs, the newest first.
    pub runs: &'a [KeptRun<'a>],
    /// Files of the folder that cannot be read, with what is wrong with each.
    pub unreadable: &'a [(String, String)],
}

/// The document of a list of runs.
#[must_use]
pub fn render_runs(listing: &Listing<'_>) -> String {
    write(&Document {
        format: FORMAT,
        error: None,
        exit_code: 0,
        folder: listing.folder,
        total: listing.total,
        runs: listing.runs.iter().map(Run::of).collect(),
        unreadable: listing.unreadable.iter().map(|(path, problem)| Unreadable { path, problem }).collect(),
    })
}

#[derive(Serialize)]
struct Document<'a> {
    format: u32,
    error: Option<&'a str>,
    exit_code: u8,
    folder: &'a str,
    total: usize,
    runs: Vec<Run<'a>>,
    unreadable: Vec<Unreadable<'a>>,
}

#[derive(Serialize)]
struct Unreadable<'a> {
    path: &'a str,
    problem: &'a str,
}

#[derive(Serialize)]
struct Run<'a> {
    id: &'a str,
    path: String,
    scenario: &'a str,
    digest: &'a str,
    started_at: &'a str,
    program: &'a str,
    judged_s: Option<f64>,
    ending: Option<&'static str>,
    ending_reason: Option<&'a str>,
    verdict: &'static str,
    score: Option<f64>,
    tags: Vec<&'a str>,
    note: Option<&'a str>,
    applications: Vec<Application<'a>>,
}

#[derive(Serialize)]
struct Application<'a> {
    client: &'a str,
    name: &'a str,
    verdict: Option<&'static str>,
    score: Option<f64>,
    goodput_mbps: Option<f64>,
    decided_by: Option<Deciding>,
}

/// The figure that decided, with its bounds.
#[derive(Serialize)]
struct Deciding {
    metric: &'static str,
    quantile: Option<String>,
    unit: &'static str,
    value: Figure,
    good: Option<f64>,
    bad: Option<f64>,
}

/// A figure of one run: a number, `failed` where what it is of never completed, or null.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Figure {
    Number(f64),
    Failed(&'static str),
    Unknown(Option<()>),
}

impl Figure {
    /// A value in the unit that machines read.
    pub(super) fn of(value: Option<f64>, scale: f64) -> Self {
        match value {
            Some(value) if value.is_infinite() => Self::Failed("failed"),
            value => value.and_then(|value| round(value / scale)).map_or(Self::Unknown(None), Self::Number),
        }
    }
}

impl<'a> Run<'a> {
    fn of(run: &KeptRun<'a>) -> Self {
        let brief = run.brief;
        let (ending, ending_reason) = match &brief.ending {
            None => (None, None),
            Some(Ending::Finished) => (Some("finished"), None),
            Some(Ending::Interrupted { by, .. }) => (Some("interrupted"), Some(by.as_str())),
            Some(Ending::Failed { reason }) => (Some("failed"), Some(reason.as_str())),
        };
        Self {
            id: &brief.run,
            path: run.path.display().to_string(),
            scenario: &brief.scenario,
            digest: &brief.digest,
            started_at: &brief.started_at,
            program: &brief.program,
            judged_s: round(seconds(brief.judged)),
            ending,
            ending_reason,
            verdict: verdict(brief.verdict),
            score: brief.score.and_then(round),
            tags: run.tags.iter().map(String::as_str).collect(),
            note: run.note,
            applications: brief.applications.iter().map(Application::of).collect(),
        }
    }
}

impl<'a> Application<'a> {
    fn of(application: &'a ApplicationBrief) -> Self {
        let decided = application.decided_by.and_then(|figure| application.figures.get(figure));
        Self {
            client: &application.client,
            name: &application.name,
            verdict: application.verdict.map(verdict),
            score: application.score.and_then(round),
            goodput_mbps: mbps(application.goodput_bps),
            decided_by: decided.map(Deciding::of),
        }
    }
}

impl Deciding {
    fn of(kept: &FigureBrief) -> Self {
        let (unit, scale) = unit(&kept.figure);
        let (metric, quantile, good, bad) = bounds(&kept.figure);
        let scaled = |bound: Option<f64>| bound.and_then(|bound| round(bound / scale));
        Self { metric, quantile, unit, value: Figure::of(kept.value, scale), good: scaled(good), bad: scaled(bad) }
    }
}

/// What a figure is, and its bounds in the model's own unit. A floor is both bounds.
pub(super) fn bounds(figure: &RunFigure) -> (&'static str, Option<String>, Option<f64>, Option<f64>) {
    let RunFigure::Goal(bound) = figure else { return ("goodput", None, None, None) };
    let (named, good, bad) = match bound {
        Bound::ResponseTime { quantile: q, good, bad } => {
            (Some(quantile(*q)), good.as_secs_f64() * 1e9, bad.as_secs_f64() * 1e9)
        }
        Bound::StartupTime { good, bad } => (None, good.as_secs_f64() * 1e9, bad.as_secs_f64() * 1e9),
        Bound::FailedShare { good, bad } | Bound::StallRatio { good, bad } => (None, *good, *bad),
        Bound::WindowGoodput { floor, .. } => (None, floor.as_mbps() * 1e6, floor.as_mbps() * 1e6),
    };
    (bound.metric(), named, Some(good), Some(bad))
}
