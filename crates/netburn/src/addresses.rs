//! This host's own addresses: which there are, and which of them others see.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

/// This host's addresses that others may reach.
pub(crate) fn own() -> Vec<IpAddr> {
    let Ok(interfaces) = nix::ifaddrs::getifaddrs() else { return Vec::new() };
    let mut addresses: Vec<IpAddr> = interfaces
        .filter_map(|interface| {
            let address = interface.address?;
            let v4 = address.as_sockaddr_in().map(|v4| IpAddr::from(v4.ip()));
            v4.or_else(|| address.as_sockaddr_in6().map(|v6| IpAddr::from(v6.ip())))
        })
        .filter(|ip| match ip {
            IpAddr::V4(ip) => !ip.is_loopback() && *ip != Ipv4Addr::UNSPECIFIED,
            // Link-local addresses need a scope that a URL cannot well carry.
            IpAddr::V6(ip) => !ip.is_loopback() && !ip.is_unicast_link_local() && *ip != Ipv6Addr::UNSPECIFIED,
        })
        .collect();
    addresses.sort_unstable();
    addresses.dedup();
    addresses
}

/// The address that traffic to `peer` leaves from. Nothing is sent: connecting a UDP socket only looks up the route.
pub(crate) fn towards(peer: SocketAddr) -> Option<IpAddr> {
    let any: IpAddr = if peer.is_ipv4() { [0, 0, 0, 0].into() } else { [0_u16; 8].into() };
    let socket = UdpSocket::bind((any, 0)).ok()?;
    socket.connect(peer).ok()?;
    Some(socket.local_addr().ok()?.ip())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traffic_to_loopback_leaves_from_loopback_and_nobody_else_is_offered_that() {
        assert_eq!(towards(([127, 0, 0, 1], 9).into()), Some(Ipv4Addr::LOCALHOST.into()));
        assert!(own().iter().all(|address| !address.is_loopback()));
    }
}
