//! The page's script reads figures by types of its own (`ui/src/figure.ts`). One sample, with every kind of everything in it, holds
//! the two together: `tsc` holds it against the script's types, and this test against ours.

use burn_report::figure::{
    Axis, Band, Curve, Figure, Kind, Level, LevelKind, Mark, MarkKind, Scale, Stretch, StretchKind, Style, Subject,
    Tick, Tone, Unit,
};
use serde_json::Value;

const KINDS: [Kind; 7] =
    [Kind::Percentiles, Kind::ResponseTime, Kind::Goodput, Kind::Buffer, Kind::Signal, Kind::BitRate, Kind::Shares];
const SUBJECTS: [Subject; 3] = [Subject::Run, Subject::Client(1), Subject::Application(1, 2)];
const UNITS: [Unit; 5] = [Unit::Seconds, Unit::Milliseconds, Unit::Mbps, Unit::Dbm, Unit::Share];
const SCALES: [Scale; 3] = [Scale::Linear, Scale::Logarithmic, Scale::Nines];

#[test]
fn the_script_reads_figures_as_they_are_written() {
    let source = include_str!("../../../../ui/tests/sample.ts");
    let (_, sample) = source.split_once("Figure[] = ").unwrap();
    let sample: Value = serde_json::from_str(sample.trim_end().trim_end_matches(';')).unwrap();
    let ours = serde_json::to_value(KINDS.iter().enumerate().map(|(i, kind)| figure(i, *kind)).collect::<Vec<_>>());
    let ours = ours.unwrap();
    assert_eq!(sample, ours, "ui/tests/sample.ts should hold, and ui/src/figure.ts allow:\n{ours:#}");
}

#[test]
fn the_sample_has_every_kind_of_everything() {
    // One that is new is missing here, and does not build.
    for kind in KINDS {
        match kind {
            Kind::Percentiles
            | Kind::ResponseTime
            | Kind::Goodput
            | Kind::Buffer
            | Kind::Signal
            | Kind::BitRate
            | Kind::Shares => {}
        }
    }
    for unit in UNITS {
        match unit {
            Unit::Seconds | Unit::Milliseconds | Unit::Mbps | Unit::Dbm | Unit::Share => {}
        }
    }
    for scale in SCALES {
        match scale {
            Scale::Linear | Scale::Logarithmic | Scale::Nines => {}
        }
    }
    for Curve { style, tone, .. } in curves() {
        match (style, tone) {
            (
                Style::Line | Style::Dashed | Style::Steps | Style::Points,
                Tone::Main | Tone::Second | Tone::Other(_) | Tone::Trouble,
            ) => {}
        }
    }
}

/// The figure of this number; each has the next subject, unit and scale.
fn figure(i: usize, kind: Kind) -> Figure {
    Figure {
        name: "name".to_owned(),
        subject: SUBJECTS[i % SUBJECTS.len()],
        kind,
        title: "title".to_owned(),
        caption: "caption".to_owned(),
        x: axis(i),
        y: axis(i + 1),
        curves: curves(),
        bands: vec![Band {
            name: "band".to_owned(),
            curve: 0,
            x: vec![1.0, 2.0],
            lower: vec![Some(0.5), None],
            upper: vec![None, Some(2.5)],
        }],
        levels: [LevelKind::Good, LevelKind::Bad].map(|kind| Level { text: "level".to_owned(), at: 1.5, kind }).into(),
        marks: [MarkKind::Roam, MarkKind::Lost, MarkKind::Failure]
            .map(|kind| Mark { text: "mark".to_owned(), at: 1.5, kind })
            .into(),
        stretches: [StretchKind::NotJudged, StretchKind::Stall, StretchKind::Never, StretchKind::Radio]
            .map(|kind| Stretch { text: "stretch".to_owned(), from: 1.5, to: 2.5, kind })
            .into(),
    }
}

fn axis(i: usize) -> Axis {
    Axis {
        label: "label".to_owned(),
        unit: UNITS[i % UNITS.len()],
        scale: SCALES[i % SCALES.len()],
        range: (0.5, 2.5),
        ticks: vec![Tick { at: 1.5, text: "tick".to_owned() }],
    }
}

fn curves() -> Vec<Curve> {
    let styles = [Style::Line, Style::Dashed, Style::Steps, Style::Points];
    let tones = [Tone::Main, Tone::Second, Tone::Other(3), Tone::Trouble];
    let curve =
        |(style, tone)| Curve { name: "curve".to_owned(), style, tone, x: vec![1.0, 2.0], y: vec![Some(1.5), None] };
    styles.into_iter().zip(tones).map(curve).collect()
}
