//! All that is known of one application: its goals with their evidence, its times, and what became of its operations.

use burn_model::goal::Counts;
use burn_model::judge::{ApplicationJudgement, GoalJudgement, Summary};

use super::drawn::Drawn;
use super::sign::Sign;
use crate::layout::glue;
use crate::numbers::reading;
use crate::said::goals::evidence;
use crate::said::operations::{movement, operations, playback, quantiles};
use crate::words::{bad, figure, good};

/// The section of one application.
pub(super) struct Application<'a> {
    pub(super) number: usize,
    pub(super) client: &'a str,
    pub(super) name: &'a str,
    pub(super) sign: Sign,
    pub(super) closed: bool,
    pub(super) goals: Vec<Goal>,
    /// The quantiles' names, over the table of times.
    pub(super) quantiles: Vec<&'static str>,
    pub(super) times: Vec<(&'static str, Vec<String>)>,
    /// Sentences on what moved and what became of the operations.
    pub(super) said: Vec<String>,
    pub(super) figures: Vec<Drawn<'a>>,
}

/// A goal's row.
pub(super) struct Goal {
    pub(super) figure: String,
    pub(super) good: String,
    pub(super) bad: Option<String>,
    pub(super) sign: Sign,
    pub(super) decided: bool,
    pub(super) score_only: bool,
    /// What the outcome stands on.
    pub(super) evidence: String,
}

impl<'a> Application<'a> {
    pub(super) fn of(number: usize, application: &'a ApplicationJudgement, figures: Vec<Drawn<'a>>) -> Self {
        let times = [
            ("response time", application.response_time),
            ("service time", application.service_time),
            ("slot wait", application.slot_wait),
        ];
        let known = times.into_iter().filter(|(_, summary)| summary.n > 0);
        let goal = |(i, judged)| Goal::of(judged, application.decided_by == Some(i));
        Self {
            number,
            client: &application.client,
            name: &application.name,
            sign: Sign::of_application(application),
            closed: application.closed,
            goals: application.goals.iter().enumerate().map(goal).collect(),
            quantiles: quantiles(&Summary::default()).map(|(name, _)| name).collect(),
            times: known.map(|(name, summary)| (name, values(&summary))).collect(),
            said: [
                Some(movement(application)),
                Some(operations(application)),
                application.stream.as_ref().map(playback),
            ]
            .into_iter()
            .flatten()
            .collect(),
            figures,
        }
    }
}

fn values(summary: &Summary) -> Vec<String> {
    quantiles(summary).map(|(_, value)| glue(&reading(value))).collect()
}

impl Goal {
    fn of(judged: &GoalJudgement, decided: bool) -> Self {
        Self {
            figure: glue(&figure(judged)),
            good: glue(&good(&judged.goal.bound)),
            bad: bad(&judged.goal.bound).map(|bad| glue(&bad)),
            sign: Sign::of_outcome(judged.outcome, judged.bad_passed),
            decided,
            score_only: judged.goal.counts == Counts::Score,
            evidence: evidence(judged).join("; "),
        }
    }
}
