//! Workloads as a scenario writes them: read, laid over what they are like, and built into a population.

use std::collections::BTreeMap;
use std::time::Duration;

use burn_model::goal::{Bound, Goal};
use burn_model::plan::{Arrival, Media, Operation, Population, Rate};
use burn_model::units::{BitRate, ByteSize};

use super::diagnostic::{Problems, Span, quoted};
use super::fields::{Entry, Fields};
use super::goal::{self, PlacedGoal};
use super::quantity::{Pace, exact};
use super::{preset, suggest};

/// The keys of a workload.
const KEYS: [&str; 14] = [
    "like",
    "description",
    "source",
    "objects",
    "object_size",
    "arrival",
    "rate",
    "people",
    "reading_time",
    "in_flight",
    "deadline",
    "drain",
    "media",
    "goal",
];
const MEDIA_KEYS: [&str; 4] = ["bit_rate", "start", "resume", "cap"];

const HOUR: Duration = Duration::from_secs(3600);
const DEFAULT_DEADLINE: Duration = Duration::from_secs(60);
const DEFAULT_IN_FLIGHT: u32 = 100;
const LONGEST_DRAIN: Duration = Duration::from_secs(60);
/// How long operations under way at the end may still finish, where their time is judged.
const DEFAULT_DRAIN: Duration = Duration::from_secs(5);
/// The default drain stays this much longer than the largest bad bound: what is cut is then known to be over it.
const DRAIN_MARGIN: Duration = Duration::from_secs(1);
const DEFAULT_PLAYER_LEVEL: Duration = Duration::from_secs(2);
const DEFAULT_PLAYER_CAP: Duration = Duration::from_secs(30);
const MOST_GOALS: usize = 16;
/// The most objects of one population in flight.
const MOST_OBJECTS: u32 = 10_000;

/// A workload as written: what is absent comes from what it is like, or from the defaults.
#[derive(Clone, Debug, Default)]
pub(super) struct Spec {
    /// Where the workload stands in the file.
    pub(super) at: Span,
    /// What it is like, where it says so.
    pub(super) like: Option<(String, Span)>,
    pub(super) description: Option<String>,
    pub(super) source: Option<String>,
    /// Whether something in it is wrong; it was reported then.
    pub(super) broken: bool,
    /// Where each key stands, of those that the file itself gives.
    places: BTreeMap<&'static str, Span>,
    objects: Option<u32>,
    object_size: Option<ByteSize>,
    process: Option<Process>,
    pace: Option<Pace>,
    people: Option<u32>,
    reading_time: Option<Duration>,
    in_flight: Option<u32>,
    deadline: Option<Duration>,
    drain: Option<Duration>,
    media: Option<MediaSpec>,
    goals: Option<Vec<PlacedGoal>>,
}

/// The word for when operations start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Process {
    Constant,
    Poisson,
    Closed,
    BackToBack,
}

const PROCESSES: [(&str, Process); 4] = [
    ("constant", Process::Constant),
    ("poisson", Process::Poisson),
    ("closed", Process::Closed),
    ("back-to-back", Process::BackToBack),
];

impl Process {
    /// Which of the keys that say more about arrivals belong to it.
    const fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Constant | Self::Poisson => &["rate", "in_flight"],
            Self::Closed => &["people", "reading_time"],
            Self::BackToBack => &["people"],
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct MediaSpec {
    bit_rate: Option<BitRate>,
    start: Option<Duration>,
    resume: Option<Duration>,
    cap: Option<Duration>,
}

impl Spec {
    /// Reads a `[workload.NAME]`.
    pub(super) fn read(entry: Entry<'_>, at: Span, problems: &mut Problems) -> Self {
        let before = problems.len();
        let mut spec = Self { at, ..Self::default() };
        if let Some(fields) = Fields::read(entry, "a table under [workload.NAME]", &KEYS, problems) {
            for key in KEYS {
                if let Some(entry) = fields.get(key) {
                    spec.places.insert(key, entry.span());
                    spec.set(key, entry, problems);
                }
            }
        }
        spec.broken = problems.len() > before;
        spec
    }

    fn set(&mut self, key: &'static str, entry: Entry<'_>, problems: &mut Problems) {
        let sizes = ByteSize::from_bytes(1)..=ByteSize::from_bytes(1 << 30);
        match key {
            "like" => self.like = entry.text("browsing", problems).map(|name| (name.to_owned(), entry.span())),
            "description" => self.description = entry.text("what it does", problems).map(str::to_owned),
            "source" => self.source = entry.text("where the numbers come from", problems).map(str::to_owned),
            "objects" => self.objects = entry.count(1..=64, problems),
            "object_size" => self.object_size = entry.size(sizes, problems),
            "arrival" => self.process = entry.word(&PROCESSES, problems),
            "rate" => self.pace = read_pace(entry, problems),
            "people" => self.people = entry.count(1..=MOST_OBJECTS, problems),
            "reading_time" => self.reading_time = entry.duration(Duration::ZERO..=HOUR, problems),
            "in_flight" => self.in_flight = entry.count(1..=MOST_OBJECTS, problems),
            "deadline" => self.deadline = entry.duration(Duration::from_millis(1)..=HOUR, problems),
            "drain" => self.drain = entry.duration(Duration::ZERO..=LONGEST_DRAIN, problems),
            "media" => self.media = read_media(entry, problems),
            _ => self.goals = read_goals(entry, problems),
        }
    }

