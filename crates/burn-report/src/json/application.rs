//! An application in the JSON document.

use std::collections::BTreeMap;

use burn_model::judge::{ApplicationJudgement, FairShare, StreamSummary};
use burn_model::record::{FailureCause, NotSentReason, Tally};
use serde::Serialize;

use crate::json::goal::Goal;
use crate::json::{Times, mbps, round, seconds};
use crate::words;

#[derive(Serialize)]
pub(super) struct Application {
    client: String,
    name: String,
    verdict: Option<&'static str>,
    score: Option<f64>,
    decided_by: Option<String>,
    reasons: Vec<String>,
    limited_by: Option<&'static str>,
    closed: bool,
    goodput_mbps: Option<f64>,
    share: Option<f64>,
    response_time_ms: Times,
    service_time_ms: Times,
    slot_wait_ms: Times,
    driver_lateness_ms: Times,
    receive_lateness_ms: Times,
    server_time_ms: Times,
    operations: Operations,
    goals: Vec<Goal>,
    stream: Option<Stream>,
    fair_share: Option<Share>,
}

impl Application {
    pub(super) fn of(application: &ApplicationJudgement) -> Self {
        let decided = application.decided_by.and_then(|i| application.goals.get(i));
        Self {
            client: application.client.clone(),
            name: application.name.clone(),
            verdict: application.verdict.map(words::verdict),
            score: application.score.and_then(round),
            decided_by: decided.map(|judged| words::dimension(&judged.goal)),
            reasons: application.reasons.clone(),
            limited_by: application.limited_by.map(words::limit),
            closed: application.closed,
            goodput_mbps: mbps(application.goodput_bps),
            share: application.share.and_then(round),
            response_time_ms: Times::of(&application.response_time),
            service_time_ms: Times::of(&application.service_time),
            slot_wait_ms: Times::of(&application.slot_wait),
            driver_lateness_ms: Times::of(&application.driver_lateness),
            receive_lateness_ms: Times::of(&application.receive_lateness),
            server_time_ms: Times::of(&application.server_time),
            operations: Operations::of(&application.operations.tally),
            goals: application.goals.iter().map(Goal::of).collect(),
            stream: application.stream.as_ref().map(Stream::of),
            fair_share: application.fair_share.as_ref().map(Share::of),
        }
    }
}

/// What it kept of what it had alone.
#[derive(Serialize)]
struct Share {
    solo_mbps: Option<f64>,
    together_mbps: Option<f64>,
    ratio: Option<f64>,
    bound: Option<f64>,
    clients: u64,
    outcome: &'static str,
    interval: Option<(Option<f64>, Option<f64>)>,
    because: Option<String>,
}

impl Share {
    fn of(share: &FairShare) -> Self {
        Self {
            solo_mbps: mbps(share.solo_bps),
            together_mbps: mbps(share.together_bps),
            ratio: share.ratio.and_then(round),
            bound: round(share.bound),
            clients: share.clients,
            outcome: words::outcome(share.outcome),
            interval: share.interval.map(|(lower, upper)| (round(lower), round(upper))),
            because: share.because.clone(),
        }
    }
}

#[derive(Serialize)]
struct Operations {
    scheduled: u64,
    completed: u64,
    failed: u64,
    timed_out: u64,
    not_sent: u64,
    in_flight_at_end: u64,
    failed_by_cause: BTreeMap<FailureCause, u64>,
    not_sent_by_reason: BTreeMap<NotSentReason, u64>,
}

impl Operations {
    fn of(tally: &Tally) -> Self {
        Self {
            scheduled: tally.scheduled,
            completed: tally.completed,
            failed: tally.failures(),
            timed_out: tally.timed_out,
            not_sent: tally.unsent(),
            in_flight_at_end: tally.in_flight_after,
            failed_by_cause: tally.failed.clone(),
            not_sent_by_reason: tally.not_sent.clone(),
        }
    }
}

#[derive(Serialize)]
struct Stream {
    startup_s: Option<f64>,
    stalls: u64,
    stalled_s: Option<f64>,
    stall_ratio: Option<f64>,
    lowest_buffer_s: Option<f64>,
    lowest_window_mbps: Option<f64>,
    highest_window_mbps: Option<f64>,
}

impl Stream {
    fn of(stream: &StreamSummary) -> Self {
        Self {
            startup_s: stream.startup.map(seconds).and_then(round),
            stalls: stream.stalls,
            stalled_s: round(seconds(stream.stalled)),
            stall_ratio: stream.stall_ratio.and_then(round),
            lowest_buffer_s: stream.lowest_buffer.map(seconds).and_then(round),
            lowest_window_mbps: stream.lowest_window_bps.and_then(mbps),
            highest_window_mbps: stream.highest_window_bps.and_then(mbps),
        }
    }
}
