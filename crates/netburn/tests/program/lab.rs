//! A scenario on an emulated access point. These tests make network namespaces; where they may not, they fail.

use crate::harness::{Place, UnderWay, is_alive, netburn, run_files, say, until};

/// A TV and a download that between them want more than the radio has.
const CROWDED: &str = r#"
name = "crowded"
duration = "9 s"
warm_up = "2 s"

[[radio]]
name = "air"
rate = "40 Mbps"
queue = "300 ms"

[[client]]
name = "phone"
via = "lab:air"
run = ["voip"]

[[client]]
name = "desktop"
via = "lab:air"
run = ["download"]
"#;

#[test]
fn a_filled_queue_is_felt_by_the_call_and_blamed_on_the_network() {
    let place = Place::with(CROWDED);
    let said = say(&mut place.run(&["--json"]));
    let document = said.json();
    let (phone, desktop) = (&document["applications"][0], &document["applications"][1]);
    // The download takes what the call leaves: 40 Mbps less headers (1448 of 1514 bytes are payload: 38.2 Mbps) less 1 Mbps.
    let download = desktop["goodput_mbps"].as_f64().unwrap();
    assert!((30.0..38.3).contains(&download), "{download}");
    // Cubic fills the queue of 300 ms; a call in it waits for a good part of that, and never much longer.
    let p95 = phone["response_time_ms"]["p95"].as_f64().unwrap();
    assert!((100.0..500.0).contains(&p95), "{p95}");
    assert_ne!(phone["verdict"], "pass", "{document:#}");
    let air = &document["links"][0];
    assert_eq!(air["name"], "air");
    // Each device's own interface, in its own namespace, has counted what it got: the payload of the nine judged seconds at
    // least, and no more than the radio carried for both.
    let interface = &document["telemetry"][1]["interface"];
    let received = interface["received_bytes"].as_f64().unwrap();
    assert!(received >= download * 1e6 / 8.0 * 9.0, "{received} of {download} Mbps");
    assert!(received <= air["bytes"].as_f64().unwrap(), "{received} of {air:#}");
    assert_ne!(interface["names"][0], "lo");
    assert_eq!(document["telemetry"][1]["client"], "desktop");
}

#[test]
fn a_killed_controller_leaves_no_namespace_behind() {
    let place = Place::with(&CROWDED.replace("9 s", "60 s"));
    let run = UnderWay::start(&mut place.run(&[]));
    place.wait_for("\"event\":\"interval\"");
    let mut all = run.children("agent");
    all.extend(run.children("serve"));
    assert_eq!(all.len(), 3);
    let namespaces: Vec<_> = all.iter().map(|pid| namespace(*pid).unwrap()).collect();
    run.signal("KILL");
    run.end();
    for pid in all {
        until("a process to end with its controller", || (!is_alive(pid)).then_some(()));
    }
    let held: Vec<_> = std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter_map(namespace)
        .filter(|held| namespaces.contains(held))
        .collect();
    assert!(held.is_empty(), "{held:?}");
}

/// The network namespace that a process is in.
fn namespace(pid: u32) -> Option<std::path::PathBuf> {
    std::fs::read_link(format!("/proc/{pid}/ns/net")).ok()
}

#[test]
fn the_demo_without_a_lab_says_that_nothing_was_shaped() {
    let out = tempfile::tempdir().unwrap();
    let mut command = netburn(&["demo", "--no-lab", "--for", "2s", "--json", "--quiet", "--out"]);
    let document = say(command.arg(out.path())).json();
    assert!(document["run"]["remarks"].to_string().contains("Nothing was shaped"), "{document:#}");
    assert_eq!(document["applications"].as_array().unwrap().len(), 4);
}

#[test]
fn the_demo_judges_both_set_ups_and_keeps_both_records() {
    let out = tempfile::tempdir().unwrap();
    let mut command = netburn(&["demo", "--for", "2s", "--json", "--out"]);
    let said = say(command.arg(out.path()));
    let document = said.json();
    let set_ups = document["setups"].as_array().unwrap();
    assert_eq!(set_ups.len(), 2, "{document:#}");
    let files = run_files(out.path());
    assert_eq!(files.len(), 2);
    let told =
        said.err.lines().last().and_then(|line| line.strip_prefix("Page: ")).unwrap_or_else(|| panic!("{}", said.err));
    let page = std::fs::read_to_string(told).unwrap();
    assert!(page.contains("all on one radio") && page.contains("download on the other radio"), "both in one page");
    assert_eq!(std::path::Path::new(told).parent(), files[0].parent(), "beside the run files");
    // With the download on the slower radio less is moved in all: 156 Mbps are shared before, and 80 Mbps and what the
    // others want (26 Mbps and pages) after.
    let goodput = |i: usize| set_ups[i]["goodput_mbps"].as_f64().unwrap();
    assert!(goodput(0) > goodput(1), "{} {}", goodput(0), goodput(1));
}
