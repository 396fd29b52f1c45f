//! The command, against a real SSH server.

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;

use crate::sshd::{Manner, Sshd};

/// `netburn fleet check` of a scenario with one device for each place, as a document.
fn check(sshd: &Sshd, places: &[&str], more: &[&str]) -> (Output, Value) {
    let scenario = sshd.path("scenario.toml");
    let mut text = "name = \"check\"\nduration = \"5s\"\n".to_owned();
    for (number, place) in places.iter().enumerate() {
        text.push_str(&format!("[[client]]\nname = \"device{number}\"\nvia = \"{place}\"\nrun = [\"voip\"]\n"));
    }
    fs::write(&scenario, text).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_netburn"))
        .args(["fleet", "check", "--json"])
        .args(more)
        .arg(&scenario)
        .env("NETBURN_SSH_CONFIG", sshd.path("ssh_config"))
        .env("XDG_RUNTIME_DIR", sshd.path(""))
        .output()
        .unwrap();
    let document = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    (output, document)
}

#[test]
fn a_device_over_ssh_and_this_machine_are_fit_and_one_that_joins_is_listed() {
    let sshd = Sshd::start();
    let (output, document) = check(&sshd, &["ssh:device", "local", "join"], &[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let [device, local, joins] = [0, 1, 2].map(|i| &document["devices"][i]);
    for measured in ["login_ms", "command_ms"] {
        assert!(device[measured].as_f64().unwrap() > 0.0, "{document}");
        assert!(local[measured].is_null());
    }
    for there in [device, local] {
        assert_eq!((&there["fit"], &there["reaches_server"]), (&true.into(), &true.into()), "{document}");
        assert!(there["clock"]["uncertainty_ms"].as_f64().unwrap() > 0.0);
        assert_eq!((&there["facts"]["medium"], &there["facts"]["route"]), (&"loopback".into(), &"this machine".into()));
        assert!(there["facts"]["cpu_free"].as_str().unwrap().ends_with(" %"));
    }
    assert_eq!((&joins["joins"], &joins["clock"]), (&true.into(), &Value::Null));
    let progress = String::from_utf8(output.stderr).unwrap();
    assert!(progress.contains("device0: logging in to device"), "{progress}");
}

#[test]
fn a_device_that_cannot_be_reached_spoils_the_run_and_the_others_are_checked_all_the_same() {
    let sshd = Sshd::start();
    sshd.configure("Host gone\n HostName nobody.invalid\n");
    let (output, document) = check(&sshd, &["ssh:gone", "local"], &[]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(document["devices"][0]["problems"][0].as_str().unwrap().contains("no such host"), "{document}");
    assert_eq!(document["devices"][1]["fit"], true);
}

#[test]
fn a_device_without_netburn_is_not_fit_where_nothing_may_be_copied_there() {
    let sshd = Sshd::start();
    let (output, document) = check(&sshd, &["ssh:device"], &["--no-push"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let problem = document["devices"][0]["problems"][0].as_str().unwrap();
    assert!(problem.contains("--no-push"), "{problem}");
    assert!(!sshd.home().join(".cache/netburn").exists());
}

#[test]
fn a_server_that_nobody_serves_is_not_reached() {
    let sshd = Sshd::start();
    // Port 1 (tcpmux) is served by nobody.
    let scenario = sshd.path("elsewhere.toml");
    fs::write(&scenario, "name = \"x\"\nduration = \"5s\"\nserver = \"http://127.0.0.1:1\"\n[[client]]\nname = \"a\"\nrun = [\"voip\"]\n")
        .unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_netburn")).args(["fleet", "check"]).arg(&scenario).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("NO") && text.contains("WRONG"), "{text}");
}

#[test]
fn the_line_that_makes_a_real_login_slow_is_named() {
    // The session's command waits; a wait that the program measures. Twenty times what is called slow here.
    let sshd = Sshd::start_in(Manner {
        config: vec!["ForceCommand sleep 1; eval \"$SSH_ORIGINAL_COMMAND\"".to_owned()],
        ..Manner::default()
    });
    let (output, document) = check(&sshd, &["ssh:device"], &["--slow", "1ms"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let cause = &document["devices"][0]["slow_login"]["causes"][0];
    assert!(cause["took_ms"].as_f64().unwrap() >= 1000.0, "{document}");
    assert!(cause["seen"].as_str().unwrap().contains("a command that does nothing takes long"), "{document}");
}
