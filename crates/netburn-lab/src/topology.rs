//! The lab as text for `ip` and `tc`: names, addresses, links, queues. Pure; nothing is run here.
//!
//! Interface names come from positions alone, never from what a user wrote. Link-layer addresses are given and every
//! neighbour is entered for good, so no ARP mixes with the counted packets or waits in a full queue.

use std::fmt::Write as _;
use std::net::Ipv4Addr;

use crate::queue::{bundle_frames, burst_bytes, queue_bytes};
use crate::settings::CUBIC;
use crate::spec::{LabSpec, RadioSpec};

/// The one interface of the server and of each station.
const ETH: &str = "eth0";
/// The hub's interface to the server.
const SERVER_PORT: &str = "srv";
/// An access point's interface to the hub.
const UPLINK: &str = "hub";
const BRIDGE: &str = "br0";

/// The hub's interface to radio number `index`.
pub(crate) fn radio_interface(index: usize) -> String {
    format!("radio{index}")
}

/// The server's address.
pub(crate) const SERVER_ADDRESS: Ipv4Addr = Ipv4Addr::new(10, 77, 0, 2);
const HUB_ADDRESS: Ipv4Addr = Ipv4Addr::new(10, 77, 0, 1);

/// The hub's address on the network of radio number `radio`.
fn radio_address(radio: usize) -> Ipv4Addr {
    Ipv4Addr::new(10, 77, octet(radio + 1), 1)
}

/// The address of station number `station`: its radio's network, its place among the radio's stations.
pub(crate) fn station_address(spec: &LabSpec, station: usize) -> Ipv4Addr {
    let radio = spec.stations[station].radio;
    let place = spec.stations[..station].iter().filter(|earlier| earlier.radio == radio).count();
    Ipv4Addr::new(10, 77, octet(radio + 1), octet(place + 2))
}

/// A valid spec has at most 8 radios and 250 stations, so none of these passes 251.
fn octet(number: usize) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}

/// A locally administered link-layer address, as unique as the IPv4 address in it.
fn link_address(address: Ipv4Addr) -> String {
    let [a, b, c, d] = address.octets();
    format!("02:00:{a:02x}:{b:02x}:{c:02x}:{d:02x}")
}

/// Lines for `ip` or `tc`, one command each.
#[derive(Default)]
struct Script(String);

impl Script {
    fn starting_with_loopback() -> Self {
        let mut script = Self::default();
        script.line(format_args!("link set dev lo up"));
        script
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.0, "{line}");
    }

    /// A link from here to [`ETH`] or [`UPLINK`] in the namespace at `path`.
    fn link(&mut self, here: &str, here_address: Option<Ipv4Addr>, there: &str, path: &str) {
        let address = here_address.map(|ip| format!(" address {}", link_address(ip))).unwrap_or_default();
        self.line(format_args!("link add name {here}{address} type veth peer name {there} netns {path}"));
    }

    fn neighbour(&mut self, address: Ipv4Addr, interface: &str) {
        let link = link_address(address);
        self.line(format_args!("neigh add {address} lladdr {link} dev {interface} nud permanent"));
    }
}

/// `ip` in the hub: its links to the server and to each access point, whose namespaces lie at these paths.
pub(crate) fn hub_links(spec: &LabSpec, server: &str, access_points: &[String]) -> String {
    let mut script = Script::starting_with_loopback();
    script.link(SERVER_PORT, Some(HUB_ADDRESS), ETH, server);
    script.line(format_args!("addr add {HUB_ADDRESS}/24 dev {SERVER_PORT}"));
    script.line(format_args!("link set dev {SERVER_PORT} up"));
    script.neighbour(SERVER_ADDRESS, SERVER_PORT);
    for (radio, path) in access_points.iter().enumerate() {
        let (interface, address) = (radio_interface(radio), radio_address(radio));
        script.link(&interface, Some(address), UPLINK, path);
        script.line(format_args!("addr add {address}/24 dev {interface}"));
        script.line(format_args!("link set dev {interface} up"));
    }
    for (index, station) in spec.stations.iter().enumerate() {
        script.neighbour(station_address(spec, index), &radio_interface(station.radio));
    }
    script.0
}

/// `tc` in the hub: every radio's downlink.
pub(crate) fn hub_queues(spec: &LabSpec) -> String {
    spec.radios.iter().enumerate().map(|(index, radio)| shaper(radio, &radio_interface(index))).collect()
}

/// `ip` in an access point: a bridge of its uplink and its stations, each the number of one and its namespace's path.
pub(crate) fn access_point_links<'a>(stations: impl IntoIterator<Item = (usize, &'a str)>) -> String {
    let mut script = Script::starting_with_loopback();
    script.line(format_args!("link add name {BRIDGE} type bridge mcast_snooping 0"));
    script.line(format_args!("link set dev {UPLINK} master {BRIDGE} up"));
    for (index, path) in stations {
        let port = format!("sta{index}");
        script.link(&port, None, ETH, path);
        script.line(format_args!("link set dev {port} master {BRIDGE} up"));
    }
    script.line(format_args!("link set dev {BRIDGE} up"));
    script.0
}

