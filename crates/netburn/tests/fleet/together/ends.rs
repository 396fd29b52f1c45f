//! Processes that are killed in the middle of a run, connections that fall silent, and what the others make of it.

use std::fs;
use std::process::Child;

use super::{Finished, Pair, is_alive, signal};
use crate::wait::until;

/// The real agent, in the process that the test knows.
const HONEST: &str = "exec \"$REAL\" \"$@\"";

/// The processes that this one started and that still run.
fn children(parent: &Child) -> Vec<u32> {
    let tasks = fs::read_dir(format!("/proc/{}/task", parent.id())).unwrap();
    let listed = tasks.filter_map(|task| fs::read_to_string(task.ok()?.path().join("children")).ok());
    listed.flat_map(|list| list.split_whitespace().map(|pid| pid.parse().unwrap()).collect::<Vec<_>>()).collect()
}

#[test]
fn nothing_is_left_of_a_run_whose_controller_is_killed() {
    let pair = Pair::with_agent(HONEST, "60 s");
    let mut run = pair.run().spawn().unwrap();
    (0..2).for_each(|client| pair.wait_for_second(client, 1));
    let mut processes = children(&run);
    // The server, the local agent and the ssh that carries the other one, at least.
    assert!(processes.len() >= 3, "{processes:?}");
    processes.push(pair.agent());
    run.kill().unwrap();
    run.wait().unwrap();
    until("agents and server to end", || processes.iter().all(|pid| !is_alive(*pid)).then_some(()));
}

#[test]
fn an_agent_that_is_killed_leaves_its_data_and_stops_nobody() {
    let pair = Pair::with_agent(HONEST, "6 s");
    let run = pair.run().spawn().unwrap();
    (0..2).for_each(|client| pair.wait_for_second(client, 2));
    signal(pair.agent(), "KILL");
    let run = Finished::of(run);
    assert_eq!(run.code, Some(3), "{}", run.told);
    let document = run.document();
    let completed = |i: usize| document["applications"][i]["operations"]["completed"].as_u64().unwrap();
    assert_eq!(document["applications"][0]["verdict"], "inconclusive");
    assert!(document["reasons"].to_string().contains("tv"), "{document:#}");
    // What all were there for is judged, of both; and the other one's load went on to its end.
    assert!(completed(0) > 0 && completed(1) > 0, "{document:#}");
    assert!(pair.record().unwrap().contains("\"client\":1,\"population\":0,\"second\":5,"), "{}", run.told);
}

/// The device's end of the connection, stopped: nothing comes from there any more, and nothing is closed.
struct Silenced {
    sshd: u32,
}

impl Silenced {
    fn begin(agent: u32) -> Self {
        let status = fs::read_to_string(format!("/proc/{agent}/status")).unwrap();
        let parent = status.lines().find_map(|line| line.strip_prefix("PPid:")).unwrap();
        let sshd = parent.trim().parse().unwrap();
        signal(sshd, "STOP");
        Self { sshd }
    }
}

impl Drop for Silenced {
    fn drop(&mut self) {
        signal(self.sshd, "CONT");
    }
}

fn operations(document: &serde_json::Value, client: usize, of: &str) -> u64 {
    document["applications"][client]["operations"][of].as_u64().unwrap()
}

#[test]
fn a_device_that_is_silent_for_a_while_goes_on_and_all_it_measured_arrives() {
    let pair = Pair::with_agent(HONEST, "12 s");
    let run = pair.run().spawn().unwrap();
    (0..2).for_each(|client| pair.wait_for_second(client, 1));
    let silence = Silenced::begin(pair.agent());
    // Longer than an agent on this machine may be silent, and shorter than one over SSH.
    pair.wait_for_second(1, 9);
    drop(silence);
    let document = Finished::of(run).document();
    for client in 0..2 {
        // 50 a second, for the 12 seconds that are judged.
        assert_eq!(
            (operations(&document, client, "scheduled"), operations(&document, client, "completed")),
            (600, 600)
        );
    }
    let record = pair.record().unwrap();
    assert!(!record.contains("\"state\":\"lost\""), "nobody was given up");
    for second in 0..13 {
        let told = format!("\"event\":\"interval\",\"client\":0,\"population\":0,\"second\":{second},");
        assert_eq!(record.matches(&told).count(), 1, "second {second} arrived once");
    }
}

#[test]
fn a_device_that_stays_silent_is_lost_after_twenty_seconds_and_the_others_finish() {
    let pair = Pair::with_agent(HONEST, "28 s");
    let run = pair.run().spawn().unwrap();
    (0..2).for_each(|client| pair.wait_for_second(client, 1));
    let silence = Silenced::begin(pair.agent());
    let run = Finished::of(run);
    drop(silence);
    assert_eq!(run.code, Some(3), "{}", run.told);
    let document = run.document();
    assert_eq!(document["applications"][0]["verdict"], "inconclusive");
    assert!(document["reasons"].to_string().contains("20 s"), "{}", document["reasons"]);
    // What it told before is in the report; the other one's load went on to its end.
    assert!(operations(&document, 0, "completed") > 0, "{document:#}");
    assert!(pair.record().unwrap().contains("\"client\":1,\"population\":0,\"second\":27,"), "{}", run.told);
}
