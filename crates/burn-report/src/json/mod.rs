//! A judged run as one JSON document, for programs.
//!
//! The stable core and every key around it are described by `schemas/result.schema.json`; docs/JSON.md walks through
//! an example. What cannot be said is `null`, a number is always finite, and the keys always stand in the same order.

mod application;
mod beside;
mod comparing;
mod goal;
mod kept;
mod setting;
mod together;
mod trend;

use std::time::Duration;

use burn_model::judge::{Judgement, Reading, Summary};
use burn_model::run::RunRecord;
use serde::Serialize;

use crate::comparison;
use crate::layout::is_unsafe;
use crate::words;

use application::Application;
use beside::{Roam, Telemetry};
pub use comparing::render_comparison;
pub use kept::{Listing, render_runs};
use setting::{Client, Environment, Link, Run, Window};
use together::{Control, Start};
pub use trend::render_trends;

/// The version of the document. It grows when a key changes its meaning or goes away, not when one is added.
pub const FORMAT: u32 = 1;

/// The document of a judged run. `exit_code` is the one that the program ends with.
#[must_use]
pub fn render(run: &RunRecord, judgement: &Judgement, exit_code: u8) -> String {
    write(&Document { format: FORMAT, error: None, exit_code, content: Judged::of(run, judgement) })
}

/// The document of a command that came to no judgement: `error` says why, `verdict` is null, and what a judgement would
/// have filled is empty or null. `exit_code` is the one that the program ends with.
#[must_use]
pub fn render_error(message: &str, exit_code: u8) -> String {
    let content = Judged { reasons: vec![message.to_owned()], ..Judged::default() };
    write(&Document { format: FORMAT, error: Some(message.to_owned()), exit_code, content })
}

/// The document of set-ups next to each other, each with its title and all that [`render`] says of it. `verdict` and
/// `applications` are those of the last one, so that every document has the stable core. `exit_code` is the one that the program ends with.
#[must_use]
pub fn render_side_by_side(setups: &[(&str, &RunRecord, &Judgement)], exit_code: u8) -> String {
    let judgements: Vec<&Judgement> = setups.iter().map(|(_, _, judgement)| *judgement).collect();
    let content = Comparison {
        verdict: judgements.last().map(|last| words::verdict(last.verdict)),
        reasons: comparison::sentences(&judgements),
        applications: judgements.last().map(|last| applications(last)).unwrap_or_default(),
        setups: setups
            .iter()
            .map(|(title, run, judgement)| Setup { title: (*title).to_owned(), judged: Judged::of(run, judgement) })
            .collect(),
    };
    write(&Document { format: FORMAT, error: None, exit_code, content })
}

/// The whole document; every key is always there.
#[derive(Serialize)]
struct Document<T> {
    format: u32,
    error: Option<String>,
    exit_code: u8,
    #[serde(flatten)]
    content: T,
}

/// All that is said of one run.
#[derive(Default, Serialize)]
struct Judged {
    verdict: Option<&'static str>,
    reasons: Vec<String>,
    goodput_mbps: Option<f64>,
    applications: Vec<Application>,
    doubts: Vec<String>,
    checks: Vec<String>,
    cautions: Vec<String>,
    window: Option<Window>,
    run: Option<Run>,
    clients: Vec<Client>,
    environment: Environment,
    links: Vec<Link>,
    start: Option<Start>,
    control: Option<Control>,
    /// Files before format 2 tell of neither.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    telemetry: Vec<Telemetry>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    roams: Vec<Roam>,
}

impl Judged {
    fn of(run: &RunRecord, judgement: &Judgement) -> Self {
        Self {
            verdict: Some(words::verdict(judgement.verdict)),
            reasons: judgement.reasons.clone(),
            goodput_mbps: mbps(judgement.goodput_bps),
            applications: applications(judgement),
            doubts: judgement.doubts.clone(),
            checks: judgement.checks.clone(),
            cautions: judgement.cautions.clone(),
            window: Some(Window::of(judgement)),
            run: Run::of(run),
            clients: setting::clients(run),
            environment: setting::environment(run),
            links: setting::links(run),
            start: Start::of(run),
            control: Control::of(run),
            telemetry: beside::telemetry(run),
            roams: beside::roams(run),
        }
    }
}

/// Set-ups that were run one after the other.
#[derive(Serialize)]
struct Comparison {
    verdict: Option<&'static str>,
    reasons: Vec<&'static str>,
    applications: Vec<Application>,
    setups: Vec<Setup>,
}

