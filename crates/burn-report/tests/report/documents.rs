//! The JSON document, held against its schema and against docs/JSON.md.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use burn_model::judge::{
    ApplicationJudgement, GoalJudgement, Judgement, Limit, Reading, StreamSummary, Summary, judge,
};
use burn_model::run::RunRecord;
use burn_model::time::Moment;
use burn_report::json::{render, render_error, render_side_by_side};
use jsonschema::Validator;
use serde_json::{Value, json};

use crate::household::{laptop, nothing, one_radio, phone, run, tv, two_radios};

fn repository_file(path: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn schema() -> Validator {
    let schema: Value = serde_json::from_str(&repository_file("schemas/result.schema.json")).unwrap();
    jsonschema::draft202012::meta::validate(&schema).unwrap();
    jsonschema::draft202012::new(&schema).unwrap()
}

fn document(judgement: &Judgement) -> Value {
    serde_json::from_str(&render(&run(), judgement, 1)).unwrap()
}

#[track_caller]
pub(crate) fn assert_valid(document: &Value) {
    let errors: Vec<String> =
        schema().iter_errors(document).map(|error| format!("{error} at {}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{document:#}");
}

/// Takes the key at the end of a JSON pointer out of a document.
fn without(mut document: Value, pointer: &str) -> Value {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let parent = document.pointer_mut(parent).and_then(Value::as_object_mut).unwrap();
    assert!(parent.remove(key).is_some(), "there is no {pointer}");
    document
}

#[test]
fn every_kind_of_document_fits_the_schema() {
    for judgement in [one_radio(), two_radios(), nothing()] {
        assert_valid(&document(&judgement));
    }
    // The judge's own judgements, of a run that goes nowhere and of a record without a head.
    assert_valid(&document(&judge(&run())));
    assert_valid(&document(&judge(&RunRecord::new())));
    let unknown: Value = serde_json::from_str(&render(&RunRecord::new(), &nothing(), 3)).unwrap();
    assert_valid(&unknown);
    let failure: Value = serde_json::from_str(&render_error("scenario.toml:3:1: unknown key 'clinets'", 2)).unwrap();
    assert_valid(&failure);
}

#[test]
fn a_document_holds_hostile_names_and_figures_that_are_no_numbers() {
    let name = "a\"\\\u{1b}[2J\u{9b}\u{202e}\u{2028}\n居\u{10FFFF}";
    let [goal] = &laptop().goals[..] else { panic!("the laptop has one goal") };
    let odd = GoalJudgement {
        observed: Some(f64::NAN),
        effective_n: f64::INFINITY,
        interval: Some((0.0, f64::NAN)),
        score: Some(f64::NAN),
        because: Some(name.to_owned()),
        ..goal.clone()
    };
    let stream = StreamSummary { stall_ratio: Some(f64::NAN), lowest_window_bps: Some(f64::NAN), ..Default::default() };
    let odd = ApplicationJudgement {
        client: name.to_owned(),
        name: name.to_owned(),
        score: Some(f64::NAN),
        goodput_bps: f64::INFINITY,
        share: Some(f64::NAN),
        response_time: Summary { n: u64::MAX, max: Reading::Value(Duration::MAX), ..Summary::default() },
        goals: vec![odd],
        stream: Some(stream),
        decided_by: Some(7),
        limited_by: Some(Limit::Client),
        ..laptop()
    };
    let judgement = Judgement {
        goodput_bps: f64::NAN,
        window: (Moment::START, Moment::NEVER),
        applications: vec![odd],
        ..one_radio()
    };
    let text = render(&run(), &judgement, 3);
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_valid(&document);
    assert_eq!(document["applications"][0]["name"], name, "a program reads the name as it is");
    assert_eq!(document["applications"][0]["goodput_mbps"], Value::Null);
    assert_eq!(document["applications"][0]["decided_by"], Value::Null);
}

#[test]
fn a_document_without_a_key_of_its_core_does_not_fit_the_schema() {
    let whole = document(&one_radio());
    assert_valid(&whole);
    let schema = schema();
    let application = ["name", "client", "verdict", "score", "decided_by", "goodput_mbps", "operations", "goals"];
    let times = ["response_time_ms", "service_time_ms", "driver_lateness_ms", "server_time_ms"];
    let goal =
        ["metric", "quantile", "good", "bad", "unit", "observed", "outcome", "n", "effective_n", "interval", "score"];
    let operations = ["scheduled", "completed", "failed", "timed_out", "not_sent"];
    let stream = ["startup_s", "stalls", "stall_ratio", "lowest_window_mbps"];
    let mut core: Vec<String> =
        ["format", "error", "verdict", "reasons", "applications"].map(|key| format!("/{key}")).into();
    let mut keys = |at: &str, keys: &[&str]| core.extend(keys.iter().map(|key| format!("{at}/{key}")));
    keys("/applications/0", &application);
    keys("/applications/0", &times);
    for times in times {
        keys(&format!("/applications/0/{times}"), &["p50", "p95", "p99", "max"]);
    }
    keys("/applications/0/operations", &operations);
    keys("/applications/0/goals/0", &goal);
    keys("/applications/1/stream", &stream);
    assert_eq!(core.len(), 5 + 8 + 4 + 16 + 5 + 11 + 4);
    for pointer in core {
        assert!(!schema.is_valid(&without(whole.clone(), &pointer)), "{pointer} may be left out");
    }
}

#[test]
fn the_schema_refuses_what_no_document_may_say() {
    let schema = schema();
    let whole = document(&one_radio());
    for (pointer, value) in [
        ("/verdict", json!("good")),
        ("/verdict", Value::Null),
        ("/error", json!("it failed, and yet there is a verdict")),
        ("/applications/0/goals/0/outcome", json!("maybe")),
        ("/applications/0/response_time_ms/p50", json!(-1)),
        ("/applications/0/operations/scheduled", json!(1.5)),
        ("/applications/1/stream/stall_ratio", json!(1.01)),
        ("/applications/0/goals/0/interval", json!([0.1])),
    ] {
        let mut document = whole.clone();
        *document.pointer_mut(pointer).unwrap() = value;
        assert!(!schema.is_valid(&document), "{pointer} is taken");
    }
}

#[test]
fn two_set_ups_share_one_document() {
    let (one, two) = (one_radio(), two_radios());
    let run = run();
    let text = render_side_by_side(&[("one radio", &run, &one), ("two radios", &run, &two)], 0);
    let comparison: Value = serde_json::from_str(&text).unwrap();
    assert_valid(&comparison);
    let top: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("  \"")?.split_once('"')).map(|(key, _)| key).collect();
    assert_eq!(top, ["format", "error", "exit_code", "verdict", "reasons", "applications", "setups"]);
    assert_eq!((&comparison["verdict"], &comparison["exit_code"]), (&json!("pass"), &json!(0)));
    assert_eq!(comparison["reasons"][0], "The first set-up moves more megabits and is worse to live with.");
    assert_eq!(comparison["setups"][0]["title"], "one radio");
    assert_eq!(comparison["setups"][0]["applications"], document(&one)["applications"]);
    assert_eq!(comparison["applications"], document(&two)["applications"]);
    for pointer in ["/verdict", "/applications", "/setups/0/title", "/setups/1/verdict", "/setups/1/applications"] {
        assert!(!schema().is_valid(&without(comparison.clone(), pointer)), "{pointer} may be left out");
    }
}

#[test]
fn the_core_says_what_was_judged_in_the_units_of_its_keys() {
    let document = document(&Judgement { applications: vec![laptop(), tv(), phone()], ..one_radio() });
    assert_eq!(document["verdict"], "fail");
    assert_eq!(document["error"], Value::Null);
    assert_eq!(document["exit_code"], 1);
    assert_eq!(document["goodput_mbps"], 155.14);
    assert_eq!(document["window"], json!({"from_s": 5.0, "to_s": 65.0}));
    let laptop = &document["applications"][0];
    assert_eq!(laptop["decided_by"], "response_time p95");
    assert_eq!(
        laptop["response_time_ms"],
        json!({"n": 33, "p50": 402.0, "p95": 812.0, "p99": null, "max": 1020.0, "unsuccessful": [], "overflow": []})
    );
    let expected = json!({
        "metric": "response_time", "quantile": 0.95, "window_s": null, "unit": "ms", "good": 500.0, "bad": 2500.0,
        "counts": "verdict", "observed": 812.0, "reading": "value", "outcome": "missed", "bad_passed": false, "n": 33,
        "effective_n": 21.6, "interval": [0.11, 0.42], "needed": null, "score": 84.4, "because": null,
    });
    assert_eq!(laptop["goals"][0], expected);
    let tv = &document["applications"][1];
    let figures = |goal: usize| {
        let goal = &tv["goals"][goal];
        ["unit", "good", "bad", "observed", "window_s"].map(|key| goal[key].clone())
    };
    assert_eq!(figures(0), [json!("mbps"), json!(20.0), json!(20.0), json!(23.7), json!(4.0)]);
    assert_eq!(figures(1), [json!("ratio"), json!(0.0), json!(0.01), json!(0.0), Value::Null]);
    assert_eq!(figures(2), [json!("s"), json!(2.0), json!(10.0), json!(1.31), Value::Null]);
    let stream = json!({
        "startup_s": 1.31, "stalls": 0, "stalled_s": 0.0, "stall_ratio": 0.0, "lowest_buffer_s": 1.8,
        "lowest_window_mbps": 23.7, "highest_window_mbps": 26.1,
    });
    assert_eq!(tv["stream"], stream);
    let phone = &document["applications"][2];
    assert_eq!(phone["response_time_ms"]["unsuccessful"], json!(["p95", "p99", "max"]));
    let operations = json!({
        "scheduled": 3000, "completed": 2820, "failed": 102, "timed_out": 70, "not_sent": 8, "in_flight_at_end": 0,
        "failed_by_cause": {"connect": 2, "disconnected": 100}, "not_sent_by_reason": {"run_ended": 8},
    });
    assert_eq!(phone["operations"], operations);
    assert_eq!(phone["goals"][0]["reading"], "unsuccessful");
    assert_eq!(phone["goals"][0]["observed"], Value::Null);
}

#[test]
fn around_the_core_stands_what_the_run_was() {
    let document = document(&one_radio());
    let run = json!({
        "id": "k3v9q2", "scenario": "one radio", "seed": 42, "digest": "0123456789abcdef",
        "started_at": "2026-11-21T02:10:43Z", "program": "netburn 0.1.0", "file_format": burn_model::record::FORMAT,
        "server": "http://10.0.0.1:8080", "verified_server": true, "warm_up_s": 5.0, "duration_s": 60.0,
        "ending": "finished", "ending_reason": null,
        "remarks": ["The radios are emulated: a rate and a queue, no airtime."],
    });
    assert_eq!(document["run"], run);
    let clock = json!([{"phase": "before", "offset_ms": -1500.0, "uncertainty_ms": 0.12}]);
    let phone =
        json!({"name": "phone", "state": "done", "lost_because": null, "start_lateness_ms": 1.9, "clock": clock});
    assert_eq!(document["clients"][2], phone);
    assert_eq!(document["environment"]["server"]["congestion_control"], "cubic");
    let link = json!({
        "name": "radio1", "clients": ["laptop", "tv", "phone", "desktop"], "rate_mbps": 156.0, "queue_ms": 300.0,
        "bytes": 13_000_000, "packets": 8600, "drops": 1234,
    });
    assert_eq!(document["links"], json!([link]));
    // From 250 to 1900 µs late; the two worst clocks are known to 120 µs, half a second old at 500 ppm, and to 100 µs.
    assert_eq!(document["start"], json!({"clients": 4, "skew_ms": 1.65, "uncertainty_ms": 0.47}));
    // 30,000 bytes in 60 s are 4 kbps.
    let control =
        json!({"bytes": 30_000, "rate_kbps": 4.0, "link": "radio1", "link_rate_mbps": 156.0, "share": 4.0 / 156_000.0});
    let share = document["control"]["share"].as_f64().unwrap();
    assert!((share - 4.0 / 156_000.0).abs() < 1e-6, "{share}");
    assert_eq!(document["control"]["link"], control["link"]);
    assert_eq!(document["control"]["rate_kbps"], control["rate_kbps"]);
}

#[test]
fn the_same_run_gives_the_same_bytes_in_the_documented_order() {
    let text = render(&run(), &one_radio(), 1);
    assert_eq!(text, render(&run(), &one_radio(), 1));
    let order = [
        "format",
        "error",
        "exit_code",
        "verdict",
        "reasons",
        "goodput_mbps",
        "applications",
        "doubts",
        "checks",
        "cautions",
        "window",
        "run",
        "clients",
        "environment",
        "links",
        "start",
        "control",
    ];
    // Keys of the outermost object stand two blanks in.
    let keys: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("  \"")?.split_once('"')).map(|(key, _)| key).collect();
    assert_eq!(keys, order);
    assert!(text.ends_with("}\n"));
}

