//! What a check found out of each device, and what of it would spoil a run.

use std::collections::BTreeMap;
use std::time::Duration;

use burn_model::clock::Comparison;

use super::diagnosis::Diagnosis;

/// All devices of a scenario, in its order.
#[derive(Clone, Debug)]
pub struct FleetReport {
    /// The scenario's name.
    pub scenario: String,
    /// A login that takes longer is slow.
    pub slow: Duration,
    /// Each device.
    pub devices: Vec<DeviceReport>,
}

/// What was found out of one device. What is not known is absent.
#[derive(Clone, Debug, Default)]
pub struct DeviceReport {
    /// Its name in the scenario.
    pub name: String,
    /// How it is reached: `ssh me@tv-room`.
    pub via: String,
    /// Whether it joins by itself at run time, so that nothing can be known of it now.
    pub joins: bool,
    /// How long a fresh login took; absent where a person was asked, whose time that would be.
    pub login: Option<Duration>,
    /// How long a command through the control socket took: the median of some.
    pub command: Option<Duration>,
    /// What its netburn says of its version.
    pub version: Option<String>,
    /// What was copied there: bytes, and how long that took.
    pub pushed: Option<(u64, Duration)>,
    /// Its monotonic clock beside ours.
    pub clock: Option<Comparison>,
    /// What it says of itself; docs/METHOD.md, "Environment".
    pub facts: BTreeMap<String, String>,
    /// The server's URL for it.
    pub server: Option<String>,
    /// Whether it reaches that.
    pub reaches_server: Option<bool>,
    /// What would spoil a run, in sentences.
    pub problems: Vec<String>,
    /// Why its login is slow, where it is.
    pub slow_login: Option<Diagnosis>,
}

/// Processors that are busier than this leave too little for a load.
const LEAST_FREE: u8 = 50;

impl FleetReport {
    /// Whether nothing was found that would spoil a run.
    #[must_use]
    pub fn is_fit(&self) -> bool {
        self.devices.iter().all(|device| device.problems.is_empty())
    }
}

impl DeviceReport {
    /// A fact that it tells.
    #[must_use]
    pub fn fact(&self, key: &str) -> Option<&str> {
        self.facts.get(key).map(String::as_str)
    }

    /// What does not spoil a run and may well bend it, in sentences.
    #[must_use]
    pub fn advice(&self) -> Vec<String> {
        let mut advice = Vec::new();
        if let Some(free) = self.fact("cpu_free").and_then(|free| free.trim_end_matches(" %").parse::<u8>().ok())
            && free < LEAST_FREE
        {
            advice.push(format!("only {free} % of its processors are free: end what else runs there"));
        }
        if self.fact("power").is_some_and(|power| power.starts_with("battery")) {
            advice.push("it is on battery, which slows processor and radio down: plug it in".to_owned());
        }
        if self.fact("governor") == Some("powersave") {
            advice.push("its processor saves power (governor powersave): latencies may be its own".to_owned());
        }
        if self.fact("wifi_power_save") == Some("on") {
            advice.push("its Wi-Fi saves power, which adds to latencies: iw dev IF set power_save off".to_owned());
        }
        advice
    }
}
