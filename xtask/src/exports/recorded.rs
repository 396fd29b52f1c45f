//! What a run file holds, read from its lines alone and not by netburn: the truth that exports are held against.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

/// An application's place: its client's number, and its own.
pub(super) type Place = (usize, usize);

/// A run, as its file and `netburn report --json` have it.
pub(super) struct Recorded {
    /// The header's event.
    pub(super) header: Value,
    /// The document of `--json`.
    pub(super) document: Value,
    /// Every operation.
    pub(super) operations: Vec<Value>,
    /// Every second of every application.
    pub(super) intervals: Vec<Value>,
}

impl Recorded {
    pub(super) fn read(file: &Path, document: &str) -> Result<Self> {
        let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        let events: Vec<Value> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
        let of = |kind: &str| events.iter().filter(|event| event["event"] == kind).cloned().collect::<Vec<_>>();
        Ok(Self {
            header: of("opened").into_iter().next().context("a run file begins with its header")?,
            document: serde_json::from_str(document).context("--json prints one document")?,
            operations: of("operation"),
            intervals: of("interval"),
        })
    }

    /// Every application of the plan with its client's name and its own.
    pub(super) fn applications(&self) -> Vec<(Place, String, String)> {
        let name = |value: &Value| value["name"].as_str().unwrap_or_default().to_owned();
        let clients = self.header["plan"]["clients"].as_array().map_or(&[][..], Vec::as_slice);
        let of_client = |(number, client): (usize, &Value)| {
            let populations = client["populations"].as_array().map_or(&[][..], Vec::as_slice);
            let client = name(client);
            let named = populations.iter().enumerate();
            named.map(|(i, population)| ((number, i), client.clone(), name(population))).collect::<Vec<_>>()
        };
        clients.iter().enumerate().flat_map(of_client).collect()
    }

    /// What `--json` says of an application.
    pub(super) fn judged(&self, place: Place) -> &Value {
        let number = self.applications().iter().position(|(other, ..)| *other == place);
        number.map_or(&Value::Null, |number| &self.document["applications"][number])
    }

    /// Payload of an application by second, in bytes.
    pub(super) fn bytes(&self, place: Place) -> BTreeMap<u64, u64> {
        let mut bytes = BTreeMap::new();
        for interval in self.intervals.iter().filter(|interval| place_of(interval) == place) {
            *bytes.entry(number(&interval["second"])).or_default() += number(&interval["bytes"]);
        }
        bytes
    }

    /// Response times, in nanoseconds and rising, of the operations that were scheduled in these seconds and completed.
    pub(super) fn times(&self, place: Place, seconds: std::ops::Range<u64>) -> Vec<u64> {
        let completed = self.operations.iter().filter(|operation| {
            place_of(operation) == place
                && operation["outcome"]["outcome"] == "completed"
                && seconds.contains(&(number(&operation["scheduled_at"]) / 1_000_000_000))
        });
        let mut times: Vec<u64> =
            completed.map(|one| number(&one["ended_at"]).saturating_sub(number(&one["scheduled_at"]))).collect();
        times.sort_unstable();
        times
    }

    /// How many operations of an application were scheduled in these seconds.
    pub(super) fn scheduled(&self, place: Place, seconds: &std::ops::Range<u64>) -> u64 {
        let within = self.intervals.iter().filter(|interval| place_of(interval) == place);
        let within = within.filter(|interval| seconds.contains(&number(&interval["second"])));
        within.map(|interval| number(&interval["tally"]["scheduled"])).sum()
    }

    /// The judged seconds.
    pub(super) fn judged_seconds(&self) -> std::ops::Range<u64> {
        let nanos = |key: &str| number(&self.header["plan"][key]) / 1_000_000_000;
        nanos("warm_up_ns")..nanos("warm_up_ns") + nanos("duration_ns")
    }

    /// When the run was started, in seconds since 1970, as GNU `date` reads it.
    pub(super) fn started(&self) -> Result<f64> {
        let text = self.header["started_at"].as_str().context("a header says when the run was started")?;
        let output = std::process::Command::new("date").args(["--utc", "--date", text, "+%s.%N"]).output();
        let output = output.context("cannot start date")?;
        String::from_utf8_lossy(&output.stdout).trim().parse().with_context(|| format!("date cannot read '{text}'"))
    }
}

/// Whose a record is.
pub(super) fn place_of(record: &Value) -> Place {
    let index = |key: &str| record[key].as_u64().and_then(|index| usize::try_from(index).ok()).unwrap_or(usize::MAX);
    (index("client"), index("population"))
}

/// A count; absent ones are zero, as a run file leaves them out.
pub(super) fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or(0)
}

/// The value at a rank of rising ones, counted from 1.
pub(super) fn at_rank(values: &[u64], rank: u64) -> Option<u64> {
    values.get(usize::try_from(rank).ok()?.checked_sub(1)?).copied()
}
