//! What is worth knowing of a host when its figures are read years later.
//!
//! Only what can be read without privilege, cheaply, and without changing anything. What cannot be known is left out.
//! docs/METHOD.md says what each fact means.

mod cpu;
mod interface;
mod power;

use std::collections::BTreeMap;
use std::fs;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

pub(crate) use cpu::CpuWatch;

use crate::addresses;

/// Program and version, for people and run files.
pub const PROGRAM: &str = concat!("netburn ", env!("CARGO_PKG_VERSION"));

/// What `--version` prints first. Two programs that print the same may work together, so it names the control messages too.
pub static VERSION_LINE: LazyLock<String> =
    LazyLock::new(|| format!("{PROGRAM} (control {})", crate::control::message::VERSION));

/// Which of a host's interfaces matters.
#[derive(Clone, Copy, Debug)]
pub enum Interface {
    /// None that is known.
    Unknown,
    /// The one that the way to this address leaves by.
    Towards(SocketAddr),
    /// The one that has this address.
    Of(IpAddr),
}

/// Facts of this host, and of the interface that the test's traffic uses.
#[must_use]
pub fn collect(interface: Interface) -> BTreeMap<String, String> {
    let mut facts = BTreeMap::new();
    let mut put = |key: &str, value: Option<String>| {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            facts.insert(key.to_owned(), value);
        }
    };
    put("program", Some(PROGRAM.to_owned()));
    put("system", Some(format!("{} {}", std::env::consts::OS, std::env::consts::ARCH)));
    put("kernel", line("/proc/sys/kernel/osrelease"));
    put("host", line("/proc/sys/kernel/hostname"));
    put("cpu", cpu_model());
    put("cores", std::thread::available_parallelism().ok().map(|cores| cores.to_string()));
    put("governor", line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
    put("clock", line("/sys/devices/system/clocksource/clocksource0/current_clocksource"));
    put("congestion_control", line("/proc/sys/net/ipv4/tcp_congestion_control"));
    put("power", power::source(Path::new(power::SUPPLIES)));
    if let Interface::Towards(peer) = interface {
        let route = addresses::towards(peer).and_then(|own| interface::route(own, peer.ip()));
        put("route", route.map(str::to_owned));
    }
    let interface = match interface {
        Interface::Unknown => None,
        Interface::Towards(peer) => addresses::towards(peer).and_then(interface_of),
        Interface::Of(address) => interface_of(address),
    };
    if let Some(interface) = interface {
        if interface::tells_of(Path::new(interface::INTERFACES), &interface) {
            put("medium", interface::medium(Path::new(interface::INTERFACES), &interface).map(str::to_owned));
            put("driver", driver(&interface));
            put(
                "speed_mbps",
                line(&format!("/sys/class/net/{interface}/speed")).filter(|speed| !speed.starts_with('-')),
            );
        }
        put("wifi_power_save", wifi_power_save(&interface).map(str::to_owned));
        put("qdisc", qdisc(&interface));
        put("interface", Some(interface));
    }
    facts
}

/// The first line of a small file.
fn line(path: &str) -> Option<String> {
    fs::read_to_string(path).ok()?.lines().next().map(|line| line.trim().to_owned())
}

fn cpu_model() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let model = text.lines().find(|line| line.starts_with("model name") || line.starts_with("Model"))?;
    model.split_once(':').map(|(_, name)| name.trim().to_owned())
}

/// The name of the interface that has this address.
pub(crate) fn interface_of(own: IpAddr) -> Option<String> {
    interface::with_address(own)
}

fn driver(interface: &str) -> Option<String> {
    let device = Path::new("/sys/class/net").join(interface).join("device/driver");
    match fs::read_link(device) {
        Ok(target) => Some(target.file_name()?.to_string_lossy().into_owned()),
        Err(_) => Some("none (virtual)".to_owned()),
    }
}

/// Whether the radio may sleep between beacons; nothing where the interface is none, or its driver does not tell.
fn wifi_power_save(interface: &str) -> Option<&'static str> {
    let saves = netburn_wifi::Radio::open(interface).ok()?.power_save().ok()??;
    Some(if saves { "on" } else { "off" })
}

/// The queueing discipline on the way out, as `tc` names it; nothing where there is no `tc`.
fn qdisc(interface: &str) -> Option<String> {
    let output = Command::new("tc")
        .args(["qdisc", "show", "dev", interface, "root"])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut words = text.split_whitespace();
    (words.next() == Some("qdisc")).then(|| words.next().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_knows_its_kernel_and_the_interface_to_itself() {
        let facts = collect(Interface::Towards(([127, 0, 0, 1], 9).into()));
        let mut of = collect(Interface::Of([127, 0, 0, 1].into()));
        of.insert("route".to_owned(), "this machine".to_owned());
        assert_eq!(of, facts);
        assert_eq!(facts["kernel"], fs::read_to_string("/proc/sys/kernel/osrelease").unwrap().trim());
        assert_eq!((facts["interface"].as_str(), facts["medium"].as_str()), ("lo", "loopback"));
        assert!(facts.values().all(|value| !value.contains('\n')));
    }
}
