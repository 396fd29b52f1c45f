//! `--solo-first`: each client alone on an emulated access point, then all together.

use std::fs;

use crate::harness::{Place, UnderWay, say};

/// Two downloads that each would fill the radio alone.
const RIVALS: &str = r#"
name = "rivals"
duration = "5 s"
warm_up = "1 s"

[[radio]]
name = "air"
rate = "40 Mbps"
queue = "100 ms"

[[client]]
name = "left"
via = "lab:air"
run = ["download"]

[[client]]
name = "right"
via = "lab:air"
run = ["download"]
"#;

#[test]
fn what_a_client_had_alone_is_what_its_share_is_held_against() {
    let place = Place::with(RIVALS);
    let said = say(&mut place.run(&["--json", "--solo-first"]));
    let document = said.json();
    let rate = |application: usize, key: &str| document["applications"][application][key].as_f64().unwrap();
    let of_share = |application: usize, key: &str| {
        document["applications"][application]["fair_share"][key].as_f64().unwrap_or(f64::NAN)
    };
    for application in [0, 1] {
        // Alone it has the radio to itself: 1448 payload bytes of each frame of 1514 at 40 Mbps are 38.3 Mbps.
        let solo = of_share(application, "solo_mbps");
        assert!((30.0..38.4).contains(&solo), "{solo}");
        assert!(rate(application, "goodput_mbps") < solo, "{document:#}");
    }
    let together = rate(0, "goodput_mbps") + rate(1, "goodput_mbps");
    assert!((30.0..38.4).contains(&together), "{together}");
    // The radio's counter is of the joint run alone: its payload at least, and at most what 40 Mbps carry from the first
    // second of the warm-up to the end of the drain (1 s + 5 s + at most 2 s: 40 MB). All three runs together make more than
    // 3 × 5 s × 30 Mbps = 56 MB.
    let bytes = document["links"][0]["bytes"].as_f64().unwrap();
    assert!(bytes >= together * 1e6 / 8.0 * 5.0, "{bytes} of {together} Mbps");
    assert!(bytes < 40e6, "{bytes}");
    // Each of the three has its file.
    assert_eq!(place.run_files().len(), 3, "{}", said.err);
}

#[test]
fn an_interrupt_while_a_client_is_alone_keeps_what_there_is_and_says_what_did_not_take_place() {
    let place = Place::with(&RIVALS.replace("5 s", "60 s"));
    let run = UnderWay::start(&mut place.run(&["--json", "--solo-first"]));
    place.wait_for("\"event\":\"interval\"");
    run.signal("INT");
    let said = run.end();
    assert_eq!(said.code, Some(4), "{}", said.err);
    assert!(
        said.err.contains("during 'rivals, left alone': the run of all together did not take place"),
        "{}",
        said.err
    );
    let files = place.run_files();
    let alone = files.iter().find(|file| file.to_string_lossy().contains("left-alone")).unwrap();
    assert!(fs::read_to_string(alone).unwrap().lines().last().unwrap().contains("interrupted"));
}
