//! The tester is judged before the network: what keeps a run, a client or an application from being judged at all,
//! and what was checked and found in order.

use std::time::Duration;

use super::evidence::Evidence;
use crate::goal::{Bound, Counts, Goal};
use crate::numbers::{float, percent};
use crate::plan::{ClientPlan, Plan};
use crate::record::{Ending, LinkRecord};
use crate::run::{ControlTraffic, Cut, Figure, JudgedWindow, RunRecord};
use crate::units::format_duration;

/// Payload should make up so much of what a link counted: headers take 3 to 6 %, requests and retransmissions the rest.
const PAYLOAD_SHARE: std::ops::RangeInclusive<f64> = 0.80..=1.0;

/// Clients that may have begun further apart than this are in doubt. Whoever began so late by his own clock shortens the
/// judged time besides.
const TOGETHER: Duration = Duration::from_millis(100);

/// Control messages that took more of a link than this are a doubt.
const MUCH_CONTROL: f64 = 0.01;

/// What keeps every application from being judged.
pub(crate) fn of_run(run: &RunRecord) -> Vec<String> {
    let mut reasons = Vec::new();
    match run.ending() {
        Some(Ending::Failed { reason }) => reasons.push(format!("the run could not go on: {reason}")),
        Some(Ending::Finished | Ending::Interrupted { .. }) => {}
        None => reasons.push("the record of the run ends before the run did".to_owned()),
    }
    if let Some(bytes) = run.torn_bytes() {
        reasons.push(format!("the end of the run file is torn ({bytes} bytes were of no use)"));
    }
    if let Some(reason) = run.server_lost() {
        reasons.push(format!("the server was lost, or gave no account of itself: {reason}"));
    }
    reasons
}

/// What keeps a client's applications from being judged.
pub(crate) fn of_client(run: &RunRecord, plan: &ClientPlan, number: usize) -> Vec<String> {
    let mut reasons = Vec::new();
    let Some(client) = run.clients().get(number) else { return reasons };
    if let Some(lost) = &client.lost {
        reasons.push(format!("client {} was lost: {}", plan.name, lost.reason));
    }
    if let Some(reason) = &client.witness_lost {
        reasons.push(format!("the server gave no account of client {}: {reason}", plan.name));
    }
    if client.dropped > 0 {
        reasons.push(format!("client {} had to drop {} events of its record", plan.name, client.dropped));
    }
    if let (Some(uncertainty), Some(tightest)) = (clock_uncertainty(run, number), tightest_bound(plan))
        && uncertainty > tightest / 10
    {
        reasons.push(format!(
            "the clock of client {} is known to {} only, more than a tenth of its tightest goal ({})",
            plan.name,
            format_duration(uncertainty),
            format_duration(tightest)
        ));
    }
    reasons
}

/// What keeps one application from being judged.
pub(crate) fn of_application(evidence: &Evidence<'_>) -> Vec<String> {
    let mut reasons = Vec::new();
    if let Some(broken) = evidence.application.breaks.describe() {
        reasons.push(format!("its record does not add up: {broken}"));
    }
    let mut seconds = evidence.application.seconds(0..u64::MAX);
    if seconds.any(|(_, second)| second.cohort.ended() > second.happened.scheduled) {
        reasons.push("its record does not add up: more operations ended than were scheduled".to_owned());
    }
    if evidence.application.known_until() < evidence.window.seconds.end {
        let until = evidence.application.known_until();
        reasons.push(format!("its record ends after {until} s, before the judged time does"));
    }
    if evidence.window.seconds.is_empty() {
        reasons.push("there was no whole second, after the warm-up, in which every client was active".to_owned());
    }
    reasons
}

