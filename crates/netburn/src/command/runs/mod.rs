//! `netburn runs`: the runs that were kept.

mod change;
mod remove;

use burn_model::judge::Verdict;
use burn_report::KeptRun;
use burn_report::json::Listing;

use super::show::{out_folder, style};
use super::{Failure, print, say, say_error};
use crate::cli::{ColorChoice, Folder, Runs, RunsCommand, Which};
use crate::exit::Exit;
use crate::history::{Filter, Kept, Store, StoreError};
use crate::scenario;

pub(super) fn runs(args: &Runs, color: ColorChoice) -> Result<Exit, Failure> {
    match &args.command {
        None => list(args, color),
        Some(RunsCommand::Tag { run, words, remove, folder }) => change::tag(run, words, *remove, folder),
        Some(RunsCommand::Note { run, text, folder }) => change::note(run, text, folder),
        Some(RunsCommand::Rm { runs, yes, folder }) => remove::remove(runs, *yes, folder),
        Some(RunsCommand::Rebuild { folder }) => rebuild(folder),
    }
}

/// The store of a folder, which says what is not as it should be.
pub(super) fn store(folder: &Folder) -> Store {
    Store::open(&out_folder(folder.out.as_deref())).telling(say_error)
}

/// The runs cannot be told.
pub(super) fn failed(error: StoreError) -> Failure {
    Failure::could_not(&error.into())
}

/// The filter that was asked for.
pub(super) fn filter(which: &Which) -> Filter {
    Filter {
        scenario: which.scenario.as_deref().map(scenario_name),
        client: which.client.clone(),
        verdicts: which.verdict.iter().copied().map(Verdict::from).collect(),
        tags: which.tag.clone(),
        since: which.since,
        until: which.until,
        limit: None,
    }
}

/// A scenario's name: the one in its file, where that is what was given.
pub(super) fn scenario_name(given: &str) -> String {
    let of_file =
        std::fs::read_to_string(given).ok().and_then(|text| Some(scenario::parse(given, &text).ok()?.plan.name));
    of_file.unwrap_or_else(|| given.to_owned())
}

fn list(args: &Runs, color: ColorChoice) -> Result<Exit, Failure> {
    let mut store = store(&args.folder);
    let filter = Filter { limit: (!args.all).then_some(args.limit), ..filter(&args.which) };
    let kept = store.runs(&filter).map_err(failed)?;
    let total = store.count(&filter).map_err(failed)?;
    let unreadable = store.unreadable().map_err(failed)?;
    let runs: Vec<KeptRun<'_>> = kept.iter().map(shown).collect();
    let folder = store.folder().display().to_string();
    if args.json {
        let unreadable: Vec<(String, String)> =
            unreadable.into_iter().map(|file| (file.path.display().to_string(), file.problem)).collect();
        print(&burn_report::json::render_runs(&Listing {
            folder: &folder,
            total,
            runs: &runs,
            unreadable: &unreadable,
        }));
        return Ok(Exit::Good);
    }
    if runs.is_empty() {
        let all = Filter { limit: filter.limit, ..Filter::default() };
        let what = if filter == all { "no run was kept here yet" } else { "no run here is so" };
        say(false, &format!("{folder}: {what}."));
    } else {
        print(&burn_report::text::render_runs(&runs, style(color)));
    }
    if runs.len() < total {
        say(false, &format!("{} of {total} runs; --all shows them all.", runs.len()));
    }
    for file in unreadable {
        say_error(&burn_report::layout::clean(&file.problem));
    }
    Ok(Exit::Good)
}

/// A run as lists show it.
fn shown(kept: &Kept) -> KeptRun<'_> {
    KeptRun { path: &kept.path, brief: &kept.brief, tags: &kept.notes.tags, note: kept.notes.note.as_deref() }
}

fn rebuild(folder: &Folder) -> Result<Exit, Failure> {
    let mut store = store(folder);
    let files = store.rebuild().map_err(failed)?;
    let made = if store.is_without_index() { "read" } else { "in the index" };
    let noun = if files == 1 { "run file" } else { "run files" };
    say(false, &format!("{}: {files} {noun} {made}.", store.folder().display()));
    Ok(Exit::Good)
}
