//! A watch's own run files: marked as its own, read for the figures, and removed when they are old.
//!
//! What a person has marked stays: whoever gives a run a note or a tag wants to keep it.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use burn_model::judge::{Judgement, judge};
use burn_model::run::RunRecord;

use super::log::note;
use super::retention::Made;
use crate::history::notes;
use crate::run_file;

/// The tag by which `netburn runs` finds the runs of a watch.
const TAG: &str = "watch";

/// The last run, as figures are made of it.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) run: RunRecord,
    pub(crate) judgement: Judgement,
}

/// Reads a run and judges it; where it cannot be read, that is told.
pub(crate) fn read(path: &Path) -> Option<Box<Shown>> {
    match run_file::read(path) {
        Ok(run) => {
            let judgement = judge(&run);
            Some(Box::new(Shown { run, judgement }))
        }
        Err(error) => {
            note(&format!("the figures go without the last run: {error}"));
            None
        }
    }
}

/// Marks a run as made by a watch.
pub(crate) fn mark(folder: &Path, file: &str) {
    let marked = notes::change(&folder.join(file), |notes| {
        notes.tags.insert(TAG.to_owned());
    });
    if let Err(error) = marked {
        note(&format!("the run could not be tagged: {error}"));
    }
}

/// Removes a run that is old, with its notes, unless a person marked it.
pub(crate) fn remove(folder: &Path, old: &Made) {
    let Some(path) = path(folder, &old.file) else { return };
    match notes::read(&path) {
        Ok(notes) if notes.note.is_some() || notes.tags.iter().any(|tag| tag != TAG) => return,
        Ok(_) => {}
        // They may say that it is to be kept.
        Err(error) => return note(&format!("{}: this old run stays: {error}", old.file)),
    }
    match fs::remove_file(&path) {
        Ok(()) => {
            let _ = notes::forget(&path);
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => note(&format!("{}: cannot remove this old run: {error}", old.file)),
    }
}

/// A run file of this folder. Only a name as ours are: what stands in a ledger may have been written by somebody else.
fn path(folder: &Path, file: &str) -> Option<PathBuf> {
    let name = Path::new(file);
    let ours = name.file_name() == Some(name.as_os_str()) && name.extension() == Some(run_file::EXTENSION.as_ref());
    ours.then(|| folder.join(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_run_goes_with_its_notes_unless_a_person_marked_it() {
        let folder = tempfile::tempdir().unwrap();
        let runs = ["plain.netburn", "noted.netburn", "tagged.netburn"];
        for run in runs {
            fs::write(folder.path().join(run), "").unwrap();
            mark(folder.path(), run);
        }
        notes::change(&folder.path().join("noted.netburn"), |notes| notes.note = Some("the old router".into()))
            .unwrap();
        notes::change(&folder.path().join("tagged.netburn"), |notes| {
            notes.tags.insert("before".into());
        })
        .unwrap();
        for run in runs {
            remove(folder.path(), &Made { file: run.into(), at: 0 });
        }
        let mut left: Vec<_> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        assert_eq!(left, ["noted.netburn", "noted.notes.json", "tagged.netburn", "tagged.notes.json"]);
    }

    #[test]
    fn nothing_but_a_run_file_of_the_folder_is_ever_removed() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("runs");
        fs::create_dir(&inner).unwrap();
        fs::write(folder.path().join("a.netburn"), "").unwrap();
        fs::write(inner.join("index.sqlite"), "").unwrap();
        let absolute = folder.path().join("a.netburn").display().to_string();
        for file in ["../a.netburn", "index.sqlite", &absolute, "", "..", "gone.netburn"] {
            remove(&inner, &Made { file: file.to_owned(), at: 0 });
        }
        assert!(folder.path().join("a.netburn").exists() && inner.join("index.sqlite").exists());
    }
}
