//! The elements of a drawing, back to front.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr;

use super::classes::{level_word, mark_word, style_class, tone_class};
use super::escape::{escaped, shortened};
use super::frame::{Frame, Size};
use super::legend::{Legend, sign};
use super::measure::{LEFT, LETTERS, LINE, columns, room};
use crate::figure::{Axis, Band, Curve, Figure, LevelKind, MarkKind, Scale, StretchKind, Style, Tone};

/// Above the box: room for the vertical axis's label and for signs.
const SIGNS: f64 = 21.0;
/// Beside the box on its other side.
const RIGHT: f64 = 14.0;
const BELOW: f64 = 38.0;

/// A drawing without its outermost tag.
pub(super) struct Drawing {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) body: String,
}

impl Drawing {
    /// `above` is left free for a heading.
    pub(super) fn of(figure: &Figure, size: &Size, above: f64) -> Self {
        let (width, height) = (f64::from(size.width.max(200)), f64::from(size.height.max(120)));
        let legend = Legend::of(figure, width - LEFT - RIGHT);
        let top = above + legend.height() + SIGNS;
        let frame = Frame { left: LEFT, right: width - RIGHT, top, bottom: (height - BELOW).max(top + LINE) };
        let mut body = String::new();
        stretches(&mut body, figure, &frame);
        grid(&mut body, figure, &frame);
        for band in &figure.bands {
            body.push_str(&area(band, figure, &frame));
        }
        levels(&mut body, figure, &frame);
        for curve in &figure.curves {
            body.push_str(&line(curve, figure, &frame));
        }
        marks(&mut body, figure, &frame);
        stretch_texts(&mut body, figure, &frame);
        level_texts(&mut body, figure, &frame);
        axes(&mut body, figure, &frame);
        legend.draw(&mut body, above + LETTERS);
        Self { width, height, body }
    }
}

/// A title above a drawing.
pub(super) fn heading(title: &str, width: f64) -> String {
    // Letters of 14 take a third more.
    let text = shortened(title, columns((width - LEFT) / 1.35));
    format!("<text x=\"{LEFT}\" y=\"19\" font-size=\"14\" font-weight=\"600\">{}</text>", escaped(&text))
}

/// A curve and the good levels, and nothing else.
pub(super) fn sparkline(figure: &Figure, size: Size) -> Option<String> {
    let curve = figure.principal()?;
    let frame = Frame { left: 1.0, right: f64::from(size.width) - 1.0, top: 2.0, bottom: f64::from(size.height) - 2.0 };
    let mut body = String::new();
    for level in figure.levels.iter().filter(|level| level.kind == LevelKind::Good) {
        rule(&mut body, "level good", &frame, frame.y(&figure.y, level.at));
    }
    for mark in figure.marks.iter().filter(|mark| mark.kind != MarkKind::Roam) {
        let at = frame.x(&figure.x, mark.at);
        let _ = write!(
            body,
            "<path class=\"mark {}\" fill=\"none\" d=\"M{at:.1} {:.1}v4\"/>",
            mark_word(mark.kind),
            frame.bottom - 2.0
        );
    }
    body.push_str(&line(&Curve { style: Style::Line, tone: Tone::Main, ..curve.clone() }, figure, &frame));
    Some(body)
}

fn stretches(body: &mut String, figure: &Figure, frame: &Frame) {
    for stretch in &figure.stretches {
        let (from, to) = (frame.x(&figure.x, stretch.from), frame.x(&figure.x, stretch.to));
        let (width, height) = ((to - from).max(1.0), frame.bottom - frame.top);
        let class = match stretch.kind {
            StretchKind::NotJudged => "not-judged",
            StretchKind::Stall => "stall",
            StretchKind::Never => "never",
            StretchKind::Radio => {
                let _ = write!(
                    body,
                    "<path class=\"grid\" fill=\"none\" d=\"M{from:.1} {:.1}V{:.1}\"/>",
                    frame.top, frame.bottom
                );
                continue;
            }
        };
        let text = escaped(&stretch.text);
        let _ = write!(
            body,
            "<rect class=\"stretch {class}\" x=\"{from:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{height:.1}\">\
             <title>{text}</title></rect>",
            frame.top
        );
    }
}

