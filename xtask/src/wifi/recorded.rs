//! What netburn recorded of a call, from its run file: one event a line, as JSON.
//!
//! Read here by the names in the file, not by the types that wrote it, as somebody else's program would.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// What the run file of a call holds of the radio, and of the call itself.
#[derive(Debug, Default)]
pub(crate) struct Recorded {
    pub(crate) roams: Vec<Roam>,
    /// What the station was connected to, by second of the run.
    pub(crate) radio: Vec<Radio>,
    /// The call's operations, in the order in which they were due.
    pub(crate) operations: Vec<Operation>,
}

/// A roam that was recorded. Times are since the run's start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Roam {
    pub(crate) at: Duration,
    /// `event` or `changed`.
    pub(crate) seen: String,
    /// Addresses; absent: at no access point.
    pub(crate) from: Option<String>,
    pub(crate) to: Option<String>,
}

/// One second of the radio.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Radio {
    pub(crate) second: u64,
    pub(crate) ssid: String,
    pub(crate) bssid: String,
    pub(crate) frequency_mhz: u64,
    pub(crate) channel: Option<u64>,
    pub(crate) width_mhz: Option<u64>,
    pub(crate) signal_dbm: Option<i64>,
    pub(crate) tx_kind: Option<String>,
}

/// One operation that completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Operation {
    pub(crate) scheduled: Duration,
    pub(crate) ended: Duration,
}

impl Operation {
    pub(crate) fn response_time(self) -> Duration {
        self.ended.saturating_sub(self.scheduled)
    }
}

/// The one run file in `folder`.
pub(crate) fn run_file(folder: &Path) -> Result<PathBuf> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    let mut runs = paths.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "netburn"));
    match (runs.next(), runs.next()) {
        (Some(run), None) => Ok(run),
        _ => bail!("{} should hold one run file", folder.display()),
    }
}

impl Recorded {
    pub(crate) fn read(text: &str) -> Result<Self> {
        let mut recorded = Self::default();
        for line in text.lines() {
            let event: Value = serde_json::from_str(line).with_context(|| format!("not an event: {line}"))?;
            recorded.take(&event).with_context(|| format!("not as expected: {line}"))?;
        }
        recorded.operations.sort_by_key(|operation| operation.scheduled);
        Ok(recorded)
    }

    fn take(&mut self, event: &Value) -> Result<()> {
        match event["event"].as_str() {
            Some("roam") => self.roams.push(Roam {
                at: moment(&event["at"])?,
                seen: text(&event["seen"])?,
                from: event["from"]["bssid"].as_str().map(str::to_owned),
                to: event["to"]["bssid"].as_str().map(str::to_owned),
            }),
            Some("telemetry") if !event["wifi"].is_null() => {
                let wifi = &event["wifi"];
                self.radio.push(Radio {
                    second: event["second"].as_u64().context("no second")?,
                    ssid: text(&wifi["ssid"])?,
                    bssid: text(&wifi["bssid"])?,
                    frequency_mhz: wifi["frequency_mhz"].as_u64().context("no frequency")?,
                    channel: wifi["channel"].as_u64(),
                    width_mhz: wifi["width_mhz"].as_u64(),
                    signal_dbm: wifi["signal_dbm"].as_i64(),
                    tx_kind: wifi["tx_kind"].as_str().map(str::to_owned),
                });
            }
            Some("operation") if event["outcome"]["outcome"] == "completed" => self
                .operations
                .push(Operation { scheduled: moment(&event["scheduled_at"])?, ended: moment(&event["ended_at"])? }),
            _ => {}
        }
        Ok(())
    }
}

fn moment(value: &Value) -> Result<Duration> {
    value.as_u64().map(Duration::from_nanos).with_context(|| format!("{value} is no moment"))
}

fn text(value: &Value) -> Result<String> {
    value.as_str().map(str::to_owned).with_context(|| format!("{value} is no text"))
}
