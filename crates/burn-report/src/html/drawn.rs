//! A figure in a page: its drawing, and its numbers as a table.

use crate::figure::{Axis, Figure, Scale, Unit};
use crate::numbers::{ABSENT, digits};
use crate::svg::{self, Size};
use crate::words::quantile;

/// A figure as a template writes it.
pub(super) struct Drawn<'a> {
    /// Its place among the page's figures.
    pub(super) number: usize,
    pub(super) kind: &'static str,
    pub(super) title: &'a str,
    pub(super) caption: &'a str,
    /// Static, of our own making: names in it are escaped.
    pub(super) drawing: String,
    pub(super) heads: Vec<String>,
    pub(super) rows: Vec<(String, Vec<String>)>,
    /// What was left out of the table, as a sentence.
    pub(super) left_out: Option<String>,
}

impl<'a> Drawn<'a> {
    /// `rows` is how many rows the table has at most.
    pub(super) fn of(number: usize, figure: &'a Figure, rows: usize) -> Self {
        let table = if figure.x.scale == Scale::Nines { by_share(figure, rows) } else { by_time(figure, rows) };
        let unit = |axis: &Axis| unit(axis.unit);
        let heads = std::iter::once(if figure.x.scale == Scale::Nines { "percentile" } else { "from" }.to_owned());
        let columns = figure.curves.iter().map(|curve| curve.name.clone());
        let bands = figure.bands.iter().flat_map(|band| [format!("{}, from", band.name), "to".to_owned()]);
        let with_unit = |name: String| format!("{name}, {}", unit(&figure.y));
        Self {
            number,
            kind: figure.kind.word(),
            title: &figure.title,
            caption: &figure.caption,
            drawing: svg::render(figure, &Size::default()),
            heads: heads
                .chain(columns.chain(bands.filter(|_| figure.x.scale == Scale::Nines)).map(with_unit))
                .collect(),
            rows: table.rows,
            left_out: table.left_out,
        }
    }
}

struct Table {
    rows: Vec<(String, Vec<String>)>,
    left_out: Option<String>,
}

/// A row for each place of the first curve, or for each of so many: places of a percentile curve are chosen already.
fn by_share(figure: &Figure, most: usize) -> Table {
    let places = figure.curves.first().map_or(&[][..], |curve| &curve.x);
    let step = places.len().div_ceil(most.max(1)).max(1);
    let at = |x: &[f64], y: &[Option<f64>], place: f64| {
        let found = x.iter().position(|x| x.total_cmp(&place).is_eq()).and_then(|i| *y.get(i)?);
        found.map_or_else(|| ABSENT.to_owned(), shown)
    };
    let row = |place: &f64| {
        let curves = figure.curves.iter().map(|curve| at(&curve.x, &curve.y, *place));
        let bands =
            figure.bands.iter().flat_map(|band| [at(&band.x, &band.lower, *place), at(&band.x, &band.upper, *place)]);
        (quantile(*place), curves.chain(bands).collect())
    };
    Table {
        rows: places.iter().step_by(step).map(row).collect(),
        left_out: (step > 1).then(|| format!("Every {step}th place of the curve is in the table.")),
    }
}

/// A row for each second, or for each of as many equal stretches of time: then what is least and what is greatest in it.
fn by_time(figure: &Figure, most: usize) -> Table {
    let places = || figure.curves.iter().flat_map(|curve| curve.x.iter().copied());
    let last = places().fold(0.0, f64::max).floor();
    #[expect(clippy::cast_precision_loss, reason = "some tens")]
    let step = ((last + 1.0) / most.max(1) as f64).ceil().max(1.0);
    let mut rows = Vec::new();
    let mut from = 0.0;
    while from <= last && rows.len() < most {
        let to = from + step;
        let cells: Vec<Option<String>> =
            figure.curves.iter().map(|curve| extremes(&curve.x, &curve.y, (from, to))).collect();
        if cells.iter().any(Option::is_some) {
            let cells = cells.into_iter().map(|cell| cell.unwrap_or_else(|| ABSENT.to_owned())).collect();
            rows.push((format!("{from:.0}\u{A0}s"), cells));
        }
        from = to;
    }
    Table {
        rows,
        left_out: (step > 1.0)
            .then(|| format!("Each row is of {step:.0} s: what is least and what is greatest in them.")),
    }
}

/// What is least and what is greatest of a curve from one place to before another; `None` where nothing is known.
fn extremes(x: &[f64], y: &[Option<f64>], (from, to): (f64, f64)) -> Option<String> {
    let inside = x.iter().zip(y).filter(|(x, _)| (from..to).contains(*x)).filter_map(|(_, y)| *y);
    let (least, greatest) = inside.fold(None, |range, y| match range {
        None => Some((y, y)),
        Some((least, greatest)) => Some((f64::min(least, y), f64::max(greatest, y))),
    })?;
    let (least, greatest) = (shown(least), shown(greatest));
    Some(if least == greatest { least } else { format!("{least}–{greatest}") })
}

