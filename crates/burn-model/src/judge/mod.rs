//! From a run's record to a judgement: the tester first, then the goals.

mod application;
pub(crate) mod evidence;
mod fair_share;
mod fidelity;
mod goal;
mod judgement;
mod sentences;
mod share;
pub(crate) mod stream;
mod trust;

use std::time::Duration;

use crate::goal::{Bound, Counts};
use crate::inflation;
use crate::plan::Plan;
use crate::run::{JudgedWindow, RunRecord};
use crate::time::Moment;
use crate::units::format_bound;
use application::{Shared, sentence};
use evidence::Evidence;
pub use judgement::{
    ApplicationJudgement, FairShare, GoalJudgement, GoalOutcome, Judgement, Limit, Operations, Reading, StreamSummary,
    Summary, Verdict,
};

/// Judges a run.
#[must_use]
pub fn judge(run: &RunRecord) -> Judgement {
    let window = run.judged_window();
    let Some(plan) = run.plan() else { return without_plan(run) };
    let evidence = evidence_by_client(run, plan, &window);
    let all: Vec<&Evidence<'_>> = evidence.iter().flatten().collect();
    let shared = Shared {
        bytes: all.iter().fold(0, |sum, evidence| sum.saturating_add(evidence.bytes())),
        run_doubts: trust::of_run(run),
        clients: run.clients().iter().fold(0, |n, client| n + u64::from(!client.was_left_out())),
    };
    let mut client_doubts = Vec::new();
    let mut applications = Vec::new();
    for (number, (client, evidence)) in plan.clients.iter().zip(&evidence).enumerate() {
        let doubts = trust::of_client(run, client, number);
        let judged = evidence
            .iter()
            .enumerate()
            .map(|(population, one)| application::judge(one, &shared, (number, population), &client.name, &doubts));
        applications.extend(judged);
        client_doubts.extend(doubts);
    }
    let verdict = run_verdict(&applications, &shared, &client_doubts);
    let mut doubts: Vec<String> = shared.run_doubts.iter().chain(&client_doubts).map(|doubt| sentence(doubt)).collect();
    for (application, evidence) in applications.iter().zip(&all) {
        let of_application = trust::of_application(evidence);
        doubts.extend(
            of_application.iter().map(|doubt| format!("{}: {}", title(application), uncapitalised(&sentence(doubt)))),
        );
        if let Some(limit) = limit_sentence(application) {
            doubts.push(limit);
        }
    }
    doubts.extend(trust::of_window(run, &window));
    doubts.extend(trust::doubts(run, plan));
    Judgement {
        verdict,
        reasons: reasons(verdict, &applications, &shared),
        window: window.moments(),
        doubts,
        checks: trust::checks(run, &all),
        cautions: cautions(run, &window, &applications, &all),
        goodput_bps: all.first().map_or(0.0, |one| application::goodput(one, shared.bytes)),
        applications,
    }
}

fn evidence_by_client<'a>(run: &'a RunRecord, plan: &'a Plan, window: &'a JudgedWindow) -> Vec<Vec<Evidence<'a>>> {
    let of_client = |(number, client): (usize, &crate::plan::ClientPlan)| {
        (0..client.populations.len()).filter_map(|population| Evidence::of(run, window, number, population)).collect()
    };
    plan.clients.iter().enumerate().map(of_client).collect()
}

/// A record without a head says nothing.
fn without_plan(run: &RunRecord) -> Judgement {
    let first = run.strays().first.as_deref();
    let why = first.map_or_else(
        || "The record of the run is empty.".to_owned(),
        |first| format!("The record of the run cannot be read: {first}."),
    );
    Judgement {
        verdict: Verdict::Inconclusive,
        reasons: vec![why.clone()],
        window: (Moment::START, Moment::START),
        applications: Vec::new(),
        doubts: vec![why],
        checks: Vec::new(),
        cautions: Vec::new(),
        goodput_bps: 0.0,
    }
}

/// The worst of the applications'. Where none has a goal, all there is to ask is whether the run took place.
fn run_verdict(applications: &[ApplicationJudgement], shared: &Shared, client_doubts: &[String]) -> Verdict {
    applications.iter().filter_map(|application| application.verdict).max().unwrap_or_else(|| {
        let took_place = shared.run_doubts.is_empty() && client_doubts.is_empty() && shared.bytes > 0;
        if took_place { Verdict::Pass } else { Verdict::Inconclusive }
    })
}

