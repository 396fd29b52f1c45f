//! The labels by which series are told apart: scenario, client, application.

use burn_model::judge::Judgement;
use burn_model::run::RunRecord;

use crate::layout::clip;
use crate::names::{self, ClientNames, unique};

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
    /// Those of every application of a run's plan, in its order.
    pub(super) fn of_plan(run: &RunRecord) -> Vec<Self> {
        let scenario = scenario(run);
        let of_plan = run.plan().map(names::of_plan).unwrap_or_default();
        let of_client = |names: ClientNames| {
            let (scenario, client) = (scenario.clone(), names.client);
            let applications = names.applications.into_iter();
            applications.map(move |application| Self {
                scenario: scenario.clone(),
                client: client.clone(),
                application,
            })
        };
        of_plan.into_iter().flat_map(of_client).collect()
    }

    /// Those of every client of a run's plan, in its order; their application is empty.
    pub(super) fn of_clients(run: &RunRecord) -> Vec<Self> {
        let scenario = scenario(run);
        let of_plan = run.plan().map(names::of_plan).unwrap_or_default();
        let of_client =
            |names: ClientNames| Self { scenario: scenario.clone(), client: names.client, application: String::new() };
        of_plan.into_iter().map(of_client).collect()
    }

    /// Those of every application of a judgement, in its order.
    pub(super) fn of_applications(run: &RunRecord, judgement: &Judgement) -> Vec<Self> {
        let planned = Self::of_plan(run);
        // A judgement has the applications of its run's plan, in the plan's order. One that was put together otherwise gets
        // names of its own.
        if planned.len() == judgement.applications.len() {
            return planned;
        }
        let scenario = scenario(run);
        let titles = unique(judgement.applications.iter().map(|one| shown(&one.name)));
        let named = judgement.applications.iter().zip(titles);
        let labels = named.map(|(one, application)| Self {
            scenario: scenario.clone(),
            client: shown(&one.client),
            application,
        });
        labels.collect()
    }

    /// All three.
    pub(super) fn all(&self) -> Vec<(&str, &str)> {
        vec![("scenario", &self.scenario), ("client", &self.client), ("application", &self.application)]
    }

    /// Those that tell its client.
    pub(super) fn of_client(&self) -> [(&str, &str); 2] {
        [("scenario", &self.scenario), ("client", &self.client)]
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
