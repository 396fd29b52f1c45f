//! From a run's record to a judgement: the tester first, then the goals.

mod application;
pub(crate) mod evidence;
mod fair_share;
pub(crate) mod goal;
mod sentences;
mod share;
pub(crate) mod stream;
mod trust;

use std::time::Duration;

use crate::goal::{Bound, Counts, Goal};
use crate::inflation;
use crate::plan::Plan;
use crate::record::Tally;
use crate::run::{JudgedWindow, RunRecord};
use crate::time::Moment;
use crate::units::format_bound;
use application::{Shared, sentence};
use evidence::Evidence;
pub use fair_share::FairShare;

/// How good it was. Ordered from best to worst: the worst of its applications is the run's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Every goal was met.
    Pass,
    /// A goal was missed, but its bad bound was not passed.
    Marginal,
    /// The run cannot tell.
    Inconclusive,
    /// A bad bound was passed.
    Fail,
}

/// Everything that a report says.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The worst of the applications'.
    pub verdict: Verdict,
    /// Why, in plain sentences, the weightiest first.
    pub reasons: Vec<String>,
    /// The time that was judged: operations scheduled from `from` on and before `to`.
    pub window: (Moment, Moment),
    /// Each application of each client, in the plan's order.
    pub applications: Vec<ApplicationJudgement>,
    /// What was in doubt about the tester itself, in plain sentences. Empty where everything checked out.
    pub doubts: Vec<String>,
    /// What was checked about the tester and found in order, in plain sentences.
    pub checks: Vec<String>,
    /// What the reader should bear in mind, in plain sentences.
    pub cautions: Vec<String>,
    /// Payload that all clients received in the window, bits per second.
    pub goodput_bps: f64,
}

/// One application of one client.
#[derive(Clone, Debug, PartialEq)]
pub struct ApplicationJudgement {
    /// The client's name.
    pub client: String,
    /// The application's name.
    pub name: String,
    /// Whether its arrivals wait for replies.
    pub closed: bool,
    /// How good it was; `None` where it has no goals.
    pub verdict: Option<Verdict>,
    /// 0 to 100 after draft-ietf-ippm-qoo; `None` where there are no goals or too few samples.
    pub score: Option<f64>,
    /// Index into `goals` of the one that decided.
    pub decided_by: Option<usize>,
    /// Why, in plain sentences.
    pub reasons: Vec<String>,
    /// Payload received in the window, bits per second.
    pub goodput_bps: f64,
    /// Its share of the payload that all applications received, in \[0, 1\]; `None` where nothing was received.
    pub share: Option<f64>,
    /// What became of the operations scheduled in the window.
    pub operations: Operations,
    /// received − scheduled: what the person feels.
    pub response_time: Summary,
    /// received − sent.
    pub service_time: Summary,
    /// ready − scheduled.
    pub slot_wait: Summary,
    /// sent − ready.
    pub driver_lateness: Summary,
    /// received by the program − arrived at the host.
    pub receive_lateness: Summary,
    /// What the server says each reply cost it.
    pub server_time: Summary,
    /// Each goal, judged.
    pub goals: Vec<GoalJudgement>,
    /// What the playback model saw, where there is one.
    pub stream: Option<StreamSummary>,
    /// Who else than the network was the limit, where somebody was.
    pub limited_by: Option<Limit>,
    /// Whether its record, or who made it, is in doubt: then its figures may be anybody's, and its goals cannot be told.
    pub in_doubt: bool,
    /// What it kept of what it had while its client was alone, where that was measured. No part of the verdict.
    pub fair_share: Option<FairShare>,
}

/// Who was the limit, where it was not the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The client.
    Client,
    /// The server.
    Server,
}

/// What became of the operations scheduled in the window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    /// The counts: `in_flight_before` is zero, `in_flight_after` counts those still under way when the run ended.
    pub tally: Tally,
}

impl ApplicationJudgement {
    /// The share of operations that failed, timed out or were never sent, in \[0, 1\]: the figure of the goal on it, and
    /// where there is none, of the operations whose end is known. `None` where there are none.
    #[must_use]
    pub fn failed_share(&self) -> Option<f64> {
        let judged = self.goals.iter().find(|judged| matches!(judged.goal.bound, Bound::FailedShare { .. }));
        judged.map_or_else(|| self.operations.failed_share(), |judged| judged.observed)
    }
}

impl Operations {
    /// The share of those whose end is known that did not complete; `None` where no end is known.
    fn failed_share(&self) -> Option<f64> {
        let lost = self.tally.failures().saturating_add(self.tally.timed_out).saturating_add(self.tally.unsent());
        let ended = self.tally.completed.saturating_add(lost);
        (ended > 0).then(|| goal::float(lost) / goal::float(ended))
    }
}

/// The distribution of a duration, in short.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// How many operations it is of, those that did not complete included where they rank.
    pub n: u64,
    /// The median.
    pub p50: Reading,
    /// 95 % were no longer.
    pub p95: Reading,
    /// 99 % were no longer.
    pub p99: Reading,
    /// The longest.
    pub max: Reading,
}

/// A quantile, where there is one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// Too few samples to say.
    #[default]
    TooFew,
    /// The value.
    Value(Duration),
    /// The quantile falls on operations that never completed: worse than any value.
    Unsuccessful,
    /// The quantile falls past the top of what is kept apart (an hour).
    Overflow,
}

/// A goal, judged.
#[derive(Clone, Debug, PartialEq)]
pub struct GoalJudgement {
    /// The goal.
    pub goal: Goal,
    /// The figure: nanoseconds, a share, or bits per second, as the goal's bounds are. `None` where too few
    /// samples, or no number, would say it.
    pub observed: Option<f64>,
    /// The same figure where it is a quantile of a duration.
    pub reading: Option<Reading>,
    /// Met, missed, or not to be told.
    pub outcome: GoalOutcome,
    /// Whether the bad bound was shown to be passed.
    pub bad_passed: bool,
    /// How many samples the figure is of.
    pub n: u64,
    /// Where the samples are operations: how many of them took longer than the good bound or did not complete; of a goal on
    /// failures, how many did not complete.
    pub over: Option<u64>,
    /// How many independent ones they are worth.
    pub effective_n: f64,
    /// One-sided 95 % bounds, lower and upper, on the share of operations over the good bound.
    pub interval: Option<(f64, f64)>,
    /// Where it cannot be told: how many operations (none over) would have told.
    pub needed: Option<u64>,
    /// The goal's own score, 0 to 100.
    pub score: Option<f64>,
    /// Why it cannot be told, where it cannot.
    pub because: Option<String>,
    /// Who else than the network was the limit, where that is why.
    pub limited_by: Option<Limit>,
}

/// Whether a goal was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoalOutcome {
    /// Shown to be met.
    Met,
    /// Shown to be missed.
    Missed,
    /// The run cannot tell.
    CannotTell,
}

/// What the playback model saw in the window.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StreamSummary {
    /// From the first schedule to the first picture; `None` where playback never started. The one figure that is
    /// taken from the whole run: a stream starts once.
    pub startup: Option<Duration>,
    /// How many stalls began.
    pub stalls: u64,
    /// How long it stood still.
    pub stalled: Duration,
    /// Stalled over played and stalled; `None` where it never played.
    pub stall_ratio: Option<f64>,
    /// The lowest level of the buffer, as media time.
    pub lowest_buffer: Option<Duration>,
    /// The least goodput of any whole window, bits per second; `None` where there was no whole window.
    pub lowest_window_bps: Option<f64>,
    /// The greatest, likewise.
    pub highest_window_bps: Option<f64>,
}

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
