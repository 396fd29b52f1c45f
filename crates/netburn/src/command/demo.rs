//! `netburn demo`: the same household twice, on one machine, and what the big download's radio changes.

use burn_model::units::format_duration;

use super::show::{kept, out_folder, style, tell_record};
use super::{Failure, print, say};
use crate::cli::{ColorChoice, Demo};
use crate::controller::{Finished, Options, execute};
use crate::exit::Exit;
use crate::scenario::{self, Overrides, Scenario, Via};

/// The two set-ups, in the order they are run, each with its title.
const SET_UPS: [(&str, &str, &str); 2] = [
    ("all on one radio", "household-one-radio.toml", include_str!("../../../../scenarios/household-one-radio.toml")),
    (
        "download on the other radio",
        "household-two-radios.toml",
        include_str!("../../../../scenarios/household-two-radios.toml"),
    ),
];

const NOT_SHAPED: &str = "Nothing was shaped: all clients ran over this machine's loopback, so no network was tested.";

pub(super) fn demo(args: &Demo, color: ColorChoice) -> Result<Exit, Failure> {
    let overrides = Overrides { duration: args.duration, ..Overrides::default() };
    let options = Options { out: out_folder(args.out.as_deref()), progress: !args.show.quiet, url: None };
    let mut runs = Vec::new();
    for (i, (title, file, text)) in SET_UPS.into_iter().enumerate() {
        let mut scenario = scenario::parse_with(file, text, &overrides).map_err(Failure::usage)?;
        if args.no_lab {
            leave_lab(&mut scenario);
        }
        let plan = &scenario.plan;
        let takes = format_duration(plan.warm_up + plan.duration);
        say(args.show.quiet, &format!("{}/{}: {title}, {takes}", i + 1, SET_UPS.len()));
        let finished = execute(&scenario, &options).map_err(|error| Failure::could_not(&error))?;
        tell_record(&finished, args.show.quiet);
        runs.push((title, finished));
    }
    let sides: Vec<_> = runs.iter().map(|(title, finished)| (*title, &finished.run, &finished.judgement)).collect();
    // The demonstration succeeds when the second set-up is good; that the first is not is what it shows.
    let exit = runs.last().map_or(Exit::CouldNot, |(_, last)| Exit::of(last.judgement.verdict, args.show.strict));
    let exit = runs.iter().fold(exit, |exit, (_, finished): &(_, Finished)| kept(finished, exit));
    if args.show.json {
        print(&burn_report::json::render_side_by_side(&sides, exit.code()));
    } else {
        print(&burn_report::text::render_side_by_side(&sides, style(color)));
    }
    Ok(exit)
}

/// The same clients over loopback.
fn leave_lab(scenario: &mut Scenario) {
    scenario.lab = None;
    scenario.via.fill(Via::Local);
    scenario.remarks.push(NOT_SHAPED.to_owned());
}
