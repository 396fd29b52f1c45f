//! Names of runs, as a person gives them wherever a run is asked for.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use burn_report::layout::clip;

use super::filter::Filter;
use super::fold::Kept;
use super::store::{Store, StoreError};
use crate::run_file::EXTENSION;

/// Shorter beginnings of an id name too many runs to be meant.
const LEAST_DIGITS: usize = 4;
/// So many candidates are listed.
const CANDIDATES: usize = 8;

/// No run, or not just one, has a name.
#[derive(Debug, thiserror::Error)]
pub enum NameError {
    /// No run has it.
    #[error(
        "{name}: there is no such file, and no such run in {folder}; a run is named by its file, by 'last' or 'last~2', \
         by the first {LEAST_DIGITS} or more digits of its id, or by its file's name there (netburn runs lists them)"
    )]
    Unknown {
        /// The name.
        name: String,
        /// Where it was looked up.
        folder: String,
    },
    /// There are not so many runs.
    #[error("{name}: {folder} has {} (netburn runs lists them)", runs(*.count))]
    TooFarBack {
        /// The name.
        name: String,
        /// Where it was looked up.
        folder: String,
        /// How many runs there are.
        count: usize,
    },
    /// Several have it.
    #[error("{name}: this may be any of {candidates}")]
    Ambiguous {
        /// The name.
        name: String,
        /// Which.
        candidates: String,
    },
    /// The runs cannot be looked up.
    #[error("{name}: there is no such file, and the kept runs cannot be searched: {source}")]
    Store {
        /// The name.
        name: String,
        /// Why.
        source: StoreError,
    },
}

/// The run file that `name` means: a file of that path; else in the store `last` or `last~N`, a file's name (with its ending
/// or without), or the first digits of an id.
///
/// # Errors
/// Where it means none, or several.
pub fn resolve(store: &mut Store, name: &OsStr) -> Result<PathBuf, NameError> {
    let path = Path::new(name);
    if path.metadata().is_ok_and(|there| !there.is_dir()) {
        return Ok(path.to_owned());
    }
    let shown = path.display().to_string();
    // A path, and nothing else.
    if path.components().count() != 1 {
        return Err(unknown(store, shown));
    }
    let wrapped = |source| NameError::Store { name: shown.clone(), source };
    if let Some(back) = name.to_str().and_then(back) {
        let newest = Filter { limit: back.checked_add(1), ..Filter::default() };
        let runs = store.runs(&newest).map_err(wrapped)?;
        let count = runs.len();
        let folder = store.folder().display().to_string();
        return match runs.into_iter().nth(back) {
            Some(run) => Ok(run.path),
            None => Err(NameError::TooFarBack { name: shown, folder, count }),
        };
    }
    let stem = path.extension().filter(|end| *end == EXTENSION).map_or(name, |_| path.file_stem().unwrap_or(name));
    let file = store.folder().join(with_ending(stem));
    if file.is_file() {
        return Ok(file);
    }
    let digits = name.to_str().map(str::to_ascii_lowercase).filter(|name| is_beginning(name));
    let Some(digits) = digits else { return Err(unknown(store, shown)) };
    let mut runs = store.by_id(&digits).map_err(wrapped)?;
    match (runs.pop(), runs.is_empty()) {
        (Some(run), true) => Ok(run.path),
        (Some(run), false) => {
            runs.push(run);
            Err(NameError::Ambiguous { name: shown, candidates: listed(&runs) })
        }
        (None, _) => Err(unknown(store, shown)),
    }
}

fn unknown(store: &Store, name: String) -> NameError {
    NameError::Unknown { name, folder: store.folder().display().to_string() }
}

/// How far back from the newest: 0 for `last`, 2 for `last~2`.
fn back(name: &str) -> Option<usize> {
    match name.strip_prefix("last")? {
        "" => Some(0),
        rest => rest.strip_prefix('~').filter(|number| number.bytes().all(|c| c.is_ascii_digit()))?.parse().ok(),
    }
}

fn is_beginning(name: &str) -> bool {
    name.len() >= LEAST_DIGITS && name.bytes().all(|c| c.is_ascii_hexdigit())
}

fn with_ending(stem: &OsStr) -> PathBuf {
    let mut name = stem.to_owned();
    name.push(".");
    name.push(EXTENSION);
    PathBuf::from(name)
}

fn listed(runs: &[Kept]) -> String {
    let named = |run: &Kept| {
        let brief = &run.brief;
        let file = run.path.file_stem().unwrap_or_default().to_string_lossy();
        format!("{} ({})", clip(&file, 80), clip(&brief.run, 32))
    };
    let mut list: Vec<String> = runs.iter().rev().take(CANDIDATES).map(named).collect();
    if runs.len() > CANDIDATES {
        list.push(format!("{} more", runs.len() - CANDIDATES));
    }
    list.join("; ")
}

fn runs(count: usize) -> String {
    match count {
        0 => "no run".to_owned(),
        1 => "1 run".to_owned(),
        _ => format!("only {count} runs"),
    }
}

impl Store {
    /// The runs whose id begins so, the latest last.
    fn by_id(&mut self, digits: &str) -> Result<Vec<Kept>, StoreError> {
        let folder = self.folder().to_owned();
        self.answer(|index| {
            let begins = "substr(run.id, 1, length(?1)) = ?1 ORDER BY run.at, file.name";
            super::rows::runs(index, &folder, begins, [digits])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_may_say_how_far_back() {
        assert_eq!((back("last"), back("last~0"), back("last~12")), (Some(0), Some(0), Some(12)));
        for name in ["last~", "last~x", "last~-1", "last~+1", "lasting", "las", "last~99999999999999999999999"] {
            assert_eq!(back(name), None, "{name}");
        }
    }
}
