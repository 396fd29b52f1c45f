//! The labels by which series are told apart: scenario, client, application.

use burn_model::judge::Judgement;
use burn_model::run::RunRecord;

use crate::layout::clip;
use crate::names::{self, unique};

/// Columns that a label's value takes at most. Plans bound names well below it; other texts of a file may be of any length.
const LONGEST: usize = 200;

/// The labels of an application.
#[derive(Clone, Debug)]
pub(super) struct Labels {
    scenario: String,
    client: String,
    application: String,
}

impl Labels {
    /// Those of every application of a judgement, in its order.
    pub(super) fn of_applications(run: &RunRecord, judgement: &Judgement) -> Vec<Self> {
        let scenario = scenario(run);
        let of_plan = run.plan().map(names::of_plan).unwrap_or_default();
        let planned = of_plan.into_iter().flat_map(|names| {
            let client = names.client;
            names.applications.into_iter().map(move |application| (client.clone(), application))
        });
        let planned: Vec<(String, String)> = planned.collect();
        // A judgement has the applications of its run's plan, in the plan's order. One that was put together otherwise gets
        // names of its own.
        let pairs = if planned.len() == judgement.applications.len() {
            planned
        } else {
            let clients = judgement.applications.iter().map(|one| shown(&one.client));
            let titles = unique(judgement.applications.iter().map(|one| shown(&one.name)));
            clients.zip(titles).collect()
        };
        let labels = pairs.into_iter();
        labels.map(|(client, application)| Self { scenario: scenario.clone(), client, application }).collect()
    }

    /// All three.
    pub(super) fn all(&self) -> Vec<(&str, &str)> {
        vec![("scenario", &self.scenario), ("client", &self.client), ("application", &self.application)]
    }

    /// All three, with more behind them.
    pub(super) fn and<'a>(&'a self, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
        let mut all = self.all();
        all.extend_from_slice(more);
        all
    }
}

/// What the run's scenario is called.
pub(super) fn scenario(run: &RunRecord) -> String {
    run.header().map(|header| shown(&header.plan.name)).unwrap_or_default()
}

/// A text of a file as a label's value.
pub(super) fn shown(text: &str) -> String {
    clip(text, LONGEST)
}
