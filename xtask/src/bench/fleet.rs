//! What one controller costs as its agents become more: processor time, memory, control traffic, and how far apart the
//! agents start. The agents are processes on this machine, so the start skew holds what they wait for a core.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::markdown::Table;
use super::process::Running;
use super::statistics::{median, order, range, ratio};
use super::{Effort, figure, note};

/// How many agents one controller has.
const SIZES: [usize; 3] = [10, 50, 200];
/// Not judged, but driven and reported like the rest.
const WARM_UP_SECONDS: u32 = 2;
/// Logins, clocks and gathering of the largest fleet take seconds; this only ends what hangs.
const LIMIT: Duration = Duration::from_secs(120);

/// One exchange of 1 kB five times a second for each client. Its goal is lenient: what is measured here is the
/// controller, and a busy machine is no reason to throw that away.
const WORKLOAD: &str = r#"
[workload.exchange]
arrival = "constant"
objects = 1
object_size = "1000 B"
rate = "5/s"
in_flight = 10
deadline = "2 s"
drain = "1 s"

[[workload.exchange.goal]]
metric = "response_time"
quantile = 0.5
good = "5 s"
bad = "10 s"
"#;

/// What one run cost, and what it says of itself.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cost {
    cpu_seconds: f64,
    memory_mib: f64,
    skew_ms: f64,
    skew_bound_ms: f64,
    control_kbps: f64,
}

/// The runs of each size, one for each round.
#[derive(Debug)]
struct Costs(Vec<(usize, Vec<Cost>)>);

/// Runs them, and gives the tables.
pub(crate) fn run(netburn: &Path, effort: &Effort) -> Result<String> {
    let mut costs = Costs(SIZES.map(|agents| (agents, Vec::new())).to_vec());
    let rounds = effort.fleet_rounds;
    for round in 0..rounds {
        for place in order(SIZES.len(), round) {
            let Some((agents, runs)) = costs.0.get_mut(place) else { continue };
            let cost = run_once(netburn, *agents, effort.fleet_seconds)?;
            note(&format!(
                "fleet, round {}: {agents} agents, {:.2} s, skew {:.1} ms",
                round + 1,
                cost.cpu_seconds,
                cost.skew_ms
            ));
            runs.push(cost);
        }
    }
    Ok(format!(
        "{} s judged after {WARM_UP_SECONDS} s of warm-up. All agents of all runs started, were done, and reported.\n\n{}",
        effort.fleet_seconds,
        costs.markdown()
    ))
}

fn run_once(netburn: &Path, agents: usize, seconds: u32) -> Result<Cost> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let path = folder.path().join("fleet.toml");
    std::fs::write(&path, scenario(agents, seconds)).with_context(|| format!("cannot write {}", path.display()))?;
    let mut command = Command::new(netburn);
    command.arg("run").arg(&path).arg("--out").arg(folder.path().join("runs")).args(["--json", "--quiet"]);
    // The clock of a process is its own, without those of the agents and the server that it starts.
    let finished = Running::start(command)?.finish(LIMIT).with_context(|| format!("a run of {agents} agents"))?;
    let document = serde_json::from_str(&finished.printed).context("netburn run printed no JSON")?;
    let memory = finished.peak_memory.context("the controller's memory was never seen")?;
    #[expect(clippy::cast_precision_loss, reason = "memory is far below 2^53 bytes")]
    let memory_mib = memory as f64 / f64::from(1 << 20);
    cost(&document, agents, finished.cpu.as_secs_f64(), memory_mib)
}

/// So many clients, each an agent process of its own on this machine.
fn scenario(agents: usize, seconds: u32) -> String {
    let mut text = format!(
        "name = \"bench fleet\"\nduration = \"{seconds} s\"\nwarm_up = \"{WARM_UP_SECONDS} s\"\nserver = \"local\"\n"
    );
    for agent in 1..=agents {
        // Writing to a string does not fail.
        let _ = write!(text, "\n[[client]]\nname = \"agent-{agent}\"\nrun = [\"exchange\"]\n");
    }
    text + WORKLOAD
}

/// What the document of `netburn run --json` says, where all agents did their part from the start to the last word.
fn cost(document: &Value, agents: usize, cpu_seconds: f64, memory_mib: f64) -> Result<Cost> {
    let list = |name: &str| document[name].as_array().with_context(|| format!("netburn run gave no '{name}'"));
    let done = list("clients")?.iter().filter(|client| client["state"] == "done").count();
    if done != agents {
        bail!("of {agents} agents {done} were done");
    }
    let completed = |row: &&Value| row["operations"]["completed"].as_u64().is_some_and(|operations| operations > 0);
    let reported = list("applications")?.iter().filter(completed).count();
    if reported != agents {
        bail!("of {agents} agents {reported} reported operations");
    }
    let started = document["start"]["clients"].as_u64();
    if started != u64::try_from(agents).ok() {
        bail!("of {agents} agents {} said when they started", started.unwrap_or(0));
    }
    let value = |part: &str, name: &str| {
        document[part][name].as_f64().with_context(|| format!("netburn run gave no '{part}.{name}'"))
    };
    Ok(Cost {
        cpu_seconds,
        memory_mib,
        skew_ms: value("start", "skew_ms")?,
        skew_bound_ms: value("start", "uncertainty_ms")?,
        control_kbps: value("control", "rate_kbps")?,
    })
}

