//! `netburn run`: a scenario, from its file to its verdict.

use std::path::Path;

use super::show::{self, out_folder};
use super::{Failure, page};
use crate::cli::{ColorChoice, Run};
use crate::controller::{Joining, Options, execute};
use crate::exit::Exit;
use crate::fleet::lobby::Patience;
use crate::scenario::{self, Overrides};

pub(super) fn run(args: &Run, color: ColorChoice) -> Result<Exit, Failure> {
    page::check(args.show.html.as_deref())?;
    let (name, text) = read_scenario(&args.scenario)?;
    let scenario = scenario::parse_with(&name, &text, &overrides(args)).map_err(Failure::usage)?;
    show::warn(&scenario, args.show.quiet);
    let finished = execute(&scenario, &options(args)).map_err(|error| Failure::could_not(&error))?;
    Ok(show::show(&finished, &args.show, color))
}

/// What the command line says instead of the scenario.
pub(super) fn overrides(args: &Run) -> Overrides {
    Overrides {
        duration: args.duration,
        seed: args.seed,
        keep_operations: args.keep_operations.then_some(true),
        ..Overrides::default()
    }
}

/// What the command line says beside the scenario.
pub(super) fn options(args: &Run) -> Options {
    let joining = Joining {
        lobby: args.lobby,
        patience: args.start_anyway.map_or(Patience::default(), Patience::ForThoseWhoCome),
    };
    Options {
        out: out_folder(args.out.as_deref()),
        progress: !args.show.quiet,
        url: None,
        joining,
        push: !args.no_push,
        solo_first: args.solo_first,
    }
}

/// A scenario's name for messages, and its text.
pub(super) fn read_scenario(path: &Path) -> Result<(String, String), Failure> {
    let name = path.display().to_string();
    match std::fs::read_to_string(path) {
        Ok(text) => Ok((name, text)),
        Err(error) => Err(Failure::usage(format!("{name}: cannot read the scenario: {error}"))),
    }
}