/// `tc` in an access point: the radio's uplink.
pub(crate) fn access_point_queues(radio: &RadioSpec) -> String {
    shaper(radio, UPLINK)
}

/// `ip` in the server.
pub(crate) fn server_links(spec: &LabSpec, with_cubic: bool) -> String {
    let slowest = spec.radios.iter().map(|radio| radio.rate_bps).min().unwrap_or_default();
    end_links(SERVER_ADDRESS, HUB_ADDRESS, slowest, with_cubic)
}

/// `ip` in station number `index`.
pub(crate) fn station_links(spec: &LabSpec, index: usize, with_cubic: bool) -> String {
    let radio = spec.stations[index].radio;
    end_links(station_address(spec, index), radio_address(radio), spec.radios[radio].rate_bps, with_cubic)
}

fn end_links(address: Ipv4Addr, gateway: Ipv4Addr, rate_bps: u64, with_cubic: bool) -> String {
    let mut script = Script::starting_with_loopback();
    let (link, frames) = (link_address(address), bundle_frames(rate_bps));
    script.line(format_args!("link set dev {ETH} address {link} gso_max_segs {frames} up"));
    script.line(format_args!("addr add {address}/24 dev {ETH}"));
    script.neighbour(gateway, ETH);
    // A route's algorithm holds for every connection over it, made or taken, whatever the namespace's default.
    let algorithm = if with_cubic { format!(" congctl {CUBIC}") } else { String::new() };
    script.line(format_args!("route add default via {gateway}{algorithm}"));
    script.0
}

/// One token bucket with one drop-tail queue of bytes.
///
/// `limit` and not `latency`: tc would add the burst to the queue, and the queue would take longer than asked.
fn shaper(radio: &RadioSpec, interface: &str) -> String {
    let rate = radio.rate_bps;
    let (limit, burst) = (queue_bytes(rate, radio.queue), burst_bytes(rate));
    format!("qdisc add dev {interface} root tbf rate {rate}bit limit {limit}b burst {burst}b\n")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::spec::StationSpec;

    fn household() -> LabSpec {
        let radio = |rate_bps| RadioSpec { name: "a; reboot".into(), rate_bps, queue: Duration::from_millis(300) };
        let station = |radio| StationSpec { name: "$(x)\n".into(), radio };
        LabSpec {
            radios: vec![radio(156_000_000), radio(80_000_000)],
            stations: vec![station(1), station(0), station(1)],
        }
    }

    #[test]
    fn a_shaper_has_the_queue_asked_for_and_four_milliseconds_of_burst() {
        // 156e6 bit/s · 4 ms / 8 = 78 000 bytes.
        assert_eq!(
            access_point_queues(&household().radios[0]),
            "qdisc add dev hub root tbf rate 156000000bit limit 5850000b burst 78000b\n"
        );
        assert_eq!(hub_queues(&household()).lines().count(), 2);
    }

    #[test]
    fn stations_are_numbered_within_their_radio() {
        let spec = household();
        let addresses: Vec<_> = (0..3).map(|index| station_address(&spec, index).to_string()).collect();
        assert_eq!(addresses, ["10.77.2.2", "10.77.1.2", "10.77.2.3"]);
    }

    #[test]
    fn the_last_of_250_stations_on_one_radio_has_an_address_of_its_own() {
        let mut spec = household();
        spec.stations = vec![StationSpec { name: String::new(), radio: 0 }; 250];
        assert_eq!(station_address(&spec, 249), Ipv4Addr::new(10, 77, 1, 251));
    }

    #[test]
    fn a_route_names_cubic_only_where_the_kernel_has_it() {
        assert!(server_links(&household(), true).ends_with("route add default via 10.77.0.1 congctl cubic\n"));
        assert!(server_links(&household(), false).ends_with("route add default via 10.77.0.1\n"));
    }

    #[test]
    fn nothing_that_a_user_named_reaches_a_script() {
        let spec = household();
        let paths = ["/proc/self/fd/9".to_owned(), "/proc/self/fd/10".to_owned()];
        let all = [
            hub_links(&spec, "/proc/self/fd/8", &paths),
            hub_queues(&spec),
            access_point_links([(1, "/proc/self/fd/11")]),
            access_point_queues(&spec.radios[0]),
            server_links(&spec, true),
            station_links(&spec, 0, true),
        ];
        for script in all {
            assert!(!script.contains("reboot") && !script.contains("$(x)"), "{script}");
        }
    }
}
