//! From a workload as written to a population: defaults filled in, and checked for what goes together.

use std::time::Duration;

use burn_model::goal::{Bound, Goal};
use burn_model::plan::{Arrival, Media, Operation, Population, Rate};
use burn_model::units::ByteSize;

use super::{HOUR, LONGEST_DRAIN, MOST_OBJECTS, MediaSpec, PROCESSES, Process, Spec};
use crate::scenario::diagnostic::{Problems, Span, quoted};
use crate::scenario::preset;
use crate::scenario::quantity::{Pace, exact};
use crate::suggest;

const DEFAULT_DEADLINE: Duration = Duration::from_secs(60);
const DEFAULT_IN_FLIGHT: u32 = 100;
/// How long operations under way at the end may still finish, where their time is judged.
const DEFAULT_DRAIN: Duration = Duration::from_secs(5);
/// The default drain stays this much longer than the largest bad bound: what is cut is then known to be over it.
const DRAIN_MARGIN: Duration = Duration::from_secs(1);
const DEFAULT_PLAYER_LEVEL: Duration = Duration::from_secs(2);
const DEFAULT_PLAYER_CAP: Duration = Duration::from_secs(30);

impl Spec {
    /// The population of this name, its phase still zero; `None` where something is wrong, which is reported.
    pub(in crate::scenario) fn build(&self, name: &str, problems: &mut Problems) -> Option<Population> {
        let before = problems.len();
        if self.broken {
            return None;
        }
        let Some((size, process)) = self.object_size.zip(self.process) else {
            self.report_missing(name, problems);
            return None;
        };
        let operation = Operation { parts: self.objects.unwrap_or(1), part_bytes: size.as_bytes() };
        let arrival = self.arrival(name, process, operation, problems);
        let goals: Vec<Goal> = self.goals.iter().flatten().map(|placed| placed.goal.clone()).collect();
        let media = self.media.and_then(|media| media.build(self.place("media"), problems));
        self.check_goals(process, problems);
        let arrival = arrival?;
        let in_flight = self.in_flight(&arrival);
        self.check_in_flight(operation, in_flight, problems);
        let population = Population {
            name: name.to_owned(),
            arrival,
            operation,
            in_flight,
            deadline: self.deadline.unwrap_or(DEFAULT_DEADLINE),
            drain: self.drain.unwrap_or_else(|| default_drain(&goals)),
            goals,
            media,
        };
        (problems.len() == before).then_some(population)
    }

    fn report_missing(&self, name: &str, problems: &mut Problems) {
        let missing: Vec<&str> = [("object_size", self.object_size.is_none()), ("arrival", self.process.is_none())]
            .into_iter()
            .filter_map(|(key, missing)| missing.then_some(key))
            .collect();
        let presets: Vec<&str> = preset::names().collect();
        let hint = match suggest::nearest(name, &presets) {
            Some(preset) => format!("did you mean to change '{preset}'?"),
            None => "such as object_size = \"128 KiB\" and arrival = \"poisson\", or like = \"browsing\"".to_owned(),
        };
        let what = format!("workload {} is no preset, so it needs {}", quoted(name), missing.join(" and "));
        problems.report_with(self.at.clone(), what, hint);
    }

    fn arrival(&self, name: &str, process: Process, operation: Operation, problems: &mut Problems) -> Option<Arrival> {
        let word = PROCESSES.iter().find(|(_, known)| *known == process).map_or("", |(word, _)| word);
        let all = ["rate", "in_flight", "people", "reading_time"];
        for key in all.into_iter().filter(|key| self.places.contains_key(key) && self.has(key)) {
            if !process.keys().contains(&key) {
                let hint = format!("{word} arrivals take {}", process.keys().join(" and "));
                problems.report_with(self.place(key), format!("{key} does not go with {word} arrivals"), hint);
            }
        }
        let needs = |key: &str, example: &str, problems: &mut Problems| {
            let what = format!("workload {}: {word} arrivals need {key}, such as {key} = {example}", quoted(name));
            problems.report(self.place("arrival"), what);
        };
        let people = self.people.unwrap_or(1);
        match process {
            Process::Constant | Process::Poisson => {
                let Some(pace) = self.pace else {
                    needs("rate", "\"50/s\"", problems);
                    return None;
                };
                let rate = self.rate(pace, operation, problems)?;
                Some(match process {
                    Process::Constant => Arrival::Constant { rate, phase: Duration::ZERO },
                    _ => Arrival::Poisson { rate },
                })
            }
            Process::Closed => {
                let Some(reading_time) = self.reading_time else {
                    needs("reading_time", "\"1.5 s\"", problems);
                    return None;
                };
                Some(Arrival::Closed { people, reading_time })
            }
            Process::BackToBack => Some(Arrival::Closed { people, reading_time: Duration::ZERO }),
        }
    }

