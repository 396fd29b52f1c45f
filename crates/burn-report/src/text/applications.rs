//! Each application's figures: times, what moved, what became of its operations, and each goal with its evidence.

use burn_model::goal::{Bound, Counts};
use burn_model::judge::{ApplicationJudgement, GoalJudgement, GoalOutcome, Judgement, Reading, StreamSummary, Summary};
use burn_model::record::NotSentReason;

use crate::layout::glue;
use crate::numbers::{ABSENT, count, percent, rate, reading, score};
use crate::text::page::{Align, Column, Page, Span, Tone};
use crate::text::rows::{Row, title_of, worst};
use crate::words::{bad, counted, figure_and_goal, good, title};

/// "service time", indented, and a gap.
const LABEL: usize = 16;
/// "1000 ms".
const FIGURE: usize = 8;

/// A block for each application.
pub(super) fn write(page: &mut Page, judgement: &Judgement, shown: &[Row<'_>]) {
    if judgement.applications.is_empty() {
        return;
    }
    page.heading("What each would have felt");
    page.paragraph(
        "  ",
        "Response time counts from the moment an operation was due, and is what a person feels and goals are judged on. \
         Service time counts from the moment it was sent.",
    );
    for row in shown {
        page.gap();
        match row {
            Row::One(application) => block(page, application),
            Row::Alike(group) => {
                let what =
                    format!("{}: {} clients that pass; this is the worst of them.", title_of(group), group.len());
                page.paragraph("  ", &what);
                worst(group).into_iter().for_each(|application| block(page, application));
            }
        }
    }
    notes(page, judgement);
}

/// What the signs in the tables of times stand for, where they occur.
fn notes(page: &mut Page, judgement: &Judgement) {
    let shown = |kind: Reading| {
        let summaries = judgement.applications.iter().flat_map(|one| [one.response_time, one.service_time]);
        summaries.into_iter().flat_map(|summary| quantiles(&summary)).any(|(_, reading)| reading == kind)
    };
    let signs = [
        (Reading::TooFew, ABSENT, "stands where there are too few samples to say"),
        (Reading::Unsuccessful, "failed", "stands where a quantile falls on operations that never completed"),
    ];
    let said: Vec<String> =
        signs.into_iter().filter(|(kind, ..)| shown(*kind)).map(|(_, sign, what)| format!("{sign} {what}")).collect();
    if !said.is_empty() {
        page.gap();
        page.paragraph("  ", &format!("{}.", said.join("; ")));
    }
}

fn block(page: &mut Page, application: &ApplicationJudgement) {
    let name = Span::new(title(application), Tone::Strong);
    // What that means for the figures is among the judgement's cautions.
    let kind = Span::new(if application.closed { " (closed)" } else { "" }, Tone::Faint);
    page.line(&[Span::plain("  "), name, kind]);
    times(page, application);
    page.paragraph("    ", &movement(application));
    page.paragraph("    ", &operations(application));
    if let Some(stream) = &application.stream {
        page.paragraph("    ", &playback(stream));
    }
    for (i, judged) in application.goals.iter().enumerate() {
        let decided = application.goals.len() > 1 && application.decided_by == Some(i);
        page.paragraph("    - ", &goal(judged, decided));
    }
}

/// The table of times, or the same in words where it has no room.
fn times(page: &mut Page, application: &ApplicationJudgement) {
    let rows = [("response time", application.response_time), ("service time", application.service_time)];
    let columns: Vec<Column> = std::iter::once(Column { width: LABEL, align: Align::Left })
        .chain([Column { width: FIGURE, align: Align::Right }; 4])
        .collect();
    let needed = 4 + LABEL + 4 * (FIGURE + Page::GAP);
    if page.width() < needed {
        for (label, summary) in rows {
            let said: Vec<String> =
                quantiles(&summary).map(|(name, value)| glue(&format!("{name} {}", reading(value)))).collect();
            page.paragraph("    ", &format!("{label}: {}", said.join(", ")));
        }
        return;
    }
    let heads = std::iter::once(String::new()).chain(quantiles(&Summary::default()).map(|(name, _)| name.to_owned()));
    let heads: Vec<Span> = heads.map(|head| Span::new(head, Tone::Faint)).collect();
    page.row(4, &columns, &heads);
    for (label, summary) in rows {
        let cells = std::iter::once(label.to_owned()).chain(quantiles(&summary).map(|(_, value)| reading(value)));
        let cells: Vec<Span> = cells.map(|cell| Span::plain(glue(&cell))).collect();
        page.row(4, &columns, &cells);
    }
}

fn quantiles(summary: &Summary) -> impl Iterator<Item = (&'static str, Reading)> + use<> {
    [("p50", summary.p50), ("p95", summary.p95), ("p99", summary.p99), ("max", summary.max)].into_iter()
}

fn movement(application: &ApplicationJudgement) -> String {
    let goodput = glue(&rate(application.goodput_bps));
    let share = application.share.map(|share| format!(", {} of all that moved", glue(&percent(share))));
    format!("goodput {goodput}{}", share.unwrap_or_default())
}

fn operations(application: &ApplicationJudgement) -> String {
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

fn playback(stream: &StreamSummary) -> String {
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

/// A goal with its evidence: figure, bounds, outcome, samples and what they are worth, interval, score.
fn goal(judged: &GoalJudgement, decided: bool) -> String {
    let mut said = vec![format!("{}: {}", glue(&figure_and_goal(judged)).replace(",\u{A0}", ", "), outcome(judged))];
    match (&judged.because, judged.needed) {
        // The reason names what would have told, where that is a number.
        (Some(because), _) => said.push(because.clone()),
        (None, Some(needed)) => said.push(format!("{} would have told", counted(needed, "operation", "operations"))),
        (None, None) => {}
    }
    said.extend(samples(judged));
    said.extend(interval(judged));
    if let Some(value) = judged.score {
        said.push(format!("score {}", score(Some(value))));
    }
    match (decided, judged.goal.counts) {
        (true, _) => said.push("this one decided".to_owned()),
        (false, Counts::Score) => said.push("counts for the score only".to_owned()),
        (false, Counts::Verdict) => {}
    }
    said.join("; ")
}

/// The one-sided 95 % bounds on the share of operations over the good bound, beside what the goal allows.
fn interval(judged: &GoalJudgement) -> Option<String> {
    let (low, high) = judged.interval?;
    let range = format!("{} to {}", glue(&percent(low)), glue(&percent(high)));
    match judged.goal.bound {
        Bound::ResponseTime { quantile, .. } => {
            let allowed = glue(&percent(1.0 - quantile));
            Some(format!("{range} of all over {}, {allowed} allowed", glue(&good(&judged.goal.bound))))
        }
        Bound::FailedShare { .. } => Some(format!("{range} of all fail")),
        Bound::WindowGoodput { .. } | Bound::StallRatio { .. } | Bound::StartupTime { .. } => None,
    }
}

fn outcome(judged: &GoalJudgement) -> String {
    let bound = bad(&judged.goal.bound).map(|bound| glue(&bound));
    match (judged.outcome, judged.bad_passed, bound) {
        (GoalOutcome::Met, ..) => "met".to_owned(),
        (GoalOutcome::CannotTell, ..) => "cannot tell".to_owned(),
        (GoalOutcome::Missed, true, Some(bound)) => format!("missed, and worse than {bound}"),
        (GoalOutcome::Missed, false, Some(bound)) => format!("missed, but not shown worse than {bound}"),
        (GoalOutcome::Missed, _, None) => "missed".to_owned(),
    }
}

/// How many samples there were, and how many independent ones they are worth.
fn samples(judged: &GoalJudgement) -> Option<String> {
    let plain = match judged.goal.bound {
        Bound::ResponseTime { .. } | Bound::FailedShare { .. } => counted(judged.n, "sample", "samples"),
        Bound::WindowGoodput { .. } => counted(judged.n, "window", "windows"),
        Bound::StallRatio { .. } | Bound::StartupTime { .. } => return None,
    };
    if !judged.effective_n.is_finite() || judged.effective_n < 0.0 {
        return Some(plain);
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates, and is not negative")]
    let effective = judged.effective_n.floor() as u64;
    let worth = if effective < judged.n {
        format!(", worth {}", counted(effective, "independent one", "independent ones"))
    } else {
        String::new()
    };
    Some(format!("{plain}{worth}"))
}
