//! `netburn workloads`: what is shipped, with its goals.

use burn_model::goal::{Bound, Counts, Goal};
use burn_model::plan::{Arrival, Population};
use burn_report::layout::wrap;

use super::{Failure, print};
use crate::exit::Exit;
use crate::scenario::{Preset, exact, presets};

pub(super) fn workloads() -> Result<Exit, Failure> {
    let entries: Vec<String> = presets().iter().map(entry).collect();
    print(&format!("{}\n\nYour own: docs/SCENARIOS.md.", entries.join("\n\n")));
    Ok(Exit::Good)
}

fn entry(preset: &Preset) -> String {
    let goals: Vec<String> = match preset.goals() {
        [] => vec!["    no goals: its goodput, and what it did to the others".to_owned()],
        goals => goals.iter().map(|goal| format!("    {}", goal_line(goal))).collect(),
    };
    let population = population_kind(&preset.population);
    let description = wrap(&preset.description, 78).join("\n  ");
    format!("{}\n  {description}\n  {population}\n{}", preset.name, goals.join("\n"))
}

/// Whether its arrivals wait, and for whom.
fn population_kind(population: &Population) -> &'static str {
    match population.arrival {
        Arrival::Constant { .. } => "open: on schedule, whatever became of the one before",
        Arrival::Poisson { .. } => "open: at random moments, whatever became of the one before",
        Arrival::Closed { reading_time, .. } if reading_time.is_zero() => "closed: back to back",
        Arrival::Closed { .. } => "closed: a person waits for the page, then reads",
    }
}

/// A goal in a line: its figure, where it is good, where it is bad.
fn goal_line(goal: &Goal) -> String {
    let bound = match &goal.bound {
        Bound::ResponseTime { quantile, good, bad } => {
            format!("p{} of response time: good {}, bad {}", round(quantile * 100.0), exact(*good), exact(*bad))
        }
        Bound::FailedShare { good, bad } => {
            format!("failed: good {} %, bad {} %", round(good * 100.0), round(bad * 100.0))
        }
        Bound::WindowGoodput { window, floor } => {
            format!("goodput of every window of {}: {floor} or more", exact(*window))
        }
        Bound::StallRatio { good, bad } => {
            format!("stalled: good {} %, bad {} %", round(good * 100.0), round(bad * 100.0))
        }
        Bound::StartupTime { good, bad } => {
            format!("start-up: good {}, bad {}", exact(*good), exact(*bad))
        }
    };
    match goal.counts {
        Counts::Verdict => bound,
        Counts::Score => format!("{bound} (for the score only)"),
    }
}

/// Without the noise of a share's binary fraction.
fn round(percent: f64) -> f64 {
    (percent * 1e4).round() / 1e4
}
