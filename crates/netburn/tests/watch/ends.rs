//! How a watch ends, and what it leaves.

use std::fs;

use crate::harness::{EASY, Place, Watching, until};

/// A run of a minute, so that something can happen in the middle of it.
fn long() -> String {
    EASY.replace("duration = \"1 s\"", "duration = \"60 s\"")
}

fn under_way(place: &Place) -> Watching {
    let watch = Watching::start(&mut place.command(&["--every", "1h"]));
    until("a run to be under way", || {
        let runs = place.path("runs");
        let mut files = fs::read_dir(runs).ok()?.flatten().map(|entry| entry.path());
        files
            .any(|file| fs::read_to_string(file).is_ok_and(|text| text.contains("\"event\":\"interval\"")))
            .then_some(())
    });
    watch
}

fn children(pid: u32) -> String {
    fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default()
}

#[test]
fn a_signal_stops_the_run_that_goes_on_and_keeps_its_file_and_the_run_does_not_count() {
    for name in ["TERM", "INT"] {
        let place = Place::with(&long());
        let mut watch = under_way(&place);
        watch.signal(name);
        watch.hear("stopping the run that goes on");
        watch.hear("the run was stopped and does not count; its file is ");
        let (heard, code) = watch.end();
        assert_eq!(code, Some(0), "{heard:#?}");
        assert!(heard.last().unwrap().ends_with("the watch has ended"), "{heard:#?}");
        let [file] = &place.runs()[..] else { panic!("{:?}", place.runs()) };
        let run = fs::read_to_string(place.path("runs").join(file)).unwrap();
        assert!(run.lines().last().unwrap().contains("\"ending\":\"interrupted\""));
        let ledger = place.ledger();
        assert_eq!(ledger["made"][0]["file"], **file);
        assert!(ledger["last"].is_null(), "{ledger}");
    }
}

#[test]
fn a_second_signal_ends_it_at_once_with_all_that_it_started() {
    let place = Place::with(&long());
    let mut watch = under_way(&place);
    let run: u32 = children(watch.pid()).trim().parse().unwrap();
    // The run itself does not hear the first one.
    assert!(std::process::Command::new("kill").args(["-STOP", &run.to_string()]).status().unwrap().success());
    watch.signal("TERM");
    watch.hear("once more to end at once");
    watch.signal("TERM");
    let (heard, code) = watch.end();
    assert_eq!(code, Some(0), "{heard:#?}");
    until("the run's process to be gone", || {
        let stat = fs::read_to_string(format!("/proc/{run}/stat")).unwrap_or_default();
        stat.rsplit_once(')').is_none_or(|(_, rest)| rest.trim_start().starts_with(['Z', 'X'])).then_some(())
    });
}

#[test]
fn between_two_runs_it_ends_at_once() {
    let place = Place::with(EASY);
    let mut watch = Watching::start(&mut place.command(&["--every", "1h"]));
    watch.hear("pass after ");
    watch.interrupt();
}

#[test]
fn old_runs_of_its_own_go_and_nobody_elses() {
    let place = Place::with(EASY);
    fs::create_dir(place.path("runs")).unwrap();
    fs::write(place.path("runs/20200101T000000Z-small-00000000.netburn"), "somebody else's").unwrap();
    let mut watch = place.watch(&["--keep-runs", "1"]);
    watch.hear("pass after ");
    let first = place.ledger()["made"][0]["file"].as_str().map(str::to_owned);
    for _ in 0..2 {
        watch.hear("pass after ");
    }
    watch.interrupt();
    let mut runs = place.runs();
    runs.sort();
    assert_eq!(runs[0], "20200101T000000Z-small-00000000.netburn");
    // The last one that counted, and perhaps one that was stopped.
    assert!((2..=3).contains(&runs.len()), "{runs:?}");
    assert!(first.is_none_or(|first| !runs.contains(&first)), "{runs:?}");
    // What is kept is tagged, so that `netburn runs` finds it.
    let notes = place.path("runs").join(&runs[1]).with_extension("notes.json");
    assert!(fs::read_to_string(notes).unwrap().contains("\"watch\""));
}
