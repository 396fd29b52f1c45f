//! Each run's figure as a dot: how far apart two set-ups lie beside how far apart their own runs do.

use burn_model::compare::{ApplicationComparison, RunFigure};

use crate::layout::glue;
use crate::numbers::ABSENT;
use crate::words::run_value;

/// Between the first and the last place of a dot, in the drawing's units.
const WIDTH: f64 = 300.0;
/// How wide a square is.
const SQUARE: f64 = 9.0;

/// The dots of both set-ups on one line each.
pub(super) struct Dots {
    /// Where the middles of the first set-up's dots are, 0 to [`WIDTH`].
    pub(super) first: Vec<String>,
    /// Where the left edges of the second's squares are.
    pub(super) second: Vec<String>,
    /// The values, run by run, in words.
    pub(super) first_values: String,
    pub(super) second_values: String,
    /// What the ends of the line stand for; `None` where there is no line.
    pub(super) ends: Option<(String, String)>,
}

impl Dots {
    pub(super) fn of(one: &ApplicationComparison) -> Self {
        let known = |values: &[Option<f64>]| -> Vec<f64> {
            values.iter().flatten().copied().filter(|value| value.is_finite()).collect()
        };
        let (first, second) = (known(&one.first.values), known(&one.second.values));
        let least = first.iter().chain(&second).copied().reduce(f64::min);
        let greatest = first.iter().chain(&second).copied().reduce(f64::max);
        let place = |value: &f64| match least.zip(greatest) {
            Some((least, greatest)) if least < greatest => (value - least) / (greatest - least) * WIDTH,
            _ => WIDTH / 2.0,
        };
        let ends = least.zip(greatest).filter(|(least, greatest)| least < greatest);
        Self {
            first: first.iter().map(|value| format!("{:.1}", place(value))).collect(),
            second: second.iter().map(|value| format!("{:.1}", place(value) - SQUARE / 2.0)).collect(),
            first_values: in_words(&one.figure, &one.first.values),
            second_values: in_words(&one.figure, &one.second.values),
            ends: ends.map(|(least, greatest)| (run_value(&one.figure, least), run_value(&one.figure, greatest))),
        }
    }
}

fn in_words(figure: &RunFigure, values: &[Option<f64>]) -> String {
    let word = |value: &Option<f64>| value.map_or_else(|| ABSENT.to_owned(), |value| glue(&run_value(figure, value)));
    values.iter().map(word).collect::<Vec<_>>().join(", ")
}
