//! What measuring costs this host.

use std::fs;

use nix::time::ClockId;

use super::clock;

/// Processor time of the calling thread so far, in nanoseconds.
pub(crate) fn thread_cpu_ns() -> u64 {
    clock(ClockId::CLOCK_THREAD_CPUTIME_ID)
}

/// Busy and total processor time of all the machine's cores so far, in ticks; `None` where the system hides it.
pub(crate) fn machine_ticks() -> Option<(u64, u64)> {
    parse_stat(&fs::read_to_string("/proc/stat").ok()?)
}

/// Resident memory of this process, in bytes; `None` where the system hides it.
pub(crate) fn resident_bytes() -> Option<u64> {
    let statm = fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_ascii_whitespace().nth(1)?.parse().ok()?;
    let page = nix::unistd::sysconf(nix::unistd::SysconfVar::PAGE_SIZE).ok()??;
    pages.checked_mul(u64::try_from(page).ok()?)
}

/// Busy and total ticks from the first line of `/proc/stat`: proc_stat(5).
fn parse_stat(stat: &str) -> Option<(u64, u64)> {
    let mut fields = stat.lines().next()?.split_ascii_whitespace();
    if fields.next()? != "cpu" {
        return None;
    }
    // user nice system idle iowait irq softirq steal; guest time, which follows, is in user and nice already.
    let ticks: Vec<u64> = fields.take(8).map_while(|field| field.parse().ok()).collect();
    if ticks.len() < 5 {
        return None;
    }
    let total = ticks.iter().fold(0_u64, |sum, n| sum.saturating_add(*n));
    let idle = ticks[3].saturating_add(ticks[4]);
    Some((total.saturating_sub(idle), total))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_for_a_disk_is_idle_time_and_guests_are_counted_once() {
        // Busy: 10 + 2 + 5 + 1 + 3 + 4 = 25. Total: 25 + idle 70 + iowait 5 = 100. Guest time 9 is in user.
        let stat = "cpu  10 2 5 70 5 1 3 4 9 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n";
        assert_eq!(parse_stat(stat), Some((25, 100)));
    }

    #[test]
    fn a_file_of_another_form_says_nothing() {
        for stat in ["", "cpu", "cpu 1 2", "intr 1 2 3 4 5 6", "cpu a b c d e f"] {
            assert_eq!(parse_stat(stat), None, "{stat:?}");
        }
    }

    #[test]
    fn this_host_tells_its_effort() {
        assert!(resident_bytes().is_some_and(|bytes| bytes > 0));
        assert!(machine_ticks().is_some_and(|(busy, total)| busy <= total));
    }
}
