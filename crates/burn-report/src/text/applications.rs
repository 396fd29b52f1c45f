//! Each application's figures: times, what moved, what became of its operations, and each goal with its evidence.

use burn_model::judge::{ApplicationJudgement, Judgement, Reading, Summary};

use crate::layout::glue;
use crate::numbers::{ABSENT, reading};
use crate::rows::{Row, title_of, worst};
use crate::said::goals::goal;
use crate::said::operations::{movement, operations, playback, quantiles};
use crate::text::page::{Align, Column, Page, Span, Tone};
use crate::words::title;

/// "service time", indented, and a gap.
const LABEL: usize = 16;
/// "1000 ms".
const FIGURE: usize = 8;

/// A block for each application.
pub(super) fn write(page: &mut Page, judgement: &Judgement, shown: &[Row<'_>]) {
    if judgement.applications.is_empty() {
        return;
    }
    page.heading("What each would have felt");
    page.paragraph(
        "  ",
        "Response time counts from the moment an operation was due, and is what a person feels and goals are judged on. \
         Service time counts from the moment it was sent.",
    );
    for row in shown {
        page.gap();
        match row {
            Row::One(application) => block(page, application),
            Row::Alike(group) => {
                let what =
                    format!("{}: {} clients that pass; this is the worst of them.", title_of(group), group.len());
                page.paragraph("  ", &what);
                worst(group).into_iter().for_each(|application| block(page, application));
            }
        }
    }
    notes(page, judgement);
}

/// What the signs in the tables of times stand for, where they occur.
fn notes(page: &mut Page, judgement: &Judgement) {
    let shown = |kind: Reading| {
        let summaries = judgement.applications.iter().flat_map(|one| [one.response_time, one.service_time]);
        summaries.into_iter().flat_map(|summary| quantiles(&summary)).any(|(_, reading)| reading == kind)
    };
    let signs = [
        (Reading::TooFew, ABSENT, "stands where there are too few samples to say"),
        (Reading::Unsuccessful, "failed", "stands where a quantile falls on operations that never completed"),
    ];
    let said: Vec<String> =
        signs.into_iter().filter(|(kind, ..)| shown(*kind)).map(|(_, sign, what)| format!("{sign} {what}")).collect();
    if !said.is_empty() {
        page.gap();
        page.paragraph("  ", &format!("{}.", said.join("; ")));
    }
}

fn block(page: &mut Page, application: &ApplicationJudgement) {
    let name = Span::new(title(application), Tone::Strong);
    // What that means for the figures is among the judgement's cautions.
    let kind = Span::new(if application.closed { " (closed)" } else { "" }, Tone::Faint);
    page.line(&[Span::plain("  "), name, kind]);
    times(page, application);
    page.paragraph("    ", &movement(application));
    page.paragraph("    ", &operations(application));
    if let Some(stream) = &application.stream {
        page.paragraph("    ", &playback(stream));
    }
    for (i, judged) in application.goals.iter().enumerate() {
        let decided = application.goals.len() > 1 && application.decided_by == Some(i);
        page.paragraph("    - ", &goal(judged, decided));
    }
}

/// The table of times, or the same in words where it has no room.
fn times(page: &mut Page, application: &ApplicationJudgement) {
    let rows = [("response time", application.response_time), ("service time", application.service_time)];
    let columns: Vec<Column> = std::iter::once(Column { width: LABEL, align: Align::Left })
        .chain([Column { width: FIGURE, align: Align::Right }; 4])
        .collect();
    let needed = 4 + LABEL + 4 * (FIGURE + Page::GAP);
    if page.width() < needed {
        for (label, summary) in rows {
            let said: Vec<String> =
                quantiles(&summary).map(|(name, value)| glue(&format!("{name} {}", reading(value)))).collect();
            page.paragraph("    ", &format!("{label}: {}", said.join(", ")));
        }
        return;
    }
    let heads = std::iter::once(String::new()).chain(quantiles(&Summary::default()).map(|(name, _)| name.to_owned()));
    let heads: Vec<Span> = heads.map(|head| Span::new(head, Tone::Faint)).collect();
    page.row(4, &columns, &heads);
    for (label, summary) in rows {
        let cells = std::iter::once(label.to_owned()).chain(quantiles(&summary).map(|(_, value)| reading(value)));
        let cells: Vec<Span> = cells.map(|cell| Span::plain(glue(&cell))).collect();
        page.row(4, &columns, &cells);
    }
}
