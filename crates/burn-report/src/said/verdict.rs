//! The run's verdict as what a person would say of the evening: who was fine, who was not and why, and what the limit was.
//!
//! Every clause is one that the judgement carries. That the network was the limit is said only where goals were shown to be
//! missed, all that was checked about the tester was in order, and nothing was in doubt.

use std::time::Duration;

use burn_model::goal::{Bound, Counts};
use burn_model::judge::{ApplicationJudgement, GoalJudgement, GoalOutcome, Judgement, Limit, Reading, Verdict};
use burn_model::record::{Ending, FailureCause, Tally};
use burn_model::run::RunRecord;
use burn_model::units::format_bound;

use crate::layout::{clip, glue};
use crate::numbers::{percent, rate};
use crate::said::fidelity::{Blame, blame, nothing_completed};
use crate::said::spoken::{part, subject};
use crate::words::{counted, good, list, value};

/// Troubles that are told one by one; the others are named only.
const TOLD: usize = 2;

/// Columns of what others say in the verdict: it is a sentence, whatever they send.
const LONGEST: usize = 300;

/// The verdict in a few sentences.
pub(crate) fn sentence(run: &RunRecord, judgement: &Judgement) -> String {
    let people = people(judgement);
    let limit = limit(run, judgement, &people);
    [Some(people), limit, ending(run)].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// How sure that is, in a sentence or two.
pub(crate) fn confidence(judgement: &Judgement) -> String {
    let (from, to) = judgement.window;
    let length = to.since(from);
    let goals = || judgement.applications.iter().flat_map(|one| &one.goals);
    // Of what is in doubt a longer run would tell no more.
    let trusted = || judgement.applications.iter().filter(|one| !one.in_doubt).flat_map(|one| &one.goals);
    if length.is_zero() || goals().next().is_none() {
        return "Nothing can be said with any confidence.".to_owned();
    }
    let mut said =
        format!("{} were judged, and what is said of a goal is said at 95 % confidence.", glue(&format_bound(length)));
    let too_few = |judged: &GoalJudgement| {
        judged.goal.counts == Counts::Verdict
            && judged.outcome == GoalOutcome::CannotTell
            && judged.needed.is_some_and(|needed| judged.n < needed)
    };
    if trusted().any(too_few) {
        said.push_str(" A longer run would tell more.");
    } else if goals().any(|judged| judged.outcome == GoalOutcome::Met) {
        said.push_str(" Trouble that comes more seldom than that may have stayed away.");
    }
    said
}

/// How it was for the people.
fn people(judgement: &Judgement) -> String {
    if let Some(said) = all_failed(judgement) {
        return said;
    }
    let with = |verdict| groups(judgement, |one| one.verdict == Some(verdict));
    let fine: Vec<String> = with(Verdict::Pass).iter().map(Group::subject).collect();
    let mut troubled = worst_first(with(Verdict::Fail));
    troubled.extend(worst_first(with(Verdict::Marginal)));
    let unsure: Vec<String> = with(Verdict::Inconclusive).iter().map(Group::subject).collect();
    if fine.is_empty() && troubled.is_empty() && unsure.is_empty() {
        return nothing(judgement);
    }
    if troubled.is_empty() && unsure.is_empty() {
        return format!("Everyone was fine: {} met every goal.", list(&fine));
    }
    let was = |names: &[String]| if names.len() == 1 { "was" } else { "were" };
    let mut clauses = Vec::new();
    if !fine.is_empty() {
        clauses.push(format!("{} {} fine", list(&fine), was(&fine)));
    }
    clauses.extend(troubled.iter().take(TOLD).map(Group::trouble));
    let untold: Vec<String> = troubled.iter().skip(TOLD).map(Group::subject).collect();
    if !untold.is_empty() {
        clauses.push(format!("{} had trouble too", list(&untold)));
    }
    if !unsure.is_empty() {
        clauses.push(format!("whether {} {} good enough, this run cannot tell", list(&unsure), was(&unsure)));
    }
    format!("{}.", begun(&clauses.join("; ")))
}

/// Where not one operation of anybody completed, and what became of most of them.
fn all_failed(judgement: &Judgement) -> Option<String> {
    let tallies = || judgement.applications.iter().map(|one| &one.operations.tally);
    let sum = |of: fn(&Tally) -> u64| tallies().map(of).fold(0, u64::saturating_add);
    let scheduled = sum(|tally| tally.scheduled);
    if judgement.verdict != Verdict::Fail || !nothing_completed(judgement) {
        return None;
    }
    let mut ends = vec![(sum(|tally| tally.timed_out), "there was no reply in time")];
    for cause in FailureCause::ALL {
        let n = tallies().filter_map(|tally| tally.failed.get(&cause)).fold(0, |sum: u64, n| sum.saturating_add(*n));
        ends.push((n, cause.describe()));
    }
    let most = ends.into_iter().filter(|(n, _)| *n > 0).max_by_key(|(n, _)| *n);
    let most = most.map(|(_, what)| format!(" Most often, {what}.")).unwrap_or_default();
    Some(format!("Nothing worked: of {} not one completed.{most}", counted(scheduled, "operation", "operations")))
}

/// Where nothing was judged.
fn nothing(judgement: &Judgement) -> String {
    if judgement.verdict == Verdict::Pass {
        return format!(
            "Nothing was judged: no application has a goal. {} moved in all.",
            glue(&rate(judgement.goodput_bps))
        );
    }
    let because = judgement.reasons.first().map_or_else(String::new, |reason| format!(" {}", clip(reason, LONGEST)));
    format!("This run cannot tell anything.{because}")
}

/// What the limit was, as far as that is known and matters, to follow what was said of the people.
fn limit(run: &RunRecord, judgement: &Judgement, people: &str) -> Option<String> {
    let troubled = matches!(judgement.verdict, Verdict::Marginal | Verdict::Fail);
    match blame(run, judgement) {
        Blame::Network => Some("The network was the limit.".to_owned()),
        Blame::Tester(_) => Some(others_than_the_network(judgement)),
        Blame::InDoubt => Some(doubt(judgement, people)),
        Blame::SilentServer if troubled => Some("Whether it was the network or the server is not known.".to_owned()),
        Blame::Unreached => Some("Whether the network was cut or the server was not there is not known.".to_owned()),
        Blame::Unchecked if troubled => Some("What the limit was is not known.".to_owned()),
        Blame::SilentServer | Blame::Unchecked | Blame::Nobody => None,
    }
}

/// That the test is in doubt, and the first of what is, unless that was just said.
fn doubt(judgement: &Judgement, people: &str) -> String {
    let mut said = "Something about the test itself is in doubt.".to_owned();
    let first = judgement.doubts.first().map(|doubt| clip(doubt, LONGEST));
    if let Some(first) = first.filter(|first| !people.contains(first.as_str())) {
        said.push(' ');
        said.push_str(&first);
    }
    said
}

/// Who else was the limit, and of what.
fn others_than_the_network(judgement: &Judgement) -> String {
    let limited = |limit| -> Vec<String> {
        let found = groups(judgement, |one| one.limited_by == Some(limit));
        found.iter().map(Group::subject).collect()
    };
    let both = [("the client", limited(Limit::Client)), ("the server", limited(Limit::Server))];
    let said = both.into_iter().filter(|(_, subjects)| !subjects.is_empty());
    let said: Vec<String> = said.map(|(who, of)| format!("{who} was the limit of {}", list(&of))).collect();
    format!("{}, not the network.", begun(&said.join("; ")))
}

/// Where the run did not end as planned.
fn ending(run: &RunRecord) -> Option<String> {
    match run.ending() {
        Some(Ending::Interrupted { at, by }) => Some(format!(
            "It was stopped after {} ({}), and is judged on the time until then.",
            glue(&format_bound(Duration::from_secs(at.second()))),
            clip(by, LONGEST)
        )),
        Some(Ending::Failed { reason }) => {
            Some(format!("It could not go on: {}.", clip(reason, LONGEST).trim_end_matches('.')))
        }
        Some(Ending::Finished) | None => None,
    }
}

/// Applications of one name that were judged alike.
struct Group<'a> {
    applications: Vec<&'a ApplicationJudgement>,
    /// How many of that name were judged in all.
    of: usize,
}

