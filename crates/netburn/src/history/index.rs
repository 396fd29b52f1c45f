//! The index as a file, and what is done where there is none to be had: one in memory, filled from the run files.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::backup::Backup;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::schema::{State, bring_up};

/// The index's name in a folder of runs.
const NAME: &str = "index.sqlite";
/// What SQLite puts beside it while it is in use.
const BESIDE: [&str; 2] = ["index.sqlite-wal", "index.sqlite-shm"];
/// How long another process that is writing is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// An index that can be asked and written.
#[derive(Debug)]
pub(super) struct Index {
    pub(super) connection: Connection,
    /// The file, where it is one.
    file: Option<PathBuf>,
}

/// What to do about an index that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cure {
    /// Make it anew.
    Rebuild,
    /// Leave it alone, and do without.
    DoWithout,
}

/// Why an index cannot be opened.
#[derive(Debug, thiserror::Error)]
enum OpenError {
    #[error("a later netburn wrote it (version {0})")]
    Newer(i32),
    #[error("it is another program's")]
    Foreign,
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
}

impl Index {
    /// The index of a folder; where there is none to be had, one in memory. Says in a sentence what was not as it should be.
    pub(super) fn open(folder: &Path) -> (Self, Option<String>) {
        if !folder.is_dir() {
            // Nobody kept a run yet: looking for one makes no folder.
            return (Self::in_memory(None), None);
        }
        let path = folder.join(NAME);
        match open_file(&path) {
            Ok(connection) => (Self { connection, file: Some(path) }, None),
            Err(OpenError::Sqlite(error)) if cure(&error) == Cure::Rebuild => Self::rebuild(folder, &error),
            Err(error) => Self::without(folder, &error.to_string()),
        }
    }

    /// An index that is made anew, because the one that is there failed with `error`.
    pub(super) fn rebuild(folder: &Path, error: &rusqlite::Error) -> (Self, Option<String>) {
        match recreate(folder) {
            Ok(connection) => {
                let said = format!("the index of the runs was broken ({error}) and was made anew from their files");
                (Self { connection, file: Some(folder.join(NAME)) }, Some(said))
            }
            Err(error) => Self::without(folder, &error.to_string()),
        }
    }

    /// An index in memory, because the one in the folder cannot be used.
    pub(super) fn without(folder: &Path, reason: &str) -> (Self, Option<String>) {
        let path = folder.join(NAME);
        let said = format!(
            "{}: the index cannot be used: {reason}; this was answered from the run files, and nothing is lost",
            path.display()
        );
        (Self::in_memory(Some(&path)), Some(said))
    }

    /// Whether it is in memory only.
    pub(super) const fn is_in_memory(&self) -> bool {
        self.file.is_none()
    }

    /// An index in memory that starts with what the file has, where that can be read.
    fn in_memory(file: Option<&Path>) -> Self {
        let mut connection = empty();
        if let Some(path) = file
            && let Some(copied) = copy(path)
        {
            connection = copied;
        }
        Self { connection, file: None }
    }
}

/// What to do about an error of an index.
pub(super) fn cure(error: &rusqlite::Error) -> Cure {
    // What the machine refuses now, it may grant later. Anything else (a file that is no database, a table that is not there,
    // a value of another kind) is a broken index.
    match error.sqlite_error_code() {
        Some(
            ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::ReadOnly
            | ErrorCode::DiskFull
            | ErrorCode::CannotOpen
            | ErrorCode::PermissionDenied
            | ErrorCode::SystemIoFailure
            | ErrorCode::OutOfMemory
            | ErrorCode::NoLargeFileSupport
            | ErrorCode::FileLockingProtocolFailed
            | ErrorCode::OperationInterrupted
            | ErrorCode::OperationAborted,
        ) => Cure::DoWithout,
        _ => Cure::Rebuild,
    }
}

fn open_file(path: &Path) -> Result<Connection, OpenError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    match bring_up(&mut connection)? {
        State::Current => {}
        State::Newer(version) => return Err(OpenError::Newer(version)),
        State::Foreign => return Err(OpenError::Foreign),
    }
    // Readers and a writer do not wait for each other then. A file system that cannot do it answers with another mode, which
    // is as right.
    connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    Ok(connection)
}

/// Takes a broken index away and makes an empty one, unless another process has done so already.
fn recreate(folder: &Path) -> Result<Connection, OpenError> {
    // The folder is the lock: two that recreate at once would take away each other's journal.
    let lock = File::open(folder).and_then(|folder| folder.lock().map(|()| folder));
    let path = folder.join(NAME);
    if let Ok(connection) = open_file(&path)
        && is_sound(&connection)
    {
        return Ok(connection);
    }
    // The journals first: one that stayed would be taken for the new file's.
    for name in BESIDE.iter().chain(&[NAME]) {
        let _ = std::fs::remove_file(folder.join(name));
    }
    let connection = open_file(&path);
    drop(lock);
    connection
}

/// Whether every page holds together and every row can be read. This takes a while, and is asked of broken ones alone.
fn is_sound(connection: &Connection) -> bool {
    let said = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0));
    said.is_ok_and(|said| said == "ok") && super::rows::runs(connection, Path::new(""), "1", []).is_ok()
}

/// What a file has, as a database in memory; `None` where it is not an index of this version, or cannot even be read.
fn copy(path: &Path) -> Option<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let taken = |source: Connection| -> rusqlite::Result<Connection> {
        let mut copied = Connection::open_in_memory()?;
        Backup::new(&source, &mut copied)?.run_to_completion(1000, Duration::ZERO, None)?;
        copied.pragma_update(None, "foreign_keys", true)?;
        Ok(copied)
    };
    let read = Connection::open_with_flags(path, flags).and_then(taken);
    let read = match read {
        Err(error) if matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly)) => {
            // Where nothing can be written there is nobody who writes. What may be missing is taken up from the files.
            Connection::open_with_flags(immutable(path)?, flags | OpenFlags::SQLITE_OPEN_URI).and_then(taken)
        }
        read => read,
    };
    let mut copied = read.ok()?;
    (matches!(bring_up(&mut copied), Ok(State::Current)) && is_sound(&copied)).then_some(copied)
}

/// The address of a file that nobody changes while it is read: <https://www.sqlite.org/uri.html>.
fn immutable(path: &Path) -> Option<String> {
    let path = std::path::absolute(path).ok()?;
    let escaped = path.to_str()?.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    Some(format!("file:{escaped}?immutable=1"))
}

fn empty() -> Connection {
    #[expect(
        clippy::expect_used,
        reason = "a database in memory fails only where there is no memory, as any allocation does"
    )]
    let connection = Connection::open_in_memory()
        .and_then(|mut connection| {
            connection.pragma_update(None, "foreign_keys", true)?;
            bring_up(&mut connection)?;
            Ok(connection)
        })
        .expect("a database in memory");
    connection
}
