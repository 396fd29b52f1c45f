//! One run, as a process of its own: `netburn run --json`.
//!
//! A watch lives for months. What a run leaves behind in memory, a user namespace that a process enters but once, a device
//! that hangs: all of it ends with the run's own process, which is stopped where it takes longer than planned.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::io::AsyncReadExt;
use tokio::process::{Child, ChildStdout, Command};
use tokio::sync::watch::Receiver;
use tokio::time::{Instant, sleep_until, timeout};

use super::finding::Finding;
use crate::controller::process::{last_words, own_program};
use crate::run_file::EXTENSION;
use crate::scenario::{self, Overrides, Scenario, Via};

/// The longest document that is read, in bytes: of some ten thousand applications.
const LONGEST_DOCUMENT: u64 = 256 << 20;
/// How long a run may take beyond its plan: to bring up a lab or a server, and to compare clocks.
const MARGIN: Duration = Duration::from_secs(120);
/// The same where devices are logged in to, and perhaps given the program first.
const MARGIN_FAR: Duration = Duration::from_secs(600);
/// How long one that is told to stop may take to tell what it knows.
const GRACE: Duration = Duration::from_secs(60);
/// How long is waited for a process's last words once it has ended: somebody else may hold its streams open.
const STREAMS: Duration = Duration::from_secs(5);

/// Whether a run shall go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// It shall.
    GoOn,
    /// It shall stop, and keep what there is.
    Stop,
    /// It shall end now.
    EndNow,
}

/// How runs are started.
#[derive(Clone, Debug)]
pub(crate) struct Attempt {
    /// What is run.
    pub(crate) scenario: PathBuf,
    /// Where its file goes.
    pub(crate) out: PathBuf,
    /// How long it is judged, where the scenario does not say.
    pub(crate) duration: Option<Duration>,
    /// Whether devices may be given the program.
    pub(crate) push: bool,
}

/// A run that has ended.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ended {
    /// What it found; `None` where it was stopped because the watch ends.
    pub(crate) finding: Option<Finding>,
    /// The name of its file in the folder of runs, where it has one.
    pub(crate) file: Option<String>,
}

/// How long a run of a scenario takes as planned: it is loaded, and what is under way then may finish.
pub(crate) fn planned(scenario: &Scenario) -> Duration {
    scenario.plan.warm_up + scenario.plan.duration + scenario.plan.drain()
}

/// How long it may take at most.
pub(crate) fn limit(scenario: &Scenario) -> Duration {
    let far = scenario.devices.iter().any(|device| matches!(device.via, Via::Ssh(_)));
    planned(scenario) + if far { MARGIN_FAR } else { MARGIN }
}

/// The scenario as it stands now.
///
/// # Errors
/// Why it cannot be run.
pub(crate) fn prepare(attempt: &Attempt) -> Result<Scenario, String> {
    let name = attempt.scenario.display().to_string();
    let text =
        fs::read_to_string(&attempt.scenario).map_err(|error| format!("{name}: cannot read the scenario: {error}"))?;
    let overrides = Overrides { duration: attempt.duration, ..Overrides::default() };
    let scenario = scenario::parse_with(&name, &text, &overrides).map_err(|error| error.to_string())?;
    can_be_watched(&scenario).map(|()| scenario)
}

/// Whether nobody is needed to run it.
///
/// # Errors
/// Why not.
pub(crate) fn can_be_watched(scenario: &Scenario) -> Result<(), String> {
    match scenario.devices.iter().find(|device| device.via == Via::Join) {
        None => Ok(()),
        Some(device) => Err(format!(
            "client '{}' joins by a link that a person opens before each run, which a watch cannot wait for; reach it by via = \"ssh:HOST\"",
            device.name
        )),
    }
}

impl Attempt {
    /// Runs it once.
    pub(crate) async fn run(self, limit: Duration, mut wish: Receiver<Wish>) -> Ended {
        match self.spawn() {
            Ok(child) => self.attend(child, limit, &mut wish).await,
            Err(error) => Ended { finding: Some(Finding::could_not(&format!("{error:#}"))), file: None },
        }
    }

    fn spawn(&self) -> Result<Child> {
        let mut command = Command::from(own_program()?);
        command.args(self.arguments());
        command.stdin(std::process::Stdio::null());
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        without_service(&mut command).kill_on_drop(true).spawn().context("cannot start the run's process")
    }

    fn arguments(&self) -> Vec<OsString> {
        let mut args: Vec<OsString> = ["run", "--json", "--quiet", "--out"].map(OsString::from).into();
        args.push(self.out.clone().into());
        if let Some(duration) = self.duration {
            args.extend(["--for".into(), scenario::exact(duration).into()]);
        }
        if !self.push {
            args.push("--no-push".into());
        }
        // After the dashes, a file's name is one even where it begins with a dash.
        args.extend(["--".into(), self.scenario.clone().into()]);
        args
    }

