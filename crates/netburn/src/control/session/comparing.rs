//! Comparing the devices' clocks with ours, by bursts of probes.
//!
//! A burst takes the exchange with the least round trip (see [`burn_model::clock`]). On a fast link it makes many, since
//! they cost nothing; on a slow one the least that is of use. Only some devices are asked at once: two hundred
//! answers on their way together would measure the queue in front of this program.

use std::time::Duration;

use burn_model::clock::Comparison;
use burn_model::record::{ClockRecord, Phase, RunEvent};
use burn_model::time::nanos;

use super::super::message::ToAgent;
use super::{Action, Session, Stage, index};

/// Exchanges that make a comparison of clocks, at least and at most.
const LEAST_EXCHANGES: u32 = 10;
const MOST_EXCHANGES: u32 = 30;
/// Past this time no more than the least are made.
const LONG_BURST: Duration = Duration::from_secs(1);
/// How long an agent may take for all of them.
const BURST_DEADLINE: Duration = Duration::from_secs(15);
/// Devices that are asked at once.
const AT_ONCE: usize = 8;

/// A burst of probes under way.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Burst {
    phase: Phase,
    began_at: u64,
    sent: u32,
    sent_at: u64,
    best: Option<Compared>,
    longest_round_trip: Duration,
    pub(super) until: u64,
}

/// A clock as the best exchange of a burst showed it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Compared {
    pub(super) best: Comparison,
    /// When its answer came.
    at: u64,
}

impl Session {
    /// Begins with the next devices, as many as may be asked at once.
    pub(super) fn compare_next(&mut self, now: u64) {
        while self.comparing < AT_ONCE {
            let Some(device) = self.to_compare.pop_front() else { return };
            let Stage::ToCompare { phase } = self.peers[device].stage else { continue };
            self.comparing += 1;
            self.peers[device].stage = Stage::Probing(Burst {
                phase,
                began_at: now,
                sent: 1,
                sent_at: now,
                best: None,
                longest_round_trip: Duration::ZERO,
                until: now.saturating_add(nanos(BURST_DEADLINE.max(self.peers[device].part.patience))),
            });
            self.actions.push_back(Action::Send(device, ToAgent::Probe { id: 1 }));
        }
    }

    /// Takes a reading of a device's clock; asks for the next one, or goes on.
    pub(super) fn take_reading(&mut self, device: usize, id: u64, there: u64, now: u64) {
        let Stage::Probing(burst) = &mut self.peers[device].stage else { return };
        if id != u64::from(burst.sent) {
            return self.lose(device, now, "it answered a clock probe that was not asked".to_owned());
        }
        let seen = Compared { best: Comparison::of(burst.sent_at, there, now), at: now };
        let least = match burst.best {
            Some(best) if best.best.uncertainty <= seen.best.uncertainty => best,
            _ => seen,
        };
        burst.best = Some(least);
        let round_trip = Duration::from_nanos(now.saturating_sub(burst.sent_at));
        burst.longest_round_trip = burst.longest_round_trip.max(round_trip);
        let is_long = now.saturating_sub(burst.began_at) >= nanos(LONG_BURST);
        let enough = if is_long { LEAST_EXCHANGES } else { MOST_EXCHANGES };
        if burst.sent < enough {
            burst.sent += 1;
            burst.sent_at = now;
            let id = u64::from(burst.sent);
            self.actions.push_back(Action::Send(device, ToAgent::Probe { id }));
            return;
        }
        let (phase, longest) = (burst.phase, burst.longest_round_trip);
        self.comparing = self.comparing.saturating_sub(1);
        match phase {
            Phase::Before => {
                // It is recorded at the start: only then is it known how old it is by then.
                self.peers[device].clock = Some(least);
                self.peers[device].longest_round_trip = longest;
                self.peers[device].stage = Stage::Compared;
            }
            Phase::After => {
                self.record_clock(device, least, phase);
                self.peers[device].stage = Stage::Finished;
                self.actions.push_back(Action::Send(device, ToAgent::Release));
            }
        }
    }

    /// Records a comparison for each client that a device plays: they have one clock.
    pub(super) fn record_clock(&mut self, device: usize, seen: Compared, phase: Phase) {
        let Comparison { offset_ns, uncertainty } = seen.best;
        let from_start_ns = self.started_at.map(|start| start.abs_diff(seen.at));
        for client in self.peers[device].part.clients.clone().map(index) {
            self.record(RunEvent::Clock(ClockRecord { client, offset_ns, uncertainty, phase, from_start_ns }));
        }
    }
}
