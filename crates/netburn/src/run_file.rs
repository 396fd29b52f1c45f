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
    let mut events = Events::open(path)?;
    let mut run = RunRecord::default();
    while let Some(event) = events.next_event()? {
        run.apply(&event);
    }
    if let Some(bytes) = events.torn_bytes() {
        run.note_torn(bytes);
    }
    Ok(run)
}

/// The events of a run file, one by one: of a long run's operations, no more than one is in memory at a time.
#[derive(Debug)]
pub struct Events {
    path: PathBuf,
    reader: BufReader<File>,
    length: u64,
    line: Vec<u8>,
    /// How many bytes were read as whole events.
    read: u64,
    torn_bytes: Option<u64>,
}

impl Events {
    /// Opens a run file.
    ///
    /// # Errors
    /// Where there is none that can be read.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let io = |source| ReadError::Io { path: path.to_owned(), source };
        let file = File::open(path).map_err(io)?;
        let length = file.metadata().map_err(io)?.len();
        let (reader, line) = (BufReader::new(file), Vec::new());
        Ok(Self { path: path.to_owned(), reader, length, line, read: 0, torn_bytes: None })
    }

    /// The next event; the first is the run's header. `None` at the end, which is where the last whole event ends.
    ///
    /// # Errors
    /// Where the file cannot be read, or is not a run file of a version that is known here.
    pub fn next_event(&mut self) -> Result<Option<RunEvent>, ReadError> {
        if self.torn_bytes.is_some() {
            return Ok(None);
        }
        self.line.clear();
        let read = self.reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut self.line);
        let n = read.map_err(|source| ReadError::Io { path: self.path.clone(), source })?;
        let is_first = self.read == 0;
        if n == 0 {
            return if is_first { Err(self.not_a_run()) } else { Ok(None) };
        }
        let whole = self.line.last() == Some(&b'\n');
        match serde_json::from_slice::<RunEvent>(&self.line) {
            Ok(event) if whole => {
                match &event {
                    RunEvent::Opened(header) if is_first && header.format > FORMAT => {
                        return Err(ReadError::Newer { path: self.path.clone(), found: header.format });
                    }
                    RunEvent::Opened(_) => {}
                    _ if is_first => return Err(self.not_a_run()),
                    _ => {}
                }
                self.read += n as u64;
                Ok(Some(event))
            }
            _ if is_first => Err(newer(&self.path, &self.line).unwrap_or_else(|| self.not_a_run())),
            // Nothing after a line that cannot be read can be trusted to belong to it.
            _ => {
                self.torn_bytes = Some(self.length.saturating_sub(self.read));
                Ok(None)
            }
        }
    }

    /// How many bytes at the end were dropped, where the file does not end with a whole event; known at the end.
    #[must_use]
    pub const fn torn_bytes(&self) -> Option<u64> {
        self.torn_bytes
    }

    fn not_a_run(&self) -> ReadError {
        ReadError::NotARun { path: self.path.clone() }
    }
}

/// A header that this version cannot read, because a later one wrote it.
fn newer(path: &Path, line: &[u8]) -> Option<ReadError> {
    let value: serde_json::Value = serde_json::from_slice(line).ok()?;
    let found = u32::try_from(value.get("format")?.as_u64()?).ok()?;
    (value.get("event")?.as_str()? == "opened" && found > FORMAT)
        .then(|| ReadError::Newer { path: path.to_owned(), found })
}