/// Every key of a document as a path; the elements of a list share one.
fn paths(value: &Value, at: &str, found: &mut std::collections::BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                let at = format!("{at}/{key}");
                paths(value, &at, found);
                found.insert(at);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| paths(item, &format!("{at}/*"), found)),
        _ => {}
    }
}

#[test]
fn the_examples_of_the_manual_are_real_documents() {
    let manual = repository_file("docs/JSON.md");
    let examples: Vec<Value> = manual
        .split("```json\n")
        .skip(1)
        .filter_map(|rest| rest.split_once("```"))
        .map(|(example, _)| serde_json::from_str(example).unwrap())
        .collect();
    let [success, failure] = &examples[..] else { panic!("docs/JSON.md shows a success and a failure") };
    assert_valid(success);
    assert_valid(failure);
    // The example shows every key that a real document has, but for those whose names are free.
    let is_fixed =
        |path: &String| !["/environment/", "_by_cause/", "_by_reason/"].iter().any(|free| path.contains(free));
    let keys_of = |document: &Value| {
        let mut found = std::collections::BTreeSet::new();
        paths(document, "", &mut found);
        found.into_iter().filter(is_fixed).collect::<std::collections::BTreeSet<_>>()
    };
    let mut judgement = one_radio();
    judgement.applications[0].fair_share = Some(crate::fair_share::quarter());
    assert_eq!(keys_of(success), keys_of(&document(&judgement)));
}
