//! Kernel settings of every namespace of a lab, so that it behaves alike on every machine.

use std::fmt::{self, Display, Formatter};
use std::fs;
use std::io::{self, ErrorKind};

use crate::LabError;

/// Senders that fill a queue, as most of the world's do: RFC 9438.
pub(crate) const CUBIC: &str = "cubic";

const CONGESTION_CONTROL: &str = "/proc/sys/net/ipv4/tcp_congestion_control";
const AVAILABLE_CONGESTION_CONTROL: &str = "/proc/sys/net/ipv4/tcp_available_congestion_control";

/// Written in every namespace. A new namespace takes its buffer sizes over from the machine, so they are
/// set to what Linux 6.18 ships. What one connection can keep in a queue is bounded by its sender's 4 MiB.
const SETTINGS: [(&str, &str); 3] = [
    ("/proc/sys/net/ipv4/tcp_rmem", "4096 131072 33554432"),
    ("/proc/sys/net/ipv4/tcp_wmem", "4096 16384 4194304"),
    // A connection must not begin with what an earlier one to the same address learned.
    ("/proc/sys/net/ipv4/tcp_no_metrics_save", "1"),
];

/// Written where the file exists: a kernel without IPv6 has none. Without IPv6 no neighbour or router discovery
/// mixes with the counted packets, and no address has to wait for duplicates to be ruled out.
const IPV6_OFF: [&str; 2] =
    ["/proc/sys/net/ipv6/conf/all/disable_ipv6", "/proc/sys/net/ipv6/conf/default/disable_ipv6"];

/// Which processors take in what arrives at the namespace's links, since Linux 6.3; written before there are any.
const STEERING: &str = "/proc/sys/net/core/rps_default_mask";

const FORWARDING: &str = "/proc/sys/net/ipv4/ip_forward";

/// What the lab's TCP connections run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CongestionControl {
    /// CUBIC, as meant.
    Cubic,
    /// The kernel has no CUBIC; connections run the machine's default, and queues may not fill.
    MachineDefault(String),
}

impl Display for CongestionControl {
    /// Its name, as the kernel has it.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cubic => CUBIC,
            Self::MachineDefault(name) => name,
        })
    }
}

/// Sets up the namespace of the calling thread and tells what its connections can run.
pub(crate) fn apply(forwards: bool) -> Result<CongestionControl, LabError> {
    for (path, value) in SETTINGS {
        write(path, value)?;
    }
    for path in IPV6_OFF {
        write_if_there(path, "1")?;
    }
    if let Some(processors) = own_processors() {
        write_if_there(STEERING, &processors)?;
    }
    if forwards {
        write(FORWARDING, "1")?;
    }
    congestion_control()
}

/// The processors that this process may run on, as the mask that [`STEERING`] takes.
///
/// A veth hands a packet to whichever processor sent it, and two packets of one connection overtake each other where two
/// processors send for it: the server's own and the one that takes in the acknowledgements. With a mask, each
/// connection has one processor per link. With a round trip of microseconds every overtaking looks like a loss, CUBIC
/// yields, and the queue that should fill does not.
fn own_processors() -> Option<String> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("Cpus_allowed:")).map(|mask| mask.trim().to_owned())
}

/// Asks for CUBIC as this namespace's default.
///
/// The kernel grants that only where the machine's own default is, or was, CUBIC: outside the first namespace an
/// algorithm that the administrator did not open to all cannot be a default. The lab does not lean on it, as the routes
/// of every host name CUBIC too, and a route is obeyed. Still it is tried: it loads the algorithm where it is a module, and
/// where it is granted, whoever reads the setting reads the truth.
fn congestion_control() -> Result<CongestionControl, LabError> {
    let _ = fs::write(CONGESTION_CONTROL, CUBIC);
    let read = |path: &str| {
        fs::read_to_string(path).map_err(|source| LabError::Setting { path: path.into(), value: CUBIC.into(), source })
    };
    if read(AVAILABLE_CONGESTION_CONTROL)?.split_whitespace().any(|name| name == CUBIC) {
        Ok(CongestionControl::Cubic)
    } else {
        Ok(CongestionControl::MachineDefault(read(CONGESTION_CONTROL)?.trim().to_owned()))
    }
}

fn write(path: &str, value: &str) -> Result<(), LabError> {
    fs::write(path, value).map_err(|source| refused(path, value, source))
}

fn write_if_there(path: &str, value: &str) -> Result<(), LabError> {
    match fs::write(path, value) {
        Err(source) if source.kind() != ErrorKind::NotFound => Err(refused(path, value, source)),
        _ => Ok(()),
    }
}

fn refused(path: &str, value: &str, source: io::Error) -> LabError {
    LabError::Setting { path: path.into(), value: value.into(), source }
}
