//! What is left of a lab: nothing, however it ended.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::os::fd::AsRawFd as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::{holders_of, interfaces, lab, namespaces_of, runs, wait_until};

const FIXTURE: &str = env!("CARGO_BIN_EXE_lab-fixture");
/// `nobody`, by Debian's numbers.
const NOBODY: u32 = 65534;

#[test]
fn a_dropped_lab_takes_its_links_along() {
    let lab = lab(&[(20_000_000, Duration::from_millis(100))], &[0]);
    // A descriptor of our own keeps the namespace of one host alive; its link ends in another that nobody keeps.
    let here = || File::open("/proc/thread-self/ns/net").unwrap();
    let witnesses = [lab.server().run_in(here).unwrap(), lab.station(0).run_in(here).unwrap()];
    for witness in &witnesses {
        assert!(interfaces(witness).contains("eth0"));
    }
    drop(lab);
    for witness in &witnesses {
        wait_until("the link is gone", || !interfaces(witness).contains("eth0"));
    }
}

#[test]
fn a_killed_controller_leaves_no_process_no_namespace_and_no_link() {
    let mut holder = Command::new(FIXTURE).arg("hold").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(holder.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let residents: Vec<u32> = line.split_whitespace().map(|pid| pid.parse().unwrap()).collect();
    assert_eq!(residents.len(), 2, "the fixture could not build its lab, see above");

    let own = namespaces_of(std::process::id());
    let held: BTreeSet<_> = namespaces_of(holder.id()).difference(&own).cloned().collect();
    // Hub, server, one access point, one station.
    assert_eq!(held.len(), 4);
    let witness = File::open(format!("/proc/{}/ns/net", residents[0])).unwrap();
    assert!(interfaces(&witness).contains("eth0"));

    // `kill` is SIGKILL: the holder runs nothing more.
    holder.kill().unwrap();
    holder.wait().unwrap();
    wait_until("its children have ended", || !residents.iter().any(|&pid| runs(pid)));
    wait_until("nobody holds its namespaces", || holders_of(&held).is_empty());
    wait_until("its links are gone", || !interfaces(&witness).contains("eth0"));
}

#[test]
fn an_ordinary_user_builds_a_lab_in_a_user_namespace() {
    // By descriptor: the folders down to the program may be closed to this user.
    let program = File::open(FIXTURE).unwrap();
    let output = Command::new(format!("/proc/self/fd/{}", program.as_raw_fd()))
        .arg("exchange")
        .current_dir("/")
        .uid(NOBODY)
        .gid(NOBODY)
        .output()
        .unwrap();
    let (said, complained) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{complained}");
    let numbers: Vec<u64> = said.split_whitespace().map(|number| number.parse().unwrap()).collect();
    // 100 000 bytes are 70 segments of at most 1448, each under 66 bytes of headers: 104 620 and a SYN-ACK of 74.
    assert_eq!(numbers[0], 100_000);
    assert!((104_694..=106_800).contains(&numbers[1]), "{numbers:?}: not within 2 % of the least count");
}
