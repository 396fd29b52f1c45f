//! A whole run of a device over SSH beside a local one, where the device is not what it should be.

mod clocks;
mod ends;
mod impostors;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use netburn::facts::VERSION_LINE;
use serde_json::Value;
use tempfile::TempDir;

use crate::sshd::{Manner, Sshd};
use crate::wait::{run_file, until};

/// Exchanges of 1000 bytes, 50 times a second, by a device over SSH and by one that is this machine.
const SCENARIO: &str = concat!(
    r#"
name = "light"
duration = "3 s"
warm_up = "1 s"

[[client]]
name = "tv"
via = "ssh:device"
run = ["exchange"]

[[client]]
name = "laptop"
run = ["exchange"]

"#,
    include_str!("../../shared/exchange.toml")
);

/// A server whose sessions find a `netburn` of the test's on their `PATH`, and a scenario with them.
struct Pair {
    programs: TempDir,
    sshd: Sshd,
}

impl Pair {
    /// The device's `netburn` claims to be ours; as an agent it is this shell text, which finds the real program in `$REAL`
    /// and its own folder in `$HERE`.
    fn with_agent(text: &str, duration: &str) -> Self {
        let programs = tempfile::tempdir().unwrap();
        let file = programs.path().join("netburn");
        let (line, here, real) = (&*VERSION_LINE, programs.path().display(), env!("CARGO_BIN_EXE_netburn"));
        let script = format!(
            "#!/bin/sh\nHERE='{here}'; REAL='{real}'\nif test \"$1\" = --version; then echo '{line}'; exit; fi\n\
             echo $$ >\"$HERE/pid\"\n{text}\n"
        );
        fs::write(&file, script).unwrap();
        fs::set_permissions(&file, PermissionsExt::from_mode(0o755)).unwrap();
        let path = format!("{here}:/usr/bin:/bin");
        let sshd = Sshd::start_in(Manner { variables: vec![("PATH", path)], ..Manner::default() });
        fs::write(sshd.path("s.toml"), SCENARIO.replace("3 s", duration)).unwrap();
        Self { programs, sshd }
    }

    /// A file beside the device's `netburn`.
    fn beside(&self, name: &str) -> PathBuf {
        self.programs.path().join(name)
    }

    /// The run, which may not copy another program to the device.
    fn run(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_netburn"));
        command.arg("run").arg(self.sshd.path("s.toml")).arg("--out").arg(self.out()).args(["--json", "--no-push"]);
        command.env("NETBURN_SSH_CONFIG", self.sshd.path("ssh_config")).env("XDG_RUNTIME_DIR", self.sshd.path(""));
        command.env_remove("NETBURN_AGENTS").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn finish(&self) -> Finished {
        Finished::of(self.run().spawn().unwrap())
    }

    /// The process of the device's agent.
    fn agent(&self) -> u32 {
        until("the device's agent", || fs::read_to_string(self.beside("pid")).ok()?.trim().parse().ok())
    }

    fn out(&self) -> PathBuf {
        self.sshd.path("runs")
    }

    /// The run file so far.
    fn record(&self) -> Option<String> {
        fs::read_to_string(run_file(&self.out())?).ok()
    }

    /// Waits until a client's second of load is recorded.
    fn wait_for_second(&self, client: u32, second: u32) {
        let text = format!("\"client\":{client},\"population\":0,\"second\":{second},");
        until(&text, || self.record()?.contains(&text).then_some(()));
    }
}

/// A run that has ended.
struct Finished {
    code: Option<i32>,
    told: String,
    said: String,
}

impl Finished {
    fn of(run: std::process::Child) -> Self {
        let output = run.wait_with_output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Self { code: output.status.code(), told: text(output.stderr), said: text(output.stdout) }
    }

    fn document(&self) -> Value {
        serde_json::from_str(&self.said).unwrap_or_else(|error| panic!("{error}: {}\n{}", self.said, self.told))
    }
}

/// Whether a process still runs: one that has ended, and that nobody has asked about yet, does not.
fn is_alive(pid: u32) -> bool {
    let Ok(stat) = fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("stat")) else { return false };
    !stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with(['Z', 'X']))
}

fn signal(pid: u32, name: &str) {
    assert!(Command::new("kill").args(["-s", name, &pid.to_string()]).status().unwrap().success());
}
