//! What all figures on the run's time line share: the axis, what is not judged, what happened, and how seconds become points.

use burn_model::judge::Judgement;
use burn_model::record::{AccessPoint, RoamRecord};
use burn_model::run::{RunRecord, SecondSummary};
use burn_model::time::Moment;

use super::axis::{clock, time};
use super::thin::{Points, thin};
use super::{Axis, Curve, Mark, MarkKind, Stretch, StretchKind, Style, Tone, brief, float};
use crate::numbers::count;
use crate::words::band;

/// Marks of one kind in a figure, at most: more could not be told apart.
pub(super) const MOST_MARKS: usize = 40;

/// The time line of one run.
pub(super) struct TimeLine<'a> {
    pub(super) run: &'a RunRecord,
    judgement: &'a Judgement,
    /// Where it ends, in seconds.
    end: f64,
    /// Points of a curve, at most.
    most_points: usize,
}

impl<'a> TimeLine<'a> {
    /// `None` where the run has no plan.
    pub(super) fn of(run: &'a RunRecord, judgement: &'a Judgement, most_points: usize) -> Option<Self> {
        let plan = run.plan()?;
        let known =
            plan.clients.iter().enumerate().flat_map(|(client, _)| run.client_payload(client).into_keys().last());
        // A run that was cut short ends where its record does, and one that drained where the last operation did.
        let end = known.max().map_or_else(|| plan.end().second(), |last| last.saturating_add(1));
        Some(Self { run, judgement, end: float(end), most_points })
    }

    pub(super) fn axis(&self) -> Axis {
        time(self.end)
    }

    /// The axis of two runs that are drawn over each other.
    pub(super) fn axis_with(&self, other: &Self) -> Axis {
        time(self.end.max(other.end))
    }

    /// What lies outside of the judged time.
    pub(super) fn not_judged(&self) -> Vec<Stretch> {
        let (from, to) = (seconds(self.judgement.window.0), seconds(self.judgement.window.1));
        let stretch = |text: &str, from, to| Stretch { text: text.to_owned(), from, to, kind: StretchKind::NotJudged };
        if to <= from {
            return vec![stretch("not judged", 0.0, self.end)];
        }
        let before = if self.run.plan().is_some_and(|plan| seconds(plan.judged_from()) >= from) {
            "warm-up, not judged"
        } else {
            "not judged"
        };
        let stretches = [stretch(before, 0.0, from), stretch("not judged", to, self.end)];
        stretches.into_iter().filter(|stretch| stretch.to > stretch.from).collect()
    }

    /// What happened to a client: roams of its device, and its loss.
    pub(super) fn happened_to(&self, client: usize) -> Vec<Mark> {
        let device = self.run.devices().iter().find(|device| plays(&device.clients, client));
        let roamed = self.run.roams().filter(|roam| match device {
            Some(device) => device.clients.contains(&roam.client),
            None => plays(&[roam.client], client),
        });
        let mut marks: Vec<Mark> =
            roamed.take(MOST_MARKS).map(|roam| mark(roam_text(roam), roam.at, MarkKind::Roam)).collect();
        if let Some((reason, Some(at))) = self.run.lost(client) {
            marks.push(mark(format!("lost: {}", brief(reason)), at, MarkKind::Lost));
        }
        marks.sort_by(|one, other| one.at.total_cmp(&other.at));
        marks
    }

    /// A mark for each row of seconds in which operations came to nothing. Where there would be too many, rows that are
    /// near each other get one.
    pub(super) fn failures(&self, seconds: &[SecondSummary]) -> Vec<Mark> {
        // Whoever still waited for a slot when the load ended was not kept from anything by the network.
        let load_end = self.run.plan().map_or(u64::MAX, |plan| plan.end().second());
        let unsuccessful = |second: &SecondSummary| {
            let not_sent = if second.second < load_end { second.not_sent } else { 0 };
            second.failed.saturating_add(second.timed_out).saturating_add(not_sent)
        };
        let troubled: Vec<&SecondSummary> = seconds.iter().filter(|second| unsuccessful(second) > 0).collect();
        let mut apart = 1;
        loop {
            let rows: Vec<&[&SecondSummary]> =
                troubled.chunk_by(|one, next| next.second.saturating_sub(one.second) <= apart).collect();
            if rows.len() <= MOST_MARKS {
                return rows.into_iter().filter_map(failure_mark).collect();
            }
            apart = apart.saturating_mul(2);
        }
    }

