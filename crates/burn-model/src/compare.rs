//! Two set-ups held against each other, by several runs of each.
//!
//! The unit is the run, not the operation: operations of one run share its minute, its neighbours and its luck, so a test
//! that takes them for independent calls most *equal* pairs different. From each run one figure of each application is
//! taken, the same one in every run and chosen before any was made (the first goal of the verdict, else goodput),
//! and the two sides' figures go through an exact rank-sum test ([`crate::rank_test`]).

use std::cmp::Ordering;
use std::time::Duration;

use crate::goal::{Bound, Counts};
use crate::judge::{ApplicationJudgement, GoalJudgement, GoalOutcome, Judgement, Reading};
use crate::plan::{Arrival, ClientPlan, Plan, Population};
use crate::rank_test::{LEVEL, MOST, RankTest, rank_test};
use crate::record::Ending;
use crate::run::RunRecord;

/// The least runs of each set-up that can show a difference: four against four, wholly apart, are 2 of 70 deals, where three
/// against three are 2 of 20.
pub const LEAST_RUNS: usize = 4;

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// How many runs there are of each set-up.
    pub runs: (usize, usize),
    /// Each application that both set-ups have, in the first plan's order.
    pub applications: Vec<ApplicationComparison>,
    /// What the reader should bear in mind, in plain sentences.
    pub cautions: Vec<String>,
}

/// One application in both set-ups.
#[derive(Clone, Debug, PartialEq)]
pub struct ApplicationComparison {
    /// The client's name.
    pub client: String,
    /// The application's name.
    pub name: String,
    /// The figure that was taken from each run.
    pub figure: RunFigure,
    /// The first set-up's.
    pub first: Side,
    /// The second set-up's.
    pub second: Side,
    /// What the test says; `None` where it cannot be made.
    pub test: Option<RankTest>,
    /// The answer.
    pub answer: Answer,
    /// Why it cannot be told, where it cannot.
    pub because: Option<String>,
}

/// The figure in every run of one set-up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Side {
    /// Run by run, in the figure's unit; infinite where what it is of never completed, `None` where a run could not tell it.
    pub values: Vec<Option<f64>>,
    /// The median of those that there are.
    pub median: Option<f64>,
    /// The least and the greatest of those that there are.
    pub range: Option<(f64, f64)>,
}

impl Side {
    fn of(values: Vec<Option<f64>>) -> Self {
        let mut known: Vec<f64> = values.iter().flatten().copied().collect();
        known.sort_by(f64::total_cmp);
        let (lower, upper) = (known.get(known.len().saturating_sub(1) / 2), known.get(known.len() / 2));
        let median =
            lower.zip(upper).map(|(lower, upper)| if lower < upper { f64::midpoint(*lower, *upper) } else { *lower });
        Self { median, range: known.first().copied().zip(known.last().copied()), values }
    }
}

/// A figure of one run.
#[derive(Clone, Debug, PartialEq)]
pub enum RunFigure {
    /// What a goal is about, in the goal's own unit: nanoseconds, a share, or bits per second.
    Goal(Bound),
    /// Payload received in the judged time, bits per second.
    Goodput,
}

/// How the second set-up is, held against the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Better.
    Better,
    /// Worse.
    Worse,
    /// The runs cannot tell.
    CannotTell,
}

impl RunFigure {
    /// Whether less is better.
    #[must_use]
    pub const fn less_is_better(&self) -> bool {
        !matches!(self, Self::Goodput | Self::Goal(Bound::WindowGoodput { .. }))
    }

    /// The figure that runs of this application are compared by.
    fn of(population: &Population) -> Self {
        let goal = population.goals.iter().find(|goal| goal.counts == Counts::Verdict);
        goal.map_or(Self::Goodput, |goal| Self::Goal(goal.bound.clone()))
    }

    /// The figure in one run. What never completed is worse than any number.
    pub(crate) fn read(&self, application: &ApplicationJudgement) -> Option<f64> {
        let Self::Goal(bound) = self else { return Some(application.goodput_bps) };
        let judged = application.goals.iter().find(|judged| judged.goal.bound == *bound)?;
        match (judged.reading, bound) {
            (Some(Reading::Unsuccessful | Reading::Overflow), _) => Some(f64::INFINITY),
            // A film that never began has no such figure, and that it has none is the worst there is.
            (None, Bound::StartupTime { .. } | Bound::StallRatio { .. })
                if judged.observed.is_none() && judged.outcome == GoalOutcome::Missed =>
            {
                Some(f64::INFINITY)
            }
            _ => judged.observed,
        }
    }
}

