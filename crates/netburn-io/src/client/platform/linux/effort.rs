//! What measuring costs this host.

use std::fs;

use nix::time::ClockId;

use super::clock;

/// Processor time of the calling thread so far, in nanoseconds.
pub(crate) fn thread_cpu_ns() -> u64 {
    clock(ClockId::CLOCK_THREAD_CPUTIME_ID)
}

/// Resident memory of this process, in bytes; `None` where the system hides it.
pub(crate) fn resident_bytes() -> Option<u64> {
    let statm = fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_ascii_whitespace().nth(1)?.parse().ok()?;
    let page = nix::unistd::sysconf(nix::unistd::SysconfVar::PAGE_SIZE).ok()??;
    pages.checked_mul(u64::try_from(page).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_host_tells_its_effort() {
        assert!(resident_bytes().is_some_and(|bytes| bytes > 0));
        assert!(thread_cpu_ns() > 0);
    }
}
