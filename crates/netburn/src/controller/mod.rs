//! The controller: brings up what a scenario needs, conducts the run, keeps its record, and judges it.
//!
//! Decisions are not made here: when to start and whom to give up is [`crate::control::session`]'s, what it all
//! means is the model's. Here are the processes, streams, signals and files around them.

mod conduct;
mod gather;
pub(crate) mod ground;
mod keeper;
pub(crate) mod process;
mod reach;
mod roster;
mod server;
mod serving;
pub(crate) mod signals;
mod solo;
mod traffic;

use std::net::SocketAddr;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};
use burn_model::judge::{Judgement, judge};
use burn_model::record::{DeviceRecord, FORMAT, Header, RunEvent};
use burn_model::run::RunRecord;
use netburn_lab::{Lab, LabSpec, RadioSpec, StationSpec};

use crate::control::message::Source;
use crate::control::session::{Attendance, Part};
use crate::facts::{self, Interface};
use crate::fleet::lobby::Patience;
use crate::scenario::{self, Device, Scenario, Via};
use conduct::{Conductor, Role};
use gather::Gathered;
use keeper::Keeper;
use roster::Roster;
use signals::Signals;

/// What a run needs to know beyond its scenario.
#[derive(Clone, Debug)]
pub struct Options {
    /// Folder for the run file.
    pub out: PathBuf,
    /// Whether to show progress on stderr while the run goes on.
    pub progress: bool,
    /// Any web server instead of a netburn server: its one URL, as a first fetch showed it.
    pub url: Option<Source>,
    /// How devices join by themselves.
    pub joining: Joining,
    /// Whether this program may be copied to devices that lack it.
    pub push: bool,
    /// Whether each client is measured alone before all of them together.
    pub solo_first: bool,
}

/// How devices join by themselves, where a scenario has such.
#[derive(Clone, Copy, Debug, Default)]
pub struct Joining {
    /// Where they do, where our own server's port is not the one.
    pub lobby: Option<SocketAddr>,
    /// How long they are waited for.
    pub patience: Patience,
}

/// A run that took place.
#[derive(Debug)]
pub struct Finished {
    /// The run file.
    pub path: PathBuf,
    /// What it recorded.
    pub run: RunRecord,
    /// What it means.
    pub judgement: Judgement,
    /// What kept the run file from being whole, where something did.
    pub record_lost: Option<String>,
}

/// Runs a scenario.
///
/// Where it has a lab and the caller may not make network namespaces, this moves the whole process into a user
/// namespace, so it must be called while the process has one thread.
///
/// # Errors
/// Where the run could not take place: with what, and how to mend it.
pub fn execute(scenario: &Scenario, options: &Options) -> Result<Finished> {
    let id = random_bits()?;
    let mut keeper = Keeper::create(&options.out, &scenario.plan.name, id)?;
    let lab = scenario.lab.as_ref().map(|lab| build_lab(lab, scenario)).transpose();
    let outcome = lab.and_then(|lab| {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("cannot start the controller")?;
        runtime.block_on(run(scenario, options, lab.as_ref(), &mut keeper, id))
    });
    match outcome {
        Ok(()) => {
            let (path, run, record_lost) = keeper.into_parts();
            let judgement = judge(&run);
            Ok(Finished { path, run, judgement, record_lost })
        }
        Err(error) => {
            keeper.abandon(format!("{error:#}"));
            Err(error)
        }
    }
}

