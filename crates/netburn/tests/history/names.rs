//! What a person may call a run.

use std::fs;

use crate::place::{Made, Place};

/// The id that a report says it is of.
fn reported(place: &Place, name: &str) -> String {
    let said = place.say(&["report", "--json", name]);
    said.json()["run"]["id"].as_str().unwrap_or_else(|| panic!("{name}: {}", said.err))[..8].to_owned()
}

#[test]
fn a_run_is_named_by_its_file_by_how_long_ago_by_its_id_and_by_its_files_name() {
    let place = Place::new();
    let path = place.keep("old", &Made { id: "aaaa1111", started_at: "2026-11-18T18:00:00Z", ..Made::default() });
    place.keep("new", &Made { id: "bbbb2222", ..Made::default() });
    for (name, id) in [
        (path.to_str().unwrap(), "aaaa1111"),
        ("last", "bbbb2222"),
        ("last~0", "bbbb2222"),
        ("last~1", "aaaa1111"),
        ("aaaa", "aaaa1111"),
        ("AAAA11", "aaaa1111"),
        ("old", "aaaa1111"),
        ("new.netburn", "bbbb2222"),
    ] {
        assert_eq!(reported(&place, name), id, "{name}");
    }
    // A file that is there comes first, whatever it is called.
    fs::copy(&path, place.state().join("last")).unwrap();
    assert_eq!(reported(&place, "last"), "aaaa1111");
    let compared = place.say(&["compare", "--json", "new", "--vs", "aaaa"]);
    assert_eq!(compared.json()["runs"], serde_json::json!({ "first": 1, "second": 1 }), "{}", compared.err);
}

#[test]
fn a_name_that_means_several_runs_lists_them_and_one_that_means_none_says_what_names_are() {
    let place = Place::new();
    place.keep("one", &Made { id: "aaaa1111", ..Made::default() });
    place.keep("two", &Made { id: "aaaa2222", ..Made::default() });
    let several = place.say(&["report", "aaaa"]);
    assert_eq!(several.code, Some(2));
    assert!(
        several.err.contains("aaaa: this may be any of two (aaaa2222") && several.err.contains("one (aaaa1111"),
        "{}",
        several.err
    );
    assert_eq!(reported(&place, "aaaa2"), "aaaa2222");
    for (name, said) in [
        ("aaa", "first 4 or more digits"),
        ("beef", "there is no such file"),
        ("nowhere/one", "there is no such file"),
        ("last~2", "has only 2 runs"),
        ("last~99999999999999999999", "there is no such file"),
    ] {
        let unknown = place.say(&["report", name]);
        assert_eq!(unknown.code, Some(2), "{name}");
        assert!(unknown.err.contains(said), "{name}: {}", unknown.err);
    }
}