/// What a stretch is, where there is room for it, over the curves that run through it.
fn stretch_texts(body: &mut String, figure: &Figure, frame: &Frame) {
    for stretch in &figure.stretches {
        let (from, to) = (frame.x(&figure.x, stretch.from), frame.x(&figure.x, stretch.to));
        let baseline = if stretch.kind == StretchKind::Radio { frame.top + LETTERS + 1.0 } else { frame.bottom - 6.0 };
        if stretch.text.width() < columns(to - from - 6.0) {
            let _ = write!(
                body,
                "<text class=\"label stretched\" x=\"{:.1}\" y=\"{baseline:.1}\" font-size=\"{LETTERS}\">{}</text>",
                from + 4.0,
                escaped(&stretch.text)
            );
        }
    }
}

fn grid(body: &mut String, figure: &Figure, frame: &Frame) {
    let mut path = String::new();
    for tick in &figure.y.ticks {
        let _ = write!(path, "M{:.1} {:.1}H{:.1}", frame.left, frame.y(&figure.y, tick.at), frame.right);
    }
    for tick in &figure.x.ticks {
        let _ = write!(path, "M{:.1} {:.1}V{:.1}", frame.x(&figure.x, tick.at), frame.top, frame.bottom);
    }
    let _ = write!(body, "<path class=\"grid\" fill=\"none\" d=\"{path}\"/>");
}

/// A band: along its upper edge and back along its lower one. Where it has no upper edge it reaches to the top, and where it has
/// no lower one to the bottom.
fn area(band: &Band, figure: &Figure, frame: &Frame) -> String {
    let edges = || band.x.iter().zip(band.lower.iter().zip(&band.upper));
    let place = |at: f64, value: Option<f64>, end: f64| {
        format!("{:.1} {:.1}", frame.x(&figure.x, at), value.map_or(end, |value| frame.y(&figure.y, value)))
    };
    let above: Vec<String> = edges().map(|(at, (_, upper))| place(*at, *upper, frame.top)).collect();
    let below: Vec<String> = edges().rev().map(|(at, (lower, _))| place(*at, *lower, frame.bottom)).collect();
    let is_second = figure.curves.get(band.curve).is_some_and(|curve| curve.tone != Tone::Main);
    format!(
        "<path class=\"band{}\" fill-opacity=\".2\" d=\"M{}Z\"><title>{}</title></path>",
        if is_second { " second" } else { "" },
        above.into_iter().chain(below).collect::<Vec<_>>().join("L"),
        escaped(&band.name)
    )
}

fn levels(body: &mut String, figure: &Figure, frame: &Frame) {
    for level in &figure.levels {
        rule(body, &format!("level {}", level_word(level.kind)), frame, frame.y(&figure.y, level.at));
    }
}

/// What stands at the levels, over everything else: a goal under its line, and a bad bound, which lies higher, above it.
fn level_texts(body: &mut String, figure: &Figure, frame: &Frame) {
    let mut written: Vec<(f64, f64)> = Vec::new();
    for level in &figure.levels {
        let at = frame.y(&figure.y, level.at);
        let baseline = if level.kind == LevelKind::Good { at + LETTERS } else { at - 3.0 };
        // Beside what stands at about the same height already.
        let taken = written.iter().filter(|(height, _)| (height - baseline).abs() < LETTERS).map(|(_, left)| *left);
        let right = taken.fold(frame.right - 4.0, f64::min);
        let _ = write!(
            body,
            "<text class=\"label {}\" x=\"{right:.1}\" y=\"{baseline:.1}\" font-size=\"{LETTERS}\" \
             text-anchor=\"end\">{}</text>",
            level_word(level.kind),
            escaped(&level.text)
        );
        written.push((baseline, right - room(level.text.width()) - 8.0));
    }
}

