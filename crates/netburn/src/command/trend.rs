//! `netburn trend`: how a scenario's runs fared with time.

use burn_model::brief::Brief;
use burn_model::trend::trends;
use burn_report::layout::clean;

use super::runs::{failed, scenario_name, store};
use super::{Failure, print, show};
use crate::cli::{ColorChoice, Trend};
use crate::exit::Exit;
use crate::history::{Filter, Store};
use crate::suggest;

pub(super) fn trend(args: &Trend, color: ColorChoice) -> Result<Exit, Failure> {
    let mut store = store(&args.folder);
    let scenario = scenario_name(&args.scenario);
    let of_scenario =
        Filter { scenario: Some(scenario.clone()), since: args.since, until: args.until, ..Filter::default() };
    let runs: Vec<Brief> = store.runs(&of_scenario).map_err(failed)?.into_iter().rev().map(|kept| kept.brief).collect();
    if runs.is_empty() {
        return Err(none(&mut store, &scenario));
    }
    let trends = trends(&runs);
    if args.json {
        let folder = store.folder().display().to_string();
        print(&burn_report::json::render_trends(&scenario, &folder, &trends));
    } else {
        print(&burn_report::text::render_trends(&scenario, &trends, show::style(color)));
    }
    Ok(Exit::Good)
}

/// There is no such run: perhaps another name was meant.
fn none(store: &mut Store, scenario: &str) -> Failure {
    let known = match store.scenarios() {
        Ok(known) => known,
        Err(error) => return failed(error),
    };
    let hint = suggest::hint(scenario, known.iter().map(String::as_str));
    Failure::usage(clean(&format!("{}: no run of scenario '{scenario}': {hint}", store.folder().display())))
}
