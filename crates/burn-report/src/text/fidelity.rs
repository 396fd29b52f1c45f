//! Was it the network? What was checked about the tester and the server, what was in doubt, and what to bear in mind.

use burn_model::judge::Judgement;
use burn_model::run::RunRecord;

use crate::said::fidelity::{answer, costs};
use crate::text::page::Page;

/// The section on the tester, and the cautions.
pub(super) fn write(page: &mut Page, run: &RunRecord, judgement: &Judgement) {
    page.heading("Was it the network?");
    page.paragraph("  ", &answer(run, judgement));
    page.points(&judgement.doubts);
    if !judgement.checks.is_empty() {
        page.paragraph("  ", "Checked and in order:");
        page.points(&judgement.checks);
    }
    let costs = costs(judgement);
    if !costs.is_empty() {
        page.paragraph("  ", "What the tester and the server themselves cost, p50 / p99 / max:");
        for (title, said) in costs {
            page.paragraph("  - ", &format!("{title}: {said}"));
        }
    }
    let remarks = run.header().map_or(&[][..], |header| header.remarks.as_slice());
    if judgement.cautions.is_empty() && remarks.is_empty() {
        return;
    }
    page.heading("Bear in mind");
    page.points(remarks.iter().chain(&judgement.cautions));
}