/// The applications of which something is true, by name, in the plan's order.
fn groups(judgement: &Judgement, wanted: impl Fn(&ApplicationJudgement) -> bool) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for application in judgement.applications.iter().filter(|one| wanted(one)) {
        let same_name = |one: &&ApplicationJudgement| one.name == application.name;
        match groups.iter_mut().find(|group| group.applications.first().is_some_and(same_name)) {
            Some(group) => group.applications.push(application),
            None => {
                let of = judgement.applications.iter().filter(|one| one.verdict.is_some()).filter(same_name).count();
                groups.push(Group { applications: vec![application], of });
            }
        }
    }
    groups
}

/// By the least score in each; where there is none, last.
fn worst_first(mut groups: Vec<Group<'_>>) -> Vec<Group<'_>> {
    let score = |group: &Group<'_>| group.worst().map_or(f64::INFINITY, score_of);
    groups.sort_by(|a, b| score(a).total_cmp(&score(b)));
    groups
}

fn score_of(application: &ApplicationJudgement) -> f64 {
    application.score.unwrap_or(f64::INFINITY)
}

impl Group<'_> {
    fn worst(&self) -> Option<&ApplicationJudgement> {
        self.applications.iter().copied().min_by(|a, b| score_of(a).total_cmp(&score_of(b)))
    }

    fn subject(&self) -> String {
        subject(&self.applications, self.of)
    }

    /// What was wrong, with the evidence of the worst of them.
    fn trouble(&self) -> String {
        let decided = self.worst().and_then(|worst| Some((worst, worst.goals.get(worst.decided_by?)?)));
        let Some((worst, judged)) = decided else { return format!("{} was not good enough", self.subject()) };
        let evidence = evidence(judged, &worst.name);
        let whose = if self.applications.len() > 1 { format!("on {}, ", worst.client) } else { String::new() };
        format!("{} {}: {whose}{evidence}", self.subject(), what_went_wrong(judged))
    }
}

