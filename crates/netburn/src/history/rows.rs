//! Runs as rows of the index, and back.

use std::collections::{BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::time::Duration;

use burn_model::brief::{ApplicationBrief, Brief, FigureBrief};
use burn_model::compare::RunFigure;
use burn_model::judge::Verdict;
use jiff::Timestamp;
use rusqlite::types::{FromSqlError, Type, Value, ValueRef};
use rusqlite::{Connection, Params, Row, Statement, Transaction, TransactionBehavior, named_params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::files::{Seen, Stamp};
use super::fold::{Entry, Kept, Taken};
use super::notes::Notes;
use crate::facts::PROGRAM;

/// What the index knows of a file, to see whether it still holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) number: i64,
    pub(super) run: Stamp,
    pub(super) notes: Option<Stamp>,
    /// Whether this very version of the program judged it: another one may judge otherwise.
    pub(super) judged_by_us: bool,
}

/// Every file that the index knows.
pub(super) fn known(connection: &Connection) -> rusqlite::Result<HashMap<OsString, Known>> {
    let mut statement = connection
        .prepare("SELECT name, number, size, mtime_ns, notes_size, notes_mtime_ns, judged_by = ?1 FROM file")?;
    let rows = statement.query_map([PROGRAM], |row| {
        let notes: (Option<i64>, Option<i64>) = (row.get(4)?, row.get(5)?);
        let known = Known {
            number: row.get(1)?,
            run: Stamp { size: row.get(2)?, mtime_ns: row.get(3)? },
            notes: notes.0.zip(notes.1).map(|(size, mtime_ns)| Stamp { size, mtime_ns }),
            judged_by_us: row.get(6)?,
        };
        Ok((name(row, 0)?, known))
    })?;
    rows.collect()
}

/// Takes up files, new ones and changed ones, in one step.
pub(super) fn put(connection: &mut Connection, entries: &[Entry]) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for entry in entries {
        remove_file(&transaction, &entry.seen.name)?;
        put_one(&transaction, entry)?;
    }
    transaction.commit()
}

/// Takes up notes alone, of files whose runs are as they were.
pub(super) fn put_notes(connection: &mut Connection, notes: &[(i64, Option<Stamp>, Taken)]) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for (file, stamp, taken) in notes {
        transaction.execute(
            "UPDATE file SET notes_size = ?2, notes_mtime_ns = ?3, notes_problem = ?4, note = ?5 WHERE number = ?1",
            (file, stamp.map(|stamp| stamp.size), stamp.map(|stamp| stamp.mtime_ns), &taken.problem, &taken.notes.note),
        )?;
        transaction.execute("DELETE FROM tag WHERE file = ?1", [file])?;
        put_tags(&transaction, *file, &taken.notes)?;
    }
    transaction.commit()
}

/// Forgets files that are gone.
pub(super) fn forget(connection: &mut Connection, names: &[&OsStr]) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for name in names {
        remove_file(&transaction, name)?;
    }
    transaction.commit()
}

/// Forgets everything.
pub(super) fn clear(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.execute("DELETE FROM file", []).map(drop)
}

/// The runs that a condition picks, the newest first. `condition` is of our own making; what a person gave is in `params`.
pub(super) fn runs(
    connection: &Connection,
    folder: &Path,
    condition: &str,
    params: impl Params,
) -> rusqlite::Result<Vec<Kept>> {
    let mut select = connection.prepare(&format!(
        "SELECT file.number, file.name, file.note, run.id, run.scenario, run.digest, run.started_at, run.program, \
         run.judged_ns, run.ending, run.verdict, run.score \
         FROM run JOIN file ON file.number = run.file WHERE {condition}"
    ))?;
    let mut of_run = Parts::prepare(connection)?;
    let mut rows = select.query(params)?;
    let mut runs = Vec::new();
    while let Some(row) = rows.next()? {
        let number: i64 = row.get(0)?;
        let brief = Brief {
            run: row.get(3)?,
            scenario: row.get(4)?,
            digest: row.get(5)?,
            started_at: row.get(6)?,
            program: row.get(7)?,
            judged: Duration::from_nanos(u64::try_from(row.get::<_, i64>(8)?).unwrap_or(0)),
            ending: from_json(row, 9)?,
            verdict: verdict(row, 10)?.ok_or_else(|| odd(10, "no verdict"))?,
            score: row.get(11)?,
            applications: of_run.applications(number)?,
        };
        let notes = Notes { tags: of_run.tags(number)?, note: row.get(2)? };
        runs.push(Kept { path: folder.join(name(row, 1)?), brief, notes });
    }
    Ok(runs)
}

