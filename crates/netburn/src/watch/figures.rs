//! What `/metrics` says: the last run as `burn_report` tells it, and the watch's own figures beside it.

use burn_report::openmetrics::{Exposition, Family, Kind, write_summary};

use super::condition::{Condition, Subject};
use super::confirm::Known;
use super::finding::Outcome;
use super::ledger::{Ledger, Tries};
use super::shelf::Shown;

/// A family without a unit.
const fn plain(name: &'static str, kind: Kind, help: &'static str) -> Family {
    Family { name, kind, unit: None, help }
}

/// A moment: seconds since 1970.
const fn moment(name: &'static str, help: &'static str) -> Family {
    Family { name, kind: Kind::Gauge, unit: Some("seconds"), help }
}

/// What a watch does at the moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Now<'a> {
    /// How often it runs, in seconds.
    pub(crate) every: f64,
    /// When the next run starts, in seconds since 1970; `None` while one goes on.
    pub(crate) next: Option<f64>,
    /// The last run, where it could be run and its file could be read.
    pub(crate) run: Option<&'a Shown>,
}

/// The document.
pub(crate) fn document(ledger: &Ledger, now: Now<'_>) -> String {
    let mut text = Exposition::new();
    let scenario = [("scenario", ledger.scenario.as_str())];
    let tally = &ledger.tally;
    let mut runs = text.family(plain("netburn_watch_runs", Kind::Counter, "Runs, by how they came out."));
    for result in Outcome::ALL {
        runs.add(&[scenario[0], ("result", result.word())], count(tally.runs(result)), None);
    }
    let help = "How the last run came out; could_not_run where there is no verdict.";
    let mut last = text.family(plain("netburn_watch_last_result", Kind::StateSet, help));
    if let Some(ran) = &ledger.last {
        last.add_states(&scenario, &Outcome::ALL.map(Outcome::word), ran.result.word(), None);
    }
    let mut add = |family, value: Option<f64>| {
        if let Some(value) = value {
            text.family(family).add(&scenario, value, None);
        }
    };
    let ran = ledger.last.as_ref().map(|last| seconds(last.at));
    add(moment("netburn_watch_last_run_time_seconds", "When the last run had ended, since 1970."), ran);
    let told = ledger.last_told_at.map(seconds);
    let help = "When a run that could tell (pass, marginal or fail) had last ended, since 1970.";
    add(moment("netburn_watch_last_verdict_time_seconds", help), told);
    let help = "When the next run starts, since 1970; absent while one goes on.";
    add(moment("netburn_watch_next_run_time_seconds", help), now.next);
    let running = if now.next.is_some() { 0.0 } else { 1.0 };
    add(plain("netburn_watch_running", Kind::Gauge, "1 while a run goes on, else 0."), Some(running));
    let help = "How often it runs.";
    add(moment("netburn_watch_interval_seconds", help), Some(now.every));
    let help = "Slots of the schedule that passed while a run went on.";
    add(plain("netburn_watch_skipped_slots", Kind::Counter, help), Some(count(tally.skipped)));
    let help = "Alarms raised, recoveries among them.";
    add(plain("netburn_watch_alarms", Kind::Counter, help), Some(count(tally.alarms)));
    let kept = u64::try_from(ledger.made.len()).unwrap_or(u64::MAX);
    add(plain("netburn_watch_kept_runs", Kind::Gauge, "Run files of this watch that are kept."), Some(count(kept)));
    deliveries(&mut text, ledger);
    conditions(&mut text, ledger);
    if let Some(shown) = now.run {
        write_summary(&mut text, &shown.run, &shown.judgement);
    }
    text.finish()
}

fn deliveries(text: &mut Exposition, ledger: &Ledger) {
    let scenario = ("scenario", ledger.scenario.as_str());
    let tried = [("command", ledger.tally.commands), ("post", ledger.tally.posts)];
    let help = "Tries to tell somebody of an alarm, by the way and by what came of it.";
    let mut samples = text.family(plain("netburn_watch_deliveries", Kind::Counter, help));
    for (way, Tries { done, failed }) in tried {
        samples.add(&[scenario, ("way", way), ("outcome", "delivered")], count(done), None);
        samples.add(&[scenario, ("way", way), ("outcome", "failed")], count(failed), None);
    }
    let help = "1 where an alarm waits to be delivered, else 0.";
    let mut samples = text.family(plain("netburn_watch_undelivered", Kind::Gauge, help));
    for (way, waiting) in [("command", ledger.command.is_some()), ("post", ledger.post.is_some())] {
        samples.add(&[scenario, ("way", way)], if waiting { 1.0 } else { 0.0 }, None);
    }
}

/// A figure of what is known of a subject; `None` where nothing is.
type FigureOf = fn(&Known) -> Option<bool>;

const CONDITIONS: [(Family, FigureOf); 2] = [
    (
        plain("netburn_watch_bad", Kind::Gauge, "1 where it is known to be bad, after a confirming run; else 0."),
        |known| known.told.map(|told| told == Condition::Bad),
    ),
    (
        plain(
            "netburn_watch_suspected",
            Kind::Gauge,
            "1 where a run saw a change that none has confirmed yet, else 0.",
        ),
        |known| Some(known.suspected.is_some()),
    ),
];

fn conditions(text: &mut Exposition, ledger: &Ledger) {
    for (family, figure) in CONDITIONS {
        let mut samples = text.family(family);
        for known in ledger.watched.all() {
            let (subject, client, application) = match &known.of {
                Subject::Watch => ("watch", "", ""),
                Subject::Run => ("run", "", ""),
                Subject::Application { client, application } => ("application", client.as_str(), application.as_str()),
            };
            let labels = [
                ("scenario", ledger.scenario.as_str()),
                ("subject", subject),
                ("client", client),
                ("application", application),
            ];
            if let Some(holds) = figure(known) {
                samples.add(&labels, if holds { 1.0 } else { 0.0 }, None);
            }
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "a count of runs or slots stays far below 2^53")]
const fn count(n: u64) -> f64 {
    n as f64
}

#[expect(clippy::cast_precision_loss, reason = "wall time in seconds stays below 2^53 for ages")]
const fn seconds(unix: i64) -> f64 {
    unix as f64
}
