//! The runs that were kept, for a terminal: a line each, and one more where there is something to say.

use burn_model::brief::{ApplicationBrief, Brief};
use burn_model::judge::Verdict;

use crate::kept::{KeptRun, short_id, started, unusual_end};
use crate::layout::{clip, glue};
use crate::numbers::score;
use crate::text::page::{Align, Column, Page, Span, Tone};
use crate::text::{Style, tone_of};
use crate::words::{kept_figure, list, verdict_shown};

const ID: usize = 8;
const STARTED: usize = 16;
const VERDICT: usize = 12;
const SCORE: usize = 5;
/// Fewer columns for the scenario, and it goes into a line of its own.
const LEAST_SCENARIO: usize = 12;

/// Runs as a list, in the order that they are given.
#[must_use]
pub fn render_runs(runs: &[KeptRun<'_>], style: Style) -> String {
    let mut page = Page::new(style);
    let taken = ID + STARTED + VERDICT + SCORE + 4 * Page::GAP;
    let scenario = page.width().checked_sub(taken).filter(|left| *left >= LEAST_SCENARIO);
    let left = |width| Column { width, align: Align::Left };
    let mut columns = vec![left(ID), left(STARTED), left(VERDICT), Column { width: SCORE, align: Align::Right }];
    columns.extend(scenario.map(left));
    if !runs.is_empty() && scenario.is_some() {
        let heads = ["RUN", "STARTED (UTC)", "VERDICT", "SCORE", "SCENARIO"];
        page.row(0, &columns, &heads.map(|head| Span::new(glue(head), Tone::Faint)));
    }
    for run in runs {
        let brief = run.brief;
        let mut cells = vec![
            Span::plain(glue(&short_id(&brief.run))),
            Span::plain(glue(&started(&brief.started_at))),
            Span::new(verdict_shown(brief.verdict), tone_of(brief.verdict)),
            Span::plain(score(brief.score)),
        ];
        match scenario {
            Some(width) => {
                cells.push(Span::plain(glue(&clip(&brief.scenario, width))));
                page.row(0, &columns, &cells);
            }
            None => {
                // Too narrow for columns: a line for each.
                for cell in &cells {
                    page.line(std::slice::from_ref(cell));
                }
                page.paragraph("  ", &brief.scenario);
            }
        }
        for remark in remarks(run) {
            page.paragraph(&" ".repeat(ID.min(page.width() / 4) + Page::GAP), &remark);
        }
    }
    page.finish()
}

/// What made it no pass, how it ended where not as planned, and what a person noted.
fn remarks(run: &KeptRun<'_>) -> Vec<String> {
    let mut remarks = Vec::new();
    remarks.extend(unusual_end(run.brief));
    if run.brief.verdict != Verdict::Pass {
        remarks.extend(worst(run.brief).and_then(|one| {
            let figure = kept_figure(one.deciding()?);
            Some(format!("{} {}: {}", one.client, one.name, glue(&figure).replace(",\u{A0}", ", ")))
        }));
    }
    if !run.tags.is_empty() {
        remarks.push(format!("tagged {}", list(&run.tags.iter().cloned().collect::<Vec<_>>())));
    }
    remarks.extend(run.note.map(|note| format!("“{note}”")));
    remarks
}

/// The application that the run's verdict comes from: of several, the one with the lowest score.
fn worst(brief: &Brief) -> Option<&ApplicationBrief> {
    let worst = brief.applications.iter().filter(|one| one.verdict == Some(brief.verdict));
    worst.min_by(|one, other| one.score.unwrap_or(100.0).total_cmp(&other.score.unwrap_or(100.0)))
}
