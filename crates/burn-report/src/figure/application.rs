//! An application on the time line: response time, goodput, buffer.

use std::time::Duration;

use burn_model::goal::{Bound, Counts, Goal};
use burn_model::judge::ApplicationJudgement;
use burn_model::plan::Population;
use burn_model::run::SecondSummary;
use burn_model::units::format_bound;

use super::axis::{from_zero, logarithmic};
use super::percentiles::{levels, milliseconds};
use super::thin::Points;
use super::time_line::{TimeLine, middle, points};
use super::{
    Axis, Curve, Figure, Kind, Level, LevelKind, Mark, Stretch, StretchKind, Style, Subject, Tone, Unit, float, name,
    title,
};
use crate::numbers::bound_rate;

/// What the curve of the 95 % quantile of each second is called.
pub(super) const P95: &str = "p95";

/// An application, with what every one of its figures needs.
pub(super) struct Application<'a> {
    pub(super) line: &'a TimeLine<'a>,
    pub(super) client: usize,
    pub(super) population: usize,
    pub(super) judged: &'a ApplicationJudgement,
    pub(super) plan: &'a Population,
    pub(super) seconds: Vec<SecondSummary>,
}

impl Application<'_> {
    /// Response time by the second in which operations were due; `None` where none was.
    pub(super) fn response_time(&self) -> Option<Figure> {
        let curves = self.response_time_curves();
        curves.iter().any(|curve| !curve.x.is_empty()).then_some(())?;
        let levels = self.deciding_levels();
        let values = curves.iter().flat_map(|curve| curve.y.iter().flatten().copied());
        let y = logarithmic("response time", Unit::Milliseconds, values.chain(levels.iter().map(|level| level.at)));
        let mut caption =
            "Each operation counts in the second in which it was due, so that a stall is felt by all that fell due in \
                           it. Where a line has a gap, the operations of that rank did not complete."
                .to_owned();
        if self.plan.is_closed() {
            caption.push_str(
                " This application waits for each reply before it asks again, so that it asks for less in trouble.",
            );
        }
        Some(Figure { levels, ..self.figure(Kind::ResponseTime, "response time", caption, y, curves) })
    }

    /// What decides; what counts for the score alone stands in the percentiles.
    pub(super) fn deciding_levels(&self) -> Vec<Level> {
        let decides = |goal: &&Goal| goal.counts == Counts::Verdict;
        levels(&self.plan.goals.iter().filter(decides).cloned().collect::<Vec<_>>())
    }

    /// Median, 95 % quantile and longest.
    fn response_time_curves(&self) -> Vec<Curve> {
        vec![
            self.line.curve("p50", Style::Line, Tone::Main, self.by_second(|second| second.times.p50)),
            self.p95_curve(P95, Style::Dashed, Tone::Second),
            self.line.curve("longest", Style::Points, Tone::Other(0), self.by_second(|second| second.times.max)),
        ]
    }

    pub(super) fn p95_curve(&self, name: &str, style: Style, tone: Tone) -> Curve {
        self.line.curve(name, style, tone, self.by_second(|second| second.times.p95))
    }

    fn by_second(&self, value: fn(&SecondSummary) -> Option<Duration>) -> Points {
        // A second in which nothing was due says nothing, and is no gap.
        let due = self.seconds.iter().filter(|second| second.scheduled > 0);
        due.map(|second| (middle(second.second), value(second).map(milliseconds))).collect()
    }

    /// Payload by the second in which it arrived.
    pub(super) fn goodput(&self) -> Option<Figure> {
        let curve = self.goodput_curve("goodput", Style::Steps, Tone::Main);
        curve.y.iter().flatten().any(|mbps| *mbps > 0.0).then_some(())?;
        let floor = self.floor();
        let mut caption =
            "Payload by the second in which it arrived, without headers and without what was sent twice.".to_owned();
        if let Some((_, window)) = &floor {
            caption.push_str(&format!(
                " The floor is judged in windows of {}, wherever they begin: one second under it is not yet a miss.",
                format_bound(*window)
            ));
        }
        let levels: Vec<Level> = floor.into_iter().map(|(level, _)| level).collect();
        let values = curve.y.iter().flatten().copied().chain(levels.iter().map(|level| level.at));
        let y = from_zero("goodput", Unit::Mbps, values);
        Some(Figure { levels, ..self.figure(Kind::Goodput, "goodput", caption, y, vec![curve]) })
    }

    /// The floor of a goal on windows of goodput, with how long a window is.
    pub(super) fn floor(&self) -> Option<(Level, Duration)> {
        self.plan.goals.iter().find_map(|goal| match goal.bound {
            Bound::WindowGoodput { window, floor } => {
                let text = format!("floor {} in any {}", bound_rate(floor.as_mbps() * 1e6), format_bound(window));
                Some((Level { text, at: floor.as_mbps(), kind: LevelKind::Good }, window))
            }
            _ => None,
        })
    }

    pub(super) fn goodput_curve(&self, name: &str, style: Style, tone: Tone) -> Curve {
        let mbps = |second: &SecondSummary| (second.second, Some(float(second.bytes) * 8.0 / 1e6));
        let mut points = points(self.seconds.iter().map(mbps), 1, if style == Style::Steps { float } else { middle });
        if style == Style::Steps
            && let Some((at, last)) = points.last().copied()
        {
            points.push((at + 1.0, last));
        }
        self.line.curve(name, style, tone, points)
    }

    /// The player's buffer; `None` where nothing was played.
    pub(super) fn buffer(&self) -> Option<Figure> {
        let level = |second: &SecondSummary| {
            let playback = second.playback?;
            Some((second.second, playback.lowest_buffer_ns.map(|ns| float(ns) / 1e9)))
        };
        let curve = self.line.curve(
            "lowest level",
            Style::Line,
            Tone::Main,
            points(self.seconds.iter().filter_map(level), 1, middle),
        );
        let stalls = self.stalls();
        if curve.y.iter().all(Option::is_none) && stalls.is_empty() {
            return None;
        }
        let y = from_zero("buffered media", Unit::Seconds, curve.y.iter().flatten().copied());
        let caption = "The least media time that was ready to be played in each second, by a model of a player. At zero the picture \
                       stands still."
            .to_owned();
        let mut figure = self.figure(Kind::Buffer, "player's buffer", caption, y, vec![curve]);
        figure.stretches.extend(stalls);
        Some(figure)
    }

    /// Rows of seconds in which the picture stood still for some time.
    fn stalls(&self) -> Vec<Stretch> {
        let stalled = |second: &SecondSummary| second.playback.map_or(0.0, |playback| playback.stalled.as_secs_f64());
        let still: Vec<&SecondSummary> = self.seconds.iter().filter(|second| stalled(second) > 0.0).collect();
        let rows = still.chunk_by(|one, next| next.second == one.second.saturating_add(1));
        let stretch = |row: &[&SecondSummary]| {
            let time: f64 = row.iter().map(|second| stalled(second)).sum();
            Some(Stretch {
                text: format!("stalled for {time:.1} s"),
                from: float(row.first()?.second),
                to: float(row.last()?.second) + 1.0,
                kind: StretchKind::Stall,
            })
        };
        rows.filter_map(stretch).collect()
    }

    fn figure(&self, kind: Kind, what: &str, caption: String, y: Axis, curves: Vec<Curve>) -> Figure {
        let caption = match self.line.left_out(self.seconds.len()) {
            Some(left_out) => format!("{caption} {left_out}"),
            None => caption,
        };
        let mut marks: Vec<Mark> = self.line.happened_to(self.client);
        marks.extend(self.line.failures(&self.seconds));
        Figure {
            name: name(kind, &[&self.judged.client, &self.judged.name]),
            subject: Subject::Application(self.client, self.population),
            kind,
            title: title(what, &[&self.judged.client, &self.judged.name]),
            caption,
            x: self.line.axis(),
            y,
            curves,
            bands: Vec::new(),
            levels: Vec::new(),
            marks,
            stretches: self.line.not_judged(),
        }
    }
}