/// How many runs a condition picks.
pub(super) fn count(connection: &Connection, condition: &str, params: impl Params) -> rusqlite::Result<usize> {
    let query = format!("SELECT count(*) FROM run WHERE {condition}");
    let count: i64 = connection.query_row(&query, params, |row| row.get(0))?;
    Ok(usize::try_from(count).unwrap_or(0))
}

/// The names of all scenarios.
pub(super) fn scenarios(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare("SELECT DISTINCT scenario FROM run ORDER BY scenario")?;
    let names = statement.query_map([], |row| row.get(0))?;
    names.collect()
}

/// What is wrong with files that are no runs, and with notes.
pub(super) fn problems(connection: &Connection) -> rusqlite::Result<Vec<(OsString, String)>> {
    let mut statement = connection.prepare(
        "SELECT name, coalesce(problem, notes_problem) FROM file WHERE coalesce(problem, notes_problem) IS NOT NULL \
         ORDER BY name",
    )?;
    let rows = statement.query_map([], |row| Ok((name(row, 0)?, row.get(1)?)))?;
    rows.collect()
}

/// A verdict as the index and the command line have it.
pub(super) const fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "pass",
        Verdict::Marginal => "marginal",
        Verdict::Inconclusive => "inconclusive",
        Verdict::Fail => "fail",
    }
}

fn remove_file(transaction: &Transaction<'_>, name: &OsStr) -> rusqlite::Result<()> {
    transaction.execute("DELETE FROM file WHERE name = ?1", [stored(name)]).map(drop)
}

fn put_one(transaction: &Transaction<'_>, entry: &Entry) -> rusqlite::Result<()> {
    let Entry { seen: Seen { name, run, notes }, content, notes: taken } = entry;
    transaction.execute(
        "INSERT INTO file (name, size, mtime_ns, notes_size, notes_mtime_ns, judged_by, problem, notes_problem, note) \
         VALUES (:name, :size, :mtime, :notes_size, :notes_mtime, :judged_by, :problem, :notes_problem, :note)",
        named_params! {
            ":name": stored(name), ":size": run.size, ":mtime": run.mtime_ns,
            ":notes_size": notes.map(|stamp| stamp.size), ":notes_mtime": notes.map(|stamp| stamp.mtime_ns),
            ":judged_by": PROGRAM, ":problem": content.as_ref().err(), ":notes_problem": taken.problem,
            ":note": taken.notes.note,
        },
    )?;
    let file = transaction.last_insert_rowid();
    put_tags(transaction, file, &taken.notes)?;
    content.as_ref().map_or(Ok(()), |brief| put_run(transaction, file, run, brief))
}

fn put_run(transaction: &Transaction<'_>, file: i64, stamp: &Stamp, brief: &Brief) -> rusqlite::Result<()> {
    // A run whose start is no time is put where its file was last changed.
    let started = brief.started_at.parse::<Timestamp>().map(Timestamp::as_second);
    transaction.execute(
        "INSERT INTO run (file, id, at, started_at, scenario, digest, program, judged_ns, ending, verdict, score) \
         VALUES (:file, :id, :at, :started_at, :scenario, :digest, :program, :judged, :ending, :verdict, :score)",
        named_params! {
            ":file": file, ":id": brief.run, ":at": started.unwrap_or(stamp.mtime_ns / 1_000_000_000),
            ":started_at": brief.started_at, ":scenario": brief.scenario, ":digest": brief.digest,
            ":program": brief.program, ":judged": i64::try_from(brief.judged.as_nanos()).unwrap_or(i64::MAX),
            ":ending": json(brief.ending.as_ref())?, ":verdict": verdict_word(brief.verdict), ":score": brief.score,
        },
    )?;
    for (place, application) in (0_i64..).zip(&brief.applications) {
        transaction.execute(
            "INSERT INTO application (file, place, client, name, verdict, score, goodput_bps, decided_by) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            (
                file,
                place,
                &application.client,
                &application.name,
                application.verdict.map(verdict_word),
                application.score,
                if application.goodput_bps.is_nan() { 0.0 } else { application.goodput_bps },
                application.decided_by.and_then(|figure| i64::try_from(figure).ok()),
            ),
        )?;
        for (number, FigureBrief { figure, value, doubted }) in (0_i64..).zip(&application.figures) {
            let bound = match figure {
                RunFigure::Goal(bound) => json(Some(bound))?,
                RunFigure::Goodput => None,
            };
            transaction.execute(
                "INSERT INTO figure (file, application, place, bound, value, doubted) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                (file, place, number, bound, value, doubted),
            )?;
        }
    }
    Ok(())
}

