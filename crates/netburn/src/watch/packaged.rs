//! What is shipped around the program says what the program says: units, dashboard, rules and manual are held to it here.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use burn_model::judge::judge;
use clap::{CommandFactory, Parser};

use super::figures::{Now, document};
use super::finding::Finding;
use super::ledger::{Last, Ledger};
use super::shelf::Shown;
use crate::cli::Cli;
use crate::watch::finding::Outcome;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The command lines of a unit: as it stands, and with the options of each of its examples.
fn command_lines(unit: &str) -> Vec<Vec<String>> {
    let text = read(&format!("packaging/systemd/{unit}"));
    let setting = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)).map(str::to_owned);
    let exec = setting("ExecStart=").unwrap();
    let every = setting("Environment=NETBURN_EVERY=").unwrap_or_default();
    let examples = text.lines().filter_map(|line| line.strip_prefix("#   NETBURN_OPTIONS="));
    let options: Vec<&str> = [""].into_iter().chain(examples).collect();
    assert!(options.len() > 1, "{unit} has no example of options");
    let fill = |options: &str| {
        let line = exec.replace("$NETBURN_OPTIONS", options).replace("${NETBURN_EVERY}", &every);
        let line = line.replace("%S", "/var/lib").replace("%i", "home");
        assert!(!line.contains(['$', '%']), "{line}");
        line.split_whitespace().map(str::to_owned).collect()
    };
    options.into_iter().map(fill).collect()
}

#[test]
fn units_start_the_program_with_what_it_knows() {
    for unit in ["netburn-watch@.service", "netburn-serve.service"] {
        for line in command_lines(unit) {
            assert_eq!(line[0], "/usr/local/bin/netburn");
            Cli::try_parse_from(&line).unwrap_or_else(|error| panic!("{unit}: {line:?}: {error}"));
        }
    }
}

/// The names of all series that a watch serves, with a run of a kind that has every figure of the dashboard.
fn served() -> BTreeSet<String> {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/format-1.netburn");
    let run = crate::run_file::read(&golden).unwrap();
    let shown = Shown { judgement: judge(&run), run };
    let mut ledger = Ledger::default();
    ledger.last_told_at = Some(1);
    ledger.last = Some(Last { at: 1, result: Outcome::Pass, file: None });
    ledger.watched.see(&Finding { result: Outcome::Pass, ..Finding::could_not("") }, false);
    let text = document(&ledger, Now { every: 1.0, next: Some(2.0), run: Some(&shown) });
    let samples = text.lines().filter(|line| !line.starts_with('#'));
    samples.filter_map(|line| line.split(['{', ' ']).next()).map(str::to_owned).collect()
}

/// All words of a text that are the name of a series of ours.
fn named(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with("netburn_")).map(str::to_owned).collect()
}

#[test]
fn dashboard_and_rules_ask_for_series_that_are_served() {
    let served = served();
    for file in
        ["packaging/grafana/netburn.json", "packaging/prometheus/netburn-rules.yml", "packaging/prometheus/netburn.yml"]
    {
        let unknown: Vec<_> = named(&read(file)).difference(&served).cloned().collect();
        assert!(unknown.is_empty(), "{file} asks for {unknown:?}; served are {served:#?}");
    }
    assert!(named(&read("packaging/grafana/netburn.json")).len() > 10);
}

#[test]
fn the_dashboard_asks_for_goals_and_states_by_names_that_are_served() {
    let dashboard = read("packaging/grafana/netburn.json");
    assert!(serde_json::from_str::<serde_json::Value>(&dashboard).is_ok());
    for outcome in Outcome::ALL {
        assert!(dashboard.contains(&format!("netburn_watch_last_result=\\\"{}\\\"", outcome.word())), "{outcome:?}");
    }
    // As the page of exports and burn_report have it.
    assert!(dashboard.contains("goal=\\\"response_time p95\\\""));
}

/// States are told apart by adding their numbers up, which is right for one watch alone.
#[test]
fn the_dashboard_adds_up_no_states_of_different_watches() {
    let dashboard = read("packaging/grafana/netburn.json");
    let sums = dashboard.split("sum by (").skip(1).filter_map(|sum| sum.split_once(") ("));
    let of_states: Vec<&str> = sums.filter(|(_, what)| what.starts_with("0 * ")).map(|(by, _)| by).collect();
    let of_applications = "scenario, instance, client, application";
    assert_eq!(of_states, ["scenario, instance", "scenario, instance", of_applications]);
}

#[test]
fn the_manual_has_every_flag_and_every_series_of_a_watch() {
    let manual = read("docs/WATCH.md");
    let command = Cli::command();
    let watch = command.get_subcommands().find(|command| command.get_name() == "watch").unwrap();
    for flag in watch.get_arguments().filter_map(|argument| argument.get_long()) {
        assert!(manual.contains(&format!("`--{flag}")), "docs/WATCH.md does not have --{flag}");
    }
    let of_watch: BTreeSet<String> = served().into_iter().filter(|name| name.starts_with("netburn_watch")).collect();
    assert_eq!(of_watch.difference(&named(&manual)).collect::<Vec<_>>(), Vec::<&String>::new(), "not in the manual");
    let environment = super::program::facts(&super::alarm::tests::alarm(&[("tv", super::condition::Condition::Bad)]));
    for (name, _) in environment {
        assert!(manual.contains(&format!("`{name}`")), "docs/WATCH.md does not have {name}");
    }
}

#[test]
fn the_manuals_example_of_an_alarm_is_one() {
    let manual = read("docs/WATCH.md");
    let (_, rest) = manual.split_once("```json\n").unwrap();
    let (example, _) = rest.split_once("```").unwrap();
    let alarm: super::alarm::Alarm = serde_json::from_str(example).unwrap();
    assert_eq!(serde_json::from_str::<serde_json::Value>(example).unwrap(), serde_json::to_value(alarm).unwrap());
}
