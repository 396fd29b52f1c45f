//! Numbers as figures, and shares as people read them.

use std::time::Duration;

use crate::time::nanos;

/// A share as a person reads it.
pub(crate) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    let decimals = if percent >= 10.0 || percent <= 0.0 {
        0
    } else if percent >= 1.0 {
        1
    } else {
        2
    };
    let text = format!("{percent:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text} %")
}

/// A duration as a figure: nanoseconds.
pub(crate) fn duration_figure(duration: Duration) -> f64 {
    float(nanos(duration))
}

#[expect(
    clippy::cast_precision_loss,
    reason = "counts and nanoseconds past 2^53 do not come up, and would cost a rounding"
)]
pub(crate) const fn float(n: u64) -> f64 {
    n as f64
}
