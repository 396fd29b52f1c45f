//! What it takes to make a report of a long run again: processor time beside what merely reads the same bytes, and memory as
//! runs become longer. The runs are made up, so that nobody waits for an hour.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;

use super::markdown::Table;
use super::process::{Finished, Running};
use super::statistics::{median, order, ratio};
use super::{Effort, figure, note};
use crate::made_up;

/// A run that is made up.
#[derive(Clone, Copy)]
pub(crate) struct Made {
    clients: u32,
    minutes: f64,
    /// Every single operation stands in the file.
    kept: bool,
}

impl Made {
    /// Of the clients a quarter are calls of 50 operations a second: 200 clients make some 147,000 operations a minute, of which
    /// nine tenths are judged, because the last client is lost then. The second one is ten million.
    pub(crate) const FULL: [Self; 3] = [
        Self { clients: 200, minutes: 7.5, kept: false },
        Self { clients: 200, minutes: 75.0, kept: false },
        Self { clients: 200, minutes: 75.0, kept: true },
    ];
    pub(crate) const QUICK: [Self; 3] = [
        Self { clients: 8, minutes: 0.5, kept: false },
        Self { clients: 8, minutes: 5.0, kept: false },
        Self { clients: 8, minutes: 5.0, kept: true },
    ];

    fn name(self) -> String {
        let kept = if self.kept { ", every operation kept" } else { "" };
        format!("{} clients, {} min{kept}", self.clients, self.minutes)
    }
}

/// Who reads a file.
#[derive(Clone, Copy)]
enum Reader {
    /// Looks at every byte once.
    Wc,
    /// Reads every line as JSON, and makes nothing of it.
    Json,
    /// Ours: reads, folds, judges, reports.
    Report,
}

impl Reader {
    const ALL: [Self; 3] = [Self::Wc, Self::Json, Self::Report];

    fn command(self, netburn: &Path, file: &Path) -> Command {
        let mut command = match self {
            Self::Wc => Command::new("wc"),
            Self::Json => Command::new("python3"),
            Self::Report => Command::new(netburn),
        };
        match self {
            Self::Wc => command.arg("-l"),
            Self::Json => {
                command.args(["-c", "import json, sys\nfor line in open(sys.argv[1], 'rb'): json.loads(line)"])
            }
            Self::Report => command.args(["report", "--json"]),
        };
        command.arg(file);
        command
    }
}

/// What one file took, reader by reader, round by round.
struct Costs {
    made: Made,
    megabytes: f64,
    operations: u64,
    cpu: [Vec<f64>; Reader::ALL.len()],
    memory_mib: Vec<f64>,
}

/// Makes the files, reads them, and gives the table.
pub(crate) fn run(netburn: &Path, effort: &Effort) -> Result<String> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let mut all = Vec::new();
    for made in effort.fold {
        let file = folder.path().join("run.netburn");
        note(&format!("fold: making up {}", made.name()));
        made_up::make(&file, made.clients, made.minutes, made.kept)?;
        all.push(costs(netburn, made, &file, effort.fold_rounds)?);
        std::fs::remove_file(&file).with_context(|| format!("cannot remove {}", file.display()))?;
    }
    Ok(markdown(&all))
}

fn costs(netburn: &Path, made: Made, file: &Path, rounds: usize) -> Result<Costs> {
    #[expect(clippy::cast_precision_loss, reason = "a file is far below 2^53 bytes")]
    let megabytes = file.metadata()?.len() as f64 / 1e6;
    let mut costs = Costs { made, megabytes, operations: 0, cpu: Default::default(), memory_mib: Vec::new() };
    for round in 0..rounds {
        for place in order(Reader::ALL.len(), round) {
            let Some(reader) = Reader::ALL.get(place) else { continue };
            let finished = finish(reader.command(netburn, file))?;
            if let Some(cpu) = costs.cpu.get_mut(place) {
                cpu.push(finished.cpu.as_secs_f64());
            }
            if let Reader::Report = reader {
                let document = serde_json::from_str(&finished.printed).context("netburn report printed no JSON")?;
                costs.operations = operations(&document);
                let memory = finished.peak_memory.context("the memory of netburn report was never seen")?;
                #[expect(clippy::cast_precision_loss, reason = "memory is far below 2^53 bytes")]
                costs.memory_mib.push(memory as f64 / f64::from(1 << 20));
                note(&format!("fold, round {}: {}, {:.1} s", round + 1, made.name(), finished.cpu.as_secs_f64()));
            }
        }
    }
    Ok(costs)
}

/// The report's exit code is the made-up run's verdict, which is none of our business here.
fn finish(command: Command) -> Result<Finished> {
    Running::start(command)?.finish_whatever_it_says(Duration::from_secs(900))
}

/// Operations that were judged, by all applications.
fn operations(document: &Value) -> u64 {
    let applications = document["applications"].as_array().map_or(&[][..], Vec::as_slice);
    applications.iter().filter_map(|application| application["operations"]["scheduled"].as_u64()).sum()
}

fn markdown(all: &[Costs]) -> String {
    let mut table = Table::new([
        "run file",
        "MB",
        "operations judged",
        "report CPU, s",
        "to `wc -l`",
        "to JSON lines",
        "report MB/s",
        "report MiB",
    ]);
    for costs in all {
        let [wc, json, report] = [0, 1, 2].map(|place| costs.cpu.get(place).and_then(|cpu| median(cpu)));
        table.row(vec![
            costs.made.name(),
            format!("{:.0}", costs.megabytes),
            costs.operations.to_string(),
            figure(report, 2),
            figure(ratio(report, wc), 1),
            figure(ratio(report, json), 2),
            figure(ratio(Some(costs.megabytes), report), 0),
            figure(median(&costs.memory_mib), 0),
        ]);
    }
    table.render()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn operations_of_all_applications_are_added_up() {
        let of = |n: u64| json!({"operations": {"scheduled": n}});
        assert_eq!(operations(&json!({"applications": [of(3), of(4), json!({})]})), 7);
        assert_eq!(operations(&json!({})), 0);
    }

    #[test]
    fn the_table_holds_medians_and_ratios_to_those_who_merely_read() {
        let cpu = [vec![0.1, 0.3, 0.2], vec![4.0, 4.0, 4.0], vec![2.0, 1.0, 9.0]];
        let made = Made { clients: 200, minutes: 60.0, kept: true };
        let text =
            markdown(&[Costs { made, megabytes: 500.0, operations: 10, cpu, memory_mib: vec![50.0, 60.0, 70.0] }]);
        let row: Vec<&str> =
            text.lines().last().unwrap().split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect();
        // Medians 0.2, 4 and 2: 2 / 0.2, 2 / 4, 500 / 2.
        assert_eq!(
            row,
            ["200 clients, 60 min, every operation kept", "500", "10", "2.00", "10.0", "0.50", "250", "60"]
        );
    }
}
