//! A judged run as one page that stands alone: the verdict in a sentence, a card for each application, then everything that it
//! stands on. Nothing is fetched, nothing is computed, and nothing that a peer sent becomes markup ([`escape`]).
//!
//! The page is whole without scripts. Where the program was built with [`assets`], their script draws the figures once more, to
//! be pointed at.

mod application;
pub mod assets;
mod beside;
mod card;
pub(crate) mod escape;
mod method;
mod policy;
mod share;
mod sign;

use askama::Template;
use burn_model::judge::{Judgement, Verdict};
use burn_model::run::RunRecord;

use crate::said::fidelity::{answer, costs};
use crate::said::verdict::{confidence, sentence};
use application::Application;
use beside::Beside;
use card::Card;
use method::Method;
use share::Share;
use sign::Sign;

/// The style sheet of every page; a script's own stands after it.
const STYLE: &str = include_str!("../../templates/page.css");

/// The page of a run.
#[must_use]
pub fn render(run: &RunRecord, judgement: &Judgement) -> String {
    let header = run.header();
    let name = run.plan().map_or("A run", |plan| plan.name.as_str());
    written(&RunPage {
        document: Document::new(name, "[]".to_owned()),
        name,
        started_at: header.map(|header| header.started_at.as_str()),
        sign: Sign::of(judgement.verdict),
        sentence: sentence(run, judgement),
        confidence: confidence(judgement),
        cards: judgement.applications.iter().enumerate().map(|(i, one)| Card::of(i, one)).collect(),
        reasons: if judgement.verdict == Verdict::Pass { &[] } else { &judgement.reasons },
        applications: judgement.applications.iter().enumerate().map(|(i, one)| Application::of(i, one)).collect(),
        beside: Beside::of(run),
        share: Share::of(judgement),
        answer: answer(run, judgement),
        doubts: &judgement.doubts,
        checks: &judgement.checks,
        costs: costs(judgement),
        remarks: header.map_or(&[], |header| &header.remarks),
        cautions: &judgement.cautions,
        method: Method::of(run, judgement),
    })
}

/// What every page has around its content.
struct Document {
    /// What the browser calls it.
    title: String,
    policy: String,
    style: String,
    script: &'static str,
    /// The figures, as JSON that can stand in a script element.
    figures: String,
}

impl Document {
    fn new(name: &str, figures: String) -> Self {
        let style = [STYLE, assets::STYLE].join("\n");
        Self {
            title: format!("{name} – netburn"),
            policy: policy::policy(assets::SCRIPT, &style),
            style,
            script: assets::SCRIPT,
            figures: escape::in_script(&figures),
        }
    }
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
    /// What metrics are, for templates.
    fn definitions(&self, names: &[&str]) -> Vec<(String, &'static str)> {
        method::definitions(names)
    }
}

#[expect(clippy::expect_used, reason = "only writing can fail, and writing into a String cannot")]
fn written(page: &impl Template) -> String {
    page.render().expect("a page is only text")
}