impl Costs {
    /// The median of one figure over the rounds with so many agents.
    fn median(&self, agents: usize, of: impl Fn(&Cost) -> f64) -> Option<f64> {
        let (_, runs) = self.0.iter().find(|(size, _)| *size == agents)?;
        median(&runs.iter().map(of).collect::<Vec<_>>())
    }

    fn markdown(&self) -> String {
        let mut table = Table::new([
            "agents",
            "controller CPU, s",
            "controller MiB",
            "start skew, ms",
            "least–most",
            "± ms",
            "control, kbps",
        ]);
        for (agents, runs) in &self.0 {
            let skews: Vec<f64> = runs.iter().map(|run| run.skew_ms).collect();
            table.row(vec![
                agents.to_string(),
                figure(self.median(*agents, |run| run.cpu_seconds), 3),
                figure(self.median(*agents, |run| run.memory_mib), 1),
                figure(median(&skews), 1),
                range(&skews).map_or_else(|| "–".to_owned(), |(a, b)| format!("{a:.1}–{b:.1}")),
                figure(self.median(*agents, |run| run.skew_bound_ms), 2),
                figure(self.median(*agents, |run| run.control_kbps), 0),
            ]);
        }
        let mut growth = Table::new(["ratio of medians", "agents", "controller CPU", "controller memory", "control"]);
        let [base, larger @ ..] = SIZES;
        for agents in larger {
            let grown = |of: fn(&Cost) -> f64| figure(ratio(self.median(agents, of), self.median(base, of)), 1);
            growth.row(vec![
                format!("{agents} to {base}"),
                (agents / base).to_string(),
                grown(|run| run.cpu_seconds),
                grown(|run| run.memory_mib),
                grown(|run| run.control_kbps),
            ]);
        }
        format!("{}\n{}", table.render(), growth.render())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn document(agents: usize) -> Value {
        json!({
            "clients": vec![json!({"state": "done"}); agents],
            "applications": vec![json!({"operations": {"completed": 75}}); agents],
            "start": {"clients": agents, "skew_ms": 1.5, "uncertainty_ms": 0.1},
            "control": {"rate_kbps": 21.0},
        })
    }

    fn with_cpu(cpu_seconds: f64) -> Cost {
        Cost { cpu_seconds, memory_mib: 4.0, skew_ms: 1.0, skew_bound_ms: 0.1, control_kbps: 20.0 }
    }

    #[test]
    fn a_run_gives_what_its_document_says() {
        let expected = Cost { cpu_seconds: 0.5, memory_mib: 8.0, skew_ms: 1.5, skew_bound_ms: 0.1, control_kbps: 21.0 };
        assert_eq!(cost(&document(2), 2, 0.5, 8.0).unwrap(), expected);
    }

    #[test]
    fn an_agent_that_did_not_do_all_its_part_is_an_error_that_says_how_many_did() {
        let error = |document: &Value| cost(document, 2, 0.5, 8.0).unwrap_err().to_string();
        let mut lost = document(2);
        lost["clients"][1]["state"] = "lost".into();
        assert_eq!(error(&lost), "of 2 agents 1 were done");
        let mut silent = document(2);
        silent["applications"][0]["operations"]["completed"] = 0.into();
        assert_eq!(error(&silent), "of 2 agents 1 reported operations");
        let mut unknown = document(2);
        unknown["start"] = Value::Null;
        assert_eq!(error(&unknown), "of 2 agents 0 said when they started");
        assert!(error(&json!({})).contains("'clients'"));
        let mut unmetered = document(2);
        unmetered["control"] = Value::Null;
        assert!(error(&unmetered).contains("'control.rate_kbps'"));
    }

    #[test]
    fn a_scenario_has_a_client_for_each_agent_and_one_workload() {
        let text = scenario(3, 15);
        assert_eq!(text.matches("[[client]]").count(), 3);
        assert_eq!(text.matches("[workload.exchange]").count(), 1);
        assert!(text.contains("duration = \"15 s\"") && text.contains("warm_up = \"2 s\""), "{text}");
    }

    #[test]
    fn the_tables_hold_medians_and_how_they_grow_from_the_smallest_fleet() {
        let runs = |values: [f64; 3]| values.map(with_cpu).to_vec();
        let costs =
            Costs(vec![(10, runs([0.02, 0.01, 0.9])), (50, runs([0.1, 0.1, 0.1])), (200, runs([0.5, 0.6, 0.4]))]);
        let text = costs.markdown();
        let row = |start: &str| {
            let line = text.lines().find(|line| line.starts_with(start)).unwrap();
            line.split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect::<Vec<_>>()
        };
        // The middle of 0.01, 0.02, 0.9.
        assert_eq!(row("| 10 "), ["10", "0.020", "4.0", "1.0", "1.0–1.0", "0.10", "20"]);
        // 0.1 / 0.02 and 0.5 / 0.02.
        assert_eq!(row("| 50 to 10"), ["50 to 10", "5", "5.0", "1.0", "1.0"]);
        assert_eq!(row("| 200 to 10"), ["200 to 10", "20", "25.0", "1.0", "1.0"]);
    }
}
