//! `netburn fleet check`: would a run with these devices work, and what would bend it?
//!
//! Each device is asked for all that a run would ask of it, up to the word "start": the login, this netburn there, its clock, its task,
//! the server. Nothing is loaded. All devices are asked at once; those that need a person's answer one after the other.
//! A login that is slow is done once more with `ssh` telling what it does ([`watch_login`](crate::fleet::ssh::watch_login)), and what
//! it says becomes a [`Diagnosis`]: pure, from lines and moments.

mod conversation;
mod device;
mod diagnosis;
mod evidence;
pub mod json;
mod report;
pub mod text;
mod trace;

use std::time::Duration;

use anyhow::{Context, Result};

pub use diagnosis::{Cause, Certainty, Change, Diagnosis, diagnose};
pub use evidence::Evidence;
pub use report::{DeviceReport, FleetReport};
pub use trace::{Step, Timing, steps};

use crate::controller::ground;
use crate::fleet::ssh::Push;
use crate::scenario::Scenario;

/// A login that takes longer is called slow.
pub const SLOW_LOGIN: Duration = Duration::from_secs(2);

/// How to check.
#[derive(Clone, Copy, Debug)]
pub struct CheckOptions {
    /// Whether this program may be copied to devices that lack it.
    pub push: Push,
    /// A login that takes longer is looked at.
    pub slow: Duration,
    /// Whether to say on stderr where it stands.
    pub progress: bool,
}

/// Checks all devices of a scenario.
///
/// Where it has a lab, the process must have one thread: see [`crate::controller::execute`].
///
/// # Errors
/// Where nothing can be checked at all: there is no lab, no server, or nowhere to put control sockets. What is wrong with a device
/// stands in the report.
pub fn check(scenario: &Scenario, options: &CheckOptions) -> Result<FleetReport> {
    let lab = ground::lab(scenario)?;
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().context("cannot start the check")?;
    let devices = runtime.block_on(device::check_all(scenario, lab.as_ref(), options))?;
    Ok(FleetReport { scenario: scenario.plan.name.clone(), slow: options.slow, devices })
}
