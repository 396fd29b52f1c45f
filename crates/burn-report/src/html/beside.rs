//! What devices told beside the latency: a line for each, and one for each roam.

use burn_model::run::RunRecord;

use crate::said;

/// The section; empty where no device told anything.
pub(super) struct Beside<'a> {
    pub(super) devices: Vec<(&'a str, String)>,
    pub(super) roams: Vec<String>,
}

impl<'a> Beside<'a> {
    pub(super) fn of(run: &'a RunRecord) -> Self {
        Self { devices: said::beside::devices(run), roams: said::beside::roams(run) }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.devices.is_empty() && self.roams.is_empty()
    }
}
