//! The pages that are tested, made by the program from runs that never took place.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

/// A page, as `ui/tests` know it.
pub(super) struct Page {
    pub(super) file: &'static str,
    /// What the runs are, in the words of `made-up`; two runs are compared.
    runs: &'static [&'static [&'static str]],
    /// Whether somebody will want to look at it.
    pub(super) is_pictured: bool,
}

const PAGES: [Page; 5] = [
    Page { file: "run.html", runs: &[&[]], is_pictured: true },
    Page { file: "compare.html", runs: &[&[], &["--seed", "2"]], is_pictured: true },
    Page { file: "hostile.html", runs: &[&["--hostile", "--minutes", "1"]], is_pictured: false },
    // Both at once is a matter of half an hour in a program that is not optimised; a page of 200 clients for an hour is as large as
    // the larger of these two.
    Page { file: "crowd.html", runs: &[&["--clients", "200", "--minutes", "0.5"]], is_pictured: false },
    Page { file: "hour.html", runs: &[&["--clients", "2", "--minutes", "60"]], is_pictured: false },
];

/// Makes all pages in `folder`.
pub(super) fn make(netburn: &Path, folder: &Path) -> Result<&'static [Page]> {
    for page in &PAGES {
        let began = Instant::now();
        let mut files = Vec::new();
        for (number, run) in page.runs.iter().enumerate() {
            let file = folder.join(format!("{}-{}.netburn", page.file.trim_end_matches(".html"), number + 1));
            made_up(&file, run)?;
            files.push(file);
        }
        let mut command = Command::new(netburn);
        match files.as_slice() {
            [one] => command.arg("report").arg(one),
            [one, other] => command.arg("compare").arg(one).arg("--vs").arg(other),
            _ => bail!("{} has neither one run nor two", page.file),
        };
        command.arg("--html").arg(folder.join(page.file));
        // Its exit code is the verdict; that it wrote the page is what counts here.
        std::fs::remove_file(folder.join(page.file)).ok();
        let said = command.stdin(Stdio::null()).output().context("cannot start netburn")?;
        let length = std::fs::metadata(folder.join(page.file)).map_or(0, |about| about.len());
        if length == 0 {
            bail!("netburn wrote no {}: {}", page.file, String::from_utf8_lossy(&said.stderr).trim());
        }
        super::say(&format!("{}: {length} bytes, made in {:.1} s", page.file, began.elapsed().as_secs_f64()))?;
    }
    Ok(&PAGES)
}

fn made_up(file: &Path, arguments: &[&str]) -> Result<()> {
    let program = std::env::current_exe().context("cannot tell where this program lies")?;
    let mut command = Command::new(program);
    command.args([OsStr::new("made-up"), file.as_os_str()]).args(arguments).stdin(Stdio::null());
    if !command.status().context("cannot start xtask")?.success() {
        bail!("no run could be made up: {command:?}");
    }
    Ok(())
}
