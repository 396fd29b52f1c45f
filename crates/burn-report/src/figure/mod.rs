//! A figure as data: what it shows, apart from how it is drawn.
//!
//! The same figure becomes a static drawing and what a page's script draws, so that they cannot differ. Numbers are in the unit
//! of their axis. What is not known is absent (`None`), and drawn as a gap.

mod application;
mod axis;
mod client;
mod comparison;
mod percentiles;
mod run;
mod thin;
mod time_line;

use serde::Serialize;

pub use comparison::of_comparison;
pub use run::of_run;

/// One figure: curves over a common axis, with what they are held against.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// What it is called on the command line: `response-time/laptop/browsing`, `signal/tv`, `shares`.
    pub name: String,
    /// Whose it is.
    pub subject: Subject,
    /// What it shows.
    pub kind: Kind,
    /// One line above it. May hold a client's name: data, not markup.
    pub title: String,
    /// What a reader must know to read it, and what was left out of the drawing, in sentences.
    pub caption: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The curves.
    pub curves: Vec<Curve>,
    /// Areas between two lines, each belonging to a curve.
    pub bands: Vec<Band>,
    /// Horizontal lines: goals and floors.
    pub levels: Vec<Level>,
    /// Vertical lines: something happened.
    pub marks: Vec<Mark>,
    /// Stretches of the horizontal axis that are set apart: the warm-up, a stall, what never completed.
    pub stretches: Vec<Stretch>,
}

impl Figure {
    /// The curve that stands for the figure where there is room for one: of several it is the one that goals are held against.
    #[must_use]
    pub fn principal(&self) -> Option<&Curve> {
        self.curves.iter().find(|curve| curve.name == application::P95).or_else(|| self.curves.first())
    }
}

impl Figure {
    /// The kinds of what happened in it, each with what its sign means.
    pub fn signs(&self) -> impl Iterator<Item = (MarkKind, &'static str)> {
        let kinds = [(MarkKind::Roam, "roam"), (MarkKind::Lost, "client lost"), (MarkKind::Failure, "failures")];
        kinds.into_iter().filter(|(kind, _)| self.marks.iter().any(|mark| mark.kind == *kind))
    }
}

/// Whose figure it is. The numbers are indexes into the plan's clients and into that client's populations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// The whole run's.
    Run,
    /// One client's.
    Client(usize),
    /// One application's.
    Application(usize, usize),
}

/// What a figure shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Response time by percentile, the horizontal axis by nines.
    Percentiles,
    /// Response time by second of the run in which operations were scheduled.
    ResponseTime,
    /// Payload received by second.
    Goodput,
    /// The player's buffer by second, stalls set apart.
    Buffer,
    /// The radio's signal by second.
    Signal,
    /// The radio's bit rates by second.
    BitRate,
    /// What each client received by second.
    Shares,
}

impl Kind {
    /// What the kind is called at the start of a figure's name, and in a page's classes.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Percentiles => "percentiles",
            Self::ResponseTime => "response-time",
            Self::Goodput => "goodput",
            Self::Buffer => "buffer",
            Self::Signal => "signal",
            Self::BitRate => "bit-rate",
            Self::Shares => "shares",
        }
    }

    /// Whether its horizontal axis is the run's time line, which all such figures share.
    #[must_use]
    pub const fn is_on_the_time_line(self) -> bool {
        !matches!(self, Self::Percentiles)
    }
}

/// An axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Axis {
    /// What it is, without the unit.
    pub label: String,
    /// The unit of every number on it.
    pub unit: Unit,
    /// How numbers become places.
    pub scale: Scale,
    /// From where to where.
    pub range: (f64, f64),
    /// Where a line and a number stand, rising.
    pub ticks: Vec<Tick>,
}

/// A place on an axis that is written.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tick {
    /// Where.
    pub at: f64,
    /// What is written there, with the unit where it needs one.
    pub text: String,
}

/// The unit of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Milliseconds,
    /// 10^6 bits per second.
    Mbps,
    /// Decibels relative to a milliwatt.
    Dbm,
    /// A share of one.
    Share,
}