#[derive(Serialize)]
struct Setup {
    title: String,
    #[serde(flatten)]
    judged: Judged,
}

fn applications(judgement: &Judgement) -> Vec<Application> {
    judgement.applications.iter().map(Application::of).collect()
}

/// The distribution of a duration, in short.
#[derive(Serialize)]
struct Times {
    n: u64,
    p50: Option<f64>,
    p95: Option<f64>,
    p99: Option<f64>,
    max: Option<f64>,
    /// Which of them fall on operations that never completed.
    unsuccessful: Vec<&'static str>,
    /// Which of them lie past the top of what is kept apart (an hour).
    overflow: Vec<&'static str>,
}

impl Times {
    fn of(summary: &Summary) -> Self {
        let named = [("p50", summary.p50), ("p95", summary.p95), ("p99", summary.p99), ("max", summary.max)];
        let those = |kind: Reading| {
            named.iter().filter(|(_, reading)| *reading == kind).map(|(name, _)| *name).collect::<Vec<_>>()
        };
        Self {
            n: summary.n,
            p50: value_ms(summary.p50),
            p95: value_ms(summary.p95),
            p99: value_ms(summary.p99),
            max: value_ms(summary.max),
            unsuccessful: those(Reading::Unsuccessful),
            overflow: those(Reading::Overflow),
        }
    }
}

fn value_ms(reading: Reading) -> Option<f64> {
    match reading {
        Reading::Value(value) => round(millis(value)),
        Reading::TooFew | Reading::Unsuccessful | Reading::Overflow => None,
    }
}

/// A duration in milliseconds.
pub(crate) fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

/// A duration in seconds.
pub(crate) const fn seconds(duration: Duration) -> f64 {
    duration.as_secs_f64()
}

/// Bits per second as megabits per second.
fn mbps(bps: f64) -> Option<f64> {
    round(bps / 1e6)
}

/// A finite number to six decimals (a nanosecond of a millisecond, a bit of a megabit); `None` for what is no number.
pub(crate) fn round(value: f64) -> Option<f64> {
    // Past 2^53 / 10^6 a number has no such decimals to lose.
    let rounded = if value.abs() < 9e9 { (value * 1e6).round() / 1e6 } else { value };
    // No negative zero: it would be written as -0.0.
    rounded.is_finite().then_some(rounded + 0.0)
}

/// A share that is never none, however small: millionths, and every digit below a thousandth.
fn share(p: f64) -> f64 {
    if p < 1e-3 { p } else { round(p).unwrap_or(p) }
}

fn write(document: &impl Serialize) -> String {
    // Only numbers, strings, lists and maps with string keys: JSON has a form for all of them.
    let json = serde_json::to_string_pretty(document).unwrap_or_default();
    let mut text = String::with_capacity(json.len() + 1);
    for c in json.chars() {
        // serde_json leaves some characters as they are that a terminal acts on. Only strings can hold them, and there
        // an escape means the same: RFC 8259 §7.
        if is_unsafe(c) && c != '\n' {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                text.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            text.push(c);
        }
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_finite_and_carry_no_binary_dust() {
        assert_eq!(round(0.1 + 0.2), Some(0.3));
        assert_eq!(mbps(118_123_456.789), Some(118.123_457));
        assert_eq!(round(f64::NAN), None);
        assert_eq!(round(f64::NEG_INFINITY), None);
        assert!(round(-0.0).is_some_and(f64::is_sign_positive));
        assert_eq!(round(millis(Duration::from_nanos(812_345_678))), Some(812.345_678));
    }

    #[test]
    fn quantiles_that_have_no_value_are_named() {
        let value = Reading::Value(Duration::from_millis(12));
        let summary =
            Summary { n: 80, p50: value, p95: Reading::Overflow, p99: Reading::TooFew, max: Reading::Unsuccessful };
        let times = Times::of(&summary);
        assert_eq!((times.p50, times.p95, times.p99, times.max), (Some(12.0), None, None, None));
        assert_eq!((times.unsuccessful, times.overflow), (vec!["max"], vec!["p95"]));
    }

    #[test]
    fn a_failure_document_keeps_the_message_and_escapes_what_a_terminal_would_act_on() {
        let text = render_error("no \u{9b}2J such\u{202e} \"file\"\n\x1b[31m", 4);
        assert!(text.contains(r#"no \u009b2J such\u202e \"file\"\n\u001b[31m"#), "{text}");
        let back: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(back["error"], "no \u{9b}2J such\u{202e} \"file\"\n\x1b[31m");
        assert!(back["verdict"].is_null());
    }
}