fn shown(value: f64) -> String {
    digits(value, 3)
}

const fn unit(unit: Unit) -> &'static str {
    match unit {
        Unit::Seconds => "s",
        Unit::Milliseconds => "ms",
        Unit::Mbps => "Mbps",
        Unit::Dbm => "dBm",
        Unit::Share => "share",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{Band, Curve, Kind, Style, Subject, Tone};

    fn figure(scale: Scale, curves: Vec<Curve>, bands: Vec<Band>) -> Figure {
        let axis = |scale, unit| Axis { label: String::new(), unit, scale, range: (0.0, 1.0), ticks: Vec::new() };
        Figure {
            name: "response-time/a/b".into(),
            subject: Subject::Run,
            kind: Kind::ResponseTime,
            title: "a b".into(),
            caption: String::new(),
            x: axis(scale, Unit::Seconds),
            y: axis(Scale::Linear, Unit::Milliseconds),
            curves,
            bands,
            levels: Vec::new(),
            marks: Vec::new(),
            stretches: Vec::new(),
        }
    }

    fn curve(name: &str, points: &[(f64, Option<f64>)]) -> Curve {
        let (x, y) = points.iter().copied().unzip();
        Curve { name: name.into(), style: Style::Line, tone: Tone::Main, x, y }
    }

    fn rows(rows: &[(&str, &[&str])]) -> Vec<(String, Vec<String>)> {
        let row = |(place, values): &(&str, &[&str])| {
            (place.replace(' ', "\u{A0}"), values.iter().map(ToString::to_string).collect())
        };
        rows.iter().map(row).collect()
    }

    #[test]
    fn a_short_time_line_has_a_row_for_each_second_and_none_where_nothing_is_known() {
        let p50 = curve("p50", &[(0.5, Some(10.0)), (1.5, None), (3.5, Some(12.0))]);
        let p95 = curve("p95", &[(0.5, Some(20.0)), (3.5, None)]);
        let drawn = figure(Scale::Linear, vec![p50, p95], vec![]);
        let drawn = Drawn::of(0, &drawn, 60);
        assert_eq!(drawn.heads, ["from", "p50, ms", "p95, ms"]);
        assert_eq!(drawn.rows, rows(&[("0 s", &["10.0", "20.0"]), ("3 s", &["12.0", "–"])]));
        assert_eq!(drawn.left_out, None);
    }

    #[test]
    fn a_long_one_has_rows_that_keep_what_is_least_and_what_is_greatest() {
        // Ten seconds in four rows: stretches of ⌈10/4⌉ = 3 s, of which the last holds one second.
        let values = [5.0, 1.0, 9.0, 4.0, 4.0, 4.0, 7.0, 8.0, 2.0, 3.0];
        let points: Vec<_> = (0..10_u32).zip(values).map(|(at, y)| (f64::from(at) + 0.5, Some(y))).collect();
        let drawn = figure(Scale::Linear, vec![curve("p50", &points)], vec![]);
        let drawn = Drawn::of(0, &drawn, 4);
        let expected: [(&str, &[&str]); 4] =
            [("0 s", &["1.00–9.00"]), ("3 s", &["4.00"]), ("6 s", &["2.00–8.00"]), ("9 s", &["3.00"])];
        assert_eq!(drawn.rows, rows(&expected));
        assert_eq!(drawn.left_out.as_deref(), Some("Each row is of 3 s: what is least and what is greatest in them."));
    }

    #[test]
    fn a_percentile_stands_with_its_band_and_an_edge_that_is_not_known_is_a_dash() {
        let times = curve("response time", &[(0.5, Some(10.0)), (0.99, Some(30.0)), (0.999, None)]);
        let band = Band {
            name: "95 % confidence".into(),
            curve: 0,
            x: vec![0.5, 0.99],
            lower: vec![Some(9.0), Some(25.0)],
            upper: vec![Some(11.0), None],
        };
        let drawn = figure(Scale::Nines, vec![times], vec![band]);
        let drawn = Drawn::of(0, &drawn, 60);
        assert_eq!(drawn.heads, ["percentile", "response time, ms", "95 % confidence, from, ms", "to, ms"]);
        let expected: [(&str, &[&str]); 3] =
            [("p50", &["10.0", "9.00", "11.0"]), ("p99", &["30.0", "25.0", "–"]), ("p99.9", &["–", "–", "–"])];
        assert_eq!(drawn.rows, rows(&expected));
    }
}
