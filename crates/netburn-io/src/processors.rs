//! How busy a machine's processors are, all together: client and server both tell it of their own host.

use std::fs;

/// Time of all processors together so far, in ticks of any length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Processors {
    busy: u64,
    all: u64,
}

impl Processors {
    /// Reads the counters; `None` where the system hides them.
    pub(crate) fn read() -> Option<Self> {
        Self::parse(&fs::read_to_string("/proc/stat").ok()?)
    }

    /// The busy share of the time between `earlier` and this, 0 to 1; `None` where there was none, or a counter ran back.
    pub(crate) fn busy_since(self, earlier: Self) -> Option<f64> {
        share(self.busy.checked_sub(earlier.busy)?, self.all.checked_sub(earlier.all)?)
    }

    /// The first line of `/proc/stat`: user nice system idle iowait irq softirq steal guest guest_nice (proc_stat(5)).
    /// Stolen time counts as busy, for this machine could not have used it; the guests' time is contained in user and
    /// nice.
    fn parse(stat: &str) -> Option<Self> {
        let line = stat.lines().next()?.strip_prefix("cpu ")?;
        let ticks = line.split_ascii_whitespace().take(8).map(str::parse).collect::<Result<Vec<u64>, _>>().ok()?;
        let all = ticks.iter().fold(0_u64, |sum, n| sum.saturating_add(*n));
        let idle = ticks.get(3)?.saturating_add(ticks.get(4).copied().unwrap_or(0));
        Some(Self { busy: all.saturating_sub(idle), all })
    }
}

/// `part` of `whole`; `None` where there is no whole.
pub(crate) fn share(part: u64, whole: u64) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "ticks and nanoseconds of some hours are below 2^53")]
    let share = part as f64 / whole as f64;
    (whole > 0).then_some(share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_are_busy_with_all_but_idling_and_waiting_for_disks() {
        // busy = 10 + 20 + 30 + 1 + 2 + 3 = 66, idle = 400 + 34 = 434, all = 500. Guest time, 4 and 5, is in user and nice.
        let stat = "cpu  10 20 30 400 34 1 2 3 4 5\ncpu0 1 2 3 4\n";
        assert_eq!(Processors::parse(stat), Some(Processors { busy: 66, all: 500 }));
    }

    #[test]
    fn a_file_of_another_form_says_nothing() {
        for stat in ["", "cpu", "cpu 1 2", "intr 1 2 3 4 5 6", "cpu a b c d e f", "cpu  1 2 x 4 5"] {
            assert_eq!(Processors::parse(stat), None, "{stat:?}");
        }
    }

    #[test]
    fn the_busy_share_is_of_the_time_in_between() {
        let (earlier, later) = (Processors { busy: 66, all: 500 }, Processors { busy: 91, all: 600 });
        // 25 of 100 ticks.
        assert_eq!(later.busy_since(earlier), Some(0.25));
        assert_eq!(later.busy_since(later), None, "no time has passed");
        assert_eq!(earlier.busy_since(later), None, "counters do not run back");
    }

    #[test]
    fn this_host_tells_how_busy_it_is() {
        assert!(Processors::read().is_some_and(|now| now.busy <= now.all));
    }
}
