//! Workloads as a scenario writes them: read, and laid over what they are like.

use std::collections::BTreeMap;
use std::time::Duration;

use burn_model::units::{BitRate, ByteSize};

use super::diagnostic::{Problems, Span, quoted};
use super::fields::{Entry, Fields};
use super::goal::{self, PlacedGoal};
use super::quantity::Pace;

mod build;

pub(super) use build::largest_bad;

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
const LONGEST_DRAIN: Duration = Duration::from_secs(60);
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
