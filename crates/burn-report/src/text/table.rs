//! Who, what, verdict, score and the figure that decided: the table that is read first.

use burn_model::judge::{ApplicationJudgement, Judgement, Reading};

use crate::layout::{clean, clip, glue, width};
use crate::numbers::{ABSENT, rate, score};
use crate::rows::{Row, title_of, worst};
use crate::text::page::{Align, Column, Page, Span, Tone};
use crate::text::tone_of;
use crate::words::{figure_and_goal, title, verdict_shown};

/// Fewer columns than this for the figure, and each application gets lines of its own instead of a row.
const LEAST_FIGURE: usize = 16;
/// "inconclusive".
const VERDICT: usize = 12;
/// "SCORE".
const SCORE: usize = 5;
const INDENT: usize = 2;

/// One row for each application.
pub(super) fn write(page: &mut Page, judgement: &Judgement, shown: &[Row<'_>]) {
    if judgement.applications.is_empty() {
        return;
    }
    page.gap();
    match columns(page.width(), judgement) {
        Some(columns) => rows(page, shown, &columns),
        None => {
            for row in shown {
                match row {
                    Row::One(application) => stacked(page, application),
                    Row::Alike(group) => alike(page, group),
                }
            }
        }
    }
}

/// Several that pass, in a line: each has its own in the JSON document.
fn alike(page: &mut Page, group: &[&ApplicationJudgement]) {
    let Some(worst) = worst(group) else { return };
    let score = worst.score.map_or_else(String::new, |_| format!(", score {} at least", score(worst.score)));
    let text = format!(
        "{}: pass ({} clients){score}; the worst is {}, {}",
        title_of(group),
        group.len(),
        worst.client,
        deciding(worst)
    );
    page.paragraph("  ", &text);
}

/// The columns, where the figure's still has room beside the others.
fn columns(page: usize, judgement: &Judgement) -> Option<[Column; 5]> {
    let name_limit = (page / 5).max(8);
    let natural = |name: fn(&ApplicationJudgement) -> &str| {
        judgement.applications.iter().map(|application| width(&clean(name(application)))).max().unwrap_or(0)
    };
    let who = natural(|application| &application.client).clamp(3, name_limit);
    let what = natural(|application| &application.name).clamp(4, name_limit);
    let figure = page.checked_sub(INDENT + who + what + VERDICT + SCORE + 4 * Page::GAP)?;
    let left = |width| Column { width, align: Align::Left };
    (figure >= LEAST_FIGURE).then_some([
        left(who),
        left(what),
        left(VERDICT),
        Column { width: SCORE, align: Align::Right },
        left(figure),
    ])
}

fn rows(page: &mut Page, shown: &[Row<'_>], columns: &[Column; 5]) {
    let heads = ["WHO", "WHAT", "VERDICT", "SCORE", "DECIDED BY"].map(|head| Span::new(head, Tone::Faint));
    page.row(INDENT, columns, &heads);
    for row in shown {
        let application = match row {
            Row::One(application) => application,
            Row::Alike(group) => {
                alike(page, group);
                continue;
            }
        };
        let [who, what, ..] = columns;
        // A clipped name keeps to one line; its blanks must not wrap it.
        let name = |text: &str, column: &Column| Span::plain(glue(&clip(text, column.width)));
        let cells = [
            name(&application.client, who),
            name(&application.name, what),
            verdict(application),
            Span::plain(score(application.score)),
            Span::plain(deciding(application)),
        ];
        page.row(INDENT, columns, &cells);
    }
}

fn stacked(page: &mut Page, application: &ApplicationJudgement) {
    page.paragraph("  ", &title(application));
    let score = application.score.map_or_else(String::new, |_| format!(", score {}", score(application.score)));
    page.line(&[Span::plain("    "), verdict(application), Span::plain(score)]);
    page.paragraph("    ", &deciding(application));
}

/// An application's verdict as a word in its colour.
pub(super) fn verdict(application: &ApplicationJudgement) -> Span {
    application
        .verdict
        .map_or_else(|| Span::new("no goals", Tone::Faint), |given| Span::new(verdict_shown(given), tone_of(given)))
}

/// The figure that decided against its goal; where nothing was judged, what moved.
pub(super) fn deciding(application: &ApplicationJudgement) -> String {
    if let Some(judged) = application.decided_by.and_then(|i| application.goals.get(i)) {
        // Nobody should have to look up the dash in the line that is read first.
        let too_few = if judged.reading == Some(Reading::TooFew) { " (too few)," } else { "," };
        let figure = figure_and_goal(judged).replacen(',', too_few, 1);
        // Breaks only after the comma.
        return glue(&figure).replace(",\u{A0}", ", ");
    }
    match (application.verdict, application.reasons.first()) {
        (None, _) => glue(&rate(application.goodput_bps)),
        (Some(_), Some(reason)) => reason.clone(),
        (Some(_), None) => ABSENT.to_owned(),
    }
}
