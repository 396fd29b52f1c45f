//! How many calls one core carries: `voip` flows of one client that is bound to one core, its server on the others,
//! while 99 % of all operations start less than a millisecond late and none is lost.

use std::ops::Range;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;

use super::lateness::LIMIT;
use super::markdown::Table;
use super::ours::{self, Load};
use super::peers::Server;
use super::process::Running;
use super::servers::Serving;
use super::statistics::{median, range};
use super::{Effort, Programs, figure, note};

/// One call is an exchange of 2500 bytes each 20 ms.
const PER_SECOND: u32 = 50;
const OBJECT_BYTES: u32 = 2_500;
const BOUND_US: f64 = 1_000.0;
/// Where the search begins: with fewer, a run of seconds has so few operations that a single pause of the machine decides.
const FIRST: u32 = 16;
/// More is not looked for: 2048 calls are 102,400 operations a second.
const MOST: u32 = 2_048;

pub(crate) fn run(programs: &Programs, effort: &Effort) -> Result<String> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    if cores < 2 {
        bail!("this needs two cores: one for the client, the others for the server");
    }
    // The client has the last core for itself, as far as we can see to that.
    let start_server = || Serving::start(Server::Netburn, &programs.ours.netburn, &[OBJECT_BYTES]);
    let server = on_cores(0..cores - 1, start_server)?;
    let time = Duration::from_secs(u64::from(effort.lateness_seconds.min(5)));
    let mut carried = Vec::new();
    for round in 0..effort.rounds.min(3) {
        let most = most_that_hold(|flows| {
            let load = Load { flows, per_second: PER_SECOND, object_bytes: OBJECT_BYTES, time };
            let command = ours::lateness_command(&programs.ours.lateness, server.port, &load);
            let finished = on_cores(cores - 1..cores, || Running::start(command))?.finish(time + LIMIT)?;
            let lateness = ours::lateness(&finished.printed)?;
            note(&format!("flows, round {}: {flows} calls, lateness p99 {:.0} µs", round + 1, lateness.p99_us));
            Ok(lateness.p99_us < BOUND_US && lateness.lost < 1.0)
        })?;
        carried.push(f64::from(most));
    }
    let mut table = Table::new(["voip flows on one core", "least–most", "operations/s"]);
    let flows = median(&carried);
    let spread = range(&carried).map_or_else(|| "–".to_owned(), |(a, b)| format!("{a:.0}–{b:.0}"));
    table.row(vec![figure(flows, 0), spread, figure(flows.map(|flows| flows * f64::from(PER_SECOND)), 0)]);
    Ok(table.render())
}

/// The greatest number, of at most [`MOST`], for which `holds` is true, as far as it is true up to some number and false
/// from there on; known to a sixteenth. Zero where it holds for none.
fn most_that_hold(mut holds: impl FnMut(u32) -> Result<bool>) -> Result<u32> {
    let (mut good, mut bad) = (0, FIRST);
    while holds(bad)? {
        good = bad;
        if good == MOST {
            return Ok(MOST);
        }
        bad = (bad * 2).min(MOST);
    }
    while bad - good > (good / 16).max(1) {
        let middle = u32::midpoint(good, bad);
        if holds(middle)? {
            good = middle;
        } else {
            bad = middle;
        }
    }
    Ok(good)
}

/// Runs `start` with this thread bound to these cores: a process that it starts inherits that.
fn on_cores<T>(cores: Range<usize>, start: impl FnOnce() -> Result<T>) -> Result<T> {
    let this = Pid::from_raw(0);
    let before = sched_getaffinity(this).context("cannot tell which cores are ours")?;
    let mut set = CpuSet::new();
    for core in cores {
        set.set(core).context("no such core")?;
    }
    sched_setaffinity(this, &set).context("cannot bind to cores")?;
    let started = start();
    sched_setaffinity(this, &before).context("cannot unbind from cores")?;
    started
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_ends_within_a_sixteenth_below_the_truth() {
        for truth in [0, 1, 2, 7, 100, 1_000, 2_047, 2_048, 5_000] {
            let mut asked = 0;
            let found = most_that_hold(|flows| {
                asked += 1;
                Ok(flows <= truth)
            });
            let (found, truth) = (found.unwrap(), truth.min(MOST));
            assert!(found <= truth && truth - found <= (found / 16).max(1), "{found} of {truth}");
            // Doubling from 16 to 2048 asks 8 times; halving the step to a sixteenth asks 4 more, one for rounding.
            assert!(asked <= 13, "{asked}");
        }
    }

    #[test]
    fn a_process_started_on_a_core_stays_there_and_this_thread_does_not() {
        let this = Pid::from_raw(0);
        let before = sched_getaffinity(this).unwrap();
        let first = (0..CpuSet::count()).find(|core| before.is_set(*core).unwrap()).unwrap();
        let mut command = std::process::Command::new("grep");
        command.args(["Cpus_allowed_list", "/proc/self/status"]);
        let running = on_cores(first..first + 1, || Running::start(command)).unwrap();
        let printed = running.finish(Duration::from_secs(30)).unwrap().printed;
        assert_eq!(printed.trim(), format!("Cpus_allowed_list:\t{first}"));
        assert_eq!(sched_getaffinity(this).unwrap(), before);
    }
}
