//! The facts of a run: what was asked, when, where, and what the links counted.

use burn_model::judge::Judgement;
use burn_model::run::RunRecord;

use crate::said::facts::facts;
use crate::text::page::{Page, Span, Tone};

/// Columns of a fact's name, with its indent and gap.
const LABEL: usize = 13;

/// The last section.
pub(super) fn write(page: &mut Page, run: &RunRecord, judgement: &Judgement) {
    page.heading("The run");
    for (name, text) in facts(run, judgement) {
        let label = format!("  {name:<width$}", width = LABEL - 2);
        page.paragraph_after(&Span::new(label, Tone::Faint), &text);
    }
}
