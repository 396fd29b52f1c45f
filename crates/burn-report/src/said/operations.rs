//! What became of an application's operations, what moved, and what its player saw.

use burn_model::judge::{ApplicationJudgement, Reading, StreamSummary, Summary};
use burn_model::record::NotSentReason;

use crate::layout::glue;
use crate::numbers::{count, percent, rate, reading};
use crate::words::counted;

/// The quantiles of a duration that reports show, by name.
pub(crate) fn quantiles(summary: &Summary) -> impl Iterator<Item = (&'static str, Reading)> + use<> {
    [("p50", summary.p50), ("p95", summary.p95), ("p99", summary.p99), ("max", summary.max)].into_iter()
}

/// What moved.
pub(crate) fn movement(application: &ApplicationJudgement) -> String {
    let goodput = glue(&rate(application.goodput_bps));
    let share = application.share.map(|share| format!(", {} of all that moved", glue(&percent(share))));
    format!("goodput {goodput}{}", share.unwrap_or_default())
}

/// What became of the operations, by cause.
pub(crate) fn operations(application: &ApplicationJudgement) -> String {
    let tally = &application.operations.tally;
    let causes = tally.failed.iter().map(|(cause, n)| (*n, cause.describe()));
    let reasons = tally.not_sent.iter().map(|(reason, n)| (*n, not_sent(*reason)));
    let (causes, reasons) = (in_brackets(causes), in_brackets(reasons));
    let under_way = if tally.in_flight_after > 0 {
        format!(", {} still under way at the end", count(tally.in_flight_after))
    } else {
        String::new()
    };
    format!(
        "{}: {} completed, {} failed{causes}, {} timed out, {} not sent{reasons}{under_way}",
        counted(tally.scheduled, "operation scheduled", "operations scheduled"),
        count(tally.completed),
        count(tally.failures()),
        count(tally.timed_out),
        count(tally.unsent()),
    )
}

/// ` (2 × no connection could be made; 100 × …)`, or nothing.
fn in_brackets(kinds: impl Iterator<Item = (u64, &'static str)>) -> String {
    let said: Vec<String> =
        kinds.filter(|(n, _)| *n > 0).map(|(n, what)| format!("{}\u{A0}× {what}", count(n))).collect();
    if said.is_empty() { String::new() } else { format!(" ({})", said.join("; ")) }
}

const fn not_sent(reason: NotSentReason) -> &'static str {
    match reason {
        NotSentReason::RunEnded => "the run ended first",
        NotSentReason::Stopped => "the client was stopped",
        NotSentReason::NoSocket => "the client got no socket",
    }
}

/// What the playback model saw.
pub(crate) fn playback(stream: &StreamSummary) -> String {
    let startup = stream.startup.map_or_else(
        || "player: playback never started".to_owned(),
        |startup| format!("player: started after {}", glue(&reading(Reading::Value(startup)))),
    );
    let mut said = vec![startup];
    if let Some(ratio) = stream.stall_ratio {
        said.push(if stream.stalls == 0 && stream.stalled.is_zero() {
            "no stalls".to_owned()
        } else {
            let stalls = counted(stream.stalls, "stall", "stalls");
            let standing = glue(&reading(Reading::Value(stream.stalled)));
            format!("{stalls}, {standing} stood still ({} of the time)", glue(&percent(ratio)))
        });
    }
    if let Some(lowest) = stream.lowest_buffer {
        said.push(format!("buffer never under {}", glue(&reading(Reading::Value(lowest)))));
    }
    if let (Some(lowest), Some(highest)) = (stream.lowest_window_bps, stream.highest_window_bps) {
        said.push(format!("windows from {} to {}", glue(&rate(lowest)), glue(&rate(highest))));
    }
    said.join("; ")
}