/// Compares the second set-up with the first.
#[must_use]
pub fn compare(first: &[(&RunRecord, &Judgement)], second: &[(&RunRecord, &Judgement)]) -> Comparison {
    let plan = first.first().and_then(|(run, _)| run.plan());
    let clients = plan.map_or(&[][..], |plan| &plan.clients);
    let applications = clients.iter().flat_map(|client| {
        let of = |population: &Population| application(&client.name, population, first, second);
        client.populations.iter().filter_map(of).collect::<Vec<_>>()
    });
    let applications: Vec<_> = applications.collect();
    let mut cautions = cautions(first, second);
    cautions.extend(of_many(&applications));
    Comparison { runs: (first.len(), second.len()), applications, cautions }
}

fn application(
    client: &str,
    population: &Population,
    first_runs: &[(&RunRecord, &Judgement)],
    second_runs: &[(&RunRecord, &Judgement)],
) -> Option<ApplicationComparison> {
    let find = |judgement: &'_ Judgement| {
        judgement.applications.iter().position(|one| one.client == client && one.name == population.name)
    };
    let is_there = |side: &[(&RunRecord, &Judgement)]| side.iter().any(|(_, judgement)| find(judgement).is_some());
    if !is_there(second_runs) {
        return None;
    }
    let figure = RunFigure::of(population);
    let read = |side: &[(&RunRecord, &Judgement)]| -> (Vec<Option<f64>>, usize) {
        let of_run = |judgement: &Judgement| {
            judgement.applications.get(find(judgement)?).map(|one| (figure.read(one), doubted(one, &figure)))
        };
        let read: Vec<_> = side.iter().map(|(_, judgement)| of_run(judgement).unwrap_or((None, false))).collect();
        (read.iter().map(|(value, _)| *value).collect(), read.iter().filter(|(_, doubted)| *doubted).count())
    };
    let ((first, first_doubted), (second, second_doubted)) = (read(first_runs), read(second_runs));
    let cut = first_runs.iter().chain(second_runs).filter(|(run, _)| cut_short(run)).count();
    let test = tested(&first, &second);
    let because = obstacle(&first, &second, first_doubted + second_doubted, cut);
    let answer = match (&because, &test) {
        (None, Some(test)) => answer(test, figure.less_is_better()),
        _ => Answer::CannotTell,
    };
    let because = because.or_else(|| (answer == Answer::CannotTell).then(|| undecided(test.as_ref())));
    Some(ApplicationComparison {
        client: client.to_owned(),
        name: population.name.clone(),
        figure,
        first: Side::of(first),
        second: Side::of(second),
        test,
        answer,
        because,
    })
}

/// Whether the tester, and not the network, may have made the figure.
pub(crate) fn doubted(application: &ApplicationJudgement, figure: &RunFigure) -> bool {
    let limited = |judged: &GoalJudgement| match figure {
        RunFigure::Goal(bound) => judged.goal.bound == *bound && judged.limited_by.is_some(),
        RunFigure::Goodput => false,
    };
    application.in_doubt || application.limited_by.is_some() || application.goals.iter().any(limited)
}

/// Whether a run ended before its time, or went on without a client: its figures are of another length of time, or of another
/// load, than those of whole runs.
pub(crate) fn cut_short(run: &RunRecord) -> bool {
    let lost = |client| run.lost(client).is_some();
    !matches!(run.ending(), Some(Ending::Finished)) || (0..run.clients().len()).any(lost)
}

fn tested(first: &[Option<f64>], second: &[Option<f64>]) -> Option<RankTest> {
    let whole = |side: &[Option<f64>]| side.iter().copied().collect::<Option<Vec<f64>>>();
    rank_test(&whole(first)?, &whole(second)?)
}

