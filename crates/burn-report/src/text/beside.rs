//! What devices told beside the latency: a line for each, and one for each roam.

use burn_model::run::RunRecord;

use crate::said::beside::{devices, roams};
use crate::text::page::Page;

/// The section, where there is anything to tell.
pub(super) fn write(page: &mut Page, run: &RunRecord) {
    let (devices, roams) = (devices(run), roams(run));
    if devices.is_empty() && roams.is_empty() {
        return;
    }
    page.heading("Beside the latency");
    for (name, line) in devices {
        page.paragraph("  - ", &format!("{name}: {line}"));
    }
    page.points(&roams);
}
