//! Was it the network? What was checked about the tester and the server, what was in doubt, and what to bear in mind.

use burn_model::judge::{Judgement, Limit, Verdict};
use burn_model::run::RunRecord;

use crate::layout::glue;
use crate::numbers::reading;
use crate::text::page::Page;
use crate::words::{list, title};

/// The section on the tester, and the cautions.
pub(super) fn write(page: &mut Page, run: &RunRecord, judgement: &Judgement) {
    page.heading("Was it the network?");
    let has_witness = run.header().is_none_or(|header| header.verified_server);
    page.paragraph("  ", &answer(judgement, has_witness));
    page.points(&judgement.doubts);
    if !judgement.checks.is_empty() {
        page.paragraph("  ", "Checked and in order:");
        page.points(&judgement.checks);
    }
    lateness(page, judgement);
    let remarks = run.header().map_or(&[][..], |header| header.remarks.as_slice());
    if judgement.cautions.is_empty() && remarks.is_empty() {
        return;
    }
    page.heading("Bear in mind");
    page.points(remarks.iter().chain(&judgement.cautions));
}

/// A server that gives no account of itself can never be cleared.
fn answer(judgement: &Judgement, has_witness: bool) -> String {
    let limits = limits(judgement);
    if !limits.is_empty() {
        return format!("Not for all of it: {}.", limits.join("; "));
    }
    let answer = match (judgement.doubts.is_empty(), judgement.checks.is_empty(), judgement.verdict) {
        (false, ..) => "In doubt:",
        (true, true, _) => "Not known: nothing could be checked.",
        (true, false, _) if !has_witness => {
            "Not known: it was not the client, but the server gave no account of itself. A slow server looks like a slow \
             network here."
        }
        (true, false, Verdict::Marginal | Verdict::Fail) => {
            "Yes, as far as this run can tell: neither a client nor the server was the limit."
        }
        (true, false, Verdict::Pass | Verdict::Inconclusive) => "Neither a client nor the server was the limit.",
    };
    answer.to_owned()
}

/// Who else was the limit of what.
fn limits(judgement: &Judgement) -> Vec<String> {
    let limited = |limit| -> Vec<String> {
        let applications = judgement.applications.iter();
        applications.filter(|application| application.limited_by == Some(limit)).map(title).collect()
    };
    let both = [("the client was", limited(Limit::Client)), ("the server was", limited(Limit::Server))];
    let said = both.into_iter().filter(|(_, titles)| !titles.is_empty());
    said.map(|(who, titles)| format!("{who} the limit of {}", list(&titles))).collect()
}

/// What the tester and the server themselves cost.
fn lateness(page: &mut Page, judgement: &Judgement) {
    let measured: Vec<_> = judgement
        .applications
        .iter()
        .filter(|application| application.driver_lateness.n > 0 || application.server_time.n > 0)
        .collect();
    if measured.is_empty() {
        return;
    }
    page.paragraph("  ", "What the tester and the server themselves cost, p50 / p99 / max:");
    for application in measured {
        let mut said = Vec::new();
        for (name, summary) in [
            ("sent late by", application.driver_lateness),
            ("seen late by", application.receive_lateness),
            ("the server took", application.server_time),
        ] {
            if summary.n > 0 {
                let values = [summary.p50, summary.p99, summary.max].map(|value| glue(&reading(value)));
                said.push(format!("{name} {}", values.join("\u{A0}/ ")));
            }
        }
        page.paragraph("  - ", &format!("{}: {}", title(application), said.join("; ")));
    }
}
