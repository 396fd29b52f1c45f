//! `netburn check`: is a scenario right?

use super::notes::note;
use super::{Failure, print};
use crate::cli::Check;
use crate::exit::Exit;
use crate::scenario::{self, Device, Scenario, Via, exact};

pub(super) fn check(args: &Check) -> Result<Exit, Failure> {
    let (name, text) = super::run::read_scenario(&args.scenario)?;
    let scenario = scenario::parse(&name, &text).map_err(Failure::usage)?;
    let plan = &scenario.plan;
    let mut lines = vec![note(&format!(
        "{name}: right. '{}': {} judged after {} of warm-up, seed {}, plan {}.",
        plan.name,
        exact(plan.duration),
        exact(plan.warm_up),
        plan.seed,
        plan.digest(),
    ))];
    lines.extend(scenario.devices.iter().map(|device| format!("  {}", described(device, &scenario))));
    lines.extend(scenario.remarks.iter().map(|remark| note(&format!("Note: {remark}"))));
    lines.extend(scenario.warnings.iter().map(|warning| note(&format!("Warning: {warning}"))));
    print(&lines.join("\n"));
    Ok(Exit::Good)
}

/// A device in a line: where it is, who plays on it, and what each of them does.
fn described(device: &Device, scenario: &Scenario) -> String {
    let clients = scenario.plan.clients.get(device.clients.clone()).unwrap_or_default();
    let populations = clients.first().map_or(&[][..], |client| &client.populations);
    let workloads: Vec<_> = populations.iter().map(|population| population.name.as_str()).collect();
    let workloads = workloads.join(", ");
    let radios = scenario.lab.as_ref().map_or(&[][..], |lab| &lab.radios);
    let place = match &device.via {
        Via::Local => "this machine".to_owned(),
        Via::Lab { radio } => format!("lab, {}", radios.get(*radio).map_or("", |radio| radio.name.as_str())),
        Via::Ssh(destination) => format!("ssh {destination}"),
        Via::Join => "joins by itself".to_owned(),
    };
    match clients {
        [client] if client.name == device.name => format!("{} ({place}): {workloads}", device.name),
        [client] => format!("{} ({place}), as {}: {workloads}", device.name, client.name),
        [first, .., last] => {
            let count = clients.len();
            format!("{} ({place}), {count} clients, {} to {}: {workloads} each", device.name, first.name, last.name)
        }
        [] => format!("{} ({place}): nobody", device.name),
    }
}
