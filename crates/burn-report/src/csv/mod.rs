//! A judged run as a table for spreadsheets: RFC 4180, one row for each application, or for each application and second.
//!
//! What cannot be said is an empty field. A text that a spreadsheet would take for a formula gets an apostrophe in
//! front, and characters that could move a terminal's cursor are replaced, as in the terminal report.

mod by_second;

use burn_model::judge::{ApplicationJudgement, Judgement, Reading, Summary};
use burn_model::record::Header;
use burn_model::run::RunRecord;

use crate::json::{millis, round, seconds};
use crate::layout::clean;
use crate::words;

pub use by_second::{SECOND_COLUMNS, render_seconds};

/// The columns, in order. Units stand in the names: `_ms` milliseconds, `_s` seconds, `_mbps` 10^6 bit/s.
pub const COLUMNS: [&str; 47] = [
    "run",
    "scenario",
    "digest",
    "seed",
    "started_at",
    "run_verdict",
    "client",
    "application",
    "verdict",
    "score",
    "decided_by",
    "limited_by",
    "goodput_mbps",
    "share",
    "scheduled",
    "completed",
    "failed",
    "timed_out",
    "not_sent",
    "in_flight_at_end",
    "response_time_p50_ms",
    "response_time_p95_ms",
    "response_time_p99_ms",
    "response_time_max_ms",
    "service_time_p50_ms",
    "service_time_p95_ms",
    "service_time_p99_ms",
    "service_time_max_ms",
    "driver_lateness_p50_ms",
    "driver_lateness_p95_ms",
    "driver_lateness_p99_ms",
    "driver_lateness_max_ms",
    "server_time_p50_ms",
    "server_time_p95_ms",
    "server_time_p99_ms",
    "server_time_max_ms",
    "startup_s",
    "stalls",
    "stalled_s",
    "stall_ratio",
    "lowest_window_mbps",
    "highest_window_mbps",
    "solo_mbps",
    "together_mbps",
    "fair_share_ratio",
    "fair_share_bound",
    "fair_share",
];

/// The run as CSV: a header row of [`COLUMNS`], then a row for each application. Lines end in CR LF.
#[must_use]
pub fn render(run: &RunRecord, judgement: &Judgement) -> String {
    let header = run.header();
    let of_run = |field: fn(&Header) -> String| header.map(field).unwrap_or_default();
    let common = [
        of_run(|header| text(&header.run)),
        of_run(|header| text(&header.plan.name)),
        of_run(|header| text(&header.digest)),
        of_run(|header| header.plan.seed.to_string()),
        of_run(|header| text(&header.started_at)),
        words::verdict(judgement.verdict).to_owned(),
    ];
    let mut csv = COLUMNS.join(",");
    csv.push_str("\r\n");
    for application in &judgement.applications {
        let fields: Vec<String> = common.iter().cloned().chain(row(application)).collect();
        csv.push_str(&fields.join(","));
        csv.push_str("\r\n");
    }
    csv
}

fn row(application: &ApplicationJudgement) -> Vec<String> {
    let tally = &application.operations.tally;
    let decided = application.decided_by.and_then(|i| application.goals.get(i));
    let stream = application.stream.as_ref();
    let mut fields = vec![
        text(&application.client),
        text(&application.name),
        application.verdict.map(words::verdict).unwrap_or_default().to_owned(),
        number(application.score),
        decided.map(|judged| words::dimension(&judged.goal)).unwrap_or_default(),
        application.limited_by.map(words::limit).unwrap_or_default().to_owned(),
        number(Some(application.goodput_bps / 1e6)),
        number(application.share),
        tally.scheduled.to_string(),
        tally.completed.to_string(),
        tally.failures().to_string(),
        tally.timed_out.to_string(),
        tally.unsent().to_string(),
        tally.in_flight_after.to_string(),
    ];
    for summary in
        [application.response_time, application.service_time, application.driver_lateness, application.server_time]
    {
        fields.extend(quantiles(&summary));
    }
    fields.extend([
        number(stream.and_then(|stream| stream.startup).map(seconds)),
        stream.map(|stream| stream.stalls.to_string()).unwrap_or_default(),
        number(stream.map(|stream| seconds(stream.stalled))),
        number(stream.and_then(|stream| stream.stall_ratio)),
        number(stream.and_then(|stream| stream.lowest_window_bps).map(|bps| bps / 1e6)),
        number(stream.and_then(|stream| stream.highest_window_bps).map(|bps| bps / 1e6)),
    ]);
    let share = application.fair_share.as_ref();
    fields.extend([
        number(share.map(|share| share.solo_bps / 1e6)),
        number(share.map(|share| share.together_bps / 1e6)),
        number(share.and_then(|share| share.ratio)),
        number(share.map(|share| share.bound)),
        share.map(|share| words::outcome(share.outcome)).unwrap_or_default().to_owned(),
    ]);
    fields
}

fn quantiles(summary: &Summary) -> impl Iterator<Item = String> + use<> {
    [summary.p50, summary.p95, summary.p99, summary.max].into_iter().map(|reading| match reading {
        Reading::Value(value) => number(Some(millis(value))),
        Reading::TooFew | Reading::Unsuccessful | Reading::Overflow => String::new(),
    })
}

/// A number, or an empty field where there is none.
fn number(value: Option<f64>) -> String {
    value.and_then(round).map(|value| value.to_string()).unwrap_or_default()
}

/// A text field, made harmless for a spreadsheet and quoted where RFC 4180 §2 asks for it.
fn text(field: &str) -> String {
    let mut field = clean(field);
    if field.starts_with(['=', '+', '-', '@']) {
        field.insert(0, '\'');
    }
    if field.contains([',', '"', ';']) || field.starts_with(' ') || field.ends_with(' ') {
        return format!("\"{}\"", field.replace('"', "\"\""));
    }
    field
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_quoted_and_guarded_where_it_must_be() {
        for (field, written) in [
            ("laptop", "laptop"),
            ("a,b", "\"a,b\""),
            ("say \"hi\"", "\"say \"\"hi\"\"\""),
            ("=1+1", "'=1+1"),
            ("@SUM(A1,A2)", "\"'@SUM(A1,A2)\""),
            ("-2", "'-2"),
            ("a\r\nb", "a\u{FFFD}\u{FFFD}b"),
            ("\t=1", "\u{FFFD}=1"),
        ] {
            assert_eq!(text(field), written, "{field:?}");
        }
    }

    #[test]
    fn a_number_that_is_none_leaves_its_field_empty() {
        assert_eq!(number(None), "");
        assert_eq!(number(Some(f64::INFINITY)), "");
        assert_eq!(number(Some(24.73)), "24.73");
    }
}
