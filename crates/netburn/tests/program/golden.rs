//! Run files of earlier versions say what they said. `tests/golden/format-N.netburn` was recorded by the version that wrote
//! that format, and `format-N.json` is what it reported of it then.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::harness::{netburn, say};

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

#[test]
fn a_run_file_of_format_1_says_what_it_said() {
    let now = says_what_it_said(1);
    assert_eq!((now.get("telemetry"), now.get("roams")), (None, None));
    let text = say(netburn(&["report"]).arg(golden("format-1.netburn")));
    assert_eq!(text.code, Some(0), "{}", text.err);
    assert!(!text.out.contains("Beside the latency"), "{}", text.out);
}

/// Made by `cargo xtask made-up --minutes 0.1 --seed 2`: four clients; the phone and the laptop roam, the desktop is lost.
#[test]
fn a_run_file_of_format_2_says_what_it_said() {
    let now = says_what_it_said(2);
    // Judged from 5 s on, for 6 s; the desktop is lost 5.4 s into it, so that 5 whole seconds are left.
    assert_eq!((now["window"]["from_s"].as_f64(), now["window"]["to_s"].as_f64()), (Some(5.0), Some(10.0)));
    let phone = &now["applications"][2];
    assert_eq!((phone["client"].as_str(), phone["operations"]["scheduled"].as_u64()), (Some("phone"), Some(250)));
    // The phone roams 0.4 · 6 s + 0.72 s into it, at 8.12 s, and hears nothing until 9.62 s. The 13th longest of 250 is p95: it was
    // due between 8.36 s and 8.38 s, and took 1.24 s to 1.26 s and what a way takes.
    assert_eq!(phone["verdict"], "fail");
    let p95 = phone["response_time_ms"]["p95"].as_f64().unwrap();
    assert!((1240.0..1290.0).contains(&p95), "{p95}");
    let roams: Vec<_> = now["roams"].as_array().unwrap().iter().map(|roam| roam["client"].as_str()).collect();
    assert_eq!(roams, [Some("laptop"), Some("phone")]);
    assert_eq!(now["telemetry"].as_array().map(Vec::len), Some(3), "the desktop has no radio");
}

/// Holds a file's report against what was kept of it, and gives it.
#[track_caller]
fn says_what_it_said(format: u32) -> Value {
    let said = say(netburn(&["report", "--json"]).arg(golden(&format!("format-{format}.netburn"))));
    let kept = std::fs::read_to_string(golden(&format!("format-{format}.json"))).unwrap();
    let then: Value = serde_json::from_str(&kept).unwrap();
    assert_eq!(then["run"]["file_format"], format);
    let now = said.json();
    // All but the sentences about the tester, which may be worded otherwise or become more; nothing is there that the file
    // does not tell.
    for key in
        ["verdict", "goodput_mbps", "applications", "window", "run", "clients", "environment", "links", "exit_code"]
    {
        assert_still_says(key, &now[key], &then[key]);
    }
    now
}

/// Everything that was said then is said now; later versions only add keys.
#[track_caller]
fn assert_still_says(place: &str, now: &Value, then: &Value) {
    match (now, then) {
        (Value::Object(now), Value::Object(then)) => {
            for (key, value) in then {
                assert_still_says(&format!("{place}.{key}"), now.get(key).unwrap_or(&Value::Null), value);
            }
        }
        (Value::Array(now), Value::Array(then)) => {
            assert_eq!(now.len(), then.len(), "{place}");
            now.iter().zip(then).for_each(|(now, then)| assert_still_says(place, now, then));
        }
        _ => assert_eq!(now, then, "{place}"),
    }
}
