//! `cargo xtask dist`: the program as single files that run on any Linux of their kind of machine, in `target/dist`.
//!
//! These are what a run copies to devices that lack netburn, so they need nothing there: no loader, no library. Each is built with
//! musl by an ordinary rustup target where that is installed, else by a compiler that is unpacked (not installed) below `target/dist`.
//! A target that cannot be built is named with what is missing, and the others are built all the same.

mod build;
mod check;
mod toolchain;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

/// What to build, and whether to try it.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Build for this kind of machine alone; may be given several times.
    #[arg(long, value_enum)]
    target: Vec<Arch>,
    /// Run each file too, on an emulated processor where need be: alone, and as a client of a real run.
    #[arg(long)]
    check: bool,
}

/// A kind of machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Arch {
    /// 64-bit PC.
    #[value(name = "x86_64")]
    X86_64,
    /// 64-bit ARM.
    #[value(name = "aarch64")]
    Aarch64,
    /// 32-bit ARM with hardware floating point, version 7 and later.
    #[value(name = "armv7")]
    Armv7,
}

impl Arch {
    const ALL: [Self; 3] = [Self::X86_64, Self::Aarch64, Self::Armv7];

    /// As it stands in the name of the file.
    const fn name(self) -> &'static str {
        match self {
            Self::X86_64 => "x86_64",
            Self::Aarch64 => "aarch64",
            Self::Armv7 => "armv7",
        }
    }

    /// As rustc names it.
    const fn triple(self) -> &'static str {
        match self {
            Self::X86_64 => "x86_64-unknown-linux-musl",
            Self::Aarch64 => "aarch64-unknown-linux-musl",
            Self::Armv7 => "armv7-unknown-linux-musleabihf",
        }
    }

    /// The emulator that runs its programs, of Debian's package qemu-user-static.
    const fn emulator(self) -> &'static str {
        match self {
            Self::X86_64 => "qemu-x86_64-static",
            Self::Aarch64 => "qemu-aarch64-static",
            Self::Armv7 => "qemu-arm-static",
        }
    }

    /// Where its file is.
    fn file(self, folder: &Path) -> PathBuf {
        folder.join(format!("netburn-{}-linux", self.name()))
    }
}

/// Builds what is asked for, and says at the end what came of each.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    ensure_page_bundle()?;
    let targets = if arguments.target.is_empty() { Arch::ALL.to_vec() } else { arguments.target.clone() };
    let folder = target_folder()?.join("dist");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut summary = Vec::new();
    let mut failed = 0;
    for arch in targets {
        let began = Instant::now();
        note(&format!("== {}", arch.name()));
        let outcome = build::build(arch, &folder).and_then(|file| {
            if arguments.check {
                check::check(arch, &file)?;
            }
            Ok(std::fs::metadata(&file)?.len())
        });
        let seconds = began.elapsed().as_secs_f64();
        summary.push(match outcome {
            Ok(bytes) => {
                let tried = if arguments.check { ", checked" } else { "" };
                format!("{}: {} bytes{tried}, {seconds:.0} s", arch.file(&folder).display(), bytes)
            }
            Err(error) => {
                failed += 1;
                format!("{}: FAILED after {seconds:.0} s: {error:#}", arch.name())
            }
        });
    }
    write_checksums(&folder)?;
    note("== dist");
    summary.iter().for_each(|line| note(line));
    if failed > 0 {
        bail!("{failed} of {} could not be made; what is missing stands above", summary.len());
    }
    Ok(())
}

/// What is handed out has the script of its pages.
fn ensure_page_bundle() -> Result<()> {
    let dist = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../ui/dist"));
    for name in ["page.js", "page.css"] {
        let length = std::fs::metadata(dist.join(name)).map_or(0, |about| about.len());
        ensure!(length > 0, "ui/dist/{name} is missing; make it first: cd ui && npm ci && npm run build");
    }
    Ok(())
}

/// `SHA256SUMS` of all files that are there, for `sha256sum --check`.
fn write_checksums(folder: &Path) -> Result<()> {
    let files = Arch::ALL.map(|arch| arch.file(folder)).into_iter().filter(|file| file.exists());
    let names: Vec<_> = files.filter_map(|file| Some(file.file_name()?.to_owned())).collect();
    if names.is_empty() {
        return Ok(());
    }
    let sums = output(Command::new("sha256sum").args(names).current_dir(folder))?;
    std::fs::write(folder.join("SHA256SUMS"), sums).context("cannot write SHA256SUMS")
}

/// Cargo's folder for what it builds.
fn target_folder() -> Result<PathBuf> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let about = output(cargo.args(["metadata", "--locked", "--no-deps", "--format-version", "1"]))?;
    let about: Value = serde_json::from_str(&about).context("cargo's metadata is no JSON")?;
    let folder = about.get("target_directory").and_then(Value::as_str);
    Ok(folder.context("cargo's metadata names no target folder")?.into())
}

/// What a command prints, where it succeeds.
fn output(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("cannot start '{name}'"))?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr);
        bail!("'{name}' failed ({}): {}", output.status, words.trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a command whose output is for the person.
fn execute(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.stdin(Stdio::null()).status().with_context(|| format!("cannot start '{name}'"))?;
    if !status.success() {
        bail!("'{name}' failed ({status}); the cause stands above");
    }
    Ok(())
}

/// Tells the person how far it is.
fn note(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