/// What made the judged time shorter than the plan has it, in whole sentences.
pub(crate) fn of_window(run: &RunRecord, window: &JudgedWindow) -> Vec<String> {
    let name = |client: &usize| {
        let plan = run.plan().and_then(|plan| plan.clients.get(*client));
        plan.map_or("?", |client| client.name.as_str())
    };
    let sentence = |cut: &Cut| match cut {
        Cut::Late { client, from } => {
            format!("Client {} began late: only the time from {from} s on is judged.", name(client))
        }
        Cut::Absent { client } => {
            format!("Client {} never began: there was no time in which all were active.", name(client))
        }
        Cut::Lost { client, to } => format!("Client {} was lost: only the time until {to} s is judged.", name(client)),
        Cut::Early { client, to } => {
            format!("Client {} ended early: only the time until {to} s is judged.", name(client))
        }
        Cut::Interrupted { to } => format!("The run was stopped early: only the time until {to} s is judged."),
        Cut::Unfinished { to } => format!("The record ends early: only the time until {to} s is judged."),
    };
    window.cuts.iter().map(sentence).collect()
}

/// Doubts that change no verdict, in whole sentences.
pub(crate) fn doubts(run: &RunRecord, plan: &Plan) -> Vec<String> {
    let mut doubts = Vec::new();
    let strays = run.strays();
    if let Some(first) = &strays.first {
        doubts.push(format!(
            "The record has {} left out; the first: {first}.",
            if strays.count == 1 {
                "1 entry that makes no sense and was".to_owned()
            } else {
                format!("{} entries that make no sense and were", strays.count)
            }
        ));
    }
    if let Some(skew) = run.start_skew().filter(|skew| skew.skew + skew.uncertainty > TOGETHER) {
        doubts.push(format!(
            "Clients began {} apart, give or take {}: not all of them were together.",
            at_most(skew.skew),
            at_most(skew.uncertainty)
        ));
    }
    if let Some(control) = run.control().filter(is_much) {
        doubts.push(format!("{} They may have been felt.", control_sentence(&control)));
    }
    for (number, client) in plan.clients.iter().enumerate() {
        let Some(known) = run.clients().get(number) else { continue };
        if known.lost.is_none() && known.start_lateness.is_none() && known.known_until() > 0 {
            doubts.push(format!("Client {} did not report when it began.", client.name));
        }
        if plan.clients.len() > 1 && !known.was_left_out() && clock_uncertainty(run, number).is_none() {
            doubts.push(format!("The clock of client {} was not compared with the controller's.", client.name));
        }
    }
    for link in run.links() {
        if let Some(share) = payload_share(run, link).filter(|share| !PAYLOAD_SHARE.contains(share)) {
            doubts.push(format!(
                "Clients behind {} received {} of the bytes that its kernel counted as payload; 80 to 100 % would be \
                 expected.",
                link.name,
                percent(share)
            ));
        }
    }
    doubts
}

