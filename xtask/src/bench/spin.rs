//! Two small programs of our own that the comparison runs beside others, as processes: a core kept busy, and the
//! kernel's timer alone.

use std::io::Write;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use nix::time::{ClockId, ClockNanosleepFlags, clock_gettime, clock_nanosleep};

/// Keeps one core busy for `time`, at ordinary priority.
pub(crate) fn busy(time: Duration) {
    let began = Instant::now();
    while began.elapsed() < time {
        std::hint::spin_loop();
    }
}

/// The command that runs [`busy`] as a process of its own.
pub(crate) fn busy_command(time: Duration) -> Result<Command> {
    own_command(&["busy", &time.as_millis().to_string()])
}

/// The command that runs [`ticks`] as a process of its own and prints how late each was.
pub(crate) fn ticks_command(per_second: u32, time: Duration) -> Result<Command> {
    own_command(&["ticks", &per_second.to_string(), &time.as_millis().to_string()])
}

fn own_command(arguments: &[&str]) -> Result<Command> {
    let mut command = Command::new(std::env::current_exe().context("cannot tell where this program is")?);
    command.args(arguments);
    Ok(command)
}

/// Prints what [`ticks`] finds, in nanoseconds, one line for each tick.
pub(crate) fn print_ticks(per_second: u32, time: Duration) -> Result<()> {
    let lines: String = ticks(per_second, time)?.iter().map(|late| format!("{}\n", late.as_nanos())).collect();
    std::io::stdout().write_all(lines.as_bytes()).context("cannot write to standard output")
}

/// Sleeps until each moment of a schedule by the kernel's timer, and gives how late it woke each time: what no
/// program that sleeps on this machine can better.
fn ticks(per_second: u32, time: Duration) -> Result<Vec<Duration>> {
    if per_second == 0 {
        bail!("nothing ticks 0 times a second");
    }
    nix::sys::prctl::set_timerslack(1).context("cannot set the timer slack")?;
    let clock = ClockId::CLOCK_MONOTONIC;
    let began: Duration = clock_gettime(clock)?.into();
    let mut late = Vec::new();
    for tick in 1_u32.. {
        // From the index, so that no rounding adds up.
        let due = Duration::from_secs(1).saturating_mul(tick) / per_second;
        if due > time {
            break;
        }
        let due = began + due;
        clock_nanosleep(clock, ClockNanosleepFlags::TIMER_ABSTIME, &due.into())?;
        let now: Duration = clock_gettime(clock)?.into();
        late.push(now.saturating_sub(due));
    }
    Ok(late)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedule_has_a_tick_for_each_period_and_the_last_one_at_its_end() {
        // 500 a second for 20 ms: due at 2, 4, …, 20 ms.
        assert_eq!(ticks(500, Duration::from_millis(20)).unwrap().len(), 10);
        assert!(ticks(0, Duration::from_millis(20)).is_err());
    }
}
