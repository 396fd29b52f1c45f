//! A whole run as families: verdicts, goals, and the figures of the judged time. Names begin with `netburn_run_`.

use burn_model::judge::{ApplicationJudgement, Judgement};
use burn_model::run::RunRecord;

use super::exposition::{Exposition, Family, Kind, Stamp};
use super::labels::{Labels, scenario, shown};
use super::of_goals;
use super::values::{gauge, states, time};
use crate::json::seconds;
use crate::numbers::float;
use crate::start::started;
use crate::words;

const VERDICTS: [&str; 4] = ["pass", "marginal", "inconclusive", "fail"];

/// A figure of an application as one gauge; `None` where it cannot be said.
type FigureOf = fn(&ApplicationJudgement) -> Option<f64>;

/// Figures that are one number for each application.
const FIGURES: [(Family, FigureOf); 10] = [
    (gauge("netburn_run_score", None, "Score of an application, 0 to 100 (draft-ietf-ippm-qoo)."), |one| one.score),
    (
        gauge(
            "netburn_run_goodput_bytes_per_second",
            Some("bytes_per_second"),
            "Payload that arrived in the judged time, over that time.",
        ),
        |one| Some(one.goodput_bps / 8.0),
    ),
    (gauge("netburn_run_goodput_share_ratio", Some("ratio"), "Payload over the payload of all applications."), |one| {
        one.share
    }),
    (
        gauge(
            "netburn_run_failed_ratio",
            Some("ratio"),
            "Share of operations that failed, timed out or were never sent.",
        ),
        ApplicationJudgement::failed_share,
    ),
    (gauge("netburn_run_startup_seconds", Some("seconds"), "From the first schedule to the first picture."), |one| {
        one.stream?.startup.map(seconds)
    }),
    (gauge("netburn_run_stalls", None, "Stalls of playback that began."), |one| Some(float(one.stream?.stalls))),
    (gauge("netburn_run_stalled_seconds", Some("seconds"), "How long playback stood still."), |one| {
        Some(seconds(one.stream?.stalled))
    }),
    (gauge("netburn_run_stall_ratio", Some("ratio"), "Time stalled over time played or stalled."), |one| {
        one.stream?.stall_ratio
    }),
    (
        gauge(
            "netburn_run_lowest_window_bytes_per_second",
            Some("bytes_per_second"),
            "The least goodput of any window in which goodput is judged.",
        ),
        |one| Some(one.stream?.lowest_window_bps? / 8.0),
    ),
    (
        gauge(
            "netburn_run_fair_share_ratio",
            Some("ratio"),
            "Goodput together with the others, over goodput while the client was alone.",
        ),
        |one| one.fair_share.as_ref()?.ratio,
    ),
];

/// Adds all families of a whole run.
pub(super) fn write(text: &mut Exposition, run: &RunRecord, judgement: &Judgement, at: Option<Stamp>) {
    facts(text, run, at);
    of_the_whole(text, run, judgement, at);
    let labels = Labels::of_applications(run, judgement);
    let mut verdicts = text.family(states(
        "netburn_run_application_verdict",
        "How good an application was; absent where it has no goals.",
    ));
    for (application, labels) in judgement.applications.iter().zip(&labels) {
        if let Some(verdict) = application.verdict {
            verdicts.add_states(&labels.all(), &VERDICTS, words::verdict(verdict), at);
        }
    }
    for (family, figure) in FIGURES {
        let mut samples = text.family(family);
        for (application, labels) in judgement.applications.iter().zip(&labels) {
            if let Some(value) = figure(application) {
                samples.add(&labels.all(), value, at);
            }
        }
    }
    times(text, judgement, &labels, at);
    operations(text, judgement, &labels, at);
    of_goals::write(text, judgement, &labels, at);
}

fn facts(text: &mut Exposition, run: &RunRecord, at: Option<Stamp>) {
    let Some(header) = run.header() else { return };
    let [scenario, name, digest, program, server] =
        [&header.plan.name, &header.run, &header.digest, &header.program, &header.server].map(|fact| shown(fact));
    let labels = [
        ("scenario", scenario.as_str()),
        ("run", &name),
        ("digest", &digest),
        ("program", &program),
        ("server", &server),
    ];
    let help = "The run that the other figures are of.";
    text.family(Family { name: "netburn_run", kind: Kind::Info, unit: None, help }).add(&labels, 1.0, at);
}

fn of_the_whole(text: &mut Exposition, run: &RunRecord, judgement: &Judgement, at: Option<Stamp>) {
    let scenario = scenario(run);
    let labels = [("scenario", scenario.as_str())];
    let mut add = |name, unit, help, value: Option<f64>| {
        if let Some(value) = value {
            text.family(gauge(name, unit, help)).add(&labels, value, at);
        }
    };
    let started = started(run).ok().map(|start| start.as_duration().as_secs_f64());
    add("netburn_run_start_time_seconds", Some("seconds"), "When the run was started, since 1970.", started);
    let judged = judgement.window.1.since(judgement.window.0);
    add("netburn_run_judged_seconds", Some("seconds"), "How much of the run was judged.", Some(seconds(judged)));
    let goodput = Some(judgement.goodput_bps / 8.0);
    add(
        "netburn_run_total_goodput_bytes_per_second",
        Some("bytes_per_second"),
        "Payload that all clients received in the judged time, over that time.",
        goodput,
    );
    let doubts = u64::try_from(judgement.doubts.len()).unwrap_or(u64::MAX);
    add("netburn_run_doubts", None, "What was in doubt about the tester itself.", Some(float(doubts)));
    text.family(states("netburn_run_verdict", "The worst of the applications' verdicts.")).add_states(
        &labels,
        &VERDICTS,
        words::verdict(judgement.verdict),
        at,
    );
}

fn times(text: &mut Exposition, judgement: &Judgement, labels: &[Labels], at: Option<Stamp>) {
    let mut samples = text.family(Family {
        name: "netburn_run_response_time_seconds",
        kind: Kind::Summary,
        unit: Some("seconds"),
        help: "From the schedule of an operation to its last byte; +Inf where a quantile falls on operations that did not complete.",
    });
    for (application, labels) in judgement.applications.iter().zip(labels) {
        let times = application.response_time;
        for (quantile, reading) in [("0.5", times.p50), ("0.95", times.p95), ("0.99", times.p99), ("1", times.max)] {
            if let Some(value) = time(reading) {
                samples.add(&labels.and(&[("quantile", quantile)]), value, at);
            }
        }
    }
}

fn operations(text: &mut Exposition, judgement: &Judgement, labels: &[Labels], at: Option<Stamp>) {
    let mut samples = text.family(gauge(
        "netburn_run_operations",
        None,
        "Operations that were scheduled in the judged time, by what became of them.",
    ));
    for (application, labels) in judgement.applications.iter().zip(labels) {
        let tally = &application.operations.tally;
        for (outcome, n) in [
            ("completed", tally.completed),
            ("failed", tally.failures()),
            ("timed_out", tally.timed_out),
            ("not_sent", tally.unsent()),
            ("in_flight", tally.in_flight_after),
        ] {
            samples.add(&labels.and(&[("outcome", outcome)]), float(n), at);
        }
    }
}