impl Unit {
    /// As it stands behind an axis's label; a share has none.
    #[must_use]
    pub const fn symbol(self) -> Option<&'static str> {
        match self {
            Self::Seconds => Some("s"),
            Self::Milliseconds => Some("ms"),
            Self::Mbps => Some("Mbps"),
            Self::Dbm => Some("dBm"),
            Self::Share => None,
        }
    }
}

/// How numbers become places on an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Scale {
    /// Equal steps.
    Linear,
    /// Equal factors; the range is above zero.
    Logarithmic,
    /// Shares by their nines: 0, 0.9, 0.99, 0.999 … at equal steps (place = −log10(1 − share)).
    Nines,
}

/// A curve. Told from others by its name, its dash and its tone, never by tone alone.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Curve {
    /// What a legend calls it. May hold a client's name.
    pub name: String,
    /// How its points are joined.
    pub style: Style,
    /// Which of the palette's tones it has.
    pub tone: Tone,
    /// Where its points are, rising.
    pub x: Vec<f64>,
    /// As many as there are places; absent: a gap.
    pub y: Vec<Option<f64>>,
}

/// How a curve's points are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Style {
    /// Straight lines.
    Line,
    /// Straight lines, dashed.
    Dashed,
    /// Each value holds until the next place.
    Steps,
    /// Not joined.
    Points,
}

/// What a tone means. A page or a drawing gives each a colour that is told apart on its ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    /// The one that a figure is about.
    Main,
    /// What stands beside it.
    Second,
    /// Further ones, in order; past the palette's end they begin again.
    Other(usize),
    /// Something went wrong.
    Trouble,
}

/// An area around a curve.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Band {
    /// What a legend calls it.
    pub name: String,
    /// The index of its curve.
    pub curve: usize,
    /// Its places, rising.
    pub x: Vec<f64>,
    /// Its lower edge.
    pub lower: Vec<Option<f64>>,
    /// Its upper edge; absent above a known lower edge: unbounded.
    pub upper: Vec<Option<f64>>,
}

/// A horizontal line that curves are held against.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Level {
    /// What is written at it: `goal 500 ms`.
    pub text: String,
    /// Where.
    pub at: f64,
    /// What it separates.
    pub kind: LevelKind,
}

/// What a level separates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LevelKind {
    /// Good from less than good.
    Good,
    /// Less than good from bad.
    Bad,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mark {
    /// What, in few words. May hold another host's name.
    pub text: String,
    /// Where.
    pub at: f64,
    /// Of which kind.
    pub kind: MarkKind,
}

/// Kinds of what happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MarkKind {
    /// A device went from one access point to another.
    Roam,
    /// A client was lost.
    Lost,
    /// Operations failed, timed out or were never sent.
    Failure,
}

/// A part of the horizontal axis that is set apart.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stretch {
    /// Why: `warm-up, not judged`.
    pub text: String,
    /// From where.
    pub from: f64,
    /// To where.
    pub to: f64,
    /// Of which kind.
    pub kind: StretchKind,
}

/// Kinds of stretches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StretchKind {
    /// Outside of the judged time.
    NotJudged,
    /// The player stood still.
    Stall,
    /// Operations that never completed.
    Never,
    /// The radio was on one channel: nothing is wrong, and it is written above what it told.
    Radio,
}

/// A figure's name, from its kind and from whose it is.
fn name(kind: Kind, whose: &[&str]) -> String {
    std::iter::once(kind.word()).chain(whose.iter().copied()).collect::<Vec<_>>().join("/")
}

/// A figure's title: `laptop browsing: response time`.
fn title(what: &str, whose: &[&str]) -> String {
    format!("{}: {what}", whose.join(" "))
}

/// The beginning of what another host said, where it is long: a figure is no place for a megabyte.
fn brief(text: &str) -> String {
    const MOST: usize = 120;
    let mut kept: String = text.chars().take(MOST).collect();
    if kept.len() < text.len() {
        kept.push('…');
    }
    kept
}

#[expect(
    clippy::cast_precision_loss,
    reason = "seconds and bytes past 2^53 do not come up, and a drawing does not show them"
)]
const fn float(n: u64) -> f64 {
    n as f64
}
