//! One line of progress: how far the run is, and what each application did in its last whole second.

use std::time::Duration;

use burn_model::plan::{Arrival, ClientPlan, Plan, Population};
use burn_model::record::ClientState;
use burn_model::run::{Recent, RunRecord};
use burn_model::time::Moment;
use burn_model::units::format_duration;

use crate::layout::{clean, clip, width};
use crate::numbers::{count, rate};

/// Between two applications.
const SEPARATOR: &str = " | ";

/// One line of at most `columns` columns, without a line break or an escape byte. `since_start` is how long the load has
/// been running; `None` before it starts.
///
/// What fits is shown: first with each application's longest response time, then without, then without the clients'
/// names, and at last as many applications as there is room for.
#[must_use]
pub fn line(run: &RunRecord, since_start: Option<Duration>, columns: usize) -> String {
    let Some(plan) = run.plan() else { return clip("starting", columns) };
    let stage = stage(plan, since_start);
    let activities = activities(run, plan);
    let written = |style: fn(&Activity) -> String| {
        std::iter::once(stage.clone()).chain(activities.iter().map(style)).collect::<Vec<_>>()
    };
    for style in [Activity::with_longest, Activity::with_client, Activity::alone] {
        let line = written(style).join(SEPARATOR);
        if width(&line) <= columns {
            return line;
        }
    }
    cut(written(Activity::alone), columns)
}

/// As many parts as fit, and how many more there are.
fn cut(mut parts: Vec<String>, columns: usize) -> String {
    let mut left_out = 0;
    while parts.len() > 1 {
        parts.pop();
        left_out += 1;
        let line = format!("{}{SEPARATOR}and {left_out} more", parts.join(SEPARATOR));
        if width(&line) <= columns {
            return line;
        }
    }
    clip(&parts.concat(), columns)
}

/// Where a run stands: `34/65 s`.
pub(super) fn stage(plan: &Plan, since_start: Option<Duration>) -> String {
    let Some(elapsed) = since_start else { return "starting".to_owned() };
    let end = plan.end().since_start();
    if elapsed >= end {
        return "finishing".to_owned();
    }
    let warming = if Moment::START + elapsed < plan.judged_from() { " warm-up" } else { "" };
    format!("{}/{} s{warming}", elapsed.as_secs(), end.as_secs())
}

/// What an application did in its last whole second.
struct Activity {
    client: String,
    name: String,
    did: String,
    longest: Option<String>,
}

impl Activity {
    fn of(run: &RunRecord, indexes: (usize, usize), client: &ClientPlan, population: &Population) -> Self {
        let (client_index, population_index) = indexes;
        let lost = matches!(run.client_state(client_index), Some(ClientState::Lost { .. }));
        let recent = run.recent(client_index, population_index);
        let longest = recent.as_ref().and_then(|recent| recent.response_time.iter().last());
        Self {
            client: clean(&client.name),
            name: clean(&population.name),
            did: match &recent {
                _ if lost => "lost".to_owned(),
                None => "waiting".to_owned(),
                Some(recent) => did(population, recent),
            },
            longest: longest.filter(|_| !lost).map(|(longest, _)| format_duration(longest)),
        }
    }

    fn with_longest(&self) -> String {
        let longest = self.longest.as_ref().map_or_else(String::new, |longest| format!(" up to {longest}"));
        format!("{}{longest}", self.with_client())
    }

    fn with_client(&self) -> String {
        format!("{} {} {}", self.client, self.name, self.did)
    }

    fn alone(&self) -> String {
        format!("{} {}", clip(&self.name, 12), self.did)
    }
}

fn activities(run: &RunRecord, plan: &Plan) -> Vec<Activity> {
    let clients = plan.clients.iter().enumerate();
    let applications = clients.flat_map(|(i, client)| {
        client.populations.iter().enumerate().map(move |(j, population)| ((i, j), client, population))
    });
    applications.map(|(indexes, client, population)| Activity::of(run, indexes, client, population)).collect()
}

/// How much moved where that is what matters, else how many operations completed; and what went wrong.
fn did(population: &Population, recent: &Recent) -> String {
    let moved = if is_bulk(population) {
        #[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
        let bits = recent.bytes as f64 * 8.0;
        rate(bits)
    } else {
        format!("{}/s", count(recent.completed))
    };
    if recent.unsuccessful > 0 { format!("{moved} {} failed", count(recent.unsuccessful)) } else { moved }
}

/// Media, and downloads back to back.
fn is_bulk(population: &Population) -> bool {
    let back_to_back = matches!(population.arrival, Arrival::Closed { reading_time, .. } if reading_time.is_zero());
    population.media.is_some() || back_to_back
}
