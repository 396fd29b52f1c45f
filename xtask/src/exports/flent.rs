//! `--flent`, as flent itself opens, tells and plots it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::findings::Findings;
use super::recorded::{Recorded, at_rank};
use super::tools::flent;

/// Of its stock plots for this kind of test.
const PLOTS: [&str; 4] = ["totals", "download", "ping", "box_download"];
/// The first bytes of any PNG.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

pub(super) fn check(findings: &mut Findings, run: &Recorded, file: &Path, folder: &Path) -> Result<()> {
    let table = flent(file, &["--format", "csv"], &folder.join("flent.csv"))?;
    let table = Table::read(&String::from_utf8(table).context("flent writes UTF-8")?)?;
    for (place, client, application) in run.applications() {
        let series =
            |prefix: &str| format!("{prefix} {} {}", harmless(&application).replace(' ', "_"), harmless(&client));
        let expected: BTreeMap<u64, f64> =
            run.bytes(place).into_iter().map(|(second, bytes)| (second, scaled(bytes, 8.0 / 1e6))).collect();
        let name = series("TCP download");
        compare(findings, table.series.get(&name), &expected, (1e-9, 1e-6), &name)?;
        if run.operations.is_empty() {
            continue;
        }
        // The median of a second: rank ⌈n / 2⌉ of all that were scheduled in it, where those that completed reach so far.
        let medians = run.bytes(place).into_keys().filter_map(|second| {
            let seconds = second..second + 1;
            let rank = run.scheduled(place, &seconds).div_ceil(2);
            Some((second, scaled(at_rank(&run.times(place, seconds), rank)?, 1e-6)))
        });
        let expected: BTreeMap<u64, f64> = medians.collect();
        let name = series("Ping (ms)");
        // A value stands for a bucket that is 0.1 % wide, or 512 ns.
        compare(findings, table.series.get(&name), &expected, (0.001, 0.000_512), &name)?;
    }
    let summary = flent(file, &["--format", "summary"], &folder.join("flent.txt"))?;
    let summary = String::from_utf8_lossy(&summary);
    findings.check(summary.contains("TCP download sum"), "flent sums the downloads up by itself")?;
    for plot in PLOTS {
        let image = folder.join(format!("flent-{plot}.png"));
        let _ = fs::remove_file(&image);
        let bytes = flent(file, &["--plot", plot], &image)?;
        findings.check(bytes.starts_with(PNG), &format!("flent plots '{plot}'"))?;
    }
    Ok(())
}

fn compare(
    findings: &mut Findings,
    found: Option<&BTreeMap<u64, f64>>,
    expected: &BTreeMap<u64, f64>,
    (share, grain): (f64, f64),
    name: &str,
) -> Result<()> {
    let none = BTreeMap::new();
    let found = found.unwrap_or(&none);
    findings.same(
        &found.keys().collect::<Vec<_>>(),
        &expected.keys().collect::<Vec<_>>(),
        &format!("'{name}' has a value in the seconds in which there is one"),
    )?;
    let off = expected.iter().find(|(second, expected)| {
        found.get(second).is_none_or(|found| (found - **expected).abs() > (expected.abs() * share).max(grain))
    });
    findings.same(&off, &None, &format!("'{name}' has the values of the record"))
}

/// flent's table: of each series its values by second.
struct Table {
    series: BTreeMap<String, BTreeMap<u64, f64>>,
}

impl Table {
    /// No field of ours needs quotes: no name has a comma.
    fn read(text: &str) -> Result<Self> {
        let mut lines = text.lines();
        let names: Vec<&str> = lines.next().context("flent's table has a head")?.split(',').skip(1).collect();
        let mut series: BTreeMap<String, BTreeMap<u64, f64>> = BTreeMap::new();
        for line in lines {
            let mut fields = line.split(',');
            let second: f64 = fields.next().unwrap_or_default().parse().with_context(|| format!("in '{line}'"))?;
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a second of a short run")]
            let second = second as u64;
            for (name, value) in names.iter().zip(fields) {
                if let Ok(value) = value.parse() {
                    series.entry((*name).to_owned()).or_default().insert(second, value);
                }
            }
        }
        Ok(Self { series })
    }
}

/// A name as docs/EXPORTS.md says that flent gets it.
fn harmless(name: &str) -> String {
    let keep = |c: char| c.is_alphanumeric() || " .-_()".contains(c);
    name.chars().map(|c| if keep(c) { c } else { '_' }).collect()
}

fn scaled(n: u64, by: f64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "bytes and nanoseconds of a short run")]
    let float = n as f64;
    float * by
}
