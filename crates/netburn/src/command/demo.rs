//! `netburn demo`: the same household twice, on one machine, and what the big download's radio changes.

use burn_model::compare::compare;
use burn_model::judge::Judgement;
use burn_model::record::Ending;
use burn_model::run::RunRecord;
use burn_report::html::{SetUp, render, render_comparison};

use super::show::{kept, out_folder, show, style, tell_record};
use super::{Failure, page, print, say};
use crate::cli::{ColorChoice, Demo};
use crate::controller::{Joining, Options, execute};
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
    page::check(args.show.html.as_deref())?;
    if args.no_lab {
        return over_loopback(args, color);
    }
    let mut runs = Vec::new();
    for (i, (title, file, text)) in SET_UPS.into_iter().enumerate() {
        let scenario = read(file, text, args)?;
        say(args.show.quiet, &format!("{}/{}: {title}, {}", i + 1, SET_UPS.len(), takes(&scenario)));
        let finished = execute(&scenario, &options(args)).map_err(|error| Failure::could_not(&error))?;
        tell_record(&finished, args.show.quiet);
        let interrupted = matches!(finished.run.ending(), Some(Ending::Interrupted { .. }));
        runs.push((title, finished));
        // Whoever stopped the first set-up does not want to wait for the second one.
        if interrupted {
            break;
        }
    }
    let sides: Vec<_> = runs.iter().map(|(title, finished)| (*title, &finished.run, &finished.judgement)).collect();
    // The demonstration succeeds when the second set-up is good; that the first is not is what it shows.
    let exit = runs.last().map_or(Exit::CouldNot, |(_, last)| Exit::of(last.judgement.verdict, args.show.strict));
    let exit = runs.iter().fold(exit, |exit, (_, finished)| kept(finished, exit));
    if args.show.json {
        print(&burn_report::json::render_side_by_side(&sides, exit.code()));
    } else {
        print(&burn_report::text::render_side_by_side(&sides, style(color)));
    }
    let Some((_, first)) = runs.first() else { return Ok(exit) };
    let beside = first.path.with_extension("demo.html");
    let file = args.show.html.as_deref().unwrap_or(&beside);
    Ok(page::also(Some(file), || in_a_page(&sides), args.show.quiet, exit))
}

/// Both set-ups; the first alone, where nobody waited for the second.
fn in_a_page(sides: &[(&str, &RunRecord, &Judgement)]) -> String {
    match sides {
        [(first_title, first, first_judged), (second_title, second, second_judged), ..] => {
            let (first, second) = ([(*first, *first_judged)], [(*second, *second_judged)]);
            let comparison = compare(&first, &second);
            let set_up = |title, runs| SetUp { title, runs };
            render_comparison(set_up(first_title, &first), set_up(second_title, &second), &comparison)
        }
        [(_, run, judgement)] => render(run, judgement),
        [] => String::new(),
    }
}

/// The four clients once, over loopback: there is no radio that the download could be moved to.
fn over_loopback(args: &Demo, color: ColorChoice) -> Result<Exit, Failure> {
    let [(_, file, text), _] = SET_UPS;
    let mut scenario = read(file, text, args)?;
    scenario.plan.name = "household, over loopback".to_owned();
    scenario.lab = None;
    scenario.devices.iter_mut().for_each(|device| device.via = Via::Local);
    scenario.remarks.push(NOT_SHAPED.to_owned());
    say(args.show.quiet, &format!("{NOT_SHAPED} This takes {}", takes(&scenario)));
    let finished = execute(&scenario, &options(args)).map_err(|error| Failure::could_not(&error))?;
    Ok(show(&finished, &args.show, color))
}

fn read(file: &str, text: &str, args: &Demo) -> Result<Scenario, Failure> {
    let overrides = Overrides { duration: args.duration, ..Overrides::default() };
    scenario::parse_with(file, text, &overrides).map_err(Failure::usage)
}

fn options(args: &Demo) -> Options {
    Options {
        out: out_folder(args.out.as_deref()),
        progress: !args.show.quiet,
        url: None,
        joining: Joining::default(),
        push: false,
        solo_first: false,
    }
}

/// How long a person will wait.
fn takes(scenario: &Scenario) -> String {
    format!("about {} s.", (scenario.plan.warm_up + scenario.plan.duration).as_secs() + 1)
}
