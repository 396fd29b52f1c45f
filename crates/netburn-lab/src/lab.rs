//! A lab as a value: made whole, gone when it is dropped.

use std::io;
use std::net::IpAddr;
use std::process::Command;

use crate::counters::{self, RadioCounters};
use crate::iproute::{self, IP, TC};
use crate::namespace::Namespace;
use crate::settings::{self, CongestionControl};
use crate::spec::LabSpec;
use crate::{LabError, topology};

/// A household's network. Dropping it lets go of its namespaces; the kernel removes them, with all links and queues,
/// once no process lives in them.
#[derive(Debug)]
pub struct Lab {
    radios: Vec<String>,
    server: Host,
    hub: Namespace,
    /// Held, so that the radios live.
    _access_points: Vec<Namespace>,
    stations: Vec<Host>,
    congestion_control: CongestionControl,
}

/// The server, or a station.
#[derive(Debug)]
pub struct Host {
    namespace: Namespace,
    address: IpAddr,
}

impl Lab {
    /// Builds the household. Where this fails, nothing of it stays.
    ///
    /// # Errors
    /// [`LabError::Spec`] for what no lab can be, [`LabError::NotGranted`] where the machine does not let us,
    /// [`LabError::MissingProgram`] without iproute2, otherwise what the kernel refused.
    pub fn build(spec: &LabSpec) -> Result<Self, LabError> {
        spec.validate()?;
        let (hub, _) = prepared_namespace(true)?;
        let (server, congestion_control) = prepared_namespace(false)?;
        let end = || prepared_namespace(false).map(|(namespace, _)| namespace);
        let access_points = spec.radios.iter().map(|_| end()).collect::<Result<Vec<_>, _>>()?;
        let stations = spec.stations.iter().map(|_| end()).collect::<Result<Vec<_>, _>>()?;
        let with_cubic = congestion_control == CongestionControl::Cubic;

        let paths: Vec<_> = access_points.iter().map(Namespace::path).collect();
        let links = topology::hub_links(spec, &server.path(), &paths);
        let peers = access_points.iter().chain([&server]);
        run_in(&hub, IP, &links, peers)?;
        run_in(&hub, TC, &topology::hub_queues(spec), [])?;
        for (radio, access_point) in access_points.iter().enumerate() {
            let own = || stations.iter().enumerate().filter(move |(index, _)| spec.stations[*index].radio == radio);
            let paths: Vec<_> = own().map(|(index, station)| (index, station.path())).collect();
            let links = topology::access_point_links(paths.iter().map(|(index, path)| (*index, path.as_str())));
            run_in(access_point, IP, &links, own().map(|(_, station)| station))?;
            run_in(access_point, TC, &topology::access_point_queues(&spec.radios[radio]), [])?;
        }
        run_in(&server, IP, &topology::server_links(spec, with_cubic), [])?;
        for (index, station) in stations.iter().enumerate() {
            run_in(station, IP, &topology::station_links(spec, index, with_cubic), [])?;
        }

        let station_host =
            |(index, namespace)| Host { namespace, address: IpAddr::V4(topology::station_address(spec, index)) };
        Ok(Self {
            radios: spec.radios.iter().map(|radio| radio.name.clone()).collect(),
            server: Host { namespace: server, address: IpAddr::V4(topology::SERVER_ADDRESS) },
            hub,
            _access_points: access_points,
            stations: stations.into_iter().enumerate().map(station_host).collect(),
            congestion_control,
        })
    }

    /// The back-end server's host.
    #[must_use]
    pub fn server(&self) -> &Host {
        &self.server
    }

    /// Station number `index` of the spec.
    ///
    /// # Panics
    /// Where the spec had no such station.
    #[must_use]
    pub fn station(&self, index: usize) -> &Host {
        &self.stations[index]
    }

    /// What TCP connections between the lab's hosts run.
    #[must_use]
    pub fn congestion_control(&self) -> &CongestionControl {
        &self.congestion_control
    }

    /// What the kernel counted so far at each radio's downlink, in the spec's order.
    ///
    /// # Errors
    /// Where `tc` cannot be run, or says what cannot be understood.
    pub fn counters(&self) -> Result<Vec<RadioCounters>, LabError> {
        let printed = iproute::run_json(TC, &["-s", "-j", "qdisc", "show"], |command| self.hub.attach(command))?;
        let radios = self.radios.iter().enumerate();
        counters::parse(&printed, radios.map(|(index, name)| (name.as_str(), topology::radio_interface(index))))
    }
}

impl Host {
    /// Its address, which only the lab's hosts reach.
    #[must_use]
    pub fn address(&self) -> IpAddr {
        self.address
    }

    /// Lets the child of `command` start on this host. The host's network then lives as long as the child.
    pub fn attach(&self, command: &mut Command) {
        self.namespace.attach(command);
    }

    /// Runs `f` on this host, on a thread of its own, and waits for it. Sockets made there stay on the host.
    ///
    /// # Errors
    /// Where the thread cannot be started or may not enter.
    pub fn run_in<T: Send>(&self, f: impl FnOnce() -> T + Send) -> io::Result<T> {
        self.namespace.run(f)
    }
}

/// A new namespace with the lab's settings in it, and what its connections can run.
fn prepared_namespace(forwards: bool) -> Result<(Namespace, CongestionControl), LabError> {
    let namespace = Namespace::create()?;
    let applied = namespace.run(|| settings::apply(forwards));
    let congestion_control = applied.map_err(|source| LabError::Namespace { step: "enter", source })??;
    Ok((namespace, congestion_control))
}

/// Runs a script for `program` inside `namespace`, where the `peers` that it names by path can be found.
fn run_in<'a>(
    namespace: &Namespace,
    program: &'static str,
    script: &str,
    peers: impl IntoIterator<Item = &'a Namespace>,
) -> Result<(), LabError> {
    iproute::run_batch(program, script, |command| {
        namespace.attach(command);
        peers.into_iter().for_each(|peer| peer.lend(command));
    })
}