    /// A curve of values by second, each in the middle of its second.
    pub(super) fn curve(&self, name: &str, style: Style, tone: Tone, points: Points) -> Curve {
        let (points, _) = thin(points, self.most_points);
        let (x, y) = points.into_iter().unzip();
        Curve { name: name.to_owned(), style, tone, x, y }
    }

    /// What was left out of the drawing of a curve with so many points, as a sentence.
    pub(super) fn left_out(&self, points: usize) -> Option<String> {
        let (_, length) = thin(vec![(0.0, None); points], self.most_points);
        Some(format!(
            "Drawn of {} seconds is what is least and what is greatest in every {}; no figure is taken from the drawing.",
            count(u64::try_from(points).unwrap_or(u64::MAX)),
            length?
        ))
    }
}

/// The middle of a second.
pub(super) fn middle(second: u64) -> f64 {
    float(second) + 0.5
}

/// Values by rising second as points; a gap where seconds are missing, or further apart than `step`.
pub(super) fn points(values: impl IntoIterator<Item = (u64, Option<f64>)>, step: u64, place: fn(u64) -> f64) -> Points {
    let mut points = Points::new();
    let mut next = None;
    for (second, value) in values {
        if let Some(expected) = next.filter(|expected| second > *expected) {
            points.push((place(expected), None));
        }
        points.push((place(second), value));
        next = Some(second.saturating_add(step.max(1)));
    }
    points
}

/// Whether a device with these clients plays this one.
fn plays(clients: &[u32], client: usize) -> bool {
    clients.iter().any(|of| usize::try_from(*of) == Ok(client))
}

fn seconds(moment: Moment) -> f64 {
    moment.since_start().as_secs_f64()
}

fn mark(text: String, at: Moment, kind: MarkKind) -> Mark {
    Mark { text, at: seconds(at), kind }
}

fn roam_text(roam: &RoamRecord) -> String {
    let radio = |point: &AccessPoint| point.frequency_mhz.and_then(band);
    match (&roam.from, &roam.to) {
        (_, None) => "no access point".to_owned(),
        (None, Some(to)) => format!("joined {}", brief(&to.bssid)),
        (Some(from), Some(to)) => {
            let there = brief(&to.bssid);
            match (radio(from), radio(to)) {
                (Some(before), Some(after)) if before != after => format!("roam to {there}, {before} to {after}"),
                (_, Some(after)) => format!("roam to {there}, {after}"),
                _ => format!("roam to {there}"),
            }
        }
    }
}

fn failure_mark(row: &[&SecondSummary]) -> Option<Mark> {
    let (first, last) = (row.first()?, row.last()?);
    let sum = |of: fn(&SecondSummary) -> u64| row.iter().fold(0_u64, |sum, second| sum.saturating_add(of(second)));
    let kinds = [("failed", sum(|s| s.failed)), ("timed out", sum(|s| s.timed_out)), ("not sent", sum(|s| s.not_sent))];
    let said: Vec<String> =
        kinds.into_iter().filter(|(_, n)| *n > 0).map(|(what, n)| format!("{} {what}", count(n))).collect();
    let when = if last.second > first.second {
        format!("{} to {}", clock(float(first.second)), clock(float(last.second)))
    } else {
        clock(float(first.second))
    };
    Some(Mark { text: format!("{when}: {}", said.join(", ")), at: middle(first.second), kind: MarkKind::Failure })
}
