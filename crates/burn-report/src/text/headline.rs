//! The run's verdict in one sentence, and the reasons for it.

use std::time::Duration;

use burn_model::judge::{Judgement, Verdict};
use burn_model::record::Ending;
use burn_model::run::RunRecord;
use burn_model::units::format_bound;

use crate::numbers::rate;
use crate::text::page::{Page, Span, Tone};
use crate::text::tone_of;
use crate::words::{list, title, verdict_shown};

/// What was tested, and the verdict.
pub(super) fn write(page: &mut Page, run: &RunRecord, judgement: &Judgement) {
    if let Some(plan) = run.plan() {
        page.line(&[Span::new(plan.name.clone(), Tone::Strong)]);
        page.gap();
    }
    let verdict = judgement.verdict;
    let lead = Span::new(format!("{}  ", verdict_shown(verdict)), tone_of(verdict));
    page.paragraph_after(&lead, &sentence(judgement));
    if let Some(Ending::Interrupted { at, by }) = run.ending() {
        let when = format_bound(Duration::from_secs(at.second()));
        let text = format!("after {when} ({by}): all that follows is of the time until then.");
        page.paragraph_after(&Span::new("Interrupted  ", Tone::Warning), &text);
    }
}

/// Why. A pass needs no reasons: its sentence says it all.
pub(super) fn write_reasons(page: &mut Page, judgement: &Judgement) {
    if judgement.verdict == Verdict::Pass || judgement.reasons.is_empty() {
        return;
    }
    page.heading("Why");
    page.points(&judgement.reasons);
}

/// The verdict as one sentence about the people.
pub(super) fn sentence(judgement: &Judgement) -> String {
    let with = |verdict| -> Vec<String> {
        let applications = judgement.applications.iter();
        applications.filter(|application| application.verdict == Some(verdict)).map(title).collect()
    };
    let named = with(judgement.verdict);
    match judgement.verdict {
        Verdict::Pass if named.is_empty() => {
            format!("Nothing was judged: no application has a goal. {} moved in all.", rate(judgement.goodput_bps))
        }
        Verdict::Pass => "Good enough for everyone: every goal was met.".to_owned(),
        Verdict::Marginal if named.is_empty() => "Good enough, but not as good as it should be.".to_owned(),
        Verdict::Marginal => format!("Usable, but not as good as it should be: {}.", list(&named)),
        Verdict::Inconclusive if named.is_empty() => "This run cannot tell whether it is good enough.".to_owned(),
        Verdict::Inconclusive => format!("This run cannot tell whether it is good enough: {}.", list(&named)),
        Verdict::Fail if named.is_empty() => "Not good enough.".to_owned(),
        Verdict::Fail => format!("Not good enough: {}.", list(&named)),
    }
}
