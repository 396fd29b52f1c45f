//! How much of a host's processors is free: a client on a busy one measures its host.

use std::fs;
use std::time::{Duration, Instant};

/// The kernel counts in hundredths of a second: in less than this the share would be a guess.
const SHORTEST: Duration = Duration::from_millis(300);

/// The processors' time from a moment on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CpuWatch {
    since: Instant,
    begin: Option<CpuTime>,
}

impl CpuWatch {
    /// Looks from now on.
    pub(crate) fn start() -> Self {
        Self { since: Instant::now(), begin: CpuTime::read() }
    }

    /// What share of all processors was free since then, in percent. Nothing where that was a moment ago.
    pub(crate) fn free(&self) -> Option<u8> {
        if self.since.elapsed() < SHORTEST {
            return None;
        }
        CpuTime::read()?.free_since(self.begin?)
    }
}

/// Time of all processors since the start of the system, in the kernel's ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CpuTime {
    all: u64,
    idle: u64,
}

impl CpuTime {
    fn read() -> Option<Self> {
        Self::parse(&fs::read_to_string("/proc/stat").ok()?)
    }

    /// The first line: user, nice, system, idle, iowait, irq, softirq, steal. Guests' time, which follows, is part of user's
    /// (proc_stat(5)).
    fn parse(stat: &str) -> Option<Self> {
        let times = stat.lines().next()?.strip_prefix("cpu ")?.split_whitespace().take(8);
        let times: Vec<u64> = times.map(|ticks| ticks.parse().ok()).collect::<Option<_>>()?;
        let idle = times.get(3)?.saturating_add(*times.get(4).unwrap_or(&0));
        Some(Self { all: times.iter().fold(0, |sum: u64, ticks| sum.saturating_add(*ticks)), idle })
    }

    /// In percent, rounded down.
    fn free_since(self, begin: Self) -> Option<u8> {
        let all = self.all.checked_sub(begin.all).filter(|all| *all > 0)?;
        // The idle time of a processor that was switched off may go back (proc_stat(5) of iowait says so too).
        let idle = self.idle.saturating_sub(begin.idle).min(all);
        u8::try_from(idle.saturating_mul(100) / all).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_idle_or_waits_for_a_disk_is_free() {
        let begin = CpuTime::parse("cpu  100 0 100 700 100 0 0 0 50 0\ncpu0 …").unwrap();
        assert_eq!(begin, CpuTime { all: 1000, idle: 800 });
        // 200 ticks later: 30 of user, 10 of steal, 150 idle, 10 of iowait: 160 of 200 are 80 %.
        let end = CpuTime::parse("cpu  130 0 100 850 110 0 0 10 50 0\n").unwrap();
        assert_eq!(end.free_since(begin), Some(80));
        assert_eq!(begin.free_since(begin), None, "no time has passed");
        assert_eq!(begin.free_since(end), None, "the counters went back");
        assert_eq!(CpuTime::parse("intr 1 2 3"), None);
        assert_eq!(CpuTime::parse("cpu  1 2"), None);
    }

    #[test]
    fn nothing_is_said_of_a_moment() {
        assert_eq!(CpuWatch::start().free(), None);
    }
}
