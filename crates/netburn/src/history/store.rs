//! A folder of runs that can be asked.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::files::{Seen, scan};
use super::filter::Filter;
use super::fold::{Entry, Kept, Taken, fold};
use super::index::{Cure, Index, cure};
use super::rows;

/// So many files are read between two writes to the index: a stop in between loses the reading of these.
const AT_ONCE: usize = 64;
/// Reading so many takes a while, and a person is told.
const MANY: usize = 200;

/// The runs of a folder.
pub struct Store {
    folder: PathBuf,
    index: Option<Index>,
    tell: fn(&str),
}

/// The runs of a folder cannot be told.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder cannot be read.
    #[error("{folder}: cannot read the folder of the runs: {source}", folder = folder.display())]
    Folder {
        /// Which.
        folder: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Even an index in memory failed.
    #[error("cannot look up the runs: {0}")]
    Index(#[from] rusqlite::Error),
}

/// A file of a folder that cannot be read as a run, or whose notes cannot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// Which.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: String,
}

impl Store {
    /// The runs of `folder`, which need not be there yet. Nothing is read before something is asked.
    #[must_use]
    pub fn open(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), index: None, tell: |_| {} }
    }

    /// Tells a person, a sentence at a time, what was not as it should be with the index, and what takes long.
    #[must_use]
    pub fn telling(mut self, tell: fn(&str)) -> Self {
        self.tell = tell;
        self
    }

    /// Which folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The runs that are wanted, the newest first. Files that are new, changed or gone are noticed first.
    ///
    /// # Errors
    /// Where the folder cannot be read.
    pub fn runs(&mut self, filter: &Filter) -> Result<Vec<Kept>, StoreError> {
        let (condition, mut values) = filter.condition();
        values.push(Value::Integer(filter.limit.and_then(|limit| i64::try_from(limit).ok()).unwrap_or(-1)));
        let newest = format!("{condition} ORDER BY run.at DESC, file.name DESC LIMIT ?");
        let folder = self.folder.clone();
        self.answer(|index| rows::runs(index, &folder, &newest, params_from_iter(&values)))
    }

    /// How many runs are wanted, whatever the limit.
    ///
    /// # Errors
    /// Where the folder cannot be read.
    pub fn count(&mut self, filter: &Filter) -> Result<usize, StoreError> {
        let (condition, values) = filter.condition();
        self.answer(|index| rows::count(index, &condition, params_from_iter(&values)))
    }

    /// The files that cannot be read as runs, and those whose notes cannot be read.
    ///
    /// # Errors
    /// Where the folder cannot be read.
    pub fn unreadable(&mut self) -> Result<Vec<Unreadable>, StoreError> {
        let problems = self.answer(rows::problems)?;
        let folder = &self.folder;
        Ok(problems.into_iter().map(|(name, problem)| Unreadable { path: folder.join(name), problem }).collect())
    }

    /// The names of all scenarios of which there are runs.
    ///
    /// # Errors
    /// Where the folder cannot be read.
    pub fn scenarios(&mut self) -> Result<Vec<String>, StoreError> {
        self.answer(rows::scenarios)
    }

    /// Takes up one file of the folder, which may be new, changed or gone.
    ///
    /// # Errors
    /// Where even an index in memory failed. The file is as it is, and is taken up when something is asked.
    pub fn take_up(&mut self, path: &Path) -> Result<(), StoreError> {
        let Some(name) = path.file_name().map(OsStr::to_owned) else { return Ok(()) };
        let entry: Vec<Entry> = Seen::at(path).map(|seen| fold(&self.folder, seen)).into_iter().collect();
        self.attempt(|_, index| if entry.is_empty() { rows::forget(index, &[&name]) } else { rows::put(index, &entry) })
    }

    /// Takes up the files that were made or changed after `begun`, and leaves the others for when something is asked.
    ///
    /// # Errors
    /// Where the folder cannot be read.
    pub fn take_up_since(&mut self, begun: SystemTime) -> Result<(), StoreError> {
        let since = begun.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
        let seen = self.scan()?;
        let made: Vec<&Seen> =
            seen.iter().filter(|seen| i128::from(seen.run.mtime_ns) >= i128::try_from(since).unwrap_or(0)).collect();
        for seen in made {
            self.take_up(&self.folder.join(&seen.name))?;
        }
        Ok(())
    }

    /// Forgets what the index has, and takes up every file again. Says how many there are.
    ///
    /// # Errors
    /// Where the folder cannot be read.
    pub fn rebuild(&mut self) -> Result<usize, StoreError> {
        self.attempt(|_, index| rows::clear(index))?;
        self.answer(|index| rows::known(index).map(|known| known.len()))
    }

    /// Whether what is asked goes to an index in memory, because the one in the folder cannot be used.
    #[must_use]
    pub fn is_without_index(&self) -> bool {
        self.index.as_ref().is_some_and(Index::is_in_memory)
    }

    /// A question, asked of an index that is up to date.
    pub(super) fn answer<T>(&mut self, question: impl Fn(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        let seen = self.scan()?;
        self.attempt(|about, index| {
            about.bring_up_to_date(index, &seen)?;
            question(index)
        })
    }

    fn scan(&self) -> Result<Vec<Seen>, StoreError> {
        scan(&self.folder).map_err(|source| StoreError::Folder { folder: self.folder.clone(), source })
    }

    /// Does something with the index; where that fails, with a new one, and at last with one in memory.
    fn attempt<T>(
        &mut self,
        work: impl Fn(&About<'_>, &mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let Self { folder, index, tell } = self;
        let about = About { folder, tell: *tell };
        let said = |(index, said): (Index, Option<String>)| {
            if let Some(said) = said {
                tell(&said);
            }
            index
        };
        let index = index.get_or_insert_with(|| said(Index::open(folder)));
        let mut rebuilt = false;
        loop {
            let error = match work(&about, &mut index.connection) {
                Ok(done) => return Ok(done),
                Err(error) if index.is_in_memory() => return Err(error.into()),
                Err(error) => error,
            };
            *index = if cure(&error) == Cure::Rebuild && !rebuilt {
                rebuilt = true;
                said(Index::rebuild(folder, &error))
            } else {
                said(Index::without(folder, &error.to_string()))
            };
        }
    }
}

/// What bringing an index up to date needs to know.
struct About<'a> {
    folder: &'a Path,
    tell: fn(&str),
}

