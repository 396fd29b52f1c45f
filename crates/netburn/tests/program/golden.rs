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
    let said = say(netburn(&["report", "--json"]).arg(golden("format-1.netburn")));
    let then: Value = serde_json::from_str(&std::fs::read_to_string(golden("format-1.json")).unwrap()).unwrap();
    assert_eq!(then["run"]["file_format"], 1);
    let now = said.json();
    // All but the sentences about the tester, which may be worded otherwise or become more; nothing is there that the file
    // does not tell.
    for key in
        ["verdict", "goodput_mbps", "applications", "window", "run", "clients", "environment", "links", "exit_code"]
    {
        assert_still_says(key, &now[key], &then[key]);
    }
    assert_eq!((now.get("telemetry"), now.get("roams")), (None, None));
    let text = say(netburn(&["report"]).arg(golden("format-1.netburn")));
    assert_eq!(text.code, Some(0), "{}", text.err);
    assert!(!text.out.contains("Beside the latency"), "{}", text.out);
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
