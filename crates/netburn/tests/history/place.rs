//! A folder of made-up runs, and the program that is asked about them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use burn_model::record::RunEvent;
use netburn::run_file::Writer;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A state folder of one test.
pub(crate) struct Place {
    state: TempDir,
}

/// A run as a test wants it.
#[derive(Clone, Debug)]
pub(crate) struct Made<'a> {
    /// The first eight digits of its id.
    pub(crate) id: &'a str,
    pub(crate) started_at: &'a str,
    pub(crate) scenario: &'a str,
    pub(crate) client: &'a str,
    pub(crate) digest: &'a str,
    /// Every operation took so long.
    pub(crate) took_ms: u64,
    /// Whether its file says how it ended.
    pub(crate) ended: bool,
}

impl Default for Made<'_> {
    fn default() -> Self {
        Self {
            id: "0badcafe",
            started_at: "2026-11-20T18:00:00Z",
            scenario: "evening",
            client: "phone",
            digest: "d1",
            took_ms: 40,
            ended: true,
        }
    }
}

impl Place {
    pub(crate) fn new() -> Self {
        Self { state: TempDir::new().unwrap() }
    }

    /// Runs of one scenario, one each day from the first of November on, each with its response time.
    pub(crate) fn with_days(took_ms: &[u64]) -> Self {
        let place = Self::new();
        for (day, took_ms) in (1..).zip(took_ms) {
            let (id, started_at) = (format!("{day:08x}"), format!("2026-11-{day:02}T18:00:00Z"));
            place.keep(
                &format!("day-{day:02}"),
                &Made { id: &id, started_at: &started_at, took_ms: *took_ms, ..Made::default() },
            );
        }
        place
    }

    pub(crate) fn state(&self) -> &Path {
        self.state.path()
    }

    pub(crate) fn runs(&self) -> PathBuf {
        self.state().join("netburn/runs")
    }

    pub(crate) fn index(&self) -> PathBuf {
        self.runs().join("index.sqlite")
    }

    /// Writes a run file of this name.
    pub(crate) fn keep(&self, name: &str, made: &Made<'_>) -> PathBuf {
        let mut writer = Writer::create(&self.runs(), name).unwrap();
        for event in events(made) {
            writer.append(&event).unwrap();
        }
        writer.path().to_owned()
    }

    /// The program, with this place's state folder.
    pub(crate) fn netburn(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_netburn"));
        command.args(args).stdin(Stdio::null()).env_remove("NO_COLOR").env("XDG_STATE_HOME", self.state());
        command.current_dir(self.state());
        command
    }

    pub(crate) fn say(&self, args: &[&str]) -> Said {
        self.netburn(args).output().unwrap().into()
    }

    /// The ids of the runs that are listed, eight digits of each.
    pub(crate) fn listed(&self, args: &[&str]) -> Vec<String> {
        let document = self.say(&[&["runs", "--json"], args].concat()).json();
        let id = |run: &Value| run["id"].as_str().unwrap()[..8].to_owned();
        document["runs"].as_array().unwrap().iter().map(id).collect()
    }
}

/// What the recorded run's events become.
fn events(made: &Made<'_>) -> Vec<RunEvent> {
    let golden = include_str!("../golden/format-1.netburn");
    let mut events: Vec<Value> = golden.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for event in &mut events {
        match event["event"].as_str().unwrap() {
            "opened" => {
                event["run"] = format!("{}{}", made.id, "0".repeat(24)).into();
                event["started_at"] = made.started_at.into();
                event["digest"] = made.digest.into();
                event["plan"]["name"] = made.scenario.into();
                event["plan"]["clients"][0]["name"] = made.client.into();
                let goal = &mut event["plan"]["clients"][0]["populations"][0]["goals"][0];
                (goal["good_ns"], goal["bad_ns"]) = (100_000_000.into(), 400_000_000.into());
            }
            "interval" => {
                for cohort in event["cohorts"].as_array_mut().into_iter().flatten() {
                    // All of the second's forty operations took as long, whoever looks at it.
                    for times in
                        ["response_time", "service_time", "response_time_less_client", "response_time_less_server"]
                    {
                        cohort[times] = json!([[made.took_ms * 1_000_000, 40]]);
                    }
                }
            }
            _ => {}
        }
    }
    events.retain(|event| made.ended || event["event"] != "closed");
    events.into_iter().map(|event| serde_json::from_value(event).unwrap()).collect()
}

/// What a finished program said.
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Said {
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}\n{}", self.out, self.err))
    }
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}
