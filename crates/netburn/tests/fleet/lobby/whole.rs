//! Whole runs of devices that join by themselves.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::{Duration, Instant};

use netburn::fleet::address::JoinLink;
use netburn::fleet::lobby::{Gathering, Manners, Patience};
use serde_json::Value;
use tempfile::TempDir;

use crate::wait::{run_file, until};

use super::relay::{Network, Relay};
use super::support::{ANY_PORT, Device, by_way_of, joined, link_for, lobby};

/// Two devices, each with an exchange of 1000 bytes 50 times a second.
const SCENARIO: &str = concat!(
    r#"
name = "light"
duration = "3 s"
warm_up = "1 s"
server = "local:127.0.0.1"

[[client]]
name = "tv"
via = "join"
run = ["exchange"]

[[client]]
name = "phone"
via = "join"
run = ["exchange"]

"#,
    include_str!("../../shared/exchange.toml")
);

/// A controller under way; killed where a test ends early.
struct Controller {
    child: Child,
    stderr: BufReader<ChildStderr>,
    folder: TempDir,
    links: Vec<String>,
}

impl Controller {
    /// Starts a run and reads the links that it shows.
    fn start(scenario: &str, more: &[&str]) -> Self {
        let folder = TempDir::new().unwrap();
        // A port that was free a moment ago: runs that start in the same moment would all try 4040.
        let port = TcpListener::bind(ANY_PORT).unwrap().local_addr().unwrap().port();
        let scenario = scenario.replace("local:127.0.0.1", &format!("local:127.0.0.1:{port}"));
        fs::write(folder.path().join("s.toml"), scenario).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_netburn"));
        command.arg("run").arg(folder.path().join("s.toml")).arg("--out").arg(folder.path().join("runs"));
        command.args(["--json"]).args(more).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let (mut links, mut said) = (Vec::new(), String::new());
        while links.len() < 2 {
            let before = said.len();
            assert_ne!(stderr.read_line(&mut said).unwrap(), 0, "it ended before it showed its links: {said}");
            let words = said[before..].split_whitespace();
            links.extend(words.filter(|word| word.starts_with("https://")).map(str::to_owned));
        }
        Self { child, stderr, folder, links }
    }

    fn run_file(&self) -> Option<PathBuf> {
        run_file(&self.folder.path().join("runs"))
    }

    /// Waits until this client's second has been recorded.
    fn wait_for_second(&self, client: u32, second: u64) {
        let interval = format!("\"event\":\"interval\",\"client\":{client},\"population\":0,\"second\":{second},");
        until(&interval, || fs::read_to_string(self.run_file()?).ok()?.contains(&interval).then_some(()));
    }

    /// Its exit code, its document, and what it said beside that.
    fn end(mut self) -> (Option<i32>, Value, String) {
        let (mut out, mut said) = (String::new(), String::new());
        self.child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        self.stderr.read_to_string(&mut said).unwrap();
        let code = self.child.wait().unwrap().code();
        (code, serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}\n{said}")), said)
    }
}

