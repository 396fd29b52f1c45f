//! A check as one JSON document; docs/FLEET.md describes it.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use super::diagnosis::{Certainty, Diagnosis};
use super::report::{DeviceReport, FleetReport};

/// Raised where a key changes its meaning or goes.
const FORMAT: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    format: u32,
    program: &'static str,
    scenario: &'a str,
    fit: bool,
    exit_code: u8,
    devices: Vec<Device<'a>>,
}

#[derive(Serialize)]
struct Device<'a> {
    name: &'a str,
    via: &'a str,
    joins: bool,
    fit: bool,
    problems: &'a [String],
    advice: Vec<String>,
    login_ms: Option<f64>,
    command_ms: Option<f64>,
    version: Option<&'a str>,
    pushed_bytes: Option<u64>,
    clock: Option<Clock>,
    server: Option<&'a str>,
    reaches_server: Option<bool>,
    facts: &'a BTreeMap<String, String>,
    slow_login: Option<SlowLogin<'a>>,
}

#[derive(Serialize)]
struct Clock {
    offset_ns: i64,
    uncertainty_ms: f64,
}

#[derive(Serialize)]
struct SlowLogin<'a> {
    took_ms: f64,
    causes: Vec<Cause<'a>>,
}

#[derive(Serialize)]
struct Cause<'a> {
    took_ms: f64,
    seen: &'a str,
    because: &'a str,
    certainty: Certainty,
    between: [&'a str; 2],
    evidence: &'a [String],
    change: &'a str,
    place: &'a str,
}

/// The whole, ready to print.
///
/// # Errors
/// Never for a report that is made of numbers and texts; the writer can tell of it all the same.
pub fn render(report: &FleetReport, exit_code: u8) -> serde_json::Result<String> {
    let devices = report.devices.iter().map(device).collect();
    let program = crate::facts::PROGRAM;
    let document =
        Document { format: FORMAT, program, scenario: &report.scenario, fit: report.is_fit(), exit_code, devices };
    serde_json::to_string_pretty(&document)
}

fn device(device: &DeviceReport) -> Device<'_> {
    Device {
        name: &device.name,
        via: &device.via,
        joins: device.joins,
        fit: device.problems.is_empty(),
        problems: &device.problems,
        advice: device.advice(),
        login_ms: device.login.map(ms),
        command_ms: device.command.map(ms),
        version: device.version.as_deref(),
        pushed_bytes: device.pushed.map(|(bytes, _)| bytes),
        clock: device.clock.map(|clock| Clock { offset_ns: clock.offset_ns, uncertainty_ms: ms(clock.uncertainty) }),
        server: device.server.as_deref(),
        reaches_server: device.reaches_server,
        facts: &device.facts,
        slow_login: device.slow_login.as_ref().map(slow_login),
    }
}

fn slow_login(diagnosis: &Diagnosis) -> SlowLogin<'_> {
    let causes = diagnosis.causes.iter().map(|cause| Cause {
        took_ms: ms(cause.took),
        seen: &cause.seen,
        because: &cause.because,
        certainty: cause.certainty,
        between: [&cause.between.0, &cause.between.1],
        evidence: &cause.evidence,
        change: &cause.change.line,
        place: cause.change.place,
    });
    SlowLogin { took_ms: ms(diagnosis.took), causes: causes.collect() }
}

fn ms(time: Duration) -> f64 {
    // By one division, which rounds once: 210 µs are 0.21, and not a hair more.
    #[expect(clippy::cast_precision_loss, reason = "exact up to 104 days")]
    let nanos = time.as_nanos() as f64;
    nanos / 1e6
}
