//! Whatever made a run: it is found again without anyone having asked for it.

use std::fs;
use std::process::{Command, Stdio};

use netburn::history::{Filter, Store};
use rusqlite::Connection;

use crate::place::{Place, Said};

/// Two seconds of light load: a hundred operations, where a p95 needs 59.
const LIGHT: &str = concat!(
    r#"
name = "light"
duration = "2 s"
warm_up = "0 s"

[[client]]
name = "phone"
run = ["exchange"]

"#,
    include_str!("../shared/exchange.toml")
);

/// The scenarios of the runs that the index itself knows, before anybody asks.
fn indexed(place: &Place) -> Vec<String> {
    let index = Connection::open(place.index()).unwrap();
    let mut statement = index.prepare("SELECT scenario FROM run ORDER BY scenario").unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

fn with_scenario(text: &str) -> Place {
    let place = Place::new();
    fs::write(place.state().join("s.toml"), text).unwrap();
    place
}

#[test]
fn a_run_is_in_the_index_when_it_ends_and_is_the_last_one() {
    let place = with_scenario(LIGHT);
    let ran = place.say(&["run", "s.toml", "--quiet"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(indexed(&place), ["light"]);
    assert_eq!(place.say(&["report", "last"]).out, ran.out);
}

#[test]
fn runs_of_clients_alone_are_in_the_index_too() {
    let place = with_scenario(LIGHT);
    let ran = place.say(&["run", "s.toml", "--quiet", "--solo-first"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(indexed(&place), ["light", "light, phone alone"]);
}

#[test]
fn a_full_disk_keeps_the_run_though_not_its_index() {
    let place = with_scenario(LIGHT);
    // Room for the run file of some ten kilobytes, and not for the index of some forty beside it.
    let script = "mount -t tmpfs -o size=44k none \"$0\" && \"$@\"; code=$?; cp \"$0\"/*.netburn \"$0\"/..; exit $code";
    let runs = place.state().join("small");
    fs::create_dir(&runs).unwrap();
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "--mount", "sh", "-c", script]).arg(&runs);
    command.args([env!("CARGO_BIN_EXE_netburn"), "run", "s.toml", "--out"]).arg(&runs).current_dir(place.state());
    let said: Said = command.stdin(Stdio::null()).output().unwrap().into();
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.err.contains("the index cannot be used"), "{}", said.err);
    let mut files = fs::read_dir(place.state()).unwrap().map(|entry| entry.unwrap().path());
    let file = files.find(|path| path.extension().is_some_and(|ending| ending == "netburn")).unwrap();
    assert_eq!(place.say(&["report", file.to_str().unwrap()]).out, said.out);
}

#[test]
fn a_program_that_keeps_many_runs_takes_up_each_and_reads_its_history() {
    let place = Place::with_days(&[40, 40]);
    let mut store = Store::open(&place.runs());
    store.take_up(&place.runs().join("day-01.netburn")).unwrap();
    assert_eq!(indexed(&place), ["evening"], "the one that was taken up, and no other");
    let newest = store.runs(&Filter { limit: Some(1), ..Filter::default() }).unwrap();
    assert_eq!(newest[0].path, place.runs().join("day-02.netburn"));
    assert_eq!(store.count(&Filter::default()).unwrap(), 2);
}
