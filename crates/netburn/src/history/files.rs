//! What lies in a folder of runs, by name, size and time: enough to see that a file is new, changed or gone without
//! opening it.

use std::ffi::OsString;
use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::notes;
use crate::run_file;

/// A file's size and time of its last change: where both are as they were, so is the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) size: i64,
    pub(super) mtime_ns: i64,
}

impl Stamp {
    pub(super) fn of(metadata: &Metadata) -> Self {
        let mtime_ns = metadata.mtime().saturating_mul(1_000_000_000).saturating_add(metadata.mtime_nsec());
        Self { size: i64::try_from(metadata.len()).unwrap_or(i64::MAX), mtime_ns }
    }

    fn at(path: &Path) -> Option<Self> {
        path.metadata().ok().filter(Metadata::is_file).map(|metadata| Self::of(&metadata))
    }
}

/// A run file, and the notes beside it where there are any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    /// Its name in the folder.
    pub(super) name: OsString,
    pub(super) run: Stamp,
    pub(super) notes: Option<Stamp>,
}

impl Seen {
    /// One file by itself; `None` where it is not there.
    pub(super) fn at(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_owned();
        Some(Self { name, run: Stamp::at(path)?, notes: Stamp::at(&notes::beside(path)) })
    }
}

/// Every run file of a folder, in no order. A folder that is not there has none.
pub(super) fn scan(folder: &Path) -> io::Result<Vec<Seen>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut seen = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if is_run_file(&path) {
            // One that went away meanwhile is one that is not there.
            seen.extend(Seen::at(&path));
        }
    }
    Ok(seen)
}

/// Whether a file is named as run files are.
pub(super) fn is_run_file(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == run_file::EXTENSION)
}
