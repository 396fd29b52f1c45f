//! From a run file to what is kept of it in the index.

use std::path::{Path, PathBuf};

use burn_model::brief::Brief;
use burn_model::judge::judge;

use super::files::{Seen, Stamp};
use super::notes::{self, Notes};
use crate::run_file;

/// Larger files are not read for a list: single operations take a gibibyte of one at most, all else some hundred mebibytes.
const LARGEST: i64 = 4 << 30;
/// Characters of a name that are kept: the rest of a longer one tells nobody anything.
const LONGEST_NAME: usize = 1000;

/// A run that was kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// Its file.
    pub path: PathBuf,
    /// What it said.
    pub brief: Brief,
    /// What a person noted about it.
    pub notes: Notes,
}

/// A file of the folder as the index knows it.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) seen: Seen,
    /// What the file says, or why it says nothing.
    pub(super) content: Result<Brief, String>,
    pub(super) notes: Taken,
}

/// Notes, and why they could not be read, where they could not.
#[derive(Debug, Default)]
pub(super) struct Taken {
    pub(super) notes: Notes,
    pub(super) problem: Option<String>,
}

impl Taken {
    pub(super) fn of(path: &Path) -> Self {
        match notes::read(path) {
            Ok(notes) => Self { notes, problem: None },
            Err(error) => Self { notes: Notes::default(), problem: Some(error.to_string()) },
        }
    }
}

/// Reads a run file and judges it. `seen` is from before it was read: a file that grows meanwhile is seen to have changed.
pub(super) fn fold(folder: &Path, seen: Seen) -> Entry {
    let path = folder.join(&seen.name);
    Entry { content: content(&path, seen.run), notes: Taken::of(&path), seen }
}

fn content(path: &Path, stamp: Stamp) -> Result<Brief, String> {
    if stamp.size > LARGEST {
        return Err(format!("{}: too large for the list; netburn report reads it", path.display()));
    }
    let run = run_file::read(path).map_err(|error| error.to_string())?;
    let no_plan = || format!("{}: its plan is out of bounds", path.display());
    Brief::of(&run, &judge(&run)).map(bounded).ok_or_else(no_plan)
}

/// Names may be of any length in a file that somebody sent.
fn bounded(mut brief: Brief) -> Brief {
    let mut names = vec![&mut brief.run, &mut brief.scenario, &mut brief.digest, &mut brief.started_at];
    names.push(&mut brief.program);
    names.extend(brief.applications.iter_mut().flat_map(|one| [&mut one.client, &mut one.name]));
    for name in names {
        if let Some((end, _)) = name.char_indices().nth(LONGEST_NAME) {
            name.truncate(end);
        }
    }
    brief
}
