//! The fold of a run's events: the one way from what happened to anything that is shown of it.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::plan::Plan;
use crate::record::{ClientState, ClockRecord, Ending, Header, LinkRecord, RunEvent};
use crate::samples::Samples;

/// A run, as far as it is known. Bounded memory: per client, application and second a few counters, and one
/// distribution of each figure per application.
#[derive(Clone, Debug, Default)]
pub struct RunRecord {
    header: Option<Box<Header>>,
    environments: BTreeMap<String, BTreeMap<String, String>>,
    clients: Vec<Client>,
    clocks: Vec<ClockRecord>,
    links: Vec<LinkRecord>,
    ending: Option<Ending>,
}

/// What is known of one client.
#[derive(Clone, Debug, Default)]
struct Client {
    state: Option<ClientState>,
    start_lateness: Option<Duration>,
}

/// The last whole second that is known of an application: for a live view.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recent {
    /// The second of the run.
    pub second: u64,
    /// How many operations were under way or waiting when it ended.
    pub in_flight: u64,
    /// Payload bytes that arrived in it.
    pub bytes: u64,
    /// Operations that completed in it.
    pub completed: u64,
    /// Operations that failed, timed out or were given up in it.
    pub unsuccessful: u64,
    /// The response times of those that completed in it.
    pub response_time: Samples,
}

/// A second of an application, in short.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SecondSummary {
    /// The second of the run.
    pub second: u64,
    /// Payload bytes that arrived in it.
    pub bytes: u64,
    /// Operations that were scheduled in it.
    pub scheduled: u64,
    /// Of those, how many completed, whenever that was.
    pub completed: u64,
    /// Of those, how many failed, timed out or were given up, whenever that was.
    pub unsuccessful: u64,
    /// Of those that completed, how many took longer than each bound, in the order of
    /// [`RunRecord::response_time_bounds`].
    pub over: Vec<u64>,
}

impl RunRecord {
    /// A run of which nothing is known yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next event. Events of a broken or hostile file are taken as far as they make sense; what does not
    /// (an index out of the plan, a tally that does not add up) is counted as a doubt, never a panic.
    pub fn apply(&mut self, _event: &RunEvent) {}

    /// The end of the file was not a whole event and was dropped.
    pub fn note_torn(&mut self, _dropped_bytes: u64) {}

    /// What stands at the head of the file.
    #[must_use]
    pub fn header(&self) -> Option<&Header> {
        self.header.as_deref()
    }

    /// What was asked.
    #[must_use]
    pub fn plan(&self) -> Option<&Plan> {
        self.header().map(|header| &header.plan)
    }

    /// What is known of each host.
    #[must_use]
    pub const fn environments(&self) -> &BTreeMap<String, BTreeMap<String, String>> {
        &self.environments
    }

    /// The last state that a client reported.
    #[must_use]
    pub fn client_state(&self, client: usize) -> Option<&ClientState> {
        self.clients.get(client)?.state.as_ref()
    }

    /// How late a client's load started by its own clock, where it started.
    #[must_use]
    pub fn start_lateness(&self, client: usize) -> Option<Duration> {
        self.clients.get(client)?.start_lateness
    }

    /// Every comparison of a client's clock with the controller's.
    #[must_use]
    pub fn clocks(&self) -> &[ClockRecord] {
        &self.clocks
    }

    /// Counters of the shaped links.
    #[must_use]
    pub fn links(&self) -> &[LinkRecord] {
        &self.links
    }

    /// How the run ended, where the file says so.
    #[must_use]
    pub const fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    /// The last whole second that is known of an application.
    #[must_use]
    pub fn recent(&self, _client: usize, _population: usize) -> Option<Recent> {
        None
    }

    /// The response-time bounds of an application's goals, rising, each once.
    #[must_use]
    pub fn response_time_bounds(&self, _client: usize, _population: usize) -> &[Duration] {
        &[]
    }

    /// Every second that is known of an application, rising; seconds of which nothing is known are left out.
    pub fn seconds(&self, _client: usize, _population: usize) -> impl Iterator<Item = SecondSummary> + '_ {
        std::iter::empty()
    }
}