/// What was checked and found in order, in whole sentences.
pub(crate) fn checks(run: &RunRecord, evidence: &[&Evidence<'_>]) -> Vec<String> {
    let mut checks = Vec::new();
    let kept = evidence.iter().filter(|evidence| of_application(evidence).is_empty()).count();
    if kept > 0 && kept == evidence.len() {
        checks.push("Every operation is accounted for, in every second of every application.".to_owned());
    }
    let lateness = run.clients().iter().map(|client| client.start_lateness);
    if let Some(worst) = lateness.collect::<Option<Vec<_>>>().and_then(|all| all.into_iter().max()) {
        checks.push(format!("All clients began within {} of the agreed moment.", at_most(worst)));
    }
    if let Some(skew) = run.start_skew().filter(|skew| skew.skew + skew.uncertainty <= TOGETHER) {
        checks.push(format!(
            "All clients began within {} of each other, give or take {}.",
            at_most(skew.skew),
            at_most(skew.uncertainty)
        ));
    }
    if let Some(control) = run.control().filter(|control| !is_much(control)) {
        checks.push(control_sentence(&control));
    }
    let uncertainties = (0..run.clients().len()).map(|client| clock_uncertainty(run, client));
    if let Some(worst) = uncertainties.collect::<Option<Vec<_>>>().and_then(|all| all.into_iter().max()) {
        checks.push(format!("The clients' clocks are known to {}.", at_most(worst)));
    }
    if let Some(worst) = worst_lateness(evidence) {
        checks
            .push(format!("No client sent more than 1 % of an application's operations over {} late.", at_most(worst)));
    }
    let busiest = run.clients().iter().flat_map(|client| client.driver_cpu.values().copied());
    if let Some(busiest) = greatest(busiest) {
        checks.push(format!("The busiest second of a client's measuring thread took {} of a core.", percent(busiest)));
    }
    if let Some(busiest) = greatest(run.server_usage().iter().map(|usage| usage.busiest_thread_cpu)) {
        checks.push(format!("The busiest second of a server's thread took {} of a core.", percent(busiest)));
    }
    for link in run.links() {
        if let Some(share) = payload_share(run, link).filter(|share| PAYLOAD_SHARE.contains(share)) {
            checks.push(format!(
                "Of the bytes that {} carried, {} were payload by our own count.",
                link.name,
                percent(share)
            ));
        }
    }
    checks
}

/// Whether control messages took more of a link than should go unsaid.
fn is_much(control: &ControlTraffic) -> bool {
    control.link.as_ref().is_some_and(|link| link.share > MUCH_CONTROL)
}

fn control_sentence(control: &ControlTraffic) -> String {
    let all =
        format!("Control messages took {:.1} kbps in all while the load ran", control.bytes_per_second * 8.0 / 1e3);
    match &control.link {
        Some(link) => format!("{all}, {} of what {} carries.", percent(link.share), link.name),
        None => format!("{all}; how much their links carry is not known."),
    }
}

/// The greatest p99 of driver lateness of any application.
fn worst_lateness(evidence: &[&Evidence<'_>]) -> Option<Duration> {
    let p99s = evidence.iter().filter_map(|evidence| match evidence.summary(Figure::DriverLateness).p99 {
        super::Reading::Value(value) => Some(value),
        _ => None,
    });
    p99s.max()
}

/// How well a client's clock is known, by the worst comparison.
fn clock_uncertainty(run: &RunRecord, client: usize) -> Option<Duration> {
    let of_client = |number: u32| usize::try_from(number).is_ok_and(|number| number == client);
    run.clocks().iter().filter(|clock| of_client(clock.client)).map(|clock| clock.uncertainty).max()
}

/// The tightest bound on a time among the goals that decide a client's verdicts. A bound of zero is no measure.
fn tightest_bound(client: &ClientPlan) -> Option<Duration> {
    let goals = client.populations.iter().flat_map(|population| &population.goals);
    let goals = goals.filter(|goal| goal.counts == Counts::Verdict);
    goals
        .filter_map(|Goal { bound, .. }| match bound {
            Bound::ResponseTime { good, .. } | Bound::StartupTime { good, .. } => Some(*good),
            Bound::FailedShare { .. } | Bound::WindowGoodput { .. } | Bound::StallRatio { .. } => None,
        })
        .filter(|bound| !bound.is_zero())
        .min()
}

/// Payload over counted bytes, of the whole run; `None` where the link counted nothing.
fn payload_share(run: &RunRecord, link: &LinkRecord) -> Option<f64> {
    let clients = link.clients.iter().filter_map(|client| run.clients().get(usize::try_from(*client).ok()?));
    let payload =
        clients.flat_map(|client| &client.applications).fold(0_u64, |sum, app| sum.saturating_add(app.bytes()));
    (link.bytes > 0 && !link.clients.is_empty()).then(|| float(payload) / float(link.bytes))
}

fn greatest(shares: impl Iterator<Item = f64>) -> Option<f64> {
    shares.filter(|share| share.is_finite()).reduce(f64::max)
}

fn at_most(duration: Duration) -> String {
    // Nobody can tell a microsecond from none here.
    format_duration(duration.max(Duration::from_micros(1)))
}
