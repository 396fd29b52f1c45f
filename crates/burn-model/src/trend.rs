//! How verdicts and figures of one scenario moved from run to run.
//!
//! Runs are told apart by their plans' digests: where the question changed, its answers are not held against each other.
//! Whether something changed with time is asked in the one way that pretends nothing: the earlier half of the runs
//! against the later half, by the exact rank-sum test ([`crate::rank_test`]) on the figure that runs are compared by. It
//! takes runs as exchangeable: where neighbouring runs are alike for another reason than the one sought (the hour of the
//! day), that reason is what it finds. No line is fitted and nothing is foretold.

use crate::brief::{ApplicationBrief, Brief};
use crate::compare::{Answer, LEAST_RUNS, RunFigure, answer, undecided};
use crate::goal::Bound;
use crate::judge::Verdict;
use crate::rank_test::{MOST, RankTest, rank_test};

/// The runs of one question, which all have the same digest, and what they show.
#[derive(Clone, Debug, PartialEq)]
pub struct Trend {
    /// Names what was asked.
    pub digest: String,
    /// The runs, the earliest first.
    pub runs: Vec<TrendRun>,
    /// Each application of the latest run, in the plan's order.
    pub applications: Vec<ApplicationTrend>,
}

/// A run of a trend.
#[derive(Clone, Debug, PartialEq)]
pub struct TrendRun {
    /// The run's own random name.
    pub run: String,
    /// When it was started, RFC 3339.
    pub started_at: String,
    /// Its verdict.
    pub verdict: Verdict,
}

/// How one application fared, run by run.
#[derive(Clone, Debug, PartialEq)]
pub struct ApplicationTrend {
    /// The client's name.
    pub client: String,
    /// The application's name.
    pub name: String,
    /// The figure that is followed: the first goal that counts for the verdict, else goodput.
    pub figure: RunFigure,
    /// Its value in each run, in the figure's own unit; infinite where what it is of never completed, `None` where a run
    /// could not tell it.
    pub values: Vec<Option<f64>>,
    /// The verdict in each run; `None` where there are no goals, or the application was not there.
    pub verdicts: Vec<Option<Verdict>>,
    /// The median of the values that there are.
    pub median: Option<f64>,
    /// The best of them.
    pub best: Option<f64>,
    /// The worst of them.
    pub worst: Option<f64>,
    /// In how many runs the value is beyond the goal's good bound; `None` where no goal is followed.
    pub beyond_goal: Option<usize>,
    /// In how many runs another goal's figure decided the verdict than the one that is followed.
    pub decided_otherwise: usize,
    /// The earlier runs against the later ones.
    pub change: Change,
}

/// The earlier half of the runs against the later half.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// When the later half began, RFC 3339; `None` where there are no two halves.
    pub since: Option<String>,
    /// How many runs each half has, of those whose figure can be used.
    pub runs: (usize, usize),
    /// Runs that were left out: they could not tell the figure, the tester may have made it, or they ended early.
    pub left_out: usize,
    /// Runs that are too long ago to be in the test, which takes so many at most.
    pub too_old: usize,
    /// How the later half is.
    pub answer: Answer,
    /// What the test says; `None` where it cannot be made.
    pub test: Option<RankTest>,
    /// Why it cannot be told, where it cannot.
    pub because: Option<String>,
}

/// The trends in runs of one scenario, which are given from the earliest to the latest: one for each question, the one that
/// was asked last first.
#[must_use]
pub fn trends(runs: &[Brief]) -> Vec<Trend> {
    let mut digests: Vec<&str> = Vec::new();
    for run in runs.iter().rev() {
        if !digests.contains(&run.digest.as_str()) {
            digests.push(&run.digest);
        }
    }
    digests.into_iter().map(|digest| of_question(digest, runs)).collect()
}

fn of_question(digest: &str, runs: &[Brief]) -> Trend {
    let runs: Vec<&Brief> = runs.iter().filter(|run| run.digest == digest).collect();
    let latest = runs.last().map_or(&[][..], |run| &run.applications);
    Trend {
        digest: digest.to_owned(),
        applications: latest.iter().filter_map(|application| follow(application, &runs)).collect(),
        runs: runs
            .iter()
            .map(|run| TrendRun { run: run.run.clone(), started_at: run.started_at.clone(), verdict: run.verdict })
            .collect(),
    }
}

