//! The tables of a scenario file, read but not yet joined: each thing with the place it stands at.

use std::collections::BTreeMap;
use std::time::Duration;

use burn_model::units::BitRate;
use toml::de::DeTable;

use super::diagnostic::{Problems, Span};
use super::fields::{Entry, Fields, is_name};
use super::workload::Spec;
use super::{Radio, ServerChoice, server};

const KEYS: [&str; 9] =
    ["name", "duration", "warm_up", "seed", "server", "keep_operations", "radio", "client", "workload"];
const RADIO_KEYS: [&str; 3] = ["name", "rate", "queue"];
const CLIENT_KEYS: [&str; 4] = ["name", "count", "via", "run"];

/// How many people a run has room for, all devices together.
pub(super) const MOST_CLIENTS: usize = 1000;
/// What the lab can build.
const MOST_RADIOS: usize = 8;
/// A queue lies in kernel memory.
const MOST_QUEUED: u128 = 1 << 30;
const MOST_WORKLOADS: usize = 1000;
const MOST_RUN: usize = 64;

/// What is loaded where nothing is said.
const LOCAL: ServerChoice = ServerChoice::Local { address: None };
const HOUR: Duration = Duration::from_secs(3600);
/// How long a run may be judged.
pub(super) const DURATIONS: std::ops::RangeInclusive<Duration> =
    Duration::from_secs(1)..=Duration::from_secs(24 * 3600);
/// How long it may load before.
pub(super) const WARM_UPS: std::ops::RangeInclusive<Duration> = Duration::ZERO..=HOUR;

/// A scenario file.
#[derive(Debug)]
pub(super) struct File {
    pub(super) name: Option<String>,
    pub(super) duration: Option<Duration>,
    /// Whether something stands there for a duration, right or wrong.
    pub(super) says_duration: bool,
    pub(super) warm_up: Option<Duration>,
    pub(super) seed: Option<u64>,
    pub(super) server: ServerChoice,
    pub(super) server_at: Span,
    pub(super) keep_operations: Option<bool>,
    pub(super) radios: Vec<PlacedRadio>,
    pub(super) clients: Vec<ClientEntry>,
    pub(super) workloads: BTreeMap<String, Spec>,
}

/// A radio; what is wrong with one was reported.
#[derive(Debug)]
pub(super) struct PlacedRadio {
    pub(super) name: String,
    pub(super) name_at: Span,
    /// `None` where its rate or its queue is wrong.
    pub(super) radio: Option<Radio>,
}

/// A client, or a group of them; what is wrong with one was reported, and is then absent.
#[derive(Debug)]
pub(super) struct ClientEntry {
    pub(super) name: Option<String>,
    pub(super) name_at: Span,
    /// How many, where it is a group.
    pub(super) count: Option<usize>,
    pub(super) count_at: Span,
    pub(super) via: Option<String>,
    pub(super) via_at: Span,
    pub(super) run: Vec<(String, Span)>,
}

impl File {
    /// Reads every table.
    pub(super) fn read(document: &DeTable<'_>, problems: &mut Problems) -> Self {
        let fields = Fields::of(document, &KEYS, problems);
        let name = fields.get("name").and_then(|entry| entry.name("an evening at home", problems));
        Self {
            name: name.map(str::to_owned),
            duration: fields.get("duration").and_then(|entry| entry.duration(DURATIONS, problems)),
            says_duration: fields.get("duration").is_some() || fields.is_misspelt("duration"),
            warm_up: fields.get("warm_up").and_then(|entry| entry.duration(WARM_UPS, problems)),
            seed: fields.get("seed").and_then(|entry| entry.whole(0..=u64::MAX, problems)),
            server: fields.get("server").map_or(LOCAL, |entry| server::server(entry, problems)),
            server_at: fields.get("server").map(|entry| entry.span()).unwrap_or_default(),
            keep_operations: fields.get("keep_operations").and_then(|entry| entry.flag(problems)),
            radios: radios(&fields, problems),
            clients: clients(&fields, problems),
            workloads: workloads(&fields, problems),
        }
    }
}

fn radios(fields: &Fields<'_>, problems: &mut Problems) -> Vec<PlacedRadio> {
    let entries = tables(fields, "radio", MOST_RADIOS, problems);
    entries.into_iter().filter_map(|entry| radio(entry, problems)).collect()
}

