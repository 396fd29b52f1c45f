//! The machine that the figures are from. A figure without it means nothing.

use std::fs::read_to_string;

/// One line for each thing that the figures depend on.
pub(crate) fn describe() -> String {
    let file = |path: &str| read_to_string(path).map_or_else(|_| "unknown".to_owned(), |text| text.trim().to_owned());
    let processor = file("/proc/cpuinfo");
    let processor = processor
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": "))
        .map_or("unknown", |(_, name)| name);
    let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    let load = file("/proc/loadavg");
    let load = load.split(' ').next().unwrap_or("unknown");
    format!(
        "- processor: {processor}, {cores} cores; governor: {}\n- kernel: {}\n- load average before the run: {load}\n",
        file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        file("/proc/sys/kernel/osrelease"),
    )
}
