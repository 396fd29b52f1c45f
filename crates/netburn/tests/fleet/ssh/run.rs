//! A whole run with a device over SSH, as a person types it.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use super::install::cached;
use crate::sshd::Sshd;
use crate::wait::{running, until};

/// An exchange of 1000 bytes, 50 times a second, for three seconds.
const SCENARIO: &str = concat!(
    r#"
name = "light"
duration = "3 s"
warm_up = "1 s"

[[client]]
name = "tv"
via = "ssh:device"
run = ["exchange"]

"#,
    include_str!("../../shared/exchange.toml")
);

fn netburn_run(sshd: &Sshd, more: &[&str]) -> Output {
    let scenario = sshd.path("s.toml");
    std::fs::write(&scenario, SCENARIO).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_netburn"));
    command.arg("run").arg(scenario).arg("--out").arg(sshd.path("runs")).arg("--json").args(more);
    // Its control sockets are the test's too, and nobody is asked anything.
    command.env("NETBURN_SSH_CONFIG", sshd.path("ssh_config")).env("XDG_RUNTIME_DIR", sshd.path(""));
    command.env_remove("NETBURN_AGENTS").stdin(Stdio::null()).output().unwrap()
}

fn masters(folder: &Path) -> usize {
    let runs = std::fs::read_dir(folder.join("nb")).unwrap();
    runs.count()
}

#[test]
fn a_device_that_has_nothing_takes_part_and_is_left_as_it_was_but_for_the_cache() {
    let sshd = Sshd::start();
    let output = netburn_run(&sshd, &[]);
    let told = String::from_utf8_lossy(&output.stderr);
    let result: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {told}"));
    let application = &result["applications"][0];
    assert_eq!(application["client"], "tv", "{result}");
    // 3 s at 50 each second; on a machine this busy some may come too late, but most do not.
    assert!(application["operations"]["completed"].as_u64().unwrap() > 75, "{result}");
    assert!(told.contains("copied netburn"), "{told}");
    assert_eq!(sshd.connections(), 1);
    until("the agent to end", || running(&cached(&sshd)).is_empty().then_some(()));
    assert_eq!(masters(&sshd.path("")), 0, "no control socket is left");
}

#[test]
fn a_device_that_may_not_be_given_the_program_ends_the_run_before_it_begins() {
    let sshd = Sshd::start();
    let output = netburn_run(&sshd, &["--no-push"]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{told}");
    assert!(told.contains("tv") && told.contains("--no-push forbids"), "{told}");
}