    /// This workload where it says something, `base` where it does not.
    pub(super) fn over(self, base: Self) -> Self {
        let process = self.process.or(base.process);
        // What the base says about its own kind of arrivals does not carry over to another kind.
        let carries = |key| process.is_none_or(|process| process.keys().contains(&key));
        let mut places = base.places;
        places.extend(self.places);
        Self {
            at: self.at,
            like: None,
            description: self.description.or(base.description),
            source: self.source.or(base.source),
            broken: self.broken || base.broken,
            places,
            objects: self.objects.or(base.objects),
            object_size: self.object_size.or(base.object_size),
            process,
            pace: self.pace.or(base.pace.filter(|_| carries("rate"))),
            people: self.people.or(base.people.filter(|_| carries("people"))),
            reading_time: self.reading_time.or(base.reading_time.filter(|_| carries("reading_time"))),
            in_flight: self.in_flight.or(base.in_flight.filter(|_| carries("in_flight"))),
            deadline: self.deadline.or(base.deadline),
            drain: self.drain.or(base.drain),
            media: match (self.media, base.media) {
                (Some(own), Some(base)) => Some(own.over(base)),
                (own, base) => own.or(base),
            },
            goals: self.goals.or(base.goals),
        }
    }

    /// The same workload as seen from another text: its places there mean nothing here.
    pub(super) fn elsewhere(mut self) -> Self {
        self.places.clear();
        for goal in self.goals.iter_mut().flatten() {
            goal.at = Span::default();
        }
        self
    }

    fn place(&self, key: &str) -> Span {
        self.places.get(key).unwrap_or(&self.at).clone()
    }

    /// The population of this name, its phase still zero; `None` where something is wrong, which is reported.
    pub(super) fn build(&self, name: &str, problems: &mut Problems) -> Option<Population> {
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
    fn over(self, base: Self) -> Self {
        Self {
            bit_rate: self.bit_rate.or(base.bit_rate),
            start: self.start.or(base.start),
            resume: self.resume.or(base.resume),
            cap: self.cap.or(base.cap),
        }
    }

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

fn read_pace(entry: Entry<'_>, problems: &mut Problems) -> Option<Pace> {
    let text = entry.text("50/s", problems)?;
    let pace = Pace::parse(text);
    if pace.is_none() {
        let why = format!("{} is not a rate: write it like 50/s, 1 per 335 ms or 25 Mbps", quoted(text));
        entry.refuse(&why, problems);
    }
    pace
}

fn read_media(entry: Entry<'_>, problems: &mut Problems) -> Option<MediaSpec> {
    let fields = Fields::read(entry, "a table such as { bit_rate = \"25 Mbps\" }", &MEDIA_KEYS, problems)?;
    let rates = BitRate::from_bps(1000)..=BitRate::from_mbps(100_000);
    let mut level = |key| fields.get(key).and_then(|entry| entry.duration(Duration::ZERO..=HOUR, problems));
    let (start, resume, cap) = (level("start"), level("resume"), level("cap"));
    let bit_rate = fields.get("bit_rate").and_then(|entry| entry.bit_rate(rates, problems));
    Some(MediaSpec { bit_rate, start, resume, cap })
}

fn read_goals(entry: Entry<'_>, problems: &mut Problems) -> Option<Vec<PlacedGoal>> {
    let entries = entry.list("tables under [[workload.NAME.goal]], or goal = [] for none", problems)?;
    if entries.len() > MOST_GOALS {
        entry.refuse(&format!("{MOST_GOALS} goals at most, found {}", entries.len()), problems);
        return None;
    }
    Some(entries.into_iter().filter_map(|entry| goal::read(entry, problems)).collect())
}

/// The largest time after which an operation is useless, where there is a goal on it.
pub(super) fn largest_bad(goals: &[Goal]) -> Option<Duration> {
    let bads = goals.iter().filter_map(|goal| match goal.bound {
        Bound::ResponseTime { bad, .. } => Some(bad),
        _ => None,
    });
    bads.max()
}

fn default_drain(goals: &[Goal]) -> Duration {
    largest_bad(goals).map_or(Duration::ZERO, |bad| DEFAULT_DRAIN.max(bad + DRAIN_MARGIN).min(LONGEST_DRAIN))
}
