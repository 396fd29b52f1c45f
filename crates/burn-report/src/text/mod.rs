//! A judged run for a terminal: the verdict first, then everything that it stands on.
//!
//! No line is wider than the style says (and never less than 20 columns are used). Without colour there is not one
//! escape byte, and nothing is lost: every colour only repeats a word.

mod applications;
mod beside;
mod comparing;
mod facts;
mod fair_share;
mod fidelity;
mod headline;
mod kept;
mod page;
mod side_by_side;
mod table;
mod trend;

use burn_model::judge::{Judgement, Verdict};
use burn_model::run::RunRecord;

pub use comparing::render_comparison;
pub use kept::render_runs;
use page::{Page, Tone};
pub use side_by_side::render_side_by_side;
pub use trend::render_trends;

/// How a report looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether colours may be used.
    pub color: bool,
    /// How many columns there are; fewer than 20 are taken as 20.
    pub width: usize,
}

/// The whole report of a run.
#[must_use]
pub fn render(run: &RunRecord, judgement: &Judgement, style: Style) -> String {
    let mut page = Page::new(style);
    headline::write(&mut page, run, judgement);
    let rows = crate::rows::rows(run, judgement);
    table::write(&mut page, judgement, &rows);
    headline::write_reasons(&mut page, judgement);
    fair_share::write(&mut page, judgement);
    applications::write(&mut page, judgement, &rows);
    beside::write(&mut page, run);
    fidelity::write(&mut page, run, judgement);
    facts::write(&mut page, run, judgement);
    page.finish()
}

const fn tone_of(verdict: Verdict) -> Tone {
    match verdict {
        Verdict::Pass => Tone::Good,
        Verdict::Marginal => Tone::Warning,
        Verdict::Inconclusive => Tone::Unsure,
        Verdict::Fail => Tone::Bad,
    }
}