    async fn attend(self, mut child: Child, limit: Duration, wish: &mut Receiver<Wish>) -> Ended {
        let document = tokio::spawn(read_document(child.stdout.take()));
        let stderr = child.stderr.take();
        let words = tokio::spawn(async move {
            match stderr {
                Some(stderr) => last_words(stderr).await,
                None => String::new(),
            }
        });
        let mut deadline = Instant::now() + limit;
        let mut too_long = false;
        let mut wanted = *wish.borrow_and_update();
        let status = loop {
            tokio::select! {
                status = child.wait() => break status,
                () = sleep_until(deadline) => {
                    // The first time it is asked, afterwards it is made to.
                    let by = if too_long || wanted != Wish::GoOn { Signal::SIGKILL } else { Signal::SIGTERM };
                    too_long |= wanted == Wish::GoOn;
                    deadline = Instant::now() + GRACE;
                    signal(&child, by);
                }
                changed = wish.changed() => {
                    // A watch that is gone wants nothing any more.
                    wanted = if changed.is_ok() { *wish.borrow_and_update() } else { Wish::EndNow };
                    deadline = Instant::now() + if changed.is_ok() { GRACE } else { Duration::from_secs(3600) };
                    signal(&child, if wanted == Wish::EndNow { Signal::SIGKILL } else { Signal::SIGTERM });
                }
            }
        };
        let document = timeout(STREAMS, document).await.ok().and_then(Result::ok).unwrap_or_default();
        let words = timeout(STREAMS, words).await.ok().and_then(Result::ok).unwrap_or_default();
        let found = Finding::of_document(&document).unwrap_or_else(|_| {
            let how = status.map_or_else(|error| error.to_string(), |status| status.to_string());
            Finding::could_not(&format!("the run's process ended without a result ({how}): {words}"))
        });
        let file = found.run.as_deref().and_then(|run| file_of(&self.out, run));
        let finding = if wanted != Wish::GoOn {
            None
        } else if too_long {
            let reason = format!("the run took longer than {} and was stopped", scenario::exact(limit));
            Some(Finding { run: found.run, ..Finding::could_not(&reason) })
        } else {
            Some(found)
        };
        Ended { finding, file }
    }
}

/// What systemd tells a service is for the watch itself.
pub(crate) fn without_service(command: &mut Command) -> &mut Command {
    for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] {
        command.env_remove(name);
    }
    command
}

fn signal(child: &Child, signal: Signal) {
    // It has a number only until it has been waited for, so the number is still its own.
    if let Some(pid) = child.id().and_then(|pid| i32::try_from(pid).ok()) {
        let _ = kill(Pid::from_raw(pid), signal);
    }
}

async fn read_document(stdout: Option<ChildStdout>) -> Vec<u8> {
    let mut document = Vec::new();
    if let Some(stdout) = stdout {
        // What was read before an error is no whole document, which is found out by whoever reads it.
        let _ = stdout.take(LONGEST_DOCUMENT).read_to_end(&mut document).await;
    }
    document
}

/// The file of a run, by the part of the run's name that its own ends in.
fn file_of(folder: &Path, run: &str) -> Option<String> {
    let ending = format!("-{}.{EXTENSION}", run.get(..8)?);
    let names = fs::read_dir(folder).ok()?.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    names.into_iter().find(|name| name.ends_with(&ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_has_its_planned_time_and_a_margin() {
        let text = "name = \"n\"\nduration = \"20 s\"\nwarm_up = \"5 s\"\n[[client]]\nname = \"a\"\nrun = [\"voip\"]\n";
        let near = scenario::parse("n", text).unwrap();
        let drain = near.plan.drain();
        assert_eq!(planned(&near), Duration::from_secs(25) + drain);
        assert_eq!(limit(&near), Duration::from_secs(145) + drain);
        let far = scenario::parse("n", &text.replace("run =", "via = \"ssh:tv\"\nrun =")).unwrap();
        assert_eq!(limit(&far), Duration::from_secs(625) + drain);
    }

    #[test]
    fn what_a_watch_passes_on_is_what_netburn_run_takes() {
        use clap::Parser;
        let attempt = Attempt {
            scenario: "-odd name.toml".into(),
            out: "o".into(),
            duration: Some(Duration::from_millis(1500)),
            push: false,
        };
        let line = [OsString::from("netburn")].into_iter().chain(attempt.arguments());
        let cli = crate::cli::Cli::try_parse_from(line).unwrap();
        let crate::cli::Command::Run(run) = cli.command else { panic!("{:?}", cli.command) };
        assert_eq!((run.scenario, run.out), ("-odd name.toml".into(), Some("o".into())));
        assert_eq!((run.duration, run.no_push), (Some(Duration::from_millis(1500)), true));
        assert!(run.show.json && run.show.quiet);
    }

    #[test]
    fn a_run_that_takes_too_long_is_stopped_and_told_of_as_one_that_could_not_run() {
        let attempt = Attempt { scenario: "s".into(), out: "/nonexistent".into(), duration: None, push: true };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let ended = runtime.block_on(async {
            // Its end is a signal's, whether it comes before the sleep has begun or after.
            let mut command = Command::new("sleep");
            let piped = std::process::Stdio::piped;
            let child = command.arg("1000").stdout(piped()).stderr(piped()).spawn().unwrap();
            let (_sender, mut wish) = tokio::sync::watch::channel(Wish::GoOn);
            attempt.attend(child, Duration::from_millis(20), &mut wish).await
        });
        let finding = Finding::could_not("the run took longer than 20 ms and was stopped");
        assert_eq!(ended, Ended { finding: Some(finding), file: None });
    }

    #[test]
    fn a_runs_file_is_found_by_the_runs_name() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["20261121T100000Z-a-00ff00ff.netburn", "20261121T100000Z-a-11ff00ff.netburn", "x-00ff00ff.json"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let found = file_of(folder.path(), "00ff00ff0123456789abcdef01234567");
        assert_eq!(found.as_deref(), Some("20261121T100000Z-a-00ff00ff.netburn"));
        assert_eq!(file_of(folder.path(), "22ff00ff0123456789abcdef01234567"), None);
        assert_eq!(file_of(folder.path(), "é"), None);
    }
}
