//! How a finished run is shown, whichever command made it.

use std::env;
use std::io::{IsTerminal, stdout};
use std::path::{Path, PathBuf};

use burn_model::judge::Judgement;
use burn_model::run::RunRecord;
use burn_report::text::Style;

use super::notes::note;
use super::{page, print, say, say_error};
use crate::cli::{ColorChoice, Show};
use crate::controller::Finished;
use crate::exit::Exit;
use crate::scenario::Scenario;

/// What reports are laid out for.
const COLUMNS: usize = 80;

/// Prints a run's result, and says where its record is.
pub(super) fn show(finished: &Finished, show: &Show, color: ColorChoice) -> Exit {
    let exit = kept(finished, Exit::of(finished.judgement.verdict, show.strict));
    if show.json {
        print(&burn_report::json::render(&finished.run, &finished.judgement, exit.code()));
    } else {
        print(&text(&finished.run, &finished.judgement, color));
    }
    tell_record(finished, show.quiet);
    let page = || burn_report::html::render(&finished.run, &finished.judgement);
    page::also(show.html.as_deref(), page, show.quiet, exit)
}

/// The report as text, in the form that fits where stdout goes.
pub(super) fn text(run: &RunRecord, judgement: &Judgement, color: ColorChoice) -> String {
    burn_report::text::render(run, judgement, style(color))
}

/// A run whose record is not whole ends as such, whatever its verdict.
pub(super) fn kept(finished: &Finished, exit: Exit) -> Exit {
    if finished.record_lost.is_some() { Exit::CouldNot } else { exit }
}

/// Says before a run what its author would want to know.
pub(super) fn warn(scenario: &Scenario, quiet: bool) {
    for warning in &scenario.warnings {
        say(quiet, &note(&format!("Warning: {warning}")));
    }
}

/// Says where a run's record is, and what became of it.
pub(super) fn tell_record(finished: &Finished, quiet: bool) {
    if let Some(reason) = &finished.record_lost {
        say_error(reason);
    }
    say(quiet, &format!("Run file: {}", finished.path.display()));
}

/// Width and colour for stdout.
pub(super) fn style(color: ColorChoice) -> Style {
    let terminal = stdout().is_terminal();
    let refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
        || env::var_os("TERM").is_some_and(|term| term == "dumb");
    let forced = env::var_os("CLICOLOR_FORCE").is_some_and(|value| !value.is_empty() && value != "0");
    let color = match color {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => !refused && (terminal || forced),
    };
    // Reports are laid out for 80 columns, so that a run's own and one made of its file are the same to the letter. Only a
    // narrower terminal gets a narrower one.
    let narrow = terminal.then(terminal_size::terminal_size).flatten().map(|(width, _)| usize::from(width.0));
    Style { color, width: narrow.map_or(COLUMNS, |width| width.clamp(20, COLUMNS)) }
}

/// Where run files go, unless a person says otherwise: the XDG state folder.
pub(super) fn out_folder(given: Option<&Path>) -> PathBuf {
    if let Some(given) = given {
        return given.to_owned();
    }
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = absolute("XDG_STATE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".local/state")));
    state.map_or_else(|| PathBuf::from("netburn-runs"), |state| state.join("netburn/runs"))
}
