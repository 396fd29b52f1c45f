//! What an application kept, together with the others, of what it had while its client was alone.

use burn_model::judge::{FairShare, GoalOutcome};

use crate::layout::glue;
use crate::numbers::{ABSENT, percent, rate};

/// What was kept, against what is fair, as it stands after the application's name.
pub(crate) fn sentence(share: &FairShare) -> String {
    let kept = share.ratio.map_or_else(|| ABSENT.to_owned(), |ratio| glue(&percent(ratio)));
    let rates = format!("{} of {}", glue(&rate(share.together_bps)), glue(&rate(share.solo_bps)));
    let fair = glue(&percent(share.bound));
    let outcome = match share.outcome {
        GoalOutcome::Met => "fair",
        GoalOutcome::Missed => "not fair",
        GoalOutcome::CannotTell => "cannot tell",
    };
    let because = share.because.as_ref().map_or_else(String::new, |because| format!(" ({because})"));
    let between = match share.interval {
        Some((lower, upper)) if upper.is_finite() && lower < upper => {
            format!(", between {} and {}", glue(&percent(lower)), glue(&percent(upper)))
        }
        _ => String::new(),
    };
    format!(
        "kept {kept} of its solo rate ({rates}){between}; at least {fair} (0.90/{}) is fair: {outcome}{because}",
        share.clients
    )
}
