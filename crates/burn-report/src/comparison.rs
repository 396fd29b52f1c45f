//! What can be said of set-ups that were run once each.

use burn_model::judge::{ApplicationJudgement, Judgement, Verdict};

/// What to say of set-ups next to each other: which of two is worse to live with, where the judgements carry that, and
/// what one run of each is worth.
pub(crate) fn sentences(setups: &[&Judgement]) -> Vec<&'static str> {
    if setups.len() < 2 {
        return vec!["Only one set-up was run: there is nothing to hold it against."];
    }
    let closing = if let [first, second] = setups { closing(first, second) } else { None };
    closing
        .into_iter()
        .chain(["One run of each: an illustration, not proof that one is better than the other."])
        .collect()
}

/// An application of a set-up by its client's name and its own.
pub(crate) fn find<'a>(judgement: &'a Judgement, client: &str, name: &str) -> Option<&'a ApplicationJudgement> {
    judgement.applications.iter().find(|application| application.client == client && application.name == name)
}

/// Which of two is worse to live with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Worse {
    First,
    Second,
    Neither,
}

/// One sentence on the two, where the judgements carry it; none where one of them cannot tell.
fn closing(first: &Judgement, second: &Judgement) -> Option<&'static str> {
    let worse = worse_to_live_with(first, second)?;
    // Under one percent apart is as good as equal: one run a side shows no more.
    let more = |a: f64, b: f64| a > b * 1.01;
    let sentence =
        match (more(first.goodput_bps, second.goodput_bps), more(second.goodput_bps, first.goodput_bps), worse) {
            (true, _, Worse::First) => "The first set-up moves more megabits and is worse to live with.",
            (_, true, Worse::Second) => "The second set-up moves more megabits and is worse to live with.",
            (true, _, Worse::Second) => "The first set-up moves more megabits and is better to live with.",
            (_, true, Worse::First) => "The second set-up moves more megabits and is better to live with.",
            (false, false, Worse::First) => {
                "Both move about as many megabits; the second set-up is better to live with."
            }
            (false, false, Worse::Second) => {
                "Both move about as many megabits; the first set-up is better to live with."
            }
            (true, _, Worse::Neither) => "The first set-up moves more megabits; to live with, both were judged alike.",
            (_, true, Worse::Neither) => "The second set-up moves more megabits; to live with, both were judged alike.",
            (false, false, Worse::Neither) => "Both move about as many megabits and were judged alike.",
        };
    Some(sentence)
}

/// The run's verdict says it. Where that is the same, one is worse if it is worse for somebody and better for nobody.
/// `None` where a verdict is inconclusive, or where each is worse for somebody.
fn worse_to_live_with(first: &Judgement, second: &Judgement) -> Option<Worse> {
    if first.verdict == Verdict::Inconclusive || second.verdict == Verdict::Inconclusive {
        return None;
    }
    match first.verdict.cmp(&second.verdict) {
        std::cmp::Ordering::Greater => return Some(Worse::First),
        std::cmp::Ordering::Less => return Some(Worse::Second),
        std::cmp::Ordering::Equal => {}
    }
    let mut worse = Worse::Neither;
    for application in &first.applications {
        let other = find(second, &application.client, &application.name)?;
        let (Some(one), Some(two)) = (application.verdict, other.verdict) else { continue };
        if one == Verdict::Inconclusive || two == Verdict::Inconclusive {
            return None;
        }
        let here = match one.cmp(&two) {
            std::cmp::Ordering::Greater => Worse::First,
            std::cmp::Ordering::Less => Worse::Second,
            std::cmp::Ordering::Equal => continue,
        };
        if worse != Worse::Neither && worse != here {
            return None;
        }
        worse = here;
    }
    Some(worse)
}
