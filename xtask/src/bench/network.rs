//! A loopback of our own: nobody else's traffic, and a congestion control that does not pace.
//!
//! A pacing congestion control (BBR) works from timer interrupts, which the kernel charges to whoever happens to run;
//! under it, processor time tells little about who did the work.

use std::process::Command;

use anyhow::{Context, Result, bail};
use nix::sched::{CloneFlags, unshare};
use nix::unistd::geteuid;

const CONGESTION_CONTROL: &str = "/proc/sys/net/ipv4/tcp_congestion_control";

/// Moves this process, and whatever it starts from now on, into a network namespace of its own; without root by
/// way of a user namespace. Says what came of that, for the tables.
pub(crate) fn enter_own() -> String {
    match try_enter() {
        Ok(()) => "a network namespace of its own".to_owned(),
        Err(error) => format!("the machine's own loopback, since {error:#}"),
    }
}

/// What connections are made with, by default, in this namespace.
pub(crate) fn congestion_control() -> String {
    std::fs::read_to_string(CONGESTION_CONTROL).map_or_else(|_| "unknown".to_owned(), |text| text.trim().to_owned())
}

fn try_enter() -> Result<()> {
    let user = geteuid();
    if user.is_root() {
        unshare(CloneFlags::CLONE_NEWNET).context("a network namespace is not granted")?;
    } else {
        unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWNET).context("a user namespace is not granted")?;
        // Without a name in the new namespace, what we start would lose its rights there.
        std::fs::write("/proc/self/uid_map", format!("0 {user} 1")).context("the user cannot be mapped")?;
    }
    // From here on there is no network at all unless this works, so its failure would show in the first connection.
    let up = Command::new("ip").args(["link", "set", "lo", "up"]).status().context("cannot start ip (iproute2)")?;
    if !up.success() {
        bail!("loopback does not come up");
    }
    // A namespace may choose among those that the machine allows; reno always is, and nothing gets lost here that would
    // tell the two apart. Where neither can be set, the tables say what was used.
    let _ = std::fs::write(CONGESTION_CONTROL, "cubic").or_else(|_| std::fs::write(CONGESTION_CONTROL, "reno"));
    Ok(())
}
