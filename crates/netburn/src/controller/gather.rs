//! Brings the devices of a scenario together: an agent on each, and a link to it.

use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use netburn_lab::{Lab, end_with_spawning_thread};

use super::roster::Roster;
use crate::fleet::link::Link;
use crate::scenario::{Scenario, Via};

/// An agent on this machine that is silent for so long under load is lost: nothing but a fault keeps it from speaking.
const LOCAL_PATIENCE: Duration = Duration::from_secs(5);

/// Starts an agent for each device, where the scenario wants it.
pub(super) async fn gather(scenario: &Scenario, lab: Option<&Lab>) -> Result<Roster> {
    let links = scenario.devices.iter().enumerate().map(|(i, device)| {
        agent(i, &device.via, lab).with_context(|| format!("cannot start the agent of '{}'", device.name))
    });
    let links = links.map(|link| link.map(Ok)).collect::<Result<_>>()?;
    Ok(Roster::gather(links).await)
}

/// An agent on this machine, in its ordinary network or behind a radio of the lab.
fn agent(device: usize, via: &Via, lab: Option<&Lab>) -> Result<Link> {
    let mut command = own_program()?;
    command.args(["agent", "--stdio"]);
    match (via, lab) {
        (Via::Lab { .. }, Some(lab)) => lab.station(device).attach(&mut command),
        (Via::Lab { .. } | Via::Local, _) => {}
        (Via::Ssh(_) | Via::Join, _) => bail!("this version starts agents on this machine only"),
    }
    Link::of_process(command, LOCAL_PATIENCE)
}

/// This very program, in a process group of its own: a Ctrl-C is for the controller, which ends the others in order. One
/// that hangs does not hear that its stdin is closed, so the kernel ends it where the controller cannot.
pub(super) fn own_program() -> Result<Command> {
    let path = std::env::current_exe().context("cannot find this program's own file to start agents from")?;
    let mut command = Command::new(path);
    command.process_group(0);
    // The controller's one thread spawns all children, and lives as long as the run.
    end_with_spawning_thread(&mut command);
    Ok(command)
}
