//! What was asked: who does what, when it should start, for how long, and what is good enough.
//!
//! A plan is complete. Presets, defaults and the seed's draws are already in it, so that two hosts that hold
//! the same plan do the same thing, and its [digest](Plan::digest) names it in a report.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::goal::{Bound, Goal};
use crate::time::{Moment, as_nanos, nanos};
use crate::units::BitRate;

/// Everything that a run is asked to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// What the scenario is called.
    pub name: String,
    /// All randomness of the run comes from here.
    pub seed: u64,
    /// How long the load runs before it is judged.
    #[serde(with = "as_nanos", rename = "warm_up_ns")]
    pub warm_up: Duration,
    /// How long it is judged, after the warm-up.
    #[serde(with = "as_nanos", rename = "duration_ns")]
    pub duration: Duration,
    /// Whether every single operation is written to the run file too.
    pub keep_operations: bool,
    /// Who takes part.
    pub clients: Vec<ClientPlan>,
}

/// One client's part of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClientPlan {
    /// The client's name, unique in the plan.
    pub name: String,
    /// What the client does, all at the same time.
    pub populations: Vec<Population>,
}

/// A stream of like operations: one application on one client.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Population {
    /// The application's name, unique within its client.
    pub name: String,
    /// When operations are scheduled.
    pub arrival: Arrival,
    /// What one operation is.
    pub operation: Operation,
    /// How many operations may be under way at once; further ones wait for a slot, and their waiting counts.
    pub in_flight: u32,
    /// How long an operation may take, from the moment it was ready to go, before it counts as timed out.
    #[serde(with = "as_nanos", rename = "deadline_ns")]
    pub deadline: Duration,
    /// How long after the end of the load an operation under way may still finish. Zero cuts it at the end:
    /// it is then neither completed nor failed, and stays "in flight".
    #[serde(with = "as_nanos", rename = "drain_ns")]
    pub drain: Duration,
    /// What is good enough.
    pub goals: Vec<Goal>,
    /// Set where the bytes are media that is played while it arrives.
    pub media: Option<Media>,
}

/// When the operations of a population are scheduled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "process", rename_all = "snake_case")]
pub enum Arrival {
    /// Open: operation `i` at `phase + i / rate`, whatever became of the others.
    Constant {
        /// How often.
        rate: Rate,
        /// When the first one is due. Drawn from the seed, so that twenty calls do not speak in step.
        #[serde(with = "as_nanos", rename = "phase_ns")]
        phase: Duration,
    },
    /// Open: independent arrivals, the gaps exponential with mean `1 / rate`.
    Poisson {
        /// How often, in the mean.
        rate: Rate,
    },
    /// Closed: each of `people` starts the next operation a reading time after the last one ended, however it
    /// ended. Reading times are exponential with the given mean, and start the run too; a mean of zero is
    /// "back to back".
    Closed {
        /// How many people.
        people: u32,
        /// The mean reading time.
        #[serde(with = "as_nanos", rename = "reading_time_ns")]
        reading_time: Duration,
    },
}

/// An exact rate: `operations` in every `per`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rate {
    /// How many operations.
    pub operations: u64,
    /// In how much time, in nanoseconds.
    pub per_ns: u64,
}

impl Rate {
    /// `operations` each second.
    #[must_use]
    pub const fn per_second(operations: u64) -> Self {
        Self { operations, per_ns: 1_000_000_000 }
    }

    /// The rate at which operations of `bytes` each make up `bit_rate`; `None` where that does not fit.
    #[must_use]
    pub fn of_bit_rate(bit_rate: BitRate, bytes: u64) -> Option<Self> {
        let per_ns = bytes.checked_mul(8_000_000_000)?;
        (bit_rate.as_bps() > 0 && per_ns > 0).then_some(Self { operations: bit_rate.as_bps(), per_ns })
    }

    /// How long after the first operation the `index`-th one is due: computed from the index, so that no
    /// rounding adds up. Rounded down to whole nanoseconds, saturating.
    #[must_use]
    pub fn offset(self, index: u64) -> Duration {
        let nanos = u128::from(index) * u128::from(self.per_ns) / u128::from(self.operations.max(1));
        Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
    }
}

/// One operation: `parts` pieces of `part_bytes` each, fetched side by side. It ends with its last byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operation {
    /// How many pieces.
    pub parts: u32,
    /// Bytes of a piece.
    pub part_bytes: u64,
}

impl Operation {
    /// Bytes of the whole operation.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        self.part_bytes.saturating_mul(self.parts as u64)
    }
}

/// How media is played: the playback model's parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Media {
    /// How fast playing eats bytes.
    #[serde(rename = "bit_rate_bps")]
    pub bit_rate: BitRate,
    /// Playback starts when this much is buffered.
    #[serde(with = "as_nanos", rename = "start_ns")]
    pub start: Duration,
    /// After a stall, playback resumes when this much is buffered.
    #[serde(with = "as_nanos", rename = "resume_ns")]
    pub resume: Duration,
    /// The buffer holds no more than this; what comes beyond is not played.
    #[serde(with = "as_nanos", rename = "cap_ns")]
    pub cap: Duration,
}

