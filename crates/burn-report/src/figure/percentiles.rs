//! Response time by percentile.

use std::time::Duration;

use burn_model::curve::{PercentileCurve, percentile_curve};
use burn_model::goal::{Bound, Goal};
use burn_model::judge::{ApplicationJudgement, Reading};
use burn_model::plan::Population;
use burn_model::run::RunRecord;

use super::axis::{logarithmic, nines};
use super::thin::thin;
use super::{
    Band, Curve, Figure, Kind, Level, LevelKind, Stretch, StretchKind, Style, Subject, Tone, Unit, float, name, title,
};
use crate::numbers::count;
use crate::words::quantile;

/// The label of the horizontal axis.
pub(super) const SHARE: &str = "share of operations that took no longer";

/// The figure; `None` where no operation came to an end in the judged time.
pub(super) fn figure(
    run: &RunRecord,
    (client, population): (usize, usize),
    judged: &ApplicationJudgement,
    plan: &Population,
    most_points: usize,
) -> Option<Figure> {
    let found = percentile_curve(run, client, population)?;
    let last = found.points.last()?.share;
    let mut curves = vec![curve(&found, "response time", Style::Line, Tone::Main, most_points)];
    let bands: Vec<Band> = confidence(&found, 0, most_points).into_iter().collect();
    // Nothing completed: still a figure, which says so.
    if curves.iter().all(|curve| curve.y.iter().all(Option::is_none)) {
        curves.clear();
    }
    let levels = levels(&plan.goals);
    let values = curves.iter().flat_map(|curve| curve.y.iter().flatten().copied());
    let y = logarithmic("response time", Unit::Milliseconds, values.chain(levels.iter().map(|level| level.at)));
    Some(Figure {
        name: name(Kind::Percentiles, &[&judged.client, &judged.name]),
        subject: Subject::Application(client, population),
        kind: Kind::Percentiles,
        title: title("response time by percentile", &[&judged.client, &judged.name]),
        caption: caption(&found, bands.is_empty()),
        x: nines(SHARE, last),
        y,
        curves,
        bands,
        levels,
        marks: Vec::new(),
        stretches: never(&found).into_iter().collect(),
    })
}

/// The curve, with a gap from the first operation on that never completed.
pub(super) fn curve(found: &PercentileCurve, name: &str, style: Style, tone: Tone, most_points: usize) -> Curve {
    let points = found.points.iter().map(|point| (point.share, value(point.reading))).collect();
    let (points, _) = thin(points, most_points);
    let (x, y) = points.into_iter().unzip();
    Curve { name: name.to_owned(), style, tone, x, y }
}

/// The band of the curve of this number; `None` where there is none at any place.
pub(super) fn confidence(found: &PercentileCurve, curve: usize, most_points: usize) -> Option<Band> {
    let every = found.points.len().div_ceil(most_points.max(1)).max(1);
    // Where even the lower edge lies among what never completed, so does the whole band.
    let is_drawn = |band: &burn_model::curve::Band| band.lower.is_none_or(|lower| value(lower).is_some());
    let places =
        || found.points.iter().step_by(every).filter_map(|point| Some((point.share, point.band.filter(is_drawn)?)));
    places().next()?;
    Some(Band {
        name: "95 % confidence".to_owned(),
        curve,
        x: places().map(|(share, _)| share).collect(),
        lower: places().map(|(_, band)| band.lower.and_then(value)).collect(),
        upper: places().map(|(_, band)| band.upper.and_then(value)).collect(),
    })
}

/// The share from which on operations never completed, where some did not.
fn never(found: &PercentileCurve) -> Option<Stretch> {
    let last = found.points.last()?;
    let (what, n) = match last.reading {
        Reading::Unsuccessful => ("never completed", count(found.unsuccessful)),
        Reading::Overflow => ("took over an hour", "some".to_owned()),
        Reading::Value(_) | Reading::TooFew => return None,
    };
    let first = found.points.iter().find(|point| !matches!(point.reading, Reading::Value(_)))?;
    let from = match last.reading {
        Reading::Unsuccessful if found.n > 0 => 1.0 - float(found.unsuccessful) / float(found.n),
        _ => first.share,
    };
    Some(Stretch { text: format!("{n} {what}"), from, to: last.share, kind: StretchKind::Never })
}

/// Every goal on response time.
pub(super) fn levels(goals: &[Goal]) -> Vec<Level> {
    let of_goal = |goal: &Goal| match goal.bound {
        Bound::ResponseTime { quantile: q, good, bad } => {
            let at = |kind, word, bound| Level {
                text: format!("{word} {} {}", quantile(q), burn_model::units::format_bound(bound)),
                at: milliseconds(bound),
                kind,
            };
            vec![at(LevelKind::Good, "goal", good), at(LevelKind::Bad, "bad", bad)]
        }
        _ => Vec::new(),
    };
    goals.iter().flat_map(of_goal).collect()
}

fn caption(found: &PercentileCurve, without_band: bool) -> String {
    let mut caption = format!(
        "Of {} operations that were due in the judged time. To the right are the slowest: each step of the axis holds a tenth \
         of what the one before it holds.",
        count(found.n)
    );
    if found.unsuccessful > 0 {
        caption.push_str(&format!(
            " {} of them never completed, and rank as slower than any that did.",
            count(found.unsuccessful)
        ));
    }
    caption.push_str(if without_band {
        " There is no confidence band: the run does not show how much operations depend on one another."
    } else {
        " The band is where each place of the curve truly lies, with 95 % confidence for that place by itself; where it has no \
         upper edge, the operations are too few to set one."
    });
    caption
}

/// The value of a quantile, where it has one.
fn value(reading: Reading) -> Option<f64> {
    match reading {
        Reading::Value(value) => Some(milliseconds(value)),
        Reading::TooFew | Reading::Unsuccessful | Reading::Overflow => None,
    }
}

pub(super) fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}
