//! What is shown beside the latency, from records written down by hand.

use std::time::Duration;

use burn_model::record::{
    AccessPoint, Cohort, ConnectionsRecord, InterfaceRecord, IntervalRecord, RoamRecord, RoamSeen, RunEvent, Tally,
    TelemetryRecord, WifiRecord, WitnessRecord,
};
use burn_model::run::RunRecord;
use burn_model::samples::Samples;
use burn_model::time::Moment;
use burn_report::json;
use burn_report::text::{Style, render};
use serde_json::{Value, json};

use crate::household::{events, fold, header, one_radio};

fn point(bssid: &str, frequency_mhz: u32) -> AccessPoint {
    AccessPoint { bssid: bssid.to_owned(), frequency_mhz: Some(frequency_mhz) }
}

fn second(second: u64, ssid: &str, frequency_mhz: u32, signal: i32, retries: Option<u64>) -> RunEvent {
    let interface = InterfaceRecord {
        name: "wlan0".to_owned(),
        rx_bytes: 1_500_000,
        tx_bytes: 20_000,
        rx_packets: 1100,
        tx_packets: 500,
        rx_dropped: 2,
        ..InterfaceRecord::default()
    };
    let wifi = WifiRecord {
        ssid: ssid.to_owned(),
        bssid: "02:00:00:00:00:01".to_owned(),
        frequency_mhz,
        channel: Some((frequency_mhz - 5000) / 5),
        width_mhz: Some(80),
        signal_dbm: Some(signal),
        rx_bps: Some(866_700_000),
        retries,
        ..WifiRecord::default()
    };
    let record = TelemetryRecord { client: 2, second, interface: Some(interface), connections: None, wifi: Some(wifi) };
    RunEvent::Telemetry(Box::new(record))
}

/// The phone of the household, which plays a call, roams at 12.4 s.
fn roaming(ssid: &str) -> RunRecord {
    let mut events = events(header());
    let closed = events.pop().unwrap();
    events.push(second(11, ssid, 5180, -70, Some(5)));
    events.push(second(12, ssid, 5500, -55, None));
    // In second 12 fifty were due: one took 2 s, one was lost, and 48 took 1 ms.
    let mut times = Samples::default();
    times.record(Duration::from_secs(2));
    (0..48).for_each(|_| times.record(Duration::from_millis(1)));
    let cohort = Cohort {
        scheduled_second: 12,
        unsuccessful: 1,
        response_time: times.clone(),
        response_time_less_client: times.clone(),
        response_time_less_server: times,
        ..Cohort::default()
    };
    let tally = Tally { scheduled: 50, completed: 49, timed_out: 1, ..Tally::default() };
    let interval = IntervalRecord { client: 2, second: 12, tally, cohorts: vec![cohort], ..IntervalRecord::default() };
    events.push(RunEvent::Interval(Box::new(interval)));
    events.push(RunEvent::Roam(RoamRecord {
        client: 2,
        at: Moment::from_millis(12_400),
        seen: RoamSeen::Event,
        from: Some(point("02:00:00:00:00:01", 5180)),
        to: Some(point("02:00:00:00:00:02", 2412)),
    }));
    let connections = ConnectionsRecord {
        open: 1,
        sampled: 1,
        rtt_us: Some(12_500),
        min_rtt_us: Some(900),
        segments: Some(400),
        retransmits: Some(10),
        ..ConnectionsRecord::default()
    };
    let witness = WitnessRecord {
        client: 2,
        population: 0,
        from: Moment::from_secs(11),
        to: Moment::from_secs(12),
        uncertainty: Duration::ZERO,
        replies: 50,
        bytes: 125_000,
        busy: Duration::ZERO,
        rwnd_limited: Duration::ZERO,
        sndbuf_limited: Duration::ZERO,
        connections: Some(connections),
    };
    events.push(RunEvent::Witness(Box::new(witness)));
    events.push(closed);
    fold(&events)
}