fn what_went_wrong(judged: &GoalJudgement) -> &'static str {
    match (&judged.goal.bound, judged.bad_passed) {
        (Bound::ResponseTime { .. }, true) => "was far too slow",
        (Bound::ResponseTime { .. }, false) => "was slow",
        (Bound::FailedShare { .. }, true) => "failed far too often",
        (Bound::FailedShare { .. }, false) => "failed at times",
        (Bound::WindowGoodput { .. }, _) => "was starved",
        (Bound::StallRatio { .. }, true) => "kept stalling",
        (Bound::StallRatio { .. }, false) => "stalled",
        (Bound::StartupTime { .. }, true) => "took far too long to start",
        (Bound::StartupTime { .. }, false) => "was slow to start",
    }
}

/// The figure that decided, as a person says it.
pub(crate) fn evidence(judged: &GoalJudgement, name: &str) -> String {
    let some = || part(judged.over?, judged.n, name);
    let goal = glue(&good(&judged.goal.bound));
    match judged.goal.bound {
        Bound::ResponseTime { .. } => match some() {
            Some(some) if judged.reading == Some(Reading::Unsuccessful) => {
                format!("{some} took over {goal} or never came")
            }
            Some(some) => format!("{some} took over {goal}"),
            None => format!("its goal of {goal} was missed"),
        },
        Bound::FailedShare { .. } => {
            some().map_or_else(|| "some of it failed".to_owned(), |some| format!("{some} failed"))
        }
        Bound::WindowGoodput { window, .. } => format!(
            "its slowest {} carried {}, and {goal} are needed",
            glue(&format_bound(window)),
            glue(&value(judged))
        ),
        Bound::StallRatio { .. } => match judged.observed {
            Some(ratio) => format!("it stood still for {} of the time", glue(&percent(ratio))),
            None => "it never played".to_owned(),
        },
        Bound::StartupTime { .. } => match judged.observed {
            Some(_) => format!("it took {}, and {goal} is the goal", glue(&value(judged))),
            None => "it never started".to_owned(),
        },
    }
}

/// A sentence begins with a capital.
fn begun(sentence: &str) -> String {
    let mut letters = sentence.chars();
    let first: String = letters.next().map(|c| c.to_uppercase().collect()).unwrap_or_default();
    format!("{first}{}", letters.as_str())
}
