//! The programs that read our exports: flent and promtool from Debian, and a Python with what `requirements.txt` names.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::apt::{Apt, unpack};

const REQUIREMENTS: &str = include_str!("requirements.txt");

/// A Python of our own, in the build folder.
pub(super) struct Python {
    program: PathBuf,
}

impl Python {
    /// The one that is there, or else a new one; made anew where the requirements have changed.
    pub(super) fn ready(folder: &Path) -> Result<Self> {
        let program = folder.join("bin/python");
        // Written last, so that a half-made one is not taken for a whole one.
        let stamp = folder.join("requirements.txt");
        if fs::read_to_string(&stamp).is_ok_and(|found| found == REQUIREMENTS) {
            return Ok(Self { program });
        }
        if folder.exists() {
            fs::remove_dir_all(folder).with_context(|| format!("cannot empty {}", folder.display()))?;
        }
        let needs = "Debian's packages python3 and python3-venv have it";
        run(Command::new("python3").args(["-m", "venv"]).arg(folder)).context(needs)?;
        let wanted = folder.join("wanted.txt");
        fs::write(&wanted, REQUIREMENTS).with_context(|| format!("cannot write {}", wanted.display()))?;
        let mut pip = Command::new(&program);
        run(pip
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"])
            .arg(&wanted))?;
        fs::rename(&wanted, &stamp).with_context(|| format!("cannot write {}", stamp.display()))?;
        Ok(Self { program })
    }

    /// What a reader, a script of ours, prints of a file.
    pub(super) fn read(&self, script: &str, file: &Path) -> Result<Value> {
        let output = run(Command::new(&self.program).arg("-c").arg(script).arg(file))?;
        serde_json::from_slice(&output.stdout).with_context(|| format!("of {}", file.display()))
    }
}

/// Prometheus's own tool, from Debian's package `prometheus`, which is unpacked and not installed: it would start a service.
pub(super) struct Promtool {
    program: PathBuf,
}

impl Promtool {
    /// The one that is there, or else the package fetched (20 MB, once).
    pub(super) fn ready(folder: &Path) -> Result<Self> {
        let program = folder.join("root/usr/bin/promtool");
        if !program.is_file() {
            // It needs no library: of its package's dependencies none is fetched.
            let apt = Apt::new(folder)?;
            apt.run(&["update"])?;
            apt.run(&["download", "prometheus"])?;
            unpack(&apt.archives, &folder.join("unpacked"))?;
            fs::rename(folder.join("unpacked"), folder.join("root")).context("cannot move what was unpacked")?;
        }
        Ok(Self { program })
    }

    /// Makes blocks of a database from an OpenMetrics text; says what it lists of them.
    pub(super) fn create_blocks(&self, text: &Path, database: &Path) -> Result<String> {
        let mut create = Command::new(&self.program);
        run(create.args(["tsdb", "create-blocks-from", "openmetrics"]).arg(text).arg(database))?;
        let listed = run(Command::new(&self.program).args(["tsdb", "list"]).arg(database))?;
        Ok(String::from_utf8_lossy(&listed.stdout).into_owned())
    }
}

/// Runs flent on a file; hands over what it wrote into `output`.
pub(super) fn flent(file: &Path, arguments: &[&str], output: &Path) -> Result<Vec<u8>> {
    let mut flent = Command::new("flent");
    // It draws into a file: no display is asked for.
    flent.arg("--input").arg(file).args(arguments).arg("--output").arg(output).env("MPLBACKEND", "Agg");
    run(&mut flent).context("Debian's packages flent and python3-matplotlib")?;
    fs::read(output).with_context(|| format!("flent wrote no {}", output.display()))
}

/// Runs a command that must go well.
pub(super) fn run(command: &mut Command) -> Result<Output> {
    let output = any(command)?;
    if !output.status.success() {
        bail!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(output)
}

/// Runs a command, however it ends.
pub(super) fn any(command: &mut Command) -> Result<Output> {
    command.stdin(Stdio::null()).output().with_context(|| format!("cannot start {}", command.get_program().display()))
}
