//! Under which address a device reaches the server of this machine.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, ToSocketAddrs};

use anyhow::{Context, Result};

use crate::addresses;

/// The port of a server that others are to reach, where it is free.
const PORT: u16 = 4040;

/// What a scenario says of this machine's address: `HOST` or `HOST:PORT`, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    host: String,
    port: Option<u16>,
}

impl Named {
    /// Of a scenario's `local:ADDRESS`, which was checked when it was read.
    pub(super) fn parse(address: &str) -> Self {
        let split = match address.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((host, rest)) => Some((host, rest.strip_prefix(':').unwrap_or_default())),
            // More than one colon without brackets is an IPv6 address.
            None => address.rsplit_once(':').filter(|(host, _)| !host.contains(':')),
        };
        match split {
            Some((host, port)) => Self { host: host.to_owned(), port: port.parse().ok() },
            None => Self { host: address.to_owned(), port: None },
        }
    }

    /// Whether it says the port too.
    pub(super) const fn has_port(&self) -> bool {
        self.port.is_some()
    }

    /// The name under which devices reach this machine.
    pub(super) fn host(&self) -> &str {
        &self.host
    }
}

/// Where a server that devices elsewhere are to reach can listen: on all addresses, at the port that was named or else
/// at 4040 or else at any. The port is free at this moment; another program may still take it.
pub(super) fn listen_address(named: Option<&Named>) -> Result<SocketAddr> {
    let all: [IpAddr; 2] = [Ipv6Addr::UNSPECIFIED.into(), Ipv4Addr::UNSPECIFIED.into()];
    let try_port = |port| all.into_iter().map(|ip| SocketAddr::new(ip, port)).find(|at| TcpListener::bind(at).is_ok());
    if let Some(port) = named.and_then(|named| named.port) {
        let what = || {
            format!(
                "port {port}, which the scenario names for the server, cannot be listened on: end what has it, or name another"
            )
        };
        return try_port(port).with_context(what);
    }
    try_port(PORT).or_else(|| try_port(0)).context("cannot listen on any port for the devices to reach the server")
}

/// The address by which a device reaches this machine: the one that it says it sees us from, where that is ours, or else
/// the one from which we reach it.
pub(super) fn host_for(seen_from: Option<IpAddr>, device: &str) -> Option<String> {
    let seen_from = seen_from.map(|address| address.to_canonical());
    let is_ours = |address: &IpAddr| address.is_loopback() || addresses::own().contains(address);
    if let Some(address) = seen_from.filter(is_ours) {
        return Some(address.to_string());
    }
    // Behind a jump host or a router it sees those. Its name may be one that only ssh knows.
    let device = (device, 22).to_socket_addrs().ok()?.next()?;
    addresses::towards(device).map(|address| address.to_string())
}

/// The address that devices which nobody has heard of yet will most likely reach: the one on the way to the world.
pub(super) fn likely_host() -> String {
    // Documentation addresses (RFC 5737, RFC 3849), which no packet is sent to: only the route is looked up.
    let world: [SocketAddr; 2] =
        [([192, 0, 2, 1], 9).into(), (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1), 9).into()];
    let routed = world.into_iter().find_map(addresses::towards);
    let host = routed.or_else(|| addresses::own().into_iter().next()).unwrap_or(Ipv4Addr::LOCALHOST.into());
    host.to_string()
}

/// `HOST:PORT`, with brackets where the host is an IPv6 address.
pub(super) fn with_port(host: &str, port: u16) -> String {
    if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_taken_apart_whatever_its_form() {
        let named = |host: &str, port| Named { host: host.to_owned(), port };
        assert_eq!(Named::parse("tower"), named("tower", None));
        assert_eq!(Named::parse("192.168.1.10:4050"), named("192.168.1.10", Some(4050)));
        assert_eq!(Named::parse("[fd00::1]:80"), named("fd00::1", Some(80)));
        assert_eq!(Named::parse("[fd00::1]"), named("fd00::1", None));
        assert_eq!(Named::parse("fd00::1"), named("fd00::1", None));
        assert_eq!(with_port("fd00::1", 80), "[fd00::1]:80");
        assert_eq!(with_port("tower", 4040), "tower:4040");
    }

    #[test]
    fn a_port_that_is_taken_gives_way_to_another_only_where_nobody_named_it() {
        let taken = TcpListener::bind((Ipv6Addr::UNSPECIFIED, 0)).unwrap();
        let port = taken.local_addr().unwrap().port();
        let named = Named { host: "tower".to_owned(), port: Some(port) };
        assert!(listen_address(Some(&named)).unwrap_err().to_string().contains(&port.to_string()));
        assert!(listen_address(None).unwrap().ip().is_unspecified());
    }

    #[test]
    fn a_device_is_told_the_address_that_it_sees_us_from_where_that_is_ours() {
        let mapped = Ipv4Addr::LOCALHOST.to_ipv6_mapped().into();
        assert_eq!(host_for(Some(mapped), "nobody.invalid").as_deref(), Some("127.0.0.1"));
        // 203.0.113.1 is nobody's (RFC 5737): a jump host's, say. The way to the device itself is looked up then.
        let jump = Some([203, 0, 113, 1].into());
        assert_eq!(host_for(jump, "127.0.0.1").as_deref(), Some("127.0.0.1"));
        assert_eq!(host_for(jump, "nobody.invalid"), None);
    }
}
