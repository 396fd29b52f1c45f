//! What an interface is, and what lies between it and the server.

use std::fs;
use std::net::IpAddr;
use std::path::Path;

use nix::ifaddrs::InterfaceAddress;
use nix::sys::socket::SockaddrStorage;

/// Where Linux tells of interfaces (Documentation/ABI/testing/sysfs-class-net).
pub(super) const INTERFACES: &str = "/sys/class/net";

/// Whether what Linux tells of interfaces there is of this process's own network. In a network namespace of the lab it is not:
/// `/sys` shows the one that it was mounted in, where another interface may have the same name.
pub(super) fn tells_of(interfaces: &Path, name: &str) -> bool {
    let told = |key: &str| fs::read_to_string(interfaces.join(name).join(key)).map(|text| text.trim().to_owned()).ok();
    let Ok(entries) = nix::ifaddrs::getifaddrs() else { return false };
    let mut entries = entries.filter(|entry| entry.interface_name == name);
    let Some(link) = entries.find_map(|entry| entry.address?.as_link_addr().copied()) else { return false };
    let hardware = link.addr().map(|octets| octets.map(|octet| format!("{octet:02x}")).join(":"));
    told("ifindex") == Some(link.ifindex().to_string()) && told("address") == hardware
}

/// What carries an interface's packets: `Wi-Fi`, `wired`, `loopback` or `virtual`.
pub(super) fn medium(interfaces: &Path, name: &str) -> Option<&'static str> {
    let about = interfaces.join(name);
    // ARPHRD_LOOPBACK of <linux/if_arp.h>.
    let kind = fs::read_to_string(about.join("type")).ok()?;
    Some(match kind.trim() {
        "772" => "loopback",
        _ if about.join("wireless").exists() || about.join("phy80211").exists() => "Wi-Fi",
        _ if about.join("device").exists() => "wired",
        _ => "virtual",
    })
}

/// The way to `peer` for packets that leave from `own`: `this machine`, `direct`, or `through a router`.
pub(super) fn route(own: IpAddr, peer: IpAddr) -> Option<&'static str> {
    let (own, peer) = (own.to_canonical(), peer.to_canonical());
    let addresses: Vec<_> = nix::ifaddrs::getifaddrs().ok()?.collect();
    if own.is_loopback() || addresses.iter().any(|entry| address(entry.address.as_ref()) == Some(peer)) {
        return Some("this machine");
    }
    let entry = addresses.iter().find(|entry| address(entry.address.as_ref()) == Some(own))?;
    let mask = address(entry.netmask.as_ref())?;
    Some(if same_network(own, peer, mask)? { "direct" } else { "through a router" })
}

/// The name of the interface that has this address.
pub(super) fn with_address(own: IpAddr) -> Option<String> {
    let mut addresses = nix::ifaddrs::getifaddrs().ok()?;
    let of = |entry: &InterfaceAddress| address(entry.address.as_ref());
    addresses.find(|entry| of(entry) == Some(own)).map(|entry| entry.interface_name)
}

fn address(storage: Option<&SockaddrStorage>) -> Option<IpAddr> {
    let v4 = storage?.as_sockaddr_in().map(|address| IpAddr::from(address.ip()));
    v4.or_else(|| storage?.as_sockaddr_in6().map(|address| IpAddr::from(address.ip())))
}

/// Nothing where they are not of one family.
fn same_network(own: IpAddr, peer: IpAddr, mask: IpAddr) -> Option<bool> {
    match (own, peer, mask) {
        (IpAddr::V4(own), IpAddr::V4(peer), IpAddr::V4(mask)) => Some(own & mask == peer & mask),
        (IpAddr::V6(own), IpAddr::V6(peer), IpAddr::V6(mask)) => Some(own & mask == peer & mask),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interface_with_a_radio_is_wireless_and_one_with_no_device_is_virtual() {
        let folder = tempfile::tempdir().unwrap();
        for (name, kind, also) in [
            ("wlan0", "1", "phy80211"),
            ("wlan1", "1", "wireless"),
            ("eth0", "1", "device"),
            ("veth0", "1", ""),
            ("lo", "772", ""),
        ] {
            fs::create_dir_all(folder.path().join(name).join(also)).unwrap();
            fs::write(folder.path().join(name).join("type"), format!("{kind}\n")).unwrap();
        }
        let medium = |name| medium(folder.path(), name);
        assert_eq!((medium("wlan0"), medium("wlan1")), (Some("Wi-Fi"), Some("Wi-Fi")));
        assert_eq!((medium("eth0"), medium("veth0"), medium("lo")), (Some("wired"), Some("virtual"), Some("loopback")));
        assert_eq!(medium("gone"), None);
    }

    #[test]
    fn an_interface_of_another_network_is_not_taken_for_ours_by_its_name() {
        assert!(tells_of(Path::new(INTERFACES), "lo"));
        let folder = tempfile::tempdir().unwrap();
        let other = folder.path().join("lo");
        fs::create_dir(&other).unwrap();
        fs::write(other.join("ifindex"), "1\n").unwrap();
        fs::write(other.join("address"), "02:00:00:00:00:07\n").unwrap();
        assert!(!tells_of(folder.path(), "lo"));
    }

    #[test]
    fn who_is_in_the_same_network_is_reached_directly() {
        let same = |own: &str, peer: &str, mask: &str| {
            same_network(own.parse().unwrap(), peer.parse().unwrap(), mask.parse().unwrap())
        };
        // 255.255.254.0: 192.168.2.0 to 192.168.3.255.
        assert_eq!(same("192.168.2.7", "192.168.3.9", "255.255.254.0"), Some(true));
        assert_eq!(same("192.168.2.7", "192.168.4.9", "255.255.254.0"), Some(false));
        assert_eq!(same("fd00::7", "fd00:0:0:1::9", "ffff:ffff:ffff:ffff::"), Some(false));
        assert_eq!(same("192.168.2.7", "::1", "255.255.255.0"), None);
        assert_eq!(route([127, 0, 0, 1].into(), [127, 0, 0, 1].into()), Some("this machine"));
    }
}
