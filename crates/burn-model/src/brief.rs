//! What a run said, in brief: all that a history of many runs needs of each.
//!
//! It is taken from a run's judgement and from nothing else, so it never says what the run's report does not.

use std::time::Duration;

use crate::compare::{RunFigure, cut_short, doubted};
use crate::goal::Counts;
use crate::judge::{ApplicationJudgement, Judgement, Verdict};
use crate::record::Ending;
use crate::run::RunRecord;

/// A run in brief.
#[derive(Clone, Debug, PartialEq)]
pub struct Brief {
    /// The run's own random name.
    pub run: String,
    /// The scenario's name.
    pub scenario: String,
    /// Names the plan: runs of the same digest were asked the same.
    pub digest: String,
    /// When it was started, RFC 3339, by the controller's wall clock. A label.
    pub started_at: String,
    /// The program that made it, with its version.
    pub program: String,
    /// How long a time was judged.
    pub judged: Duration,
    /// How it ended, where its file says so.
    pub ending: Option<Ending>,
    /// The worst of the applications'.
    pub verdict: Verdict,
    /// The lowest of the applications', 0 to 100; `None` where none has one.
    pub score: Option<f64>,
    /// Each application of each client, in the plan's order.
    pub applications: Vec<ApplicationBrief>,
}

/// An application of a client, in brief.
#[derive(Clone, Debug, PartialEq)]
pub struct ApplicationBrief {
    /// The client's name.
    pub client: String,
    /// The application's name.
    pub name: String,
    /// How good it was; `None` where it has no goals.
    pub verdict: Option<Verdict>,
    /// 0 to 100; `None` where there are no goals or too few samples.
    pub score: Option<f64>,
    /// Payload received in the judged time, bits per second.
    pub goodput_bps: f64,
    /// The figure of each goal that counts for the verdict, in the plan's order; where there is none, goodput. The first one
    /// is what runs are compared by: it was chosen before any of them was made.
    pub figures: Vec<FigureBrief>,
    /// Index into `figures` of the one that decided the verdict.
    pub decided_by: Option<usize>,
}

/// A figure of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureBrief {
    /// Which.
    pub figure: RunFigure,
    /// Its value in the goal's own unit: nanoseconds, a share, or bits per second. Infinite where what it is of never
    /// completed, `None` where the run cannot tell it.
    pub value: Option<f64>,
    /// Whether it cannot be held against other runs' figures: the tester, and not the network, may have made it, or its run
    /// ended early or lost a client.
    pub doubted: bool,
}

impl Brief {
    /// A run in brief; `None` where its record has no header.
    #[must_use]
    pub fn of(run: &RunRecord, judgement: &Judgement) -> Option<Self> {
        let header = run.header()?;
        let (from, to) = judgement.window;
        let scores = judgement.applications.iter().filter_map(|application| application.score);
        Some(Self {
            run: header.run.clone(),
            scenario: header.plan.name.clone(),
            digest: header.digest.clone(),
            started_at: header.started_at.clone(),
            program: header.program.clone(),
            judged: Duration::from_nanos(to.as_nanos().saturating_sub(from.as_nanos())),
            ending: run.ending().cloned(),
            verdict: judgement.verdict,
            score: scores.reduce(f64::min),
            applications: judgement.applications.iter().map(|one| ApplicationBrief::of(one, cut_short(run))).collect(),
        })
    }
}

impl ApplicationBrief {
    fn of(application: &ApplicationJudgement, cut_short: bool) -> Self {
        let brief = |figure: RunFigure| FigureBrief {
            value: figure.read(application).filter(|value| !value.is_nan()),
            doubted: cut_short || doubted(application, &figure),
            figure,
        };
        let counting: Vec<usize> = application
            .goals
            .iter()
            .enumerate()
            .filter(|(_, judged)| judged.goal.counts == Counts::Verdict)
            .map(|(goal, _)| goal)
            .collect();
        let goals = counting.iter().filter_map(|goal| application.goals.get(*goal));
        let mut figures: Vec<FigureBrief> =
            goals.map(|judged| brief(RunFigure::Goal(judged.goal.bound.clone()))).collect();
        if figures.is_empty() {
            figures.push(brief(RunFigure::Goodput));
        }
        Self {
            client: application.client.clone(),
            name: application.name.clone(),
            verdict: application.verdict,
            score: application.score,
            goodput_bps: application.goodput_bps,
            figures,
            decided_by: application.decided_by.and_then(|goal| counting.iter().position(|one| *one == goal)),
        }
    }

    /// The figure that decided; where no goal did, the first one that runs are compared by.
    #[must_use]
    pub fn deciding(&self) -> Option<&FigureBrief> {
        self.decided_by.and_then(|figure| self.figures.get(figure)).or_else(|| self.figures.first())
    }

    /// Whether this is the application `name` of `client`.
    #[must_use]
    pub fn is(&self, client: &str, name: &str) -> bool {
        self.client == client && self.name == name
    }
}
