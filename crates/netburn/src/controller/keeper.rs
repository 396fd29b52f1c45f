//! Keeps a run's record: every event goes to the file and into the fold that everything shown comes from.

use std::path::{Path, PathBuf};

use anyhow::Result;
use burn_model::record::{Ending, RunEvent};
use burn_model::run::RunRecord;

use crate::run_file::Writer;

/// Single operations take this much of a run file at most, in bytes: some four million of them.
const OPERATIONS_LIMIT: u64 = 1 << 30;

/// A run's record under way.
#[derive(Debug)]
pub(super) struct Keeper {
    writer: Writer,
    run: RunRecord,
    lost: Option<String>,
    empty: bool,
    /// How many bytes single operations may still take.
    operations_room: u64,
    operations_left_out: u64,
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
        Ok(Self {
            writer,
            run: RunRecord::default(),
            lost: None,
            empty: true,
            operations_room: OPERATIONS_LIMIT,
            operations_left_out: 0,
        })
    }

    /// Takes an event. Where the file cannot be written any more, the rest of the run is kept in memory, and
    /// [`Self::is_lost`] says so. Single operations past their limit are counted instead.
    pub(super) fn record(&mut self, event: &RunEvent) {
        self.empty = false;
        let is_operation = matches!(event, RunEvent::Operation(_));
        if is_operation && self.operations_room == 0 {
            self.operations_left_out += 1;
            return;
        }
        self.run.apply(event);
        if self.lost.is_some() {
            return;
        }
        match self.writer.append(event) {
            Ok(length) if is_operation => self.operations_room = self.operations_room.saturating_sub(length),
            Ok(_) => {}
            Err(error) => self.lost = Some(error.to_string()),
        }
    }

    /// Takes the last event.
    pub(super) fn close(&mut self, ending: Ending) {
        if self.operations_left_out > 0 {
            self.record(&RunEvent::OperationsLeftOut { operations: self.operations_left_out });
        }
        self.record(&RunEvent::Closed { ending });
    }

    /// Whether the file could not be written any more.
    pub(super) const fn is_lost(&self) -> bool {
        self.lost.is_some()
    }

    /// What is known so far.
    pub(super) const fn run(&self) -> &RunRecord {
        &self.run
    }

    /// Ends the record of a run that could not go on. One that never came to its first event leaves no file.
    pub(super) fn abandon(&mut self, reason: String) {
        if self.empty {
            let _ = std::fs::remove_file(self.writer.path());
        } else {
            self.close(Ending::Failed { reason });
        }
    }

    pub(super) fn into_parts(mut self) -> (PathBuf, RunRecord, Option<String>) {
        if self.lost.is_none() {
            self.lost = self.writer.sync().err().map(|error| error.to_string());
        }
        (self.writer.path().to_owned(), self.run, self.lost)
    }
}

#[cfg(test)]
mod tests {
    use burn_model::record::{OperationRecord, Outcome};
    use burn_model::time::Moment;

    use super::*;

    #[test]
    fn single_operations_past_their_limit_are_counted_and_nothing_else_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let mut keeper = Keeper::create(folder.path(), "A run: with / odd characters", 1).unwrap();
        // Room for one and a bit: the second one still goes in, and the third finds none.
        let operation = |index| {
            RunEvent::Operation(OperationRecord {
                client: 0,
                population: 0,
                index,
                scheduled_at: Moment::START,
                ready_at: None,
                sent_at: None,
                first_byte_at: None,
                ended_at: Moment::START,
                receive_lateness_ns: None,
                server_time_ns: None,
                outcome: Outcome::TimedOut,
            })
        };
        keeper.operations_room = serde_json::to_vec(&operation(0)).unwrap().len() as u64 + 2;
        (0..5).for_each(|index| keeper.record(&operation(index)));
        keeper.record(&RunEvent::ServerLost { client: None, reason: "r".into() });
        keeper.close(Ending::Finished);
        let (path, _, lost) = keeper.into_parts();
        let text = std::fs::read_to_string(&path).unwrap();
        let kinds: Vec<&str> = text.lines().map(|line| line.split('"').nth(3).unwrap()).collect();
        assert_eq!(kinds, ["operation", "operation", "server_lost", "operations_left_out", "closed"]);
        assert!(text.contains("\"operations\":3"), "{text}");
        assert_eq!(lost, None);
        assert!(path.file_name().unwrap().to_str().unwrap().contains("-a-run--with---odd-characters-"), "{path:?}");
    }
}
