//! `--parquet`, as DuckDB reads it.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::findings::Findings;
use super::recorded::{Recorded, place_of};
use super::tools::Python;

/// Columns of numbers, with the key of an operation's event.
const NUMBERS: [(&str, &str); 8] = [
    ("index", "index"),
    ("scheduled_at_ns", "scheduled_at"),
    ("ready_at_ns", "ready_at"),
    ("sent_at_ns", "sent_at"),
    ("first_byte_at_ns", "first_byte_at"),
    ("ended_at_ns", "ended_at"),
    ("receive_lateness_ns", "receive_lateness_ns"),
    ("server_time_ns", "server_time_ns"),
];

/// Client, application, outcome and cause.
type Group = [String; 4];

/// Of a group its operations, and of each column of numbers the sum and how many are known.
type Sums = (u64, Vec<(u64, u64)>);

pub(super) fn check(findings: &mut Findings, python: &Python, run: &Recorded, file: &Path) -> Result<()> {
    let table = python.read(include_str!("read_parquet.py"), file)?;
    let text = |name| json!([name, "VARCHAR"]);
    let numbers = NUMBERS.iter().map(|(column, _)| json!([column, "BIGINT"]));
    let schema =
        [text("client"), text("application")].into_iter().chain(numbers).chain([text("outcome"), text("cause")]);
    findings.same(&table["schema"], &schema.collect(), "its columns and their types are the documented ones")?;
    let expected = sums(run);
    let found = read(&table["groups"])?;
    findings.same(
        &found.keys().collect::<Vec<_>>(),
        &expected.keys().collect::<Vec<_>>(),
        "its clients, applications, outcomes and causes are the record's",
    )?;
    for (group, expected) in &expected {
        let title = group.join(" ");
        findings.same(
            &found.get(group),
            &Some(expected),
            &format!("{title}: counts, sums and nulls are the record's"),
        )?;
    }
    let facts = &table["facts"];
    findings.same(&facts["netburn.run"], &run.header["run"], "it tells which run it is of")?;
    let plan: Value = serde_json::from_str(facts["netburn.plan"].as_str().unwrap_or_default()).unwrap_or(Value::Null);
    findings.same(&plan, &run.header["plan"], "it tells the whole plan")
}

/// What the record's operations add up to.
fn sums(run: &Recorded) -> BTreeMap<Group, Sums> {
    let names: BTreeMap<_, _> =
        run.applications().into_iter().map(|(place, client, application)| (place, (client, application))).collect();
    let mut sums: BTreeMap<Group, Sums> = BTreeMap::new();
    for operation in &run.operations {
        let Some((client, application)) = names.get(&place_of(operation)) else { continue };
        let word = |key: &str| operation["outcome"][key].as_str().unwrap_or_default().to_owned();
        let group = [client.clone(), application.clone(), word("outcome"), word("cause")];
        let (count, columns) = sums.entry(group).or_insert_with(|| (0, vec![(0, 0); NUMBERS.len()]));
        *count += 1;
        for ((sum, known), (_, key)) in columns.iter_mut().zip(NUMBERS) {
            if let Some(number) = operation[key].as_u64() {
                *sum += number;
                *known += 1;
            }
        }
    }
    sums
}

fn read(groups: &Value) -> Result<BTreeMap<Group, Sums>> {
    let groups = groups.as_array().context("the reader prints groups")?;
    let group = |group: &Value| {
        let word = |key: &str| group[key].as_str().unwrap_or_default().to_owned();
        let columns = NUMBERS.iter().map(|(column, _)| {
            let figures = &group["sums"][column];
            // A sum of nothing is null.
            let sum = figures["sum"].as_str().and_then(|sum| sum.parse().ok()).unwrap_or(0);
            (sum, figures["known"].as_u64().unwrap_or(0))
        });
        let key = [word("client"), word("application"), word("outcome"), word("cause")];
        (key, (group["operations"].as_u64().unwrap_or(0), columns.collect()))
    };
    Ok(groups.iter().map(group).collect())
}