fn rule(body: &mut String, class: &str, frame: &Frame, at: f64) {
    let _ = write!(
        body,
        "<path class=\"{class}\" fill=\"none\" stroke=\"currentColor\" d=\"M{:.1} {at:.1}H{:.1}\"/>",
        frame.left, frame.right
    );
}

fn line(curve: &Curve, figure: &Figure, frame: &Frame) -> String {
    let mut path = String::new();
    let mut drawing = false;
    for (at, value) in curve.x.iter().zip(&curve.y) {
        let x = frame.x(&figure.x, *at);
        let Some(value) = value else {
            // A step holds until the gap.
            if drawing && curve.style == Style::Steps {
                let _ = write!(path, "H{x:.1}");
            }
            drawing = false;
            continue;
        };
        let y = frame.y(&figure.y, *value);
        let _ = match (curve.style, drawing) {
            (Style::Points, _) => write!(path, "M{x:.1} {y:.1}h0"),
            // A single point between gaps is seen where line ends are round.
            (_, false) => write!(path, "M{x:.1} {y:.1}h0"),
            (Style::Steps, true) => write!(path, "H{x:.1}V{y:.1}"),
            (Style::Line | Style::Dashed, true) => write!(path, "L{x:.1} {y:.1}"),
        };
        drawing = true;
    }
    format!(
        "<path class=\"curve {} {}\" fill=\"none\" stroke=\"currentColor\" d=\"{path}\"><title>{}</title></path>",
        tone_class(curve.tone),
        style_class(curve.style),
        escaped(&curve.name)
    )
}

/// Vertical lines with a sign at the top.
fn marks(body: &mut String, figure: &Figure, frame: &Frame) {
    for mark in &figure.marks {
        let (at, top, class) = (frame.x(&figure.x, mark.at), frame.top, mark_word(mark.kind));
        let sign = sign(mark.kind, at, top);
        let _ = write!(
            body,
            "<g><title>{}</title><path class=\"mark {class}\" fill=\"none\" stroke=\"currentColor\" d=\"M{at:.1} {top:.1}V{:.1}\"/>\
             <path class=\"mark sign {class}\" fill=\"none\" stroke=\"currentColor\" d=\"{sign}\"/></g>",
            escaped(&mark.text),
            frame.bottom
        );
    }
}

fn axes(body: &mut String, figure: &Figure, frame: &Frame) {
    let Frame { left, right, top, bottom } = *frame;
    let _ = write!(
        body,
        "<path class=\"axis\" fill=\"none\" stroke=\"currentColor\" d=\"M{left:.1} {top:.1}V{bottom:.1}H{right:.1}\"/>"
    );
    let mut label = |x: f64, y: f64, anchor: &str, text: &str| {
        let _ = write!(
            body,
            "<text class=\"label\" x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{LETTERS}\" text-anchor=\"{anchor}\">{}</text>",
            escaped(text)
        );
    };
    for tick in &figure.y.ticks {
        label(left - 6.0, frame.y(&figure.y, tick.at) + 4.0, "end", &tick.text);
    }
    // A text that would touch the one before it is left out; its line stays.
    let mut free_from = 0.0;
    for tick in &figure.x.ticks {
        let half = room(tick.text.width()) / 2.0;
        let at = frame.x(&figure.x, tick.at).min(right + RIGHT - half);
        if at - half >= free_from {
            label(at, bottom + 14.0, "middle", &tick.text);
            free_from = at + half + 4.0;
        }
    }
    label(right, bottom + 30.0, "end", &shortened(&with_unit(&figure.x), columns(right - left)));
    label(4.0, top - 9.0, "start", &with_unit(&figure.y));
}

/// What an axis is, with its unit; a time line and a logarithmic axis carry theirs at their numbers.
fn with_unit(axis: &Axis) -> String {
    let is_clock = axis.ticks.iter().any(|tick| tick.text.contains(':'));
    match axis.unit.symbol() {
        Some(unit) if axis.scale == Scale::Linear && !is_clock => format!("{}, {unit}", axis.label),
        _ => axis.label.clone(),
    }
}
