//! One client: its engine, its link, its radio, and its end.

use std::ops::Range;
use std::time::Duration;

use burn_load::engine::Engine;
use burn_model::plan::Plan;
use burn_model::record::{ClientState, RunEvent, UsageRecord, WitnessRecord};
use burn_model::time::Moment;

use super::link::{Link, Quality};
use super::names;
use super::radio::Radio;

/// A client in the middle of a run that is made up.
pub(super) struct Client {
    pub(super) number: u32,
    name: String,
    engine: Engine,
    link: Link,
    radio: Option<Radio>,
    /// When it is lost, and why.
    lost: Option<(Moment, String)>,
}

impl Client {
    /// Of a household of several the last one is lost near the end.
    pub(super) fn new(plan: &Plan, number: u32, hostile: bool) -> Option<Self> {
        let place = usize::try_from(number).ok()?;
        let name = plan.clients.get(place)?.name.clone();
        let part = |tenths: u32| Moment::START + plan.warm_up + plan.duration / 10 * tenths;
        let mean = |from: Moment, lasts: u64| -> Range<Moment> { from..from + Duration::from_millis(lasts) };
        // Laptops and phones walk about: the phone in the first half, the laptop in the second.
        let roams_at = match number % 4 {
            0 => Some(part(7) + Duration::from_millis(340)),
            2 => Some(part(4) + Duration::from_millis(720)),
            _ => None,
        };
        let quality = Quality {
            bps: [80e6, 45e6, 20e6, 120e6].get(place % 4).copied()?,
            round_trip: Duration::from_millis(4),
            fails_once_in: [150, 100_000, 4_000, 100_000].get(place % 4).copied()?,
            // To roam takes a second and a half of silence.
            outages: roams_at.map(|at| mean(at, 1500)).into_iter().collect(),
            // In the TV's corner somebody heats up dinner.
            interference: (number % 4 == 1).then(|| mean(part(5), 6_000)),
        };
        let is_last = place > 0 && place + 1 == plan.clients.len();
        let reason = || if hostile { names::long() } else { "the connection broke".to_owned() };
        let seed = |what: &str| plan.seed_for(&format!("{what} of client {number}"));
        Some(Self {
            number,
            name,
            engine: Engine::new(plan, place)?,
            link: Link::new(quality, seed("link")),
            // Desktops hang on a cable.
            radio: (number % 4 != 3).then(|| Radio::new(number, hostile, roams_at, seed("radio"))),
            lost: is_last.then(|| (part(9), reason())),
        })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) const fn is_lost(&self) -> bool {
        self.lost.is_some()
    }

    /// What is told of a second when it is over.
    pub(super) fn second(&mut self, second: u64) -> Vec<RunEvent> {
        let gone = self.lost.as_ref().map(|(at, _)| at.second());
        if gone.is_some_and(|gone| second > gone) {
            return Vec::new();
        }
        self.link.drive(&mut self.engine, Moment::from_secs(second + 1));
        let mut events: Vec<RunEvent> = std::iter::from_fn(|| self.engine.poll_event()).collect();
        if let Some((at, reason)) = self.lost.as_ref().filter(|(at, _)| at.second() == second) {
            let state = ClientState::Lost { reason: reason.clone() };
            return vec![RunEvent::Client { client: self.number, state, at: Some(*at) }];
        }
        let witnessed: Vec<RunEvent> = events.iter().filter_map(witness).collect();
        let received: u64 = events.iter().filter_map(bytes).sum();
        events.extend(witnessed);
        let driver_cpu = 0.03 + f64::from(u32::try_from(received >> 20).unwrap_or(0)) / 400.0;
        events.push(RunEvent::Usage(UsageRecord {
            client: self.number,
            second,
            driver_cpu,
            machine_cpu: Some(driver_cpu / 2.0),
            resident_bytes: Some(9 << 20),
        }));
        if let Some(radio) = &mut self.radio {
            events.extend(radio.roam(second).map(RunEvent::Roam));
            events.push(RunEvent::Telemetry(Box::new(radio.second(second, received))));
        }
        events
    }

    /// What is left after the last second.
    pub(super) fn rest(&mut self) -> Vec<RunEvent> {
        if self.is_lost() {
            return Vec::new();
        }
        self.link.drive(&mut self.engine, Moment::NEVER);
        std::iter::from_fn(|| self.engine.poll_event()).collect()
    }
}

fn bytes(event: &RunEvent) -> Option<u64> {
    match event {
        RunEvent::Interval(record) => Some(record.bytes),
        _ => None,
    }
}

/// The server's account of a second of an application: always something to send, and only the network to wait for.
fn witness(event: &RunEvent) -> Option<RunEvent> {
    let RunEvent::Interval(record) = event else { return None };
    let second = Duration::from_secs(1);
    Some(RunEvent::Witness(Box::new(WitnessRecord {
        client: record.client,
        population: record.population,
        from: Moment::from_secs(record.second),
        to: Moment::from_secs(record.second + 1),
        uncertainty: Duration::from_micros(140),
        replies: record.tally.completed,
        bytes: record.bytes,
        busy: if record.bytes > 0 { second.mul_f64(0.97) } else { Duration::ZERO },
        rwnd_limited: Duration::ZERO,
        sndbuf_limited: Duration::ZERO,
        connections: None,
    })))
}
