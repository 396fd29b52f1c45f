//! A run for Prometheus: OpenMetrics 1.0 text.
//!
//! Two uses, one writer. [`summary`] is of a whole run, without time stamps: what a live `/metrics` answers of the last run.
//! [`render`] is of a finished run with time stamps, for `promtool tsdb create-blocks-from openmetrics`. What each family is:
//! docs/EXPORTS.md.
//!
//! Names and units follow Prometheus's conventions (base units: seconds, bytes, ratios). A quantile that falls on operations
//! that never completed is `+Inf`: it is worse than any bound, and an alarm must see it. What cannot be said has no sample.

mod exposition;
mod labels;
mod of_goals;
mod of_run;
mod of_seconds;
mod values;

use burn_model::judge::Judgement;
use burn_model::run::RunRecord;

use crate::start::{NoStart, started};

pub use exposition::{Exposition, Family, Kind, Samples, Stamp};

/// The media type under which such a text is served.
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// A whole run, without time stamps: the document of a `/metrics`.
#[must_use]
pub fn summary(run: &RunRecord, judgement: &Judgement) -> String {
    let mut text = Exposition::new();
    write_summary(&mut text, run, judgement);
    text.finish()
}

/// Adds the families of [`summary`] to a text that has others beside. Their names begin with `netburn_run`.
pub fn write_summary(text: &mut Exposition, run: &RunRecord, judgement: &Judgement) {
    of_run::write(text, run, judgement, None);
}

/// A finished run with time stamps, for filling a database with what was: its seconds, and the [`summary`] at the end of the
/// judged time.
///
/// What is of a second stands at that second's end, as a scrape at that moment would have found it. The wall time is the
/// controller's, and is of when the run was started: the load began some seconds later.
///
/// # Errors
/// Where the record does not say when the run was started.
pub fn render(run: &RunRecord, judgement: &Judgement) -> Result<String, NoStart> {
    let start = Stamp { unix_ms: started(run)?.as_millisecond() };
    let mut text = Exposition::new();
    of_seconds::write(&mut text, run, start);
    of_run::write(&mut text, run, judgement, Some(start.at_second(judgement.window.1.second())));
    Ok(text.finish())
}