/// What keeps the runs from being compared at all.
fn obstacle(first: &[Option<f64>], second: &[Option<f64>], doubted: usize, cut: usize) -> Option<String> {
    let least = first.len().min(second.len());
    let missing = first.iter().chain(second).filter(|value| value.is_none()).count();
    if least < LEAST_RUNS {
        return Some(format!(
            "{least} {} of one set-up; {LEAST_RUNS} of each are the least that can show a difference",
            if least == 1 { "run" } else { "runs" }
        ));
    }
    if first.len().max(second.len()) > MOST {
        return Some(format!("more than {MOST} runs of one set-up"));
    }
    if missing > 0 {
        return Some(format!("{missing} of the runs could not tell the figure"));
    }
    if doubted > 0 {
        return Some(format!("in {doubted} of the runs the tester, not the network, may have been the limit"));
    }
    (cut > 0).then(|| format!("{cut} of the runs ended early or lost a client, so they are not like the others"))
}

pub(crate) fn answer(test: &RankTest, less_is_better: bool) -> Answer {
    match (test.p <= LEVEL, test.second_is, less_is_better) {
        (false, _, _) | (_, Ordering::Equal, _) => Answer::CannotTell,
        (true, Ordering::Less, true) | (true, Ordering::Greater, false) => Answer::Better,
        (true, Ordering::Greater, true) | (true, Ordering::Less, false) => Answer::Worse,
    }
}

pub(crate) fn undecided(test: Option<&RankTest>) -> String {
    match test {
        Some(test) => format!(
            "runs of one and the same set-up would look so different in {:.0} of 100 comparisons; {:.0} is what is allowed",
            (test.p * 100.0).ceil(),
            LEVEL * 100.0
        ),
        None => "a figure is not a number".to_owned(),
    }
}

fn cautions(first: &[(&RunRecord, &Judgement)], second: &[(&RunRecord, &Judgement)]) -> Vec<String> {
    let mut cautions = Vec::new();
    let all = || first.iter().chain(second).filter_map(|(run, _)| run.plan());
    if let Some(one) = all().next()
        && !all().all(|plan| asks_the_same(one, plan))
    {
        cautions.push(
            "The runs do not all ask the same (clients, workloads or length differ), so what differs may be the question.".to_owned(),
        );
    }
    if first.len().min(second.len()) <= 1 {
        cautions.push("One run of a set-up is an illustration: it proves nothing.".to_owned());
    }
    if !interleaved(first, second) {
        cautions.push(
            "The runs of the two set-ups were not made in turns, so whatever changed with time (neighbours, weather, a \
             warm device) stands in the difference too."
                .to_owned(),
        );
    }
    cautions
}

/// What it means that several applications were tested, where one of them was called different.
fn of_many(applications: &[ApplicationComparison]) -> Option<String> {
    let told = applications.iter().any(|one| one.answer != Answer::CannotTell);
    let tested = applications.iter().filter(|one| one.test.is_some()).count();
    // Boole's inequality: whatever the applications have to do with one another.
    let in_hundred = (f64::from(u32::try_from(tested).unwrap_or(u32::MAX)) * LEVEL * 100.0).round();
    (told && tested > 1).then(|| {
        let often = if in_hundred < 100.0 { format!("in up to {in_hundred:.0} of 100") } else { "in most".to_owned() };
        format!("Each of {tested} applications was tested by itself: were all equal, some would be called different {often} such comparisons.")
    })
}

/// Whether two plans ask the same of the same clients, whatever their names and seeds.
fn asks_the_same(one: &Plan, other: &Plan) -> bool {
    let steady = |population: &Population| {
        let mut population = population.clone();
        if let Arrival::Constant { phase, .. } = &mut population.arrival {
            // Drawn from the seed.
            *phase = Duration::ZERO;
        }
        population
    };
    let of_client =
        |client: &ClientPlan| (client.name.clone(), client.populations.iter().map(steady).collect::<Vec<_>>());
    let asked = |plan: &Plan| plan.clients.iter().map(of_client).collect::<Vec<_>>();
    (one.duration, one.warm_up) == (other.duration, other.warm_up) && asked(one) == asked(other)
}

/// Whether no side made more than two runs in a row. Runs without a start are taken as they are given.
fn interleaved(first: &[(&RunRecord, &Judgement)], second: &[(&RunRecord, &Judgement)]) -> bool {
    let started = |run: &RunRecord| run.header().map(|header| header.started_at.clone());
    let mut turns: Vec<(Option<String>, bool)> = first.iter().map(|(run, _)| (started(run), false)).collect();
    turns.extend(second.iter().map(|(run, _)| (started(run), true)));
    // RFC 3339 in UTC sorts as text.
    turns.sort();
    turns.chunk_by(|(_, one), (_, other)| one == other).all(|row| row.len() <= 2)
}
