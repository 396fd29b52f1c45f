//! `run A --vs B`: two set-ups in turns.

use std::fs;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};

use nix::pty::openpty;
use serde_json::Value;

use crate::harness::{LIGHT, Place, UnderWay, say, signal};

/// Two scenarios that ask the same and are over soon.
fn two() -> Place {
    let short = LIGHT.replace("\"3 s\"", "\"1 s\"").replace("warm_up = \"1 s\"", "warm_up = \"0 s\"\nseed = 40");
    let place = Place::with(&short.replace("\"light\"", "\"near\""));
    fs::write(place.path().join("b.toml"), short.replace("\"light\"", "\"far\"").replace("seed = 40", "seed = 7"))
        .unwrap();
    place
}

fn in_turns(place: &Place, args: &[&str]) -> Command {
    let mut command = place.run(args);
    command.arg("--vs").arg(place.path().join("b.toml"));
    command
}

/// What stands at the head of each run file.
fn headers(place: &Place) -> Vec<Value> {
    let first_line = |file: std::path::PathBuf| {
        serde_json::from_str(fs::read_to_string(file).unwrap().lines().next().unwrap()).unwrap()
    };
    let files = fs::read_dir(place.out()).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|file| file.extension().is_some_and(|ending| ending == "netburn")).map(first_line).collect()
}

#[test]
fn two_set_ups_take_turns_and_are_held_against_each_other() {
    let place = two();
    let said = say(&mut in_turns(&place, &["--rounds", "2", "--json"]));
    // Two of each are too few to tell anything.
    assert_eq!(said.code, Some(3), "{}", said.err);
    let document = said.json();
    assert_eq!(document["exit_code"], 3);
    let done: Vec<&str> = said.err.lines().filter(|line| line.contains("Run file:")).collect();
    let places: Vec<&str> = done.iter().map(|line| line.split(':').next().unwrap()).collect();
    assert_eq!(places, ["Round 1 of 2, A", "Round 1 of 2, B", "Round 2 of 2, B", "Round 2 of 2, A"], "{}", said.err);
    // The seed is the first scenario's, one further in each round, and the same for both set-ups of a round.
    let mut drawn: Vec<(String, u64)> = headers(&place)
        .iter()
        .map(|header| (header["plan"]["name"].as_str().unwrap().to_owned(), header["plan"]["seed"].as_u64().unwrap()))
        .collect();
    drawn.sort();
    let expected = [("far", 40), ("far", 41), ("near", 40), ("near", 41)];
    assert_eq!(drawn, expected.map(|(name, seed)| (name.to_owned(), seed)));
    let cautions = document["cautions"].to_string();
    assert!(!cautions.contains("in turns"), "{cautions}");
}

#[test]
fn who_stops_before_both_set_ups_were_run_is_told_that_there_is_nothing_to_compare() {
    let place = two();
    let text = fs::read_to_string(place.path().join("s.toml")).unwrap();
    fs::write(place.path().join("s.toml"), text.replace("\"1 s\"", "\"60 s\"")).unwrap();
    let run = UnderWay::start(&mut in_turns(&place, &[]));
    place.wait_for("\"event\":\"interval\"");
    run.signal("INT");
    let said = run.end();
    assert_eq!(said.code, Some(4), "{}", said.err);
    assert!(said.err.contains("Stopped after 0 of 12 runs."), "{}", said.err);
    assert!(said.err.contains("nothing to compare"), "{}", said.err);
    assert_eq!(headers(&place).len(), 1, "what there is of the first one is kept");
}

#[test]
fn a_pause_needs_somebody_to_ask() {
    let place = two();
    let said = say(&mut in_turns(&place, &["--pause"]));
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("there is no terminal"), "{}", said.err);
    assert!(!place.out().exists(), "nothing was run");
}

/// A person at a terminal.
struct Person {
    terminal: fs::File,
    child: Child,
    read: String,
}

impl Person {
    fn starting(mut command: Command) -> Self {
        let pair = openpty(None, None).unwrap();
        let here = || Stdio::from(OwnedFd::try_clone(&pair.slave).unwrap());
        let child = command.stdin(here()).stderr(here()).stdout(Stdio::piped()).spawn().unwrap();
        Self { terminal: pair.master.into(), child, read: String::new() }
    }

    /// Reads until this is on the terminal, and nothing after it.
    fn reads(&mut self, text: &str) {
        let mut byte = [0];
        while !self.read.ends_with(text) {
            assert_eq!(self.terminal.read(&mut byte).unwrap_or(0), 1, "{text} never came: {}", self.read);
            self.read.push(char::from(byte[0]));
        }
    }

    fn types(&mut self, text: &str) {
        self.terminal.write_all(text.as_bytes()).unwrap();
    }

    fn leaves(mut self) -> (Option<i32>, String) {
        let code = self.child.wait().unwrap().code();
        // A terminal that the other side has left gives what is still in it, and then an error.
        let mut rest = Vec::new();
        let _ = self.terminal.read_to_end(&mut rest);
        (code, self.read + &String::from_utf8_lossy(&rest))
    }
}

#[test]
fn somebody_is_asked_wherever_the_set_up_changes_and_may_have_enough() {
    let place = two();
    let mut person = Person::starting(in_turns(&place, &["--pause", "--rounds", "2"]));
    person.reads("Round 1 of 2, A: set up \"near\", then press Enter (q ends): ");
    person.types("\n");
    person.reads("Round 1 of 2, B: set up \"far\", then press Enter (q ends): ");
    person.types("\n");
    // The second round begins with what is set up already: the next question is for the way back.
    person.reads("Round 2 of 2, A: set up \"near\", then press Enter (q ends): ");
    person.types("q\n");
    let (code, read) = person.leaves();
    assert_eq!(code, Some(3), "{read}");
    assert!(read.contains("Stopped after 3 of 4 runs."), "{read}");
    assert_eq!(headers(&place).len(), 3);
}

#[test]
fn an_interrupt_at_the_question_ends_with_what_there_is() {
    let place = two();
    let mut person = Person::starting(in_turns(&place, &["--pause"]));
    person.reads("Round 1 of 6, A: set up \"near\", then press Enter (q ends): ");
    person.types("\n");
    person.reads("Round 1 of 6, B: set up \"far\", then press Enter (q ends): ");
    signal(person.child.id(), "INT");
    let (code, read) = person.leaves();
    assert_eq!(code, Some(4), "{read}");
    assert!(read.contains("Stopped after 1 of 12 runs."), "{read}");
}
