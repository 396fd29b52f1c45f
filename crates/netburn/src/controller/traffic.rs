//! What controller and agents say to each other while the load runs: traffic that shares the network with it.

use std::time::Duration;

use burn_model::record::{ControlRecord, RunEvent};

use super::roster::Roster;
use crate::control::session::Session;

/// Reads the links' counters when the load begins and when it ends.
#[derive(Debug)]
pub(super) struct TrafficMeter {
    /// Devices of the roster, each with its first client.
    devices: Vec<(usize, u32)>,
    /// When the load began, and what each link had carried by then, to the agent and from it.
    begun: Option<(u64, Vec<(u64, u64)>)>,
    told: bool,
}

impl TrafficMeter {
    pub(super) const fn new(devices: Vec<(usize, u32)>) -> Self {
        Self { devices, begun: None, told: false }
    }

    /// When [`Self::update`] should be called next, on the controller's clock.
    pub(super) fn poll_timeout(&self, session: &Session) -> Option<u64> {
        match self.begun {
            None => session.started_at(),
            Some(_) => session.load_ends_at().filter(|_| !self.told),
        }
    }

    /// Time may have passed. Where the load has ended: what was said meanwhile, once.
    pub(super) fn update(&mut self, session: &Session, roster: &Roster, now: u64) -> Vec<RunEvent> {
        let Some(started_at) = session.started_at().filter(|at| *at <= now) else { return Vec::new() };
        let (from, before) = self.begun.get_or_insert_with(|| {
            let carried = self.devices.iter().map(|(device, _)| roster.traffic(*device));
            (now.max(started_at), carried.collect())
        });
        let has_ended = session.is_over() || session.load_ends_at().is_some_and(|end| end <= now);
        if self.told || !has_ended {
            return Vec::new();
        }
        self.told = true;
        let span = Duration::from_nanos(now.saturating_sub(*from));
        let record = |((device, client), (to_before, from_before)): (&(usize, u32), &(u64, u64))| {
            let (to_agent, from_agent) = roster.traffic(*device);
            RunEvent::Control(ControlRecord {
                client: *client,
                to_agent_bytes: to_agent.saturating_sub(*to_before),
                from_agent_bytes: from_agent.saturating_sub(*from_before),
                span,
            })
        };
        let all = self.devices.iter().zip(before.iter()).map(record);
        all.filter(|_| !span.is_zero()).collect()
    }
}
