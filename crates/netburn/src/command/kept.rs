//! Runs are kept without anyone asking: whatever a command made is in the index when it ends.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::show::out_folder;
use super::{Failure, say_error};
use crate::history::{Store, name};

/// The kernel's stamps of files are coarser than its clock.
const GRAIN: Duration = Duration::from_secs(2);

/// Does what makes runs in a folder, and takes up every run file that it left there, however it ended. Nothing that goes
/// wrong with the index changes how it ends: the files are found when somebody looks for them.
pub(super) fn with_index<T>(out: Option<&Path>, make: impl FnOnce() -> T) -> T {
    let begun = SystemTime::now();
    let made = make();
    let mut store = Store::open(&out_folder(out)).telling(say_error);
    if let Err(error) = store.take_up_since(begun.checked_sub(GRAIN).unwrap_or(begun)) {
        say_error(&error.to_string());
    }
    made
}

/// The file of a run, by any of its names.
pub(super) fn find(run: &OsStr) -> Result<PathBuf, Failure> {
    let mut store = Store::open(&out_folder(None)).telling(say_error);
    name::resolve(&mut store, run).map_err(Failure::usage)
}
