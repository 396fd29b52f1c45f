//! `netburn compare`: runs of two set-ups, held against each other.

use std::path::{Path, PathBuf};

use burn_model::compare::{Answer, Comparison, compare as hold_against};
use burn_model::judge::{Judgement, judge};
use burn_model::run::RunRecord;

use super::{Failure, print, show};
use crate::cli::{ColorChoice, Compare};
use crate::exit::Exit;
use crate::run_file;

pub(super) fn compare(args: &Compare, color: ColorChoice) -> Result<Exit, Failure> {
    let first = read(&args.first)?;
    let second = read(&args.vs)?;
    let comparison = hold_against(&borrowed(&first), &borrowed(&second));
    let exit = exit(&comparison);
    let (first, second) = titles((&first, &args.first), (&second, &args.vs));
    if args.json {
        print(&burn_report::json::render_comparison(&first, &second, &comparison, exit.code()));
    } else {
        print(&burn_report::text::render_comparison(&first, &second, &comparison, show::style(color)));
    }
    Ok(exit)
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

/// Each side's scenario; where both have the same one, the files tell them apart.
fn titles(
    first: (&[(RunRecord, Judgement)], &[PathBuf]),
    second: (&[(RunRecord, Judgement)], &[PathBuf]),
) -> (String, String) {
    let scenario = |runs: &[(RunRecord, Judgement)]| runs.first().and_then(|(run, _)| Some(run.plan()?.name.clone()));
    let file = |files: &[PathBuf]| {
        files.first().and_then(|file| file.file_stem()).map(Path::new).map(|name| name.display().to_string())
    };
    let (by_name, by_file) = ((scenario(first.0), scenario(second.0)), (file(first.1), file(second.1)));
    let (one, two) = if by_name.0 == by_name.1 { by_file } else { by_name };
    (one.unwrap_or_default(), two.unwrap_or_default())
}

/// Worse for somebody is 1, and nothing that can be told is 3.
fn exit(comparison: &Comparison) -> Exit {
    let answered = |wanted: Answer| comparison.applications.iter().any(|one| one.answer == wanted);
    match (answered(Answer::Worse), answered(Answer::Better)) {
        (true, _) => Exit::Bad,
        (false, true) => Exit::Good,
        (false, false) => Exit::Inconclusive,
    }
}