    /// Whether a value stands for the key after all inheriting.
    fn has(&self, key: &str) -> bool {
        match key {
            "rate" => self.pace.is_some(),
            "people" => self.people.is_some(),
            "reading_time" => self.reading_time.is_some(),
            _ => self.in_flight.is_some(),
        }
    }

    fn rate(&self, pace: Pace, operation: Operation, problems: &mut Problems) -> Option<Rate> {
        let rate = pace.of_operations(operation.bytes());
        let rate = rate.filter(|rate| rate.offset(1) >= Duration::from_micros(1) && rate.offset(1) <= HOUR);
        if rate.is_none() {
            let what = format!(
                "rate: between a million operations a second and one an hour (one operation is {})",
                ByteSize::from_bytes(operation.bytes())
            );
            problems.report(self.place("rate"), what);
        }
        rate
    }

    fn in_flight(&self, arrival: &Arrival) -> u32 {
        match arrival {
            Arrival::Closed { people, .. } => *people,
            _ => self.in_flight.unwrap_or(if self.media.is_some() { 1 } else { DEFAULT_IN_FLIGHT }),
        }
    }

    fn check_in_flight(&self, operation: Operation, in_flight: u32, problems: &mut Problems) {
        let key = if self.places.contains_key("people") { "people" } else { "in_flight" };
        if self.media.is_some() && (operation.parts > 1 || in_flight > 1) {
            let key = if operation.parts > 1 { "objects" } else { key };
            problems.report(self.place(key), "media arrives as one object after the other: objects = 1, one in flight");
        }
        let objects = in_flight.saturating_mul(operation.parts);
        if objects > MOST_OBJECTS {
            let what = format!(
                "{objects} objects may be in flight at once ({} of each operation, {in_flight} operations): {MOST_OBJECTS} is the most",
                operation.parts
            );
            problems.report(self.place(key), what);
        }
    }

    fn check_goals(&self, process: Process, problems: &mut Problems) {
        for placed in self.goals.iter().flatten() {
            let metric = placed.goal.bound.metric();
            let need = match placed.goal.bound {
                Bound::WindowGoodput { .. } if process != Process::Constant => "constant arrivals",
                Bound::StallRatio { .. } | Bound::StartupTime { .. } if self.media.is_none() => "media",
                _ => continue,
            };
            // A goal that came with a preset has no place of its own here.
            let at = if placed.at.is_empty() { self.place("arrival") } else { placed.at.clone() };
            problems.report_with(
                at,
                format!("a goal on {metric} needs {need}"),
                "give the workload goals of its own, or goal = [] for none",
            );
        }
    }
}

impl MediaSpec {
    fn build(self, at: Span, problems: &mut Problems) -> Option<Media> {
        let Some(bit_rate) = self.bit_rate else {
            problems.report(at, "media needs bit_rate, such as bit_rate = \"25 Mbps\"");
            return None;
        };
        let cap = self.cap.unwrap_or(DEFAULT_PLAYER_CAP);
        let start = self.start.unwrap_or(DEFAULT_PLAYER_LEVEL.min(cap));
        let resume = self.resume.unwrap_or(DEFAULT_PLAYER_LEVEL.min(cap));
        for (key, level) in [("start", start), ("resume", resume)] {
            if level > cap {
                let what =
                    format!("media: {key} is {}, and the buffer holds {} at most (cap)", exact(level), exact(cap));
                problems.report(at.clone(), what);
            }
        }
        Some(Media { bit_rate, start, resume, cap })
    }
}

/// The largest time after which an operation is useless, where there is a goal on it.
pub(in crate::scenario) fn largest_bad(goals: &[Goal]) -> Option<Duration> {
    let bads = goals.iter().filter_map(|goal| match goal.bound {
        Bound::ResponseTime { bad, .. } => Some(bad),
        _ => None,
    });
    bads.max()
}

fn default_drain(goals: &[Goal]) -> Duration {
    largest_bad(goals).map_or(Duration::ZERO, |bad| DEFAULT_DRAIN.max(bad + DRAIN_MARGIN).min(LONGEST_DRAIN))
}
