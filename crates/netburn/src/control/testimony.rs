//! What an agent may say: of its own clients alone, no more than there can be, and nothing that a terminal would obey.

use std::collections::BTreeMap;
use std::ops::Range;

use burn_model::plan::Plan;
use burn_model::record::{AccessPoint, ClientState, RoamRecord, RunEvent, TelemetryRecord};

/// The longest reason that is kept of what an agent says, in characters.
const LONGEST_REASON: usize = 1000;
/// The longest name of an interface, a network or a kind of rate that is kept: a network's 32 bytes, each escaped.
const LONGEST_NAME: usize = 160;
/// How many facts of a host are kept, and how long one may be, in characters.
const MOST_FACTS: usize = 64;
const LONGEST_FACT: usize = 300;

/// Events that are not of any second: the server's pauses, states, counts of what was dropped.
const EVENTS_OF_A_CLIENT: u64 = 10_000;
/// Seconds that an agent may tell of beyond the plan's end and drain, as the fold of a run allows too.
const SLACK_SECONDS: u64 = 60;
/// Events of one second of one client besides those of its populations: its effort, its radio, the server's effort.
const EVENTS_OF_A_SECOND: u64 = 8;

/// How many events, single operations aside, these clients of a plan can have to tell at most; several times what they
/// do tell.
pub(super) fn allowance(plan: &Plan, clients: Range<usize>) -> u64 {
    let last = plan.end() + plan.drain();
    let seconds = last.second().saturating_add(SLACK_SECONDS);
    let of_client = |populations: usize| {
        // An interval of our own and a row of the server's account, each twice over for rows that end between seconds.
        let a_second = u64::try_from(populations).unwrap_or(u64::MAX).saturating_mul(4) + EVENTS_OF_A_SECOND;
        a_second.saturating_mul(seconds).saturating_add(EVENTS_OF_A_CLIENT)
    };
    let clients = plan.clients.get(clients).unwrap_or_default();
    clients.iter().fold(0, |sum: u64, client| sum.saturating_add(of_client(client.populations.len())))
}

/// An event, where the agent that plays these clients may report it: their doings, and what the server told it.
pub(super) fn admit(event: RunEvent, plan: &Plan, clients: &Range<usize>) -> Option<RunEvent> {
    let own = |of: u32| usize::try_from(of).is_ok_and(|of| clients.contains(&of));
    let admitted = match &event {
        RunEvent::Interval(interval) => own(interval.client),
        RunEvent::Operation(operation) => own(operation.client) && plan.keep_operations,
        RunEvent::Usage(usage) => own(usage.client),
        RunEvent::Witness(witness) => own(witness.client),
        RunEvent::Dropped { client, .. } => own(*client),
        RunEvent::Client { client, state, .. } => {
            let told = matches!(
                state,
                ClientState::Running { .. } | ClientState::Draining | ClientState::Done | ClientState::Lost { .. }
            );
            told && own(*client)
        }
        RunEvent::Telemetry(record) => own(record.client),
        RunEvent::Roam(roam) => own(roam.client),
        // Of its own clients' accounts: that the server itself is gone is for the controller to say.
        RunEvent::ServerLost { client, .. } => client.is_some_and(own),
        RunEvent::ServerUsage(_) | RunEvent::OperationsLeftOut { .. } => true,
        RunEvent::Opened(_)
        | RunEvent::Environment { .. }
        | RunEvent::Clock(_)
        | RunEvent::Link(_)
        | RunEvent::Device(_)
        | RunEvent::Control(_)
        | RunEvent::Solo(_)
        | RunEvent::Closed { .. } => false,
    };
    admitted.then(|| match event {
        RunEvent::ServerLost { client, reason } => RunEvent::ServerLost { client, reason: reason_of(&reason) },
        RunEvent::Client { client, state: ClientState::Lost { reason }, at } => {
            RunEvent::Client { client, state: ClientState::Lost { reason: reason_of(&reason) }, at }
        }
        RunEvent::Telemetry(record) => RunEvent::Telemetry(Box::new(telemetry_of(*record))),
        RunEvent::Roam(roam) => {
            let access_point = |point: AccessPoint| AccessPoint { bssid: legible(&point.bssid, LONGEST_NAME), ..point };
            RunEvent::Roam(RoamRecord { from: roam.from.map(access_point), to: roam.to.map(access_point), ..roam })
        }
        event => event,
    })
}

/// Telemetry with names as long as real ones are.
fn telemetry_of(mut record: TelemetryRecord) -> TelemetryRecord {
    let cut = |text: &mut String| *text = legible(text, LONGEST_NAME);
    if let Some(interface) = &mut record.interface {
        cut(&mut interface.name);
    }
    if let Some(wifi) = &mut record.wifi {
        cut(&mut wifi.ssid);
        cut(&mut wifi.bssid);
        wifi.rx_kind.iter_mut().chain(&mut wifi.tx_kind).for_each(cut);
    }
    record
}

/// A reason in an agent's words, cut to what a message can hold.
pub(super) fn reason_of(text: &str) -> String {
    legible(text, LONGEST_REASON)
}

/// Facts in an agent's words, as many as anybody reads.
pub(crate) fn facts_of(facts: BTreeMap<String, String>) -> BTreeMap<String, String> {
    let facts = facts.into_iter().take(MOST_FACTS);
    facts.map(|(key, value)| (legible(&key, LONGEST_FACT), legible(&value, LONGEST_FACT))).collect()
}

/// Text from elsewhere without what a terminal would obey, cut to a number of characters.
pub(crate) fn legible(text: &str, longest: usize) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(longest).collect()
}
