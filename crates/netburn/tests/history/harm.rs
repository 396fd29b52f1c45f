//! Whatever is wrong with the index: runs are found all the same, and a person is told in one line.

use std::fs;
use std::process::{Command, Stdio};

use rusqlite::Connection;

use crate::place::{Made, Place, Said};

const ALL: [&str; 3] = ["00000003", "00000002", "00000001"];

fn three() -> Place {
    let place = Place::with_days(&[40, 900, 40]);
    assert_eq!(place.listed(&[]), ALL);
    place
}

/// Lists the runs; says what a person was told meanwhile.
#[track_caller]
fn told(place: &Place) -> String {
    let said = place.say(&["runs", "--json"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert_eq!(said.json()["total"], 3, "{}", said.out);
    assert!(said.err.lines().count() <= 1, "{}", said.err);
    said.err
}

#[test]
fn an_index_that_is_missing_is_made_again() {
    let place = three();
    fs::remove_file(place.index()).unwrap();
    assert_eq!(told(&place), "");
    assert!(place.index().exists());
}

#[test]
fn an_index_that_is_no_database_or_a_torn_one_is_made_anew_and_that_is_said_once() {
    let place = three();
    let whole = fs::read(place.index()).unwrap();
    let mut torn = whole.clone();
    // All pages but the first one, which says what the file is.
    torn[4096..].fill(0xA5);
    for broken in [b"this is no database, but it is long enough to be looked at".to_vec(), torn, whole[..5000].to_vec()]
    {
        fs::write(place.index(), &broken).unwrap();
        let said = told(&place);
        assert!(said.contains("was made anew from their files"), "{said}");
        assert_eq!(told(&place), "", "the new one is as good as any");
    }
}

#[test]
fn an_index_without_one_of_its_tables_is_made_anew() {
    let place = three();
    Connection::open(place.index()).unwrap().execute_batch("DROP TABLE figure").unwrap();
    assert!(told(&place).contains("was made anew"));
    assert_eq!(told(&place), "");
}

#[test]
fn an_index_of_a_later_netburn_and_a_database_of_another_program_are_left_as_they_are() {
    let place = three();
    let index = Connection::open(place.index()).unwrap();
    index.pragma_update(None, "user_version", 99).unwrap();
    drop(index);
    let before = fs::read(place.index()).unwrap();
    assert!(told(&place).contains("a later netburn wrote it (version 99)"));
    assert_eq!(fs::read(place.index()).unwrap(), before);

    fs::remove_file(place.index()).unwrap();
    Connection::open(place.index()).unwrap().execute_batch("CREATE TABLE recipes (name TEXT)").unwrap();
    assert!(told(&place).contains("it is another program's"));
    let recipes = Connection::open(place.index()).unwrap();
    assert!(recipes.execute("INSERT INTO recipes VALUES ('soup')", []).is_ok());
}

#[test]
fn an_index_that_another_process_holds_is_read_and_what_is_new_is_taken_from_the_files() {
    let place = three();
    let index = Connection::open(place.index()).unwrap();
    index.execute_batch("BEGIN IMMEDIATE; UPDATE file SET note = note").unwrap();
    // Nothing is new: nothing has to be written, and nobody waits.
    assert_eq!(told(&place), "");
    place.keep("new", &Made { id: "ffffffff", started_at: "2026-11-30T18:00:00Z", ..Made::default() });
    let said = place.say(&["report", "--json", "last"]);
    assert_eq!(said.json()["run"]["id"].as_str().unwrap()[..8], *"ffffffff", "{}", said.err);
    assert!(said.err.contains("the index cannot be used: database is locked"), "{}", said.err);
    drop(index);
    assert_eq!(place.listed(&["--limit", "1"]), ["ffffffff"]);
}

#[test]
fn where_the_index_cannot_even_be_a_file_runs_are_read_themselves() {
    let place = three();
    fs::remove_file(place.index()).unwrap();
    fs::create_dir(place.index()).unwrap();
    assert!(told(&place).contains("answered from the run files"));
}

#[test]
fn a_folder_that_cannot_be_written_is_read() {
    let place = three();
    place.keep("new", &Made { id: "ffffffff", started_at: "2026-11-30T18:00:00Z", ..Made::default() });
    let script = "mount --bind \"$0\" \"$0\" && mount -o remount,bind,ro \"$0\" && exec \"$@\"";
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "--mount", "sh", "-c", script]).arg(place.state());
    command.args([env!("CARGO_BIN_EXE_netburn"), "runs", "--json"]).env("XDG_STATE_HOME", place.state());
    let said: Said = command.stdin(Stdio::null()).output().unwrap().into();
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert_eq!(said.json()["total"], 4, "{}", said.err);
    assert!(said.err.contains("the index cannot be used"), "{}", said.err);
}

#[test]
fn files_that_are_new_changed_or_gone_are_noticed() {
    let place = three();
    fs::remove_file(place.runs().join("day-01.netburn")).unwrap();
    fs::remove_file(place.runs().join("day-03.netburn")).unwrap();
    place.keep("day-03", &Made { id: "33333333", scenario: "another", ..Made::default() });
    assert_eq!(place.listed(&[]), ["33333333", "00000002"]);
}

#[test]
fn a_torn_file_is_listed_as_far_as_it_goes_and_what_is_no_run_is_named() {
    let place = three();
    let path = place.runs().join("day-02.netburn");
    let text = fs::read_to_string(&path).unwrap();
    let half = text.lines().next().unwrap().len() + 400;
    fs::write(&path, &text[..half]).unwrap();
    fs::write(place.runs().join("empty.netburn"), "").unwrap();
    let said = place.say(&["runs"]);
    assert!(said.out.contains("00000002  2026-11-02 18:00  inconclusive"), "{}", said.out);
    assert!(said.err.contains("empty.netburn: this is not a netburn run file"), "{}", said.err);
}

#[test]
fn processes_that_make_the_index_at_once_all_find_every_run() {
    let place = Place::with_days(&[40; 12]);
    let spawn = |number: usize| {
        if number == 4 {
            // One of them comes upon a broken one.
            fs::write(place.index(), "broken, and long enough to be looked at as a database").unwrap();
        }
        let mut command = place.netburn(&["runs", "--json"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    for child in (0..8).map(spawn).collect::<Vec<_>>() {
        let said: Said = child.wait_with_output().unwrap().into();
        assert_eq!(said.code, Some(0), "{}", said.err);
        assert_eq!(said.json()["total"], 12, "{}", said.err);
    }
    assert_eq!(place.listed(&[]).len(), 12);
}

#[test]
fn rebuilding_judges_every_file_again() {
    let place = three();
    Connection::open(place.index()).unwrap().execute("UPDATE run SET scenario = 'lies'", []).unwrap();
    assert_eq!(place.listed(&["--scenario", "lies"]).len(), 3);
    let said = place.say(&["runs", "rebuild"]);
    assert_eq!(said.code, Some(0));
    assert!(said.err.contains("3 run files in the index"), "{}", said.err);
    assert_eq!(place.listed(&["--scenario", "evening"]), ALL);
}
