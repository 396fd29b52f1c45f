//! The tables of the index, and how an older index comes to have them.

use rusqlite::{Connection, TransactionBehavior};

/// Marks a file as an index of ours: the letters "nbrn".
const APPLICATION: i32 = i32::from_be_bytes(*b"nbrn");

/// Each step brings an index from the version of its number to the next one. What stands here is never changed, only added
/// to; a step that cannot fill what it adds empties the tables, and they are filled from the run files.
const MIGRATIONS: [&str; 1] = [
    // 0 → 1. Names of files are text where they are UTF-8, else bytes. `at` is what runs are ordered by: seconds since 1970.
    "CREATE TABLE file (
        number INTEGER PRIMARY KEY,
        name ANY NOT NULL UNIQUE,
        size INTEGER NOT NULL,
        mtime_ns INTEGER NOT NULL,
        notes_size INTEGER,
        notes_mtime_ns INTEGER,
        judged_by TEXT NOT NULL,
        problem TEXT,
        notes_problem TEXT,
        note TEXT
     ) STRICT;
     CREATE TABLE run (
        file INTEGER PRIMARY KEY REFERENCES file ON DELETE CASCADE,
        id TEXT NOT NULL,
        at INTEGER NOT NULL,
        started_at TEXT NOT NULL,
        scenario TEXT NOT NULL,
        digest TEXT NOT NULL,
        program TEXT NOT NULL,
        judged_ns INTEGER NOT NULL,
        ending TEXT,
        verdict TEXT NOT NULL,
        score REAL
     ) STRICT;
     CREATE INDEX run_by_time ON run (at);
     CREATE INDEX run_by_id ON run (id);
     CREATE INDEX run_by_scenario ON run (scenario, at);
     CREATE TABLE application (
        file INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
        place INTEGER NOT NULL,
        client TEXT NOT NULL,
        name TEXT NOT NULL,
        verdict TEXT,
        score REAL,
        goodput_bps REAL NOT NULL,
        decided_by INTEGER,
        PRIMARY KEY (file, place)
     ) STRICT, WITHOUT ROWID;
     CREATE TABLE figure (
        file INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
        application INTEGER NOT NULL,
        place INTEGER NOT NULL,
        bound TEXT,
        value REAL,
        doubted INTEGER NOT NULL,
        PRIMARY KEY (file, application, place)
     ) STRICT, WITHOUT ROWID;
     CREATE TABLE tag (
        file INTEGER NOT NULL REFERENCES file ON DELETE CASCADE,
        tag TEXT NOT NULL,
        PRIMARY KEY (file, tag)
     ) STRICT, WITHOUT ROWID;",
];

/// The version that this program writes.
pub(super) const VERSION: i32 = {
    assert!(MIGRATIONS.len() < 1000, "a version is a small number");
    #[expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "bounded above")]
    let version = MIGRATIONS.len() as i32;
    version
};

/// What a file turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// An index of this version.
    Current,
    /// An index that a later netburn wrote.
    Newer(i32),
    /// A database of somebody else's.
    Foreign,
}

/// What a database is, and where it is an older index or an empty file, makes it a current one.
pub(super) fn bring_up(connection: &mut Connection) -> rusqlite::Result<State> {
    match look(connection)? {
        Found::Whole(state) => return Ok(state),
        Found::Behind(_) => {}
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have done it before this one had the lock.
    let version = match look(&transaction)? {
        Found::Whole(state) => return Ok(state),
        Found::Behind(version) => version,
    };
    for step in MIGRATIONS.iter().skip(version) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()?;
    Ok(State::Current)
}

enum Found {
    Whole(State),
    /// Of this earlier version; an empty file is of version 0.
    Behind(usize),
}

fn look(connection: &Connection) -> rusqlite::Result<Found> {
    let number = |pragma: &str| connection.pragma_query_value(None, pragma, |row| row.get::<_, i32>(0));
    let (application, version) = (number("application_id")?, number("user_version")?);
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    Ok(match (application, usize::try_from(version)) {
        (0, Ok(0)) if tables == 0 => Found::Behind(0),
        (APPLICATION, _) if version == VERSION => Found::Whole(State::Current),
        (APPLICATION, Ok(earlier)) if version < VERSION => Found::Behind(earlier),
        (APPLICATION, _) => Found::Whole(State::Newer(version)),
        _ => Found::Whole(State::Foreign),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_file_becomes_an_index_and_an_index_stays_one() {
        let mut connection = Connection::open_in_memory().unwrap();
        assert_eq!(bring_up(&mut connection).unwrap(), State::Current);
        assert_eq!(bring_up(&mut connection).unwrap(), State::Current);
    }

    #[test]
    fn what_a_later_version_or_somebody_else_wrote_is_left_as_it_is() {
        let mut later = Connection::open_in_memory().unwrap();
        bring_up(&mut later).unwrap();
        later.pragma_update(None, "user_version", VERSION + 1).unwrap();
        assert_eq!(bring_up(&mut later).unwrap(), State::Newer(VERSION + 1));

        let mut other = Connection::open_in_memory().unwrap();
        other.execute_batch("CREATE TABLE recipes (name TEXT)").unwrap();
        assert_eq!(bring_up(&mut other).unwrap(), State::Foreign);
    }
}
