//! `netburn runs`: the list, its filters and its document.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde_json::Value;

use crate::place::{Made, Place};

#[test]
fn runs_are_listed_the_newest_first_in_eighty_columns() {
    let place = Place::new();
    place.keep("a", &Made { id: "aaaa0001", ..Made::default() });
    place.keep(
        "b",
        &Made {
            id: "bbbb0002",
            started_at: "2026-11-21T07:30:00Z",
            scenario: &"居間 ".repeat(40),
            took_ms: 900,
            ..Made::default()
        },
    );
    place.keep("c", &Made { id: "cccc0003", started_at: "2026-11-19T10:00:00Z", ended: false, ..Made::default() });
    let said = place.say(&["runs"]);
    let lines: Vec<&str> = said.out.lines().collect();
    // p95 is the one value that all operations have; beyond 400 ms is beyond the bad bound.
    assert!(lines[1].starts_with("bbbb0002  2026-11-21 07:30  FAIL"), "{}", said.out);
    assert_eq!(lines[2].trim(), "phone exchange: p95 900 ms, goal 100 ms", "{}", said.out);
    assert_eq!(lines[3], "aaaa0001  2026-11-20 18:00  pass            100  evening");
    assert!(lines[4].starts_with("cccc0003  2026-11-19 10:00  inconclusive"), "{}", said.out);
    assert!(lines[5].contains("no end recorded"), "{}", said.out);
    for line in lines {
        assert!(burn_report::layout::width(line) <= 80, "{line}");
    }
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
}

#[test]
fn only_the_last_twenty_are_listed_unless_more_are_asked_for() {
    let place = Place::with_days(&[40; 25]);
    let listed = place.listed(&[]);
    // The twenty-fifth is 0x19, and the last of twenty is the sixth.
    assert_eq!((listed.len(), listed[0].as_str(), listed[19].as_str()), (20, "00000019", "00000006"));
    assert_eq!(place.listed(&["--all"]).len(), 25);
    assert_eq!(place.listed(&["--limit", "3"]).len(), 3);
    assert!(place.say(&["runs"]).err.contains("20 of 25 runs; --all shows them all"));
}

#[test]
fn filters_pick_by_scenario_client_verdict_tag_and_time() {
    let place = Place::new();
    place.keep("a", &Made { id: "aaaaaaaa", ..Made::default() });
    place.keep("b", &Made { id: "bbbbbbbb", client: "tv", started_at: "2026-11-18T18:00:00Z", ..Made::default() });
    place.keep(
        "c",
        &Made {
            id: "cccccccc",
            scenario: "morning",
            started_at: "2026-11-16T18:00:00Z",
            took_ms: 900,
            ..Made::default()
        },
    );
    place.keep("d", &Made { id: "dddddddd", started_at: "2026-11-14T18:00:00Z", took_ms: 200, ..Made::default() });
    assert_eq!(place.say(&["runs", "tag", "bbbb", "attic", "new"]).code, Some(0));
    assert_eq!(place.say(&["runs", "tag", "aaaa", "attic"]).code, Some(0));
    for (filter, picked) in [
        (&["--scenario", "morning"][..], &["cccccccc"][..]),
        (&["--client", "tv"], &["bbbbbbbb"]),
        (&["--verdict", "fail"], &["cccccccc"]),
        (&["--verdict", "fail,marginal"], &["cccccccc", "dddddddd"]),
        (&["--tag", "attic"], &["aaaaaaaa", "bbbbbbbb"]),
        (&["--tag", "attic", "--tag", "new"], &["bbbbbbbb"]),
        (&["--since", "2026-11-18"], &["aaaaaaaa", "bbbbbbbb"]),
        (&["--until", "2026-11-16T18:00"], &["dddddddd"]),
        (&["--since", "2026-11-15", "--until", "2026-11-19"], &["bbbbbbbb", "cccccccc"]),
        (&["--scenario", "evening' OR '1'='1"], &[]),
    ] {
        assert_eq!(place.listed(filter), picked, "{filter:?}");
    }
    let wrong = place.say(&["runs", "--since", "yesterday"]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.err.contains("write a date like 2026-11-20"), "{}", wrong.err);
}

