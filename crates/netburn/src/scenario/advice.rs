//! What the author of a scenario would want to know before running it. Nothing here keeps it from being run.

use std::time::Duration;

use burn_model::goal::{Bound, Counts};
use burn_model::plan::{Arrival, Plan, Population};
use burn_model::units::format_duration;

use super::diagnostic::{Problems, quoted};
use super::file::File;
use super::quantity::{exact, names_port};
use super::workload::largest_bad;
use super::{ServerChoice, Via};

/// What belongs into every report of the scenario.
pub(super) fn remarks(read: &File, via: &[Via]) -> Vec<String> {
    let one_machine = read.server == ServerChoice::Local && via.iter().all(|via| *via == Via::Local);
    let remark =
        "Server and clients share one machine and nothing is shaped: this tells of the machine, not of a network.";
    one_machine.then(|| remark.to_owned()).into_iter().collect()
}

/// Reports what may not turn out as meant.
pub(super) fn warn(read: &File, plan: &Plan, in_lab: bool, warnings: &mut Problems) {
    if matches!(&read.server, ServerChoice::Url(url) if !names_port(url)) {
        let hint = "`netburn serve` listens on 4040 unless told otherwise";
        warnings.report_with(read.server_at.clone(), "the server has no port, so 80 is meant", hint);
    }
    if let (Some(radio), false) = (read.radios.first(), in_lab) {
        warnings.report_with(
            radio.name_at.clone(),
            "there are radios, but every client is local",
            format!("write via = \"lab:{}\" in a client", radio.name),
        );
    }
    for (name, spec) in &read.workloads {
        let run = plan.clients.iter().flat_map(|client| &client.populations);
        let liked = read.workloads.values().filter_map(|spec| spec.like.as_ref());
        if !run.map(|population| &population.name).chain(liked.map(|(name, _)| name)).any(|used| used == name) {
            warnings.report(spec.at.clone(), format!("no client runs workload {}", quoted(name)));
        }
    }
    for (client, entry) in plan.clients.iter().zip(&read.clients) {
        for (population, (_, at)) in client.populations.iter().zip(&entry.run) {
            for warning in doubts(population, plan.duration) {
                warnings.report(at.clone(), format!("{} on {}: {warning}", population.name, client.name));
            }
        }
    }
}

/// What a population's goals may not get out of so long a run.
fn doubts(population: &Population, judged: Duration) -> Vec<String> {
    let mut doubts: Vec<String> = too_few(population, judged).into_iter().collect();
    for goal in &population.goals {
        if let Bound::WindowGoodput { window, .. } = goal.bound
            && let Some((_, window)) = population.goodput_window(window)
            && window > judged
        {
            doubts.push(format!(
                "no window of {} fits into a judged time of {}",
                format_duration(window),
                exact(judged)
            ));
        }
    }
    if let Some(bad) = largest_bad(&population.goals) {
        if population.drain < bad {
            doubts.push(format!(
                "it drains for {}: operations cut off then cannot be known to be over {}",
                exact(population.drain),
                exact(bad)
            ));
        }
        if population.deadline < bad {
            doubts.push(format!(
                "its deadline of {} is shorter than {}, where its goal says it is useless: what times out counts as worse than that",
                exact(population.deadline),
                exact(bad)
            ));
        }
    }
    doubts
}

/// Whether the run is too short for a goal of the verdict on a quantile.
fn too_few(population: &Population, judged: Duration) -> Option<String> {
    let quantiles = population.goals.iter().filter(|goal| goal.counts == Counts::Verdict);
    let quantiles = quantiles.filter_map(|goal| match goal.bound {
        Bound::ResponseTime { quantile, good, .. } => Some((quantile, good)),
        _ => None,
    });
    let (needed, expected, quantile, period) = quantiles
        .filter_map(|(quantile, good)| {
            let period = period(population, good);
            let expected = judged.as_secs_f64() / period.as_secs_f64().max(1e-9);
            let needed = needed(quantile);
            (expected < needed).then_some((needed, expected, quantile, period))
        })
        .max_by(|a, b| (a.0 / a.1).total_cmp(&(b.0 / b.1)))?;
    let long_enough = (needed * period.as_secs_f64()).ceil();
    Some(format!(
        "a judged time of {} gives about {:.0} operation{}, and p{} cannot be told from fewer than {needed:.0}; {long_enough:.0} s would do",
        exact(judged),
        expected.floor(),
        if (1.0..2.0).contains(&expected) { "" } else { "s" },
        percent(quantile),
    ))
}

/// How many operations, none over the bound, show that a quantile holds.
///
/// The upper one-sided 95 % Clopper-Pearson bound on a share of which 0 of n were seen is 1 − 0.05^(1/n); it is at most
/// 1 − quantile from n = ln 0.05 / ln quantile on: 59 for p95, 299 for p99.
fn needed(quantile: f64) -> f64 {
    (0.05_f64.ln() / quantile.ln()).ceil()
}

/// How long it is from one operation to the next, on the cautious side: a closed population waits for pages that only
/// just meet their goal.
fn period(population: &Population, good: Duration) -> Duration {
    match population.arrival {
        Arrival::Constant { rate, .. } | Arrival::Poisson { rate } => rate.offset(1),
        Arrival::Closed { people, reading_time } => (reading_time + good) / people.max(1),
    }
}

/// 0.95 is 95, 0.999 is 99.9.
fn percent(quantile: f64) -> f64 {
    (quantile * 1e6).round() / 1e4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::float_cmp, reason = "whole numbers")]
    fn the_operations_needed_are_those_of_the_method() {
        assert_eq!(needed(0.95), 59.0);
        assert_eq!(needed(0.99), 299.0);
        // The median: 0.5^5 = 3.1 %, 0.5^4 = 6.3 %.
        assert_eq!(needed(0.5), 5.0);
    }

    #[test]
    fn quantiles_are_named_as_people_name_them() {
        assert_eq!(format!("p{} p{} p{}", percent(0.95), percent(0.999), percent(0.29)), "p95 p99.9 p29");
    }
}
