//! `--openmetrics`, as Prometheus's parser for Python reads it, and promtool, which makes blocks of a database from it.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use super::findings::Findings;
use super::recorded::{Place, Recorded};
use super::tools::{Promtool, Python};

/// Numbers of a document have six decimals.
const ROUNDED: (f64, f64) = (1e-5, 1e-6);

pub(super) fn check(findings: &mut Findings, python: &Python, run: &Recorded, file: &Path) -> Result<()> {
    let samples = python.read(include_str!("read_openmetrics.py"), file)?;
    let samples = samples.as_array().context("the reader prints a list")?;
    let start = run.started()?;
    for (place, client, application) in run.applications() {
        let title = format!("{client} {application}");
        let of = |name: &str, more: &[(&str, &str)]| -> Vec<&Value> {
            let labels = [("client", client.as_str()), ("application", application.as_str())];
            let wanted = labels.iter().chain(more);
            let has = |sample: &&Value| {
                sample["name"] == name && wanted.clone().all(|(label, value)| sample["labels"][label] == **value)
            };
            samples.iter().filter(has).collect()
        };
        counters(findings, run, place, &title, start, &of("netburn_received_bytes_total", &[]))?;
        let judged = run.judged(place);
        let value =
            |name: &str, more: &[(&str, &str)]| of(name, more).first().and_then(|sample| float(&sample["value"]));
        let mbps = value("netburn_run_goodput_bytes_per_second", &[]).map(|bytes| bytes * 8.0 / 1e6);
        near(findings, mbps, &judged["goodput_mbps"], &format!("{title}: goodput"))?;
        for (quantile, key) in [("0.5", "p50"), ("0.95", "p95"), ("1", "max")] {
            let ms = value("netburn_run_response_time_seconds", &[("quantile", quantile)]).map(|seconds| seconds * 1e3);
            // Infinite where operations that never completed stand at that rank; `--json` names those.
            let finite = ms.filter(|ms| ms.is_finite());
            near(findings, finite, &judged["response_time_ms"][key], &format!("{title}: response time {key}"))?;
        }
        let verdict = judged["verdict"].as_str().unwrap_or_default();
        let label = [("netburn_run_application_verdict", verdict)];
        let holds = value("netburn_run_application_verdict", &label);
        findings.same(&holds, &Some(1.0), &format!("{title}: its verdict is the state that holds, {verdict}"))?;
        for outcome in ["completed", "failed", "timed_out", "not_sent"] {
            let found = value("netburn_run_operations", &[("outcome", outcome)]);
            near(findings, found, &judged["operations"][outcome], &format!("{title}: operations {outcome}"))?;
        }
    }
    let scenario = &samples.first().context("there are samples")?["labels"]["scenario"];
    findings.same(scenario, &run.header["plan"]["name"], "the scenario's name, signs and all, came through a label")
}

/// promtool takes every sample.
pub(super) fn check_blocks(findings: &mut Findings, promtool: &Promtool, file: &Path, folder: &Path) -> Result<()> {
    let listed = promtool.create_blocks(file, &folder.join("prometheus"))?;
    // A head, then a line for each block. Its columns: identity, from, to, duration, samples, …
    let counts = listed.lines().skip(1).filter_map(|line| line.split_whitespace().nth(4)?.parse::<usize>().ok());
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let written = text.lines().filter(|line| !line.starts_with('#')).count();
    findings.same(&counts.sum(), &written, "promtool makes blocks of it, with every sample")
}

/// Payload grows second by second, stamped with the seconds' ends.
fn counters(
    findings: &mut Findings,
    run: &Recorded,
    place: Place,
    title: &str,
    start: f64,
    found: &[&Value],
) -> Result<()> {
    let mut sum = 0_u64;
    let expected: Vec<(f64, f64)> = run
        .bytes(place)
        .into_iter()
        .map(|(second, bytes)| {
            sum += bytes;
            (start + as_float(second) + 1.0, as_float(sum))
        })
        .collect();
    let found: Vec<(f64, f64)> =
        found.iter().filter_map(|sample| Some((sample["at"].as_f64()?, float(&sample["value"])?))).collect();
    findings.same(&found, &expected, &format!("{title}: payload of every second, stamped with its end"))
}

/// A figure against that of `--json`; absent ones against each other.
fn near(findings: &mut Findings, found: Option<f64>, expected: &Value, what: &str) -> Result<()> {
    match (found, expected.as_f64()) {
        (Some(found), Some(expected)) => findings.near(found, expected, ROUNDED, what),
        (found, expected) => findings.same(&found, &expected, what),
    }
}

/// A sample's value, which stands as text.
fn float(value: &Value) -> Option<f64> {
    value.as_str()?.parse().ok()
}

fn as_float(n: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "bytes of a few seconds")]
    let float = n as f64;
    float
}
