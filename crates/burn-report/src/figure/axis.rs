//! Ranges and ticks: round numbers, few of them.

use super::{Axis, Scale, Tick, Unit};
use crate::numbers::digits;

/// Ticks of an axis with equal steps, at most about so many.
const MOST_TICKS: f64 = 6.0;
/// Decades of a logarithmic axis up to which 2 and 5 are written too.
const DECADES_IN_FULL: f64 = 3.0;
/// Steps of a time line, in seconds.
const TIME_STEPS: [u32; 14] = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200];
/// Ticks of a time line, at most.
const MOST_TIME_TICKS: f64 = 9.0;

/// Times of a run from its start, in seconds.
pub(super) fn time(end: f64) -> Axis {
    let end = end.max(1.0);
    let fits = TIME_STEPS.iter().map(|step| f64::from(*step)).find(|step| end / step <= MOST_TIME_TICKS);
    // A run lasts a day and an hour at most.
    let step = fits.unwrap_or(4.0 * 3600.0);
    Axis {
        label: "time of the run".to_owned(),
        unit: Unit::Seconds,
        scale: Scale::Linear,
        range: (0.0, end),
        ticks: rising(0.0, end, step).map(|at| Tick { at, text: clock(at) }).collect(),
    }
}

/// Equal steps from zero to past the greatest of the values.
pub(super) fn from_zero(label: &str, unit: Unit, values: impl IntoIterator<Item = f64>) -> Axis {
    let greatest = values.into_iter().filter(|value| value.is_finite()).fold(0.0, f64::max);
    linear(label, unit, 0.0, if greatest > 0.0 { greatest } else { 1.0 })
}

/// Equal steps around all of the values, over a range that is at least so wide.
pub(super) fn around(label: &str, unit: Unit, values: impl IntoIterator<Item = f64>, least_width: f64) -> Axis {
    let (least, greatest) = span(values).unwrap_or((0.0, 0.0));
    let missing = (least_width - (greatest - least)).max(0.0) / 2.0;
    linear(label, unit, least - missing, greatest + missing)
}

/// Equal factors around all of the values that are above zero.
pub(super) fn logarithmic(label: &str, unit: Unit, values: impl IntoIterator<Item = f64>) -> Axis {
    let (least, greatest) = span(values.into_iter().filter(|value| *value > 0.0)).unwrap_or((1.0, 10.0));
    let marks: Vec<f64> = {
        let first = least.log10().floor();
        let last = greatest.log10().ceil();
        let decades = std::iter::successors(Some(first), |decade| Some(decade + 1.0)).take_while(|at| *at <= last);
        decades.flat_map(|decade| [1.0, 2.0, 5.0].map(|factor| factor * 10_f64.powf(decade))).collect()
    };
    // The values at the edge keep a little room.
    let from = marks.iter().rev().find(|mark| **mark <= least * 0.95).copied().unwrap_or(least / 2.0);
    let to = marks.iter().find(|mark| **mark >= greatest * 1.05).copied().unwrap_or(greatest * 2.0);
    let in_full = (to / from).log10() <= DECADES_IN_FULL;
    let is_written = |mark: f64| in_full || (mark.log10() - mark.log10().round()).abs() < 1e-6;
    let inside = marks.into_iter().filter(|mark| (from * 0.999..=to * 1.001).contains(mark));
    let ticks = inside.filter(|mark| is_written(*mark)).map(|at| Tick { at, text: text_of(at, unit) }).collect();
    Axis { label: label.to_owned(), unit, scale: Scale::Logarithmic, range: (from, to), ticks }
}

/// Shares by their nines, up to the last one.
pub(super) fn nines(label: &str, last: f64) -> Axis {
    // 1 − 10^−9 is past every run.
    let nines = (1..=9_i32).map(|nines| 1.0 - 10_f64.powi(-nines));
    let ticks = [0.0, 0.5].into_iter().chain(nines).filter(|share| *share <= last + 1e-12);
    let text = |share: f64| {
        let percent = format!("{:.7}", share * 100.0);
        format!("{} %", percent.trim_end_matches('0').trim_end_matches('.'))
    };
    Axis {
        label: label.to_owned(),
        unit: Unit::Share,
        scale: Scale::Nines,
        range: (0.0, last),
        ticks: ticks.map(|at| Tick { at, text: text(at) }).collect(),
    }
}

/// A time of the run as people say it: `0:30`, `1:02:05`.
pub(super) fn clock(seconds: f64) -> String {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a time of a run, which lasts a day at most"
    )]
    let whole = seconds.max(0.0) as u64;
    let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

