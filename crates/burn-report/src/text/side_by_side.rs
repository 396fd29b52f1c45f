//! Set-ups next to each other: who had a good evening in which, and what moved in each.

use burn_model::judge::{ApplicationJudgement, Judgement, Verdict};
use burn_model::run::RunRecord;

use crate::comparison::{self, find};
use crate::layout::{clip, glue};
use crate::numbers::{ABSENT, rate};
use crate::text::page::{Align, Column, Page, Span, Tone};
use crate::text::table::{deciding, verdict};
use crate::text::{Style, tone_of};
use crate::words::{title, verdict_shown};

/// Columns under which set-ups stand below each other instead.
const LEAST_COLUMN: usize = 14;
const INDENT: usize = 2;
const IN_ALL: &str = "moved in all";
const TOGETHER: &str = "all together";

/// Set-ups next to each other, each with its title: every application's verdict and deciding figure, what moved in
/// all, the run's verdict, and one closing sentence where the figures carry it.
#[must_use]
pub fn render_side_by_side(setups: &[(&str, &RunRecord, &Judgement)], style: Style) -> String {
    let judged: Vec<(&str, &Judgement)> = setups.iter().map(|(title, _, judgement)| (*title, *judgement)).collect();
    compare(&judged, style)
}

fn compare(setups: &[(&str, &Judgement)], style: Style) -> String {
    let mut page = Page::new(style);
    match columns(page.width(), setups.len()) {
        Some(columns) => beside(&mut page, setups, &columns),
        None => setups.iter().for_each(|(title, judgement)| below(&mut page, title, judgement)),
    }
    for (title, judgement) in setups {
        why_it_cannot_tell(&mut page, title, judgement);
    }
    page.gap();
    for sentence in comparison::sentences(&setups.iter().map(|(_, judgement)| *judgement).collect::<Vec<_>>()) {
        page.paragraph("  ", sentence);
    }
    page.finish()
}

fn beside(page: &mut Page, setups: &[(&str, &Judgement)], columns: &[Column]) {
    let mut row = |name: &str, cells: Vec<Span>| {
        // A clipped name keeps to one line; its blanks must not wrap it.
        let name = glue(&clip(name, columns.first().map_or(0, |column| column.width)));
        page.row(INDENT, columns, &std::iter::once(Span::plain(name)).chain(cells).collect::<Vec<_>>());
    };
    row("", setups.iter().map(|(title, _)| Span::new(*title, Tone::Strong)).collect());
    for (client, name) in applications(setups) {
        let cells = |cell: fn(&ApplicationJudgement) -> Span| {
            let found = setups.iter().map(|(_, judgement)| find(judgement, client, name));
            found.map(|found| found.map_or_else(|| Span::plain(ABSENT), cell)).collect::<Vec<_>>()
        };
        row(&format!("{client} {name}"), cells(verdict));
        row("", cells(|application| Span::plain(deciding(application))));
    }
    row(IN_ALL, setups.iter().map(|(_, judgement)| Span::plain(glue(&rate(judgement.goodput_bps)))).collect());
    row(TOGETHER, setups.iter().map(|(_, judgement)| overall(judgement)).collect());
}

/// The weightiest reason of each application that cannot be judged: columns have no room for it.
fn why_it_cannot_tell(page: &mut Page, name: &str, judgement: &Judgement) {
    if judgement.verdict != Verdict::Inconclusive {
        return;
    }
    page.gap();
    page.paragraph("  ", &format!("Why {name} is inconclusive:"));
    let unsure = judgement.applications.iter().filter(|one| one.verdict == Some(Verdict::Inconclusive));
    let first_of = |one| judgement.reasons.iter().find(|reason| reason.starts_with(&format!("{}: ", title(one))));
    let reasons: Vec<String> = unsure.filter_map(first_of).cloned().collect();
    page.points(if reasons.is_empty() { &judgement.reasons } else { &reasons });
}

/// One set-up by itself, where there is no room for columns.
fn below(page: &mut Page, name: &str, judgement: &Judgement) {
    page.line(&[Span::new(name, Tone::Strong)]);
    for application in &judgement.applications {
        let verdict = verdict(application).text;
        page.paragraph("  ", &format!("{}: {verdict}; {}", title(application), deciding(application)));
    }
    page.paragraph("  ", &format!("{IN_ALL}: {}", glue(&rate(judgement.goodput_bps))));
    page.line(&[Span::plain(format!("  {TOGETHER}: ")), overall(judgement)]);
}

fn overall(judgement: &Judgement) -> Span {
    Span::new(verdict_shown(judgement.verdict), tone_of(judgement.verdict))
}

/// A column for names and one for each set-up, where they have room.
fn columns(page: usize, setups: usize) -> Option<Vec<Column>> {
    let names = (page / 4).clamp(12, 24);
    let rest = page.checked_sub(INDENT + names + setups * Page::GAP)?;
    let each = rest.checked_div(setups)?;
    let column = |width| Column { width, align: Align::Left };
    (each >= LEAST_COLUMN)
        .then(|| std::iter::once(column(names)).chain(std::iter::repeat_n(column(each), setups)).collect())
}

/// Every application that some set-up has, in the order of the first that has it.
fn applications<'a>(setups: &[(&str, &'a Judgement)]) -> Vec<(&'a str, &'a str)> {
    let mut names = Vec::new();
    for application in setups.iter().flat_map(|(_, judgement)| &judgement.applications) {
        let name = (application.client.as_str(), application.name.as_str());
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
