//! `netburn runs rm`.

use std::ffi::OsString;
use std::io::{IsTerminal, Write, stderr, stdin};
use std::path::{Path, PathBuf};

use anyhow::anyhow;

use super::change::find;
use super::{failed, store};
use crate::cli::Folder;
use crate::command::{Failure, say};
use crate::exit::Exit;
use crate::history::{Store, notes};

/// Removes runs of the folder, and nothing else: neither files elsewhere nor ones that are no run files.
pub(super) fn remove(runs: &[OsString], yes: bool, folder: &Folder) -> Result<Exit, Failure> {
    let mut store = store(folder);
    // All are found before the first one goes: 'last~1' means another run afterwards.
    let mut files: Vec<PathBuf> = Vec::new();
    for run in runs {
        let found = find(&mut store, run)?;
        let file = of_folder(&store, &found)?;
        if !files.contains(&file) {
            files.push(file);
        }
    }
    if !yes && !agreed(&files)? {
        say(false, "Nothing was removed.");
        return Ok(Exit::Good);
    }
    for file in &files {
        std::fs::remove_file(file)
            .map_err(|error| Failure::could_not(&anyhow!("{}: cannot remove it: {error}", file.display())))?;
        // Only now: notes of a run that could not be removed would be lost.
        notes::forget(file).map_err(|error| Failure::could_not(&error.into()))?;
        store.take_up(file).map_err(failed)?;
        say(false, &format!("Removed {}", file.display()));
    }
    Ok(Exit::Good)
}

/// The file as it lies in the folder.
fn of_folder(store: &Store, file: &Path) -> Result<PathBuf, Failure> {
    let real = |path: &Path| path.canonicalize().ok();
    let folder = file.parent().map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    let is_here = folder.and_then(real).is_some_and(|folder| Some(folder) == real(store.folder()));
    let is_run = file.extension().is_some_and(|extension| extension == crate::run_file::EXTENSION);
    match file.file_name().filter(|_| is_here && is_run) {
        Some(name) => Ok(store.folder().join(name)),
        None => Err(Failure::usage(format!(
            "{}: this is no run of {}; give its folder with --out, or remove the file yourself",
            file.display(),
            store.folder().display()
        ))),
    }
}

fn agreed(files: &[PathBuf]) -> Result<bool, Failure> {
    if !stdin().is_terminal() {
        return Err(Failure::usage("nobody can be asked here whether to remove them: say --yes"));
    }
    for file in files {
        say(false, &file.display().to_string());
    }
    let what = if files.len() == 1 { "this run".to_owned() } else { format!("these {} runs", files.len()) };
    let _ = write!(stderr(), "Remove {what} for good? [y/N] ");
    let mut answer = String::new();
    let read = stdin().read_line(&mut answer);
    Ok(read.is_ok() && matches!(answer.trim(), "y" | "Y" | "yes"))
}