fn reasons(verdict: Verdict, applications: &[ApplicationJudgement], shared: &Shared) -> Vec<String> {
    // What touches the whole run is said once, and not again for each application.
    if !shared.run_doubts.is_empty() {
        return shared.run_doubts.iter().map(|doubt| sentence(doubt)).collect();
    }
    let mut troubled: Vec<&ApplicationJudgement> =
        applications.iter().filter(|one| one.verdict.is_some_and(|verdict| verdict != Verdict::Pass)).collect();
    troubled.sort_by_key(|one| std::cmp::Reverse(one.verdict));
    let mut reasons: Vec<String> = Vec::new();
    for one in troubled {
        let said = one.reasons.iter().map(|reason| format!("{}: {}", title(one), uncapitalised(reason)));
        reasons.extend(said);
    }
    let unfair = applications.iter().filter(|one| one.verdict.is_none_or(|verdict| verdict == Verdict::Pass));
    let unfair = unfair.filter_map(|one| Some(format!("{}: {}.", title(one), one.fair_share.as_ref()?.complaint()?)));
    let unfair: Vec<String> = unfair.collect();
    if reasons.is_empty() {
        let has_goals = applications.iter().any(|one| one.verdict.is_some());
        reasons.push(match (verdict, has_goals) {
            (Verdict::Pass, true) => "Every goal of every application was met.".to_owned(),
            (Verdict::Pass, false) => "No application has a goal: there was nothing to judge.".to_owned(),
            _ if shared.bytes == 0 => "Nothing was received.".to_owned(),
            _ => "The run did not take place as it was planned.".to_owned(),
        });
    }
    reasons.extend(unfair);
    reasons
}

fn limit_sentence(application: &ApplicationJudgement) -> Option<String> {
    let limit = application.limited_by?;
    let because = application.decided_by.and_then(|number| application.goals.get(number)?.because.as_deref());
    let limited = match limit {
        Limit::Client => "client-limited",
        Limit::Server => "server-limited",
    };
    Some(format!("{} is {limited}: {}.", title(application), because.unwrap_or("the tester was not good enough")))
}

/// What the reader should bear in mind.
fn cautions(
    run: &RunRecord,
    window: &JudgedWindow,
    applications: &[ApplicationJudgement],
    evidence: &[&Evidence<'_>],
) -> Vec<String> {
    let mut cautions = Vec::new();
    let length = window.length();
    let shares = || {
        let goals =
            applications.iter().flat_map(|one| &one.goals).filter(|judged| judged.goal.counts == Counts::Verdict);
        goals.filter(|judged| matches!(judged.goal.bound, Bound::ResponseTime { .. } | Bound::FailedShare { .. }))
    };
    if shares().any(|judged| judged.outcome == GoalOutcome::Met) {
        cautions.push(format!(
            "A run cannot speak for what it did not see: {} were judged, and trouble that lasts seconds and comes about \
             once a minute may have stayed away. A longer run says more.",
            format_bound(length)
        ));
    }
    let least = Duration::from_secs(inflation::LEAST_SECONDS as u64);
    if shares().any(|judged| judged.n > 0) && length < least {
        cautions.push(format!(
            "{} are too short to see how much operations depend on one another: the intervals may be too narrow. Judge \
             at least {}.",
            format_bound(length),
            format_bound(least)
        ));
    }
    if run.header().is_some_and(|header| !header.verified_server) {
        cautions.push("Nothing proves that the replies came from the server that was meant.".to_owned());
    }
    if run.operations_left_out() > 0 {
        cautions.push(format!(
            "The run file keeps not every single operation: {} were left out to bound its size. All are in the figures.",
            run.operations_left_out()
        ));
    }
    for (application, one) in applications.iter().zip(evidence) {
        let title = title(application);
        if application.operations.tally.scheduled > 0 && application.goodput_bps <= 0.0 {
            cautions.push(format!("{title} received nothing, so the others were judged without its load."));
        }
        cautions.extend(sentences::cautions(one, &title));
    }
    cautions
}

fn title(application: &ApplicationJudgement) -> String {
    format!("{} {}", application.client, application.name)
}

/// As it stands after a colon: a first capital goes, unless it belongs to a name (p95 has none, and a reason of ours
/// never begins with one).
fn uncapitalised(sentence: &str) -> String {
    let mut letters = sentence.chars();
    let first: String = letters.next().map(|c| c.to_lowercase().collect()).unwrap_or_default();
    format!("{first}{}", letters.as_str())
}
