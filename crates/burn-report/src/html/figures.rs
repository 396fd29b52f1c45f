//! The figures of a run that its page holds.

use burn_model::goal::Bound;
use burn_model::judge::{ApplicationJudgement, Judgement};
use burn_model::run::RunRecord;

use super::budget::Budget;
use super::drawn::Drawn;
use crate::figure::{Figure, Kind, Subject, of_run};
use crate::svg;

/// The figures, each with its number in the page: its place here.
pub(super) struct Figures {
    figures: Vec<Figure>,
    /// Client and population of each application, in the judgement's order.
    places: Vec<(usize, usize)>,
    table_rows: usize,
}

impl Figures {
    pub(super) fn of(run: &RunRecord, judgement: &Judgement, budget: &Budget) -> Self {
        let clients = run.plan().map_or(&[][..], |plan| &plan.clients);
        let places: Vec<(usize, usize)> = clients
            .iter()
            .enumerate()
            .flat_map(|(client, plan)| (0..plan.populations.len()).map(move |population| (client, population)))
            .collect();
        let shown: Vec<(usize, usize)> = budget.shown.iter().filter_map(|i| places.get(*i).copied()).collect();
        let is_shown = |figure: &Figure| match figure.subject {
            Subject::Run => true,
            Subject::Client(client) => shown.iter().any(|(of, _)| *of == client),
            Subject::Application(client, population) => shown.contains(&(client, population)),
        };
        let mut figures = of_run(run, judgement, budget.points);
        figures.retain(is_shown);
        Self { figures, places, table_rows: budget.table_rows }
    }

    /// For the page's script.
    pub(super) fn to_json(&self) -> String {
        // A figure holds only numbers and texts; JSON has a form for all of them.
        serde_json::to_string(&self.figures).unwrap_or_else(|_| "[]".to_owned())
    }

    /// The client of an application, by its number in the judgement.
    pub(super) fn client(&self, application: usize) -> Option<usize> {
        self.places.get(application).map(|(client, _)| *client)
    }

    /// Those of an application, by its number in the judgement.
    pub(super) fn of_application(&self, application: usize) -> Vec<Drawn<'_>> {
        let place = self.places.get(application);
        self.drawn(|figure| {
            place.is_some_and(|(client, population)| figure.subject == Subject::Application(*client, *population))
        })
    }

    /// Those of a client and none of its applications.
    pub(super) fn of_client(&self, client: usize) -> Vec<Drawn<'_>> {
        self.drawn(|figure| figure.subject == Subject::Client(client))
    }

    pub(super) fn of_kind(&self, kind: Kind) -> Vec<Drawn<'_>> {
        self.drawn(|figure| figure.kind == kind)
    }

    /// The course of the figure that decided, in the size of a word; empty where there is none.
    pub(super) fn sparkline(&self, number: usize, application: &ApplicationJudgement) -> String {
        let decided = application.decided_by.and_then(|i| application.goals.get(i));
        let kind = match decided.map(|judged| &judged.goal.bound) {
            Some(Bound::ResponseTime { .. } | Bound::FailedShare { .. }) => Kind::ResponseTime,
            Some(Bound::WindowGoodput { .. }) | None => Kind::Goodput,
            Some(Bound::StallRatio { .. } | Bound::StartupTime { .. }) => Kind::Buffer,
        };
        let Some((client, population)) = self.places.get(number) else { return String::new() };
        let subject = Subject::Application(*client, *population);
        let found = self.figures.iter().find(|figure| figure.kind == kind && figure.subject == subject);
        found.map(svg::sparkline).unwrap_or_default()
    }

    fn drawn(&self, wanted: impl Fn(&Figure) -> bool) -> Vec<Drawn<'_>> {
        let numbered = self.figures.iter().enumerate().filter(|(_, figure)| wanted(figure));
        numbered.map(|(number, figure)| Drawn::of(number, figure, self.table_rows)).collect()
    }
}