impl Plan {
    /// When the load ends, and with it the time that is judged.
    #[must_use]
    pub fn end(&self) -> Moment {
        Moment::START + self.warm_up + self.duration
    }

    /// When the time that is judged begins.
    #[must_use]
    pub fn judged_from(&self) -> Moment {
        Moment::START + self.warm_up
    }

    /// The longest drain of any population.
    #[must_use]
    pub fn drain(&self) -> Duration {
        let populations = self.clients.iter().flat_map(|client| &client.populations);
        populations.map(|population| population.drain).max().unwrap_or_default()
    }

    /// Names the plan: the first 16 hexadecimal digits of the SHA-256 of its JSON form.
    #[must_use]
    pub fn digest(&self) -> String {
        // A plan holds only numbers and strings; JSON has a form for all of them.
        let json = serde_json::to_vec(self).unwrap_or_default();
        Sha256::digest(&json).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }

    /// A seed for one purpose, different for each purpose and each run seed.
    #[must_use]
    pub fn seed_for(&self, purpose: &str) -> u64 {
        let mut hash = Sha256::new();
        hash.update(self.seed.to_be_bytes());
        hash.update(purpose.as_bytes());
        hash.finalize().iter().take(8).fold(0, |seed, byte| seed << 8 | u64::from(*byte))
    }

    /// Checks a plan that came from a file or another host against the bounds that every part of the program
    /// counts on.
    ///
    /// # Errors
    /// The first thing that is out of bounds, with where it is.
    pub fn validate(&self) -> Result<(), PlanError> {
        let bad = |place: String, what: &str| Err(PlanError { place, what: what.to_owned() });
        let run = || "the run".to_owned();
        if self.clients.is_empty() || self.clients.len() > 1000 {
            return bad(run(), "needs between 1 and 1000 clients");
        }
        if self.duration < Duration::from_secs(1) || self.duration > Duration::from_secs(24 * 3600) {
            return bad(run(), "is judged for between 1 s and 24 h");
        }
        if self.warm_up > Duration::from_secs(3600) {
            return bad(run(), "warms up for an hour at most");
        }
        for (i, client) in self.clients.iter().enumerate() {
            let place = || format!("client '{}'", client.name);
            if !is_name(&client.name) {
                return bad(
                    format!("client {}", i + 1),
                    "needs a name of 1 to 64 characters, none a control character",
                );
            }
            if self.clients[..i].iter().any(|other| other.name == client.name) {
                return bad(place(), "has a name that another client has too");
            }
            if client.populations.is_empty() || client.populations.len() > 64 {
                return bad(place(), "runs between 1 and 64 workloads");
            }
            for (j, population) in client.populations.iter().enumerate() {
                let place = || format!("client '{}', workload '{}'", client.name, population.name);
                if !is_name(&population.name) {
                    return bad(place(), "needs a name of 1 to 64 characters, none a control character");
                }
                if client.populations[..j].iter().any(|other| other.name == population.name) {
                    return bad(place(), "stands twice");
                }
                if let Err(what) = population.validate() {
                    return bad(place(), &what);
                }
            }
        }
        Ok(())
    }
}