fn follow(latest: &ApplicationBrief, runs: &[&Brief]) -> Option<ApplicationTrend> {
    let figure = latest.figures.first()?.figure.clone();
    let found: Vec<Option<&ApplicationBrief>> =
        runs.iter().map(|run| run.applications.iter().find(|one| one.is(&latest.client, &latest.name))).collect();
    let of_figure = |one: &ApplicationBrief| one.figures.iter().find(|read| read.figure == figure).cloned();
    let read: Vec<_> = found.iter().map(|one| one.and_then(of_figure)).collect();
    let values: Vec<Option<f64>> = read.iter().map(|read| read.as_ref()?.value).collect();
    let mut sorted: Vec<f64> = values.iter().flatten().copied().collect();
    sorted.sort_by(f64::total_cmp);
    let (least, greatest) = (sorted.first().copied(), sorted.last().copied());
    let (best, worst) = if figure.less_is_better() { (least, greatest) } else { (greatest, least) };
    let otherwise = |one: &&ApplicationBrief| one.decided_by.is_some_and(|decided| decided > 0);
    let usable: Vec<Usable<'_>> = runs
        .iter()
        .zip(&read)
        .filter_map(|(run, read)| {
            let read = read.as_ref().filter(|read| !read.doubted)?;
            Some(Usable { started_at: &run.started_at, value: read.value? })
        })
        .collect();
    Some(ApplicationTrend {
        client: latest.client.clone(),
        name: latest.name.clone(),
        change: change(&usable, runs.len(), figure.less_is_better()),
        beyond_goal: beyond_goal(&figure, &sorted),
        median: median(&sorted),
        best,
        worst,
        decided_otherwise: found.iter().flatten().filter(|one| otherwise(one)).count(),
        verdicts: found.iter().map(|one| one.and_then(|one| one.verdict)).collect(),
        figure,
        values,
    })
}

/// A run whose figure is known, and is the network's.
struct Usable<'a> {
    started_at: &'a str,
    value: f64,
}

/// Where the runs are odd in number, the earlier half has one more.
fn change(usable: &[Usable<'_>], all: usize, less_is_better: bool) -> Change {
    let too_old = usable.len().saturating_sub(2 * MOST);
    let taken = usable.get(too_old..).unwrap_or_default();
    let (earlier, later) = taken.split_at(taken.len().div_ceil(2));
    let values = |half: &[Usable<'_>]| half.iter().map(|run| run.value).collect::<Vec<_>>();
    let least = earlier.len().min(later.len());
    let test = rank_test(&values(earlier), &values(later));
    let because = if least < LEAST_RUNS {
        let runs = if taken.len() == 1 { "1 run tells".to_owned() } else { format!("{} runs tell", taken.len()) };
        Some(format!("{runs} the figure, and {} are the least that can show a change", 2 * LEAST_RUNS))
    } else {
        None
    };
    let found = match (&because, &test) {
        (None, Some(test)) => answer(test, less_is_better),
        _ => Answer::CannotTell,
    };
    Change {
        since: later.first().map(|run| run.started_at.to_owned()),
        runs: (earlier.len(), later.len()),
        left_out: all - usable.len(),
        too_old,
        answer: found,
        because: because.or_else(|| (found == Answer::CannotTell).then(|| undecided(test.as_ref()))),
        test,
    }
}

fn beyond_goal(figure: &RunFigure, values: &[f64]) -> Option<usize> {
    let RunFigure::Goal(bound) = figure else { return None };
    let is_beyond = |value: f64| match bound {
        Bound::ResponseTime { good, .. } | Bound::StartupTime { good, .. } => value > good.as_secs_f64() * 1e9,
        Bound::FailedShare { good, .. } | Bound::StallRatio { good, .. } => value > *good,
        Bound::WindowGoodput { floor, .. } => value < floor.as_mbps() * 1e6,
    };
    Some(values.iter().filter(|value| is_beyond(**value)).count())
}

fn median(sorted: &[f64]) -> Option<f64> {
    let (lower, upper) = (sorted.get(sorted.len().saturating_sub(1) / 2)?, sorted.get(sorted.len() / 2)?);
    // Of two infinities there is no middle.
    Some(if lower < upper { f64::midpoint(*lower, *upper) } else { *lower })
}

#[cfg(test)]
mod tests;
