//! What this process may do, and the user namespace that lets it do more.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::process::Command;

use nix::errno::Errno;
use nix::sched::{CloneFlags, unshare};
use nix::unistd::{getegid, geteuid};

use crate::LabError;
use crate::iproute::{self, IP};

// Bits of a capability set: capabilities(7), linux/capability.h.
const CAP_NET_ADMIN: u64 = 1 << 12;
const CAP_SYS_ADMIN: u64 = 1 << 21;

/// Whether this process must [`enter_user_namespace`] before it can build a lab.
///
/// It goes by capabilities, not by the user alone: root in a container may lack them.
#[must_use]
pub fn needs_user_namespace() -> bool {
    fs::read_to_string("/proc/self/status").map_or(true, |status| !may_build(&status))
}

/// Whether a process with this `/proc/PID/status` can build a lab, and the programs that it runs can too.
fn may_build(status: &str) -> bool {
    let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    let holds_both = |name: &str| {
        let set = field(name).and_then(|hex| u64::from_str_radix(hex, 16).ok()).unwrap_or(0);
        set & CAP_NET_ADMIN != 0 && set & CAP_SYS_ADMIN != 0
    };
    // Through an exec, a user other than root keeps only ambient capabilities: `ip` would come out powerless.
    let is_root = field("Uid:").and_then(|uids| uids.split_whitespace().nth(1)) == Some("0");
    holds_both("CapEff:") && (is_root || holds_both("CapAmb:"))
}

/// Moves this process into a user namespace in which it is root, and into a network namespace that belongs to it.
///
/// Call it before the first thread is started. Afterwards the process sees no network but its own loopback and
/// the labs that it builds; files and the user outside are what they were.
///
/// # Errors
/// [`LabError::NotGranted`] where the machine does not let this user do this, [`LabError::Threads`] when called too late.
/// A machine may also refuse half-way, at the user's map: then this process is left without any network, and should end.
pub fn enter_user_namespace() -> Result<(), LabError> {
    let (uid, gid) = (geteuid(), getegid());
    // Both at once, so that a refusal of either leaves the process where it was.
    match unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWNET) {
        Ok(()) => {}
        Err(Errno::EINVAL) if threads() > 1 => return Err(LabError::Threads { count: threads() }),
        Err(errno) => return Err(refusal("user namespaces", errno)),
    }
    // user_namespaces(7): an unprivileged process may map its own group only once setgroups is denied.
    for (file, text) in [
        ("/proc/self/setgroups", "deny".to_owned()),
        ("/proc/self/uid_map", format!("0 {uid} 1")),
        ("/proc/self/gid_map", format!("0 {gid} 1")),
    ] {
        fs::write(file, text).map_err(|source| refusal("user namespaces", errno_of(&source)))?;
    }
    iproute::run_batch(IP, "link set dev lo up\n", |_: &mut Command| {})
}

fn threads() -> u32 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let count = status.lines().find_map(|line| line.strip_prefix("Threads:"));
    count.and_then(|count| count.trim().parse().ok()).unwrap_or(0)
}

fn errno_of(error: &io::Error) -> Errno {
    Errno::from_raw(error.raw_os_error().unwrap_or(0))
}

/// The error for a refusal, with the settings that commonly stand behind one.
pub(crate) fn refusal(what: &'static str, errno: Errno) -> LabError {
    LabError::NotGranted { what, why: explain(errno, |path| fs::read_to_string(path).ok()) }
}

/// A kernel setting with which an administrator takes namespaces away.
struct Lock {
    path: &'static str,
    /// The value that takes them away.
    shut: &'static str,
}

const LOCKS: [Lock; 4] = [
    Lock { path: "/proc/sys/user/max_user_namespaces", shut: "0" },
    Lock { path: "/proc/sys/user/max_net_namespaces", shut: "0" },
    Lock { path: "/proc/sys/kernel/unprivileged_userns_clone", shut: "0" },
    Lock { path: "/proc/sys/kernel/apparmor_restrict_unprivileged_userns", shut: "1" },
];

fn explain(errno: Errno, read: impl Fn(&str) -> Option<String>) -> String {
    let mut why = match errno {
        Errno::EPERM => "not permitted".to_owned(),
        Errno::ENOSPC | Errno::EUSERS => "the limit on namespaces is reached".to_owned(),
        Errno::EINVAL => "the kernel has none".to_owned(),
        other => other.desc().to_owned(),
    };
    let mut locked = false;
    for lock in LOCKS.iter().filter(|lock| read(lock.path).is_some_and(|value| value.trim() == lock.shut)) {
        locked = true;
        let name = lock.path.trim_start_matches("/proc/sys/").replace('/', ".");
        // Writing to a String cannot fail.
        let _ = write!(why, "; {name} is {}", lock.shut);
    }
    if errno == Errno::EPERM && !locked {
        why.push_str(" (in a container, its seccomp or capability policy is the usual reason)");
    }
    why
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(uid: u32, effective: u64, ambient: u64) -> String {
        format!("Name:\tx\nUid:\t1000\t{uid}\t1000\t1000\nCapEff:\t{effective:016x}\nCapAmb:\t{ambient:016x}\n")
    }

    #[test]
    fn a_lab_takes_two_capabilities_that_outlive_an_exec() {
        // Bit 12 is 0x1000, bit 21 is 0x20_0000.
        let both = 0x20_1000;
        assert!(may_build(&status(0, both, 0)));
        assert!(may_build(&status(1000, both, both)));
        assert!(!may_build(&status(1000, both, 0)), "an exec would drop them");
        assert!(!may_build(&status(0, 0x1000, 0)), "root without CAP_SYS_ADMIN");
        assert!(!may_build(&status(0, 0x20_0000, 0)), "root without CAP_NET_ADMIN");
        assert!(!may_build(""));
    }

    #[test]
    fn a_refusal_names_the_setting_behind_it() {
        let locked = |path: &str| path.ends_with("apparmor_restrict_unprivileged_userns").then(|| "1\n".to_owned());
        assert_eq!(explain(Errno::EPERM, locked), "not permitted; kernel.apparmor_restrict_unprivileged_userns is 1");
        let none_left = |path: &str| path.ends_with("max_user_namespaces").then(|| "0\n".to_owned());
        assert_eq!(
            explain(Errno::ENOSPC, none_left),
            "the limit on namespaces is reached; user.max_user_namespaces is 0"
        );
    }

    #[test]
    fn a_refusal_says_what_to_do() {
        let text = refusal("user namespaces", Errno::EPERM).to_string();
        assert!(text.starts_with("this machine grants no user namespaces: not permitted"), "{text}");
        assert!(text.contains("Run as root, or with --no-lab"), "{text}");
    }

    #[test]
    fn a_process_with_threads_is_told_that_it_is_too_late() {
        // The test harness runs each test on a thread of its own, so there are at least two.
        let refused = enter_user_namespace();
        assert!(matches!(refused, Err(LabError::Threads { count: 2.. })), "{refused:?}");
    }
}
