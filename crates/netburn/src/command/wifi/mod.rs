//! `netburn wifi`: what this device is connected to, what its access point advertises, and what a router's label says.

mod connection;
mod explain;
mod json;
mod layout;
mod meaning;

use netburn_wifi::{Beacon, Radio, Station, WifiError, interfaces};

use super::{Failure, print};
use crate::cli::{Wifi, WifiTopic};
use crate::exit::Exit;

/// What one Wi-Fi interface is connected to: both absent where it is not connected.
struct Seen {
    interface: String,
    station: Option<Station>,
    beacon: Option<Beacon>,
}

pub(super) fn wifi(args: &Wifi) -> Result<Exit, Failure> {
    if let Some(WifiTopic::Explain { label }) = &args.topic {
        print(&explain::explain(label));
        return Ok(Exit::Good);
    }
    let names = match &args.interface {
        Some(name) => vec![name.clone()],
        None => interfaces().map_err(failure)?,
    };
    if names.is_empty() {
        return Err(Failure { exit: Exit::CouldNot, message: NO_INTERFACE.to_owned() });
    }
    let seen = names.into_iter().map(look).collect::<Result<Vec<Seen>, _>>().map_err(failure)?;
    if args.json {
        print(&json::document(&seen));
    } else {
        let texts: Vec<String> = seen.iter().map(connection::text).collect();
        print(&texts.join("\n\n"));
    }
    Ok(Exit::Good)
}

const NO_INTERFACE: &str = "this system has no Wi-Fi interface that could be connected to a network";

fn look(interface: String) -> Result<Seen, WifiError> {
    let mut radio = Radio::open(&interface)?;
    let station = radio.station()?;
    let beacon = if station.is_some() { radio.beacon()? } else { None };
    Ok(Seen { interface, station, beacon })
}

/// A name that is no interface's was typed wrong; all else could not be done.
fn failure(error: WifiError) -> Failure {
    match error {
        WifiError::NoSuchInterface { .. } => Failure::usage(error),
        error => Failure::could_not(&error.into()),
    }
}