impl About<'_> {
    /// Takes up what is new, changed or gone since the index was written. Where nothing is, nothing is written.
    fn bring_up_to_date(&self, index: &mut Connection, seen: &[Seen]) -> rusqlite::Result<()> {
        let mut known = rows::known(index)?;
        let (mut changed, mut renoted) = (Vec::new(), Vec::new());
        for seen in seen {
            match known.remove(&seen.name) {
                Some(known) if known.run == seen.run && known.judged_by_us => {
                    if known.notes != seen.notes {
                        renoted.push((known.number, seen));
                    }
                }
                _ => changed.push(seen),
            }
        }
        let gone: Vec<OsString> = known.into_keys().collect();
        if !gone.is_empty() {
            rows::forget(index, &gone.iter().map(OsString::as_os_str).collect::<Vec<_>>())?;
        }
        if !renoted.is_empty() {
            let read = |(number, seen): &(i64, &Seen)| (*number, seen.notes, Taken::of(&self.folder.join(&seen.name)));
            rows::put_notes(index, &renoted.iter().map(read).collect::<Vec<_>>())?;
        }
        if changed.len() >= MANY {
            (self.tell)(&format!("reading {} run files for the index …", changed.len()));
        }
        for some in changed.chunks(AT_ONCE) {
            // Read first, then written: nobody waits for a lock while files are read.
            let entries: Vec<Entry> = some.iter().map(|seen| fold(self.folder, (*seen).clone())).collect();
            rows::put(index, &entries)?;
        }
        Ok(())
    }
}