impl Population {
    /// Whether arrivals wait for replies.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        matches!(self.arrival, Arrival::Closed { .. })
    }

    /// The length of the windows in which goodput is judged, where it is: `window` rounded up to whole periods
    /// of a constant schedule, given in periods and as a duration.
    #[must_use]
    pub fn goodput_window(&self, window: Duration) -> Option<(u64, Duration)> {
        let Arrival::Constant { rate, .. } = self.arrival else { return None };
        let periods =
            (u128::from(nanos(window)) * u128::from(rate.operations)).div_ceil(u128::from(rate.per_ns).max(1)).max(1);
        let periods = u64::try_from(periods).ok()?;
        Some((periods, rate.offset(periods)))
    }

    fn validate(&self) -> Result<(), String> {
        const HOUR: Duration = Duration::from_secs(3600);
        let within = |ok: bool, what: &str| if ok { Ok(()) } else { Err(what.to_owned()) };
        within((1..=64).contains(&self.operation.parts), "an operation has between 1 and 64 objects")?;
        within((1..=1 << 30).contains(&self.operation.part_bytes), "an object has between 1 B and 1 GiB")?;
        within((1..=10_000).contains(&self.in_flight), "between 1 and 10,000 operations may be in flight")?;
        within(
            self.in_flight.saturating_mul(self.operation.parts) <= 10_000,
            "objects in flight (objects of an operation times operations in flight) are 10,000 at most",
        )?;
        within(
            self.deadline >= Duration::from_millis(1) && self.deadline <= HOUR,
            "the deadline is between 1 ms and 1 h",
        )?;
        within(self.drain <= Duration::from_secs(60), "the drain is 60 s at most")?;
        match self.arrival {
            Arrival::Constant { rate, .. } | Arrival::Poisson { rate } => {
                within(rate.operations > 0 && rate.per_ns > 0, "a rate is above zero")?;
                let period = rate.offset(1);
                within(period >= Duration::from_micros(1), "the rate is a million operations a second at most")?;
                within(rate.per_ns / rate.operations <= nanos(HOUR), "the rate is one operation an hour at least")?;
                if let Arrival::Constant { phase, .. } = self.arrival {
                    within(phase <= HOUR, "the first operation is due within an hour")?;
                }
            }
            Arrival::Closed { people, reading_time } => {
                within(people == self.in_flight, "a closed population has as many operations in flight as people")?;
                within(reading_time <= HOUR, "the mean reading time is an hour at most")?;
            }
        }
        if let Some(media) = self.media {
            within(self.operation.parts == 1 && self.in_flight == 1, "media arrives as one object after the other")?;
            within(media.bit_rate.as_bps() > 0, "media has a bit rate above zero")?;
            within(
                media.start <= media.cap && media.resume <= media.cap && media.cap <= HOUR,
                "the player's start and resume levels lie within its buffer",
            )?;
        }
        within(self.goals.len() <= 16, "at most 16 goals")?;
        for goal in &self.goals {
            self.validate_goal(goal)?;
        }
        Ok(())
    }

    fn validate_goal(&self, goal: &Goal) -> Result<(), String> {
        let share = |value: f64| (0.0..=1.0).contains(&value);
        let ok = match goal.bound {
            Bound::ResponseTime { quantile, good, bad } => quantile > 0.0 && quantile < 1.0 && good <= bad,
            Bound::FailedShare { good, bad } => share(good) && share(bad) && good <= bad,
            Bound::WindowGoodput { window, floor } => {
                let constant = matches!(self.arrival, Arrival::Constant { .. });
                constant
                    && floor.as_bps() > 0
                    && window >= Duration::from_millis(100)
                    && window <= Duration::from_secs(3600)
            }
            Bound::StallRatio { good, bad } => self.media.is_some() && share(good) && share(bad) && good <= bad,
            Bound::StartupTime { good, bad } => self.media.is_some() && good <= bad,
        };
        if ok {
            return Ok(());
        }
        Err(format!(
            "its goal on {} does not hold together (good is at least as strict as bad, shares are 0 to 1, window_goodput needs constant \
             arrivals, stall_ratio and startup_time need media)",
            goal.bound.metric()
        ))
    }
}

fn is_name(name: &str) -> bool {
    (1..=64).contains(&name.chars().count()) && !name.chars().any(char::is_control)
}

/// A plan is out of bounds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place} {what}")]
pub struct PlanError {
    place: String,
    what: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operation_times_are_computed_from_the_index() {
        // 1 MiB at 25 Mbps: 1,048,576 × 8 / 25,000,000 s = 335.54432 ms; the millionth is due at 335,544.32 s.
        let rate = Rate::of_bit_rate(BitRate::from_mbps(25), 1 << 20).unwrap();
        assert_eq!(rate.offset(1), Duration::from_nanos(335_544_320));
        assert_eq!(rate.offset(1_000_000), Duration::from_nanos(335_544_320_000_000));
        // A third of a second is not a whole number of nanoseconds; the third one is due at 1 s all the same.
        assert_eq!(Rate::per_second(3).offset(1), Duration::from_nanos(333_333_333));
        assert_eq!(Rate::per_second(3).offset(3), Duration::from_secs(1));
    }

    #[test]
    fn goodput_windows_are_whole_periods() {
        let population = Population {
            name: "stream".into(),
            arrival: Arrival::Constant {
                rate: Rate::of_bit_rate(BitRate::from_mbps(25), 1 << 20).unwrap(),
                phase: Duration::ZERO,
            },
            operation: Operation { parts: 1, part_bytes: 1 << 20 },
            in_flight: 1,
            deadline: Duration::from_secs(30),
            drain: Duration::ZERO,
            goals: vec![],
            media: None,
        };
        // 4 s / 335.54432 ms = 11.92 periods, so 12 of them: 4.02653184 s.
        assert_eq!(population.goodput_window(Duration::from_secs(4)), Some((12, Duration::from_nanos(4_026_531_840))));
    }

    #[test]
    fn seeds_differ_by_purpose_and_by_run() {
        let plan = |seed| Plan {
            name: "t".into(),
            seed,
            warm_up: Duration::ZERO,
            duration: Duration::from_secs(1),
            keep_operations: false,
            clients: vec![],
        };
        assert_ne!(plan(1).seed_for("a"), plan(1).seed_for("b"));
        assert_ne!(plan(1).seed_for("a"), plan(2).seed_for("a"));
        assert_eq!(plan(1).seed_for("a"), plan(1).seed_for("a"));
    }
}
