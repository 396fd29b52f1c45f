//! What the run was, and where: everything around the figures.

use std::collections::BTreeMap;

use burn_model::judge::Judgement;
use burn_model::plan::ClientPlan;
use burn_model::record::{ClientState, ClockRecord, Ending, LinkRecord, Phase};
use burn_model::run::RunRecord;
use burn_model::time::Moment;
use serde::Serialize;

use crate::json::{millis, round, seconds};

/// What is known of each host, by host.
pub(super) type Environment = BTreeMap<String, BTreeMap<String, String>>;

/// The time that was judged, in seconds of the run.
#[derive(Serialize)]
pub(super) struct Window {
    from_s: Option<f64>,
    to_s: Option<f64>,
}

impl Window {
    pub(super) fn of(judgement: &Judgement) -> Self {
        let (from, to) = judgement.window;
        let at = |moment: Moment| round(seconds(moment.since_start()));
        Self { from_s: at(from), to_s: at(to) }
    }
}

#[derive(Serialize)]
pub(super) struct Run {
    id: String,
    scenario: String,
    seed: u64,
    digest: String,
    started_at: String,
    program: String,
    file_format: u32,
    server: String,
    verified_server: bool,
    warm_up_s: f64,
    duration_s: f64,
    ending: Option<&'static str>,
    ending_reason: Option<String>,
    remarks: Vec<String>,
}

impl Run {
    pub(super) fn of(run: &RunRecord) -> Option<Self> {
        let header = run.header()?;
        let plan = &header.plan;
        let (ending, ending_reason) = match run.ending() {
            None => (None, None),
            Some(Ending::Finished) => (Some("finished"), None),
            Some(Ending::Interrupted { by, .. }) => (Some("interrupted"), Some(by.clone())),
            Some(Ending::Failed { reason }) => (Some("failed"), Some(reason.clone())),
        };
        Some(Self {
            id: header.run.clone(),
            scenario: plan.name.clone(),
            seed: plan.seed,
            digest: header.digest.clone(),
            started_at: header.started_at.clone(),
            program: header.program.clone(),
            file_format: header.format,
            server: header.server.clone(),
            verified_server: header.verified_server,
            warm_up_s: seconds(plan.warm_up),
            duration_s: seconds(plan.duration),
            ending,
            ending_reason,
            remarks: header.remarks.clone(),
        })
    }
}

#[derive(Serialize)]
pub(super) struct Client {
    name: String,
    state: Option<&'static str>,
    lost_because: Option<String>,
    start_lateness_ms: Option<f64>,
    clock: Vec<Clock>,
}

#[derive(Serialize)]
struct Clock {
    phase: &'static str,
    offset_ms: Option<f64>,
    uncertainty_ms: Option<f64>,
}

impl Clock {
    fn of(clock: &ClockRecord) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "past 2^53 ns (104 days) the last nanoseconds do not matter")]
        let offset_ns = clock.offset_ns as f64;
        Self {
            phase: match clock.phase {
                Phase::Before => "before",
                Phase::After => "after",
            },
            offset_ms: round(offset_ns / 1e6),
            uncertainty_ms: round(millis(clock.uncertainty)),
        }
    }
}

pub(super) fn clients(run: &RunRecord) -> Vec<Client> {
    let client = |(i, client): (usize, &ClientPlan)| {
        let state = run.client_state(i);
        Client {
            name: client.name.clone(),
            state: state.map(state_word),
            lost_because: match state {
                Some(ClientState::Lost { reason }) => Some(reason.clone()),
                _ => None,
            },
            start_lateness_ms: run.start_lateness(i).map(millis).and_then(round),
            clock: run
                .clocks()
                .iter()
                .filter(|clock| usize::try_from(clock.client).ok() == Some(i))
                .map(Clock::of)
                .collect(),
        }
    };
    planned(run).iter().enumerate().map(client).collect()
}

fn planned(run: &RunRecord) -> &[ClientPlan] {
    run.plan().map_or(&[][..], |plan| plan.clients.as_slice())
}

const fn state_word(state: &ClientState) -> &'static str {
    match state {
        ClientState::Joined => "joined",
        ClientState::Armed => "armed",
        ClientState::Running { .. } => "running",
        ClientState::Draining => "draining",
        ClientState::Done => "done",
        ClientState::Lost { .. } => "lost",
    }
}

pub(super) fn environment(run: &RunRecord) -> Environment {
    run.environments().clone()
}

#[derive(Serialize)]
pub(super) struct Link {
    name: String,
    clients: Vec<String>,
    rate_mbps: Option<f64>,
    queue_ms: Option<f64>,
    bytes: u64,
    packets: u64,
    drops: u64,
}

pub(super) fn links(run: &RunRecord) -> Vec<Link> {
    let name = |i: &u32| usize::try_from(*i).ok().and_then(|i| planned(run).get(i)).map(|client| client.name.clone());
    let link = |link: &LinkRecord| {
        #[expect(clippy::cast_precision_loss, reason = "a rate over 2^53 bit/s is not shown to the bit")]
        let rate_bps = link.rate_bps as f64;
        Link {
            name: link.name.clone(),
            clients: link.clients.iter().filter_map(name).collect(),
            rate_mbps: round(rate_bps / 1e6),
            queue_ms: round(millis(link.queue)),
            bytes: link.bytes,
            packets: link.packets,
            drops: link.drops,
        }
    };
    run.links().iter().map(link).collect()
}