fn text(run: &RunRecord) -> String {
    render(run, &one_radio(), Style { color: false, width: 2000 })
}

fn document(run: &RunRecord) -> Value {
    serde_json::from_str(&json::render(run, &one_radio(), 1)).unwrap()
}

#[test]
fn a_device_has_a_line_and_each_roam_says_what_it_did() {
    let text = text(&roaming("home"));
    let section = text.split("Beside the latency\n").nth(1).unwrap().split("\n\n").next().unwrap();
    // Two seconds of 1.5 MB, 20 kB and two drops; 10 of 400 segments are 2.5 %.
    let device = "  - phone: wlan0 received 3.00 MB, sent 40.0 kB, 4 packets dropped on receipt; the server sent 2.5 % of \
                  its segments again, TCP round trip 0.90 ms at the least, 12.5 ms smoothed; Wi-Fi home on 5 GHz channel 36, 80 MHz wide and 5 GHz channel \
                  100, 80 MHz wide, signal -70 to -55 dBm, receives at 867 Mbps, 5 frames sent again";
    let roam = "  - phone roamed from 02:00:00:00:00:01 (5 GHz) to 02:00:00:00:00:02 (2.4 GHz) at 12.4 s; of 50 operations \
                of voip within two seconds 1 unsuccessful";
    assert_eq!(section.lines().collect::<Vec<_>>(), [device, roam]);
}

#[test]
fn programs_read_the_same() {
    let document = document(&roaming("home"));
    let phone = json!({
        "client": "phone",
        "interface": {
            "names": ["wlan0"], "received_bytes": 3_000_000, "sent_bytes": 40_000, "received_packets": 2200,
            "sent_packets": 1000, "receive_errors": 0, "send_errors": 0, "receive_drops": 4, "send_drops": 0,
        },
        "connections": {
            "segments": 400, "retransmits": 10, "retransmit_share": 0.025, "rtt_ms": [12.5, 12.5], "min_rtt_ms": 0.9,
        },
        "wifi": {
            "ssids": ["home"],
            "channels": [
                {"band": "5 GHz", "channel": 36, "frequency_mhz": 5180, "width_mhz": 80},
                {"band": "5 GHz", "channel": 100, "frequency_mhz": 5500, "width_mhz": 80},
            ],
            "signal_dbm": [-70, -55], "rx_mbps": [866.7, 866.7], "tx_mbps": null,
            "retries": 5, "failed": null, "beacon_loss": null,
        },
    });
    assert_eq!(document["telemetry"], json!([phone]));
    let roam = json!({
        "client": "phone", "at_s": 12.4, "seen": "event",
        "from": {"bssid": "02:00:00:00:00:01", "band": "5 GHz", "frequency_mhz": 5180},
        "to": {"bssid": "02:00:00:00:00:02", "band": "2.4 GHz", "frequency_mhz": 2412},
        "operations": [
            {"client": "phone", "name": "voip", "scheduled": 50, "unsuccessful": 1, "late": null, "bound_ms": null},
        ],
    });
    assert_eq!(document["roams"], json!([roam]));
    crate::documents::assert_valid(&document);
}

#[test]
fn a_run_that_tells_nothing_of_it_prints_nothing_of_it() {
    let run = crate::household::run();
    assert!(!text(&run).contains("Beside the latency"));
    let document = document(&run);
    assert_eq!((document.get("telemetry"), document.get("roams")), (None, None));
}

#[test]
fn a_hostile_networks_name_orders_no_terminal_about() {
    let hostile = "\u{1b}[2J\r\n\u{202e}\"}]";
    let run = roaming(hostile);
    let text = text(&run);
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()) && !text.contains('\u{202e}'), "{text:?}");
    let written = json::render(&run, &one_radio(), 1);
    assert!(written.chars().all(|c| c == '\n' || !c.is_control()) && !written.contains('\u{202e}'), "{written:?}");
    assert_eq!(document(&run)["telemetry"][0]["wifi"]["ssids"], json!([hostile]));
}
