//! What devices told beside the latency: a line for each, one for each roam, and the figures of their radios.

use burn_model::run::RunRecord;

use super::budget::Budget;
use super::drawn::Drawn;
use super::figures::Figures;
use crate::said;

/// The section; empty where no device told anything.
pub(super) struct Beside<'a> {
    pub(super) devices: Vec<(&'a str, String)>,
    pub(super) left_out: usize,
    pub(super) roams: Vec<String>,
    pub(super) figures: Vec<Drawn<'a>>,
}

/// Devices that are told of, at most: as many as have figures are told of in any case.
const MOST_DEVICES: usize = 100;

impl<'a> Beside<'a> {
    pub(super) fn of(run: &'a RunRecord, figures: &'a Figures, budget: &Budget) -> Self {
        let mut devices = said::beside::devices(run);
        let left_out = devices.split_off(MOST_DEVICES.max(budget.shown.len()).min(devices.len())).len();
        let clients = 0..run.plan().map_or(0, |plan| plan.clients.len());
        Self {
            devices,
            left_out,
            roams: said::beside::roams(run),
            figures: clients.flat_map(|client| figures.of_client(client)).collect(),
        }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.devices.is_empty() && self.roams.is_empty()
    }
}
