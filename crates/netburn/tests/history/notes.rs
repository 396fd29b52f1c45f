//! Tags and notes, and the removal of runs.

use std::fs;
use std::process::Stdio;

use crate::place::{Made, Place, Said};

#[test]
fn tags_and_notes_lie_beside_the_run_file_and_outlive_the_index() {
    let place = Place::with_days(&[40, 40]);
    assert_eq!(place.say(&["runs", "tag", "last", "attic", "new"]).code, Some(0));
    assert_eq!(place.say(&["runs", "note", "last", "after the move"]).code, Some(0));
    fs::remove_file(place.index()).unwrap();
    let run = place.say(&["runs", "--json"]).json()["runs"][0].clone();
    assert_eq!((&run["tags"], &run["note"]), (&serde_json::json!(["attic", "new"]), &"after the move".into()));
    let text = place.say(&["runs"]).out;
    assert!(text.contains("tagged attic and new") && text.contains("“after the move”"), "{text}");
    // No notes are no file.
    place.say(&["runs", "tag", "--remove", "last", "attic", "new"]);
    place.say(&["runs", "note", "last", ""]);
    assert!(!place.runs().join("day-02.notes.json").exists());
}

#[test]
fn notes_that_somebody_wrote_with_an_editor_are_taken_up_and_keys_of_a_later_version_stay() {
    let place = Place::with_days(&[40]);
    place.say(&["runs"]);
    let file = place.runs().join("day-01.notes.json");
    fs::write(&file, r#"{ "format": 1, "tags": ["by-hand"], "colour": "red" }"#).unwrap();
    assert_eq!(place.listed(&["--tag", "by-hand"]), ["00000001"]);
    place.say(&["runs", "tag", "last", "second"]);
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("by-hand") && text.contains("second") && text.contains("\"colour\": \"red\""), "{text}");
}

#[test]
fn notes_that_cannot_be_read_are_named_and_never_written_over() {
    let place = Place::with_days(&[40]);
    let file = place.runs().join("day-01.notes.json");
    for (content, said) in [
        ("{ \"format\": 2, \"tags\": [\"later\"] }", "notes have format 2"),
        ("no json", "these are no notes"),
        ("{ \"tags\": 7 }", "does not say its format"),
    ] {
        fs::write(&file, content).unwrap();
        let tagged = place.say(&["runs", "tag", "last", "x"]);
        assert_eq!(tagged.code, Some(4), "{content}");
        assert!(tagged.err.contains(said), "{content}: {}", tagged.err);
        assert_eq!(fs::read_to_string(&file).unwrap(), content);
        let listed = place.say(&["runs"]);
        assert!(listed.out.contains("00000001") && listed.err.contains("day-01.notes.json"), "{}", listed.err);
    }
}

#[test]
fn programs_that_tag_a_run_at_once_undo_nothing_of_each_other() {
    let place = Place::with_days(&[40]);
    let words: Vec<String> = (0..8).map(|number| format!("tag{number}")).collect();
    let spawn = |word: &String| {
        let mut command = place.netburn(&["runs", "tag", "last", word]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    for child in words.iter().map(spawn).collect::<Vec<_>>() {
        let said: Said = child.wait_with_output().unwrap().into();
        assert_eq!(said.code, Some(0), "{}", said.err);
    }
    assert_eq!(place.say(&["runs", "--json"]).json()["runs"][0]["tags"], serde_json::json!(words));
}

#[test]
fn a_tag_is_one_word_that_shows_as_what_it_is() {
    let place = Place::with_days(&[40]);
    for tag in ["", "two words", "a,b", "\u{1b}[31m", "\u{202e}gat", &"x".repeat(41)] {
        assert_eq!(place.say(&["runs", "tag", "last", tag]).code, Some(2), "{tag:?}");
    }
    assert!(!place.runs().join("day-01.notes.json").exists());
}

#[test]
fn runs_are_removed_with_their_notes_and_nothing_else_is() {
    let place = Place::with_days(&[40, 40, 40]);
    place.say(&["runs", "tag", "last", "x"]);
    fs::write(place.runs().join("day-03.txt"), "mine").unwrap();
    let asked = place.say(&["runs", "rm", "last"]);
    assert_eq!(asked.code, Some(2));
    assert!(asked.err.contains("say --yes"), "{}", asked.err);
    assert_eq!(place.listed(&[]).len(), 3);
    // Both names are looked up before the first one goes.
    let removed = place.say(&["runs", "rm", "--yes", "last", "last~1"]);
    assert_eq!(removed.code, Some(0), "{}", removed.err);
    assert_eq!(place.listed(&[]), ["00000001"]);
    let mut left: Vec<String> =
        fs::read_dir(place.runs()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    left.sort();
    assert_eq!(left, ["day-01.netburn", "day-03.txt", "index.sqlite"]);
}

#[test]
fn a_file_that_is_no_run_of_the_folder_is_not_removed() {
    let place = Place::with_days(&[40]);
    let elsewhere = Place::new();
    let other = elsewhere.keep("other", &Made::default());
    let mine = place.runs().join("notes.txt");
    fs::write(&mine, "mine").unwrap();
    for file in [&other, &mine, &place.index()] {
        let said = place.say(&["runs", "rm", "--yes", file.to_str().unwrap()]);
        assert_eq!(said.code, Some(2), "{}", said.err);
    }
    assert!(other.exists() && mine.exists());
}
