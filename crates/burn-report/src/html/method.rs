//! How the figures were made: their definitions, the facts of the run, its scenario, and how to run it again.

use burn_model::judge::Judgement;
use burn_model::metric::{Metric, find};
use burn_model::run::RunRecord;

use crate::said::facts::facts;
use crate::said::repeat::commands;

/// Of a scenario that is longer than this, in bytes, the page shows the beginning. No more than any value may have.
const SCENARIO_SHOWN: usize = 64 * 1024;

/// The section.
pub(super) struct Method<'a> {
    pub(super) facts: Vec<(&'static str, String)>,
    /// The scenario as it was written, or its beginning.
    pub(super) scenario: Option<&'a str>,
    pub(super) scenario_is_cut: bool,
    /// What to type to have it again.
    pub(super) commands: Vec<String>,
}

impl<'a> Method<'a> {
    pub(super) fn of(run: &'a RunRecord, judgement: &Judgement) -> Self {
        let scenario = run.header().and_then(|header| header.scenario.as_deref());
        let shown = scenario.map(beginning);
        Self {
            facts: facts(run, judgement),
            scenario_is_cut: shown != scenario,
            scenario: shown,
            commands: commands(run),
        }
    }
}

fn beginning(text: &str) -> &str {
    let end = text.char_indices().map(|(at, _)| at).find(|at| *at >= SCENARIO_SHOWN);
    end.and_then(|end| text.get(..end)).unwrap_or(text)
}

/// What metrics are, for the section that shows them.
pub(super) fn definitions(names: &[&str]) -> Vec<(String, &'static str)> {
    let known = names.iter().filter_map(|name| find(name));
    known.map(|Metric { name, definition, .. }| (name.replace('_', " "), *definition)).collect()
}
