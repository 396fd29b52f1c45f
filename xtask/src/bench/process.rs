//! Child processes whose cost is known: processor time, memory, and what they printed.
//!
//! Processor time is the kernel's own account of the process (`CLOCK_PROCESS_CPUTIME_ID` of its id, nanoseconds,
//! all its threads, user and system), read while a server runs and, for a client, between its end and the moment it is
//! reaped. It is what `wait4` gives too, for a process that has not ended yet as well.

use std::fs::File;
use std::io::{Read, Seek};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::time::{clock_getcpuclockid, clock_gettime};
use nix::unistd::Pid;

/// How often a running client is looked at. Rarely, since each look costs processor time of the same machine.
const LOOK: Duration = Duration::from_millis(20);

/// A child process that is killed, by its id, when this value goes.
pub(crate) struct Running {
    child: Child,
    name: String,
    printed: File,
    said: File,
    began: Instant,
}

/// What a process that ran to its end cost, and what it printed.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) printed: String,
    /// Processor time, user and system, of all its threads.
    pub(crate) cpu: Duration,
    /// The most resident memory it ever had, as far as it was seen: `VmHWM`, in bytes.
    pub(crate) peak_memory: Option<u64>,
}

impl Running {
    /// Starts `command`, which runs beside us until it ends or this value goes.
    pub(crate) fn start(mut command: Command) -> Result<Self> {
        let name = command.get_program().to_string_lossy().into_owned();
        // Files, not pipes: nobody has to read along, and nobody blocks.
        let printed = tempfile::tempfile().context("cannot make a temporary file")?;
        let said = tempfile::tempfile().context("cannot make a temporary file")?;
        let child = command
            .stdin(Stdio::null())
            .stdout(printed.try_clone()?)
            .stderr(said.try_clone()?)
            .spawn()
            .with_context(|| format!("cannot start {name}"))?;
        Ok(Self { child, name, printed, said, began: Instant::now() })
    }

    /// Starts a server, and waits until it accepts connections at `address`.
    pub(crate) fn start_server(command: Command, address: SocketAddr) -> Result<Self> {
        let mut server = Self::start(command)?;
        while TcpStream::connect_timeout(&address, Duration::from_secs(1)).is_err() {
            if server.child.try_wait()?.is_some() {
                bail!("{} ended instead of serving: {}", server.name, server.last_words());
            }
            if server.began.elapsed() > Duration::from_secs(10) {
                bail!("{} does not accept connections at {address}", server.name);
            }
            std::thread::sleep(LOOK);
        }
        Ok(server)
    }

    /// Processor time so far.
    pub(crate) fn cpu(&self) -> Result<Duration> {
        let clock = clock_getcpuclockid(self.pid()?).with_context(|| format!("{} has no clock", self.name))?;
        Ok(clock_gettime(clock).with_context(|| format!("cannot read the clock of {}", self.name))?.into())
    }

    /// The most resident memory so far, in bytes; `None` when the process has ended.
    pub(crate) fn peak_memory(&self) -> Option<u64> {
        high_water_mark(&std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?)
    }

    /// Waits for the process to end well, `limit` at the longest.
    pub(crate) fn finish(self, limit: Duration) -> Result<Finished> {
        self.finish_with(limit, true)
    }

    /// Waits for the process to end, whatever its exit code says.
    pub(crate) fn finish_whatever_it_says(self, limit: Duration) -> Result<Finished> {
        self.finish_with(limit, false)
    }

    fn finish_with(mut self, limit: Duration, well: bool) -> Result<Finished> {
        let mut peak_memory = None;
        loop {
            peak_memory = self.peak_memory().or(peak_memory);
            // Ended but not yet reaped: its clock can still be read.
            let look = WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT | WaitPidFlag::WNOHANG;
            if waitid(Id::Pid(self.pid()?), look)? != WaitStatus::StillAlive {
                break;
            }
            if self.began.elapsed() > limit {
                bail!("{} did not end within {limit:?}: {}", self.name, self.last_words());
            }
            std::thread::sleep(LOOK);
        }
        let cpu = self.cpu()?;
        let status = self.child.wait()?;
        if status.code().is_none() || well && !status.success() {
            bail!("{} failed ({status}): {}", self.name, self.last_words());
        }
        Ok(Finished { printed: read(&self.printed), cpu, peak_memory })
    }

    fn pid(&self) -> Result<Pid> {
        Ok(Pid::from_raw(i32::try_from(self.child.id())?))
    }

    /// The end of what the process said, for a message.
    fn last_words(&self) -> String {
        let all = format!("{}{}", read(&self.printed), read(&self.said));
        let lines: Vec<&str> = all.lines().rev().take(5).collect();
        lines.into_iter().rev().collect::<Vec<_>>().join(" | ")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail only where the process is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The peak resident memory, in bytes, of a `/proc/PID/status`.
fn high_water_mark(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

fn read(mut file: &File) -> String {
    let mut bytes = Vec::new();
    // What cannot be read is missing from a message or from a result, and both say so.
    let _ = file.rewind().and_then(|()| file.read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn memory_is_the_high_water_mark_in_bytes() {
        let status = "Name:\twrk\nVmPeak:\t  999999 kB\nVmHWM:\t   12345 kB\nVmRSS:\t   10000 kB\n";
        assert_eq!(high_water_mark(status), Some(12_345 * 1024));
        // A process that has ended but was not reaped has no memory, and no such line.
        assert_eq!(high_water_mark("Name:\tsh\nState:\tZ (zombie)\n"), None);
    }

    #[test]
    fn a_finished_process_gives_what_it_printed_and_what_it_used() {
        // Counting to 20,000 in a shell takes milliseconds of processor time on any machine, and sleeping takes none.
        let busy = Running::start(shell("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo $i")).unwrap();
        let busy = busy.finish(Duration::from_secs(30)).unwrap();
        assert_eq!(busy.printed, "20000\n");
        let idle = Running::start(shell("exec sleep 0.05")).unwrap().finish(Duration::from_secs(30)).unwrap();
        assert!(busy.cpu > idle.cpu && idle.cpu > Duration::ZERO, "{:?} {:?}", busy.cpu, idle.cpu);
        assert!(idle.peak_memory.is_some_and(|bytes| bytes > 100_000), "{:?}", idle.peak_memory);
    }

    #[test]
    fn a_failure_carries_the_last_words() {
        let failed = Running::start(shell("echo out; echo cause >&2; exit 3")).unwrap();
        let error = failed.finish(Duration::from_secs(30)).unwrap_err().to_string();
        assert!(error.contains("exit status: 3") && error.contains("out | cause"), "{error}");
    }

    #[test]
    fn what_does_not_end_in_time_is_ended() {
        let endless = Running::start(shell("exec sleep 60")).unwrap();
        let pid = endless.child.id();
        let error = endless.finish(Duration::from_millis(1)).unwrap_err().to_string();
        assert!(error.contains("did not end"), "{error}");
        assert!(!std::path::Path::new(&format!("/proc/{pid}")).exists());
    }
}
