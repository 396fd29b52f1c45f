//! From `[[client]]` tables to devices and their clients: names, groups, and who may stand beside whom.

use std::collections::{BTreeMap, BTreeSet};

use burn_model::plan::{ClientPlan, Plan, Population};

use super::diagnostic::{Problems, Span, quoted};
use super::fields::is_name;
use super::file::{ClientEntry, File, MOST_CLIENTS};
use super::{Device, ServerChoice, Via, objects_in_flight, place};

/// The most objects that one client may have under way at once, all its workloads together.
const MOST_OBJECTS_OF_A_CLIENT: u64 = 10_000;
/// The most devices that the lab has addresses for.
const MOST_STATIONS: usize = 250;

impl ClientEntry {
    /// How many clients it stands for.
    pub(super) fn size(&self) -> usize {
        self.count.unwrap_or(1)
    }

    /// The names of its clients: its own, or numbered ones where it is a group.
    fn names(&self) -> Vec<String> {
        let Some(name) = &self.name else { return Vec::new() };
        match self.count {
            None => vec![name.clone()],
            Some(count) => (1..=count).map(|number| format!("{name}-{number}")).collect(),
        }
    }
}

/// Reports what has the name of another: clients, also those of groups, radios, and workloads of one client.
pub(super) fn report_twins(read: &File, problems: &mut Problems) {
    let clients = read.clients.iter().filter_map(|client| Some((client.name.as_deref()?, &client.name_at)));
    let radios = read.radios.iter().map(|radio| (radio.name.as_str(), &radio.name_at));
    twins("client", clients, problems);
    twins("radio", radios, problems);
    report_members(read, problems);
    for client in &read.clients {
        twins("workload", client.run.iter().map(|(name, at)| (name.as_str(), at)), problems);
    }
}

fn twins<'a>(what: &str, named: impl Iterator<Item = (&'a str, &'a Span)>, problems: &mut Problems) {
    let mut seen = BTreeSet::new();
    for (name, at) in named {
        if !seen.insert(name) {
            let what = match what {
                "workload" => format!("workload {} stands twice in one client", quoted(name)),
                _ => format!("two {what}s are named {}", quoted(name)),
            };
            problems.report(at.clone(), what);
        }
    }
}

/// Reports clients that have the name of a group's member, and groups too large or too long in name.
fn report_members(read: &File, problems: &mut Problems) {
    let mut room = MOST_CLIENTS;
    let mut members: BTreeMap<String, &ClientEntry> = BTreeMap::new();
    for client in &read.clients {
        // Names are only made up for as many clients as a run has room for: a file must not cost more than it may.
        let Some(left) = room.checked_sub(client.size()) else {
            let all: usize = read.clients.iter().map(ClientEntry::size).sum();
            let what = format!("{all} clients in all: {MOST_CLIENTS} is the most");
            problems.report(client.count_at.clone(), what);
            return;
        };
        room = left;
        let names = client.names();
        if let Some(longest) = names.last().filter(|_| client.count.is_some()).filter(|name| !is_name(name)) {
            let what = format!("the group's clients get names such as {}, longer than 64 characters", quoted(longest));
            problems.report(client.name_at.clone(), what);
        }
        for name in names {
            match members.get(&name) {
                // The same table's name stands twice: that was said.
                Some(other) if other.name == client.name => {}
                Some(other) => {
                    let group = if other.count.is_some() { &other.name } else { &client.name };
                    let group = quoted(group.as_deref().unwrap_or_default());
                    let what =
                        format!("two clients are named {}: the group {group} has one by that name", quoted(&name));
                    problems.report(client.name_at.clone(), what);
                    break;
                }
                None => {
                    members.insert(name, client);
                }
            }
        }
    }
}

