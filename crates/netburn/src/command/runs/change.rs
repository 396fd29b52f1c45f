//! What a person notes about a run.

use std::ffi::OsStr;
use std::path::PathBuf;

use burn_report::layout::clean;

use super::{failed, store};
use crate::cli::Folder;
use crate::command::{Failure, say};
use crate::exit::Exit;
use crate::history::notes::{self, Notes};
use crate::history::{Store, name};

pub(super) fn tag(run: &OsStr, words: &[String], remove: bool, folder: &Folder) -> Result<Exit, Failure> {
    let notes = change(run, folder, |notes| {
        for word in words {
            if remove {
                notes.tags.remove(word);
            } else {
                notes.tags.insert(word.clone());
            }
        }
    })?;
    let tags: Vec<String> = notes.tags.iter().map(|tag| clean(tag)).collect();
    say(false, &if tags.is_empty() { "No tags.".to_owned() } else { format!("Tags: {}", tags.join(", ")) });
    Ok(Exit::Good)
}

pub(super) fn note(run: &OsStr, text: &str, folder: &Folder) -> Result<Exit, Failure> {
    change(run, folder, |notes| notes.note = Some(text.to_owned()).filter(|text| !text.is_empty()))?;
    Ok(Exit::Good)
}

fn change(run: &OsStr, folder: &Folder, how: impl FnOnce(&mut Notes)) -> Result<Notes, Failure> {
    let mut store = store(folder);
    let path = find(&mut store, run)?;
    let notes = notes::change(&path, how).map_err(|error| Failure::could_not(&error.into()))?;
    if path.parent() == Some(store.folder()) {
        store.take_up(&path).map_err(failed)?;
    }
    Ok(notes)
}

/// The file of a run.
pub(super) fn find(store: &mut Store, run: &OsStr) -> Result<PathBuf, Failure> {
    let path = name::resolve(store, run).map_err(Failure::usage)?;
    if path.is_file() { Ok(path) } else { Err(Failure::usage(format!("{}: this is no run file", path.display()))) }
}
