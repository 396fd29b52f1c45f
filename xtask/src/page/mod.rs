//! `cargo xtask page`: pages as netburn writes them, in a real browser.
//!
//! Runs that never took place (`made-up`) become pages by the program itself. Debian's Chromium opens them, driven by
//! playwright-core, and what is held against them stands in `ui/tests`. Pages and pictures of them stay in `target/page`.
//! Why so: docs/decisions/0008-page-script.md.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

mod pages;
mod tally;

use tally::Tally;

/// What to do with pages.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Test nothing: take a picture of this page from its top to the end of its first figure, into OUT.
    #[arg(long, value_name = "PAGE", requires = "out")]
    picture: Option<PathBuf>,
    /// The PNG to write.
    #[arg(value_name = "OUT")]
    out: Option<PathBuf>,
}

/// Where the page's script and its tests are.
const UI: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../ui");

/// Tests pages in a browser and takes pictures of them, or takes the one picture that was asked for.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let began = Instant::now();
    let chromium = on_path("chromium").context("there is no chromium here: apt-get install chromium")?;
    ensure!(
        Path::new(UI).join("node_modules").is_dir(),
        "ui/node_modules is missing: cd ui && npm ci (./test and ./demo do it)"
    );
    let folder = folder()?;
    let browser = |script: &str| {
        let mut npm = npm(script);
        npm.env("NETBURN_CHROMIUM", &chromium).env("NETBURN_PAGES", &folder);
        npm
    };
    if let (Some(page), Some(out)) = (&arguments.picture, &arguments.out) {
        return succeed(browser("picture").args(["--", "--beginning"]).arg(absolute(page)?).arg(absolute(out)?));
    }
    succeed(&mut npm("check"))?;
    // Before the program is built, which takes it in.
    succeed(&mut npm("build"))?;
    let pages = pages::make(&crate::bench::netburn_for_tests()?, &folder)?;
    let mut tally = Tally::default();
    let succeeded = shown(&mut browser("test"), |line| tally.read(line))?;
    say(&tally.closing_line(succeeded, began.elapsed()))?;
    if !succeeded || tally.passed == 0 {
        bail!("pages are not as they should be; they are in {}", folder.display());
    }
    let pictures = pages.iter().filter(|page| page.is_pictured).map(|page| folder.join(page.file));
    succeed(browser("picture").arg("--").args(pictures))?;
    say(&format!("page: {} tests of {} pages passed; pictures are in {}", tally.passed, pages.len(), folder.display()))
}

/// One of the scripts of `ui/package.json`.
fn npm(script: &str) -> Command {
    let mut npm = Command::new("npm");
    npm.args(["run", "--silent", script]).current_dir(UI);
    npm
}

/// Runs a command whose output is for the person.
fn succeed(command: &mut Command) -> Result<()> {
    ensure!(shown(command, |_| ())?, "{command:?} failed; the cause stands above");
    Ok(())
}

/// Runs a command, shows each line of its output as it comes, and says whether it succeeded.
fn shown(command: &mut Command, mut read: impl FnMut(&str)) -> Result<bool> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", command.get_program().display()))?;
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).split(b'\n') {
            let line = line.context("cannot read what it says")?;
            let line = String::from_utf8_lossy(&line);
            read(&line);
            say(&line)?;
        }
    }
    Ok(child.wait().context("cannot wait for its end")?.success())
}

/// Where pages and pictures lie: in the build folder, as everything else that is made here.
fn folder() -> Result<PathBuf> {
    // This program lies in TARGET/PROFILE.
    let program = std::env::current_exe().context("cannot tell where this program lies")?;
    let target = program.parent().and_then(Path::parent).context("this program does not lie in a build folder")?;
    let folder = target.join("page");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder)
}

/// npm runs its scripts in a folder of its own.
fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).with_context(|| format!("cannot tell where {} is", path.display()))
}

fn on_path(program: impl AsRef<OsStr>) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(program.as_ref())).find(|path| path.is_file())
}

fn say(line: &str) -> Result<()> {
    writeln!(std::io::stdout(), "{line}").context("cannot write to standard output")
}