impl Drop for Controller {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn a_run_of_devices_that_join_starts_when_all_are_there_and_ends_with_a_report() {
    let controller = Controller::start(SCENARIO, &["--quiet"]);
    let devices: Vec<Device> = controller.links.iter().map(|link| Device::join(link, &[])).collect();
    let (code, document, said) = tokio::task::spawn_blocking(|| controller.end()).await.unwrap();
    assert_eq!(code, Some(0), "{document:#}\n{said}");
    for application in document["applications"].as_array().unwrap() {
        // 50 a second for the 3 s that are judged.
        assert_eq!(application["operations"]["scheduled"], 150, "{document:#}");
        assert_eq!(application["operations"]["completed"], 150, "{document:#}");
    }
    for device in devices {
        let ended = device.end().await;
        assert_eq!(ended.code, Some(0), "{}", ended.said);
        assert!(ended.said.contains("The run has started"), "{}", ended.said);
    }
}

/// Where the server is somebody else's, the lobby has a port of its own.
#[tokio::test]
async fn devices_join_a_run_against_a_server_that_was_there_before() {
    let mut server = Command::new(env!("CARGO_BIN_EXE_netburn"));
    server.args(["serve", "--until-stdin-closes", "--listen", "127.0.0.1:0"]);
    let mut server = server.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let url = line.split_whitespace().find(|word| word.starts_with("http://")).unwrap();

    let controller = Controller::start(&SCENARIO.replace("local:127.0.0.1", url), &["--lobby", "[::]:0"]);
    let nearby = |link: &String| {
        let link: JoinLink = link.parse().unwrap();
        let port = link.host.rsplit_once(':').unwrap().1.parse().unwrap();
        by_way_of(&link, (Ipv4Addr::LOCALHOST, port).into()).to_string()
    };
    let devices: Vec<Device> = controller.links.iter().map(|link| Device::join(&nearby(link), &[])).collect();
    let (code, document, said) = tokio::task::spawn_blocking(|| controller.end()).await.unwrap();
    assert_eq!(code, Some(0), "{document:#}\n{said}");
    for device in devices {
        assert_eq!(device.end().await.code, Some(0));
    }
    drop(server.stdin.take());
    assert!(server.wait().unwrap().success());
}

#[tokio::test]
async fn a_controller_that_is_killed_leaves_no_device_running_after_two_seconds() {
    let mut controller = Controller::start(&SCENARIO.replace("3 s", "60 s"), &[]);
    let devices: Vec<Device> = controller.links.iter().map(|link| Device::join(link, &[])).collect();
    controller.wait_for_second(0, 0);
    controller.child.kill().unwrap();
    let killed = Instant::now();
    for device in devices {
        let ended = device.end().await;
        assert!(killed.elapsed() < Duration::from_secs(2), "{:?}: {}", killed.elapsed(), ended.said);
        assert_eq!(ended.code, Some(4), "{}", ended.said);
        assert!(ended.said.contains("the controller is gone"), "{}", ended.said);
    }
}

/// The relay carries only what the device and the lobby say to each other; the load goes straight to the server.
#[tokio::test(flavor = "multi_thread")]
async fn a_device_that_the_controller_does_not_hear_for_a_while_tells_all_of_it_afterwards() {
    let controller = Controller::start(&SCENARIO.replace("\"3 s\"", "\"8 s\""), &[]);
    let link: JoinLink = controller.links[0].parse().unwrap();
    let relay = Relay::to(link.host.parse().unwrap()).await;
    let tv = Device::join(&by_way_of(&link, relay.address).to_string(), &["--as", "tv"]);
    let phone = Device::join(&controller.links[1], &["--as", "phone"]);
    let ended = tokio::task::spawn_blocking(move || {
        controller.wait_for_second(0, 1);
        relay.now(Network::IsCut);
        // The other one goes on meanwhile.
        controller.wait_for_second(1, 4);
        relay.now(Network::Works);
        controller.end()
    });
    let (_, document, said) = ended.await.unwrap();
    let operations = |i: usize, what: &str| document["applications"][i]["operations"][what].as_u64().unwrap();
    // 50 a second for the 8 s that are judged, of each: none is missing, and none counts twice.
    for i in [0, 1] {
        assert_eq!((operations(i, "scheduled"), operations(i, "completed")), (400, 400), "{document:#}\n{said}");
    }
    assert!(said.contains("its connection is back"), "{said}");
    assert!(!document.to_string().contains("does not add up"), "{document:#}");
    for device in [tv, phone] {
        let ended = device.end().await;
        assert_eq!(ended.code, Some(0), "{}", ended.said);
    }
}

#[tokio::test]
async fn a_run_that_starts_anyway_goes_without_those_who_are_missing() {
    let controller = Controller::start(SCENARIO, &["--start-anyway=2s"]);
    let device = Device::join(&controller.links[1], &["--as", "phone"]);
    let (code, document, said) = tokio::task::spawn_blocking(|| controller.end()).await.unwrap();
    assert_eq!(code, Some(3), "{document:#}\n{said}");
    assert!(said.contains("Starting without tv."), "{said}");
    assert_eq!(document["applications"][1]["operations"]["completed"], 150, "{document:#}");
    assert!(document["reasons"].to_string().contains("tv"), "{document:#}");
    assert_eq!(device.end().await.code, Some(0));
}

#[tokio::test]
async fn who_is_waited_for_in_vain_is_named_and_keeps_the_run_from_starting() {
    let mut lobby = lobby(&["tv", "phone"], Manners::default()).await;
    let _device = Device::join(&link_for(&lobby, "phone").to_string(), &[]);
    let _phone = joined(&mut lobby).await;
    let patience = Patience::ForAll(Duration::from_millis(10));
    let error = Gathering::new(&mut lobby, false).wait(patience).await.unwrap_err();
    assert_eq!(error.missing, ["tv"]);
}
