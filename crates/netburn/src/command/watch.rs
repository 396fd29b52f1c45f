//! `netburn watch`: a scenario again and again, until Ctrl-C.

use std::ffi::{OsStr, OsString};
use std::fs;

use anyhow::anyhow;
use burn_report::layout::clean;

use super::run::read_scenario;
use super::show::{self, out_folder};
use super::{Failure, say};
use crate::cli::Watch;
use crate::exit::Exit;
use crate::scenario::{self, Overrides, exact};
use crate::watch::{Attempt, Program, Retention, Schedule, Settings, Target, TooOften, can_be_watched, planned};

/// The longest file that a URL is read from, in bytes.
const LONGEST_URL: usize = 8192;

pub(super) fn watch(args: &Watch) -> Result<Exit, Failure> {
    let (name, text) = read_scenario(&args.scenario)?;
    let overrides = Overrides { duration: args.duration, ..Overrides::default() };
    let scenario = scenario::parse_with(&name, &text, &overrides).map_err(Failure::usage)?;
    can_be_watched(&scenario).map_err(|why| Failure::usage(format!("{name}: {why}")))?;
    show::warn(&scenario, false);
    let run = planned(&scenario);
    let schedule = Schedule::new(args.every, args.confirm_after, run).map_err(|TooOften { least }| {
        Failure::usage(format!(
            "--every {} is too short: a run of '{name}' takes {}, and there must be a second between two; give at least {}, or a shorter run with --for",
            exact(args.every),
            exact(run),
            exact(least)
        ))
    })?;
    let settings = Settings {
        attempt: Attempt {
            scenario: args.scenario.clone(),
            // Alarms name run files, to programs that run elsewhere too.
            out: std::path::absolute(out_folder(args.out.as_deref())).map_err(|error| {
                Failure::could_not(&anyhow!(
                    "cannot tell in which folder this is: {error}; give a full path with --out"
                ))
            })?,
            duration: args.duration,
            push: !args.no_push,
        },
        name: scenario.plan.name.clone(),
        schedule,
        every: args.every,
        strict: args.strict,
        retention: Retention { age: args.keep, runs: args.keep_runs.and_then(|runs| usize::try_from(runs).ok()) },
        metrics: args.metrics,
        program: args.on_change.as_ref().map(|path| program(path, &args.on_change_arg)).transpose()?,
        target: args.post.as_deref().map(target).transpose()?,
    };
    if args.metrics.is_some_and(|address| !address.ip().is_loopback()) {
        say(
            false,
            "Warning: --metrics is open to everybody who reaches that address; 127.0.0.1 keeps it to this machine",
        );
    }
    crate::watch::watch(settings).map_err(|error| Failure::could_not(&error))?;
    Ok(Exit::Good)
}

/// The program that is told of alarms, which must be there from the beginning.
fn program(path: &OsStr, args: &[OsString]) -> Result<Program, Failure> {
    let program = Program { path: path.to_owned(), args: args.to_owned() };
    if program.is_there() {
        return Ok(program);
    }
    let path = clean(&path.to_string_lossy());
    Err(Failure::usage(format!(
        "--on-change: there is no program '{path}' that can be run: give its path; arguments go into --on-change-arg"
    )))
}

/// The URL that was given, or that stands in the file that was given, so that it is in no list of processes.
fn target(given: &str) -> Result<Target, Failure> {
    let url = match given.strip_prefix('@') {
        None => given.to_owned(),
        Some(file) => {
            let text = fs::read_to_string(file);
            let text = text.map_err(|error| Failure::usage(format!("--post: cannot read {file}: {error}")))?;
            if text.len() > LONGEST_URL {
                return Err(Failure::could_not(&anyhow!("--post: {file} is too long for a URL")));
            }
            text
        }
    };
    Target::parse(&url).map_err(|error| Failure::usage(format!("--post: {error}")))
}
