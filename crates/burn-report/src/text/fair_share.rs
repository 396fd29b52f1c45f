//! What each application kept, together with the others, of what it had while its client was alone.

use burn_model::judge::Judgement;

use crate::said::fair_share::sentence;
use crate::text::page::Page;
use crate::words::title;

/// A line for each application that was measured alone.
pub(super) fn write(page: &mut Page, judgement: &Judgement) {
    let measured: Vec<_> =
        judgement.applications.iter().filter_map(|one| Some((one, one.fair_share.as_ref()?))).collect();
    if measured.is_empty() {
        return;
    }
    page.heading("Fair share");
    for (application, share) in measured {
        page.paragraph("  - ", &format!("{} {}", title(application), sentence(share)));
    }
}
