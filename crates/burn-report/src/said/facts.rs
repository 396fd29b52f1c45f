//! The facts of a run: what was asked, when, where, and what the links counted.

use std::collections::BTreeMap;
use std::time::Duration;

use burn_model::judge::Judgement;
use burn_model::plan::ClientPlan;
use burn_model::record::{ClientState, Ending, LinkRecord};
use burn_model::run::RunRecord;
use burn_model::units::{BitRate, format_bound, format_duration};

use crate::layout::glue;
use crate::numbers::{bytes, count, rate};
use crate::words::{counted, list};

/// What of a host's environment stands in the text report; the rest is in the JSON document.
const SHOWN: [(&str, &str); 6] = [
    ("kernel", "kernel"),
    ("congestion_control", "congestion control"),
    ("qdisc", "qdisc"),
    ("interface", "interface"),
    ("cpu", "CPU"),
    ("governor", "governor"),
];

/// Every fact, with its name.
pub(crate) fn facts(run: &RunRecord, judgement: &Judgement) -> Vec<(&'static str, String)> {
    let mut facts = vec![("judged", judged(run, judgement))];
    facts.push(("moved", format!("{} of payload in all", glue(&rate(judgement.goodput_bps)))));
    if let Some(ending) = ending(run.ending()) {
        facts.push(("ended", ending));
    }
    if let Some(header) = run.header() {
        facts.push(("started", format!("{} by {}", header.started_at, header.program)));
        facts.push(("run", format!("{}; plan {}; seed {}", header.run, header.digest, header.plan.seed)));
        let verified = if header.verified_server { "" } else { " (not proven to be ours)" };
        facts.push(("server", format!("{}{verified}", header.server)));
    }
    for (shown, hosts) in hosts(run) {
        facts.push(("host", format!("{}: {shown}", list(&hosts))));
    }
    for link in run.links() {
        facts.push(("link", counters(run, link)));
    }
    for (i, client) in clients(run).iter().enumerate() {
        if let Some(ClientState::Lost { reason }) = run.client_state(i) {
            facts.push(("lost", format!("{}: {reason}", client.name)));
        }
    }
    if let Some((name, lateness)) = latest_start(run) {
        facts.push(("start", format!("the latest client, {name}, started {} late", glue(&format_duration(lateness)))));
    }
    facts
}

/// How much of what was asked was judged.
fn judged(run: &RunRecord, judgement: &Judgement) -> String {
    let (from, to) = judgement.window;
    let window = to.since(from);
    let mut said = if window.is_zero() {
        "nothing".to_owned()
    } else {
        let [length, from, to] =
            [window, from.since_start(), to.since_start()].map(|duration| glue(&format_bound(duration)));
        format!("{length}, from {from} to {to}")
    };
    if let Some(plan) = run.plan() {
        let [load, warm_up] = [plan.duration, plan.warm_up].map(|duration| glue(&format_bound(duration)));
        said.push_str(&format!("; asked for: {load} after {warm_up} of warm-up"));
    }
    said
}

fn clients(run: &RunRecord) -> &[ClientPlan] {
    run.plan().map_or(&[][..], |plan| plan.clients.as_slice())
}

fn ending(ending: Option<&Ending>) -> Option<String> {
    match ending {
        Some(Ending::Finished) => None,
        Some(Ending::Interrupted { at, by }) => {
            Some(format!("early, {} into the run: {by}", glue(&format_bound(at.since_start()))))
        }
        Some(Ending::Failed { reason }) => Some(format!("in failure: {reason}")),
        None => Some("unknown: the record of the run has no end".to_owned()),
    }
}

/// What is shown of the hosts, each with those of which it is true: clients on one machine share a line.
fn hosts(run: &RunRecord) -> Vec<(String, Vec<String>)> {
    let mut lines: Vec<(String, Vec<String>)> = Vec::new();
    for (host, facts) in run.environments() {
        let shown = environment(facts);
        match lines.iter_mut().find(|(line, _)| *line == shown) {
            Some((_, hosts)) => hosts.push(host.clone()),
            None if shown.is_empty() => {}
            None => lines.push((shown, vec![host.clone()])),
        }
    }
    lines
}

fn environment(facts: &BTreeMap<String, String>) -> String {
    let shown = SHOWN.iter().filter_map(|(key, name)| facts.get(*key).map(|value| format!("{name} {value}")));
    shown.collect::<Vec<_>>().join("; ")
}

/// What a link's kernel counted, beside what its clients received themselves.
fn counters(run: &RunRecord, link: &LinkRecord) -> String {
    let behind: Vec<String> =
        indexes(link).filter_map(|i| clients(run).get(i)).map(|client| client.name.clone()).collect();
    let who = if behind.is_empty() { "nobody".to_owned() } else { list(&behind) };
    format!(
        "{} ({who}): {}, a queue of {}; {} went through, of it {} our own payload; {} of {} dropped",
        link.name,
        glue(&BitRate::from_bps(link.rate_bps).to_string()),
        glue(&format_bound(link.queue)),
        glue(&bytes(link.bytes)),
        glue(&bytes(own_bytes(run, link))),
        count(link.drops),
        counted(link.packets.saturating_add(link.drops), "packet", "packets"),
    )
}

/// Payload that a link's clients received over the whole run, warm-up and drain included, as the link counted it.
fn own_bytes(run: &RunRecord, link: &LinkRecord) -> u64 {
    let populations = indexes(link).flat_map(|client| {
        let populations = clients(run).get(client).map_or(0, |plan| plan.populations.len());
        (0..populations).map(move |population| (client, population))
    });
    populations
        .flat_map(|(client, population)| run.seconds(client, population))
        .fold(0, |sum, second| sum.saturating_add(second.bytes))
}

fn indexes(link: &LinkRecord) -> impl Iterator<Item = usize> {
    link.clients.iter().filter_map(|i| usize::try_from(*i).ok())
}

/// The client whose load started last after the agreed moment, where clients told.
fn latest_start(run: &RunRecord) -> Option<(&str, Duration)> {
    let started =
        clients(run).iter().enumerate().filter_map(|(i, client)| Some((client.name.as_str(), run.start_lateness(i)?)));
    started.max_by_key(|(_, late)| *late)
}
