//! A scenario of one device, from the command line instead of from a file.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

use super::diagnostic::{Problems, quoted};
use super::file::DURATIONS;
use super::quantity::{exact, server_url};
use super::{Scenario, ScenarioErrors, parse, preset};
use crate::suggest;

/// This device alone, running presets against a server at `http://HOST:PORT`.
///
/// The scenario's text is a file that would do the same.
///
/// # Errors
/// Unknown presets, presets that stand twice, a server or a duration that cannot be.
// Owned, so that the caller's command line can be moved in.
pub fn single_client(
    workloads: &[String],
    server: String,
    duration: Duration,
    seed: u64,
) -> Result<Scenario, ScenarioErrors> {
    let mut problems = Problems::default();
    check_workloads(workloads, &mut problems);
    let url = server_url(&server);
    if let Err(hint) = url {
        problems.report_with(None, format!("{} is no server", quoted(&server)), hint);
    }
    if !DURATIONS.contains(&duration) {
        let (least, most) = (exact(*DURATIONS.start()), exact(*DURATIONS.end()));
        problems.report(None, format!("duration: between {least} and {most}, found {}", exact(duration)));
    }
    match url {
        Ok(url) if problems.is_empty() => {
            let mut scenario = parse("", &text(workloads, &url, duration, seed))?;
            // Nobody wrote this text: a warning that points into it would only puzzle.
            scenario.warnings.iter_mut().for_each(|warning| warning.place = None);
            Ok(scenario)
        }
        _ => Err(problems.into_errors("", "")),
    }
}

fn check_workloads(workloads: &[String], problems: &mut Problems) {
    if workloads.is_empty() {
        problems.report_with(None, "nothing to run", suggest::hint("", preset::names()));
    }
    let mut seen = BTreeSet::new();
    for name in workloads {
        if !preset::names().any(|known| known == name) {
            problems.report_with(
                None,
                format!("unknown workload {}", quoted(name)),
                suggest::hint(name, preset::names()),
            );
        } else if !seen.insert(name) {
            problems.report(None, format!("workload {} stands twice", quoted(name)));
        }
    }
}

/// Nothing that goes in needs escaping: presets' names are our own, and a checked URL has neither quotes nor backslashes.
fn text(workloads: &[String], url: &str, duration: Duration, seed: u64) -> String {
    let run: Vec<String> = workloads.iter().map(|name| format!("\"{name}\"")).collect();
    let mut text = String::from("name = \"this device\"\n");
    // Writing to a String cannot fail.
    let _ = write!(text, "duration = \"{}\"\nseed = {seed}\nserver = \"{url}\"\n", exact(duration));
    let _ = write!(text, "\n[[client]]\nname = \"this-device\"\nrun = [{}]\n", run.join(", "));
    text
}
