//! What several formats show of each second: the radio beside a client's load.

use std::collections::BTreeMap;

use burn_model::record::{TelemetryRecord, WifiRecord};
use burn_model::run::RunRecord;

/// The radio that a client's traffic went over, second by second.
pub(crate) struct Radio<'a>(BTreeMap<u64, &'a TelemetryRecord>);

impl<'a> Radio<'a> {
    /// A device's radio is told of with its first client; its other clients share it.
    pub(crate) fn of(run: &'a RunRecord, client: usize) -> Self {
        let number = u32::try_from(client).ok();
        let device = run.devices().iter().find(|device| number.is_some_and(|number| device.clients.contains(&number)));
        let first = device.and_then(|device| device.clients.first());
        let teller = first.and_then(|first| usize::try_from(*first).ok()).unwrap_or(client);
        Self(run.telemetry(teller).map(|record| (record.second, record)).collect())
    }

    /// Every second of which it told.
    pub(crate) fn all(&self) -> impl Iterator<Item = (u64, &'a WifiRecord)> {
        self.0.iter().filter_map(|(second, record)| Some((*second, record.wifi.as_ref()?)))
    }

    pub(crate) fn at(&self, second: u64) -> Option<&'a WifiRecord> {
        self.0.get(&second)?.wifi.as_ref()
    }
}