#[test]
fn a_scenario_may_be_given_by_its_file() {
    let place = Place::with_days(&[40]);
    let file = place.state().join("e.toml");
    fs::write(&file, "name = 'evening'\nduration = '10 s'\n[[client]]\nname = 'phone'\nrun = ['voip']\n").unwrap();
    assert_eq!(place.listed(&["--scenario", file.to_str().unwrap()]), ["00000001"]);
}

#[test]
fn hostile_names_and_notes_move_no_cursor() {
    let place = Place::new();
    let hostile = "\u{1b}[2J<script>\u{202e}\nname";
    // A plan's names may hold less than the rest of a file, but all that a browser or a shell would act on.
    let named = "<script>'\"$(x)";
    let made =
        Made { id: hostile, started_at: hostile, scenario: named, client: named, took_ms: 900, ..Made::default() };
    place.keep("a", &made);
    place.keep("b", &Made { digest: hostile, ..made });
    let notes = serde_json::json!({ "format": 1, "tags": [hostile], "note": hostile });
    fs::write(place.runs().join("a.notes.json"), notes.to_string()).unwrap();
    for args in
        [&["runs"][..], &["trend", named], &["runs", "--json"], &["trend", named, "--json"], &["trend", "script"]]
    {
        let said = place.say(args);
        let text = said.out + &said.err;
        assert!(text.chars().all(|c| c == '\n' || !c.is_control() && c != '\u{202e}'), "{args:?}: {text:?}");
        assert!(text.contains("<script>"), "{args:?}: {text}");
    }
    let document = place.say(&["runs", "--json"]).json();
    assert_eq!(document["runs"][0]["started_at"], hostile, "a program reads it as it is");
}

#[test]
fn a_list_opens_no_run_file_that_it_has_seen() {
    let place = Place::with_days(&[40, 900]);
    let before = place.say(&["runs"]).out;
    // The same sizes and times, but nothing in them that could be read.
    for entry in fs::read_dir(place.runs()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "netburn") {
            let metadata = path.metadata().unwrap();
            let (size, time) = (usize::try_from(metadata.len()).unwrap(), metadata.modified().unwrap());
            fs::write(&path, vec![b'x'; size]).unwrap();
            fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
        }
    }
    let after = place.say(&["runs"]);
    assert_eq!((after.out, after.err.as_str()), (before, ""));
    // Another time is another file.
    let touched = place.runs().join("day-01.netburn");
    let later = SystemTime::now() + Duration::from_secs(5);
    fs::File::options().write(true).open(&touched).unwrap().set_modified(later).unwrap();
    assert!(place.say(&["runs"]).err.contains("day-01.netburn: this is not a netburn run file"));
}

#[test]
fn an_empty_or_missing_folder_has_no_runs_and_none_is_made() {
    let place = Place::new();
    let said = place.say(&["runs"]);
    assert_eq!((said.code, said.out.as_str()), (Some(0), ""));
    assert!(said.err.contains("no run was kept here yet"), "{}", said.err);
    assert!(!place.runs().exists());
    assert_eq!(place.say(&["runs", "--json"]).json()["runs"], serde_json::json!([]));
}

#[test]
fn documents_fit_their_schemas() {
    let place = Place::with_days(&[40, 900, 40]);
    fs::write(place.runs().join("junk.netburn"), "junk").unwrap();
    place.say(&["runs", "tag", "last", "attic"]);
    let valid = |name: &str, document: &Value| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas").join(name);
        let schema: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        let schema = jsonschema::draft202012::new(&schema).unwrap();
        let errors: Vec<String> =
            schema.iter_errors(document).map(|error| format!("{error} at {}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{errors:#?}\n{document:#}");
        // A key that is missing is noticed.
        let mut less = document.clone();
        less.as_object_mut().unwrap().remove("folder").unwrap();
        assert!(!schema.is_valid(&less));
    };
    let runs = place.say(&["runs", "--json"]).json();
    valid("runs.schema.json", &runs);
    assert_eq!((runs["total"].as_u64(), runs["unreadable"].as_array().unwrap().len()), (Some(3), 1));
    assert_eq!(runs["runs"][0]["tags"], serde_json::json!(["attic"]));
    let deciding = &runs["runs"][1]["applications"][0]["decided_by"];
    assert_eq!((deciding["unit"].as_str(), deciding["good"].as_f64()), (Some("ms"), Some(100.0)));
    valid("trend.schema.json", &place.say(&["trend", "evening", "--json"]).json());
}
