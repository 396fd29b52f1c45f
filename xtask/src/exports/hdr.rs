//! `--hdr`, as HdrHistogram's reader for Python reads it.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use super::findings::Findings;
use super::recorded::{Recorded, at_rank, number};
use super::tools::Python;

pub(super) fn check(findings: &mut Findings, python: &Python, run: &Recorded, file: &Path) -> Result<()> {
    let intervals = python.read(include_str!("read_hdr.py"), file)?;
    let intervals = intervals.as_array().context("the reader prints a list")?;
    let judged = run.judged_seconds();
    let start = run.started()? * 1e3;
    let mut expected_intervals = 0;
    for (place, client, application) in run.applications() {
        let tag = format!("{client}/{application}").replace([' ', ','], "_");
        let found = intervals.iter().find(|interval| interval["tag"] == *tag);
        let completed = number(&run.judged(place)["operations"]["completed"]);
        if completed == 0 {
            findings.check(found.is_none(), &format!("{tag}: nothing completed, and there is no interval"))?;
            continue;
        }
        expected_intervals += 1;
        let found = found.unwrap_or(&Value::Null);
        findings.same(&number(&found["count"]), &completed, &format!("{tag}: every completed operation is counted"))?;
        #[expect(clippy::cast_precision_loss, reason = "seconds of a short run")]
        let (from, to) = (start + judged.start as f64 * 1e3, start + judged.end as f64 * 1e3);
        let span = (found["from_ms"].as_f64().unwrap_or(0.0), found["to_ms"].as_f64().unwrap_or(0.0));
        findings.same(&span, &(from, to), &format!("{tag}: it is of the judged time"))?;
        let times = run.times(place, judged.clone());
        let count = u64::try_from(times.len()).unwrap_or(u64::MAX);
        // Readers round the rank of a quantile each in their way: up, down, or to the nearest.
        for (key, percent) in [("p50", 50), ("p95", 95), ("max", 100)] {
            let (down, up) = (count * percent / 100, (count * percent).div_ceil(100));
            let (Some(least), Some(most)) = (at_rank(&times, down.max(1)), at_rank(&times, up)) else { continue };
            let found = number(&found[key]);
            // What is read is the upper end of a bucket of 0.1 %, or of 512 ns.
            let holds = least <= found && found <= most + (most / 1000).max(512);
            findings.check(
                holds,
                &format!("{tag}: {key} is that of the raw operations ({found} ns of {least} to {most})"),
            )?;
        }
    }
    findings.same(&intervals.len(), &expected_intervals, "there is one interval for each application that has times")
}
