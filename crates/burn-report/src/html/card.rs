//! One application in one glance: how it was, and the figure that decided against its goal.

use std::time::Duration;

use burn_model::goal::Bound;
use burn_model::judge::{ApplicationJudgement, GoalJudgement, GoalOutcome, Limit, Reading};
use burn_model::run::RunRecord;
use burn_model::units::format_bound;

use super::sign::Sign;
use crate::layout::{clip, glue};
use crate::numbers::{rate, score};
use crate::said::verdict::evidence;
use crate::words::{figure, good, quantile};

/// Columns of what others say on a card, such as why a client was lost: it is a glance, whatever somebody says.
const LONGEST: usize = 300;

/// A card.
pub(super) struct Card<'a> {
    /// Where its details are.
    pub(super) number: usize,
    pub(super) client: &'a str,
    pub(super) name: &'a str,
    pub(super) sign: Sign,
    pub(super) score: Option<String>,
    /// The figure that decided; what moved, where nothing was judged.
    pub(super) figure: String,
    pub(super) goal: Option<String>,
    /// Who was the limit, where it was not the network.
    pub(super) limit: Option<String>,
    /// Where its client was lost: since when, and why.
    pub(super) lost: Option<String>,
    /// What was wrong, or why it cannot be told.
    pub(super) because: Option<String>,
    /// The course of the run, drawn by us; empty where there is none.
    pub(super) sparkline: String,
}

impl<'a> Card<'a> {
    pub(super) fn of(number: usize, application: &'a ApplicationJudgement, sparkline: String) -> Self {
        let decided = application.decided_by.and_then(|i| application.goals.get(i));
        let goal = |judged: &GoalJudgement| format!("goal {}", glue(&good(&judged.goal.bound)));
        let (figure, goal) = match decided {
            Some(judged) if judged.reading == Some(Reading::TooFew) => few(judged),
            Some(judged) => (glue(&figure(judged)), Some(goal(judged))),
            None => (glue(&rate(application.goodput_bps)), None),
        };
        let limit = application.limited_by.map(|limit| match limit {
            Limit::Client => "the client was the limit, not the network".to_owned(),
            Limit::Server => "the server was the limit, not the network".to_owned(),
        });
        let first_reason = || application.reasons.first().filter(|_| application.verdict.is_some());
        Self {
            number,
            client: &application.client,
            name: &application.name,
            sign: Sign::of_application(application),
            score: application.score.map(|_| score(application.score)),
            figure,
            limit,
            lost: None,
            goal,
            because: match decided {
                Some(judged) if judged.outcome == GoalOutcome::Missed => Some(evidence(judged, &application.name)),
                Some(judged) => judged.because.clone(),
                None => first_reason().cloned(),
            }
            .map(|because| clip(&because, LONGEST)),
            sparkline,
        }
    }

    /// With what became of its client, where that was lost.
    pub(super) fn with_client(self, run: &RunRecord, client: Option<usize>) -> Self {
        let lost = client.and_then(|client| run.lost(client)).map(|(reason, at)| match at {
            Some(at) => format!(
                "lost after {}: {}",
                glue(&format_bound(Duration::from_secs(at.second()))),
                clip(reason, LONGEST)
            ),
            None => format!("lost before it began: {}", clip(reason, LONGEST)),
        });
        Self { lost, ..self }
    }
}

/// A quantile of too few operations to be read, which may be known to be over its goal all the same; and what stands beside it.
fn few(judged: &GoalJudgement) -> (String, Option<String>) {
    let good = glue(&good(&judged.goal.bound));
    match judged.goal.bound {
        Bound::ResponseTime { quantile: q, .. } if judged.outcome == GoalOutcome::Missed => {
            (glue(&format!("{} over {good}", quantile(q))), None)
        }
        _ => ("too few to say".to_owned(), Some(format!("goal {good}"))),
    }
}
