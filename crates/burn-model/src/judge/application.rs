//! One application, judged.

use super::evidence::Evidence;
use super::fidelity::{Finding, other_limit, severity};
use super::judgement::{ApplicationJudgement, FairShare, GoalJudgement, GoalOutcome, Limit, Operations, Verdict};
use super::{fair_share, goal, sentences, stream, trust};
use crate::goal::{Bound, Counts};
use crate::numbers::{duration_figure, float};
use crate::run::{Figure, View};
use crate::score;

/// What is shared by the applications of a run.
pub(super) struct Shared {
    /// Payload that all applications received in the judged time.
    pub(super) bytes: u64,
    /// What keeps the whole run from being judged.
    pub(super) run_doubts: Vec<String>,
    /// The clients that took part.
    pub(super) clients: u64,
}

/// Judges one application, `number` being those of its client and its population. `client_doubts` is what keeps its client from being judged.
pub(super) fn judge(
    evidence: &Evidence<'_>,
    shared: &Shared,
    number: (usize, usize),
    client: &str,
    client_doubts: &[String],
) -> ApplicationJudgement {
    let mut untrusted = [shared.run_doubts.as_slice(), client_doubts].concat();
    untrusted.extend(trust::of_application(evidence));
    let measured: Vec<GoalJudgement> =
        evidence.population.goals.iter().map(|wanted| goal::judge(wanted, evidence, View::Measured)).collect();
    let findings: Vec<Option<Finding>> = measured.iter().map(|judged| other_limit(judged, evidence)).collect();
    let goals: Vec<GoalJudgement> = measured
        .iter()
        .zip(&findings)
        .map(|(judged, finding)| with_fidelity(judged, finding.as_ref(), &untrusted))
        .collect();

    let verdict = goals.iter().filter(|judged| judged.goal.counts == Counts::Verdict).map(verdict_of).max();
    let limited_by = limit(verdict, &measured, &findings, &untrusted);
    let tally = evidence.tally();
    let bytes = evidence.bytes();
    let mut reasons: Vec<String> = untrusted.clone();
    if untrusted.is_empty() {
        let said = goals.iter().filter(|judged| judged.goal.counts == Counts::Verdict);
        let mut said: Vec<&GoalJudgement> = said.collect();
        said.sort_by_key(|judged| std::cmp::Reverse(verdict_of(judged)));
        reasons.extend(said.into_iter().filter_map(sentences::of_goal));
    }
    reasons.extend(sentences::failures(&tally));
    let fair_share = fair_share::judge(evidence, number, shared.clients, &untrusted);
    reasons.extend(fair_share.as_ref().and_then(FairShare::complaint));
    ApplicationJudgement {
        client: client.to_owned(),
        name: evidence.population.name.clone(),
        closed: evidence.population.is_closed(),
        verdict,
        score: score::of_application(goals.iter().map(|judged| (judged.score, judged.goal.counts == Counts::Verdict))),
        decided_by: decided_by(verdict, &goals, &measured),
        reasons: reasons.into_iter().map(|reason| sentence(&reason)).collect(),
        goodput_bps: goodput(evidence, bytes),
        share: (shared.bytes > 0).then(|| float(bytes) / float(shared.bytes)),
        operations: Operations { tally },
        response_time: evidence.summary(Figure::ResponseTime),
        service_time: evidence.summary(Figure::ServiceTime),
        slot_wait: evidence.summary(Figure::SlotWait),
        driver_lateness: evidence.summary(Figure::DriverLateness),
        receive_lateness: evidence.summary(Figure::ReceiveLateness),
        server_time: evidence.summary(Figure::ServerTime),
        goals,
        stream: stream::summary(evidence),
        limited_by,
        in_doubt: !untrusted.is_empty(),
        fair_share,
    }
}

/// Payload over the judged time, bits per second.
pub(super) fn goodput(evidence: &Evidence<'_>, bytes: u64) -> f64 {
    let seconds = evidence.window.length().as_secs_f64();
    if seconds > 0.0 { float(bytes) * 8.0 / seconds } else { 0.0 }
}

