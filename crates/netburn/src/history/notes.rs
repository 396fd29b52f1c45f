//! What a person noted about a run: tags and a note, in a small file beside the run's.
//!
//! The file is JSON, so that it can be read and changed with an editor. Keys that a later version may add are kept when
//! it is written again; what cannot be read is never written over.

use std::collections::BTreeSet;
use std::fs::{File, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use burn_report::layout::clean;
use serde::{Deserialize, Serialize};

/// The version of the file that this program writes.
const FORMAT: u32 = 1;
/// A file of more bytes than this is none of ours.
const LONGEST_FILE: u64 = 64 << 10;
/// A tag has at most so many characters.
const LONGEST_TAG: usize = 40;
/// A note has at most so many.
const LONGEST_NOTE: usize = 4000;

/// Tags and a note.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// The tags.
    pub tags: BTreeSet<String>,
    /// The note.
    pub note: Option<String>,
}

/// Notes cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum NotesError {
    /// The file cannot be read or written.
    #[error("{path}: cannot {verb} the notes: {source}", path = path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What was tried.
        verb: &'static str,
        /// Why not.
        source: io::Error,
    },
    /// It holds something else.
    #[error("{path}: these are no notes of a run: {reason}; mend the file or take it away", path = path.display())]
    Malformed {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A later version wrote it.
    #[error("{path}: the notes have format {found}; this version reads up to {FORMAT}: use a later netburn", path = path.display())]
    Newer {
        /// Which file.
        path: PathBuf,
        /// Its format.
        found: u32,
    },
}

/// The file as it is on the disk.
#[derive(Serialize, Deserialize)]
struct Document {
    format: u32,
    #[serde(default)]
    tags: BTreeSet<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(flatten)]
    others: serde_json::Map<String, serde_json::Value>,
}

impl Document {
    fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.note.is_none() && self.others.is_empty()
    }
}

/// Where the notes of a run file are: `NAME.notes.json` beside `NAME.netburn`.
#[must_use]
pub fn beside(run_file: &Path) -> PathBuf {
    run_file.with_extension("notes.json")
}

/// The notes of a run file; none where there is no file of them.
///
/// # Errors
/// Where that file cannot be read, or is not what it should be.
pub fn read(run_file: &Path) -> Result<Notes, NotesError> {
    let document = read_document(&beside(run_file))?;
    Ok(document.map_or_else(Notes::default, |document| Notes { tags: document.tags, note: document.note }))
}

/// Changes the notes of a run file, and says what they are then. Where several programs do so at once, none undoes what
/// another one did. No notes are no file.
///
/// # Errors
/// Where the file cannot be read or written; it is as it was then.
pub fn change(run_file: &Path, change: impl FnOnce(&mut Notes)) -> Result<Notes, NotesError> {
    let path = beside(run_file);
    let io = |verb| {
        let path = path.clone();
        move |source| NotesError::Io { path, verb, source }
    };
    // The run file itself is the lock: it stays, where the notes are replaced. A file system without locks goes without.
    let run = File::open(run_file).map_err(io("find the run of"))?;
    let _ = run.lock();
    let mut document = read_document(&path)?.unwrap_or_else(|| Document {
        format: FORMAT,
        tags: BTreeSet::new(),
        note: None,
        others: serde_json::Map::new(),
    });
    let mut notes = Notes { tags: std::mem::take(&mut document.tags), note: document.note.take() };
    change(&mut notes);
    document.tags.clone_from(&notes.tags);
    document.note.clone_from(&notes.note);
    if document.is_empty() {
        remove(&path).map_err(io("remove"))?;
    } else {
        write(&path, &document).map_err(io("write"))?;
    }
    Ok(notes)
}

/// Removes the notes of a run file, where there are any.
///
/// # Errors
/// Where they are there and cannot be removed.
pub fn forget(run_file: &Path) -> Result<(), NotesError> {
    let path = beside(run_file);
    remove(&path).map_err(|source| NotesError::Io { path, verb: "remove", source })
}

/// A tag, as it may be given: one word that shows as what it is.
///
/// # Errors
/// What is wrong with it.
pub fn parse_tag(text: &str) -> Result<String, String> {
    let odd = |c: char| c.is_whitespace() || c == ',';
    if text.is_empty() || text.contains(odd) || clean(text) != text {
        return Err("a tag is one word, without blanks, commas and characters that nobody sees".to_owned());
    }
    if text.chars().count() > LONGEST_TAG {
        return Err(format!("a tag has at most {LONGEST_TAG} characters"));
    }
    Ok(text.to_owned())
}

/// A note, as it may be given.
///
/// # Errors
/// What is wrong with it.
pub fn parse_note(text: &str) -> Result<String, String> {
    if text.chars().count() > LONGEST_NOTE {
        return Err(format!("a note has at most {LONGEST_NOTE} characters"));
    }
    Ok(text.trim().to_owned())
}

fn read_document(path: &Path) -> Result<Option<Document>, NotesError> {
    let malformed = |reason: String| NotesError::Malformed { path: path.to_owned(), reason };
    let mut bytes = Vec::new();
    match File::open(path).and_then(|file| file.take(LONGEST_FILE + 1).read_to_end(&mut bytes)) {
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(NotesError::Io { path: path.to_owned(), verb: "read", source }),
    }
    if bytes.len() as u64 > LONGEST_FILE {
        return Err(malformed(format!("more than {LONGEST_FILE} bytes")));
    }
    let value: serde_json::Value = serde_json::from_slice(&bytes).map_err(|error| malformed(error.to_string()))?;
    let found = value.get("format").and_then(serde_json::Value::as_u64).and_then(|found| u32::try_from(found).ok());
    match found {
        None => return Err(malformed("it does not say its format".to_owned())),
        Some(found) if found > FORMAT => return Err(NotesError::Newer { path: path.to_owned(), found }),
        Some(_) => {}
    }
    serde_json::from_value(value).map(Some).map_err(|error| malformed(error.to_string()))
}

/// The whole new file, or the old one.
fn write(path: &Path, document: &Document) -> io::Result<()> {
    let mut bytes = serde_json::to_vec_pretty(document)?;
    bytes.push(b'\n');
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // The umask decides who may read it, not the maker of temporary files.
    let readable = Permissions::from_mode(0o666);
    let mut file = tempfile::Builder::new().prefix(".netburn").permissions(readable).tempfile_in(folder)?;
    file.write_all(&bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

fn remove(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
