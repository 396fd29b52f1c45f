//! How an application differs between two set-ups of several runs each.

use burn_model::compare::{Answer, ApplicationComparison, Comparison, RunFigure, Side};
use burn_model::rank_test::Shift;

use crate::numbers::ABSENT;
use crate::said::spoken::spoken;
use crate::words::{list, run_value};

/// What got better, what got worse and what cannot be told, in a sentence. Titles may hold anything.
pub(crate) fn sentence((first, second): (&str, &str), comparison: &Comparison) -> String {
    if comparison.applications.is_empty() {
        return "No application stands in both set-ups.".to_owned();
    }
    let with = |answer| -> Vec<String> {
        let those = comparison.applications.iter().filter(|one| one.answer == answer);
        those.map(|one| subject(one, comparison)).collect()
    };
    let (better, worse, unsure) = (with(Answer::Better), with(Answer::Worse), with(Answer::CannotTell));
    let mut clauses = Vec::new();
    for (names, how) in [(&better, "got better"), (&worse, "got worse")] {
        if !names.is_empty() {
            clauses.push(format!("{} {how}", list(names)));
        }
    }
    if !unsure.is_empty() {
        clauses.push(format!("whether {} changed, these runs cannot tell", list(&unsure)));
    }
    format!("From “{first}” to “{second}”: {}.", clauses.join("; "))
}

/// `the call`, or `the call on phone` where there are several.
fn subject(one: &ApplicationComparison, comparison: &Comparison) -> String {
    let subject = spoken(&one.name).subject;
    match comparison.applications.iter().filter(|other| other.name == one.name).count() {
        0 | 1 => subject.to_owned(),
        _ => format!("{subject} on {}", one.client),
    }
}

/// The median of the runs, and between which values they lie.
pub(crate) fn side_shown(application: &ApplicationComparison, side: &Side) -> String {
    let value = |value: f64| run_value(&application.figure, value);
    match (side.median, side.range) {
        (Some(median), Some((low, high))) if low < high => {
            format!("{} ({} to {})", value(median), value(low), value(high))
        }
        (Some(median), _) => value(median),
        _ => ABSENT.to_owned(),
    }
}

/// How far apart the set-ups are, with an interval that holds the true difference with 95 % confidence.
pub(crate) fn shift_shown(figure: &RunFigure, shift: Shift) -> String {
    let value = |value: f64| run_value(figure, value.abs());
    let signed = |number: f64| format!("{}{}", if number < 0.0 { "−" } else { "+" }, value(number));
    let interval = shift
        .interval
        .map_or_else(String::new, |(low, high)| format!(" (95 % sure: {} to {})", signed(low), signed(high)));
    format!("change {}{interval}", signed(shift.estimate))
}

/// How often runs of one and the same set-up would look as different: never less than it is, and never none.
pub(crate) fn p_shown(p: f64) -> String {
    // A rounding must not take a thousandth more.
    let thousandths = (p * 1e3 - 1e-9).ceil();
    if p < 1e-3 { "p < 0.001".to_owned() } else { format!("p = {:.3}", thousandths / 1e3) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_p_is_never_shown_as_less_than_it_is_nor_as_none() {
        // 2 of 70 deals are 0.02857; 0.0503 must not read as the 0.05 that would be allowed.
        let shown = [2.0 / 70.0, 0.0503, 0.05, 1.0, 1e-3, 9e-4, 1.1e-18].map(p_shown);
        assert_eq!(shown, ["p = 0.029", "p = 0.051", "p = 0.050", "p = 1.000", "p = 0.001", "p < 0.001", "p < 0.001"]);
    }
}
