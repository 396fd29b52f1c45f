//! Keeps a run's record: every event goes to the file and into the fold that everything shown comes from.

use std::path::{Path, PathBuf};

use anyhow::Result;
use burn_model::record::RunEvent;
use burn_model::run::RunRecord;

use crate::run_file::Writer;

/// A run's record under way.
#[derive(Debug)]
pub(super) struct Keeper {
    writer: Writer,
    run: RunRecord,
    lost: Option<String>,
    empty: bool,
}

impl Keeper {
    pub(super) fn create(folder: &Path, scenario: &str, id: u128) -> Result<Self> {
        let at = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ").to_string();
        // The name is for people and globs; a scenario's name may hold anything.
        let slug: String = scenario
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
            .take(40)
            .collect();
        let writer = Writer::create(folder, &format!("{at}-{slug}-{:08x}", id >> 96))?;
        Ok(Self { writer, run: RunRecord::default(), lost: None, empty: true })
    }

    /// Takes an event. Where the file cannot be written any more, the rest of the run is kept in memory, and
    /// [`Self::is_lost`] says so.
    pub(super) fn record(&mut self, event: &RunEvent) {
        self.empty = false;
        self.run.apply(event);
        if self.lost.is_none()
            && let Err(error) = self.writer.append(event)
        {
            self.lost = Some(error.to_string());
        }
    }

    /// Whether the file could not be written any more.
    pub(super) const fn is_lost(&self) -> bool {
        self.lost.is_some()
    }

    /// What is known so far.
    pub(super) const fn run(&self) -> &RunRecord {
        &self.run
    }

    /// A run that never came to its first event leaves no file.
    pub(super) fn discard_if_empty(&self) {
        if self.empty {
            let _ = std::fs::remove_file(self.writer.path());
        }
    }

    pub(super) fn into_parts(mut self) -> (PathBuf, RunRecord, Option<String>) {
        if self.lost.is_none() {
            self.lost = self.writer.sync().err().map(|error| error.to_string());
        }
        (self.writer.path().to_owned(), self.run, self.lost)
    }
}
