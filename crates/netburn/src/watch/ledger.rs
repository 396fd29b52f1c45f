//! What a watch knows, in a small file beside its runs, so that a restart forgets nothing.
//!
//! The file is versioned, written anew as a whole after each run, and has either its old content or the new one at any
//! moment. One watch of a scenario writes it: a lock beside it is held for as long as the watch lives.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::alarm::Alarm;
use super::confirm::Watched;
use super::finding::Outcome;
use super::retention::Made;

/// The version of the file.
const FORMAT: u32 = 1;
/// The longest file that is read, in bytes: a run a minute for some years.
const LONGEST: u64 = 256 << 20;

/// All that a watch knows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Ledger {
    /// The file's version.
    format: u32,
    /// The scenario's name, for people who look at the file.
    pub(crate) scenario: String,
    /// What everybody was told, and what is suspected.
    pub(crate) watched: Watched,
    /// Runs and alarms so far.
    pub(crate) tally: Tally,
    /// The last run, where there was one.
    pub(crate) last: Option<Last>,
    /// When a run could last tell, in seconds since 1970.
    pub(crate) last_told_at: Option<i64>,
    /// What the command has not been told yet.
    pub(crate) command: Option<Alarm>,
    /// What the URL has not been sent yet.
    pub(crate) post: Option<Alarm>,
    /// The run files that this watch has made and not removed, the oldest first.
    pub(crate) made: Vec<Made>,
}

/// What there was so far, over all restarts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tally {
    pub(crate) pass: u64,
    pub(crate) marginal: u64,
    pub(crate) inconclusive: u64,
    pub(crate) fail: u64,
    pub(crate) could_not_run: u64,
    /// Slots that passed while a run went on.
    pub(crate) skipped: u64,
    /// Alarms raised.
    pub(crate) alarms: u64,
    /// Commands that ended well, and those that did not.
    pub(crate) commands: Tries,
    /// Deliveries that were taken, and those that were not.
    pub(crate) posts: Tries,
}

/// How tries came out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tries {
    pub(crate) done: u64,
    pub(crate) failed: u64,
}

/// The last run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Last {
    /// When it ended, in seconds since 1970.
    pub(crate) at: i64,
    /// How it came out.
    pub(crate) result: Outcome,
    /// The name of its file in the watch's folder, where it has one.
    pub(crate) file: Option<String>,
}

impl Tally {
    /// Counts a run.
    pub(crate) const fn count(&mut self, result: Outcome) {
        let of = match result {
            Outcome::Pass => &mut self.pass,
            Outcome::Marginal => &mut self.marginal,
            Outcome::Inconclusive => &mut self.inconclusive,
            Outcome::Fail => &mut self.fail,
            Outcome::CouldNotRun => &mut self.could_not_run,
        };
        *of += 1;
    }

    /// Runs that came out so.
    pub(crate) const fn runs(&self, result: Outcome) -> u64 {
        match result {
            Outcome::Pass => self.pass,
            Outcome::Marginal => self.marginal,
            Outcome::Inconclusive => self.inconclusive,
            Outcome::Fail => self.fail,
            Outcome::CouldNotRun => self.could_not_run,
        }
    }
}

/// A ledger's file cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LedgerError {
    /// It cannot be read or written.
    #[error("{path}: {what}: {source}; name a folder that you may write to with --out", path = path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What was tried.
        what: &'static str,
        /// Why it failed.
        source: io::Error,
    },
    /// Another watch holds it.
    #[error("{path}: another netburn watch of this scenario keeps its runs here; end that one, or give this one another folder with --out", path = path.display())]
    Taken {
        /// Which file.
        path: PathBuf,
    },
    /// It is none, or of a later version.
    #[error("{path}: this is not what a netburn watch of this version has written ({why}); move it away to begin anew", path = path.display())]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// Why not.
        why: String,
    },
}

/// A ledger's file, which is ours alone.
#[derive(Debug)]
pub(crate) struct LedgerFile {
    path: PathBuf,
    _lock: File,
}

