//! Live progress on stderr, where that is a terminal: one line, written over each second.

use std::io::{IsTerminal, Write, stderr};
use std::time::Duration;

use burn_model::run::RunRecord;

/// The line that is shown while a run goes on.
#[derive(Debug)]
pub(crate) struct Live {
    shown: bool,
    wanted: bool,
    terminal: bool,
}

impl Live {
    /// Progress that is shown where it is wanted and stderr is a terminal.
    pub(crate) fn new(wanted: bool) -> Self {
        Self { shown: false, wanted, terminal: wanted && stderr().is_terminal() }
    }

    /// Shows where the run stands, `since_start` nanoseconds into its load.
    pub(crate) fn show(&mut self, run: &RunRecord, since_start: Option<u64>) {
        if !self.terminal {
            return;
        }
        // One column less than there is: a line that fills the last one wraps on some terminals.
        let columns =
            terminal_size::terminal_size_of(stderr()).map_or(79, |(width, _)| usize::from(width.0).saturating_sub(1));
        let line = burn_report::progress::line(run, since_start.map(Duration::from_nanos), columns.clamp(20, 79));
        // A terminal that went away must not end the run.
        let _ = write!(stderr(), "\r\x1b[K{line}");
        self.shown = true;
    }

    /// Says something that a person should know now.
    pub(crate) fn note(&mut self, text: &str) {
        self.finish();
        if self.wanted {
            let _ = writeln!(stderr(), "netburn: {text}");
        }
    }

    /// Clears the line.
    pub(crate) fn finish(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}
