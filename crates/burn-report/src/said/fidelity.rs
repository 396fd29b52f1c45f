//! Was it the network? What was found about the tester and the server, in sentences.

use burn_model::judge::{Judgement, Limit, Verdict};
use burn_model::run::RunRecord;

use crate::layout::glue;
use crate::numbers::reading;
use crate::words::{list, title};

/// Who was the limit, as far as a run can tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Blame {
    /// Goals were missed, and neither a client nor the server was the limit.
    Network,
    /// Neither a client nor the server was the limit, and no goal was shown to be missed.
    Nobody,
    /// A client or the server was the limit of something: of what, in words.
    Tester(Vec<String>),
    /// Something about the tester is in doubt.
    InDoubt,
    /// The server gave no account of itself, so it can never be cleared.
    SilentServer,
    /// Nothing could be checked.
    Unchecked,
    /// Not one operation completed, so that nothing was seen of the network but that it, or the server, was not there.
    Unreached,
}

/// Who was the limit.
pub(crate) fn blame(run: &RunRecord, judgement: &Judgement) -> Blame {
    let limits = limits(judgement);
    if !limits.is_empty() {
        return Blame::Tester(limits);
    }
    let has_witness = run.header().is_none_or(|header| header.verified_server);
    match (judgement.doubts.is_empty(), judgement.checks.is_empty(), judgement.verdict) {
        (false, ..) => Blame::InDoubt,
        (true, true, _) => Blame::Unchecked,
        (true, false, _) if !has_witness => Blame::SilentServer,
        (true, false, Verdict::Fail) if nothing_completed(judgement) => Blame::Unreached,
        (true, false, Verdict::Marginal | Verdict::Fail) => Blame::Network,
        (true, false, Verdict::Pass | Verdict::Inconclusive) => Blame::Nobody,
    }
}

/// The answer to "Was it the network?".
pub(crate) fn answer(run: &RunRecord, judgement: &Judgement) -> String {
    let answer = match blame(run, judgement) {
        Blame::Tester(limits) => return format!("Not for all of it: {}.", limits.join("; ")),
        Blame::InDoubt => "Not known: something about the test itself is in doubt.",
        Blame::Unchecked => "Not known: nothing could be checked.",
        Blame::SilentServer => {
            "Not known: it was not the client, but the server gave no account of itself. A slow server looks like a slow \
             network here."
        }
        Blame::Unreached => {
            "Not known: not one operation completed. The network may have been cut, or the server not there."
        }
        Blame::Network => "Yes, as far as this run can tell: neither a client nor the server was the limit.",
        Blame::Nobody => "Neither a client nor the server was the limit.",
    };
    answer.to_owned()
}

/// Whether operations were due, and not one of anybody completed.
pub(crate) fn nothing_completed(judgement: &Judgement) -> bool {
    let tallies = || judgement.applications.iter().map(|one| &one.operations.tally);
    tallies().any(|tally| tally.scheduled > 0) && tallies().all(|tally| tally.completed == 0)
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

/// What the tester and the server themselves cost each application, p50, p99 and max; with the application's title.
pub(crate) fn costs(judgement: &Judgement) -> Vec<(String, String)> {
    let measured = judgement.applications.iter().filter(|one| one.driver_lateness.n > 0 || one.server_time.n > 0);
    let said = measured.map(|application| {
        let figures = [
            ("sent late by", application.driver_lateness),
            ("seen late by", application.receive_lateness),
            ("the server took", application.server_time),
        ];
        let known = figures.into_iter().filter(|(_, summary)| summary.n > 0).map(|(name, summary)| {
            let values = [summary.p50, summary.p99, summary.max].map(|value| glue(&reading(value)));
            format!("{name} {}", values.join("\u{A0}/ "))
        });
        (title(application), known.collect::<Vec<_>>().join("; "))
    });
    said.collect()
}
