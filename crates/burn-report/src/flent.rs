//! A run for flent (<https://flent.org>): a `.flent.gz`, as its version 2.1 reads it.
//!
//! flent finds its plots by the name of one of its own tests and by the names of series. A run goes out as its test
//! `rtt_fair_var_down` (several hosts, each with a download and a latency): each application is a download
//! `TCP download APPLICATION CLIENT` in Mbit/s, and a latency `Ping (ms) APPLICATION CLIENT`, which is the median response time of
//! the operations that were scheduled in that second. Sums and means of those flent makes by itself. Beside them stand series
//! that no stock plot shows: p95, and the player's buffer. docs/EXPORTS.md says what to make of each.
//!
//! flent hands names on to a shell-like splitter, to patterns and to matplotlib's formulas: only letters, digits and a few signs
//! that mean nothing to any of them stay.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

use burn_model::judge::Judgement;
use burn_model::plan::ClientPlan;
use burn_model::record::Header;
use burn_model::run::{RunRecord, SecondSummary};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;

use crate::json::{millis, round, seconds};
use crate::layout::clip;
use crate::names::{unique, unique_by};
use crate::numbers::float;
use crate::start::{NoStart, started};
use crate::words;

/// The version of the file format: that of flent 2.0 and later.
const VERSION: u32 = 4;
/// The test of flent's whose plots fit.
const TEST: &str = "rtt_fair_var_down";
/// Characters of a name at most.
const LONGEST: usize = 80;
/// Columns of a fact or a sentence at most.
const LONGEST_FACT: usize = 400;

/// The run as the bytes of a `.flent.gz`.
///
/// # Errors
/// Where the record does not say when the run was started.
pub fn render(run: &RunRecord, judgement: &Judgement) -> Result<Vec<u8>, NoStart> {
    let file = File::of(run, judgement)?;
    // Only numbers that are finite, strings, lists and maps with string keys: JSON has a form for all of them.
    let json = serde_json::to_vec(&file).unwrap_or_default();
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    // Writing to memory cannot fail.
    let _ = gzip.write_all(&json);
    Ok(gzip.finish().unwrap_or_default())
}

#[derive(Serialize)]
struct File {
    version: u32,
    metadata: Metadata,
    x_values: Vec<u64>,
    /// One value for each of `x_values`; null where there is none.
    results: BTreeMap<String, Vec<Option<f64>>>,
    raw_values: BTreeMap<String, Vec<Raw>>,
}

#[derive(Serialize)]
struct Raw {
    /// Seconds since 1970.
    t: f64,
    val: f64,
}

#[derive(Serialize)]
#[serde(rename_all = "UPPERCASE")]
struct Metadata {
    name: &'static str,
    title: String,
    time: String,
    t0: String,
    length: u64,
    total_length: u64,
    step_size: f64,
    /// Of each application its client, so that names of series come out as above.
    host: Option<String>,
    hosts: Vec<String>,
    local_host: String,
    note: String,
    flent_version: String,
    ip_version: Option<u8>,
    data_filename: String,
    test_parameters: BTreeMap<&'static str, String>,
    series_meta: BTreeMap<String, SeriesMeta>,
    netburn: Netburn,
}

#[derive(Serialize)]
#[serde(rename_all = "UPPERCASE")]
struct SeriesMeta {
    units: &'static str,
}

/// What flent has no words for; it keeps it and shows it with the other metadata.
#[derive(Serialize)]
struct Netburn {
    run: String,
    scenario: String,
    digest: String,
    server: String,
    verdict: &'static str,
    reasons: Vec<String>,
    judged_from_s: u64,
    judged_to_s: u64,
}

/// A series of an application: how its name begins, its unit, and its value in a second.
struct Kind {
    prefix: &'static str,
    units: &'static str,
    value: fn(&SecondSummary) -> Option<f64>,
}

const KINDS: [Kind; 4] = [
    // Bits of one second are bits per second.
    Kind { prefix: "TCP download", units: "Mbits/s", value: |second| Some(float(second.bytes) * 8.0 / 1e6) },
    Kind { prefix: "Ping (ms)", units: "ms", value: |second| second.times.p50.map(millis) },
    Kind { prefix: "Response time p95 (ms)", units: "ms", value: |second| second.times.p95.map(millis) },
    Kind {
        prefix: "Player buffer (s)",
        units: "s",
        value: |second| second.playback?.lowest_buffer_ns.map(|ns| seconds(Duration::from_nanos(ns))),
    },
];

/// An application's place in the plan, and its names as flent bears them.
struct Place {
    client: usize,
    population: usize,
    host: String,
    label: String,
}