fn radio(entry: Entry<'_>, problems: &mut Problems) -> Option<PlacedRadio> {
    let fields = Fields::read(entry, "a table under [[radio]]", &RADIO_KEYS, problems)?;
    let rate = fields.need("rate", "a radio", "\"156 Mbps\"", problems);
    let rates = BitRate::from_bps(100_000)..=BitRate::from_mbps(10_000);
    let rate = rate.and_then(|entry| entry.bit_rate(rates, problems));
    let queue = fields.need("queue", "a radio", "\"300 ms\"", problems);
    let queues = Duration::from_millis(1)..=Duration::from_secs(10);
    let queue = queue.and_then(|entry| Some((entry.duration(queues, problems)?, entry)));
    let radio = rate.zip(queue).map(|(rate, (queue, entry))| {
        if queue.as_nanos() * u128::from(rate.as_bps()) > MOST_QUEUED * 8_000_000_000 {
            entry.refuse("at this rate, a queue so long holds over 1 GiB of kernel memory", problems);
        }
        (rate, queue)
    });
    let name = fields.need("name", "a radio", "\"5ghz\"", problems)?;
    let name_at = name.span();
    let name = name.name("5ghz", problems)?.to_owned();
    let radio = radio.map(|(rate, queue)| Radio { name: name.clone(), rate, queue });
    Some(PlacedRadio { name, name_at, radio })
}

fn clients(fields: &Fields<'_>, problems: &mut Problems) -> Vec<ClientEntry> {
    if fields.get("client").is_none() && !fields.is_misspelt("client") {
        problems.report_with(
            None,
            "no client",
            "say who takes part: [[client]] with name = \"laptop\" and run = [\"browsing\"]",
        );
    }
    let entries = tables(fields, "client", MOST_CLIENTS, problems);
    entries.into_iter().filter_map(|entry| client(entry, problems)).collect()
}

fn client(entry: Entry<'_>, problems: &mut Problems) -> Option<ClientEntry> {
    let fields = Fields::read(entry, "a table under [[client]]", &CLIENT_KEYS, problems)?;
    let name = fields.need("name", "a client", "\"laptop\"", problems);
    let count = fields.get("count");
    let via = fields.get("via");
    let run = fields.need("run", "a client", "[\"browsing\"]", problems);
    Some(ClientEntry {
        name_at: name.map_or_else(|| entry.span(), |name| name.span()),
        name: name.and_then(|name| name.name("laptop", problems)).map(str::to_owned),
        count_at: count.map_or_else(|| entry.span(), |count| count.span()),
        count: count.and_then(|count| group_size(count, problems)),
        via_at: via.map_or_else(|| entry.span(), |via| via.span()),
        via: via.map_or_else(|| Some("local"), |via| via.text("local", problems)).map(str::to_owned),
        run: run.map(|run| run_list(run, problems)).unwrap_or_default(),
    })
}

fn group_size(count: Entry<'_>, problems: &mut Problems) -> Option<usize> {
    let count = count.whole(1..=u64::try_from(MOST_CLIENTS).unwrap_or(u64::MAX), problems)?;
    usize::try_from(count).ok()
}

fn run_list(run: Entry<'_>, problems: &mut Problems) -> Vec<(String, Span)> {
    let Some(entries) = run.list("a list such as [\"browsing\"]", problems) else { return Vec::new() };
    if entries.is_empty() || entries.len() > MOST_RUN {
        run.refuse(&format!("a client runs between 1 and {MOST_RUN} workloads, found {}", entries.len()), problems);
        return Vec::new();
    }
    let named = |entry: Entry<'_>| Some((entry.text("browsing", problems)?.to_owned(), entry.span()));
    entries.into_iter().filter_map(named).collect()
}

fn workloads(fields: &Fields<'_>, problems: &mut Problems) -> BTreeMap<String, Spec> {
    let Some(entry) = fields.get("workload") else { return BTreeMap::new() };
    let Some(table) = entry.table("tables under [workload.NAME]", problems) else { return BTreeMap::new() };
    if table.len() > MOST_WORKLOADS {
        entry.refuse(&format!("{MOST_WORKLOADS} workloads at most, found {}", table.len()), problems);
        return BTreeMap::new();
    }
    let mut workloads = BTreeMap::new();
    for (name, value) in table {
        if !is_name(name.get_ref()) {
            problems.report(name.span(), "a workload's name has 1 to 64 characters, none a control character");
        }
        let spec = Spec::read(Entry::new("workload", value), name.span(), problems);
        workloads.insert(name.get_ref().to_string(), spec);
    }
    workloads
}

/// The tables under `[[key]]`.
fn tables<'t>(fields: &Fields<'t>, key: &'static str, most: usize, problems: &mut Problems) -> Vec<Entry<'t>> {
    let Some(entry) = fields.get(key) else { return Vec::new() };
    let Some(entries) = entry.list(&format!("tables under [[{key}]], in double brackets"), problems) else {
        return Vec::new();
    };
    if entries.len() > most {
        entry.refuse(&format!("{most} at most, found {}", entries.len()), problems);
        return Vec::new();
    }
    if entries.is_empty() {
        entry.refuse("the list is empty", problems);
    }
    entries
}