/// The clients' plans, group for group; `None` where one has a problem, which was reported.
pub(super) fn clients(
    read: &File,
    populations: &BTreeMap<String, Option<Population>>,
    problems: &mut Problems,
) -> Option<Vec<ClientPlan>> {
    let runs: Vec<_> = read.clients.iter().map(|client| populations_of(client, populations, problems)).collect();
    let runs: Vec<Vec<Population>> = runs.into_iter().collect::<Option<_>>()?;
    if read.clients.iter().any(|client| client.name.is_none()) || !problems.is_empty() {
        return None;
    }
    let group = |(client, populations): (&ClientEntry, Vec<Population>)| {
        let of = move |name| ClientPlan { name, populations: populations.clone() };
        client.names().into_iter().map(of).collect::<Vec<_>>()
    };
    Some(read.clients.iter().zip(runs).flat_map(group).collect())
}

/// What each client of a table runs; `None` where it has a problem, which was reported.
fn populations_of(
    client: &ClientEntry,
    populations: &BTreeMap<String, Option<Population>>,
    problems: &mut Problems,
) -> Option<Vec<Population>> {
    let mut run = Vec::new();
    for (name, at) in &client.run {
        match populations.get(name) {
            Some(population) => run.push(population.clone()),
            None => {
                let known = populations.keys().map(String::as_str);
                problems.report_unknown(at.clone(), "unknown workload", name, known);
                run.push(None);
            }
        }
    }
    let populations: Vec<Population> = run.into_iter().collect::<Option<_>>()?;
    let objects: u64 = populations.iter().map(objects_in_flight).sum();
    if objects > MOST_OBJECTS_OF_A_CLIENT {
        let what = format!(
            "the client may have {objects} objects in flight at once, all its workloads together: {MOST_OBJECTS_OF_A_CLIENT} is the most"
        );
        problems.report(client.name_at.clone(), what);
    }
    Some(populations)
}

/// The devices, each with its clients; `None` where one has a problem, which was reported.
pub(super) fn devices(read: &File, problems: &mut Problems) -> Option<Vec<Device>> {
    let via: Vec<_> = read.clients.iter().map(|client| place::via(client, &read.radios, problems)).collect();
    let via: Vec<Via> = via.into_iter().collect::<Option<_>>()?;
    report_company(read, &via, problems);
    let mut first = 0;
    let device = |(client, via): (&ClientEntry, Via)| {
        let clients = first..first + client.size();
        first = clients.end;
        Some(Device { name: client.name.clone()?, via, clients })
    };
    read.clients.iter().zip(via).map(device).collect()
}

/// Reports what cannot stand beside a lab: it is a network of its own, which nothing else is in.
fn report_company(read: &File, via: &[Via], problems: &mut Problems) {
    let in_lab = |via: &Via| matches!(via, Via::Lab { .. });
    let Some((first_in_lab, _)) = read.clients.iter().zip(via).find(|(_, via)| in_lab(via)) else { return };
    if read.server != (ServerChoice::Local { address: None }) {
        problems.report_with(
            first_in_lab.via_at.clone(),
            "a client in the lab reaches only the lab's own server",
            "leave server out, or write server = \"local\"",
        );
    }
    if via.len() > MOST_STATIONS {
        problems.report(None, format!("{} devices in the lab: {MOST_STATIONS} is the most", via.len()));
    }
    let Some((outside, via)) = read.clients.iter().zip(via).find(|(_, via)| !in_lab(via)) else { return };
    let how = match via {
        Via::Local => "local",
        Via::Ssh(_) => "reached over ssh",
        Via::Join => "one that joins",
        Via::Lab { .. } => "in the lab",
    };
    let other = first_in_lab.name.as_deref().unwrap_or_default();
    let hint = match via {
        Via::Local => "give every client a via = \"lab:RADIO\", or none",
        _ => "the lab is a network inside this machine, which no other device is in; write two scenarios",
    };
    let what = format!("this client is {how}, while {} is in the lab", quoted(other));
    problems.report_with(outside.via_at.clone(), what, hint);
}

/// The first client of each table, with the table it comes from.
pub(super) fn first_clients<'a>(
    plan: &'a Plan,
    read: &'a File,
) -> impl Iterator<Item = (&'a ClientPlan, &'a ClientEntry)> {
    let mut next = 0;
    read.clients.iter().filter_map(move |entry| {
        let first = plan.clients.get(next)?;
        next += entry.size();
        Some((first, entry))
    })
}
