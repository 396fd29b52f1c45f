//! What the author of a scenario would want to know before running it. Nothing here keeps it from being run.

use std::net::IpAddr;
use std::time::Duration;

use burn_model::goal::{Bound, Counts};
use burn_model::plan::{Arrival, Plan, Population};
use burn_model::units::format_duration;

use super::diagnostic::{Problems, quoted};
use super::file::{ClientEntry, File};
use super::quantity::{exact, host_and_port, names_port};
use super::workload::largest_bad;
use super::{Device, ServerChoice, Via, device};

/// More people than this on one device are asked whether it can carry them: a Raspberry Pi has four cores, and each
/// client is a thread that must be there when its operations are due.
const MANY_CLIENTS: usize = 100;

/// What belongs into every report of the scenario.
pub(super) fn remarks(read: &File, devices: &[Device]) -> Vec<String> {
    let local = matches!(read.server, ServerChoice::Local { .. });
    let one_machine = local && devices.iter().all(|device| device.via == Via::Local);
    let remark =
        "Server and clients share one machine and nothing is shaped: this tells of the machine, not of a network.";
    one_machine.then(|| remark.to_owned()).into_iter().collect()
}

/// Reports what may not turn out as meant.
pub(super) fn warn(read: &File, plan: &Plan, devices: &[Device], warnings: &mut Problems) {
    warn_of_server(read, devices, warnings);
    if let (Some(radio), false) =
        (read.radios.first(), devices.iter().any(|device| matches!(device.via, Via::Lab { .. })))
    {
        warnings.report_with(
            radio.name_at.clone(),
            "there are radios, but no client is in the lab",
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
    for (client, entry) in device::first_clients(plan, read) {
        let who = match (&entry.name, entry.count) {
            (Some(name), Some(count)) if count > 1 => format!("each of {name}"),
            _ => client.name.clone(),
        };
        for (population, (_, at)) in client.populations.iter().zip(&entry.run) {
            for warning in doubts(population, plan.duration) {
                warnings.report(at.clone(), format!("{} on {who}: {warning}", population.name));
            }
        }
        warn_of_group(entry, warnings);
    }
}

/// A server may be meant for another port, or may be one that devices elsewhere cannot reach.
fn warn_of_server(read: &File, devices: &[Device], warnings: &mut Problems) {
    let at = || read.server_at.clone();
    let elsewhere = devices.iter().find(|device| matches!(device.via, Via::Ssh(_) | Via::Join));
    let authority = match &read.server {
        ServerChoice::Url(url) => {
            if !names_port(url) {
                let hint = "`netburn serve` listens on 4040 unless told otherwise";
                warnings.report_with(at(), "the server has no port, so 80 is meant", hint);
            }
            url.trim_start_matches("http://")
        }
        ServerChoice::Local { address } => address.as_deref().unwrap_or_default(),
    };
    if let (Some(device), true) = (elsewhere, is_loopback(host_and_port(authority).0)) {
        let what = format!("{} is another device, to which this address means itself", device.name);
        warnings.report_with(at(), what, "write the address that this machine has in the network");
    }
}

fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost") || address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// A device plays each client of a group in a thread of its own, with connections of its own.
fn warn_of_group(entry: &ClientEntry, warnings: &mut Problems) {
    let Some(count) = entry.count else { return };
    let name = entry.name.as_deref().unwrap_or_default();
    if count > MANY_CLIENTS {
        let what = format!(
            "{name} plays {count} people, each in a thread of its own: a small device may become what is measured"
        );
        warnings.report_with(entry.count_at.clone(), what, "share them out among several devices");
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
