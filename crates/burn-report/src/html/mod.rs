//! A judged run as one page that stands alone: the verdict in a sentence, a card for each application, then everything that it
//! stands on. Nothing is fetched, nothing is computed, and nothing that a peer sent becomes markup ([`escape`]).
//!
//! The page is whole without scripts. Where the program was built with [`assets`], their script draws the figures once more, to
//! be pointed at.

mod application;
pub mod assets;
mod beside;
mod budget;
mod card;
mod comparison;
mod document;
mod dots;
mod drawn;
pub(crate) mod escape;
mod figures;
mod method;
mod policy;
mod share;
mod sign;

use askama::Template;
use burn_model::judge::{Judgement, Verdict};
use burn_model::run::RunRecord;

use crate::figure::Kind;
use crate::said::fidelity::{answer, costs};
use crate::said::verdict::{confidence, sentence};
use application::Application;
use beside::Beside;
use budget::Budget;
use card::Card;
pub use comparison::{SetUp, render as render_comparison};
use document::Document;
use figures::Figures;
use method::Method;
use share::Share;
use sign::Sign;

/// The page of a run.
#[must_use]
pub fn render(run: &RunRecord, judgement: &Judgement) -> String {
    let header = run.header();
    let name = run.plan().map_or("A run", |plan| plan.name.as_str());
    let budget = Budget::of(judgement);
    let figures = Figures::of(run, judgement, &budget);
    let shown = || budget.shown.iter().filter_map(|i| Some((*i, judgement.applications.get(*i)?)));
    let rows = budget.rows.iter().filter_map(|i| judgement.applications.get(*i));
    document::written(&RunPage {
        document: Document::new(name, &figures.to_json()),
        name,
        started_at: header.map(|header| header.started_at.as_str()),
        sign: Sign::of(judgement.verdict),
        sentence: sentence(run, judgement),
        confidence: confidence(judgement),
        cards: shown()
            .map(|(i, one)| Card::of(i, one, figures.sparkline(i, one)).with_client(run, figures.client(i)))
            .collect(),
        others: rows.map(|one| Card::of(0, one, String::new())).collect(),
        others_left_out: budget.left_out,
        reasons: if judgement.verdict == Verdict::Pass { &[] } else { &judgement.reasons },
        applications: shown().map(|(i, one)| Application::of(i, one, figures.of_application(i))).collect(),
        beside: Beside::of(run, &figures, &budget),
        share: Share::of(judgement, &budget, figures.of_kind(Kind::Shares)),
        answer: answer(run, judgement),
        doubts: &judgement.doubts,
        checks: &judgement.checks,
        costs: costs(judgement),
        remarks: header.map_or(&[], |header| &header.remarks),
        cautions: &judgement.cautions,
        method: Method::of(run, judgement),
    })
}

#[derive(Template)]
#[template(path = "run.html")]
struct RunPage<'a> {
    document: Document,
    name: &'a str,
    started_at: Option<&'a str>,
    sign: Sign,
    sentence: String,
    confidence: String,
    cards: Vec<Card<'a>>,
    /// Those without a card.
    others: Vec<Card<'a>>,
    others_left_out: usize,
    reasons: &'a [String],
    applications: Vec<Application<'a>>,
    beside: Beside<'a>,
    share: Share<'a>,
    answer: String,
    doubts: &'a [String],
    checks: &'a [String],
    costs: Vec<(String, String)>,
    remarks: &'a [String],
    cautions: &'a [String],
    method: Method<'a>,
}

impl RunPage<'_> {
    /// Lines of a list of what there is one of for each application, at most.
    #[expect(clippy::unused_self, reason = "templates ask the page")]
    const fn most_points(&self) -> usize {
        100
    }

    /// What metrics are, for templates.
    #[expect(clippy::unused_self, reason = "templates ask the page")]
    fn definitions(&self, names: &[&str]) -> Vec<(String, &'static str)> {
        method::definitions(names)
    }
}
