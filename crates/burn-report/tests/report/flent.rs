//! The form for flent: what is in the file. That flent itself opens and plots it is a check of its own (`cargo xtask exports`).

use std::io::Read;

use burn_model::judge::judge;
use burn_report::flent::render;
use flate2::read::GzDecoder;
use serde_json::{Value, json};

use crate::household::fold;
use crate::two_seconds::{self, HOSTILE};

fn file(header: burn_model::record::Header) -> Value {
    let run = fold(&two_seconds::events(header));
    let mut text = String::new();
    GzDecoder::new(render(&run, &judge(&run)).unwrap().as_slice()).read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn series_are_called_as_its_plots_know_them_and_a_gap_is_null() {
    let file = file(two_seconds::header("tv", "film"));
    assert_eq!(file["version"], 4);
    assert_eq!(file["x_values"], json!([0, 1, 2]));
    // 1 MB and 0.5 MB in a second are 8 and 4 Mbps; medians as in the table of the same seconds.
    assert_eq!(file["results"]["TCP download film tv"], json!([8.0, null, 4.0]));
    assert_eq!(file["results"]["Ping (ms) film tv"], json!([99.9424, null, 63.995904]));
    assert_eq!(file["results"]["Response time p95 (ms) film tv"], json!([499.908608, null, null]));
    assert_eq!(file["results"]["Player buffer (s) film tv"], json!([1.25, null, null]));
    assert_eq!(file["raw_values"]["TCP download film tv"][1], json!({"t": 1_795_227_045.5, "val": 4.0}));
}

#[test]
fn metadata_tells_flent_which_plots_there_are_and_a_reader_what_it_was() {
    let metadata = &file(two_seconds::header("tv", "film"))["metadata"];
    assert_eq!(metadata["NAME"], "rtt_fair_var_down");
    assert_eq!((&metadata["HOSTS"], &metadata["HOST"]), (&json!(["tv"]), &json!("tv")));
    assert_eq!(metadata["TEST_PARAMETERS"], json!({"labels": "film", "ping_labels": "film"}));
    assert_eq!(metadata["T0"], "2026-11-21T02:10:43.500000Z");
    assert_eq!((&metadata["LENGTH"], &metadata["STEP_SIZE"]), (&json!(3), &json!(1.0)));
    assert_eq!(metadata["SERIES_META"]["Ping (ms) film tv"]["UNITS"], "ms");
    assert_eq!(metadata["NETBURN"]["run"], "r1");
}

#[test]
fn names_hold_no_sign_that_splits_a_list_or_begins_a_formula() {
    let mut header = two_seconds::header(HOSTILE, "a,b;$\\frac{1}{2}$");
    let mut twin = header.plan.clients[0].populations[0].clone();
    twin.name = "a;b'#\"frac{1}{2}&".to_owned();
    header.plan.clients[0].populations.push(twin);
    header.plan.name = "$\\nonsense$\u{1b}".to_owned();
    let metadata = &file(header)["metadata"];
    for key in ["TITLE", "HOST", "HOSTS", "LOCAL_HOST", "NOTE", "SERIES_META"] {
        let text = metadata[key].to_string();
        assert!(!text.contains(['$', ';', '#', '\'', '<', '\\']), "{text}");
    }
    // For people: their signs stay, but for those that a terminal acts on.
    assert_eq!(metadata["NETBURN"]["scenario"], "$\\nonsense$\u{FFFD}");
    let labels: Vec<&str> = metadata["TEST_PARAMETERS"]["labels"].as_str().unwrap().split(',').collect();
    // Each sign is a line; both names read alike then, and the second gets a number.
    assert_eq!(labels, ["a_b___frac_1__2__", "a_b___frac_1__2___2"]);
}
