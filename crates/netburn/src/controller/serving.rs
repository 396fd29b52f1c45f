//! Where a scenario's own server listens: in its lab, for this machine alone, or for devices elsewhere.

use std::net::SocketAddr;

use anyhow::{Context, Result};
use netburn_io::server::DoorKeeper;
use netburn_lab::Lab;

use super::reach::{self, Named};
use super::server::{LocalServer, Place};
use crate::scenario::{Scenario, ServerChoice, Via};

/// A server of our own, up.
#[derive(Debug)]
pub(super) struct Serving {
    pub(super) server: LocalServer,
    /// What devices that join by its port are handed over through.
    pub(super) door: Option<DoorKeeper>,
    /// Whether it listens on all addresses.
    pub(super) everywhere: bool,
}

/// Starts the server that a scenario wants, where it wants one of its own; with a door, where one is wanted and devices are
/// elsewhere.
pub(super) async fn serve(scenario: &Scenario, lab: Option<&Lab>, with_door: bool) -> Result<Option<Serving>> {
    if matches!(scenario.server, ServerChoice::Url(_)) {
        return Ok(None);
    }
    let elsewhere = scenario.devices.iter().any(|device| matches!(device.via, Via::Ssh(_) | Via::Join));
    let near = match lab {
        Some(lab) => Place::Lab(lab),
        None if elsewhere => return serve_everywhere(named(scenario).as_ref(), with_door).await.map(Some),
        None => Place::Loopback,
    };
    let server = LocalServer::start(near, None).await?;
    Ok(Some(Serving { server, door: None, everywhere: false }))
}

/// The name of this machine, where the scenario says it.
pub(super) fn named(scenario: &Scenario) -> Option<Named> {
    match &scenario.server {
        ServerChoice::Local { address: Some(address) } => Some(Named::parse(address)),
        _ => None,
    }
}

/// Another program may take the port between the look at it and its use; where nobody named the port, any other will do.
async fn serve_everywhere(named: Option<&Named>, with_door: bool) -> Result<Serving> {
    let address = reach::listen_address(named)?;
    match serve_at(address, with_door).await {
        Err(_) if !named.is_some_and(Named::has_port) => serve_at(SocketAddr::new(address.ip(), 0), with_door).await,
        started => started,
    }
}

async fn serve_at(address: SocketAddr, with_door: bool) -> Result<Serving> {
    let (door, far) = if with_door {
        let (door, far) = DoorKeeper::pair().context("cannot make a door for devices that join")?;
        (Some(door), Some(far))
    } else {
        (None, None)
    };
    let server = LocalServer::start(Place::Everywhere(address), far).await?;
    Ok(Serving { server, door, everywhere: true })
}
