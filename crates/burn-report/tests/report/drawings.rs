//! Figures as drawings.

use burn_model::judge::judge;
use burn_model::record::{ClientState, IntervalRecord, RunEvent, Tally};
use burn_model::time::Moment;
use burn_report::figure::{
    Axis, Band, Curve, Figure, Kind, Level, LevelKind, Mark, MarkKind, Scale, Stretch, StretchKind, Style, Subject,
    Tick, Tone, Unit, of_run,
};
use burn_report::svg::{Size, render, sparkline, standalone};

use crate::figures::{opened, phone_plan};
use crate::household::fold;

fn axis(label: &str, scale: Scale, range: (f64, f64)) -> Axis {
    let ticks = [range.0, range.1].map(|at| Tick { at, text: format!("{at}") });
    Axis { label: label.to_owned(), unit: Unit::Mbps, scale, range, ticks: ticks.to_vec() }
}

/// A figure with something of everything, every text of which is `text`.
fn figure(text: &str) -> Figure {
    let text = || text.to_owned();
    let curve = |style, tone| Curve {
        name: text(),
        style,
        tone,
        x: vec![0.0, 5.0, 6.0, 7.0, 10.0],
        y: vec![Some(1.0), Some(10.0), None, Some(2.0), Some(4.0)],
    };
    Figure {
        name: text(),
        subject: Subject::Run,
        kind: Kind::Goodput,
        title: text(),
        caption: text(),
        x: axis(&text(), Scale::Linear, (0.0, 10.0)),
        y: axis(&text(), Scale::Linear, (0.0, 10.0)),
        curves: vec![
            curve(Style::Line, Tone::Main),
            curve(Style::Dashed, Tone::Second),
            curve(Style::Steps, Tone::Other(7)),
            curve(Style::Points, Tone::Trouble),
        ],
        bands: vec![Band {
            name: text(),
            curve: 0,
            x: vec![0.0, 10.0],
            lower: vec![None, Some(1.0)],
            upper: vec![Some(5.0), None],
        }],
        levels: vec![
            Level { text: text(), at: 5.0, kind: LevelKind::Good },
            Level { text: text(), at: 5.1, kind: LevelKind::Bad },
        ],
        marks: vec![
            Mark { text: text(), at: 1.0, kind: MarkKind::Roam },
            Mark { text: text(), at: 2.0, kind: MarkKind::Lost },
            Mark { text: text(), at: 3.0, kind: MarkKind::Failure },
        ],
        stretches: vec![Stretch { text: text(), from: 0.0, to: 2.0, kind: StretchKind::NotJudged }],
    }
}

fn parse(svg: &str) -> roxmltree::Document<'_> {
    roxmltree::Document::parse(svg).unwrap_or_else(|error| panic!("{error} in {svg}"))
}

#[test]
fn a_drawing_for_a_page_has_classes_and_no_styles() {
    let svg = render(&figure("x"), &Size { width: 600, height: 300 });
    let drawing = parse(&svg);
    let root = drawing.root_element();
    assert_eq!(
        (root.attribute("viewBox"), root.attribute("role"), root.attribute("aria-label")),
        (Some("0 0 600 300"), Some("img"), Some("x"))
    );
    assert_eq!(root.first_element_child().map(|title| title.tag_name().name().to_owned()).as_deref(), Some("title"));
    assert!(drawing.descendants().all(|node| node.attribute("style").is_none() && !node.has_tag_name("style")));
    let classes: Vec<_> = drawing.descendants().filter_map(|node| node.attribute("class")).collect();
    for class in [
        "curve tone-main style-line",
        "curve tone-second style-dashed",
        "curve tone-other-2 style-steps",
        "curve tone-trouble style-points",
        "band",
        "level good",
        "level bad",
        "mark roam",
        "mark lost",
        "mark failure",
        "stretch not-judged",
        "axis",
        "grid",
        "label",
    ] {
        assert!(classes.contains(&class), "{class} in {classes:?}");
    }
}

#[test]
fn a_curve_goes_where_its_numbers_say_and_has_a_gap() {
    let svg =
        render(&Figure { curves: figure("x").curves[..1].to_vec(), ..figure("x") }, &Size { width: 570, height: 259 });
    // The box is 500 wide from 56 on (14 are left), and 185 high: below a legend of 15 and 21 for signs, above 38.
    let drawing = parse(&svg);
    // The legend shows a piece of the same classes, without a title.
    let is_it = |node: &roxmltree::Node<'_, '_>| {
        let has_title = node.children().any(|child| child.has_tag_name("title"));
        node.attribute("class") == Some("curve tone-main style-line") && has_title
    };
    let curve = drawing.descendants().find(is_it);
    // x: 56 + 50 · n. y: 221 − 18.5 · n.
    assert_eq!(curve.unwrap().attribute("d"), Some("M56.0 202.5h0L306.0 36.0M406.0 184.0h0L556.0 147.0"));
}

