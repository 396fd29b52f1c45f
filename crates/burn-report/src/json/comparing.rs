//! Several runs of two set-ups as one JSON document.

use burn_model::compare::{ApplicationComparison, Comparison, Side};
use serde::Serialize;

use crate::words::{answer, run_figure, unit};

use super::{FORMAT, round, share, write};

/// The document of a comparison of set-up `second` with set-up `first`, each by its title. Values are in the unit that stands
/// beside them; `null` stands where a run could not tell, and the text `failed` where what the figure is of never completed.
#[must_use]
pub fn render_comparison(first: &str, second: &str, comparison: &Comparison, exit_code: u8) -> String {
    write(&Document {
        format: FORMAT,
        error: None,
        exit_code,
        first: first.to_owned(),
        second: second.to_owned(),
        runs: Runs { first: comparison.runs.0, second: comparison.runs.1 },
        comparisons: comparison.applications.iter().map(Compared::of).collect(),
        cautions: comparison.cautions.clone(),
    })
}

#[derive(Serialize)]
struct Document {
    format: u32,
    error: Option<String>,
    exit_code: u8,
    first: String,
    second: String,
    runs: Runs,
    comparisons: Vec<Compared>,
    cautions: Vec<String>,
}

#[derive(Serialize)]
struct Runs {
    first: usize,
    second: usize,
}

#[derive(Serialize)]
struct Compared {
    client: String,
    name: String,
    figure: String,
    unit: &'static str,
    less_is_better: bool,
    first: Values,
    second: Values,
    change: Option<f64>,
    interval: Option<(f64, f64)>,
    p: Option<f64>,
    answer: &'static str,
    because: Option<String>,
}

#[derive(Serialize)]
struct Values {
    values: Vec<Value>,
    median: Value,
}

/// A figure of one run.
#[derive(Serialize)]
#[serde(untagged)]
enum Value {
    Number(Option<f64>),
    Failed(&'static str),
    Unknown(Option<()>),
}

impl Compared {
    fn of(one: &ApplicationComparison) -> Self {
        let (unit, scale) = unit(&one.figure);
        let shift = one.test.and_then(|test| test.shift);
        Self {
            client: one.client.clone(),
            name: one.name.clone(),
            figure: run_figure(&one.figure),
            unit,
            less_is_better: one.figure.less_is_better(),
            first: Values::of(&one.first, scale),
            second: Values::of(&one.second, scale),
            change: shift.and_then(|shift| round(shift.estimate / scale)),
            interval: shift
                .and_then(|shift| shift.interval)
                .and_then(|(low, high)| round(low / scale).zip(round(high / scale))),
            p: one.test.map(|test| share(test.p)),
            answer: answer(one.answer),
            because: one.because.clone(),
        }
    }
}

impl Values {
    fn of(side: &Side, scale: f64) -> Self {
        let value = |value: Option<f64>| match value {
            Some(value) if value.is_finite() => Value::Number(round(value / scale)),
            Some(_) => Value::Failed("failed"),
            None => Value::Unknown(None),
        };
        Self { values: side.values.iter().copied().map(value).collect(), median: value(side.median) }
    }
}
