//! The table and the document.

use std::time::Duration;

use burn_model::clock::Comparison;
use netburn::fleet::check::{DeviceReport, FleetReport, json, text};

fn report() -> FleetReport {
    let facts = [
        ("interface", "wlan0"),
        ("medium", "Wi-Fi"),
        ("cpu_free", "42 %"),
        ("power", "battery, 80 % left"),
        ("route", "direct"),
    ];
    let laptop = DeviceReport {
        name: "laptop-with-a-long-name".into(),
        via: "ssh me@laptop".into(),
        login: Some(Duration::from_millis(660)),
        command: Some(Duration::from_millis(50)),
        // A round trip of 420 µs.
        clock: Some(Comparison::of(0, 5_000_210_000, 420_000)),
        facts: facts.map(|(key, value)| (key.to_owned(), value.to_owned())).into(),
        reaches_server: Some(true),
        ..DeviceReport::default()
    };
    let gone = DeviceReport {
        name: "tv".into(),
        via: "ssh tv".into(),
        problems: vec!["cannot log in to tv: no SSH server answers at this port\u{1b}[2J".into()],
        ..DeviceReport::default()
    };
    let phone = DeviceReport { name: "phone".into(), via: "join".into(), joins: true, ..DeviceReport::default() };
    FleetReport { scenario: "office".into(), slow: Duration::from_millis(500), devices: vec![laptop, gone, phone] }
}

#[test]
fn a_row_says_what_is_known_and_dashes_stand_for_what_is_not() {
    let text = text::render(&report());
    let mut lines = text.lines();
    assert_eq!(
        lines.next().unwrap().split_whitespace().collect::<Vec<_>>(),
        ["DEVICE", "LOGIN", "SOCKET", "CLOCK", "WAY", "FREE", "POWER", "SERVER"]
    );
    assert_eq!(lines.next().unwrap(), "laptop-with-…  660 ms  50 ms   ±0.21 ms  wlan0 Wi-Fi  42 %  battery  yes");
    assert_eq!(lines.next().unwrap(), "tv             -       -       -         -            -     -        -");
    assert!(lines.next().unwrap().contains("joins"));
}

#[test]
fn the_text_fits_into_80_columns_and_moves_no_cursor() {
    let text = text::render(&report());
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text}");
}

#[test]
fn below_the_table_stands_what_would_spoil_a_run_and_what_would_bend_it() {
    let text = text::render(&report()).replace('\n', " ");
    for part in [
        "tv: WRONG: cannot log in to tv",
        "laptop-with-a-long-name: its login is slow (660 ms)",
        "only 42 % of its processors are free",
        "on battery",
        "phone: joins by itself at run time",
        "1 of 2 devices would spoil a run.",
        "Wall clocks do not matter",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn the_document_has_numbers_where_the_table_has_words() {
    let document: serde_json::Value = serde_json::from_str(&json::render(&report(), 1).unwrap()).unwrap();
    assert_eq!((&document["fit"], &document["exit_code"]), (&false.into(), &1.into()));
    let laptop = &document["devices"][0];
    assert_eq!((&laptop["login_ms"], &laptop["command_ms"]), (&660.0.into(), &50.0.into()));
    // Read in the middle of the exchange, at 210 µs of ours: 5 s ahead.
    assert_eq!(
        (&laptop["clock"]["offset_ns"], &laptop["clock"]["uncertainty_ms"]),
        (&5_000_000_000_u64.into(), &0.21.into())
    );
    assert_eq!(laptop["facts"]["medium"], "Wi-Fi");
    assert_eq!(
        (&document["devices"][2]["joins"], &document["devices"][2]["login_ms"]),
        (&true.into(), &serde_json::Value::Null)
    );
}