fn put_tags(transaction: &Transaction<'_>, file: i64, notes: &Notes) -> rusqlite::Result<()> {
    for tag in &notes.tags {
        transaction.execute("INSERT INTO tag (file, tag) VALUES (?1, ?2)", (file, tag))?;
    }
    Ok(())
}

/// What belongs to one run, prepared for many.
struct Parts<'a> {
    applications: Statement<'a>,
    figures: Statement<'a>,
    tags: Statement<'a>,
}

impl<'a> Parts<'a> {
    fn prepare(connection: &'a Connection) -> rusqlite::Result<Self> {
        Ok(Self {
            applications: connection.prepare(
                "SELECT place, client, name, verdict, score, goodput_bps, decided_by FROM application \
                 WHERE file = ?1 ORDER BY place",
            )?,
            figures: connection.prepare(
                "SELECT bound, value, doubted FROM figure WHERE file = ?1 AND application = ?2 ORDER BY place",
            )?,
            tags: connection.prepare("SELECT tag FROM tag WHERE file = ?1")?,
        })
    }

    fn applications(&mut self, file: i64) -> rusqlite::Result<Vec<ApplicationBrief>> {
        let figures = &mut self.figures;
        let applications = self.applications.query_map([file], |row| {
            let of_application = figures.query_map((file, row.get::<_, i64>(0)?), |row| {
                let figure = from_json(row, 0)?.map_or(RunFigure::Goodput, RunFigure::Goal);
                Ok(FigureBrief { figure, value: row.get(1)?, doubted: row.get(2)? })
            })?;
            Ok(ApplicationBrief {
                client: row.get(1)?,
                name: row.get(2)?,
                verdict: verdict(row, 3)?,
                score: row.get(4)?,
                goodput_bps: row.get(5)?,
                figures: of_application.collect::<rusqlite::Result<_>>()?,
                decided_by: row.get::<_, Option<i64>>(6)?.and_then(|figure| usize::try_from(figure).ok()),
            })
        })?;
        applications.collect()
    }

    fn tags(&mut self, file: i64) -> rusqlite::Result<BTreeSet<String>> {
        self.tags.query_map([file], |row| row.get(0))?.collect()
    }
}

/// A file's name as it is stored.
pub(super) fn stored(name: &OsStr) -> Value {
    name.to_str().map_or_else(|| Value::Blob(name.as_bytes().to_owned()), |name| Value::Text(name.to_owned()))
}

fn name(row: &Row<'_>, column: usize) -> rusqlite::Result<OsString> {
    match row.get_ref(column)? {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Ok(OsString::from_vec(bytes.to_owned())),
        _ => Err(odd(column, "no name")),
    }
}

fn verdict(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Verdict>> {
    let word: Option<String> = row.get(column)?;
    let known = [Verdict::Pass, Verdict::Marginal, Verdict::Inconclusive, Verdict::Fail];
    word.map(|word| {
        known.into_iter().find(|verdict| verdict_word(*verdict) == word).ok_or_else(|| odd(column, "no verdict"))
    })
    .transpose()
}

fn json<T: Serialize>(value: Option<&T>) -> rusqlite::Result<Option<String>> {
    let text = value.map(serde_json::to_string).transpose();
    text.map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}

fn from_json<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<T>> {
    let text: Option<String> = row.get(column)?;
    let value = text.map(|text| serde_json::from_str(&text)).transpose();
    value.map_err(|error| rusqlite::Error::FromSqlConversionFailure(column, Type::Text, error.into()))
}

/// A row that no index of ours has.
fn odd(column: usize, what: &str) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, FromSqlError::Other(what.to_owned().into()).into())
}
