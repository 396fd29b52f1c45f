//! When a run was started: the wall time that formats with time stamps put beside its seconds.

use burn_model::run::RunRecord;
use jiff::Timestamp;

use crate::layout::clip;

/// A run's record does not say when the run was started, so that its seconds have no wall time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the run file does not say when the run was started ('{found}' is no RFC 3339 time): its seconds cannot be stamped"
)]
pub struct NoStart {
    found: String,
}

/// When a run was started, by the controller's wall clock. A label: the load began some seconds later.
pub(crate) fn started(run: &RunRecord) -> Result<Timestamp, NoStart> {
    let text = run.header().map_or("", |header| &header.started_at);
    text.parse().map_err(|_| NoStart { found: clip(text, 60) })
}
