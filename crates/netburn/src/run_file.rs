//! The run file: one event a line, as JSON, only ever appended to.
//!
//! A line is written with one call to the kernel, so that a program killed at any moment leaves at most one torn
//! line, at the end. A reader drops it and says so. Whatever was wrong with the file before that point is an error
//! with its line.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use burn_model::record::{FORMAT, RunEvent};
use burn_model::run::RunRecord;

/// The ending of a run file's name.
pub const EXTENSION: &str = "netburn";

/// The longest line that is read, in bytes. An agent's events come in frames that are shorter, and so does a header's plan.
const LONGEST_LINE: u64 = 64 << 20;

/// A run file cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("{path}: cannot write the run file: {source}; {cure}", path = path.display())]
pub struct WriteError {
    path: PathBuf,
    source: io::Error,
    cure: &'static str,
}

/// A run file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It cannot be opened or read.
    #[error("{path}: cannot read the run file: {source}", path = path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is something else.
    #[error("{path}: this is not a netburn run file: its first line is not a run's header", path = path.display())]
    NotARun {
        /// Which file.
        path: PathBuf,
    },
    /// A later version wrote it.
    #[error("{path}: the file has format {found}; this version reads up to {FORMAT}: use the netburn that wrote it or a later one", path = path.display())]
    Newer {
        /// Which file.
        path: PathBuf,
        /// Its format.
        found: u32,
    },
}

/// Appends events to a run file.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    file: File,
    /// How long the file is with whole events only.
    whole: u64,
}

impl Writer {
    /// Makes a new file in `folder`, which is made too where it is missing.
    ///
    /// # Errors
    /// Where folder or file cannot be made, or a file of that name is there already.
    pub fn create(folder: &Path, name: &str) -> Result<Self, WriteError> {
        let path = folder.join(format!("{name}.{EXTENSION}"));
        let refuse = |source: io::Error| {
            let cure = match source.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => FULL,
                _ => "give a folder that you may write to with --out",
            };
            WriteError { path: path.clone(), source, cure }
        };
        std::fs::create_dir_all(folder).map_err(refuse)?;
        let file = OpenOptions::new().append(true).create_new(true).open(&path).map_err(refuse)?;
        Ok(Self { path, file, whole: 0 })
    }

    /// Where the file is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends one event; says how many bytes that took.
    ///
    /// # Errors
    /// Where the file cannot be written to (the disk is full, say). The file then ends with the last whole event.
    pub fn append(&mut self, event: &RunEvent) -> Result<u64, WriteError> {
        let line = serde_json::to_vec(event).map_err(io::Error::from).and_then(|mut line| {
            line.push(b'\n');
            self.file.write_all(&line).map(|()| line.len() as u64)
        });
        match line {
            Ok(length) => {
                self.whole += length;
                Ok(length)
            }
            Err(source) => {
                // A torn line would be dropped by any reader all the same; this only spares it the trouble.
                let _ = self.file.set_len(self.whole);
                let cure = match source.kind() {
                    io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => FULL,
                    _ => "what was written before is kept",
                };
                Err(WriteError { path: self.path.clone(), source, cure })
            }
        }
    }

    /// Waits until all that was written is on the disk.
    ///
    /// # Errors
    /// Where the disk says so.
    pub fn sync(&mut self) -> Result<(), WriteError> {
        let cure = "the file may not survive a loss of power";
        self.file.sync_all().map_err(|source| WriteError { path: self.path.clone(), source, cure })
    }
}

const FULL: &str = "free some space, or give another folder with --out; what was written before is kept";

/// Reads a run file into its record; a torn tail is dropped, and the record knows.
///
/// # Errors
/// Where the file cannot be read, or is not a run file of a version that is known here.
pub fn read(path: &Path) -> Result<RunRecord, ReadError> {
    let io = |source| ReadError::Io { path: path.to_owned(), source };
    let not_a_run = || ReadError::NotARun { path: path.to_owned() };
    let file = File::open(path).map_err(io)?;
    let length = file.metadata().map_err(io)?.len();
    let mut reader = BufReader::new(file);
    let mut run = RunRecord::default();
    let mut line = Vec::new();
    let mut read = 0_u64;
    loop {
        line.clear();
        let n = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(io)?;
        if n == 0 {
            break;
        }
        let whole = line.last() == Some(&b'\n');
        match serde_json::from_slice::<RunEvent>(&line) {
            Ok(event) if whole => {
                match (&event, read) {
                    (RunEvent::Opened(header), 0) if header.format > FORMAT => {
                        return Err(ReadError::Newer { path: path.to_owned(), found: header.format });
                    }
                    (RunEvent::Opened(_), 0) => {}
                    (_, 0) => return Err(not_a_run()),
                    _ => {}
                }
                run.apply(&event);
            }
            _ if read == 0 => return Err(newer(path, &line).unwrap_or_else(not_a_run)),
            // Nothing after a line that cannot be read can be trusted to belong to it.
            _ => {
                run.note_torn(length.saturating_sub(read));
                break;
            }
        }
        read += n as u64;
    }
    if read == 0 { Err(not_a_run()) } else { Ok(run) }
}

/// A header that this version cannot read, because a later one wrote it.
fn newer(path: &Path, line: &[u8]) -> Option<ReadError> {
    let value: serde_json::Value = serde_json::from_slice(line).ok()?;
    let found = u32::try_from(value.get("format")?.as_u64()?).ok()?;
    (value.get("event")?.as_str()? == "opened" && found > FORMAT)
        .then(|| ReadError::Newer { path: path.to_owned(), found })
}
