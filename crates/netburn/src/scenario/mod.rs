//! From the text of a scenario file to a [`Scenario`] that can be run.
//!
//! Everything here is pure: the caller reads the file, this module reads the text. A scenario is data: nothing in
//! it is executed, and nothing in it reaches a shell. Every problem of a file is reported at once, each with its
//! line and column and with what was probably meant. docs/SCENARIOS.md is the language's manual; its examples
//! are tests of this module.
//!
//! The way through: `fields` walks the TOML and knows places and types, `file`, `workload` and `goal` know the keys,
//! `resolve` joins them to a [`Plan`], `advice` says what the author would want to know.

use std::fmt;
use std::ops::Range;
use std::sync::LazyLock;
use std::time::Duration;

use burn_model::goal::Goal;
use burn_model::plan::{Plan, Population};
use burn_model::units::BitRate;

use crate::fleet::ssh::Destination;

mod advice;
mod device;
mod diagnostic;
mod fields;
mod file;
mod goal;
mod place;
mod preset;
mod quantity;
mod resolve;
mod server;
mod single;
mod workload;

pub use diagnostic::{Diagnostic, Place};
pub(crate) use quantity::exact;
pub use single::single_client;

/// What a scenario file asks for, complete and within bounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Who does what, when, for how long, and what is good enough.
    pub plan: Plan,
    /// Whom the clients load.
    pub server: ServerChoice,
    /// The emulated access point, where the clients are behind one.
    pub lab: Option<Lab>,
    /// What plays the clients of the plan, in its order: each client is one device's.
    pub devices: Vec<Device>,
    /// The text that all this was read from.
    pub text: String,
    /// What is true of the whole set-up and belongs into every report, as sentences.
    pub remarks: Vec<String>,
    /// What the author would want to know before running it: nothing here keeps the scenario from being run.
    pub warnings: Vec<Diagnostic>,
}

/// Whom the clients load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerChoice {
    /// A server that the run starts itself, on this machine.
    Local {
        /// Under which `HOST` or `HOST:PORT` the devices reach this machine; `None` where that is to be found out.
        address: Option<String>,
    },
    /// A running `netburn serve`: `http://HOST:PORT`, with nothing behind the port.
    Url(String),
}

/// An emulated access point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lab {
    /// Its radios, in the file's order.
    pub radios: Vec<Radio>,
}

/// One radio of an emulated access point: a shared link to the clients with a queue in front.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Radio {
    /// The radio's name, unique in the scenario.
    pub name: String,
    /// What it carries, all of its clients together.
    pub rate: BitRate,
    /// How long a packet waits at most where its queue is full.
    pub queue: Duration,
}

/// One `[[client]]` table: one agent, which plays one client of the plan, or as many as `count` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// Its name, which no other device has.
    pub name: String,
    /// Where it is, and how its agent is reached.
    pub via: Via,
    /// Its clients: indexes into the plan's. The devices' ranges follow one another and leave no client out.
    pub clients: Range<usize>,
}

/// Where a device is, and how its agent is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Via {
    /// On this machine, in its ordinary network.
    Local,
    /// On this machine, behind a radio of the lab.
    Lab {
        /// Index into the lab's radios.
        radio: usize,
    },
    /// On another machine, by the system's `ssh`.
    Ssh(Destination),
    /// It comes by itself, by the link that a person opens on it.
    Join,
}

/// The most objects that a population may have under way at once.
fn objects_in_flight(population: &Population) -> u64 {
    u64::from(population.in_flight) * u64::from(population.operation.parts)
}

/// What the command line says instead of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// How long to judge.
    pub duration: Option<Duration>,
    /// How long to load before judging.
    pub warm_up: Option<Duration>,
    /// Where all randomness comes from.
    pub seed: Option<u64>,
    /// Whether every single operation is written to the run file.
    pub keep_operations: Option<bool>,
}

/// Everything that is wrong with a scenario, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioErrors {
    /// Each problem: never empty.
    pub problems: Vec<Diagnostic>,
    /// How many more there were than are kept.
    pub further: usize,
}

impl fmt::Display for ScenarioErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.problems.iter().enumerate() {
            if i > 0 {
                f.write_str("\n\n")?;
            }
            fmt::Display::fmt(problem, f)?;
        }
        if self.further > 0 {
            write!(f, "\n\n… and {} more", self.further)?;
        }
        Ok(())
    }
}

impl std::error::Error for ScenarioErrors {}

/// A workload that ships with the program.
#[derive(Clone, Debug, PartialEq)]
pub struct Preset {
    /// What a scenario calls it.
    pub name: String,
    /// What it does, in a sentence.
    pub description: String,
    /// The population that a client runs, its goals included; the phase is still zero.
    pub population: Population,
    /// Where its numbers come from.
    pub source: String,
}

impl Preset {
    /// What is good enough.
    #[must_use]
    pub fn goals(&self) -> &[Goal] {
        &self.population.goals
    }
}

/// The workloads that ship with the program, in the order of `presets.toml`.
#[must_use]
pub fn presets() -> &'static [Preset] {
    static PRESETS: LazyLock<Vec<Preset>> = LazyLock::new(preset::all);
    &PRESETS
}

/// Reads a scenario; `file` is its name in messages.
///
/// # Errors
/// Everything that is wrong with it.
pub fn parse(file: &str, text: &str) -> Result<Scenario, ScenarioErrors> {
    parse_with(file, text, &Overrides::default())
}

/// Reads a scenario, with what the command line says instead.
///
/// # Errors
/// Everything that is wrong with it, or with what the command line says.
pub fn parse_with(file: &str, text: &str, overrides: &Overrides) -> Result<Scenario, ScenarioErrors> {
    resolve::scenario(file, text, overrides)
}
