//! What a check of the fleet needs of a run: its lab, its server, its agents and tasks, without the run.

use std::net::IpAddr;

use anyhow::Result;
use burn_model::plan::Plan;
use netburn_io::protocol::RunToken;
use netburn_lab::Lab;

use super::gather::own_agent;
use super::server::LocalServer;
use super::serving::serve;
use super::{build_lab, random_bits, reach};
use crate::control::message::{Assignment, Source};
use crate::fleet::link::Link;
use crate::scenario::{Device, Scenario, ServerChoice, Via};

/// The lab and the server of a scenario, up as they would be for a run.
#[derive(Debug)]
pub(crate) struct Ground<'a> {
    scenario: &'a Scenario,
    lab: Option<&'a Lab>,
    server: Option<LocalServer>,
    token: RunToken,
}

/// Builds a scenario's lab, where it has one. The process must have one thread; see [`super::execute`].
pub(crate) fn lab(scenario: &Scenario) -> Result<Option<Lab>> {
    scenario.lab.as_ref().map(|lab| build_lab(lab, scenario)).transpose()
}

impl<'a> Ground<'a> {
    /// Starts the server, where the scenario wants one of its own.
    pub(crate) async fn prepare(scenario: &'a Scenario, lab: Option<&'a Lab>) -> Result<Self> {
        let token = RunToken::from_bits(random_bits()?);
        let server = serve(scenario, lab, false).await?.map(|serving| serving.server);
        Ok(Self { scenario, lab, server, token })
    }

    /// Starts the agent of a device on this machine.
    pub(crate) fn own_agent(&self, number: usize, via: &Via) -> Result<Link> {
        own_agent(number, via, self.lab)
    }

    /// The server under the name by which a device reaches it; nothing where that is not known.
    pub(crate) fn url_for(&self, via: &Via, seen_from: Option<IpAddr>) -> Option<String> {
        let (address, server) = match (&self.scenario.server, &self.server) {
            (ServerChoice::Url(url), _) => return Some(url.clone()),
            (ServerChoice::Local { address }, Some(server)) => (address, server),
            (ServerChoice::Local { .. }, None) => return None,
        };
        let Via::Ssh(destination) = via else { return Some(server.url().to_owned()) };
        let host = match address {
            Some(address) => reach::Named::parse(address).host().to_owned(),
            None => reach::host_for(seen_from, destination.host())?,
        };
        Some(format!("http://{}", reach::with_port(&host, server.port())))
    }

    /// A device's task in the run.
    pub(crate) fn assignment(&self, device: &Device, url: String) -> Assignment {
        let plan = &self.scenario.plan;
        let populations = plan.clients.iter().flat_map(|client| &client.populations);
        let connections = populations.map(netburn_io::client::connections_needed).sum();
        let own = plan.clients.get(device.clients.clone()).unwrap_or_default().to_vec();
        let clients = device.clients.clone().map(|client| u32::try_from(client).unwrap_or(u32::MAX)).collect();
        let source = Source::Server { url, token: self.token };
        let plan = Plan { clients: own, ..plan.clone() };
        Assignment { plan, clients, connections, asks_server: false, source }
    }

    /// Ends the server.
    pub(crate) async fn end(self) {
        if let Some(server) = self.server {
            server.end().await;
        }
    }
}
