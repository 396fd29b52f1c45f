//! `cargo xtask exports`: what netburn exports is read by the tools that it is for.
//!
//! A short run over loopback, with every single operation kept, and the run file of an earlier version go out in every format.
//! flent opens, tells and plots its file; DuckDB, Prometheus's parser and promtool, and HdrHistogram's reader read theirs. What they read is held
//! against `--json` and against the lines of the run file, never against the export itself. What each format says:
//! docs/EXPORTS.md.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Instant;

use anyhow::{Context, Result, bail};

mod findings;
mod flent;
mod hdr;
mod openmetrics;
mod parquet;
mod recorded;
mod tools;

use findings::Findings;
use recorded::Recorded;
use tools::{Promtool, Python, any};

/// Load for a few seconds, and names with signs that formats have to bear.
const SCENARIO: &str = include_str!("run.toml");
/// A run of an earlier version, which kept no operations.
const EARLIER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/netburn/tests/golden/format-1.netburn");

/// Makes the runs, exports them, and has each export read.
pub(crate) fn run() -> Result<()> {
    let began = Instant::now();
    let folder = folder()?;
    let netburn = crate::bench::netburn_for_tests()?;
    let python = Python::ready(&folder.join("python"))?;
    let promtool = Promtool::ready(&folder.join("promtool"))?;
    let mut findings = Findings::default();
    let fresh = Export { netburn: &netburn, run: fresh_run(&netburn, &folder)?, folder: folder.join("fresh") };
    for export in [&fresh, &Export { netburn: &netburn, run: EARLIER.into(), folder: folder.join("earlier") }] {
        export.check(&mut findings, &python, &promtool)?;
    }
    findings.close()?;
    let (checks, failed) = findings.counts();
    if failed > 0 {
        bail!("{failed} of {checks} checks failed; the exports are in {}", folder.display());
    }
    let mut out = std::io::stdout();
    std::io::Write::write_fmt(
        &mut out,
        format_args!("exports: {checks} checks of 2 runs hold, in {:.1} s\n", began.elapsed().as_secs_f64()),
    )
    .context("cannot write to standard output")
}

/// A run that goes out in every format.
struct Export<'a> {
    netburn: &'a Path,
    run: PathBuf,
    folder: PathBuf,
}

impl Export<'_> {
    fn check(&self, findings: &mut Findings, python: &Python, promtool: &Promtool) -> Result<()> {
        fresh_folder(&self.folder)?;
        let document = self.report(&["--json"])?;
        let run = Recorded::read(&self.run, &String::from_utf8_lossy(&document.stdout))?;
        findings.chapter(&format!("run '{}'", run.header["plan"]["name"].as_str().unwrap_or_default()))?;
        findings.chapter(" OpenMetrics, read by Prometheus's parser and promtool")?;
        let metrics = self.export("--openmetrics", "run.om")?;
        openmetrics::check(findings, python, &run, &metrics)?;
        openmetrics::check_blocks(findings, promtool, &metrics, &self.folder)?;
        findings.chapter(" flent, read by flent")?;
        flent::check(findings, &run, &self.export("--flent", "run.flent.gz")?, &self.folder)?;
        if run.operations.is_empty() {
            findings.chapter(" Parquet, of which there is none")?;
            let output = self.report(&["--parquet", "--output", "run.parquet"])?;
            let said = String::from_utf8_lossy(&output.stderr);
            findings.check(
                output.status.code() == Some(2) && said.contains("run it with --keep-operations"),
                "a run that kept no operations is told so",
            )?;
            return findings.check(!self.folder.join("run.parquet").exists(), "and no file is left");
        }
        findings.chapter(" HDR log, read by HdrHistogram's reader")?;
        hdr::check(findings, python, &run, &self.export("--hdr", "run.hlog")?)?;
        findings.chapter(" Parquet, read by DuckDB")?;
        parquet::check(findings, python, &run, &self.export("--parquet", "run.parquet")?)
    }

    /// The run in a format, as a file.
    fn export(&self, format: &str, name: &str) -> Result<PathBuf> {
        let output = self.report(&[format, "--output", name])?;
        let file = self.folder.join(name);
        if !file.is_file() {
            bail!("netburn report {format} wrote no file: {}", String::from_utf8_lossy(&output.stderr).trim());
        }
        Ok(file)
    }

    /// `netburn report` of the run. Its exit code is the run's verdict, which is not what is tried here.
    fn report(&self, arguments: &[&str]) -> Result<Output> {
        any(Command::new(self.netburn).arg("report").arg(&self.run).args(arguments).current_dir(&self.folder))
    }
}

/// Runs the scenario; where its file is.
fn fresh_run(netburn: &Path, folder: &Path) -> Result<PathBuf> {
    let runs = folder.join("runs");
    fresh_folder(&runs)?;
    let scenario = folder.join("run.toml");
    fs::write(&scenario, SCENARIO).with_context(|| format!("cannot write {}", scenario.display()))?;
    let said = any(Command::new(netburn).arg("run").arg(&scenario).arg("--out").arg(&runs))?;
    let mut files = fs::read_dir(&runs)?.filter_map(|entry| Some(entry.ok()?.path()));
    files
        .find(|file| file.extension().is_some_and(|extension| extension == "netburn"))
        .with_context(|| format!("netburn run left no run file: {}", String::from_utf8_lossy(&said.stderr).trim()))
}

fn fresh_folder(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}

/// Where runs, exports and the Python lie: in the build folder, as everything else that is made here.
fn folder() -> Result<PathBuf> {
    // This program lies in TARGET/PROFILE.
    let program = std::env::current_exe().context("cannot tell where this program lies")?;
    let target = program.parent().and_then(Path::parent).context("this program does not lie in a build folder")?;
    let folder = target.join("exports");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder)
}
