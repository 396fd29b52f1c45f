//! Two set-ups as one page: with one run of each side by side, as an illustration; with several, what got better, what got
//! worse, and how sure that is.

use askama::Template;
use burn_model::compare::{ApplicationComparison, Comparison};
use burn_model::judge::{ApplicationJudgement, Judgement};
use burn_model::run::RunRecord;

use super::budget::Budget;
use super::card::Card;
use super::document::{Document, written};
use super::dots::Dots;
use super::drawn::Drawn;
use super::sign::Sign;
use crate::comparison::{find, sentences};
use crate::figure::{Figure, Subject, of_comparison};
use crate::layout::glue;
use crate::numbers::{ABSENT, rate};
use crate::said::change::{self, p_shown, shift_shown, side_shown};
use crate::said::verdict::sentence;
use crate::words::{counted, run_figure};

/// One of two set-ups, with its runs.
#[derive(Clone, Copy, Debug)]
pub struct SetUp<'a> {
    /// What it is called; may hold anything.
    pub title: &'a str,
    /// Its runs, in the order in which the comparison has them.
    pub runs: &'a [(&'a RunRecord, &'a Judgement)],
}

/// The page of a comparison of `second` with `first`.
#[must_use]
pub fn render(first: SetUp<'_>, second: SetUp<'_>, comparison: &Comparison) -> String {
    let titles = (first.title, second.title);
    let illustrated = first.runs.len().max(second.runs.len()) <= 1;
    let budget = Budget::of_pairs(comparison.applications.len());
    let mut figures = of_comparison(first.runs, second.runs, titles, budget.points);
    let shown = comparison.applications.get(..budget.shown.len()).unwrap_or_default();
    figures.retain(|figure| is_of(figure, first, shown));
    let (head, closing) = if illustrated {
        let judgements: Vec<&Judgement> =
            first.runs.iter().chain(second.runs).map(|(_, judgement)| *judgement).collect();
        let mut said = sentences(&judgements).into_iter().map(str::to_owned);
        let head = said.next().unwrap_or_default();
        (head, said.collect::<Vec<_>>().join(" "))
    } else {
        let runs = |set_up: SetUp<'_>| counted(set_up.runs.len() as u64, "run", "runs");
        let said =
            "A difference is called one where equal set-ups would look as different in at most 5 of 100 comparisons.";
        (change::sentence(titles, comparison), format!("{} against {}. {said}", runs(second), runs(first)))
    };
    let drawn = |one: &ApplicationComparison| {
        let subject = subject(first, one);
        let numbered = figures.iter().enumerate().filter(|(_, figure)| Some(figure.subject) == subject);
        numbered.map(|(number, figure)| Drawn::of(number, figure, budget.table_rows)).collect()
    };
    let applications = comparison.applications.iter().enumerate();
    written(&ComparisonPage {
        document: Document::new(
            &format!("{} and {}", first.title, second.title),
            &serde_json::to_string(&figures).unwrap_or_else(|_| "[]".to_owned()),
        ),
        sentence: head,
        closing,
        illustrated,
        sides: [Side::of(first), Side::of(second)],
        titles,
        rows: applications.clone().map(|(i, one)| Row::of(i, one, (first, second))).collect(),
        applications: applications
            .zip(shown)
            .map(|((i, one), _)| (Row::of(i, one, (first, second)), drawn(one)))
            .collect(),
        cautions: &comparison.cautions,
    })
}

/// The application's place in the first set-up's plan, by which its figures are named.
fn subject(first: SetUp<'_>, one: &ApplicationComparison) -> Option<Subject> {
    let plan = first.runs.first()?.0.plan()?;
    let client = plan.clients.iter().position(|client| client.name == one.client)?;
    let population = plan.clients.get(client)?.populations.iter().position(|population| population.name == one.name)?;
    Some(Subject::Application(client, population))
}

fn is_of(figure: &Figure, first: SetUp<'_>, shown: &[ApplicationComparison]) -> bool {
    shown.iter().any(|one| subject(first, one) == Some(figure.subject))
}

#[derive(Template)]
#[template(path = "comparison.html")]
struct ComparisonPage<'a> {
    document: Document,
    sentence: String,
    closing: String,
    /// One run of each: nothing is tested.
    illustrated: bool,
    sides: [Side<'a>; 2],
    titles: (&'a str, &'a str),
    rows: Vec<Row<'a>>,
    applications: Vec<(Row<'a>, Vec<Drawn<'a>>)>,
    cautions: &'a [String],
}

/// A set-up.
struct Side<'a> {
    title: &'a str,
    runs: Vec<Run<'a>>,
}

/// One run of a set-up.
struct Run<'a> {
    sign: Sign,
    sentence: String,
    goodput: String,
    id: &'a str,
    started_at: &'a str,
}

impl<'a> Side<'a> {
    fn of(set_up: SetUp<'a>) -> Self {
        let run = |(run, judgement): &(&'a RunRecord, &'a Judgement)| Run {
            sign: Sign::of(judgement.verdict),
            sentence: sentence(run, judgement),
            goodput: glue(&rate(judgement.goodput_bps)),
            id: run.header().map_or(ABSENT, |header| beginning(&header.run)),
            started_at: run.header().map_or(ABSENT, |header| header.started_at.as_str()),
        };
        Self { title: set_up.title, runs: set_up.runs.iter().map(run).collect() }
    }
}

/// As much of a run's name as tells it from others.
fn beginning(id: &str) -> &str {
    id.char_indices().nth(8).and_then(|(end, _)| id.get(..end)).unwrap_or(id)
}

/// An application in both.
struct Row<'a> {
    number: usize,
    client: &'a str,
    name: &'a str,
    /// How it was in the one run of each, where there is one.
    cards: Option<[Option<Card<'a>>; 2]>,
    figure: String,
    first: String,
    second: String,
    change: Option<String>,
    p: Option<String>,
    sign: Sign,
    because: Option<&'a str>,
    dots: Dots,
}

impl<'a> Row<'a> {
    fn of(number: usize, one: &'a ApplicationComparison, (first, second): (SetUp<'a>, SetUp<'a>)) -> Self {
        let card = |set_up: SetUp<'a>| {
            let (_, judgement) = set_up.runs.first()?;
            let application: &'a ApplicationJudgement = find(judgement, &one.client, &one.name)?;
            Some(Card::of(number, application, String::new()))
        };
        let illustrated = first.runs.len().max(second.runs.len()) <= 1;
        let shift = one.test.and_then(|test| test.shift).filter(|_| !illustrated);
        Self {
            number,
            client: &one.client,
            name: &one.name,
            cards: illustrated.then(|| [card(first), card(second)]),
            figure: run_figure(&one.figure),
            first: glue(&side_shown(one, &one.first)),
            second: glue(&side_shown(one, &one.second)),
            change: shift.map(|shift| shift_shown(&one.figure, shift).trim_start_matches("change ").to_owned()),
            p: one.test.map(|test| p_shown(test.p).trim_start_matches("p = ").trim_start_matches("p ").to_owned()),
            sign: Sign::of_answer(one.answer),
            because: one.because.as_deref(),
            dots: Dots::of(one),
        }
    }
}
