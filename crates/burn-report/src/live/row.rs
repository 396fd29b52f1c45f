//! One application in the live view.

use std::time::Duration;

use burn_model::goal::{Bound, Counts};
use burn_model::plan::{ClientPlan, Population};
use burn_model::record::ClientState;
use burn_model::run::{Recent, RunRecord};
use burn_model::units::format_duration;

use super::history::Against;
use super::span::Tone;
use crate::layout::clean;
use crate::numbers::{ABSENT, rate};
use crate::words::good;

/// What is shown of one application, but for its history.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) state: (&'static str, Tone),
    /// Payload of the last whole second.
    pub(super) goodput: String,
    /// The longest response time of the last whole second, with a word for where it lies.
    pub(super) longest: (String, Tone),
    pub(super) goal: String,
    pub(super) against: Against,
}

impl Row {
    pub(super) fn of(run: &RunRecord, indexes: (usize, usize), client: &ClientPlan, population: &Population) -> Self {
        let recent = run.recent(indexes.0, indexes.1);
        let state = state(run.client_state(indexes.0));
        let lost = state.1 == Tone::Bad;
        let shown = recent.as_ref().filter(|_| !lost);
        Self {
            name: format!("{} {}", clean(&client.name), clean(&population.name)),
            state,
            goodput: shown.map_or_else(|| ABSENT.to_owned(), goodput),
            longest: shown.map_or_else(|| (ABSENT.to_owned(), Tone::Plain), |recent| longest(population, recent)),
            goal: goal(population),
            against: Against::of(population),
        }
    }
}

fn state(state: Option<&ClientState>) -> (&'static str, Tone) {
    match state {
        None => ("waiting", Tone::Faint),
        Some(ClientState::Joined) => ("joined", Tone::Faint),
        Some(ClientState::Armed) => ("ready", Tone::Plain),
        Some(ClientState::Running { .. }) => ("running", Tone::Plain),
        Some(ClientState::Draining) => ("finishing", Tone::Plain),
        Some(ClientState::Done) => ("done", Tone::Faint),
        Some(ClientState::Lost { .. }) => ("LOST", Tone::Bad),
    }
}

fn goodput(recent: &Recent) -> String {
    #[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
    let bits = recent.bytes as f64 * 8.0;
    rate(bits)
}

/// What failed comes before what took long.
fn longest(population: &Population, recent: &Recent) -> (String, Tone) {
    if recent.unsuccessful > 0 {
        return (format!("{} failed", recent.unsuccessful), Tone::Bad);
    }
    let Some((longest, _)) = recent.response_time.iter().last() else { return (ABSENT.to_owned(), Tone::Plain) };
    let bounds = population.goals.iter().filter(|goal| goal.counts == Counts::Verdict);
    let bounds = bounds.filter_map(|goal| match goal.bound {
        Bound::ResponseTime { good, bad, .. } => Some((good, bad)),
        _ => None,
    });
    let bounds = bounds.reduce(|(good, bad), (other_good, other_bad)| (good.min(other_good), bad.min(other_bad)));
    let (word, tone) = where_it_lies(longest, bounds);
    (format!("{}{word}", format_duration(longest)), tone)
}

/// A mark beside the number, for whoever sees no colours.
fn where_it_lies(time: Duration, bounds: Option<(Duration, Duration)>) -> (&'static str, Tone) {
    match bounds {
        Some((_, bad)) if time > bad => (" !!", Tone::Bad),
        Some((good, _)) if time > good => (" !", Tone::Warning),
        Some(_) => ("", Tone::Good),
        None => ("", Tone::Plain),
    }
}

fn goal(population: &Population) -> String {
    let first = population.goals.iter().find(|goal| goal.counts == Counts::Verdict);
    first.map_or_else(
        || ABSENT.to_owned(),
        |goal| match goal.bound {
            Bound::WindowGoodput { .. } => format!("≥ {}", good(&goal.bound)),
            _ => format!("≤ {}", good(&goal.bound)),
        },
    )
}
