//! Brings together all that a run needs: the devices with an agent on each, and the server.
//!
//! In this order: whatever may have a question for the person first (logins), then what takes long but asks nothing
//! (copying programs), then the server, then the devices that people must walk to (the lobby), and this machine's own
//! agents last. Nothing is under load before all are there. Whoever is missing is named with the reason, all in one
//! message.

mod joining;
mod secure_shell;

use std::time::Duration;

use anyhow::{Result, bail};
use netburn_io::protocol::RunToken;
use netburn_io::server::DoorKeeper;
use netburn_lab::Lab;

use super::process::own_program;
use super::roster::Roster;
use super::server::LocalServer;
use super::serving::{Serving, named, serve};
use super::{Options, random_bits, reach};
use crate::control::message::Source;
use crate::fleet::link::Link;
use crate::fleet::lobby::{Patience, WayIn};
use crate::scenario::{Device, Scenario, ServerChoice, Via};

/// An agent on this machine that is silent for so long under load is lost: nothing but a fault keeps it from speaking.
const LOCAL_PATIENCE: Duration = Duration::from_secs(5);

/// All that a run needs.
#[derive(Debug)]
pub(super) struct Gathered {
    pub(super) roster: Roster,
    pub(super) server: Option<LocalServer>,
    /// For each device, where its bytes come from: the server under the name by which that device reaches it.
    pub(super) sources: Vec<Source>,
    pub(super) ties: Ties,
}

/// What carries the links to devices elsewhere, and must live as long as they.
#[derive(Debug)]
pub(super) struct Ties {
    logins: secure_shell::Logins,
    lobby: Option<joining::Host>,
}

impl Ties {
    /// Lets go of all devices, in order.
    pub(super) async fn close(self) {
        if let Some(lobby) = self.lobby {
            lobby.close().await;
        }
        self.logins.close().await;
    }
}

/// A device on its way into the roster.
#[derive(Debug)]
struct Arriving {
    /// `HOST` or `HOST:PORT` by which it reaches this machine, where that is known.
    host: Option<String>,
    link: Result<Link, String>,
}

/// Brings all together.
///
/// # Errors
/// Where a device is missing and the run should not start without it; where there is no server.
pub(super) async fn gather(scenario: &Scenario, lab: Option<&Lab>, options: &Options) -> Result<Gathered> {
    let mut gathering = Gathering { scenario, lab, options, arriving: scenario.devices.iter().map(|_| None).collect() };
    let logins = gathering.log_in().await;
    gathering.insist_on_all()?;
    let (server, door) = gathering.serve().await?.map_or((None, None), |serving| (Some(serving.server), serving.door));
    let lobby = gathering.wait_for_guests(server.as_ref(), door).await?;
    gathering.start_own_agents();
    let sources = gathering.sources(server.as_ref())?;
    let links = scenario.devices.iter().zip(&mut gathering.arriving).map(|(device, arriving)| {
        let link = arriving.take().map_or_else(|| Err("it did not join".to_owned()), |arriving| arriving.link);
        (device.name.clone(), link)
    });
    let roster = Roster::gather(links.collect()).await;
    let absent = scenario
        .devices
        .iter()
        .enumerate()
        .filter_map(|(number, device)| Some(format!("{}: {}", device.name, roster.absent(number)?)));
    let absent: Vec<String> = absent.collect();
    if !absent.is_empty() && gathering.wants_all() {
        roster.end().await;
        bail!(missing(&absent));
    }
    Ok(Gathered { roster, server, sources, ties: Ties { logins, lobby } })
}

/// One message for all who are missing.
fn missing(absent: &[String]) -> String {
    let start_anyway = "--start-anyway starts without those who are missing";
    match absent {
        [one] => format!("a device is not there, so nothing was started: {one} ({start_anyway})"),
        _ => format!(
            "{} devices are not there, so nothing was started ({start_anyway}):\n  {}",
            absent.len(),
            absent.join("\n  ")
        ),
    }
}

/// The gathering under way.
struct Gathering<'a> {
    scenario: &'a Scenario,
    lab: Option<&'a Lab>,
    options: &'a Options,
    /// By device; none where nothing was tried yet.
    arriving: Vec<Option<Arriving>>,
}