impl File {
    fn of(run: &RunRecord, judgement: &Judgement) -> Result<Self, NoStart> {
        let start = started(run)?;
        let places = places(run);
        let length = places.iter().flat_map(|place| run.seconds(place.client, place.population).last());
        let length = length.map(|second| second.second.saturating_add(1)).max().unwrap_or(0);
        let mut file = Self {
            version: VERSION,
            metadata: Metadata::of(run, judgement, start, &places, length),
            x_values: (0..length).collect(),
            results: BTreeMap::new(),
            raw_values: BTreeMap::new(),
        };
        let epoch = start.as_duration().as_secs_f64();
        for place in &places {
            for kind in &KINDS {
                file.add(run, place, kind, epoch);
            }
        }
        Ok(file)
    }

    /// Adds a series, where it has any value.
    fn add(&mut self, run: &RunRecord, place: &Place, kind: &Kind, epoch: f64) {
        let name = format!("{} {} {}", kind.prefix, place.label, place.host);
        let mut values = vec![None; self.x_values.len()];
        let mut raw = Vec::new();
        for second in run.seconds(place.client, place.population) {
            let Some(val) = (kind.value)(&second).and_then(round) else { continue };
            let slot = usize::try_from(second.second).ok().and_then(|second| values.get_mut(second));
            if let Some(slot) = slot {
                *slot = Some(val);
                raw.push(Raw { t: epoch + float(second.second), val });
            }
        }
        if !raw.is_empty() {
            self.metadata.series_meta.insert(name.clone(), SeriesMeta { units: kind.units });
            self.results.insert(name.clone(), values);
            self.raw_values.insert(name, raw);
        }
    }
}

impl Metadata {
    fn of(run: &RunRecord, judgement: &Judgement, start: jiff::Timestamp, places: &[Place], length: u64) -> Self {
        let header = run.header();
        let text = |field: fn(&Header) -> &str| harmless(header.map_or("", field));
        let fact = |field: fn(&Header) -> &str| clip(header.map_or("", field), LONGEST_FACT);
        let labels = places.iter().map(|place| place.label.as_str()).collect::<Vec<_>>().join(",");
        // Microseconds and a Z: anything else flent takes for local time.
        let time = start.strftime("%Y-%m-%dT%H:%M:%S.%6fZ").to_string();
        let (from, to) = judgement.window;
        Self {
            name: TEST,
            title: text(|header| &header.plan.name),
            time: time.clone(),
            t0: time,
            length,
            total_length: length,
            step_size: 1.0,
            host: places.first().map(|place| place.host.clone()),
            hosts: places.iter().map(|place| place.host.clone()).collect(),
            local_host: text(|header| &header.server),
            note: format!(
                "By netburn, not by flent. Ping (ms) is the median response time of the operations of a second. Verdict: {}",
                words::verdict(judgement.verdict)
            ),
            flent_version: text(|header| &header.program),
            ip_version: None,
            data_filename: format!("netburn-{}.flent.gz", text(|header| &header.run)),
            test_parameters: [("labels", labels.clone()), ("ping_labels", labels)].into(),
            series_meta: BTreeMap::new(),
            netburn: Netburn {
                run: fact(|header| &header.run),
                scenario: fact(|header| &header.plan.name),
                digest: fact(|header| &header.digest),
                server: fact(|header| &header.server),
                verdict: words::verdict(judgement.verdict),
                reasons: judgement.reasons.iter().map(|reason| clip(reason, LONGEST_FACT)).collect(),
                judged_from_s: from.second(),
                judged_to_s: to.second(),
            },
        }
    }
}

fn places(run: &RunRecord) -> Vec<Place> {
    let planned = run.plan().map_or(&[][..], |plan| plan.clients.as_slice());
    let hosts = unique(planned.iter().map(|client| harmless(&client.name)));
    let of_client = |(client, (planned, host)): (usize, (&ClientPlan, String))| {
        // No blank in a label, so that the first one ends it, and no two series can be called alike.
        let labels = planned.populations.iter().map(|application| harmless(&application.name).replace(' ', "_"));
        let labels = unique_by(labels, |label, number| format!("{label}_{number}")).into_iter().enumerate();
        labels
            .map(move |(population, label)| Place { client, population, host: host.clone(), label })
            .collect::<Vec<_>>()
    };
    planned.iter().zip(hosts).enumerate().flat_map(of_client).collect()
}

/// A text without any sign that flent, its splitter of lists or matplotlib would take for an order.
fn harmless(text: &str) -> String {
    let keep = |c: char| if c.is_alphanumeric() || matches!(c, ' ' | '.' | '-' | '_' | '(' | ')') { c } else { '_' };
    text.chars().take(LONGEST).map(keep).collect()
}