async fn run(scenario: &Scenario, options: &Options, lab: Option<&Lab>, keeper: &mut Keeper, id: u128) -> Result<()> {
    let mut signals = Signals::listen()?;
    let gathered = tokio::select! {
        gathered = gather::gather(scenario, lab, options) => gathered?,
        // Dropping what was gathered so far ends it.
        wish = signals.next() => bail!("{} before the load started", wish.by()),
    };
    let Gathered { roster, server, sources, ties } = gathered;
    let Some(source) = sources.first() else { bail!("the scenario has no client") };
    let mut conductor = Conductor::new(roster, server, lab, signals, options.progress);
    let attendance = match options.joining.patience {
        Patience::ForAll(_) => Attendance::Everybody,
        Patience::ForThoseWhoCome(_) => Attendance::WhoeverIsThere,
    };
    let alone = if options.solo_first {
        match solo::measure(scenario, &sources, &options.out, attendance, &mut conductor).await {
            Ok(alone) => alone,
            Err(error) => {
                conductor.end().await;
                ties.close().await;
                return Err(error);
            }
        }
    } else {
        Vec::new()
    };
    keeper.record(&RunEvent::Opened(Box::new(header(scenario, source, id))));
    scenario.devices.iter().for_each(|device| keeper.record(&RunEvent::Device(device_record(device, scenario))));
    keeper.record(&RunEvent::Environment { host: "controller".to_owned(), facts: facts::collect(Interface::Unknown) });
    alone.iter().for_each(|rate| keeper.record(rate));
    // What the radios counted before is of the solo runs.
    let before = conduct::links(scenario, lab).unwrap_or_default();
    let roles = roles(scenario, &conductor.roster, sources);
    let ending = conductor.conduct(&scenario.plan, roles, attendance, keeper).await;
    // The counters before the agents go: nothing of ours may still run when the lab is taken down.
    match conduct::links(scenario, lab) {
        Ok(mut links) => {
            for (link, before) in links.iter_mut().zip(&before) {
                link.bytes = link.bytes.saturating_sub(before.bytes);
                link.packets = link.packets.saturating_sub(before.packets);
                link.drops = link.drops.saturating_sub(before.drops);
            }
            links.into_iter().for_each(|link| keeper.record(&RunEvent::Link(link)));
        }
        // They are a check of what was measured, not a part of it.
        Err(error) => {
            conductor.note(&format!("the radios' counters could not be read, so the report goes without: {error:#}"));
        }
    }
    // The record is whole before anything is waited for that may hang: a device, or a terminal that takes nothing.
    let ending = ending.map(|ending| keeper.close(ending));
    conductor.end().await;
    ties.close().await;
    ending
}

/// What each device does in the run.
fn roles(scenario: &Scenario, roster: &Roster, sources: Vec<Source>) -> Vec<Role> {
    let role = |(number, (device, source)): (usize, (&Device, Source))| Role {
        device: number,
        part: Part {
            name: device.name.clone(),
            clients: device.clients.clone(),
            source,
            patience: roster.patience(number),
            absent: None,
        },
    };
    scenario.devices.iter().zip(sources).enumerate().map(role).collect()
}

/// A device as the run file names it.
fn device_record(device: &Device, scenario: &Scenario) -> DeviceRecord {
    let radio = |radio: usize| {
        let lab = scenario.lab.as_ref().and_then(|lab| lab.radios.get(radio));
        lab.map_or_else(String::new, |radio| radio.name.clone())
    };
    let via = match &device.via {
        Via::Local => "local".to_owned(),
        Via::Lab { radio: number } => format!("lab {}", radio(*number)),
        Via::Ssh(destination) => format!("ssh {destination}"),
        Via::Join => "join".to_owned(),
    };
    let clients = device.clients.clone().filter_map(|client| u32::try_from(client).ok()).collect();
    DeviceRecord { name: device.name.clone(), via, clients }
}

fn header(scenario: &Scenario, source: &Source, id: u128) -> Header {
    let (server, verified_server) = match source {
        Source::Server { url, .. } => (url.clone(), true),
        Source::Url { url, .. } => (url.clone(), false),
    };
    Header {
        format: FORMAT,
        program: facts::PROGRAM.to_owned(),
        run: format!("{id:032x}"),
        started_at: jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        verified_server,
        server,
        digest: scenario.plan.digest(),
        plan: scenario.plan.clone(),
        scenario: (!scenario.text.is_empty()).then(|| scenario.text.clone()),
        remarks: scenario.remarks.clone(),
    }
}

/// Builds the emulated network of a scenario, in a user namespace of our own where that is needed.
fn build_lab(plan: &scenario::Lab, scenario: &Scenario) -> Result<Lab> {
    if netburn_lab::needs_user_namespace() {
        netburn_lab::enter_user_namespace()?;
    }
    let radios = plan
        .radios
        .iter()
        .map(|radio| RadioSpec { name: radio.name.clone(), rate_bps: radio.rate.as_bps(), queue: radio.queue })
        .collect();
    let stations = scenario.devices.iter().map(|device| match &device.via {
        Via::Lab { radio } => Ok(StationSpec { name: device.name.clone(), radio: *radio }),
        Via::Local | Via::Ssh(_) | Via::Join => Err(anyhow!(
            "client '{}' is not in the lab, but others are: give it a via = \"lab:RADIO\" too",
            device.name
        )),
    });
    let stations = stations.collect::<Result<_>>()?;
    Ok(Lab::build(&LabSpec { radios, stations })?)
}

/// 128 random bits from the operating system.
fn random_bits() -> Result<u128> {
    use std::io::Read;
    let mut bytes = [0; 16];
    let read = std::fs::File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut bytes));
    read.context("cannot read /dev/urandom, which the run's token comes from")?;
    Ok(u128::from_be_bytes(bytes))
}
