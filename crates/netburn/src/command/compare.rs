//! `netburn compare`: runs of two set-ups, held against each other.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use burn_model::compare::{Answer, Comparison, compare as hold_against};
use burn_model::judge::{Judgement, judge};
use burn_model::run::RunRecord;
use burn_report::html::SetUp;

use super::{Failure, kept, page, print, show};
use crate::cli::{ColorChoice, Compare};
use crate::exit::Exit;
use crate::run_file;

/// Runs of two set-ups.
pub(super) struct Sides {
    pub(super) first: Vec<(RunRecord, Judgement)>,
    pub(super) second: Vec<(RunRecord, Judgement)>,
    /// What each is called where both have the same scenario.
    pub(super) names: (String, String),
}

pub(super) fn compare(args: &Compare, color: ColorChoice) -> Result<Exit, Failure> {
    let (first, second) = (found(&args.first)?, found(&args.vs)?);
    let sides = Sides { first: read(&first)?, second: read(&second)?, names: (stem(&first), stem(&second)) };
    Ok(conclude(&sides, (args.json, args.html.as_deref()), None, color))
}

/// Holds the second set-up against the first, and shows what that says. Ends with `exit` where that is given already.
pub(super) fn conclude(
    sides: &Sides,
    (json, html): (bool, Option<&Path>),
    exit: Option<Exit>,
    color: ColorChoice,
) -> Exit {
    let runs = (borrowed(&sides.first), borrowed(&sides.second));
    let comparison = hold_against(&runs.0, &runs.1);
    let exit = exit.unwrap_or_else(|| answer(&comparison));
    let (first, second) = titles(sides);
    if json {
        print(&burn_report::json::render_comparison(&first, &second, &comparison, exit.code()));
    } else {
        print(&burn_report::text::render_comparison(&first, &second, &comparison, show::style(color)));
    }
    let page = || {
        let (first, second) = (SetUp { title: &first, runs: &runs.0 }, SetUp { title: &second, runs: &runs.1 });
        burn_report::html::render_comparison(first, second, &comparison)
    };
    page::also(html, page, false, exit)
}

fn found(runs: &[OsString]) -> Result<Vec<PathBuf>, Failure> {
    runs.iter().map(|run| kept::find(run)).collect()
}

fn read(files: &[PathBuf]) -> Result<Vec<(RunRecord, Judgement)>, Failure> {
    let judged = |file: &PathBuf| {
        let run = run_file::read(file).map_err(Failure::usage)?;
        let judgement = judge(&run);
        Ok((run, judgement))
    };
    files.iter().map(judged).collect()
}

fn borrowed(runs: &[(RunRecord, Judgement)]) -> Vec<(&RunRecord, &Judgement)> {
    runs.iter().map(|(run, judgement)| (run, judgement)).collect()
}

/// Each side's scenario; where both have the same one, their own names tell them apart.
fn titles(sides: &Sides) -> (String, String) {
    let scenario = |runs: &[(RunRecord, Judgement)]| runs.first().and_then(|(run, _)| Some(run.plan()?.name.clone()));
    let by_scenario = (scenario(&sides.first), scenario(&sides.second));
    match by_scenario {
        (Some(first), Some(second)) if first != second => (first, second),
        _ => sides.names.clone(),
    }
}

/// The name of the first file, without its ending.
fn stem(files: &[PathBuf]) -> String {
    let stem = files.first().and_then(|file| file.file_stem()).map(Path::new);
    stem.map(|name| name.display().to_string()).unwrap_or_default()
}

/// Worse for somebody is 1, and nothing that can be told is 3.
fn answer(comparison: &Comparison) -> Exit {
    let answered = |wanted: Answer| comparison.applications.iter().any(|one| one.answer == wanted);
    match (answered(Answer::Worse), answered(Answer::Better)) {
        (true, _) => Exit::Bad,
        (false, true) => Exit::Good,
        (false, false) => Exit::Inconclusive,
    }
}
