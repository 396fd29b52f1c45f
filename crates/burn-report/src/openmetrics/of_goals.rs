//! The goals of a run as families: what was observed, the bounds, and which one decided.

use burn_model::goal::Bound;
use burn_model::judge::{ApplicationJudgement, GoalJudgement, Judgement};

use super::exposition::{Exposition, Family, Stamp};
use super::labels::Labels;
use super::values::{gauge, states, time};
use crate::json::seconds;
use crate::names::unique;
use crate::words;

const OUTCOMES: [&str; 3] = ["met", "missed", "cannot_tell"];

/// What a goal is set in. A family has one unit, so that goals of each have families of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Seconds,
    Ratio,
    BytesPerSecond,
}

/// A goal with what tells it apart.
struct Named<'a> {
    application: &'a ApplicationJudgement,
    labels: &'a Labels,
    number: usize,
    goal: &'a GoalJudgement,
    name: String,
}

impl Named<'_> {
    fn labels(&self) -> Vec<(&str, &str)> {
        self.labels.and(&[("goal", &self.name)])
    }
}

pub(super) fn write(text: &mut Exposition, judgement: &Judgement, labels: &[Labels], at: Option<Stamp>) {
    let goals = named(judgement, labels);
    let help = "1 for the goal that decided its application's verdict, else 0.";
    let mut samples = text.family(gauge("netburn_run_goal_decided", None, help));
    for goal in &goals {
        let decided = goal.application.decided_by == Some(goal.number);
        samples.add(&goal.labels(), if decided { 1.0 } else { 0.0 }, at);
    }
    let mut samples = text.family(states("netburn_run_goal_outcome", "Whether a goal was met."));
    for goal in &goals {
        samples.add_states(&goal.labels(), &OUTCOMES, words::outcome(goal.goal.outcome), at);
    }
    for unit in [Unit::Seconds, Unit::Ratio, Unit::BytesPerSecond] {
        let of_unit = || goals.iter().filter(|goal| unit == Unit::of(&goal.goal.goal.bound));
        let mut samples = text.family(unit.observed());
        for goal in of_unit() {
            if let Some(value) = observed(goal.goal) {
                samples.add(&goal.labels(), value, at);
            }
        }
        let mut samples = text.family(unit.bound());
        for goal in of_unit() {
            for (bound, value) in bounds(&goal.goal.goal.bound) {
                let mut labels = goal.labels();
                labels.push(("bound", bound));
                samples.add(&labels, value, at);
            }
        }
    }
}

fn named<'a>(judgement: &'a Judgement, labels: &'a [Labels]) -> Vec<Named<'a>> {
    let of_application = |(application, labels): (&'a ApplicationJudgement, &'a Labels)| {
        // Two windows of goodput, say, may be judged.
        let names = unique(application.goals.iter().map(|judged| words::dimension(&judged.goal)));
        let numbered = application.goals.iter().zip(names).enumerate();
        numbered.map(move |(number, (goal, name))| Named { application, labels, number, goal, name })
    };
    judgement.applications.iter().zip(labels).flat_map(of_application).collect()
}

impl Unit {
    const fn of(bound: &Bound) -> Self {
        match bound {
            Bound::ResponseTime { .. } | Bound::StartupTime { .. } => Self::Seconds,
            Bound::FailedShare { .. } | Bound::StallRatio { .. } => Self::Ratio,
            Bound::WindowGoodput { .. } => Self::BytesPerSecond,
        }
    }

    const fn observed(self) -> Family {
        match self {
            Self::Seconds => gauge(
                "netburn_run_goal_seconds",
                Some("seconds"),
                "The figure of a goal on a time; +Inf where it falls on operations that did not complete.",
            ),
            Self::Ratio => gauge("netburn_run_goal_ratio", Some("ratio"), "The figure of a goal on a share."),
            Self::BytesPerSecond => gauge(
                "netburn_run_goal_bytes_per_second",
                Some("bytes_per_second"),
                "The figure of a goal on goodput: the least of any window.",
            ),
        }
    }

    const fn bound(self) -> Family {
        match self {
            Self::Seconds => gauge(
                "netburn_run_goal_bound_seconds",
                Some("seconds"),
                "The bounds of a goal on a time: met up to good, a failure beyond bad.",
            ),
            Self::Ratio => gauge(
                "netburn_run_goal_bound_ratio",
                Some("ratio"),
                "The bounds of a goal on a share: met up to good, a failure beyond bad.",
            ),
            Self::BytesPerSecond => gauge(
                "netburn_run_goal_bound_bytes_per_second",
                Some("bytes_per_second"),
                "The floor of a goal on goodput: met from there on, a failure below.",
            ),
        }
    }
}

/// A goal's figure in the unit of its family.
fn observed(judged: &GoalJudgement) -> Option<f64> {
    // Nanoseconds, shares and bits per second are the judgement's own units.
    let scale = match Unit::of(&judged.goal.bound) {
        Unit::Seconds => 1e9,
        Unit::Ratio => 1.0,
        Unit::BytesPerSecond => 8.0,
    };
    judged.observed.map(|figure| figure / scale).or_else(|| judged.reading.and_then(time))
}

fn bounds(bound: &Bound) -> Vec<(&'static str, f64)> {
    match *bound {
        Bound::ResponseTime { good, bad, .. } | Bound::StartupTime { good, bad } => {
            vec![("good", seconds(good)), ("bad", seconds(bad))]
        }
        Bound::FailedShare { good, bad } | Bound::StallRatio { good, bad } => vec![("good", good), ("bad", bad)],
        Bound::WindowGoodput { floor, .. } => vec![("floor", floor.as_mbps() * 1e6 / 8.0)],
    }
}