impl Gathering<'_> {
    const fn wants_all(&self) -> bool {
        matches!(self.options.joining.patience, Patience::ForAll(_))
    }

    /// Reaches all devices by ssh.
    async fn log_in(&mut self) -> secure_shell::Logins {
        let by_ssh = |(number, device): (usize, &Device)| match &device.via {
            Via::Ssh(destination) => Some((number, (device.name.clone(), destination.clone()))),
            _ => None,
        };
        let (numbers, devices): (Vec<usize>, Vec<_>) =
            self.scenario.devices.iter().enumerate().filter_map(by_ssh).unzip();
        let (logins, outcomes) = secure_shell::reach(devices, self.options.push, self.options.progress).await;
        for (number, outcome) in numbers.into_iter().zip(outcomes) {
            let (host, link) = match outcome {
                Ok(reached) => (reached.host, Ok(reached.link)),
                Err(reason) => (None, Err(reason)),
            };
            self.arriving[number] = Some(Arriving { host, link });
        }
        logins
    }

    /// Ends here where somebody is missing already: nobody should walk to other devices for nothing.
    fn insist_on_all(&self) -> Result<()> {
        if !self.wants_all() {
            return Ok(());
        }
        let missing_one = |(device, arriving): (&Device, &Option<Arriving>)| match arriving {
            Some(Arriving { link: Err(reason), .. }) => Some(format!("{}: {reason}", device.name)),
            _ => None,
        };
        let absent: Vec<String> = self.scenario.devices.iter().zip(&self.arriving).filter_map(missing_one).collect();
        if absent.is_empty() { Ok(()) } else { bail!(missing(&absent)) }
    }

    /// Starts a server of our own, where there is to be one; with a door where devices join by its port.
    async fn serve(&self) -> Result<Option<Serving>> {
        if self.options.url.is_some() {
            return Ok(None);
        }
        let Some(serving) = serve(self.scenario, self.lab, !self.guests().is_empty()).await? else { return Ok(None) };
        if serving.everywhere {
            let line = format!("serving on port {} of all addresses of this machine", serving.server.port());
            secure_shell::say(self.options.progress, &line);
        }
        Ok(Some(serving))
    }

    /// Devices that are to join by themselves.
    fn guests(&self) -> Vec<usize> {
        let devices = self.scenario.devices.iter().enumerate();
        devices.filter(|(_, device)| device.via == Via::Join).map(|(number, _)| number).collect()
    }

    async fn wait_for_guests(
        &mut self,
        server: Option<&LocalServer>,
        door: Option<DoorKeeper>,
    ) -> Result<Option<joining::Host>> {
        let guests = self.guests();
        if guests.is_empty() {
            return Ok(None);
        }
        let way_in = match door {
            Some(door) => WayIn::Door(door),
            None => WayIn::listen(self.options.joining.lobby).await?,
        };
        let port = way_in.port().or_else(|| server.map(LocalServer::port)).unwrap_or_default();
        let host = named(self.scenario).map_or_else(reach::likely_host, |named| named.host().to_owned());
        let names = guests.iter().map(|number| self.scenario.devices[*number].name.clone()).collect();
        let (patience, progress) = (self.options.joining.patience, self.options.progress);
        let (lobby, arrived) = joining::wait(names, way_in, reach::with_port(&host, port), patience, progress).await?;
        for (number, guest) in guests.into_iter().zip(arrived) {
            self.arriving[number] = guest.map(|(link, host)| Arriving { host: Some(host), link: Ok(link) });
        }
        Ok(Some(lobby))
    }

    /// Starts the agents of this machine.
    fn start_own_agents(&mut self) {
        for (number, device) in self.scenario.devices.iter().enumerate() {
            if matches!(device.via, Via::Local | Via::Lab { .. }) {
                let link = own_agent(number, &device.via, self.lab).map_err(|error| format!("{error:#}"));
                self.arriving[number] = Some(Arriving { host: None, link });
            }
        }
    }

    /// For each device, where its bytes come from.
    fn sources(&self, server: Option<&LocalServer>) -> Result<Vec<Source>> {
        let devices = self.scenario.devices.iter().zip(&self.arriving);
        if let Some(source) = &self.options.url {
            return Ok(devices.map(|_| source.clone()).collect());
        }
        let token = RunToken::from_bits(random_bits()?);
        let sources = devices.map(|(device, arriving)| {
            let url = match (&self.scenario.server, server) {
                (ServerChoice::Url(url), _) => url.clone(),
                (ServerChoice::Local { .. }, Some(server)) => self.own_url(server, device, arriving.as_ref())?,
                (ServerChoice::Local { .. }, None) => bail!("there is no server to load"),
            };
            Ok(Source::Server { url, token })
        });
        sources.collect()
    }

    /// Our own server's URL for one device.
    fn own_url(&self, server: &LocalServer, device: &Device, arriving: Option<&Arriving>) -> Result<String> {
        match &device.via {
            Via::Local | Via::Lab { .. } => return Ok(server.url().to_owned()),
            Via::Ssh(_) | Via::Join => {}
        }
        let port = server.port();
        let own = |host: &str| format!("http://{}", reach::with_port(host, port));
        if let Some(named) = named(self.scenario) {
            return Ok(own(named.host()));
        }
        match arriving {
            // It has reached that address already, and the server has the same port.
            Some(Arriving { host: Some(host), .. }) if device.via == Via::Join => Ok(format!("http://{host}")),
            Some(Arriving { host: Some(host), .. }) => Ok(own(host)),
            // Whoever is not there needs none.
            None | Some(Arriving { link: Err(_), .. }) => Ok(server.url().to_owned()),
            Some(_) => bail!(
                "it is not known under which address {} reaches this machine: write server = \"local:ADDRESS\" into the scenario",
                device.name
            ),
        }
    }
}

/// An agent on this machine, in its ordinary network or behind a radio of the lab.
pub(super) fn own_agent(number: usize, via: &Via, lab: Option<&Lab>) -> Result<Link> {
    let mut command = own_program()?;
    command.args(["agent", "--stdio"]);
    if let (Via::Lab { .. }, Some(lab)) = (via, lab) {
        lab.station(number).attach(&mut command);
    }
    Link::of_process(command, LOCAL_PATIENCE)
}
