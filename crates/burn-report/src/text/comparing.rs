//! Several runs of two set-ups for a terminal: what got better, what got worse, and how sure that is.

use burn_model::compare::{Answer, ApplicationComparison, Comparison, Side};

use crate::said::change::{p_shown, shift_shown, side_shown};
use crate::text::Style;
use crate::text::page::{Page, Span, Tone};
use crate::words::{answer_shown, counted, run_figure};

/// The whole comparison of set-up `second` with set-up `first`, each by its title.
#[must_use]
pub fn render_comparison(first: &str, second: &str, comparison: &Comparison, style: Style) -> String {
    let mut page = Page::new(style);
    let runs = |n: usize| counted(n as u64, "run", "runs");
    let (of_first, of_second) = comparison.runs;
    page.paragraph("", &format!("{second} ({}) held against {first} ({})", runs(of_second), runs(of_first)));
    page.gap();
    for application in &comparison.applications {
        write(&mut page, application);
    }
    if comparison.applications.is_empty() {
        page.paragraph("  ", "No application stands in both.");
    }
    if !comparison.cautions.is_empty() {
        page.heading("Bear in mind");
        page.points(&comparison.cautions);
    }
    page.finish()
}

fn write(page: &mut Page, application: &ApplicationComparison) {
    let ApplicationComparison { client, name, figure, first, second, test, answer, because } = application;
    let tone = match answer {
        Answer::Better => Tone::Good,
        Answer::Worse => Tone::Bad,
        Answer::CannotTell => Tone::Unsure,
    };
    page.line(&[Span::plain(format!("  {client} {name}: ")), Span::new(answer_shown(*answer), tone)]);
    let side = |side: &Side| side_shown(application, side);
    page.paragraph("    ", &format!("{}: {} → {}", run_figure(figure), side(first), side(second)));
    let found = test.and_then(|test| Some((test, test.shift?)));
    if let (Some((test, shift)), true) = (found, because.is_none() || first.values.len().min(second.values.len()) > 1) {
        page.paragraph("    ", &format!("{}; {}", shift_shown(figure, shift), p_shown(test.p)));
    } else if let Some(test) = test.filter(|_| because.is_none()) {
        page.paragraph("    ", &p_shown(test.p));
    }
    if let Some(because) = because {
        page.paragraph("    ", &format!("Cannot tell: {because}."));
    }
}