/// Takes back what a goal's outcome and score say of the network where the tester is in doubt, or somebody else was the limit.
fn with_fidelity(measured: &GoalJudgement, finding: Option<&Finding>, untrusted: &[String]) -> GoalJudgement {
    let because = match (untrusted.first(), finding) {
        (Some(doubt), _) => doubt.clone(),
        (None, Some(Finding { limit, because })) => {
            format!("the {} was the limit, not the network: {because}", name(*limit))
        }
        (None, None) => return measured.clone(),
    };
    GoalJudgement {
        outcome: GoalOutcome::CannotTell,
        bad_passed: false,
        score: None,
        because: Some(because),
        limited_by: finding.map(|finding| finding.limit),
        ..measured.clone()
    }
}

const fn name(limit: Limit) -> &'static str {
    match limit {
        Limit::Client => "client",
        Limit::Server => "server",
    }
}

/// What a goal by itself would make of its application.
const fn verdict_of(judged: &GoalJudgement) -> Verdict {
    match (judged.outcome, judged.bad_passed) {
        (GoalOutcome::Met, _) => Verdict::Pass,
        (GoalOutcome::CannotTell, _) => Verdict::Inconclusive,
        (GoalOutcome::Missed, false) => Verdict::Marginal,
        (GoalOutcome::Missed, true) => Verdict::Fail,
    }
}

/// Who else than the network was the limit, where that is what made the application inconclusive.
fn limit(
    verdict: Option<Verdict>,
    measured: &[GoalJudgement],
    findings: &[Option<Finding>],
    untrusted: &[String],
) -> Option<Limit> {
    if verdict != Some(Verdict::Inconclusive) || !untrusted.is_empty() {
        return None;
    }
    let of_verdict = measured.iter().zip(findings).filter(|(judged, _)| judged.goal.counts == Counts::Verdict);
    let found = of_verdict.filter_map(|(judged, finding)| Some((severity(judged), finding.as_ref()?.limit)));
    // The first of the worst.
    found.rev().max_by_key(|(severity, _)| *severity).map(|(_, limit)| limit)
}

/// The goal that decided: of those that would make the verdict what it is, the one that read worst.
fn decided_by(verdict: Option<Verdict>, goals: &[GoalJudgement], measured: &[GoalJudgement]) -> Option<usize> {
    let decided = goals
        .iter()
        .enumerate()
        .filter(|(_, judged)| judged.goal.counts == Counts::Verdict && Some(verdict_of(judged)) == verdict);
    let weight =
        |number: usize| (measured.get(number).map_or(0, severity), measured.get(number).map_or(0.0, closeness));
    // The first of the worst, so that a plan's order decides between equals.
    decided
        .rev()
        .max_by(|(a, _), (b, _)| {
            let (a, b) = (weight(*a), weight(*b));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
        })
        .map(|(number, _)| number)
}

/// How near a figure is to its good bound, or how far beyond it: 1 is at the bound, more is worse.
fn closeness(judged: &GoalJudgement) -> f64 {
    if matches!(judged.reading, Some(super::Reading::Unsuccessful | super::Reading::Overflow)) {
        return f64::MAX;
    }
    let Some(observed) = judged.observed else { return 0.0 };
    match judged.goal.bound {
        Bound::ResponseTime { good, .. } | Bound::StartupTime { good, .. } => observed / duration_figure(good).max(1.0),
        Bound::FailedShare { good, bad } | Bound::StallRatio { good, bad } => {
            if observed <= 0.0 {
                0.0
            } else {
                1.0 + (observed - good) / (bad - good).max(f64::EPSILON)
            }
        }
        Bound::WindowGoodput { floor, .. } => float(floor.as_bps()) / observed.max(1.0),
    }
}

/// With a capital letter and a full stop. `p95` stays as it is.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let is_name = text.chars().nth(1).is_some_and(|c| c.is_ascii_digit());
    let first: String =
        letters.next().map(|c| if is_name { c.into() } else { c.to_uppercase().collect() }).unwrap_or_default();
    let stop = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{stop}", letters.as_str())
}