fn linear(label: &str, unit: Unit, least: f64, greatest: f64) -> Axis {
    let step = round_step((greatest - least) / MOST_TICKS);
    let (from, to) = ((least / step).floor() * step, (greatest / step).ceil() * step);
    let decimals = if step < 1.0 { 1 + usize::from(step < 0.1) + usize::from(step < 0.01) } else { 0 };
    let ticks = rising(from, to, step).map(|at| Tick { at, text: format!("{:.decimals$}", at + 0.0) }).collect();
    Axis { label: label.to_owned(), unit, scale: Scale::Linear, range: (from, to), ticks }
}

/// The least of 1, 2 and 5 times a power of ten that is no less.
fn round_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.max(1e-9).log10().floor());
    [1.0, 2.0, 5.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|step| *step >= least * 0.999_999)
        .unwrap_or(10.0 * power)
}

fn rising(from: f64, to: f64, step: f64) -> impl Iterator<Item = f64> {
    // Counted, not added up: no rounding gathers.
    (0..1000_u32).map(move |i| from + f64::from(i) * step).take_while(move |at| *at <= to + step * 1e-6)
}

fn span(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    let finite = values.into_iter().filter(|value| value.is_finite());
    finite.fold(None, |span: Option<(f64, f64)>, value| {
        Some(span.map_or((value, value), |(least, greatest)| (least.min(value), greatest.max(value))))
    })
}

/// A tick of a logarithmic axis; milliseconds as people say them.
fn text_of(at: f64, unit: Unit) -> String {
    match unit {
        Unit::Milliseconds if at >= 999.0 => format!("{} s", digits_of(at / 1000.0)),
        Unit::Milliseconds if at < 0.999 => format!("{} µs", digits_of(at * 1000.0)),
        Unit::Milliseconds => format!("{} ms", digits_of(at)),
        _ => digits_of(at),
    }
}

fn digits_of(value: f64) -> String {
    let text = digits(value, 3);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|tick| tick.text.as_str()).collect()
    }

    #[test]
    fn a_time_line_has_round_times() {
        // 75 s / 10 s = 7.5 steps; 15 s would do too, but 10 s is the least step with at most nine.
        assert_eq!(texts(&time(75.0)), ["0:00", "0:10", "0:20", "0:30", "0:40", "0:50", "1:00", "1:10"]);
        assert_eq!(texts(&time(3600.0))[..3], ["0:00", "10:00", "20:00"]);
        assert_eq!(clock(3725.0), "1:02:05");
    }

    #[test]
    fn an_axis_from_zero_ends_at_a_round_number_past_the_greatest_value() {
        // 26 / 6 = 4.3, so steps of 5: the axis ends at 30.
        let axis = from_zero("", Unit::Mbps, [3.0, 26.0, f64::NAN]);
        assert_eq!((axis.range, texts(&axis).join(" ").as_str()), ((0.0, 30.0), "0 5 10 15 20 25 30"));
        let axis = from_zero("", Unit::Mbps, []);
        assert_eq!(texts(&axis), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
    }

    #[test]
    fn a_signal_that_hardly_moves_is_not_blown_up() {
        // −61 and −60: widened to 10 dB around −60.5, −65.5 to −55.5; a sixth is 1.7, so steps of 2.
        let axis = around("", Unit::Dbm, [-61.0, -60.0], 10.0);
        assert_eq!(axis.range, (-66.0, -54.0));
        assert_eq!(texts(&axis).first(), Some(&"-66"));
    }

    #[test]
    fn a_logarithmic_axis_goes_by_1_2_5_over_few_decades_and_by_tens_over_many() {
        let axis = logarithmic("", Unit::Milliseconds, [1.9, 400.0]);
        assert_eq!(texts(&axis), ["1 ms", "2 ms", "5 ms", "10 ms", "20 ms", "50 ms", "100 ms", "200 ms", "500 ms"]);
        let axis = logarithmic("", Unit::Milliseconds, [0.3, 9000.0, -1.0, 0.0]);
        assert_eq!(texts(&axis), ["1 ms", "10 ms", "100 ms", "1 s", "10 s"]);
        assert!(axis.range.0 > 0.0);
    }

    #[test]
    fn nines_are_written_as_far_as_they_reach() {
        assert_eq!(texts(&nines("", 0.9995)), ["0 %", "50 %", "90 %", "99 %", "99.9 %"]);
        assert_eq!(texts(&nines("", 0.999_999_95)).last(), Some(&"99.99999 %"));
    }
}