#[test]
fn the_legend_says_what_the_signs_mean_that_are_there() {
    let of = |marks: &[MarkKind]| {
        let marks = marks.iter().map(|kind| Mark { text: "x".to_owned(), at: 1.0, kind: *kind }).collect();
        let svg = render(&Figure { marks, ..figure("x") }, &Size::default());
        let drawing = parse(&svg);
        let meanings = ["roam", "client lost", "failures"];
        let texts = drawing.descendants().filter(|node| node.has_tag_name("text")).filter_map(|node| node.text());
        texts.filter(|text| meanings.contains(text)).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(of(&[MarkKind::Failure, MarkKind::Roam, MarkKind::Roam]), ["roam", "failures"]);
    assert_eq!(of(&[MarkKind::Lost]), ["client lost"]);
    assert!(of(&[]).is_empty());
}

#[test]
fn what_a_stretch_is_stands_over_the_curves_and_a_radios_channel_at_the_top() {
    let stretch = |kind, text: &str| Stretch { text: text.to_owned(), from: 0.0, to: 5.0, kind };
    let stretches = vec![stretch(StretchKind::NotJudged, "below"), stretch(StretchKind::Radio, "above")];
    let svg = render(&Figure { stretches, ..figure("x") }, &Size { width: 570, height: 259 });
    let drawing = parse(&svg);
    let text = |wanted: &str| {
        drawing.descendants().find(|node| node.has_tag_name("text") && node.text() == Some(wanted)).unwrap()
    };
    let baseline = |wanted| text(wanted).attribute("y").unwrap().parse::<f64>().unwrap();
    // The box reaches down to 259 − 38.
    assert!(baseline("below") > 200.0 && baseline("above") < 100.0, "{svg}");
    let last_line = svg.rfind("<title>x</title></path>").unwrap();
    assert!(svg.find(">below</text>").unwrap() > last_line);
    assert_eq!(drawing.descendants().filter(|node| node.attribute("class") == Some("stretch not-judged")).count(), 1);
}

#[test]
fn the_band_of_a_second_curve_has_a_colour_of_its_own_in_a_page() {
    let mut second = figure("x");
    second.bands[0].curve = 1;
    assert!(render(&second, &Size::default()).contains("class=\"band second\""));
    let style = include_str!("../../templates/page.css");
    assert!(style.contains(".band.second { fill: var(--second)"), "by that class");
}

#[test]
fn whatever_somebody_named_stays_text() {
    let hostile = "\"><script>alert(1)</script>'&amp;]]>\u{1b}[31m\u{0}\u{202e}\n";
    for svg in [render(&figure(hostile), &Size::default()), standalone(&figure(hostile)), sparkline(&figure(hostile))] {
        let drawing = parse(&svg);
        assert!(!drawing.descendants().any(|node| node.has_tag_name("script")));
        let title = drawing.root_element().attribute("aria-label").unwrap();
        assert_eq!(title, "\"><script>alert(1)</script>'&amp;]]>\u{fffd}[31m\u{fffd}\u{fffd} ");
        assert!(!svg.contains('\u{1b}') && !svg.contains("<script"));
    }
}

#[test]
fn a_drawing_that_stands_alone_brings_its_styles_for_both_grounds() {
    let svg = standalone(&figure("x"));
    assert!(svg.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"));
    let drawing = parse(&svg);
    let style = drawing.descendants().find(|node| node.has_tag_name("style")).and_then(|node| node.text()).unwrap();
    assert!(style.contains("prefers-color-scheme:dark"));
    // Nothing in it is fetched from anywhere.
    assert!(!svg.replace("http://www.w3.org/2000/svg", "").contains("http") && !svg.contains("url("));
}

#[test]
fn a_sparkline_is_one_curve_and_the_goal() {
    let svg = sparkline(&figure("x"));
    let drawing = parse(&svg);
    let classes: Vec<_> = drawing.descendants().filter_map(|node| node.attribute("class")).collect();
    assert_eq!(classes, ["sparkline", "level good", "mark lost", "mark failure", "curve tone-main style-line"]);
    assert_eq!(sparkline(&Figure { curves: Vec::new(), ..figure("x") }), "");
}

#[test]
fn every_figure_of_a_run_of_odd_numbers_is_drawn() {
    let mut events = opened(phone_plan());
    let tally = Tally { scheduled: u64::MAX, completed: u64::MAX, ..Tally::default() };
    let odd = IntervalRecord { second: 7, bytes: u64::MAX, tally, ..IntervalRecord::default() };
    events.push(RunEvent::Interval(Box::new(odd)));
    let lost = ClientState::Lost { reason: "<".repeat(100_000) };
    events.push(RunEvent::Client { client: 0, state: lost, at: Some(Moment::NEVER) });
    let run = fold(&events);
    let figures = of_run(&run, &judge(&run), 0);
    assert!(!figures.is_empty());
    for figure in figures {
        let svg = standalone(&figure);
        assert!(svg.len() < 50_000, "what another host says at length is cut short: {}", figure.name);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{}", figure.name);
        parse(&svg);
        parse(&render(&figure, &Size { width: 0, height: 0 }));
    }
}
