//! What the server's work costs its machine: processor time of its threads and of the machine, from `/proc`.

use std::collections::HashMap;

use nix::time::{ClockId, clock_gettime};

use crate::processors::{Processors, share};
use crate::protocol::ServerSecond;

/// The counters at one moment.
#[derive(Debug)]
pub(super) struct Effort {
    at: u64,
    /// Processor time of each thread, in nanoseconds, by its number.
    threads: HashMap<i32, u64>,
    machine: Option<Processors>,
}

impl Effort {
    /// Reads the counters. `now` is by the server's clock.
    pub(super) fn read(now: u64) -> Self {
        Self { at: now, threads: threads(), machine: Processors::read() }
    }

    /// What was done between `earlier` and this.
    pub(super) fn since(&self, earlier: &Self, longest_pause_ns: u64) -> ServerSecond {
        let span = self.at.saturating_sub(earlier.at);
        let spent =
            |(thread, time): (&i32, &u64)| time.saturating_sub(earlier.threads.get(thread).copied().unwrap_or(0));
        let busiest = self.threads.iter().map(spent).max().unwrap_or(0);
        let machine_cpu = self.machine.zip(earlier.machine).and_then(|(now, then)| now.busy_since(then));
        ServerSecond {
            from_ns: earlier.at,
            to_ns: self.at,
            busiest_thread_cpu: share(busiest, span).unwrap_or(0.0),
            machine_cpu,
            longest_pause_ns,
        }
    }
}

/// Processor time of every thread of this process.
fn threads() -> HashMap<i32, u64> {
    let Ok(entries) = std::fs::read_dir("/proc/self/task") else {
        return HashMap::new();
    };
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter_map(|thread| Some((thread, thread_time(thread)?)))
        .collect()
}

/// Processor time of one thread in nanoseconds. `/proc/self/task/*/stat` counts in ticks of 10 ms, and not every kernel
/// has `schedstat`; each has this clock, whose number is what `pthread_getcpuclockid` computes (Linux,
/// `MAKE_THREAD_CPUCLOCK` in `posix-timers_types.h`).
fn thread_time(thread: i32) -> Option<u64> {
    const PER_THREAD: i32 = 4;
    const SCHED: i32 = 2;
    let clock = ClockId::from_raw((!thread << 3) | PER_THREAD | SCHED);
    let time = clock_gettime(clock).ok()?;
    u64::try_from(time.tv_sec()).ok()?.checked_mul(1_000_000_000)?.checked_add(u64::try_from(time.tv_nsec()).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_busiest_thread_counts_and_a_new_one_from_its_birth() {
        let earlier = Effort { at: 1_000, threads: HashMap::from([(1, 100), (2, 900)]), machine: None };
        let now = Effort { at: 2_000, threads: HashMap::from([(1, 350), (2, 1_100), (3, 500)]), machine: None };
        let second = now.since(&earlier, 7);
        // Thread 1 took 250 of 1000, thread 2 200, thread 3 500.
        assert!((second.busiest_thread_cpu - 0.5).abs() < 1e-12);
        assert_eq!(
            (second.from_ns, second.to_ns, second.machine_cpu, second.longest_pause_ns),
            (1_000, 2_000, None, 7)
        );
    }

    #[test]
    fn the_kernel_tells_the_time_of_this_very_thread() {
        let before = Effort::read(0);
        let this = nix::unistd::gettid().as_raw();
        let start = thread_time(this).unwrap();
        while thread_time(this).unwrap() < start + 5_000_000 {}
        let second = Effort::read(1_000_000_000).since(&before, 0);
        // At least the 5 ms of the loop, in a second.
        assert!(second.busiest_thread_cpu >= 0.005);
    }
}
