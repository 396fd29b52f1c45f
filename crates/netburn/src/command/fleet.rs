//! `netburn fleet`: the devices of a scenario, without a run.

use super::{Failure, print};
use crate::cli::{Fleet, FleetCheck, FleetCommand};
use crate::exit::Exit;
use crate::fleet::check::{self, CheckOptions, SLOW_LOGIN};
use crate::fleet::ssh::Push;
use crate::scenario;

pub(super) fn fleet(args: &Fleet) -> Result<Exit, Failure> {
    match &args.command {
        FleetCommand::Check(args) => check(args),
    }
}

fn check(args: &FleetCheck) -> Result<Exit, Failure> {
    let (name, text) = super::run::read_scenario(&args.scenario)?;
    let scenario = scenario::parse(&name, &text).map_err(Failure::usage)?;
    let options = CheckOptions {
        push: if args.no_push { Push::Forbidden } else { Push::Allowed },
        slow: args.slow.unwrap_or(SLOW_LOGIN),
        progress: !args.quiet,
    };
    let report = check::check(&scenario, &options).map_err(|error| Failure::could_not(&error))?;
    let exit = if report.is_fit() { Exit::Good } else { Exit::Bad };
    if args.json {
        let json = check::json::render(&report, exit.code()).map_err(|error| Failure::could_not(&error.into()))?;
        print(&json);
    } else {
        print(&check::text::render(&report));
    }
    Ok(exit)
}
