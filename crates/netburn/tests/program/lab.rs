//! A scenario on an emulated access point. These tests make network namespaces; where they may not, they fail.

use crate::harness::{Place, UnderWay, is_alive, say, until};

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
    assert_eq!(document["links"][0]["name"], "air");
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