impl LedgerFile {
    /// Takes the ledger of a scenario in this folder of runs; a new one where there is none.
    ///
    /// # Errors
    /// Where another watch has it, or where it cannot be read or written.
    pub(crate) fn open(folder: &Path, scenario: &str) -> Result<(Self, Ledger), LedgerError> {
        let folder = folder.join("watch");
        let io = |path: &Path, what| {
            let path = path.to_owned();
            move |source| LedgerError::Io { path, what, source }
        };
        fs::create_dir_all(&folder).map_err(io(&folder, "cannot make the folder"))?;
        let name = file_name(scenario);
        let path = folder.join(format!("{name}.lock"));
        let lock = File::options().create(true).truncate(false).write(true).open(&path);
        let lock = lock.map_err(io(&path, "cannot write"))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LedgerError::Taken { path }),
            Err(TryLockError::Error(error)) => return Err(io(&path, "cannot lock")(error)),
        }
        let path = folder.join(format!("{name}.json"));
        let ledger = match read(&path) {
            Ok(Some(text)) => understand(&text).map_err(|why| LedgerError::Unreadable { path: path.clone(), why })?,
            Ok(None) => Ledger::default(),
            Err(error) => return Err(io(&path, "cannot read")(error)),
        };
        let ledger = Ledger { format: FORMAT, scenario: scenario.to_owned(), ..ledger };
        let file = Self { path, _lock: lock };
        file.write(&ledger)?;
        Ok((file, ledger))
    }

    /// Writes the ledger, down to the disk.
    ///
    /// # Errors
    /// Where it cannot be written; the file has its old content then.
    pub(crate) fn write(&self, ledger: &Ledger) -> Result<(), LedgerError> {
        let write = || {
            let folder = self.path.parent().unwrap_or(Path::new("."));
            let mut file = tempfile::Builder::new().prefix(".watch").tempfile_in(folder)?;
            file.write_all(&serde_json::to_vec(ledger)?)?;
            file.as_file().sync_all()?;
            file.persist(&self.path).map_err(|error| error.error)
        };
        let refuse = |source| LedgerError::Io { path: self.path.clone(), what: "cannot write", source };
        write().map(|_| ()).map_err(refuse)
    }
}

/// A name for people, and a digest that tells it from another scenario's.
fn file_name(scenario: &str) -> String {
    let slug = scenario.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' });
    let slug: String = slug.take(40).collect();
    let digest = data_encoding::HEXLOWER.encode(&Sha256::digest(scenario.as_bytes()));
    format!("{slug}-{}", digest.get(..8).unwrap_or_default())
}

fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut text = Vec::new();
    file.take(LONGEST).read_to_end(&mut text)?;
    Ok(Some(text))
}

fn understand(text: &[u8]) -> Result<Ledger, String> {
    #[derive(Deserialize)]
    struct Head {
        format: u32,
    }
    // The version first: a later one may have anything else in it.
    let head: Head = serde_json::from_slice(text).map_err(|error| error.to_string())?;
    if head.format != FORMAT {
        return Err(format!("its format is {}, and this version knows {FORMAT}", head.format));
    }
    serde_json::from_slice(text).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::alarm::tests::alarm;
    use crate::watch::condition::Condition;
    use crate::watch::finding::Finding;

    #[test]
    fn what_was_written_is_there_again_after_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let (file, mut ledger) = LedgerFile::open(folder.path(), "Évening / 1").unwrap();
        assert_eq!(ledger, Ledger { format: FORMAT, scenario: "Évening / 1".into(), ..Ledger::default() });
        ledger.watched.see(&Finding::could_not("r"), false);
        ledger.tally.count(Outcome::Fail);
        ledger.post = Some(alarm(&[("tv", Condition::Bad)]));
        ledger.made.push(Made { file: "a.netburn".into(), at: 7 });
        file.write(&ledger).unwrap();
        drop(file);
        assert_eq!(LedgerFile::open(folder.path(), "Évening / 1").unwrap().1, ledger);
        // Another scenario's name that looks the same as a file name has a ledger of its own.
        assert_eq!(LedgerFile::open(folder.path(), "Üvening / 1").unwrap().1.made, []);
    }

    #[test]
    fn two_watches_of_one_scenario_do_not_share_a_ledger() {
        let folder = tempfile::tempdir().unwrap();
        let held = LedgerFile::open(folder.path(), "a").unwrap();
        assert!(matches!(LedgerFile::open(folder.path(), "a"), Err(LedgerError::Taken { .. })));
        assert!(LedgerFile::open(folder.path(), "b").is_ok());
        drop(held);
        assert!(LedgerFile::open(folder.path(), "a").is_ok());
    }

    #[test]
    fn a_file_that_is_torn_or_of_a_later_version_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (file, _) = LedgerFile::open(folder.path(), "a").unwrap();
        let path = file.path.clone();
        drop(file);
        for (text, why) in [(r#"{"format":2}"#, "its format is 2"), (r#"{"format":1,"sce"#, "EOF"), ("", "EOF")] {
            fs::write(&path, text).unwrap();
            let error = LedgerFile::open(folder.path(), "a").unwrap_err();
            let LedgerError::Unreadable { why: said, .. } = &error else { panic!("{error}") };
            assert!(said.contains(why), "{said}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }
}
